//! Server-sent events, taken as the bytes come: <https://html.spec.whatwg.org/multipage/server-sent-events.html>.

/// One event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SseEvent {
    /// Its kind; empty if it has none.
    pub(super) event: String,
    /// Its data, lines joined.
    pub(super) data: String,
}

/// Takes bytes in pieces of any size. The caller bounds how many.
#[derive(Debug, Default)]
pub(super) struct SseParser {
    /// Bytes of the line that is not whole yet.
    line: Vec<u8>,
    /// The last byte was a carriage return: a line feed behind it belongs to it.
    after_return: bool,
    begun: bool,
    event: String,
    data: Option<String>,
}

impl SseParser {
    /// The events that are whole now.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Vec<SseEvent> {
        let mut events = Vec::new();
        for &byte in bytes {
            match byte {
                b'\n' if self.after_return => self.after_return = false,
                b'\n' | b'\r' => {
                    self.after_return = byte == b'\r';
                    events.extend(self.end_line());
                }
                _ => {
                    self.after_return = false;
                    self.line.push(byte);
                }
            }
        }
        events
    }

    /// What the end of the stream leaves: an event whose empty line is missing. The specification drops it; some servers
    /// leave the line out behind the last one.
    pub(super) fn finish(mut self) -> Option<SseEvent> {
        let last = if self.line.is_empty() { None } else { self.end_line() };
        last.or_else(|| self.dispatch())
    }

    fn end_line(&mut self) -> Option<SseEvent> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let line = if self.begun { line.as_ref() } else { line.trim_start_matches('\u{feff}') };
        self.begun = true;
        if line.is_empty() {
            return self.dispatch();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.event),
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            _ => {}
        }
        None
    }

    fn dispatch(&mut self) -> Option<SseEvent> {
        let event = std::mem::take(&mut self.event);
        Some(SseEvent { event, data: self.data.take()? })
    }
}

/// All events of a text.
pub(super) fn events(text: &str) -> Vec<SseEvent> {
    let mut parser = SseParser::default();
    let mut events = parser.feed(text.as_bytes());
    events.extend(parser.finish());
    events
}

#[cfg(test)]
mod tests {
    use super::{SseEvent, SseParser, events};
    use proptest::prelude::*;

    const STREAM: &str = "\u{feff}: hello\r\nevent: a\r\ndata: one\r\ndata:  twö\r\n\r\nid: 3\ndata\n\n\ndata: [DONE]\rretry: 1\r\r";

    fn event(event: &str, data: &str) -> SseEvent {
        SseEvent { event: event.to_owned(), data: data.to_owned() }
    }

    #[test]
    fn lines_of_every_ending_comments_and_empty_data() {
        assert_eq!(events(STREAM), [event("a", "one\n twö"), event("", ""), event("", "[DONE]")]);
        assert_eq!(events("data: x"), [event("", "x")]);
        assert_eq!(events("event: x\n\n"), []);
    }

    #[test]
    fn a_split_at_any_byte_changes_nothing() {
        let whole = events(STREAM);
        for at in 0..=STREAM.len() {
            let mut parser = SseParser::default();
            let mut found = parser.feed(&STREAM.as_bytes()[..at]);
            found.extend(parser.feed(&STREAM.as_bytes()[at..]));
            found.extend(parser.finish());
            assert_eq!(found, whole, "at {at}");
        }
    }

    proptest! {
        #[test]
        fn pieces_of_any_bytes_give_what_the_whole_gives(bytes in prop::collection::vec(prop::sample::select(b"dat:e \r\n\xc3".to_vec()), 0..80), cuts in prop::collection::vec(0_usize..80, 0..6)) {
            let mut whole = SseParser::default();
            let mut expected = whole.feed(&bytes);
            expected.extend(whole.finish());
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).chain([0, bytes.len()]).collect();
            cuts.sort_unstable();
            let mut parser = SseParser::default();
            let mut found = Vec::new();
            for pair in cuts.windows(2) {
                found.extend(parser.feed(&bytes[pair[0]..pair[1]]));
            }
            found.extend(parser.finish());
            prop_assert_eq!(found, expected);
        }
    }
}
