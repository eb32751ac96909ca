//! Answers of the terminal: colours, colour scheme, keyboard flags, attributes, size.
//!
//! Not left to `termina`, which reads one digit of the keyboard flags, no colours with an alpha channel and no sizes.

use super::{ColourScheme, Input, KeyboardFlags, Rgb};
use crate::terminal::size::Size;

/// What an answer says; `None` for a sequence that is no answer.
pub(super) fn read(sequence: &[u8]) -> Option<Input> {
    let text = std::str::from_utf8(sequence).ok()?;
    if let Some(text) = text.strip_prefix("\x1b]") {
        return read_colour(text.strip_suffix('\x07').or_else(|| text.strip_suffix("\x1b\\"))?);
    }
    let (parameters, last) = text.strip_prefix("\x1b[")?.split_at_checked(text.len().checked_sub(3)?)?;
    match (parameters.strip_prefix('?'), last) {
        (Some(flags), "u") => flags.parse().ok().map(|flags| Input::KeyboardFlags(KeyboardFlags(flags))),
        (Some(_), "c") => Some(Input::Answered),
        (Some("997;1"), "n") => Some(Input::ColourScheme(ColourScheme::Dark)),
        (Some("997;2"), "n") => Some(Input::ColourScheme(ColourScheme::Light)),
        (None, "t") => {
            // The answer to a question for the size, and the report of a change.
            let sides = parameters.strip_prefix("8;").or_else(|| parameters.strip_prefix("48;"))?;
            let mut sides = sides.split(';').map(str::parse);
            let (rows, columns) = (sides.next()?.ok()?, sides.next()?.ok()?);
            Size::sane(columns, rows).map(Input::Resized)
        }
        _ => None,
    }
}

fn read_colour(text: &str) -> Option<Input> {
    let (number, colour) = text.split_once(';')?;
    let colour = colour_of(colour)?;
    match number {
        "10" => Some(Input::Foreground(colour)),
        "11" => Some(Input::Background(colour)),
        _ => None,
    }
}

/// A colour in the forms of X: `rgb:` with 1 to 4 hexadecimal digits a channel, `rgba:` with a fourth channel, `#rrggbb`
/// with 1 to 4 digits a channel.
fn colour_of(text: &str) -> Option<Rgb> {
    let channels: Vec<&str> = if let Some(digits) = text.strip_prefix('#') {
        let each = digits.len() / 3;
        let is_even = digits.is_ascii() && digits.len() == each * 3 && each > 0;
        is_even.then(|| (0..3).map(|at| &digits[at * each..(at + 1) * each]).collect())?
    } else {
        let list = text.strip_prefix("rgb:").or_else(|| text.strip_prefix("rgba:"))?;
        list.split('/').collect()
    };
    let [red, green, blue, ..] = channels[..] else { return None };
    Some(Rgb { red: channel(red)?, green: channel(green)?, blue: channel(blue)? })
}

/// `f`, `ff`, `fff` and `ffff` are all the most that there is.
fn channel(digits: &str) -> Option<u8> {
    let is_hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let most = match digits.len() {
        1 => 0xf_u32,
        2 => 0xff,
        3 => 0xfff,
        4 => 0xffff,
        _ => return None,
    };
    let value = u32::from_str_radix(digits, 16).ok().filter(|_| is_hexadecimal)?;
    u8::try_from((value * 255 + most / 2) / most).ok()
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::terminal::Size;
    use crate::terminal::input::{ColourScheme, Input, KeyboardFlags, Rgb};

    #[test]
    fn answers_are_read() {
        let rgb = |red, green, blue| Rgb { red, green, blue };
        for (sequence, wanted) in [
            ("\x1b]11;rgb:1e1e/2e2e/ffff\x07", Some(Input::Background(rgb(0x1e, 0x2e, 0xff)))),
            ("\x1b]11;rgb:00/80/ff\x1b\\", Some(Input::Background(rgb(0, 0x80, 0xff)))),
            ("\x1b]10;rgb:f/0/8\x07", Some(Input::Foreground(rgb(0xff, 0, 0x88)))),
            ("\x1b]10;rgb:fff/000/7ff\x07", Some(Input::Foreground(rgb(0xff, 0, 0x7f)))),
            ("\x1b]11;rgba:ffff/0000/0000/8080\x07", Some(Input::Background(rgb(0xff, 0, 0)))),
            ("\x1b]11;#0102ff\x07", Some(Input::Background(rgb(1, 2, 0xff)))),
            ("\x1b]11;#010\x07", Some(Input::Background(rgb(0, 0x11, 0)))),
            ("\x1b]11;#é0\x07", None),
            ("\x1b]11;#\x07", None),
            ("\x1b]11;rgb:+1/0/0\x07", None),
            ("\x1b]11;rgb:0/0\x07", None),
            ("\x1b]11;rgb:00000/0/0\x07", None),
            ("\x1b]11;red\x07", None),
            ("\x1b]12;rgb:0/0/0\x07", None),
            ("\x1b[?5u", Some(Input::KeyboardFlags(KeyboardFlags(5)))),
            ("\x1b[?0u", Some(Input::KeyboardFlags(KeyboardFlags(0)))),
            ("\x1b[?31u", Some(Input::KeyboardFlags(KeyboardFlags(31)))),
            ("\x1b[?u", None),
            ("\x1b[?62;4;52c", Some(Input::Answered)),
            ("\x1b[?6c", Some(Input::Answered)),
            ("\x1b[?997;1n", Some(Input::ColourScheme(ColourScheme::Dark))),
            ("\x1b[?997;2n", Some(Input::ColourScheme(ColourScheme::Light))),
            ("\x1b[?997;3n", None),
            ("\x1b[8;24;80t", Some(Input::Resized(Size { columns: 80, rows: 24 }))),
            ("\x1b[48;24;80;480;640t", Some(Input::Resized(Size { columns: 80, rows: 24 }))),
            ("\x1b[8;0;0t", None),
            ("\x1b[", None),
            ("\x1b[t", None),
            ("\x1b[97u", None),
            ("\x1b[A", None),
            ("a", None),
        ] {
            assert_eq!(read(sequence.as_bytes()), wanted, "{sequence:?}");
        }
        assert!(KeyboardFlags(5).is_unambiguous());
        assert!(!KeyboardFlags(4).is_unambiguous());
    }
}
