//! Pictures of the workbench: each page and state, drawn by the headless runner over a small enterprise of its own.
//!
//! A picture that differs makes its test fail. Look at the difference; if it is wanted, record it anew and read what `git diff`
//! shows, since review of pictures is review of the screen:
//!
//! ```text
//! INSTA_UPDATE=always cargo test --test screens
//! ```
//!
//! With `INSTA_UPDATE=no`, as in the gate, nothing is written. Time is counted by events and records have a fixed clock, so nothing
//! that is shown varies. Results are literals or rows of the small enterprise: the embedded snapshots may be generated anew.

#![allow(clippy::unwrap_used)] // a test stops at the first thing that is not as it should be
#![allow(clippy::needless_pass_by_value)] // requests are written where they are given

mod cases;
mod desk;
mod hostile;
mod investigate;
mod kept;
mod overlays;
mod replay;
mod themes;
