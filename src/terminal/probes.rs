//! Questions to the terminal: its colours, its keyboard flags, its size. Not its colour scheme (`CSI ? 996 n`): the colour behind
//! text says more, and some terminal libraries trip over that question.
//!
//! They are sent after the first frame and not waited for; the answers come as [`super::Input`] among the keys. The last
//! question is one that every terminal answers (DA1), and terminals answer in order: once [`super::Input::Answered`] has
//! come, no other answer will.
//!
//! Not for modes: reports of a changed colour scheme are switched on with the claim, since they must be switched off.

use super::input::Input;
use crossbeam_channel::Receiver;
use std::time::{Duration, Instant};

/// The colour of text. Ended by BEL: rxvt-unicode mirrors the end of the question, and gets the longer one wrong.
pub const ASK_FOREGROUND: &str = "\x1b]10;?\x07";
/// The colour behind text.
pub const ASK_BACKGROUND: &str = "\x1b]11;?\x07";
/// The keyboard flags in force: those of the claim where the terminal knows them, no answer where it doesn't.
pub const ASK_KEYBOARD: &str = "\x1b[?u";
/// The size in cells.
pub const ASK_SIZE: &str = "\x1b[18t";
/// What kind of terminal it is: asked last, answered by all.
pub const ASK_ATTRIBUTES: &str = "\x1b[c";

/// The bytes to send.
///
/// `term` is the value of `TERM`. A dumb terminal is asked nothing: it would show the questions. The Linux console is not
/// asked for its colours, which it can't tell and older kernels print.
///
/// `is_size_known` says whether [`super::size::of`] gave one.
pub fn questions(term: Option<&str>, is_size_known: bool) -> String {
    let mut all = String::new();
    if matches!(term, None | Some("dumb" | "")) {
        return all;
    }
    if term != Some("linux") {
        all.push_str(ASK_FOREGROUND);
        all.push_str(ASK_BACKGROUND);
    }
    all.push_str(ASK_KEYBOARD);
    if !is_size_known {
        all.push_str(ASK_SIZE);
    }
    all.push_str(ASK_ATTRIBUTES);
    all
}

/// Waits until the terminal has answered all, at most `limit`, and says whether it has. Everything that comes is dropped.
///
/// For the way out only, when somebody quits before the answers are there: otherwise they would be typed at the shell.
pub fn settle(inputs: &Receiver<Input>, limit: Duration) -> bool {
    let deadline = Instant::now() + limit;
    loop {
        match inputs.recv_deadline(deadline) {
            Ok(Input::Answered) => return true,
            Ok(Input::Closed) | Err(_) => return false,
            Ok(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ASK_ATTRIBUTES, questions, settle};
    use crate::terminal::input::Input;
    use std::time::Duration;

    #[test]
    fn a_terminal_is_asked_what_it_can_answer() {
        let usual = questions(Some("xterm-256color"), true);
        assert_eq!(usual, "\x1b]10;?\x07\x1b]11;?\x07\x1b[?u\x1b[c");
        assert!(usual.ends_with(ASK_ATTRIBUTES));
        assert_eq!(questions(Some("linux"), false), "\x1b[?u\x1b[18t\x1b[c");
        assert_eq!(questions(Some("dumb"), false), "");
        assert_eq!(questions(None, false), "");
    }

    #[test]
    fn settling_ends_with_the_last_answer_or_the_limit() {
        let (sender, inputs) = crossbeam_channel::unbounded();
        sender.send(Input::FocusGained).unwrap();
        assert!(!settle(&inputs, Duration::from_millis(5)));
        sender.send(Input::FocusGained).unwrap();
        sender.send(Input::Answered).unwrap();
        sender.send(Input::FocusLost).unwrap();
        assert!(settle(&inputs, Duration::from_secs(5)));
        assert_eq!(inputs.try_recv(), Ok(Input::FocusLost));
    }
}
