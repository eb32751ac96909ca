//! A query on a private copy: isolation, clock, seed, guard, limits. One file an idea.

// A test stops at the first thing that is not as it should be, and a long one says where it is.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod clock;
mod functions;
mod hostile;
mod isolated;
mod isolation;
mod limits;
mod names;
mod randomness;
mod refusal;
mod support;
