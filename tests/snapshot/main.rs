//! Packages, the store, import and export. One file an idea.

#![allow(clippy::unwrap_used)] // a test stops at the first thing that is not as it should be

mod archives;
mod csv_folders;
mod databases;
mod disk_full;
mod exports;
mod logs;
mod packages;
mod sample;
mod store;
mod support;
