//! Evidence: recording, chains, damage, kills, resume, replay.

mod damage;
mod killed;
mod oracle_run;
mod recording;
mod replay;
mod resume;
mod schemas;
mod secrets;
mod support;
