//! The packs compiled into the binary, and packs found by name or path.

use super::{Pack, PackFiles, PackProblem};
use std::path::PathBuf;

/// The files of a pack, as they lie under `packs/`: those that an actor may see, and behind `vault` the others, which a build
/// without vaults does not hold.
macro_rules! files {
    ($pack:literal: $($file:literal),*; vault: $($vault:literal),* $(,)?) => {
        &[
            $(($file, include_str!(concat!("../../packs/", $pack, "/", $file))),)*
            $(#[cfg(feature = "vault")]
            ($vault, include_str!(concat!("../../packs/", $pack, "/", $vault))),)*
        ]
    };
}

/// Path in the pack, and text.
type Files = &'static [(&'static str, &'static str)];

const VISIBILITY: Files = files!("visibility":
    "pack.toml",
    "prompts/system.md",
    "prompts/brief.md",
    "rubric.toml",
    "tasks/aws.toml",
    "tasks/google-workspace.toml",
    "tasks/inventory.toml",
    "tasks/okta.toml";
    vault:
    "links.toml",
    "reference/aws.toml",
    "reference/google-workspace.toml",
    "reference/inventory.toml",
    "reference/okta.toml",
);

const CROSS_VENDOR: Files = files!("cross-vendor":
    "pack.toml",
    "prompts/system.md",
    "prompts/brief.md",
    "rubric.toml",
    "tasks/access.toml",
    "tasks/accounts.toml",
    "tasks/factors.toml",
    "tasks/leavers.toml";
    vault:
    "links.toml",
    "reference/access.toml",
    "reference/accounts.toml",
    "reference/factors.toml",
    "reference/leavers.toml",
);

const PRACTICE: Files = files!("practice":
    "pack.toml",
    "prompts/system.md",
    "prompts/brief.md",
    "rubric.toml",
    "tasks/cases.toml";
    vault:
    "links.toml",
    "reference/cases.toml",
);

/// Truth of the embedded packs: pack, first digits of the revision, compressed lines.
#[cfg(feature = "vault")]
pub(super) const TRUTH: &[(&str, &str, &[u8])] = &[
    ("visibility", "cd4c0fa3ef8b", include_bytes!("../../packs/visibility/truth/cd4c0fa3ef8b.jsonl.zst")),
    ("visibility", "5195b2ee37ba", include_bytes!("../../packs/visibility/truth/5195b2ee37ba.jsonl.zst")),
    ("visibility", "7784ff6f7d97", include_bytes!("../../packs/visibility/truth/7784ff6f7d97.jsonl.zst")),
    ("cross-vendor", "cd4c0fa3ef8b", include_bytes!("../../packs/cross-vendor/truth/cd4c0fa3ef8b.jsonl.zst")),
    ("cross-vendor", "5195b2ee37ba", include_bytes!("../../packs/cross-vendor/truth/5195b2ee37ba.jsonl.zst")),
    ("cross-vendor", "7784ff6f7d97", include_bytes!("../../packs/cross-vendor/truth/7784ff6f7d97.jsonl.zst")),
    ("practice", "cd4c0fa3ef8b", include_bytes!("../../packs/practice/truth/cd4c0fa3ef8b.jsonl.zst")),
    ("practice", "5195b2ee37ba", include_bytes!("../../packs/practice/truth/5195b2ee37ba.jsonl.zst")),
    ("practice", "7784ff6f7d97", include_bytes!("../../packs/practice/truth/7784ff6f7d97.jsonl.zst")),
];

/// The embedded packs.
///
/// # Errors
/// [`PackProblem`] of one that can't be read; a test reads them all.
pub fn embedded() -> Result<Vec<Pack>, PackProblem> {
    [VISIBILITY, CROSS_VENDOR, PRACTICE]
        .into_iter()
        .map(|files| Pack::load(PackFiles::Embedded(files)))
        .collect()
}

/// A pack by its embedded name, or by the path of its folder.
///
/// # Errors
/// [`PackProblem`] where there is none, or it can't be read.
pub fn find(asked: &str) -> Result<Pack, PackProblem> {
    let packs = embedded()?;
    let names: Vec<String> = packs.iter().map(|pack| pack.id.clone()).collect();
    if let Some(pack) = packs.into_iter().find(|pack| pack.id == asked) {
        return Ok(pack);
    }
    let folder = PathBuf::from(asked);
    if folder.is_dir() {
        return Pack::load(PackFiles::Folder(folder));
    }
    let reason =
        format!("there is no such pack; built in are {}, and any folder with a pack.toml", names.join(", "));
    Err(PackProblem::of_file(asked, reason))
}
