//! Reading the oracle's files.

use std::path::{Path, PathBuf};

/// A file of the oracle.
pub(crate) fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle").join(name)
}

/// The text of a file of the oracle.
pub(crate) fn text(name: &str) -> String {
    std::fs::read_to_string(path(name)).expect(name)
}

/// The values of a JSON Lines file.
pub(crate) fn json_lines(name: &str) -> Vec<serde_json::Value> {
    text(name).lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}
