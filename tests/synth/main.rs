//! The synthetic enterprise: believable, consistent, and the same for the same seed.
#![allow(clippy::unwrap_used)] // a test that can't go on should stop

mod determinism;
mod invariants;
mod invariants_accounts;
mod invariants_activity;
mod invariants_names;
mod invariants_order;
mod invariants_spread;
mod invariants_things;
mod packages;
mod rates;
mod shapes;
mod support;
