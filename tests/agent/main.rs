//! Models at work: the chat clients and the loop, against a server of our own that plays scripts.

#![allow(clippy::unwrap_used)] // a test stops at the first thing that is not as it should be

mod answers;
mod asking_again;
mod budgets;
mod hostile;
mod keys;
mod prompts;
mod recording;
mod refusals;
mod runs;
mod server;
mod solving;
mod stopping;
mod support;
mod words;
