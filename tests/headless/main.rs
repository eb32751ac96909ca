//! The workbench driven by JSON lines: whole journeys of a user, in the same process, with time counted by events.

#![allow(clippy::unwrap_used)] // a test stops at the first thing that is not as it should be
#![allow(clippy::needless_pass_by_value)] // requests are written where they are given

mod every_command;
mod journey;
mod pages;
mod protocol;
mod replay;
mod replaying;
mod robust;
mod scored;
mod support;
mod wishes;
mod work;
