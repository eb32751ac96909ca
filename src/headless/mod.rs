//! The workbench without a terminal: driven by JSON lines (`docs/headless.md`), or line by line for people who can't use a
//! screen.
//!
//! It is the same machine with the same commands. Not here: what commands do. Nothing sleeps to wait for something: an answer says
//! `settled` when nothing is outstanding.

mod picture;
pub mod plain;
pub mod protocol;
mod runner;

pub use runner::{Clocked, Runner};
