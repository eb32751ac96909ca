//! Colours of lines, against colours of the whole text.

use super::SqlClass::{
    self, Blob, Bracket, Comment, Function, Keyword, Name, Number, Operator, Parameter, QuotedName, String,
    Unknown,
};
use super::SqlLines;
use crate::text::edit_buffer::{ChangedLines, EditBuffer, EditOp};
use crate::text::sql_lexer::{TokenKind, tokens};
use proptest::prelude::*;

fn lines(text: &str) -> Vec<std::string::String> {
    text.split('\n').map(str::to_owned).collect()
}

fn spans(text: &str) -> Vec<(&str, SqlClass)> {
    let lines = SqlLines::new(&[text.to_owned()]);
    lines.spans(text, 0).into_iter().map(|(range, class)| (&text[range], class)).collect()
}

#[test]
fn each_word_is_what_it_is() {
    assert_eq!(
        spans("SELECT count (*), u.key FROM \"t\" WHERE a IN (1) AND replace(b, 'x', x'00') -- c"),
        [
            ("SELECT", Keyword),
            ("count", Function),
            ("(", Bracket),
            ("*", Operator),
            (")", Bracket),
            (",", Operator),
            ("u", Name),
            (".", Operator),
            ("key", Name),
            ("FROM", Keyword),
            ("\"t\"", QuotedName),
            ("WHERE", Keyword),
            ("a", Name),
            ("IN", Keyword),
            ("(", Bracket),
            ("1", Number),
            (")", Bracket),
            ("AND", Keyword),
            ("replace", Function),
            ("(", Bracket),
            ("b", Name),
            (",", Operator),
            ("'x'", String),
            (",", Operator),
            ("x'00'", Blob),
            (")", Bracket),
            ("-- c", Comment),
        ]
    );
    assert_eq!(
        spans("insert into t (?1) ^"),
        [
            ("insert", Keyword),
            ("into", Keyword),
            ("t", Name),
            ("(", Bracket),
            ("?1", Parameter),
            (")", Bracket),
            ("^", Unknown),
        ]
    );
}

#[test]
fn what_a_line_leaves_open_colours_the_next() {
    let text = lines("a 'it''s\nb' /* c\n\nd */ \"e\nf\" [g\nh] `i\nj` x'0\n1' k");
    let all = SqlLines::new(&text);
    let of = |number: usize| {
        all.spans(&text[number], number).into_iter().map(|(_, class)| class).collect::<Vec<_>>()
    };
    assert_eq!(of(1), [String, Comment]);
    assert_eq!(of(2), []);
    assert_eq!(of(3), [Comment, QuotedName]);
    assert_eq!(of(4), [QuotedName, QuotedName]);
    assert_eq!(of(5), [QuotedName, QuotedName]);
    assert_eq!(of(6), [QuotedName, Blob]);
    assert_eq!(of(7), [Blob, Name]);
}

#[test]
fn an_edit_reads_its_own_lines_only() {
    let mut buffer = EditBuffer::from_text(&"SELECT 1;\n".repeat(1_000));
    let mut colours = SqlLines::new(buffer.lines());
    let mut read = |range: std::ops::Range<usize>, text: &str| {
        let seen = buffer.revision();
        buffer.apply(&EditOp::Replace { range, text: text.to_owned() });
        colours.update(buffer.lines(), buffer.changed_since(seen).unwrap())
    };
    assert_eq!(read(5_000..5_000, "x"), 500..501);
    assert_eq!(read(5_000..5_001, "x\ny\n"), 500..503);
    assert_eq!(read(5_000..5_000, "/*"), 500..1_003);
}

/// The class of each byte that is no white space, line by line.
fn by_line(text: &[std::string::String], colours: &SqlLines) -> Vec<Option<SqlClass>> {
    let mut all = Vec::new();
    for (number, line) in text.iter().enumerate() {
        let mut classes = vec![None; line.len()];
        for (range, class) in colours.spans(line, number) {
            classes[range].fill(Some(class));
        }
        all.extend(classes);
    }
    all
}

/// Whether a class is what this sort of token gives.
fn agrees(kind: TokenKind, class: Option<SqlClass>) -> bool {
    match kind {
        TokenKind::Space => class.is_none(),
        TokenKind::Word => matches!(class, Some(Keyword | Function | Name)),
        TokenKind::Comment => class == Some(Comment),
        TokenKind::String => class == Some(String),
        TokenKind::QuotedName => class == Some(QuotedName),
        TokenKind::Blob => class == Some(Blob),
        TokenKind::Number => class == Some(Number),
        TokenKind::Parameter => class == Some(Parameter),
        TokenKind::Operator | TokenKind::Semicolon => class == Some(Operator),
        TokenKind::Open | TokenKind::Close => class == Some(Bracket),
        TokenKind::Unknown => class == Some(Unknown),
    }
}

proptest! {
    #[test]
    fn a_part_of_a_line_is_coloured_as_the_line_is(
        text in "[ab1'\"`*/(. \\-;]{0,40}", open in any::<bool>(), start in 0_usize..40, length in 0_usize..20,
    ) {
        let text = vec![if open { "/*" } else { "" }.to_owned(), text];
        let colours = SqlLines::new(&text);
        let bytes = start..start + length;
        let mut all = colours.spans(&text[1], 1);
        all.retain(|(range, _)| range.end > bytes.start && range.start < bytes.end);
        prop_assert_eq!(colours.spans_within(&text[1], 1, bytes), all);
    }

    #[test]
    fn lines_are_coloured_as_the_whole_text_is(text in "[ab1'\"`\\[\\]/*x(.;\\-\n ]{0,60}") {
        let split = lines(&text);
        let classes = by_line(&split, &SqlLines::new(&split));
        let mut class = classes.into_iter();
        for token in tokens(&text) {
            for byte in text[token.range.clone()].bytes().filter(|byte| *byte != b'\n') {
                let class = class.next().unwrap();
                prop_assert!(agrees(token.kind, class), "{:?} {:?} {}", token, class, byte);
            }
        }
    }

    #[test]
    fn an_update_gives_what_reading_all_gives(
        text in "['\"/*a\n]{0,40}",
        edits in proptest::collection::vec((0_usize..40, 0_usize..8, "['/*a\n]{0,6}"), 1..8),
        together in 1_usize..4,
    ) {
        let mut buffer = EditBuffer::from_text(&text);
        let mut colours = SqlLines::new(buffer.lines());
        for edits in edits.chunks(together) {
            let seen = buffer.revision();
            for (start, length, text) in edits {
                buffer.apply(&EditOp::Replace { range: *start..start + length, text: text.clone() });
            }
            if let Some(changed) = buffer.changed_since(seen) {
                colours.update(buffer.lines(), changed);
            }
            prop_assert_eq!(&colours, &SqlLines::new(buffer.lines()));
        }
        prop_assert_eq!(colours.update(buffer.lines(), ChangedLines::ALL), 0..buffer.lines().len());
    }
}
