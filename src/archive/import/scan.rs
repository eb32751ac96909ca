//! Finding the parts of a large JSON file without reading them: where each entry of the first document stands, where each
//! sample, where the documents that follow.
//!
//! Only quotes, escapes and brackets are looked at; whether a part is JSON is found when it is parsed. Memory is bounded by the
//! number of parts, whatever stands in them.

use std::ops::Range;

/// Names longer than this are cut: no format has one.
const MAX_NAME: usize = 200;

/// The parts of a file.
#[derive(Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // findings that have nothing to do with each other
pub(super) struct Parts {
    /// Names of the first document, where it is an object, with the place of each value.
    pub(super) entries: Vec<(String, Range<u64>)>,
    /// The elements of the array whose name was asked for, or of the first document where it is an array.
    pub(super) elements: Vec<Range<u64>>,
    /// All documents that end, in order.
    pub(super) documents: Vec<Range<u64>>,
    /// Whether the first document is an array.
    pub(super) is_array: bool,
    /// Whether the file ends within a document.
    pub(super) cut: bool,
    /// Whether the first document stands on one line: then each line is one, and a broken one ends where its line does.
    pub(super) lines: bool,
    /// Whether there were more parts than are kept.
    pub(super) too_many: bool,
}

/// What is looked for.
#[allow(clippy::struct_excessive_bools)] // the state of a scanner that may stop after any byte
pub(super) struct Scanner {
    parts: Parts,
    wanted: &'static str,
    most: usize,
    at: u64,
    depth: u64,
    in_string: bool,
    escaped: bool,
    /// Where the document, the entry's value and the element began.
    document: Option<u64>,
    value: Option<u64>,
    element: Option<u64>,
    /// Where the first line ends that holds anything.
    line_end: Option<u64>,
    /// A scalar that stands as a document of its own.
    scalar: bool,
    /// The name that is being read, or was read last, at depth 1.
    name: Vec<u8>,
    reading_name: bool,
    /// At depth 1 of an object: whether a name comes next.
    name_next: bool,
    in_wanted: bool,
}

impl Scanner {
    /// Looks for the elements of the top-level array with this name; at most so many parts are kept.
    pub(super) fn new(wanted: &'static str, most: usize) -> Self {
        Self {
            parts: Parts::default(),
            wanted,
            most,
            at: 0,
            depth: 0,
            in_string: false,
            escaped: false,
            document: None,
            value: None,
            element: None,
            line_end: None,
            scalar: false,
            name: Vec::new(),
            reading_name: false,
            name_next: false,
            in_wanted: false,
        }
    }

    /// Goes through the next bytes; false where there are too many parts.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> bool {
        let mut at = 0;
        while at < bytes.len() {
            if self.in_string && !self.escaped && !self.reading_name {
                // The fast way through a text.
                match memchr::memchr2(b'"', b'\\', &bytes[at..]) {
                    None => {
                        self.at += (bytes.len() - at) as u64;
                        return !self.parts.too_many;
                    }
                    Some(skip) => {
                        at += skip;
                        self.at += skip as u64;
                    }
                }
            }
            self.byte(bytes[at]);
            at += 1;
            self.at += 1;
            if self.parts.too_many {
                return false;
            }
        }
        true
    }

    /// All that was found.
    pub(super) fn finish(mut self) -> Parts {
        if self.scalar {
            self.end_document(self.at);
        }
        self.parts.cut = self.document.is_some();
        self.parts.lines =
            self.parts.documents.first().zip(self.line_end).is_some_and(|(it, end)| it.end <= end);
        self.parts
    }

    fn is_first(&self) -> bool {
        self.parts.documents.is_empty()
    }

    fn byte(&mut self, byte: u8) {
        if self.in_string {
            return self.in_text(byte);
        }
        if byte == b'\n' && (self.document.is_some() || !self.is_first()) {
            self.line_end.get_or_insert(self.at);
        }
        match byte {
            b'\n' if self.scalar && self.depth == 0 => self.end_document(self.at),
            b' ' | b'\t' | b'\r' | b'\n' => {}
            b'"' => {
                self.begin();
                self.in_string = true;
                self.reading_name = self.depth == 1 && self.name_next;
                if self.reading_name {
                    self.name.clear();
                }
            }
            b'{' | b'[' => self.open(byte),
            b'}' | b']' => self.close(),
            b':' if self.depth == 1 => self.name_next = false,
            b',' if self.depth == 1 => {
                self.end_part(self.at);
                self.name_next = !self.parts.is_array || !self.is_first();
            }
            b',' if self.depth == 2 && self.in_wanted => self.end_element(self.at),
            _ => self.begin(),
        }
    }

    fn in_text(&mut self, byte: u8) {
        if self.escaped {
            self.escaped = false;
        } else if byte == b'\\' {
            self.escaped = true;
        } else if byte == b'"' {
            self.in_string = false;
            self.reading_name = false;
            return;
        }
        if self.reading_name && self.name.len() < MAX_NAME {
            self.name.push(byte);
        }
    }

    /// A value begins here, unless one has begun.
    fn begin(&mut self) {
        if self.document.is_none() {
            self.document = Some(self.at);
            self.scalar = true;
        }
        if self.depth == 1 && !self.name_next && self.is_first() {
            let at = self.at;
            if self.parts.is_array {
                self.element.get_or_insert(at);
            } else {
                self.value.get_or_insert(at);
            }
        } else if self.depth == 2 && self.in_wanted {
            self.element.get_or_insert(self.at);
        }
    }

    fn open(&mut self, byte: u8) {
        self.begin();
        self.scalar = false;
        if self.depth == 0 {
            self.name_next = byte == b'{';
            if self.is_first() {
                self.parts.is_array = byte == b'[';
            }
        } else if self.depth == 1 && self.is_first() && !self.parts.is_array {
            self.in_wanted = byte == b'[' && self.name == self.wanted.as_bytes();
        }
        self.depth += 1;
    }

    fn close(&mut self) {
        let Some(depth) = self.depth.checked_sub(1) else {
            // A bracket that closes nothing: the parser will say so.
            self.begin();
            return;
        };
        if depth == 1 && self.in_wanted {
            self.end_element(self.at);
            self.in_wanted = false;
        }
        if depth == 0 {
            self.end_part(self.at);
        }
        self.depth = depth;
        if depth == 0 {
            self.end_document(self.at + 1);
        }
    }

    fn end_part(&mut self, end: u64) {
        if !self.is_first() {
            return;
        }
        if let Some(start) = self.value.take() {
            let name = String::from_utf8_lossy(&self.name).into_owned();
            self.parts.entries.push((name, start..end));
            self.parts.too_many |= self.parts.entries.len() > self.most;
        }
        self.end_element(end);
    }

    fn end_element(&mut self, end: u64) {
        if let Some(start) = self.element.take() {
            self.parts.elements.push(start..end);
            self.parts.too_many |= self.parts.elements.len() > self.most;
        }
    }

    fn end_document(&mut self, end: u64) {
        if let Some(start) = self.document.take() {
            self.parts.documents.push(start..end);
            self.parts.too_many |= self.parts.documents.len() > self.most;
        }
        self.scalar = false;
    }
}

#[cfg(test)]
mod tests {
    use super::{Parts, Scanner};

    fn scan(text: &str, step: usize) -> Parts {
        let mut scanner = Scanner::new("samples", 1000);
        for chunk in text.as_bytes().chunks(step) {
            scanner.feed(chunk);
        }
        scanner.finish()
    }

    fn cut<'t>(text: &'t str, range: &std::ops::Range<u64>) -> &'t str {
        &text[usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap()]
    }

    #[test]
    fn parts_are_found_however_the_bytes_come() {
        let text = "{ \"version\": 2, \"eval\": {\"a\\\"}\": [1]},\n \"samples\": [ {\"id\": \"]\"}, 3,\n[4]], \"x\": \"s\" }\n{\"b\":1}\n7\n";
        for step in [1, 2, 3, 7, 1000] {
            let parts = scan(text, step);
            let entries: Vec<(&str, &str)> =
                parts.entries.iter().map(|(name, range)| (name.as_str(), cut(text, range).trim())).collect();
            assert_eq!(entries[0], ("version", "2"), "{step}");
            assert_eq!(entries[1], ("eval", "{\"a\\\"}\": [1]}"));
            assert_eq!(entries[3], ("x", "\"s\""));
            let elements: Vec<&str> = parts.elements.iter().map(|range| cut(text, range)).collect();
            assert_eq!(elements, ["{\"id\": \"]\"}", "3", "[4]"]);
            let documents: Vec<&str> = parts.documents.iter().skip(1).map(|range| cut(text, range)).collect();
            assert_eq!(documents, ["{\"b\":1}", "7"]);
            assert!(!parts.cut && !parts.is_array && !parts.lines);
        }
    }

    #[test]
    fn an_array_has_elements_and_a_cut_file_says_so() {
        let text = "[{\"a\": 1}, [2, 3], \"x,y\"]";
        let parts = scan(text, 5);
        assert!(parts.is_array && !parts.cut);
        let elements: Vec<&str> = parts.elements.iter().map(|range| cut(text, range)).collect();
        assert_eq!(elements, ["{\"a\": 1}", "[2, 3]", "\"x,y\""]);
        assert!(scan("{\"a\": [1, 2", 4).cut);
        assert!(scan("\n{\"a\": 1}\n{broken\n{\"a\": 2}", 3).lines);
        assert!(!scan("{\"a\": 1}", 3).lines);
        assert_eq!(scan("", 1), Parts::default());
    }
}
