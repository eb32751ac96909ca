//! Packs: versioned sets of tasks over snapshots. `brief` is what an actor may see, `vault` what only an evaluator may.
//!
//! A build without the feature `vault` has no vault at all: neither these modules nor the embedded files that they read.
//!
//! A pack is a folder of TOML and text (`docs/packs.md`), embedded or on disk. Not here: whether a pack is right
//! (`scoring`), how a task is worked on (`harness`).

mod brief;
mod embedded;
mod error;
mod expand;
mod files;
#[cfg(feature = "vault")]
mod links;
mod skeleton;
#[cfg(feature = "vault")]
mod truth;
#[cfg(feature = "vault")]
pub mod vault;

pub use brief::{Access, Criterion, PACK_FORMAT, Pack, RubricLevel};
pub use embedded::{embedded, find};
pub use error::{PackProblem, Place};
pub use expand::expand;
pub use files::PackFiles;
/// Whether this program was built with the vaults of its packs, and with what works on them.
pub const HAS_VAULTS: bool = cfg!(feature = "vault");

pub use skeleton::write_empty_pack;
#[cfg(feature = "vault")]
pub use skeleton::write_skeleton;
