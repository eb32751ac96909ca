//! The content address of a snapshot's data.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// SHA-256 over the canonical data part of a manifest: what a trace is pinned to. Descriptions and truth are not
/// part of it, so editing a task orphans no archive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Revision([u8; 32]);

impl Revision {
    /// A revision from its 32 bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The first 12 hex digits, as folders and tables show it.
    pub fn short(&self) -> String {
        hex::encode(&self.0[..6])
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Revision({self})")
    }
}

/// The text is not a revision.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a revision: it must be 64 hex digits")]
pub struct InvalidRevision(String);

impl FromStr for Revision {
    type Err = InvalidRevision;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes)
            .map_err(|_| InvalidRevision(text.chars().take(80).collect()))?;
        Ok(Self(bytes))
    }
}

impl TryFrom<String> for Revision {
    type Error = InvalidRevision;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Revision> for String {
    fn from(revision: Revision) -> Self {
        revision.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::Revision;

    #[test]
    fn text_and_bytes_agree() {
        let revision = Revision::from_bytes([0xab; 32]);
        assert_eq!(revision.to_string().parse::<Revision>().unwrap(), revision);
        assert_eq!(revision.short(), "abababababab");
        for wrong in ["", "ab", &"g".repeat(64), &"ab".repeat(33)] {
            assert!(wrong.parse::<Revision>().is_err(), "{wrong}");
        }
    }
}
