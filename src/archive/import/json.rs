//! JSON as other programs write it: the standard, and what they add to it, within bounds of depth and memory.
//!
//! Accepted beside the standard, and told: the bare words `NaN`, `Infinity` and `-Infinity` (Python writes them), numbers beyond
//! a float, names that come twice (the last counts), control characters in a text, halves of surrogate pairs. What JSON has no
//! word for becomes `{"real": "NaN"}`, as [`crate::domain::Value`] has it.

use super::limits::{MAX_DEPTH, MAX_TREE};
use memchr::memchr2;
use serde_json::{Map, Number, Value, json};

/// What a map's first entry costs beside its text: the node of the tree that holds it.
const OBJECT_COST: usize = 640;
/// What an element costs beside its text.
const VALUE_COST: usize = 32;

/// A document and how it departed from the standard.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parsed {
    pub(super) value: Value,
    /// In words, each once.
    pub(super) oddities: Vec<String>,
}

/// What is wrong and where, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JsonError {
    pub(super) line: u64,
    pub(super) column: u64,
    pub(super) reason: String,
    /// Nothing is wrong with it but its size.
    pub(super) too_large: bool,
}

/// Reads one document; only white space may stand behind it.
pub(super) fn parse(bytes: &[u8]) -> Result<Parsed, JsonError> {
    parse_within(bytes, MAX_TREE)
}

/// Reads one document whose tree takes no more than so many bytes.
pub(super) fn parse_within(bytes: &[u8], most: usize) -> Result<Parsed, JsonError> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => return Err(at(bytes, error.valid_up_to(), "the text is not UTF-8".to_owned())),
    };
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut reader = Reader { text, bytes, at: start, cost: 0, most, oddities: Vec::new() };
    let read = (|| {
        reader.space();
        let value = reader.value(0)?;
        reader.space();
        if reader.at < bytes.len() {
            Err("something stands behind the document".to_owned())
        } else {
            Ok(value)
        }
    })();
    let place = reader.at;
    let too_large = reader.cost > reader.most;
    let oddities = reader.oddities;
    read.map(|value| Parsed { value, oddities })
        .map_err(|reason| JsonError { too_large, ..at(bytes, place, reason) })
}

fn at(bytes: &[u8], place: usize, reason: String) -> JsonError {
    let before = &bytes[..place.min(bytes.len())];
    let line = memchr::memchr_iter(b'\n', before).count() as u64 + 1;
    let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    JsonError { line, column: (before.len() - start) as u64 + 1, reason, too_large: false }
}

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    cost: usize,
    most: usize,
    oddities: Vec<String>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn odd(&mut self, what: &str) {
        if !self.oddities.iter().any(|known| known == what) {
            self.oddities.push(what.to_owned());
        }
    }

    fn pay(&mut self, cost: usize) -> Result<(), String> {
        self.cost += cost;
        if self.cost > self.most {
            return Err(format!("it would take more than {} MiB of memory", self.most >> 20));
        }
        Ok(())
    }

    fn value(&mut self, depth: usize) -> Result<Value, String> {
        self.pay(VALUE_COST)?;
        match self.peek() {
            None => Err("the document ends here".to_owned()),
            Some(b'{') => self.object(depth + 1),
            Some(b'[') => self.array(depth + 1),
            Some(b'"') => self.string().map(Value::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(_) => self.word(),
        }
    }

    fn word(&mut self) -> Result<Value, String> {
        let words = [
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
            ("null", Value::Null),
            ("NaN", json!({ "real": "NaN" })),
            ("Infinity", json!({ "real": "Inf" })),
        ];
        for (word, value) in words {
            if self.bytes[self.at..].starts_with(word.as_bytes()) {
                if matches!(word, "NaN" | "Infinity") {
                    self.pay(OBJECT_COST)?;
                    self.odd("NaN or Infinity stand as bare words");
                }
                self.at += word.len();
                return Ok(value);
            }
        }
        Err("a value was to come".to_owned())
    }

    fn enter(&mut self, depth: usize) -> Result<(), String> {
        if depth > MAX_DEPTH {
            return Err(format!("it is nested deeper than {MAX_DEPTH} levels"));
        }
        self.at += 1;
        self.space();
        Ok(())
    }

    fn object(&mut self, depth: usize) -> Result<Value, String> {
        self.enter(depth)?;
        let mut map = Map::new();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Object(map));
        }
        loop {
            if self.peek() != Some(b'"') {
                return Err("a name in quotes was to come".to_owned());
            }
            let name = self.string()?;
            self.space();
            if self.peek() != Some(b':') {
                return Err("':' was to come".to_owned());
            }
            self.at += 1;
            self.space();
            // A leaf of the tree holds up to 11 entries, and is taken whole for the first.
            self.pay(if map.len().is_multiple_of(6) { OBJECT_COST } else { 0 })?;
            let value = self.value(depth)?;
            if map.insert(name, value).is_some() {
                self.odd("a name stands twice in one object; the last one counts");
            }
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Value::Object(map));
                }
                None => return Err("the document ends here".to_owned()),
                Some(_) => return Err("',' or '}' was to come".to_owned()),
            }
            self.space();
        }
    }

    fn array(&mut self, depth: usize) -> Result<Value, String> {
        self.enter(depth)?;
        let mut items = Vec::new();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::Array(items));
        }
        loop {
            // Room grows by doubling.
            self.pay(VALUE_COST)?;
            items.push(self.value(depth)?);
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Value::Array(items));
                }
                None => return Err("the document ends here".to_owned()),
                Some(_) => return Err("',' or ']' was to come".to_owned()),
            }
            self.space();
        }
    }

    fn string(&mut self) -> Result<String, String> {
        self.at += 1;
        let mut whole = String::new();
        loop {
            let Some(end) = memchr2(b'"', b'\\', &self.bytes[self.at..]) else {
                self.at = self.bytes.len();
                return Err("the document ends in the middle of a text".to_owned());
            };
            let part = &self.text[self.at..self.at + end];
            if part.bytes().any(|byte| byte < 0x20) {
                self.odd("control characters stand in a text as they are");
            }
            self.pay(part.len())?;
            whole.push_str(part);
            self.at += end + 1;
            if self.bytes[self.at - 1] == b'"' {
                return Ok(whole);
            }
            self.escape(&mut whole)?;
        }
    }

    fn escape(&mut self, whole: &mut String) -> Result<(), String> {
        let Some(letter) = self.peek() else {
            return Err("the document ends in the middle of a text".to_owned());
        };
        self.at += 1;
        self.pay(4)?;
        whole.push(match letter {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => self.unicode()?,
            _ => {
                self.at -= 1;
                return Err("no escape begins so".to_owned());
            }
        });
        Ok(())
    }

    fn unicode(&mut self) -> Result<char, String> {
        let first = self.hex()?;
        if (0xd800..0xdc00).contains(&first) && self.bytes[self.at..].starts_with(b"\\u") {
            let back = self.at;
            self.at += 2;
            let second = self.hex()?;
            if (0xdc00..0xe000).contains(&second) {
                let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = back;
        }
        Ok(char::from_u32(first).unwrap_or_else(|| {
            self.odd("half of a surrogate pair stands alone; U+FFFD took its place");
            char::REPLACEMENT_CHARACTER
        }))
    }

    fn hex(&mut self) -> Result<u32, String> {
        let digits = self.bytes.get(self.at..self.at + 4).and_then(|it| std::str::from_utf8(it).ok());
        let code = digits
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let code = code.ok_or_else(|| "four hex digits were to come".to_owned())?;
        self.at += 4;
        Ok(code)
    }

    fn number(&mut self) -> Result<Value, String> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
            if self.bytes[self.at..].starts_with(b"Infinity") {
                self.at += "Infinity".len();
                self.pay(OBJECT_COST)?;
                self.odd("NaN or Infinity stand as bare words");
                return Ok(json!({ "real": "-Inf" }));
            }
        }
        let whole = self.digits();
        if whole == 0 {
            return Err("a digit was to come".to_owned());
        }
        if whole > 1 && self.bytes[self.at - whole] == b'0' {
            self.at -= whole - 1;
            return Err("a number must not begin with 0".to_owned());
        }
        let mut is_whole = true;
        if self.peek() == Some(b'.') {
            self.at += 1;
            is_whole = false;
            if self.digits() == 0 {
                return Err("a digit was to come".to_owned());
            }
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            is_whole = false;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            if self.digits() == 0 {
                return Err("a digit was to come".to_owned());
            }
        }
        Ok(self.number_of(&self.text[start..self.at], is_whole))
    }

    fn number_of(&mut self, text: &str, is_whole: bool) -> Value {
        if is_whole {
            if let Ok(number) = text.parse::<i64>() {
                return Value::from(number);
            }
            if let Ok(number) = text.parse::<u64>() {
                return Value::from(number);
            }
            self.odd("a number is beyond 64 bits; it was rounded");
        }
        let number: f64 = text.parse().unwrap_or(f64::NAN);
        if let Some(number) = Number::from_f64(number) {
            return Value::Number(number);
        }
        self.odd("a number is beyond a float");
        let word = if text.starts_with('-') { "-Inf" } else { "Inf" };
        json!({ "real": word })
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.at - start
    }
}

#[cfg(test)]
mod tests {
    use super::parse;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    #[test]
    fn what_python_writes_is_read_and_told() {
        let parsed =
            parse(br#"{"a": NaN, "b": [-Infinity, Infinity, 1e999], "b2": 18446744073709551616, "a": 1}"#)
                .unwrap();
        assert_eq!(
            parsed.value,
            json!({"a": 1, "b": [{"real": "-Inf"}, {"real": "Inf"}, {"real": "Inf"}], "b2": 18_446_744_073_709_551_616.0})
        );
        assert_eq!(parsed.oddities.len(), 4, "{:?}", parsed.oddities);
        let parsed = parse(br#""\ud83d\ude00\ud800x""#).unwrap();
        assert_eq!(parsed.value, json!("😀\u{fffd}x"));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let reason = |text: &[u8]| {
            let error = parse(text).unwrap_err();
            (error.line, error.column, error.reason)
        };
        assert_eq!(reason(b"{\n \"a\": tru}"), (2, 7, "a value was to come".to_owned()));
        assert_eq!(reason(b"[1, 2"), (1, 6, "the document ends here".to_owned()));
        assert_eq!(reason(b"\"ab"), (1, 4, "the document ends in the middle of a text".to_owned()));
        assert_eq!(reason(b"[\"\xff\"]").2, "the text is not UTF-8");
        assert_eq!(reason(b"1 2").2, "something stands behind the document");
        assert_eq!(reason(b"01").2, "a number must not begin with 0");
        assert_eq!(reason(b"").2, "the document ends here");
        assert!(reason("[".repeat(100_000).as_bytes()).2.contains("nested deeper"));
        assert!(reason("{\"a\":".repeat(100_000).as_bytes()).2.contains("nested deeper"));
    }

    #[test]
    fn a_tree_is_bounded() {
        let many = format!("[{}{{}}]", "{\"a\":1},".repeat(400_000));
        assert!(parse(many.as_bytes()).unwrap_err().reason.contains("MiB of memory"));
    }

    fn tree() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>()
                .prop_filter("JSON has no word for others", |it| it.is_finite())
                .prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(5, 60, 6, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                proptest::collection::hash_map(any::<String>(), inner, 0..6)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn all_that_the_standard_has_is_read_as_it_is(value in tree(), pretty in any::<bool>()) {
            let text = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
            let parsed = parse(text.as_bytes()).unwrap();
            prop_assert_eq!(parsed.value, value);
            prop_assert!(parsed.oddities.is_empty());
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(&bytes);
        }

        #[test]
        fn what_the_strict_reader_takes_is_taken(text in "[\\[\\]{}:,\"a0-9.eE+\\-\\\\ntrul ]{0,30}") {
            if let Ok(value) = serde_json::from_str::<Value>(&text) {
                prop_assert_eq!(parse(text.as_bytes()).unwrap().value, value);
            }
        }
    }
}
