//! Exchanges in a folder, to be given again without a network: for tests, and to repeat a run offline.
//!
//! An exchange is found by what was asked, not by when: the SHA-256 of the scope (which trial, which vote), the address and
//! the body, then the number of the attempt. Keys and headers are no part of it. So the same run, asked the same, gets the
//! same answers, failures included; anything that differs is not found, and said.

use super::error::ProviderError;
use super::exchange::RawExchange;
use sha2::{Digest as _, Sha256};
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// No exchange is longer.
const LONGEST: u64 = 128 << 20;

/// A folder of exchanges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exchanges {
    /// What is asked is written there.
    Record(PathBuf),
    /// What is asked is read there, and nowhere else.
    Replay(PathBuf),
}

impl Exchanges {
    /// Whether answers come from the folder.
    pub const fn is_replay(&self) -> bool {
        matches!(self, Self::Replay(_))
    }

    /// The key of a request.
    pub(super) fn key(scope: &str, target: &str, body: &str) -> String {
        let mut digest = Sha256::new();
        for part in [scope, target, body] {
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        hex::encode(digest.finalize())
    }

    /// Keeps an exchange.
    pub(super) fn keep(
        folder: &Path,
        key: &str,
        attempt: u32,
        exchange: &RawExchange,
    ) -> Result<(), ProviderError> {
        let path = place(folder, key, attempt);
        let write = || -> io::Result<()> {
            let parent = path.parent().unwrap_or(folder);
            fs::create_dir_all(parent)?;
            // Whole or not at all, and for the owner alone, as temporary files are.
            let mut file = tempfile::NamedTempFile::new_in(parent)?;
            file.write_all((serde_json::to_string_pretty(exchange)? + "\n").as_bytes())?;
            file.persist(&path)?;
            Ok(())
        };
        write().map_err(|error| ProviderError::Recording {
            path: path.clone(),
            reason: format!("it can't be written: {error}"),
        })
    }

    /// Gives an exchange again.
    pub(super) fn again(folder: &Path, key: &str, attempt: u32) -> Result<RawExchange, ProviderError> {
        let path = place(folder, key, attempt);
        let wrong = |reason: String| ProviderError::Recording { path: path.clone(), reason };
        let file = match fs::File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(ProviderError::NotRecorded { folder: folder.to_owned(), key: key.to_owned() });
            }
            Err(error) => return Err(wrong(format!("it can't be read: {error}"))),
        };
        let mut text = String::new();
        file.take(LONGEST + 1)
            .read_to_string(&mut text)
            .map_err(|error| wrong(format!("it can't be read: {error}")))?;
        if text.len() as u64 > LONGEST {
            return Err(wrong(format!("it is longer than {} MiB", LONGEST >> 20)));
        }
        serde_json::from_str(&text).map_err(|error| wrong(format!("it is no exchange: {error}")))
    }
}

fn place(folder: &Path, key: &str, attempt: u32) -> PathBuf {
    folder.join(&key[..2]).join(format!("{key}.{attempt}.json"))
}

#[cfg(test)]
mod tests {
    use super::{Exchanges, RawExchange};
    use crate::provider::ProviderError;
    use std::fs;

    #[test]
    fn what_was_kept_comes_again_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let key = Exchanges::key("trial 1", "POST https://x", "{}");
        assert_ne!(key, Exchanges::key("trial ", "1POST https://x", "{}"));
        let exchange = RawExchange { target: "POST https://x".into(), ..RawExchange::default() };
        Exchanges::keep(folder.path(), &key, 1, &exchange).unwrap();
        assert_eq!(Exchanges::again(folder.path(), &key, 1).unwrap(), exchange);
        let missing = Exchanges::again(folder.path(), &key, 2).unwrap_err();
        assert!(matches!(missing, ProviderError::NotRecorded { .. }), "{missing}");
        fs::write(folder.path().join(&key[..2]).join(format!("{key}.1.json")), "{\"targe").unwrap();
        let damaged = Exchanges::again(folder.path(), &key, 1).unwrap_err().to_string();
        assert!(damaged.contains("it is no exchange"), "{damaged}");
    }
}
