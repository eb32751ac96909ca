//! How much of a foreign file is taken in: a hostile one must be refused before it fills the memory.
//!
//! Together they keep an import under 512 MiB: at its worst the text of one document and its tree are there at once, then the
//! tree and the events that are made of it.

/// Nesting of JSON.
pub(super) const MAX_DEPTH: usize = 200;
/// Bytes of one JSON document: a member, a line, or a file that is one document.
pub(super) const MAX_DOCUMENT: u64 = 160 << 20;
/// Bytes that the tree of a document takes, estimated.
pub(super) const MAX_TREE: usize = 224 << 20;
/// Bytes that JSON inside of a text takes as a tree, estimated; what takes more stays a text.
pub(super) const MAX_INNER_TREE: usize = 64 << 20;
/// Bytes that the attributes of all spans of a trace take, estimated.
pub(super) const MAX_SPAN_TREES: usize = 96 << 20;
/// Bytes that the facts of a trial take that no event holds: metadata and tools.
pub(super) const MAX_FACTS: usize = 16 << 20;
/// Bytes of all texts of the events of one trial.
pub(super) const MAX_TRIAL_TEXT: usize = 160 << 20;
/// Events of one trial.
pub(super) const MAX_EVENTS: usize = 1_000_000;
/// Trials of one log.
pub(super) const MAX_TRIALS: usize = 1_000_000;
/// Members of a zip.
pub(super) const MAX_MEMBERS: usize = 2_000_000;
/// Bytes of a zip's directory.
pub(super) const MAX_DIRECTORY: u64 = 256 << 20;
/// How often a member may unpack to its packed size; below [`RATIO_FROM`] bytes nobody looks. Repetitive logs reach 200.
pub(super) const MAX_RATIO: u64 = 1000;
/// A member that unpacks to no more than this is no bomb.
pub(super) const RATIO_FROM: u64 = 16 << 20;
/// Spans of all traces of an OTLP file.
pub(super) const MAX_SPANS: usize = 2_000_000;
