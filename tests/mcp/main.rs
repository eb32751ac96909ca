//! MCP clients and programs against the real binary: what they may do, what they must not, and that the archive is sound each
//! time. Clients that nobody here wrote are in `tests/conformance`.

#![allow(clippy::unwrap_used)] // a test stops at the first thing that is not as it should be

mod command;
mod hostile;
mod http;
mod over_http;
mod over_stdio;
mod signals;
mod stdio;
mod support;
