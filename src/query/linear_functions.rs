//! Built-in functions replaced because one call of them could outlast any deadline.
//!
//! SQLite's `instr`, `replace`, `trim` (with a set of characters) and `unhex` (with characters to skip) take time
//! proportional to the *product* of their arguments' lengths: at the length limit of 1 MiB one call runs for ten
//! seconds to three minutes, and nothing can stop a single call. These do the same in time proportional to the sum.
//! They are compared with SQLite's own on random arguments in the tests.
//!
//! Not replaced: LIKE and GLOB, whose pattern is limited to 1,000 bytes (about a second at the worst); replacing
//! them would also lose SQLite's index optimisation.

use super::guard::MAX_VALUE_BYTES;
use memchr::memmem;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Error, Result, ToSql, ffi};
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// Below this product of lengths the plain loops of SQLite are fast enough, and exact for text that is not UTF-8.
const SMALL_PRODUCT: usize = 1 << 20;

/// The error of a value over the length limit.
fn too_big() -> Error {
    Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_TOOBIG), None)
}

/// Text as bytes, since SQLite's need not be UTF-8.
struct Bytes(Vec<u8>);

impl ToSql for Bytes {
    fn to_sql(&self) -> Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(ValueRef::Text(&self.0)))
    }
}

/// Installs the replacements.
pub(super) fn install(connection: &Connection) -> Result<()> {
    let flags =
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("instr", 2, flags, |context| instr(context))?;
    connection.create_scalar_function("replace", 3, flags, |context| replace(context))?;
    connection.create_scalar_function("unhex", 2, flags, |context| unhex(context))?;
    connection.create_scalar_function("trim", 2, flags, |context| trim(context, true, true))?;
    connection.create_scalar_function("ltrim", 2, flags, |context| trim(context, true, false))?;
    connection.create_scalar_function("rtrim", 2, flags, |context| trim(context, false, true))
}

/// An argument as `sqlite3_value_text` gives it; `None` for NULL.
fn text(value: ValueRef<'_>) -> Result<Option<Cow<'_, [u8]>>> {
    Ok(match value {
        ValueRef::Null => None,
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(Cow::Borrowed(bytes)),
        ValueRef::Integer(number) => Some(Cow::Owned(number.to_string().into_bytes())),
        ValueRef::Real(number) => Some(Cow::Owned(real_text(number)?)),
    })
}

/// A real as SQLite writes it. Only SQLite knows how, so a connection of our own is asked.
fn real_text(number: f64) -> Result<Vec<u8>> {
    static SCRIBE: Mutex<Option<Connection>> = Mutex::new(None);
    let mut scribe = SCRIBE.lock().unwrap_or_else(PoisonError::into_inner);
    if scribe.is_none() {
        *scribe = Some(Connection::open_in_memory()?);
    }
    let Some(connection) = scribe.as_ref() else { return Err(too_big()) };
    let text: String =
        connection.prepare_cached("SELECT CAST(?1 AS TEXT)")?.query_row([number], |row| row.get(0))?;
    Ok(text.into_bytes())
}

const fn continues(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

/// `instr(X, Y)`: in characters, or in bytes when both are blobs.
#[allow(clippy::naive_bytecount)] // one pass over at most 1 MiB
fn instr(context: &Context<'_>) -> Result<Option<i64>> {
    let (x, y) = (context.get_raw(0), context.get_raw(1));
    let is_text = !matches!((x, y), (ValueRef::Blob(_), ValueRef::Blob(_)));
    let (Some(hay), Some(needle)) = (text(x)?, text(y)?) else { return Ok(None) };
    if needle.is_empty() {
        return Ok(Some(1));
    }
    // SQLite steps over continuation bytes, so a needle that begins with one can match at the very start only.
    let found = if is_text && continues(needle[0]) {
        hay.starts_with(&needle).then_some(0)
    } else {
        memmem::find(&hay, &needle)
    };
    let position = found.map(|at| {
        let steps =
            if is_text && at > 0 { hay[1..=at].iter().filter(|byte| !continues(**byte)).count() } else { at };
        i64::try_from(steps + 1).unwrap_or(i64::MAX)
    });
    Ok(Some(position.unwrap_or(0)))
}

/// `replace(X, Y, Z)`.
fn replace(context: &Context<'_>) -> Result<Option<Bytes>> {
    let Some(source) = text(context.get_raw(0))? else { return Ok(None) };
    let Some(pattern) = text(context.get_raw(1))? else { return Ok(None) };
    if pattern.first().is_none_or(|byte| *byte == 0) {
        return Ok(Some(Bytes(source.into_owned())));
    }
    let Some(with) = text(context.get_raw(2))? else { return Ok(None) };
    let mut out = Vec::with_capacity(source.len());
    let mut copied = 0;
    for at in memmem::find_iter(&source, &pattern) {
        out.extend_from_slice(&source[copied..at]);
        out.extend_from_slice(&with);
        copied = at + pattern.len();
        if out.len() as u64 > MAX_VALUE_BYTES {
            return Err(too_big());
        }
    }
    out.extend_from_slice(&source[copied..]);
    Ok(Some(Bytes(out)))
}

/// `unhex(X, Y)`: hex digits in pairs, between which characters of Y may stand.
fn unhex(context: &Context<'_>) -> Result<Option<Vec<u8>>> {
    let (Some(digits), Some(skip)) = (text(context.get_raw(0))?, text(context.get_raw(1))?) else {
        return Ok(None);
    };
    let (digits, skip) = (String::from_utf8_lossy(&digits), String::from_utf8_lossy(&skip));
    let skip: HashSet<char> = skip.chars().collect();
    let mut out = Vec::with_capacity(digits.len() / 2);
    let mut rest = digits.chars().take_while(|c| *c != '\0');
    while let Some(c) = rest.next() {
        let Some(high) = c.to_digit(16) else {
            if skip.contains(&c) {
                continue;
            }
            return Ok(None);
        };
        let Some(low) = rest.next().and_then(|c| c.to_digit(16)) else { return Ok(None) };
        out.push(u8::try_from(high * 16 + low).unwrap_or(0));
    }
    Ok(Some(out))
}

/// `trim(X, Y)` and its one-sided forms: takes the characters of Y off the ends of X.
fn trim(context: &Context<'_>, left: bool, right: bool) -> Result<Option<Bytes>> {
    let (Some(source), Some(set)) = (text(context.get_raw(0))?, text(context.get_raw(1))?) else {
        return Ok(None);
    };
    let set = set.split(|byte| *byte == 0).next().unwrap_or_default();
    if source.len().saturating_mul(set.len()) > SMALL_PRODUCT {
        let (Ok(source), Ok(set)) = (std::str::from_utf8(&source), std::str::from_utf8(set)) else {
            return Err(too_big());
        };
        let set: HashSet<char> = set.chars().collect();
        let mut kept = source;
        if left {
            kept = kept.trim_start_matches(|c| set.contains(&c));
        }
        if right {
            kept = kept.trim_end_matches(|c| set.contains(&c));
        }
        return Ok(Some(Bytes(kept.as_bytes().to_vec())));
    }
    let set = characters(set);
    let mut kept: &[u8] = &source;
    while left && let Some(rest) = set.iter().find_map(|one| kept.strip_prefix(*one)) {
        kept = rest;
    }
    while right && let Some(rest) = set.iter().find_map(|one| kept.strip_suffix(*one)) {
        kept = rest;
    }
    Ok(Some(Bytes(kept.to_vec())))
}

/// Characters as SQLite counts them: a byte, and behind a leading byte all continuation bytes.
fn characters(text: &[u8]) -> Vec<&[u8]> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.first() {
        let tail =
            if *first >= 0xc0 { rest[1..].iter().take_while(|byte| continues(**byte)).count() } else { 0 };
        let (one, next) = rest.split_at(1 + tail);
        all.push(one);
        rest = next;
    }
    all
}

#[cfg(test)]
#[path = "linear_functions_tests.rs"]
mod tests;
