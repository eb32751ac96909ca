//! Evidence: what an attempt did, on disk, so that it can be verified and repeated.
//!
//! A run is a folder (`docs/archive.md`): `run.json`, a trace of chained lines and an answer for each trial, full results and
//! long texts as blobs by hash, and `trials.jsonl`, a line for each segment that ended. It is written as the trial goes,
//! append-only, and read with `zstd`, `jq` and `sqlite3` alone. No event claims a result that was not written first.
//!
//! Not here: what an actor may do (`harness`), grades (`scoring`). What is read is untrusted: sizes are bounded, names are
//! checked, nothing is shown without `text::visible`.

mod blobs;
mod canonical_result;
mod chain;
pub mod demo;
mod error;
mod exchange;
pub mod export;
mod find_run;
pub mod import;
pub mod imported;
mod layout;
mod ledger;
mod moment;
mod orphans;
mod reader;
pub mod replay;
mod run_file;
pub mod schemas;
mod secrets;
mod trace_reader;
mod trial_writer;
mod verify;
mod whole_file;
mod writer;

pub use blobs::Blobs;
pub use canonical_result::{CanonicalResult, canonical_result, parse_result};
pub use chain::{NO_LINE, line_digest};
pub use error::ArchiveError;
pub use exchange::{Exchange, HttpMessage};
pub use find_run::find_run;
pub use layout::{ANSWER_FILE, LEDGER_FILE, RUN_FILE};
pub use ledger::LedgerLine;
pub use reader::{Archive, Segment, TrialRecord};
pub use run_file::{
    AGENT_HOST, ActorRecord, ContextRecord, PackRecord, PlannedTask, RUN_FORMAT, RevisionRecord, RunEnd,
    RunFile,
};
pub use secrets::{SECRET_REMOVED, Secrets};
pub use trace_reader::Trace;
pub use trial_writer::TrialWriter;
pub use verify::{Finding, FindingKind, VerifyReport, verify};
pub use writer::{RunWriter, is_being_written};
