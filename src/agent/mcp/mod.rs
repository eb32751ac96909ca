//! The MCP server: any client of the Model Context Protocol works on a trial with the same tools, limits and record as
//! everybody else (`docs/agents.md`).
//!
//! A trial stays in the thread that runs it (`inbox`); what clients want reaches it through an [`Endpoint`], which the
//! protocol's side holds. Whatever the client does, the trial's thread alone decides what is done and recorded, one call after
//! the other. There is no state of sessions: over HTTP the token of the URL says which trial is meant.
//!
//! This folder is the only place that knows the protocol's library. Not here: what tools do, limits, records (`harness`).

mod endpoint;
mod handler;
mod http;
mod http_actor;
mod inbox;
mod offer;
mod pumps;
mod results;
mod stdio;
mod stdio_actor;
mod token;
mod tools;

pub use endpoint::Endpoint;
pub use http::{HttpDoor, HttpServer};
pub use http_actor::{McpOverHttp, Opened};
pub use inbox::{Inbox, Left, Served, endpoint, serve};
pub use offer::Offer;
pub use stdio::serve_streams;
pub use stdio_actor::McpOverStdio;

use crate::archive::ActorRecord;
use crate::domain::trial::ActorKind;
use std::collections::BTreeMap;
use std::time::Duration;

/// Longest message that is read, in bytes. A call may take 4 MiB; JSON may spell that twice as long.
const MAX_MESSAGE: usize = 10 << 20;

/// How long the client of a recorded run may be without a sign.
pub fn idle_of(record: &ActorRecord) -> Option<Duration> {
    let seconds = record.settings.get("idle_seconds").and_then(serde_json::Value::as_f64);
    seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
}

/// What is kept of a client as an actor. Which one it was, it says only once it is connected: the trace has it.
fn record(transport: &str, idle: Option<Duration>) -> ActorRecord {
    let mut settings = BTreeMap::from([("transport".to_owned(), transport.into())]);
    if let Some(idle) = idle {
        settings.insert("idle_seconds".to_owned(), idle.as_secs_f64().into());
    }
    // A client may have a shell beside the tools.
    ActorRecord { kind: ActorKind::Mcp, name: "mcp".to_owned(), confined: false, settings }
}
