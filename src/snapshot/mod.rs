//! Frozen enterprises: the package format, its content address, the store, import and export.
//!
//! A package is a folder of two files, `manifest.json` and `data.sqlite.zst` (`docs/snapshots.md`). It never changes; its
//! [`Revision`](crate::domain::Revision) names its data for ever. Packages come embedded in the binary (`embedded`) or lie
//! in the store (`store`), where `import` puts them whole or not at all.
//!
//! Not here: tasks, truth, queries. What is in a package is untrusted: sizes are bounded, paths are checked, and names
//! are shown through `text::visible`.

mod canonical_json;
mod checksum;
mod data_folder;
mod embedded;
mod error;
mod export;
mod import;
mod manifest;
mod package;
mod sqlite_file;
mod store;
mod verify;

pub use data_folder::data_folder;
pub use embedded::embedded;
pub use error::{ImportError, PackageError, StoreError};
pub use export::{ExportForm, export};
pub use import::{Facts, ImportOutcome, Progress, import};
pub use manifest::{FORMAT, FileDigest, Manifest, Origin, check_name};
pub use package::{DATA_FILE, MANIFEST_FILE, Snapshot, Source, create_package};
pub use store::{Entry, Store};
pub use verify::{Problem, verify, verify_folder};
