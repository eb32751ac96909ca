//! The themes that there are: the embedded ones and the user's.
//!
//! Not here: reading the user's folder. The caller hands the texts over; a file that is no UTF-8 is the caller's fault
//! to name.

use super::choose::{DEFAULT_DARK, DEFAULT_LIGHT, Mode};
use super::depth::Depth;
use super::embedded;
use super::error::{ThemeError, hint};
use super::file::ThemeFile;
use super::symbols::Symbols;
use super::{Theme, contrast};

/// Theme files, each with a name of its own.
#[derive(Debug, Clone)]
pub struct Library {
    files: Vec<ThemeFile>,
}

impl Library {
    /// The embedded themes and the user's files, given as pairs of file name and text. A faulty file is left out and
    /// its fault handed back: it must not keep anybody from starting with another theme. A user's theme does not
    /// replace an embedded one; its name is taken.
    pub fn new(user: &[(String, String)]) -> (Self, Vec<ThemeError>) {
        let embedded = embedded::FILES.iter().copied();
        let user = user.iter().map(|(file, text)| (file.as_str(), text.as_str()));
        let mut library = Self { files: Vec::new() };
        let mut faults = Vec::new();
        for (file, text) in embedded.chain(user) {
            match ThemeFile::parse(file, text) {
                Ok(theme) => match library.find(&theme.name) {
                    Some(other) => faults.push(ThemeError::NameTaken {
                        file: theme.file,
                        name: theme.name,
                        other: other.file.clone(),
                    }),
                    None => library.files.push(theme),
                },
                Err(fault) => faults.push(fault),
            }
        }
        (library, faults)
    }

    /// Only the embedded themes.
    pub fn embedded() -> Self {
        Self::new(&[]).0
    }

    /// All themes: the embedded ones, then the user's, each in the order in which they came.
    pub fn all(&self) -> &[ThemeFile] {
        &self.files
    }

    /// The file of a theme.
    pub fn find(&self, name: &str) -> Option<&ThemeFile> {
        self.files.iter().find(|theme| theme.name == name)
    }

    /// A theme for a depth, with everything that it inherits.
    ///
    /// # Errors
    /// [`ThemeError`] if there is no such theme, if what it inherits is not there or goes in a circle, if a colour or a
    /// role is missing.
    pub fn theme(&self, name: &str, depth: Depth, symbols: Symbols) -> Result<Theme, ThemeError> {
        Theme::build(&self.chain(name)?, depth, symbols)
    }

    /// A theme for a depth, or what comes nearest: the default of its mode, with the fault. Never nothing: a workbench
    /// starts with a wrong theme in its settings, and says so.
    pub fn theme_or_default(
        &self,
        name: &str,
        depth: Depth,
        symbols: Symbols,
    ) -> (Theme, Option<ThemeError>) {
        let fault = match self.theme(name, depth, symbols) {
            Ok(theme) => return (theme, None),
            Err(fault) => fault,
        };
        let default = match self.find(name).and_then(|theme| theme.mode) {
            Some(Mode::Light) => DEFAULT_LIGHT,
            _ => DEFAULT_DARK,
        };
        let theme = self.theme(default, depth, symbols).unwrap_or_else(|_| Theme::plain(symbols));
        (theme, Some(fault))
    }

    /// What a person would find hard to read in a theme, at every depth that has colours; empty if nothing.
    ///
    /// # Errors
    /// [`ThemeError`] if the theme can't be used at all.
    pub fn check(&self, name: &str) -> Result<Vec<String>, ThemeError> {
        let mut faults = Vec::new();
        for depth in Depth::ALL {
            faults.extend(contrast::check(&self.theme(name, depth, Symbols::UNICODE)?));
        }
        Ok(faults)
    }

    /// A theme and what it inherits, itself first.
    fn chain(&self, name: &str) -> Result<Vec<&ThemeFile>, ThemeError> {
        let names = || self.files.iter().map(|theme| theme.name.as_str());
        let mut theme = self
            .find(name)
            .ok_or_else(|| ThemeError::UnknownTheme { name: name.to_owned(), hint: hint(name, names()) })?;
        let mut chain = vec![theme];
        while let Some(parent) = &theme.inherits {
            let next = self.find(parent).ok_or_else(|| ThemeError::UnknownParent {
                file: theme.file.clone(),
                parent: parent.clone(),
                hint: hint(parent, names()),
            })?;
            if let Some(start) = chain.iter().position(|seen| seen.name == next.name) {
                let circle = chain[start..].iter().chain([&next]).map(|theme| theme.name.clone()).collect();
                return Err(ThemeError::Circle { file: theme.file.clone(), circle });
            }
            chain.push(next);
            theme = next;
        }
        Ok(chain)
    }
}
