//! What holds for any sequence of operations, and what each one does.

use super::{EditBuffer, EditOp, Motion, Place};
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation as _;

/// A buffer from text in which `|` is the cursor and `^` the other end of the selection.
fn buffer(marked: &str) -> EditBuffer {
    let bare = marked.replace(['|', '^'], "");
    let mut buffer = EditBuffer::from_text(&bare);
    let offset = |mark: char| marked.find(mark).map(|at| marked[..at].replace(['|', '^'], "").len());
    if let Some(anchor) = offset('^') {
        let to = Motion::To(buffer.place_of(anchor));
        buffer.apply(&EditOp::Move { motion: to, select: false });
    }
    let to = Motion::To(buffer.place_of(offset('|').unwrap_or(0)));
    buffer.apply(&EditOp::Move { motion: to, select: marked.contains('^') });
    buffer
}

/// The buffer with its cursor and selection as marks.
fn marked(buffer: &EditBuffer) -> String {
    let mut text = buffer.text();
    let cursor = buffer.offset_of(buffer.cursor());
    let anchor = buffer
        .selection()
        .map(|(start, end)| buffer.offset_of(if start == buffer.cursor() { end } else { start }));
    match anchor {
        Some(anchor) if anchor > cursor => {
            text.insert(anchor, '^');
            text.insert(cursor, '|');
        }
        Some(anchor) => {
            text.insert(cursor, '|');
            text.insert(anchor, '^');
        }
        None => text.insert(cursor, '|'),
    }
    text
}

fn after(start: &str, op: &EditOp) -> String {
    let mut buffer = buffer(start);
    buffer.apply(op);
    marked(&buffer)
}

fn go(motion: Motion) -> EditOp {
    EditOp::Move { motion, select: false }
}

fn insert(text: &str) -> EditOp {
    EditOp::Insert(text.to_owned())
}

#[test]
fn each_edit_does_what_it_says() {
    for (start, op, wanted) in [
        ("a|b", insert("x\r\ny\rz"), "ax\ny\nz|b"),
        ("a^bc|d", insert("x"), "ax|d"),
        ("  a|b", EditOp::Newline, "  a\n  |b"),
        (" | a", EditOp::Newline, " \n | a"),
        ("ae\u{301}|", EditOp::Backspace, "a|"),
        ("a\n|b", EditOp::Backspace, "a|b"),
        ("|👩\u{200d}👧b", EditOp::Delete, "|b"),
        ("a|\nb", EditOp::Delete, "a|b"),
        ("foo bar_1  |x", EditOp::DeleteWordBack, "foo |x"),
        ("a |  foo.b", EditOp::DeleteWordForward, "a |.b"),
        ("a|bc\nd", EditOp::DeleteToLineEnd, "a|\nd"),
        ("a|\nd", EditOp::DeleteToLineEnd, "a|d"),
        ("ab|c", EditOp::DeleteToLineStart, "|c"),
        ("a\n|c", EditOp::DeleteToLineStart, "a|c"),
        ("abc\nde|f\ngh", EditOp::DeleteLine, "abc\ngh|"),
        ("abc\nde|f", EditOp::DeleteLine, "ab|c"),
        ("a^b\nc|d\ne", EditOp::DeleteLine, "e|"),
        ("a|b", EditOp::Indent, "a |b"),
        ("^a\n\n b|\nc", EditOp::Indent, "^  a\n\n   b|\nc"),
        ("^a\n|c", EditOp::Indent, "^  a\n|c"),
        ("   a|", EditOp::Outdent, " a|"),
        ("\ta|", EditOp::Outdent, "a|"),
        ("  ^a\n\n    b|", EditOp::ToggleComment, "  ^-- a\n\n  --   b|"),
        ("^  -- a\n--b|", EditOp::ToggleComment, "^  a\nb|"),
        ("-- |a", EditOp::ToggleComment, "|a"),
        ("|a\nb", EditOp::SelectAll, "^a\nb|"),
        ("a|bcé", EditOp::Replace { range: 1..4, text: "X".into() }, "aX|"),
        ("a|bc", EditOp::Replace { range: 9..99, text: "X".into() }, "abcX|"),
    ] {
        assert_eq!(after(start, &op), wanted, "{start:?} {op:?}");
    }
}

#[test]
fn each_motion_goes_where_it_says() {
    for (start, motion, wanted) in [
        ("a^bc|d", Motion::Left, "a|bcd"),
        ("a|bc^d", Motion::Right, "abc|d"),
        ("a\n|b", Motion::Left, "a|\nb"),
        ("a|\nb", Motion::Right, "a\n|b"),
        ("foo  ba|r", Motion::WordLeft, "foo  |bar"),
        ("foo  |bar", Motion::WordLeft, "|foo  bar"),
        ("fo|o.bar", Motion::WordRight, "foo|.bar"),
        ("foo|\n bar", Motion::WordRight, "foo\n| bar"),
        ("  a|", Motion::LineStart, "  |a"),
        ("  |a", Motion::LineStart, "|  a"),
        ("|  a", Motion::LineStart, "  |a"),
        ("名|前\nabc", Motion::Down, "名前\nab|c"),
        ("abc|d\n名前名", Motion::Down, "abcd\n名|前名"),
        ("a\nb\nc|", Motion::PageUp(9), "a|\nb\nc"),
        ("|a", Motion::Up, "|a"),
        ("a|\nb", Motion::TextEnd, "a\nb|"),
        ("a|\nb", Motion::To(Place::new(7, 7)), "a\nb|"),
    ] {
        assert_eq!(after(start, &go(motion)), wanted, "{start:?} {motion:?}");
    }
}

#[test]
fn going_down_keeps_the_column_over_short_lines() {
    let mut buffer = buffer("abcd|e\nx\n\nabcdef");
    buffer.apply(&go(Motion::Down));
    buffer.apply(&go(Motion::Down));
    buffer.apply(&go(Motion::Down));
    assert_eq!(marked(&buffer), "abcde\nx\n\nabcd|ef");
    assert!(!buffer.apply(&go(Motion::Down)), "nothing is below");
}

#[test]
fn typing_is_undone_by_words_and_a_paste_at_once() {
    let mut buffer = EditBuffer::default();
    for letter in ["o", "n", "e", " ", "t", "w", "o"] {
        buffer.apply(&insert(letter));
    }
    buffer.apply(&insert("three four"));
    let mut texts = vec![buffer.text()];
    while buffer.apply(&EditOp::Undo) {
        texts.push(buffer.text());
    }
    assert_eq!(texts, ["one twothree four", "one two", "one ", ""]);
    while buffer.apply(&EditOp::Redo) {}
    assert_eq!(marked(&buffer), "one twothree four|");
    for _ in 0..3 {
        buffer.apply(&EditOp::Backspace);
    }
    buffer.apply(&EditOp::Undo);
    assert_eq!(marked(&buffer), "one twothree four|");
}

#[test]
fn a_move_ends_the_run_of_typing() {
    let mut buffer = EditBuffer::default();
    buffer.apply(&insert("a"));
    buffer.apply(&go(Motion::Left));
    buffer.apply(&go(Motion::Right));
    buffer.apply(&insert("b"));
    buffer.apply(&EditOp::Undo);
    assert_eq!(buffer.text(), "a");
}

#[test]
fn an_old_history_is_forgotten_but_never_the_latest_step() {
    let mut buffer = EditBuffer::default();
    let long = "x".repeat(9 << 20);
    buffer.apply(&insert("a "));
    buffer.apply(&insert(&long));
    buffer.apply(&insert(&long));
    assert!(buffer.apply(&EditOp::Undo));
    assert_eq!(buffer.text().len(), 2 + long.len());
    assert!(!buffer.apply(&EditOp::Undo));
}

#[test]
fn one_line_stays_one_line() {
    let mut buffer = EditBuffer::one_line("a\nb");
    assert_eq!(marked(&buffer), "a b|");
    buffer.apply(&insert("c\r\nd"));
    for op in [EditOp::Newline, EditOp::Indent, EditOp::ToggleComment, EditOp::Outdent] {
        assert!(!buffer.apply(&op), "{op:?}");
    }
    assert_eq!(buffer.text(), "a bc d");
}

#[test]
fn a_control_character_counts_as_its_mark() {
    let buffer = EditBuffer::from_text("a\u{1b}\u{202e}b");
    assert_eq!(buffer.column_of(Place::new(0, 5)), 2 + "‹U+202E›".chars().count());
}

/// Text that joins in many ways when it is cut and pasted.
fn tricky() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "a",
        "b c",
        " ",
        "\t",
        "\n",
        "\r\n",
        "\r",
        "e\u{301}",
        "\u{301}",
        "🇩",
        "🇪🇫",
        "👩\u{200d}",
        "👧",
        "👍🏽",
        "\u{200d}",
        "名前",
        "שלום",
        "한",
        "\u{1100}",
        "\u{1161}",
        "\u{0915}\u{094d}",
        "\u{0937}",
        "-- ",
        "--",
        "  ",
        "\u{1b}",
        "\u{600}",
        ".",
        "_x1",
    ]);
    proptest::collection::vec(pieces, 0..8).prop_map(|pieces| pieces.concat())
}

fn motion() -> impl Strategy<Value = Motion> {
    prop_oneof![
        prop::sample::select(vec![
            Motion::Left,
            Motion::Right,
            Motion::Up,
            Motion::Down,
            Motion::WordLeft,
            Motion::WordRight,
            Motion::LineStart,
            Motion::LineEnd,
            Motion::TextStart,
            Motion::TextEnd,
            Motion::PageUp(2),
            Motion::PageDown(3),
        ]),
        (0_usize..6, 0_usize..30).prop_map(|(line, byte)| Motion::To(Place::new(line, byte))),
    ]
}

fn edit() -> impl Strategy<Value = EditOp> {
    prop_oneof![
        4 => tricky().prop_map(EditOp::Insert),
        3 => prop::sample::select(vec![
            EditOp::Newline, EditOp::Backspace, EditOp::Delete, EditOp::DeleteWordBack, EditOp::DeleteWordForward,
            EditOp::DeleteToLineEnd, EditOp::DeleteToLineStart, EditOp::DeleteLine, EditOp::Indent,
            EditOp::Outdent, EditOp::ToggleComment, EditOp::SelectAll,
        ]),
        1 => (0_usize..60, 0_usize..20, tricky())
            .prop_map(|(start, length, text)| EditOp::Replace { range: start..start + length, text }),
        3 => (motion(), any::<bool>()).prop_map(|(motion, select)| EditOp::Move { motion, select }),
    ]
}

fn is_boundary(buffer: &EditBuffer, place: Place) -> bool {
    let line = &buffer.lines()[place.line];
    place.byte == line.len() || line.grapheme_indices(true).any(|(byte, _)| byte == place.byte)
}

proptest! {
    #[test]
    fn places_are_always_on_grapheme_boundaries(
        text in tricky(), one_line in any::<bool>(),
        ops in proptest::collection::vec(
            prop_oneof![8 => edit(), 1 => Just(EditOp::Undo), 1 => Just(EditOp::Redo)], 0..40),
    ) {
        let mut buffer = if one_line { EditBuffer::one_line(&text) } else { EditBuffer::from_text(&text) };
        for op in ops {
            buffer.apply(&op);
            prop_assert!(is_boundary(&buffer, buffer.cursor()), "{op:?} {buffer:?}");
            if let Some((start, end)) = buffer.selection() {
                prop_assert!(is_boundary(&buffer, start) && is_boundary(&buffer, end), "{op:?} {buffer:?}");
                prop_assert_eq!(
                    &buffer.text()[buffer.offset_of(start)..buffer.offset_of(end)], buffer.selected_text());
            }
            prop_assert!(buffer.lines().iter().all(|line| !line.contains(['\n', '\r'])));
            prop_assert!(!one_line || buffer.lines().len() == 1);
            prop_assert_eq!(buffer.place_of(buffer.offset_of(buffer.cursor())), buffer.cursor());
        }
    }

    #[test]
    fn undo_takes_everything_back_and_redo_brings_it_again(
        text in tricky(), ops in proptest::collection::vec(edit(), 0..30),
    ) {
        let start = EditBuffer::from_text(&text);
        let mut buffer = start.clone();
        for op in ops {
            let before = buffer.clone();
            if buffer.apply(&op) && buffer.revision() != before.revision() && !matches!(op, EditOp::Insert(_)
                | EditOp::Backspace | EditOp::Delete)
            {
                let mut undone = buffer.clone();
                undone.apply(&EditOp::Undo);
                prop_assert_eq!(undone.text(), before.text());
                prop_assert_eq!((undone.cursor(), undone.selection()), (before.cursor(), before.selection()));
                undone.apply(&EditOp::Redo);
                prop_assert_eq!((undone.text(), undone.marks()), (buffer.text(), buffer.marks()));
            }
        }
        let end = buffer.text();
        while buffer.apply(&EditOp::Undo) {}
        prop_assert_eq!(buffer.text(), start.text());
        while buffer.apply(&EditOp::Redo) {}
        prop_assert_eq!(buffer.text(), end);
    }

    #[test]
    fn unchanged_lines_are_unchanged(
        text in tricky(), ops in proptest::collection::vec(edit(), 1..12),
    ) {
        let start = EditBuffer::from_text(&text);
        let mut buffer = start.clone();
        for op in ops {
            buffer.apply(&op);
        }
        let Some(changed) = buffer.changed_since(0) else {
            prop_assert_eq!(buffer.text(), start.text());
            return Ok(());
        };
        prop_assert_eq!(&buffer.lines()[..changed.first], &start.lines()[..changed.first]);
        let tail = |lines: &[String]| lines[lines.len() - changed.kept_at_end..].to_vec();
        prop_assert_eq!(tail(buffer.lines()), tail(start.lines()));
    }

    #[test]
    fn the_place_under_a_column_is_the_last_that_is_not_beyond_it(text in tricky(), cells in 0_usize..20) {
        let buffer = EditBuffer::from_text(&text);
        for line in 0..buffer.lines().len() {
            let place = buffer.place_at_column(line, cells);
            prop_assert!(is_boundary(&buffer, place));
            prop_assert!(buffer.column_of(place) <= cells);
            let next = buffer.right_of(place);
            prop_assert!(next.line != line || next == place || buffer.column_of(next) > cells);
        }
    }
}
