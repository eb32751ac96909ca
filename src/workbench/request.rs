//! Requests to services by number: a reply that nobody waits for any more is dropped.

use super::event::Moment;
use serde::Serialize;
use std::collections::BTreeMap;

/// A case is being opened: nothing can be run or submitted in the one before, which is being left.
pub const OPENING: &str = "opening the case";
/// The answer is being recorded: it can be given once.
pub const RECORDING: &str = "recording the answer";
/// Rows are being written to a file.
pub const WRITING: &str = "writing the file";

/// Which request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct RequestId(pub u64);

impl RequestId {
    /// That of what nobody asked for.
    pub const NOBODY: Self = Self(0);
}

/// Requests that are outstanding.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Requests {
    last: u64,
    open: BTreeMap<RequestId, Outstanding>,
}

/// A request that was not answered yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outstanding {
    /// What is being done, in a few words: "opening the case".
    pub what: &'static str,
    /// Since when.
    pub since: Moment,
}

impl Requests {
    /// Begins a request.
    pub fn begin(&mut self, what: &'static str, since: Moment) -> RequestId {
        self.last += 1;
        let id = RequestId(self.last);
        self.open.insert(id, Outstanding { what, since });
        id
    }

    /// Ends a request: whether it was outstanding.
    pub fn end(&mut self, id: RequestId) -> bool {
        self.open.remove(&id).is_some()
    }

    /// Whether a request is outstanding.
    pub fn is_open(&self, id: RequestId) -> bool {
        self.open.contains_key(&id)
    }

    /// Whether nothing is outstanding.
    pub fn is_settled(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether something of this kind is outstanding, such as [`OPENING`].
    pub fn has(&self, what: &str) -> bool {
        self.open.values().any(|it| it.what == what)
    }

    /// What is outstanding, oldest first.
    pub fn open(&self) -> impl Iterator<Item = (RequestId, &Outstanding)> {
        self.open.iter().map(|(id, what)| (*id, what))
    }
}

#[cfg(test)]
mod tests {
    use super::Requests;
    use std::time::Duration;

    #[test]
    fn a_request_ends_once() {
        let mut requests = Requests::default();
        let one = requests.begin("one", Duration::ZERO);
        let other = requests.begin("other", Duration::ZERO);
        assert_ne!(one, other);
        assert!(requests.end(one));
        assert!(!requests.end(one));
        assert!(!requests.is_settled());
        assert_eq!(requests.open().next().unwrap().1.what, "other");
        assert!(requests.end(other) && requests.is_settled());
    }
}
