//! The packages compiled into the binary, opened without touching the disk: the three reference enterprises, smallest
//! first.

use super::{Manifest, Snapshot, Source};

/// Manifest and data of each embedded package.
const PACKAGES: &[(&[u8], &[u8])] = &[
    (
        include_bytes!("../../snapshots/small/manifest.json"),
        include_bytes!("../../snapshots/small/data.sqlite.zst"),
    ),
    (
        include_bytes!("../../snapshots/medium/manifest.json"),
        include_bytes!("../../snapshots/medium/data.sqlite.zst"),
    ),
    (
        include_bytes!("../../snapshots/large/manifest.json"),
        include_bytes!("../../snapshots/large/data.sqlite.zst"),
    ),
];

/// The embedded packages. A broken one would be left out; a test opens each.
pub fn embedded() -> Vec<Snapshot> {
    PACKAGES
        .iter()
        .filter_map(|(manifest, data)| {
            Some(Snapshot { manifest: Manifest::parse(manifest).ok()?, source: Source::Embedded(data) })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{PACKAGES, embedded};

    #[test]
    fn each_embedded_package_is_sound() {
        let all = embedded();
        assert_eq!(all.len(), PACKAGES.len());
        for snapshot in all {
            assert_eq!(crate::snapshot::verify(&snapshot), Vec::new(), "{}", snapshot.manifest.name);
        }
    }
}
