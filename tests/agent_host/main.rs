//! The build for machines that host agents holds no answer, and does what such a machine needs.
//!
//! It has to be built for this, so the test that does it is ignored unless asked for; `.ci/run` asks. That the scan would find
//! the answers is shown on the usual build, each time.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod scan;
mod without_vaults;

use scan::{Secrets, scan};
use std::fs;
use std::path::Path;

/// The scan is no scan unless it finds everything in the build that has it.
#[test]
fn the_usual_build_holds_what_is_looked_for() {
    let found = scan(&fs::read(env!("CARGO_BIN_EXE_casebook")).unwrap(), &Secrets::of_the_repository());
    for kind in [
        "packs/visibility/reference/aws.toml",
        "packs/visibility/reference/inventory.toml",
        "packs/cross-vendor/reference/leavers.toml",
        "packs/practice/reference/cases.toml",
        "packs/cross-vendor/links.toml",
        "packs/visibility/truth/",
        "packs/cross-vendor/truth/",
        "demo/run/blobs/",
        "demo/run/trials/",
    ] {
        assert!(
            found.keys().any(|source| source.starts_with(kind)),
            "{kind} was not found: {:?}",
            found.keys()
        );
    }
}

/// What is found says where, also when it is wrapped in another way.
#[test]
fn a_piece_of_a_reference_is_found_however_it_is_wrapped() {
    let secrets = Secrets::of_the_repository();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("packs/visibility/reference/okta.toml");
    let text = fs::read_to_string(path).unwrap();
    let sql = &text[text.find("sql = \"\"\"").unwrap() + 9..][..200];
    for leaked in [sql.to_owned(), sql.to_uppercase(), sql.replace(' ', "\n\t  ")] {
        let binary = format!("\u{7f}ELF … {leaked} …");
        let found = scan(binary.as_bytes(), &secrets);
        assert!(found.contains_key("packs/visibility/reference/okta.toml"), "{leaked}: {found:?}");
    }
    assert!(scan(b"SELECT count(*) FROM okta_user WHERE status = 'ACTIVE'", &secrets).is_empty());
}
