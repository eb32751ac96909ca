//! Evidence: recording, chains, damage, kills, resume, replay.

#![allow(clippy::unwrap_used)] // a test stops at the first thing that fails

mod damage;
mod demo;
mod hostile;
mod isolated;
mod killed;
mod oracle_run;
mod recording;
mod replay;
mod resume;
mod schemas;
mod secrets;
mod support;
