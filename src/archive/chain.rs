//! The chain of lines: each names the digest of the one before, so that no line can be changed, dropped or moved alone.

use sha2::{Digest as _, Sha256};

/// What the first line names as the one before it.
pub const NO_LINE: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// SHA-256 of a line without its line end, in lower-case hex.
pub fn line_digest(line: &[u8]) -> String {
    hex::encode(Sha256::digest(line))
}
