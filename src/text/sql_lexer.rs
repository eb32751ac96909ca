//! SQL tokens with their places, by SQLite's own lexical rules.
//!
//! For splitting statements, counting nesting, and later for colours in the editor. It never fails: text that SQLite
//! would not accept gives [`TokenKind::Unknown`] or an unterminated token that runs to the end. It is not for
//! deciding what may run; that is the guard's business.

use std::ops::Range;

/// The lexical sort of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// White space as SQLite counts it: space, tab, line feed, form feed, carriage return, a byte-order mark
    /// ahead of a token.
    Space,
    /// `-- …` to the end of the line, or `/* … */`.
    Comment,
    /// A bare word: keyword, name or function. SQLite takes any byte above 127 as a letter.
    Word,
    /// `'…'`.
    String,
    /// `"…"`, `` `…` `` or `[…]`.
    QuotedName,
    /// `x'…'`.
    Blob,
    /// A number.
    Number,
    /// `?`, `?1`, `:name`, `@name`, `$name`.
    Parameter,
    /// Any operator or punctuation except those below.
    Operator,
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// `;`.
    Semicolon,
    /// A character that begins no token.
    Unknown,
}

/// One token: its sort and its bytes in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Sort.
    pub kind: TokenKind,
    /// Byte range; always on character boundaries.
    pub range: Range<usize>,
    /// Whether a string, name, blob or comment reached the end of the text without its closing mark.
    pub unterminated: bool,
}

/// The tokens of a text, spaces and comments included: their ranges cover it without a gap.
pub fn tokens(sql: &str) -> impl Iterator<Item = Token> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = sql.get(at..).filter(|rest| !rest.is_empty())?;
        let (kind, length, unterminated) = next_token(rest);
        let range = at..at + length;
        at = range.end;
        Some(Token { kind, range, unterminated })
    })
}

/// How deep parentheses nest, CASE … END counted as one level each.
pub fn nesting(sql: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for token in tokens(sql) {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            TokenKind::Word if sql[token.range.clone()].eq_ignore_ascii_case("case") => depth += 1,
            TokenKind::Word if sql[token.range.clone()].eq_ignore_ascii_case("end") => {
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// The byte ranges of the statements of a text, split at semicolons, white space and comments around them left out.
/// A piece that holds nothing but those is no statement. Semicolons inside CREATE TRIGGER split it too: its body is
/// never run here.
pub fn statements(sql: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<Range<usize>> = None;
    for token in tokens(sql) {
        match token.kind {
            TokenKind::Space | TokenKind::Comment => {}
            TokenKind::Semicolon => found.extend(open.take()),
            _ => {
                let start = open.map_or(token.range.start, |range| range.start);
                open = Some(start..token.range.end);
            }
        }
    }
    found.extend(open);
    found
}

/// Sort, length in bytes and whether it is unterminated, of the token at the head of a non-empty text.
fn next_token(rest: &str) -> (TokenKind, usize, bool) {
    let bytes = rest.as_bytes();
    let second = bytes.get(1).copied();
    let closed = |kind, length| (kind, length, false);
    match bytes[0] {
        b' ' | b'\t' | b'\n' | b'\x0c' | b'\r' => closed(TokenKind::Space, run(bytes, is_space)),
        _ if rest.starts_with('\u{feff}') => closed(TokenKind::Space, '\u{feff}'.len_utf8()),
        b'-' if second == Some(b'-') => {
            closed(TokenKind::Comment, rest.find('\n').map_or(rest.len(), |end| end + 1))
        }
        b'/' if second == Some(b'*') => match rest[2..].find("*/") {
            Some(end) => closed(TokenKind::Comment, end + 4),
            None => (TokenKind::Comment, rest.len(), true),
        },
        b'\'' => quoted(bytes, 0, b'\'', TokenKind::String),
        b'"' => quoted(bytes, 0, b'"', TokenKind::QuotedName),
        b'`' => quoted(bytes, 0, b'`', TokenKind::QuotedName),
        b'[' => match rest.find(']') {
            Some(end) => closed(TokenKind::QuotedName, end + 1),
            None => (TokenKind::QuotedName, rest.len(), true),
        },
        b'x' | b'X' if second == Some(b'\'') => quoted(bytes, 1, b'\'', TokenKind::Blob),
        b'(' => closed(TokenKind::Open, 1),
        b')' => closed(TokenKind::Close, 1),
        b';' => closed(TokenKind::Semicolon, 1),
        b'0'..=b'9' => closed(TokenKind::Number, number(bytes)),
        b'.' if second.is_some_and(|byte| byte.is_ascii_digit()) => closed(TokenKind::Number, number(bytes)),
        b'?' => closed(TokenKind::Parameter, 1 + run(&bytes[1..], |byte| byte.is_ascii_digit())),
        b':' | b'@' | b'$' | b'#' if second.is_some_and(is_word) => {
            closed(TokenKind::Parameter, 1 + run(&bytes[1..], is_word))
        }
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => closed(TokenKind::Word, run(bytes, is_word)),
        _ => {
            const TWO: [&[u8]; 9] = [b"||", b"->", b"==", b"<>", b"!=", b"<=", b">=", b"<<", b">>"];
            if bytes.starts_with(b"->>") {
                closed(TokenKind::Operator, 3)
            } else if TWO.iter().any(|operator| bytes.starts_with(operator)) {
                closed(TokenKind::Operator, 2)
            } else if b"+-*/%=<>&|~,.".contains(&bytes[0]) {
                closed(TokenKind::Operator, 1)
            } else {
                closed(TokenKind::Unknown, 1)
            }
        }
    }
}

/// A token in quotes that may hold its quote doubled; `before` bytes stand ahead of the opening quote.
fn quoted(bytes: &[u8], before: usize, quote: u8, kind: TokenKind) -> (TokenKind, usize, bool) {
    let open = before + 1;
    match closing_quote(&bytes[open..], quote) {
        Some(end) => (kind, open + end, false),
        None => (kind, bytes.len(), true),
    }
}

/// Where a quoted token ends whose inside these bytes begin with: behind the first quote that is not doubled.
pub(super) fn closing_quote(bytes: &[u8], quote: u8) -> Option<usize> {
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != quote {
            at += 1;
        } else if bytes.get(at + 1) == Some(&quote) {
            at += 2;
        } else {
            return Some(at + 1);
        }
    }
    None
}

/// The length of a number: digits, underscores, one point, an exponent, or `0x…`.
fn number(bytes: &[u8]) -> usize {
    if bytes.len() > 2 && bytes[0] == b'0' && bytes[1] | 32 == b'x' && bytes[2].is_ascii_hexdigit() {
        return 2 + run(&bytes[2..], |byte| byte.is_ascii_hexdigit() || byte == b'_');
    }
    let is_digit = |byte: u8| byte.is_ascii_digit() || byte == b'_';
    let mut at = run(bytes, is_digit);
    if bytes.get(at) == Some(&b'.') {
        at += 1 + run(&bytes[at + 1..], is_digit);
    }
    if bytes.get(at).is_some_and(|byte| byte | 32 == b'e') {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let digits = run(bytes.get(at + 1 + sign..).unwrap_or_default(), is_digit);
        if digits > 0 {
            at += 1 + sign + digits;
        }
    }
    at
}

fn run(bytes: &[u8], wanted: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| wanted(**byte)).count()
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\x0c' | b'\r')
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::{TokenKind, nesting, statements, tokens};
    use proptest::prelude::*;

    fn kinds(sql: &str) -> Vec<TokenKind> {
        tokens(sql).map(|token| token.kind).filter(|kind| *kind != TokenKind::Space).collect()
    }

    #[test]
    fn each_sort_is_recognised() {
        use TokenKind::*;
        assert_eq!(
            kinds("a x'00' 'it''s' \"q\" [b] `c` 1.5e-3 0x1F .5 ?1 :p || ->> ( ) ; -- c\n/* d */ ^"),
            [
                Word, Blob, String, QuotedName, QuotedName, QuotedName, Number, Number, Number, Parameter,
                Parameter, Operator, Operator, Open, Close, Semicolon, Comment, Comment, Unknown
            ]
        );
        assert_eq!(kinds("\u{feff}\u{feff}SELECT -- c\n\u{feff}名\u{feff}前"), [Word, Comment, Word]);
    }

    #[test]
    fn an_open_end_is_said() {
        for sql in ["'abc", "\"abc", "[abc", "/* abc", "x'00"] {
            assert!(tokens(sql).last().is_some_and(|token| token.unterminated), "{sql}");
        }
    }

    #[test]
    fn statements_are_split_where_sqlite_splits_them() {
        let split =
            |sql: &'static str| statements(sql).into_iter().map(|range| &sql[range]).collect::<Vec<_>>();
        assert_eq!(split(" SELECT 1 ;-- no\n; SELECT ';' /* ; */ ; "), ["SELECT 1", "SELECT ';'"]);
        assert_eq!(split("-- only a comment"), Vec::<&str>::new());
    }

    #[test]
    fn nesting_ignores_strings_and_comments() {
        assert_eq!(nesting("SELECT ((1)), '((((', /* ((((( */ CASE WHEN (1) THEN 1 END"), 2);
        assert_eq!(nesting(")))("), 1);
    }

    proptest! {
        #[test]
        fn tokens_cover_any_text_without_a_gap(sql in "\\PC*|[ -~\\n\\t'\"\\[\\]`;/*]*") {
            let mut at = 0;
            for token in tokens(&sql) {
                prop_assert_eq!(token.range.start, at);
                prop_assert!(sql.get(token.range.clone()).is_some_and(|text| !text.is_empty()));
                at = token.range.end;
            }
            prop_assert_eq!(at, sql.len());
        }
    }
}
