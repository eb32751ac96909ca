//! Real processes in a pseudo-terminal: what they show, and what they leave behind.
//!
//! [`support`] is the harness. [`child`] is a small program made of the parts of the terminal's room, run in place of the
//! workbench where a test needs something that the workbench must not have, such as a key that hangs. [`workbench`] is the
//! workbench itself.

#![allow(clippy::unwrap_used)] // a test stops at the first thing that is not as it should be

mod child;
mod harness;
mod leaving;
mod speaking;
mod support;
mod workbench;
