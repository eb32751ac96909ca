//! Packs: the shipped ones are right, and whatever is wrong in one is found.
#![allow(clippy::unwrap_used)] // a test that can't go on should stop

mod broken;
mod derivation;
mod private;
mod shipped;
mod ways;
