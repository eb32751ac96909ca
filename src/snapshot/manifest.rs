//! The manifest of a package: what the frozen enterprise is, and the digests that pin it.

use super::PackageError;
use super::canonical_json::canonical;
use super::checksum::sha256;
use crate::domain::{Revision, SchemaDocument, TableDescription, is_short_name};
use crate::text::visible::visible;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashSet;

/// The version of the package format that this program writes and reads.
pub const FORMAT: u32 = 1;
/// The longest manifest that is read, in bytes.
pub(super) const MAX_MANIFEST_BYTES: u64 = 64 << 20;

/// Size and SHA-256 (lower-case hex) of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileDigest {
    /// SHA-256 in lower-case hex.
    pub sha256: String,
    /// Size in bytes.
    pub bytes: u64,
}

/// Where a package came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Shipped with Casebook.
    Reference,
    /// Invented by `casebook snapshot generate`.
    Generated,
    /// Made from somebody's own data; private.
    Imported,
}

/// The content of `manifest.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of the package format, [`FORMAT`].
    pub format: u32,
    /// Short name: lower-case letters, digits, `.`, `_`, `-`; 1 to 64 of them.
    pub name: String,
    /// Name of the organisation.
    pub organisation: String,
    /// Where it came from.
    pub origin: Origin,
    /// Size label of a generated enterprise, such as `small`.
    pub size: Option<String>,
    /// Seed of a generated enterprise.
    pub seed: Option<u64>,
    /// Name and version of the generator.
    pub generator: Option<String>,
    /// The environment's today.
    pub release_date: Date,
    /// The company's own e-mail domains.
    pub company_domains: Vec<String>,
    /// Tables in the order of the database.
    pub tables: Vec<TableDescription>,
    /// How tables join, for evaluators; never shown to an actor.
    pub join_notes: Vec<String>,
    /// Remarks on the data.
    pub notes: Vec<String>,
    /// The SQLite file inside.
    pub sqlite: FileDigest,
    /// `data.sqlite.zst`.
    pub compressed: FileDigest,
    /// Content address of the data part.
    pub revision: Revision,
    /// SHA-256 of this manifest's canonical JSON without this field.
    pub digest: String,
}

impl Manifest {
    /// A manifest before its data is written: digests, notes and optional facts are empty, and the organisation is called
    /// like the snapshot.
    pub fn draft(name: String, origin: Origin, release_date: Date, tables: Vec<TableDescription>) -> Self {
        let nothing = || FileDigest { sha256: String::new(), bytes: 0 };
        Self {
            format: FORMAT,
            organisation: name.clone(),
            name,
            origin,
            size: None,
            seed: None,
            generator: None,
            release_date,
            company_domains: Vec::new(),
            tables,
            join_notes: Vec::new(),
            notes: Vec::new(),
            sqlite: nothing(),
            compressed: nothing(),
            revision: Revision::from_bytes([0; 32]),
            digest: String::new(),
        }
    }

    /// Sets the revision and the digest to what the other fields make them.
    #[must_use]
    pub fn sealed(mut self) -> Self {
        self.revision = self.computed_revision();
        self.digest = self.computed_digest();
        self
    }

    /// SHA-256 over the canonical data part: format, organisation, release date, tables with row counts, SHA-256 of the
    /// SQLite file. Names, descriptions and notes are not part of it.
    pub fn computed_revision(&self) -> Revision {
        let tables: Vec<Value> =
            self.tables.iter().map(|table| json!({"name": table.name, "rows": table.rows})).collect();
        let data = json!({
            "format": self.format,
            "organisation": self.organisation,
            "release_date": self.release_date.to_string(),
            "tables": tables,
            "sqlite_sha256": self.sqlite.sha256,
        });
        let mut bytes = [0; 32];
        // The digest is 64 hex digits, so this can't fail.
        let _ = hex::decode_to_slice(sha256(canonical(&data).as_bytes()), &mut bytes);
        Revision::from_bytes(bytes)
    }

    /// SHA-256 of the canonical JSON of everything but `digest`.
    pub fn computed_digest(&self) -> String {
        let mut value = serde_json::to_value(self).unwrap_or_default();
        if let Some(map) = value.as_object_mut() {
            map.remove("digest");
        }
        sha256(canonical(&value).as_bytes())
    }

    /// The bytes of `manifest.json`. A file with other bytes of the same meaning is refused, so that one changed byte
    /// anywhere in a package shows.
    pub fn to_file(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }

    /// Reads the bytes of `manifest.json` and checks all that can be checked without the data.
    ///
    /// # Errors
    /// [`PackageError`]: not a manifest, another format, or a digest that does not fit.
    pub fn parse(bytes: &[u8]) -> Result<Self, PackageError> {
        let wrong = |reason: String| PackageError::Manifest(reason);
        let text = std::str::from_utf8(bytes).map_err(|error| wrong(format!("it is not UTF-8 ({error})")))?;
        let value: Value = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        match value.get("format").and_then(Value::as_u64) {
            Some(found) if found != u64::from(FORMAT) => {
                return Err(PackageError::Format { found, supported: FORMAT });
            }
            Some(_) => {}
            None => return Err(wrong("it has no format number".to_owned())),
        }
        let manifest: Self = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        manifest.check()?;
        if manifest.to_file() != bytes {
            return Err(wrong("its bytes are not those that casebook writes: it was edited".to_owned()));
        }
        Ok(manifest)
    }

    fn check(&self) -> Result<(), PackageError> {
        let digest = |what, found: String, wanted: &str| {
            if found == wanted {
                return Ok(());
            }
            Err(PackageError::Digest { file: super::MANIFEST_FILE, what, found, wanted: wanted.to_owned() })
        };
        digest("its own digest", self.computed_digest(), &self.digest)?;
        digest("the revision", self.computed_revision().to_string(), &self.revision.to_string())?;
        check_name(&self.name).map_err(PackageError::Manifest)?;
        if self.tables.is_empty() {
            return Err(PackageError::Manifest("it lists no table".to_owned()));
        }
        let mut names = HashSet::new();
        if let Some(twice) = self.tables.iter().find(|table| !names.insert(table.name.to_ascii_lowercase())) {
            return Err(PackageError::Manifest(format!(
                "it lists the table '{}' twice",
                visible(&twice.name)
            )));
        }
        Ok(())
    }

    /// The document that `get_schema` returns, without touching the database.
    pub fn schema_document(&self) -> SchemaDocument {
        SchemaDocument {
            organisation: self.organisation.clone(),
            dialect: "SQLite".to_owned(),
            release_date: self.release_date,
            company_domains: self.company_domains.clone(),
            tables: self.tables.clone(),
        }
    }
}

/// Whether a short name can be a snapshot's.
///
/// # Errors
/// What is wrong with it.
pub fn check_name(name: &str) -> Result<(), String> {
    if is_short_name(name) {
        return Ok(());
    }
    let shown: String = name.chars().take(80).collect();
    Err(format!(
        "'{}' is no snapshot name: use 1 to 64 of a-z, 0-9, '.', '_' and '-', not beginning with '.' or '-'",
        visible(&shown)
    ))
}

#[cfg(test)]
pub(super) mod tests {
    use super::{FORMAT, FileDigest, Manifest, Origin};
    use crate::domain::{Revision, TableDescription};
    use crate::snapshot::PackageError;

    pub(in crate::snapshot) fn manifest() -> Manifest {
        let file = |byte: &str, bytes| FileDigest { sha256: byte.repeat(32), bytes };
        Manifest {
            format: FORMAT,
            name: "tiny".into(),
            organisation: "Tiny".into(),
            origin: Origin::Imported,
            size: None,
            seed: None,
            generator: None,
            release_date: jiff::civil::date(2026, 6, 30),
            company_domains: vec!["tiny.example".into()],
            tables: vec![TableDescription {
                name: "t".into(),
                description: "things".into(),
                rows: 3,
                columns: vec!["a".into()],
            }],
            join_notes: Vec::new(),
            notes: Vec::new(),
            sqlite: file("ab", 4096),
            compressed: file("cd", 100),
            revision: Revision::from_bytes([0; 32]),
            digest: String::new(),
        }
        .sealed()
    }

    #[test]
    fn a_manifest_reads_back() {
        assert_eq!(Manifest::parse(&manifest().to_file()).unwrap(), manifest());
    }

    #[test]
    fn a_description_changes_the_digest_and_not_the_revision() {
        let mut other = manifest();
        other.tables[0].description = "other things".into();
        other.name = "other".into();
        let other = other.sealed();
        assert_eq!(other.revision, manifest().revision);
        assert_ne!(other.digest, manifest().digest);
    }

    #[test]
    fn each_part_of_the_data_changes_the_revision() {
        let changes: [fn(&mut Manifest); 5] = [
            |m| m.organisation = "Other".into(),
            |m| m.release_date = jiff::civil::date(2026, 7, 1),
            |m| m.tables[0].rows = 4,
            |m| m.tables[0].name = "u".into(),
            |m| m.sqlite.sha256 = "ef".repeat(32),
        ];
        for change in changes {
            let mut other = manifest();
            change(&mut other);
            assert_ne!(other.sealed().revision, manifest().revision);
        }
    }

    #[test]
    fn every_changed_byte_is_caught() {
        let good = manifest().to_file();
        for at in 0..good.len() {
            for flip in [0x01, 0x20, 0x80] {
                let mut bytes = good.clone();
                bytes[at] ^= flip;
                assert!(Manifest::parse(&bytes).is_err(), "byte {at} xor {flip}");
            }
        }
        let mut longer = good.clone();
        longer.push(b'\n');
        assert!(Manifest::parse(&longer).is_err());
        assert!(Manifest::parse(&good[..good.len() - 1]).is_err());
    }

    #[test]
    fn another_format_says_which_is_read() {
        let text = String::from_utf8(manifest().to_file()).unwrap().replace("\"format\": 1", "\"format\": 7");
        let error = Manifest::parse(text.as_bytes()).unwrap_err();
        assert!(matches!(error, PackageError::Format { found: 7, supported: 1 }), "{error}");
    }

    #[test]
    fn names_that_could_mislead_are_refused() {
        for name in ["", "../x", "a/b", "A", "-x", ".hidden", "x\u{1b}[2J", &"a".repeat(65)] {
            let mut other = manifest();
            other.name = name.to_owned();
            let error = Manifest::parse(&other.sealed().to_file()).unwrap_err().to_string();
            assert!(error.contains("is no snapshot name") && !error.contains('\u{1b}'), "{error}");
        }
    }
}
