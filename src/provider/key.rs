//! Keys: from a named environment variable or a file that only its owner can read, never from settings. A key is shown to
//! nobody but the provider; whatever the provider says of it is taken out before anybody else sees it.

use super::error::SettingsError;
use super::settings::Shape;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// What stands in a key's place.
const REMOVED: &str = "[secret removed]";
/// A shorter one could not be told from ordinary text where it must be taken out.
const SHORTEST: usize = 8;
const LONGEST: u64 = 8 << 10;

/// Where a key is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeySource {
    /// An environment variable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub env: Option<String>,
    /// A file that only its owner can read; an absolute path, or one that begins with `~/`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// The header that carries it alone, where it is not the shape's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
}

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The variable is not there, or empty.
    #[error("the environment variable {0} holds no key; set it, or name another with key.env")]
    NoVariable(String),
    /// The file can't be read.
    #[error("can't read the key file {path}: {source}", path = .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is not for its owner alone.
    #[error("the key file {path} {reason}", path = .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// Why, and what to do.
        reason: String,
    },
    /// What is there can't be a key.
    #[error("what {source_name} holds can't be a key: {reason}")]
    NoKey {
        /// The variable or the file.
        source_name: String,
        /// Why.
        reason: &'static str,
    },
}

/// A key. It is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

impl KeySource {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        let reason = match (&self.env, &self.file) {
            (Some(_), Some(_)) => "give either the variable (env) or the file, not both",
            (None, None) => "name the variable (env) or the file that holds it",
            (Some(name), None) if name.is_empty() || name.contains(['=', '\0']) => {
                "no variable can have this name"
            }
            (None, Some(path)) if !path.is_absolute() && !path.starts_with("~") => {
                return Err(SettingsError::new(
                    "key.file",
                    "give an absolute path, or one that begins with ~/",
                ));
            }
            _ => {
                let fits = |name: &String| reqwest::header::HeaderName::from_bytes(name.as_bytes()).is_ok();
                if self.header.as_ref().is_none_or(fits) {
                    return Ok(());
                }
                return Err(SettingsError::new("key.header", "no header can have this name"));
            }
        };
        Err(SettingsError::new("key", reason))
    }

    /// Reads the key. `variable` gives an environment variable.
    ///
    /// # Errors
    /// [`KeyError`]. None of them shows what was read.
    pub fn read(&self, variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> Result<Key, KeyError> {
        if let Some(path) = &self.file {
            let path = match (path.strip_prefix("~"), variable("HOME")) {
                (Ok(rest), Some(home)) => PathBuf::from(home).join(rest),
                _ => path.clone(),
            };
            return Key::checked(&path.display().to_string(), &read_private(&path)?);
        }
        let name = self.env.clone().unwrap_or_default();
        let value = variable(&name).filter(|value| !value.is_empty());
        let value = value.ok_or_else(|| KeyError::NoVariable(name.clone()))?;
        Key::checked(&name, value.to_string_lossy().as_ref())
    }

    /// The header that carries the key, and what stands in it.
    pub(super) fn header(&self, shape: Shape, key: &Key) -> (String, String) {
        match (&self.header, shape) {
            (Some(name), _) => (name.to_ascii_lowercase(), key.0.clone()),
            (None, Shape::OpenAi) => ("authorization".to_owned(), format!("Bearer {}", key.0)),
            (None, Shape::Anthropic) => ("x-api-key".to_owned(), key.0.clone()),
        }
    }
}

/// Reads a file that is its owner's alone. What is checked is the file that was opened, not whatever has its name by then.
fn read_private(path: &Path) -> Result<String, KeyError> {
    let unreadable = |source| KeyError::Unreadable { path: path.to_owned(), source };
    let wrong = |reason: &str| KeyError::Open { path: path.to_owned(), reason: reason.to_owned() };
    // A pipe in its place would be waited for for ever.
    if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(wrong("is not a file"));
    }
    let file = File::open(path).map_err(unreadable)?;
    let about = file.metadata().map_err(unreadable)?;
    if !about.is_file() {
        return Err(wrong("is not a file"));
    }
    if about.uid() != rustix::process::geteuid().as_raw() {
        return Err(wrong("belongs to somebody else; keep a copy of your own"));
    }
    if about.mode() & 0o077 != 0 {
        return Err(wrong(&format!(
            "can be read by others (mode {:03o}); make it yours alone with `chmod 600`",
            about.mode() & 0o777
        )));
    }
    let mut text = Vec::new();
    file.take(LONGEST + 1).read_to_end(&mut text).map_err(unreadable)?;
    if text.len() as u64 > LONGEST {
        return Err(wrong("is longer than any key"));
    }
    // What is no text can't be a key; the check of its characters says so.
    Ok(String::from_utf8_lossy(&text).into_owned())
}

impl Key {
    fn checked(source: &str, text: &str) -> Result<Self, KeyError> {
        let no_key = |reason| KeyError::NoKey { source_name: source.to_owned(), reason };
        let text = text.trim();
        if text.len() < SHORTEST {
            return Err(no_key("it is shorter than 8 characters, and could not be kept out of the record"));
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(no_key("it has a character that can't be in a header"));
        }
        Ok(Self(text.to_owned()))
    }

    /// The key itself, for those who must keep it out of what they write.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The text without the key, however JSON spells it.
    pub(super) fn remove_from(&self, text: &str) -> String {
        let (key, bytes) = (self.0.as_bytes(), text.as_bytes());
        let mut clean = String::with_capacity(text.len());
        let (mut at, mut copied) = (0, 0);
        while at < bytes.len() {
            if let Some(length) = spelled(key, &bytes[at..]) {
                clean.push_str(&text[copied..at]);
                clean.push_str(REMOVED);
                at += length;
                copied = at;
            } else {
                at += 1;
            }
        }
        clean.push_str(&text[copied..]);
        clean
    }
}

/// How many bytes the key takes at the beginning of these: each character as itself, or as JSON escapes it, or JSON in a text
/// in JSON, however deep. A little too much is taken for the key rather than too little.
fn spelled(key: &[u8], bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    for (nth, &wanted) in key.iter().enumerate() {
        // Deeper than six texts in each other nobody nests; and a flood of them must not take for ever.
        let slashes = bytes[at..].iter().take(64).take_while(|byte| **byte == b'\\').count();
        if wanted == b'\\' && slashes > 0 {
            // All of them: those of the next character, and of another backslash of the key, too.
            at += slashes;
            at += escaped(wanted, &bytes[at..], slashes).unwrap_or(0);
            continue;
        }
        if wanted == b'\\' && nth > 0 && key[nth - 1] == b'\\' {
            continue;
        }
        let rest = &bytes[at + slashes..];
        at += slashes;
        if let Some(length) = escaped(wanted, rest, slashes) {
            at += length;
        } else if rest.first() == Some(&wanted) {
            // Before the first character they belong to something else, unless it is one that is escaped.
            if nth == 0 && slashes > 0 && !matches!(wanted, b'"' | b'/') {
                return None;
            }
            at += 1;
        } else {
            return None;
        }
    }
    Some(at)
}

/// The length of `uXXXX` behind its backslash, if it stands for this character.
fn escaped(wanted: u8, rest: &[u8], slashes: usize) -> Option<usize> {
    let digits = rest.strip_prefix(b"u")?.get(..4)?;
    let code = u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    (slashes > 0 && code == u32::from(wanted)).then_some(5)
}

#[cfg(test)]
mod tests {
    use super::{Key, KeySource};
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    const CANARY: &str = "sk-canary/\"0123\\456";

    fn source(env: Option<&str>, file: Option<&std::path::Path>) -> KeySource {
        KeySource { env: env.map(str::to_owned), file: file.map(Into::into), header: None }
    }

    #[test]
    fn a_key_is_taken_out_however_json_spells_it() {
        let key = Key::checked("X", CANARY).unwrap();
        let json = serde_json::Value::from(CANARY).to_string();
        let escaped: Vec<String> = CANARY.chars().map(|c| format!("\\u{:04X}", u32::from(c))).collect();
        let escaped = escaped.concat();
        let slashed = json.replace('/', "\\/");
        let text = format!("ä {CANARY} {json} {escaped} {slashed} sk-canary \\u00");
        let clean = key.remove_from(&text);
        assert_eq!(
            clean,
            "ä [secret removed] \"[secret removed]\" [secret removed] \"[secret removed]\" sk-canary \\u00"
        );
        // JSON in texts in JSON, as arguments of calls come.
        let mut nested = format!("\\{CANARY}\n");
        for _ in 0..5 {
            nested = serde_json::Value::from(nested).to_string();
            let clean = key.remove_from(&nested);
            assert!(clean.contains("[secret removed]") && !clean.contains("canary"), "{clean}");
            assert!(serde_json::from_str::<serde_json::Value>(&clean).is_ok(), "{clean}");
        }
        let twice = Key::checked("X", "a\\\\b12345").unwrap();
        assert_eq!(twice.remove_from("x a\\\\b12345 a\\\\\\\\b12345"), "x [secret removed] [secret removed]");
        assert_eq!(key.remove_from(&"\\".repeat(100_000)).len(), 100_000);
        assert_eq!(format!("{key:?}"), "Key(…)");
    }

    #[test]
    fn only_a_file_of_its_owner_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        fs::write(&path, format!("{CANARY}\n")).unwrap();
        let read = |path: &std::path::Path| source(None, Some(path)).read(|_| None);
        for (mode, fine) in [(0o644, false), (0o640, false), (0o602, false), (0o600, true), (0o400, true)] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            match read(&path) {
                Ok(key) => assert!(fine && key.reveal() == CANARY, "{mode:o}"),
                Err(error) => {
                    let error = error.to_string();
                    assert!(!fine && error.contains("chmod 600") && !error.contains("canary"), "{error}");
                }
            }
        }
        assert!(read(folder.path()).unwrap_err().to_string().contains("is not a file"));
        assert!(read(&folder.path().join("none")).unwrap_err().to_string().contains("can't read"));
        let home = source(None, Some("~/key".as_ref()));
        let key = home.read(|name| (name == "HOME").then(|| folder.path().into())).unwrap();
        assert_eq!(key.reveal(), CANARY);
    }

    #[test]
    fn a_variable_without_a_key_is_named_and_never_shown() {
        let read = |value: Option<&str>| {
            source(Some("MY_KEY"), None).read(|_| value.map(Into::into)).map_err(|error| error.to_string())
        };
        assert!(read(None).unwrap_err().contains("MY_KEY holds no key"));
        assert!(read(Some("")).unwrap_err().contains("MY_KEY holds no key"));
        for bad in ["tiny", "canary with space", "canary-ä-canary"] {
            let error = read(Some(bad)).unwrap_err();
            assert!(error.contains("what MY_KEY holds can't be a key") && !error.contains(bad), "{error}");
        }
        assert_eq!(read(Some(" sk-canary-1 \n")).unwrap().reveal(), "sk-canary-1");
    }
}
