//! The sixteen colours in the form that terminals with no more of them know: `CSI 31 m` for `CSI 38;5;1 m`.
//!
//! The drawing library writes the longer form for all of them. A terminal that does not know it takes its parts one by one, and
//! `5` is blinking. Not here: choosing colours (`screen::theme`).

use std::borrow::Cow;

/// Shortens the colours of a frame; anything else stays as it is. Colours of underlines are left out: terminals with sixteen
/// colours have none.
pub fn shorten(frame: &[u8]) -> Cow<'_, [u8]> {
    if !frame.windows(3).any(|it| it == b"8;5") && !frame.windows(4).any(|it| it == b"[59m") {
        return Cow::Borrowed(frame);
    }
    let mut short = Vec::with_capacity(frame.len());
    let mut rest = frame;
    while let Some(start) = rest.windows(2).position(|it| it == b"\x1b[") {
        let (before, sequence) = rest.split_at(start);
        short.extend_from_slice(before);
        let length = sequence[2..].iter().position(|it| (b'@'..=b'~').contains(it));
        let end = length.map_or(sequence.len(), |length| length + 3);
        let (sequence, after) = sequence.split_at(end);
        match sequence {
            [0x1b, b'[', parameters @ .., b'm'] if !parameters.is_empty() => {
                short.extend(graphics(parameters));
            }
            other => short.extend_from_slice(other),
        }
        rest = after;
    }
    short.extend_from_slice(rest);
    Cow::Owned(short)
}

/// A sequence for graphics with these parameters, the colours among them shortened; nothing where none are left.
fn graphics(parameters: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(parameters);
    let all: Vec<&str> = text.split(';').collect();
    let (mut kept, mut rest) = (Vec::new(), all.as_slice());
    while let [first, after @ ..] = rest {
        rest = after;
        match (*first, after) {
            ("58", ["5", _, others @ ..]) => rest = others,
            ("59", _) => {}
            ("38" | "48", ["5", colour, others @ ..]) if is_short(colour) => {
                let (normal, bright) = if *first == "38" { (30, 82) } else { (40, 92) };
                let number: u8 = colour.parse().unwrap_or(0);
                kept.push((number + if number < 8 { normal } else { bright }).to_string());
                rest = others;
            }
            _ => kept.push((*first).to_owned()),
        }
    }
    if kept.is_empty() { Vec::new() } else { format!("\x1b[{}m", kept.join(";")).into_bytes() }
}

fn is_short(colour: &str) -> bool {
    colour.parse::<u8>().is_ok_and(|number| number < 16)
}

#[cfg(test)]
mod tests {
    use super::shorten;

    #[test]
    fn the_sixteen_are_shortened_and_nothing_else_changes() {
        for (frame, wanted) in [
            ("\x1b[38;5;6;49mtext", "\x1b[36;49mtext"),
            ("\x1b[1m\x1b[38;5;15;48;5;8m\x1b[2;3Hx\x1b[0m", "\x1b[1m\x1b[97;100m\x1b[2;3Hx\x1b[0m"),
            ("\x1b[59mа\x1b[58;5;1mb", "аb"),
            ("\x1b[38;5;16m\x1b[m", "\x1b[38;5;16m\x1b[m"),
            ("8;5;1m \x1b[?2026l\x1b[38;5;0", "8;5;1m \x1b[?2026l\x1b[38;5;0"),
            ("plain \x1b[7m", "plain \x1b[7m"),
        ] {
            assert_eq!(String::from_utf8_lossy(&shorten(frame.as_bytes())), wanted);
        }
    }
}
