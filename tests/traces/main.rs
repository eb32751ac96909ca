//! Foreign traces: real files of other programs, with the counts and texts that each must give; hostile ones, which must be
//! refused with their reason.

#![allow(clippy::unwrap_used)] // a test stops at the first thing that fails

mod archives;
mod atif;
mod commands;
mod exports;
mod hostile;
mod inspect;
mod mutated;
mod one_run;
mod openai;
mod otlp;
mod replaying;
mod support;
mod swe_agent;
