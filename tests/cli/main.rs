//! The commands as a user types them: output, errors, exit codes. The real binary, with a data folder of its own.

#![allow(clippy::unwrap_used)] // a test stops at the first thing that is not as it should be

mod analyze;
mod help;
mod interrupt;
mod isolate;
mod pack;
mod plain;
mod query;
mod run;
mod schema;
mod snapshot;
mod support;
mod tasks;
