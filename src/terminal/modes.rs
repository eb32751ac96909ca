//! Every mode of the terminal that is ever switched on, with the bytes that switch it on and off.
//!
//! One table, so that a test can hold it against the rule: what is set is reset. [`super::guard`] writes from it and
//! from nowhere else.

/// When a mode is switched on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// With the claim.
    Always,
    /// With the claim, if the alternate screen is wanted.
    Alternate,
    /// With the claim or later, if the mouse is wanted.
    Mouse,
    /// With the claim, if the extended keyboard is wanted.
    Keyboard,
    /// Around each frame; restoring ends it in case a frame was cut short.
    Frame,
}

/// One mode.
#[derive(Debug, Clone, Copy)]
pub struct Mode {
    /// What it is, for people.
    pub name: &'static str,
    /// When it is switched on.
    pub wanted: Wanted,
    /// The bytes that switch it on.
    pub set: &'static str,
    /// The bytes that switch it off.
    pub reset: &'static str,
}

const fn mode(name: &'static str, wanted: Wanted, set: &'static str, reset: &'static str) -> Mode {
    Mode { name, wanted, set, reset }
}

/// The modes in the order in which they are set; they are reset in the opposite order.
///
/// The alternate screen comes first, so that it is left last: kitty keeps a stack of keyboard flags for each of the two
/// screens, and what was pushed on one can't be popped from the other.
///
/// The keyboard flags are pushed without asking first: a terminal that doesn't know the sequence ignores it, one that
/// mistakes it for "restore cursor" does so on a screen that is about to be drawn anew, and asking first would mean
/// that the first keys after the start come in another encoding than the later ones. 5 = tell apart what is ambiguous
/// (1) and say the shifted character (4): without the latter Alt-? would arrive as Alt-Shift-/ on one layout and as
/// something else on the next.
///
/// Mouse: presses, releases, drags and the wheel (1002) in SGR form (1006, columns beyond 223). Not 1003: a pointer that
/// only moves must not wake anything.
pub const MODES: &[Mode] = &[
    mode("alternate screen", Wanted::Alternate, "\x1b[?1049h", "\x1b[?1049l"),
    mode("hidden cursor", Wanted::Always, "\x1b[?25l", "\x1b[?25h"),
    mode("bracketed paste", Wanted::Always, "\x1b[?2004h", "\x1b[?2004l"),
    mode("focus reports", Wanted::Always, "\x1b[?1004h", "\x1b[?1004l"),
    mode("colour scheme reports", Wanted::Always, "\x1b[?2031h", "\x1b[?2031l"),
    mode("keyboard flags", Wanted::Keyboard, "\x1b[>5u", "\x1b[<1u"),
    mode("mouse buttons and drags", Wanted::Mouse, "\x1b[?1002h", "\x1b[?1002l"),
    mode("mouse positions in SGR form", Wanted::Mouse, "\x1b[?1006h", "\x1b[?1006l"),
    mode("synchronized update", Wanted::Frame, FRAME_BEGIN, FRAME_END),
];

/// Tells the terminal to show nothing until [`FRAME_END`]: no half-drawn frame is seen. Ignored where unknown.
pub const FRAME_BEGIN: &str = "\x1b[?2026h";
/// Shows what has been written since [`FRAME_BEGIN`].
pub const FRAME_END: &str = "\x1b[?2026l";

/// A set of modes of [`MODES`], one bit each.
pub(super) type ModeSet = u16;

const _: () = assert!(MODES.len() <= ModeSet::BITS as usize, "one bit a mode");

/// The modes for which `is_wanted` holds.
pub(super) fn chosen(is_wanted: impl Fn(Wanted) -> bool) -> ModeSet {
    let bits = MODES.iter().enumerate().filter(|(_, mode)| is_wanted(mode.wanted)).map(|(at, _)| 1 << at);
    bits.fold(0, |all, bit: ModeSet| all | bit)
}

fn in_set(set: ModeSet) -> impl DoubleEndedIterator<Item = &'static Mode> {
    MODES.iter().enumerate().filter(move |(at, _)| set & (1 << at) != 0).map(|(_, mode)| mode)
}

/// The bytes that switch these modes on.
pub(super) fn set_bytes(set: ModeSet) -> String {
    in_set(set).map(|mode| mode.set).collect()
}

/// The bytes that switch these modes off, the last set first.
pub(super) fn reset_bytes(set: ModeSet) -> String {
    in_set(set).rev().map(|mode| mode.reset).collect()
}

#[cfg(test)]
mod tests {
    use super::{MODES, Wanted, chosen, reset_bytes, set_bytes};

    #[test]
    fn each_mode_is_reset_by_its_opposite() {
        for mode in MODES {
            let opposite = if let Some(number) = mode.set.strip_prefix("\x1b[?") {
                let (number, on) = number.split_at(number.len() - 1);
                format!("\x1b[?{number}{}", if on == "h" { "l" } else { "h" })
            } else {
                assert_eq!(
                    mode.set, "\x1b[>5u",
                    "{}: a mode of a form that this test doesn't know",
                    mode.name
                );
                "\x1b[<1u".to_owned()
            };
            assert_eq!(mode.reset, opposite, "{}", mode.name);
        }
    }

    #[test]
    fn modes_are_reset_in_the_opposite_order() {
        let all = chosen(|_| true);
        assert!(set_bytes(all).starts_with("\x1b[?1049h"));
        assert!(reset_bytes(all).starts_with("\x1b[?2026l"), "a frame that was cut short is ended first");
        assert!(reset_bytes(all).ends_with("\x1b[?1049l"), "the alternate screen is left last");
        let mouse = chosen(|wanted| wanted == Wanted::Mouse);
        assert_eq!(set_bytes(mouse), "\x1b[?1002h\x1b[?1006h");
        assert_eq!(reset_bytes(mouse), "\x1b[?1006l\x1b[?1002l");
    }
}
