//! A query on a private copy: isolation, clock, seed, guard, limits. One file an idea.

#![allow(clippy::unwrap_used)] // a test stops at the first thing that is not as it should be

mod clock;
mod hostile;
mod isolation;
mod limits;
mod randomness;
mod refusal;
mod support;
