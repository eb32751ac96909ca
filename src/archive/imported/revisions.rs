//! Revisions of foreign traces. Others name the plain SHA-256 of a SQLite file; the store knows its packages by that, too.

use crate::archive::run_file::RevisionRecord;
use crate::domain::Revision;
use crate::snapshot::Store;
use std::collections::HashMap;

/// What stands where nobody said anything.
const NOT_RECORDED: &str = "not recorded";
/// The name of a revision that the store does not have.
const FOREIGN: &str = "foreign";

/// The revision that a foreign text names: `sha256:` and 64 hex digits, or these alone.
pub fn foreign_revision(text: &str) -> Option<Revision> {
    let hex = text.trim();
    let hex = hex.strip_prefix("sha256:").or_else(|| hex.strip_prefix("sha256-")).unwrap_or(hex);
    hex.to_ascii_lowercase().parse().ok()
}

/// Whether a record is of a snapshot that the store had when the run was imported.
pub fn is_known(record: &RevisionRecord) -> bool {
    record.name != FOREIGN && record.name != NOT_RECORDED
}

/// The revisions of an import.
#[derive(Debug, Default)]
pub(super) struct Revisions {
    by_text: HashMap<String, Revision>,
    records: Vec<(RevisionRecord, String)>,
}

impl Revisions {
    /// The revision of a trial: that of the store whose database has this digest, else the digest itself. Trials that name
    /// none stand under a revision of zeros.
    pub(super) fn find(&mut self, store: &Store, text: Option<&str>) -> Revision {
        let key = text.unwrap_or_default();
        if let Some(known) = self.by_text.get(key) {
            return *known;
        }
        let named = text.and_then(foreign_revision);
        let found = named.and_then(|named| store.find(&named.to_string()).ok());
        let record = if let Some(snapshot) = found {
            let manifest = snapshot.manifest;
            RevisionRecord {
                revision: manifest.revision,
                name: manifest.name,
                organisation: manifest.organisation,
                release_date: manifest.release_date.to_string(),
                sqlite_sha256: manifest.sqlite.sha256,
            }
        } else {
            let revision = named.unwrap_or_else(|| Revision::from_bytes([0; 32]));
            RevisionRecord {
                revision,
                name: if named.is_some() { FOREIGN } else { NOT_RECORDED }.to_owned(),
                organisation: NOT_RECORDED.to_owned(),
                release_date: NOT_RECORDED.to_owned(),
                sqlite_sha256: revision.to_string(),
            }
        };
        let revision = record.revision;
        self.by_text.insert(key.to_owned(), revision);
        if !self.records.iter().any(|(known, _)| known.revision == revision) {
            self.records.push((record, key.chars().take(200).collect()));
        }
        revision
    }

    pub(super) fn records(self) -> Vec<RevisionRecord> {
        self.records.into_iter().map(|(record, _)| record).collect()
    }

    /// Names of those that the store has.
    pub(super) fn known(&self) -> Vec<String> {
        self.records.iter().filter(|(it, _)| is_known(it)).map(|(it, _)| it.name.clone()).collect()
    }

    /// Those that it has not, in the words of the sources.
    pub(super) fn foreign(&self) -> Vec<String> {
        self.records
            .iter()
            .filter(|(it, text)| !is_known(it) && !text.is_empty())
            .map(|(_, text)| text.clone())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Revisions, foreign_revision};
    use crate::snapshot::{Store, embedded};

    #[test]
    fn a_database_is_found_by_its_digest_and_others_are_kept_as_they_are() {
        let small = &embedded()[0].manifest;
        let mut revisions = Revisions::default();
        let store = Store::new(None);
        let text = format!("sha256:{}", small.sqlite.sha256);
        assert_eq!(revisions.find(&store, Some(&text)), small.revision);
        let other = "ab".repeat(32);
        assert_eq!(revisions.find(&store, Some(&other)).to_string(), other);
        assert_eq!(revisions.find(&store, None).to_string(), "0".repeat(64));
        assert_eq!(revisions.known(), std::slice::from_ref(&small.name));
        assert_eq!(revisions.foreign(), [other]);
        assert_eq!(foreign_revision("main@3f2c"), None);
    }
}
