//! Sequences of real terminals and the chords they are.

use super::Decoder;
use crate::terminal::input::{Input, MouseButton, MouseInput, MouseKind};
use crate::workbench::keys::Chord;
use proptest::prelude::*;

fn decode(sequence: &str) -> Option<Input> {
    Decoder::new().decode(sequence.as_bytes())
}

#[test]
fn keys_are_chords() {
    for (sequence, wanted) in [
        ("a", "a"),
        ("A", "A"),
        ("é", "é"),
        ("名", "名"),
        ("?", "?"),
        (" ", "space"),
        ("\r", "enter"),
        ("\n", "ctrl-j"),
        ("\t", "tab"),
        ("\x7f", "backspace"),
        ("\x08", "ctrl-h"),
        ("\x1b", "esc"),
        ("\0", "ctrl-space"),
        ("\x01", "ctrl-a"),
        ("\x1a", "ctrl-z"),
        ("\x1c", "ctrl-\\"),
        ("\x1d", "ctrl-]"),
        ("\x1e", "ctrl-^"),
        ("\x1f", "ctrl-_"),
        ("4", "4"),
        ("\x1b[Z", "shift-tab"),
        ("\x1bx", "alt-x"),
        ("\x1bX", "alt-X"),
        ("\x1b?", "alt-?"),
        ("\x1b[", "alt-["),
        ("\x1b]", "alt-]"),
        ("\x1bO", "alt-O"),
        ("\x1bé", "alt-é"),
        ("\x1b\r", "alt-enter"),
        ("\x1b\x7f", "alt-backspace"),
        ("\x1b\x01", "ctrl-alt-a"),
        ("\x1b[A", "up"),
        ("\x1bOA", "up"),
        ("\x1b[1;5D", "ctrl-left"),
        ("\x1b[1;2B", "shift-down"),
        ("\x1b[1;6C", "ctrl-shift-right"),
        ("\x1b[H", "home"),
        ("\x1b[4~", "end"),
        ("\x1b[5~", "pageup"),
        ("\x1b[6;5~", "ctrl-pagedown"),
        ("\x1b[2~", "insert"),
        ("\x1b[3~", "delete"),
        ("\x1bOP", "f1"),
        ("\x1b[[B", "f2"),
        ("\x1b[13~", "f3"),
        ("\x1b[1;2R", "shift-f3"),
        ("\x1b[1;5R", "ctrl-f3"),
        ("\x1b[15~", "f5"),
        ("\x1b[24;2~", "shift-f12"),
        // The unambiguous form.
        ("\x1b[27u", "esc"),
        ("\x1b[9;5u", "ctrl-tab"),
        ("\x1b[9;2u", "shift-tab"),
        ("\x1b[105;5u", "ctrl-i"),
        ("\x1b[109;5u", "ctrl-m"),
        ("\x1b[91;5u", "ctrl-["),
        ("\x1b[47;5u", "ctrl-/"),
        ("\x1b[13;5u", "ctrl-enter"),
        ("\x1b[13;2u", "shift-enter"),
        ("\x1b[127;3u", "alt-backspace"),
        ("\x1b[114;6u", "ctrl-r"),
        ("\x1b[114:82;6u", "ctrl-r"),
        ("\x1b[47:63;4u", "alt-?"),
        ("\x1b[97;2u", "A"),
        ("\x1b[223;2u", "ß"),
        ("\x1b[97;129u", "a"),
        ("\x1b[97;1:2u", "a"),
        ("\x1b[57414u", "enter"),
        ("\x1b[57400u", "1"),
        ("\x1b[57376u", "f13"),
    ] {
        let chord: Chord = wanted.parse().unwrap();
        assert_eq!(decode(sequence), Some(Input::Key(chord)), "{sequence:?} is {wanted}");
    }
}

#[test]
fn releases_are_dropped_and_strange_keys_are_shown_as_they_came() {
    assert_eq!(decode("\x1b[97;1:3u"), None);
    for sequence in [
        "\x1b[97;9u",     // Super
        "\x1b[57358u",    // Caps Lock
        "\x1b[57441u",    // Shift by itself
        "\x1b[57500u",    // private, unknown
        "\x1b[7;1R",      // a position that nobody asked for
        "\x1b[1;17R",     // Super-F3
        "\x1b[99~",       // no such key
        "\x1b[?2026;2$y", // a report that nobody asked for
        "\x1b]52;c;eA==\x07",
        "\x1bP1$r0m\x1b\\",
    ] {
        assert_eq!(decode(sequence), Some(Input::Unknown(sequence.into())), "{sequence:?}");
    }
}

#[test]
fn the_mouse_is_decoded() {
    let at = |kind, column, row| {
        let (control, alt, shift) = (false, false, false);
        Some(Input::Mouse(MouseInput { kind, column, row, control, alt, shift }))
    };
    assert_eq!(decode("\x1b[<0;1;1M"), at(MouseKind::Press(MouseButton::Left), 0, 0));
    assert_eq!(decode("\x1b[<0;300;40m"), at(MouseKind::Release(MouseButton::Left), 299, 39));
    assert_eq!(decode("\x1b[<32;5;6M"), at(MouseKind::Drag(MouseButton::Left), 4, 5));
    assert_eq!(decode("\x1b[<2;5;6M"), at(MouseKind::Press(MouseButton::Right), 4, 5));
    assert_eq!(decode("\x1b[<1;5;6m"), at(MouseKind::Release(MouseButton::Middle), 4, 5));
    assert_eq!(decode("\x1b[<35;5;6M"), at(MouseKind::Moved, 4, 5));
    assert_eq!(decode("\x1b[<64;5;6M"), at(MouseKind::ScrollUp, 4, 5));
    assert_eq!(decode("\x1b[<65;5;6M"), at(MouseKind::ScrollDown, 4, 5));
    assert_eq!(decode("\x1b[<66;5;6M"), at(MouseKind::ScrollLeft, 4, 5));
    assert_eq!(decode("\x1b[<67;5;6M"), at(MouseKind::ScrollRight, 4, 5));
    assert_eq!(decode("\x1b[M !!"), at(MouseKind::Press(MouseButton::Left), 0, 0));
    let Some(Input::Mouse(held)) = decode("\x1b[<16;1;1M") else { panic!("no mouse") };
    assert!(held.control && !held.alt && !held.shift);
    assert_eq!(decode("\x1b[I"), Some(Input::FocusGained));
    assert_eq!(decode("\x1b[O"), Some(Input::FocusLost));
}

proptest! {
    #[test]
    fn nothing_that_came_before_changes_a_key(before in proptest::collection::vec(any::<u8>(), 0..12)) {
        let mut decoder = Decoder::new();
        for begin in ["", "\x1b[", "\x1b]11;", "\x1b[1;", "\x1bP", "\x1bO", "\x1b[<0;", "\x1b[M", "\x1b[?", "\x1b[>"] {
            decoder.decode(&[begin.as_bytes(), &before].concat());
            prop_assert_eq!(decoder.decode(b"q"), Some(Input::Key("q".parse().unwrap())), "after {:?}", begin);
        }
    }

    #[test]
    fn no_control_sequence_types_a_character(
        parameters in "[0-9;:<=>?]{0,4}", between in "[ -/]{0,2}", last in "[@-~]",
    ) {
        let sequence = format!("\x1b[{parameters}{between}{last}");
        prop_assume!(!(parameters.starts_with(|c: char| c.is_ascii_digit()) && last == "u") && sequence != "\x1b[[");
        let input = decode(&sequence);
        let is_typed = matches!(input, Some(Input::Key(chord)) if chord.typed().is_some());
        prop_assert!(!is_typed, "{:?} is {:?}", sequence, input);
    }
}
