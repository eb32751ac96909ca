//! Cuts the stream of bytes into sequences.
//!
//! For: where a sequence ends, across reads that end anywhere. Not for: what a sequence means.
//!
//! Bytes that may be the begin of a sequence are held back; [`Cutter::patience`] says how long, and [`Cutter::give_up`]
//! lets them go. A lone ESC is the Escape key after that time, and ESC with `[` is Alt-[.

use memchr::memmem::Finder;
use std::time::Duration;

/// A piece of the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// A whole sequence, a character or a control byte.
    Sequence(&'a [u8]),
    /// What was pasted, without its brackets.
    Paste(&'a [u8]),
    /// Bytes that are the begin of a sequence and nothing of its rest, or no UTF-8.
    Broken(&'a [u8]),
}

/// How long an ESC waits for the rest of a sequence. Terminals write sequences whole, so the rest is there at once unless
/// a network cuts between the two; longer than 50 ms is felt.
const ESCAPE_PATIENCE: Duration = Duration::from_millis(25);
/// How long the begin of a longer sequence waits: nobody types one, so it may be a slow line.
const PATIENCE: Duration = Duration::from_millis(500);
/// The longest answer that is waited for.
const LONGEST_ANSWER: usize = 4096;
/// How much of a paste is gathered before it is passed on in parts.
const LONGEST_PASTE: usize = 64 * 1024 * 1024;

const PASTE_BEGIN: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";
const ESC: u8 = 0x1b;

/// What the begin of the bytes is.
#[derive(Debug, PartialEq, Eq)]
enum Cut {
    /// A sequence of so many bytes.
    Whole(usize),
    /// So many bytes that can't become one.
    Broken(usize),
    /// Perhaps the begin of one.
    Unfinished,
}

/// Holds the bytes that are not a whole sequence yet.
pub(super) struct Cutter {
    pending: Vec<u8>,
    /// The bytes of a paste whose end hasn't come.
    paste: Option<Vec<u8>>,
    paste_end: Finder<'static>,
}

impl Cutter {
    pub(super) fn new() -> Self {
        Self { pending: Vec::new(), paste: None, paste_end: Finder::new(PASTE_END) }
    }

    /// Takes bytes and hands on each piece that is whole.
    pub(super) fn feed(&mut self, bytes: &[u8], mut take: impl FnMut(Piece<'_>)) {
        let mut rest = bytes;
        loop {
            if let Some(paste) = &mut self.paste {
                // The end may lie across two reads.
                let from = paste.len().saturating_sub(PASTE_END.len() - 1);
                paste.extend_from_slice(rest);
                let Some(at) = self.paste_end.find(&paste[from..]) else {
                    if paste.len() > LONGEST_PASTE {
                        let whole = paste.len() - (PASTE_END.len() - 1);
                        take(Piece::Paste(&paste[..whole]));
                        paste.drain(..whole);
                    }
                    return;
                };
                let after = paste.split_off(from + at + PASTE_END.len());
                take(Piece::Paste(&paste[..from + at]));
                self.paste = None;
                // What follows the end came with this read.
                rest = &rest[rest.len() - after.len()..];
            }
            self.pending.extend_from_slice(rest);
            match self.cut_pending(&mut take) {
                Some(begun) => {
                    self.paste = Some(Vec::new());
                    rest = &rest[rest.len() - begun..];
                }
                None => return,
            }
        }
    }

    /// Hands on what is whole among the pending bytes. `Some` with the number of bytes after it if a paste begins.
    fn cut_pending(&mut self, take: &mut impl FnMut(Piece<'_>)) -> Option<usize> {
        let mut at = 0;
        let mut begun = None;
        while at < self.pending.len() {
            let bytes = &self.pending[at..];
            match cut(bytes) {
                Cut::Whole(length) if bytes[..length] == *PASTE_BEGIN => {
                    begun = Some(bytes.len() - length);
                    at = self.pending.len();
                }
                Cut::Whole(length) => {
                    take(Piece::Sequence(&bytes[..length]));
                    at += length;
                }
                Cut::Broken(length) => {
                    take(Piece::Broken(&bytes[..length]));
                    at += length;
                }
                Cut::Unfinished => break,
            }
        }
        self.pending.drain(..at);
        begun
    }

    /// How long to wait for more bytes before [`Cutter::give_up`]; `None` if nothing is held back that time would free.
    ///
    /// Within a paste there is no limit: its rest, typed at the workbench, would run commands.
    pub(super) fn patience(&self) -> Option<Duration> {
        match self.pending.len() {
            0 => None,
            1 | 2 if self.pending[0] == ESC => Some(ESCAPE_PATIENCE),
            _ => Some(PATIENCE),
        }
    }

    /// Hands on what is held back, as it is.
    pub(super) fn give_up(&mut self, mut take: impl FnMut(Piece<'_>)) {
        let pending = std::mem::take(&mut self.pending);
        match pending.as_slice() {
            [] => {}
            [ESC] | [ESC, _] => take(Piece::Sequence(&pending)),
            _ => take(Piece::Broken(&pending)),
        }
    }

    /// Whether a paste has begun and not ended.
    pub(super) fn is_in_paste(&self) -> bool {
        self.paste.is_some()
    }

    /// Ends a paste whose end never came, and hands on what there is of it.
    pub(super) fn end_paste(&mut self, mut take: impl FnMut(Piece<'_>)) {
        if let Some(paste) = self.paste.take() {
            take(Piece::Paste(&paste));
        }
    }
}

/// What the bytes, of which there is at least one, begin with.
fn cut(bytes: &[u8]) -> Cut {
    match (bytes[0], bytes.get(1)) {
        (ESC, None) => Cut::Unfinished,
        // The first is a key of its own; the second may begin a sequence.
        (ESC, Some(&ESC)) => Cut::Whole(1),
        (ESC, Some(b'[')) => cut_csi(bytes),
        (ESC, Some(b'O')) => match bytes.get(2) {
            None => Cut::Unfinished,
            Some(0x40..=0x7e) => Cut::Whole(3),
            Some(_) => Cut::Whole(2),
        },
        // An answer begins with a digit; anything else was typed after Alt-].
        (ESC, Some(b']')) => cut_string(bytes, true, |byte| byte.is_ascii_digit()),
        (ESC, Some(b'P')) => cut_string(bytes, false, |byte| (0x20..0x40).contains(&byte)),
        (ESC, Some(b'_')) => cut_string(bytes, false, |byte| byte == b'G'),
        (ESC, Some(_)) => match cut_character(&bytes[1..]) {
            Cut::Whole(length) => Cut::Whole(length + 1),
            Cut::Broken(length) => Cut::Broken(length + 1),
            Cut::Unfinished => Cut::Unfinished,
        },
        _ => cut_character(bytes),
    }
}

fn cut_character(bytes: &[u8]) -> Cut {
    let wanted = match bytes[0] {
        0..0x80 => return Cut::Whole(1),
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return Cut::Broken(1),
    };
    let there = &bytes[..wanted.min(bytes.len())];
    match std::str::from_utf8(there) {
        Ok(_) => Cut::Whole(wanted),
        Err(error) => match error.error_len() {
            Some(length) => Cut::Broken(length),
            None => Cut::Unfinished,
        },
    }
}

/// `ESC [`, parameters, intermediates, a final byte; and two forms that break this rule.
fn cut_csi(bytes: &[u8]) -> Cut {
    match bytes.get(2) {
        // F1 to F5 of the Linux console.
        Some(b'[') => return if bytes.len() < 4 { Cut::Unfinished } else { Cut::Whole(4) },
        // The mouse of old terminals: three bytes of any value.
        Some(b'M') => return if bytes.len() < 6 { Cut::Unfinished } else { Cut::Whole(6) },
        _ => {}
    }
    for (at, byte) in bytes.iter().enumerate().skip(2) {
        match byte {
            0x40..=0x7e => return Cut::Whole(at + 1),
            0x20..=0x3f if at < LONGEST_ANSWER => {}
            _ => return Cut::Broken(at),
        }
    }
    Cut::Unfinished
}

/// `ESC` and a letter, a text, and its end: `ESC \`, or BEL if `is_ended_by_bell`. `is_begun` tells by the first byte of
/// the text whether it is one at all; otherwise the first two bytes are a key.
fn cut_string(bytes: &[u8], is_ended_by_bell: bool, is_begun: impl Fn(u8) -> bool) -> Cut {
    match bytes.get(2) {
        None => return Cut::Unfinished,
        Some(&byte) if !is_begun(byte) => return Cut::Whole(2),
        Some(_) => {}
    }
    for (at, byte) in bytes.iter().enumerate().skip(3) {
        match byte {
            0x07 if is_ended_by_bell => return Cut::Whole(at + 1),
            &ESC => match bytes.get(at + 1) {
                None => return Cut::Unfinished,
                Some(b'\\') => return Cut::Whole(at + 2),
                Some(_) => return Cut::Broken(at),
            },
            // A control character ends a text that has no end.
            0..0x20 => return Cut::Broken(at),
            _ if at >= LONGEST_ANSWER => return Cut::Broken(at),
            _ => {}
        }
    }
    Cut::Unfinished
}

#[cfg(test)]
#[path = "cutter_tests.rs"]
mod tests;
