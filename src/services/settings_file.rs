//! What the person set by hand: `config.toml`, `keys.toml` and `themes/*.toml` in the configuration folder.
//!
//! A file that is no TOML is moved aside and said, and the workbench goes on without it. Bindings that can't be told apart are an
//! error that names both: nobody should find out by a key that does something else.

use super::kept::{read_text, set_aside};
use crate::workbench::keys::{Keymap, KeymapError};
use serde::Deserialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The settings file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SettingsFile {
    /// The theme: a name, `dark`, `light`, or `auto` for what the terminal is.
    pub theme: Option<String>,
    /// The theme where the terminal is dark.
    pub dark_theme: Option<String>,
    /// The theme where the terminal is light.
    pub light_theme: Option<String>,
    /// Colours: `truecolour`, `256`, `16` or `none`; what the terminal has if absent.
    pub colours: Option<String>,
    /// Signs: `unicode`, `ascii`, or `auto`.
    pub symbols: Option<String>,
    /// Whether the workbench takes the mouse.
    pub mouse: Option<bool>,
    /// Whether completions show by themselves.
    pub completion: Option<bool>,
    /// What you are called in records.
    pub name: Option<String>,
    /// Folders of packs of your own.
    pub packs: Vec<String>,
}

/// All that was read.
#[derive(Debug, Clone)]
pub struct OwnSettings {
    /// The settings file.
    pub file: SettingsFile,
    /// The bindings.
    pub keymap: Keymap,
    /// Theme files: name and text.
    pub themes: Vec<(String, String)>,
    /// What could not be read, and where it is now.
    pub problems: Vec<String>,
}

/// `CASEBOOK_CONFIG_DIR`, else `$XDG_CONFIG_HOME/casebook`, else `~/.config/casebook`, else `None`. `variable` reads an
/// environment variable.
pub fn config_folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let set = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("CASEBOOK_CONFIG_DIR")
        .or_else(|| {
            set("XDG_CONFIG_HOME").filter(|path| path.is_absolute()).map(|path| path.join("casebook"))
        })
        .or_else(|| set("HOME").map(|home| home.join(".config/casebook")))
}

/// Reads the configuration folder.
///
/// # Errors
/// [`KeymapError`] where two bindings can't be told apart, or one names what is not there.
pub fn read_settings(folder: Option<&Path>) -> Result<OwnSettings, KeymapError> {
    let mut own = OwnSettings {
        file: SettingsFile::default(),
        keymap: Keymap::default(),
        themes: Vec::new(),
        problems: Vec::new(),
    };
    let Some(folder) = folder else { return Ok(own) };
    let path = folder.join("config.toml");
    match text_of_toml(&path) {
        Ok(None) => {}
        Ok(Some(text)) => match toml::from_str(&text) {
            Ok(file) => own.file = file,
            // It is TOML with a name or a value that is none: the person's words stay where they are.
            Err(error) => own.problems.push(format!(
                "{} is left out: {}; docs/settings.md lists what there is",
                path.display(),
                one_line(error.message())
            )),
        },
        Err(problem) => own.problems.push(problem),
    }
    let path = folder.join("keys.toml");
    match text_of_toml(&path) {
        Ok(None) => {}
        Ok(Some(text)) => {
            own.keymap = Keymap::with_user_file(Some((&path.display().to_string(), &text)))?;
        }
        Err(problem) => own.problems.push(problem),
    }
    let themes =
        std::fs::read_dir(folder.join("themes")).map(|entries| entries.flatten().map(|it| it.path()));
    let mut paths: Vec<PathBuf> = themes
        .map(|paths| paths.filter(|path| path.extension().is_some_and(|it| it == "toml")).collect())
        .unwrap_or_default();
    paths.sort();
    for path in paths {
        match text_of_toml(&path) {
            Ok(Some(text)) => own.themes.push((path.display().to_string(), text)),
            Ok(None) => {}
            Err(problem) => own.problems.push(problem),
        }
    }
    Ok(own)
}

/// The text of a file that is TOML; any other is moved aside.
fn text_of_toml(path: &Path) -> Result<Option<String>, String> {
    let text = match read_text(path) {
        Ok(Some(text)) => text,
        Ok(None) => return Ok(None),
        Err(reason) => return Err(set_aside(path, &reason)),
    };
    match toml::from_str::<toml::Table>(&text) {
        Ok(_) => Ok(Some(text)),
        Err(error) => {
            let line =
                error.span().and_then(|span| text.get(..span.start)).map(|it| it.matches('\n').count() + 1);
            let place = line.map(|line| format!("line {line}: ")).unwrap_or_default();
            Err(set_aside(path, &format!("{place}{}", one_line(error.message()))))
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::read_settings;
    use std::fs;

    #[test]
    fn what_is_set_is_read() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("config.toml"), "theme = \"ledger\"\nmouse = false\n").unwrap();
        fs::write(folder.path().join("keys.toml"), "[global]\n\"f12\" = \"help.open\"\n").unwrap();
        fs::create_dir(folder.path().join("themes")).unwrap();
        fs::write(folder.path().join("themes/own.toml"), "name = \"own\"\n").unwrap();
        let own = read_settings(Some(folder.path())).unwrap();
        assert_eq!((own.file.theme.as_deref(), own.file.mouse), (Some("ledger"), Some(false)));
        assert_eq!((own.themes.len(), own.problems.len()), (1, 0));
    }

    #[test]
    fn what_is_no_toml_is_moved_aside_and_what_is_wrong_stays() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("config.toml"), "theme = \n").unwrap();
        fs::write(folder.path().join("keys.toml"), b"\xff\xfe").unwrap();
        let own = read_settings(Some(folder.path())).unwrap();
        assert_eq!(own.problems.len(), 2, "{:?}", own.problems);
        assert!(own.problems[0].contains("config.toml.broken-1") && own.problems[0].contains("line 1"));
        assert!(own.problems[1].contains("not UTF-8"));
        fs::write(folder.path().join("config.toml"), "colour = 1\n").unwrap();
        let own = read_settings(Some(folder.path())).unwrap();
        assert!(own.problems[0].contains("left out") && folder.path().join("config.toml").exists());
        fs::write(folder.path().join("keys.toml"), "[global]\n\"g\" = \"help.open\"\n").unwrap();
        assert!(
            read_settings(Some(folder.path())).unwrap_err().to_string().contains("begins another sequence")
        );
    }
}
