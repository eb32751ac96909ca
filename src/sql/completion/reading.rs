//! The tokens around a cursor: those of its statement, without the word that is being written.

use crate::sql::name;
use crate::text::sql_lexer::{self, Token, TokenKind};
use crate::text::sql_words::{is_keyword, is_reserved};
use std::borrow::Cow;
use std::ops::Range;

/// A statement as it is read around a cursor. Token numbers are places in it; the cursor stands before token `at`.
pub(super) struct Reading<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    /// For each bracket, the number of its mate.
    mates: Vec<Option<usize>>,
    /// The number of the first token after the cursor.
    pub(super) at: usize,
    /// The letters of the word before the cursor, without quotes.
    pub(super) typed: String,
    /// Whether the word is a name in quotes.
    pub(super) is_quoted: bool,
    /// The bytes of the word.
    pub(super) replace: Range<usize>,
}

/// One step through the tokens of a level: a token, or a pair of brackets with all that is in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    Token(usize),
    /// The numbers of the opening bracket and of what ends it: the closing one, or the number of tokens.
    Group(usize, usize),
}

impl<'t> Reading<'t> {
    /// Reads the statement at an offset; `None` where nothing can be completed.
    pub(super) fn at(text: &'t str, offset: usize) -> Option<Self> {
        let mut before: Vec<Token> = Vec::new();
        let mut after: Vec<Token> = Vec::new();
        let (mut typed, mut is_quoted, mut replace) = (String::new(), false, offset..offset);
        for token in sql_lexer::tokens(text) {
            let Range { start, end } = token.range;
            let is_inside = token.unterminated || offset < end;
            if start >= offset {
                if token.kind == TokenKind::Semicolon {
                    break;
                }
                after.push(token);
            } else if end < offset {
                push(&mut before, token);
            } else {
                match token.kind {
                    TokenKind::Word => {
                        text[start..offset].clone_into(&mut typed);
                        replace = token.range;
                    }
                    TokenKind::QuotedName if is_inside => {
                        typed = typed_name(&text[start..offset]);
                        is_quoted = true;
                        replace = start..if token.unterminated { offset } else { end };
                        if token.unterminated {
                            // What the open quote swallowed is read as if it had been closed here.
                            after = statement_start(text, offset);
                        }
                    }
                    TokenKind::Comment if is_inside || !is_closed_comment(&text[start..end]) => return None,
                    TokenKind::Number | TokenKind::Parameter => return None,
                    TokenKind::Space | TokenKind::Comment => {}
                    _ if is_inside => return None,
                    _ => push(&mut before, token),
                }
            }
        }
        let at = before.iter().filter(|token| is_solid(token)).count();
        let tokens: Vec<Token> = before.into_iter().chain(after).filter(is_solid).collect();
        let mates = mates(&tokens);
        Some(Self { text, tokens, mates, at, typed, is_quoted, replace })
    }

    /// The number of tokens.
    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    pub(super) fn kind(&self, number: usize) -> Option<TokenKind> {
        self.tokens.get(number).map(|token| token.kind)
    }

    /// The text of a token; empty where there is none.
    pub(super) fn raw(&self, number: usize) -> &'t str {
        self.tokens.get(number).map_or("", |token| &self.text[token.range.clone()])
    }

    /// Whether an opening bracket stands right behind the word.
    pub(super) fn is_called(&self) -> bool {
        self.tokens
            .get(self.at)
            .is_some_and(|next| next.kind == TokenKind::Open && next.range.start == self.replace.end)
    }

    /// Whether keywords are written in lower case: as the typed letters are, else as the statement's first keyword is.
    pub(super) fn writes_lower_case(&self) -> bool {
        let has_capital = |word: &str| word.bytes().any(|byte| byte.is_ascii_uppercase());
        if !self.typed.is_empty() {
            return !has_capital(&self.typed);
        }
        let words = self.tokens.iter().filter(|token| token.kind == TokenKind::Word);
        let mut words = words.map(|token| &self.text[token.range.clone()]);
        words.find(|word| is_keyword(word)).is_some_and(|word| !has_capital(word))
    }

    /// The comparable form of a name.
    pub(super) fn folded(&self, number: usize) -> Cow<'t, str> {
        name::fold(self.raw(number))
    }

    /// Whether a token is this keyword or sign; a word behind a dot is no keyword.
    pub(super) fn is(&self, number: usize, wanted: &str) -> bool {
        self.raw(number).eq_ignore_ascii_case(wanted)
            && !(self.kind(number) == Some(TokenKind::Word) && self.is_behind_dot(number))
    }

    /// Whether a token is one of these.
    pub(super) fn is_any(&self, number: usize, wanted: &[&str]) -> bool {
        wanted.iter().any(|wanted| self.is(number, wanted))
    }

    fn is_behind_dot(&self, number: usize) -> bool {
        // Where the cursor is between them, the word being written is what the dot is for.
        number != self.at && number.checked_sub(1).is_some_and(|before| self.raw(before) == ".")
    }

    /// Whether a token can be a name: in quotes, or a word that SQLite takes for one.
    pub(super) fn is_name(&self, number: usize) -> bool {
        match self.kind(number) {
            Some(TokenKind::QuotedName) => true,
            Some(TokenKind::Word) => self.is_behind_dot(number) || !is_reserved(self.raw(number)),
            _ => false,
        }
    }

    /// Whether a bracket opens a query.
    pub(super) fn opens_query(&self, open: usize) -> bool {
        self.kind(open) == Some(TokenKind::Open) && self.is_any(open + 1, &["SELECT", "WITH", "VALUES"])
    }

    /// The token that ends what an opening bracket begins. A bracket of a query that is still open reaches to the end;
    /// any other that is open is none, so that `count(` does not swallow the FROM behind it.
    pub(super) fn end_of(&self, open: usize) -> Option<usize> {
        if self.kind(open) != Some(TokenKind::Open) {
            return None;
        }
        self.mates[open].or_else(|| self.opens_query(open).then_some(self.len()))
    }

    /// The number of the bracket that a closing one belongs to.
    pub(super) fn start_of(&self, close: usize) -> Option<usize> {
        (self.kind(close) == Some(TokenKind::Close)).then(|| self.mates[close]).flatten()
    }

    /// The items of a range of tokens.
    pub(super) fn items(&self, range: Range<usize>) -> impl Iterator<Item = Item> + '_ {
        let mut next = range.start;
        std::iter::from_fn(move || {
            let number = next;
            if number >= range.end.min(self.len()) {
                return None;
            }
            let end = self.end_of(number);
            next = end.unwrap_or(number) + 1;
            Some(end.map_or(Item::Token(number), |end| Item::Group(number, end)))
        })
    }

    /// The closed or query-opening brackets around the cursor, the innermost first.
    pub(super) fn around_cursor(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.at)
            .rev()
            .filter_map(|open| Some((open, self.end_of(open)?)))
            .filter(|(_, end)| *end >= self.at)
    }

    /// The innermost bracket that is open at the cursor, whether it is closed later or not.
    pub(super) fn open_bracket(&self) -> Option<usize> {
        (0..self.at).rev().find(|open| {
            self.kind(*open) == Some(TokenKind::Open) && self.mates[*open].is_none_or(|mate| mate >= self.at)
        })
    }
}

const fn is_solid(token: &Token) -> bool {
    !matches!(token.kind, TokenKind::Space | TokenKind::Comment)
}

/// Adds a token before the cursor; a semicolon begins a new statement.
fn push(before: &mut Vec<Token>, token: Token) {
    if token.kind == TokenKind::Semicolon {
        before.clear();
    } else {
        before.push(token);
    }
}

/// The tokens from an offset to the end of the statement.
fn statement_start(text: &str, offset: usize) -> Vec<Token> {
    sql_lexer::tokens(&text[offset..])
        .take_while(|token| token.kind != TokenKind::Semicolon)
        .map(|token| Token { range: token.range.start + offset..token.range.end + offset, ..token })
        .collect()
}

/// Whether the place behind a comment is outside of it.
fn is_closed_comment(comment: &str) -> bool {
    comment.starts_with("/*") || comment.ends_with('\n')
}

/// The letters of a name that begins with a quote and is not closed.
fn typed_name(raw: &str) -> String {
    let mut inside = raw.chars();
    match inside.next() {
        Some('[') | None => inside.as_str().to_owned(),
        Some(quote) => inside.as_str().replace(&format!("{quote}{quote}"), &quote.to_string()),
    }
}

fn mates(tokens: &[Token]) -> Vec<Option<usize>> {
    let mut mates = vec![None; tokens.len()];
    let mut open = Vec::new();
    for (number, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open => open.push(number),
            TokenKind::Close => {
                if let Some(opening) = open.pop() {
                    mates[opening] = Some(number);
                    mates[number] = Some(opening);
                }
            }
            _ => {}
        }
    }
    mates
}
