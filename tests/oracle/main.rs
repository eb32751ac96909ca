//! Numbers and verdicts made by programs that nobody here wrote. Data only is kept here; each folder says its source.

#![allow(clippy::unwrap_used)] // a test stops at the first thing that is not as it should be

mod agreement;
mod sql_structure;
mod support;
