//! Casebook: people and agents investigate the security posture of a frozen enterprise, and every attempt
//! becomes evidence that replays against the exact bytes it saw.
//!
//! The rooms are arranged in floors (`docs/architecture.md`); imports go down only, and `tests/layering.rs`
//! fails on a line that climbs:
//!
//! * floor 0, pure: [`domain`], [`stats`] (agreement, chance, difference), [`text`], [`sql`]
//! * floor 1: [`snapshot`] (frozen data), [`query`] (a private copy and its guard), [`pack`] (tasks; who may see what),
//!   [`synth`] (the synthetic enterprise), [`provider`] (chat with models over HTTP)
//! * floor 2: [`archive`] (evidence, verified and repeated), [`harness`] (a trial and its tools), [`agent`] (who acts)
//! * floor 3: [`scoring`] (whether a pack, and later an attempt, is right)
//! * floor 6: [`terminal`] (claim and restore, input, signals)
//! * floor 7: [`cli`] (one file a subcommand)

pub mod agent;
pub mod archive;
pub mod cli;
pub mod domain;
pub mod harness;
pub mod headless;
pub mod pack;
pub mod provider;
pub mod query;
#[cfg(feature = "vault")]
pub mod scoring;
pub mod screen;
pub mod services;
pub mod snapshot;
pub mod sql;
pub mod stats;
#[cfg(feature = "vault")]
pub mod synth;
pub mod terminal;
pub mod text;
pub mod workbench;
