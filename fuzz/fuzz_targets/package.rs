//! Any bytes as a manifest, and as a file to import: no panic, and whatever is accepted reads back the same.

#![no_main]

use casebook::snapshot::{Facts, Manifest, Store, import};
use libfuzzer_sys::fuzz_target;
use std::time::SystemTime;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(manifest) = Manifest::parse(bytes) {
        assert_eq!(manifest.to_file(), bytes);
    }
    let folder = tempfile_folder();
    let source = folder.join("source");
    std::fs::write(&source, bytes).expect("the temporary folder can be written");
    let store = Store::new(Some(&folder.join("data")));
    let facts = Facts { release_date: "2026-06-30".parse().ok(), ..Facts::default() };
    match import(&store, &source, &facts, SystemTime::now(), &mut |_| true) {
        Ok(outcome) => assert!(outcome.snapshot.problems().is_empty()),
        Err(_) => {
            let left = std::fs::read_dir(folder.join("data/snapshots")).map_or(0, Iterator::count);
            assert_eq!(left, 0, "a refused import left something");
        }
    }
    std::fs::remove_dir_all(&folder).expect("the temporary folder can be removed");
});

fn tempfile_folder() -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("casebook-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder can be made");
    folder
}
