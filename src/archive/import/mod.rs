//! Reading the traces of other programs: one file or folder a format, one model for all (`domain::foreign`).
//!
//! [`ForeignFile::open`] finds the format by the contents, reads the head and an index of the trials; a trial is read when it
//! is asked for, so that a log of a gigabyte opens at once. What the model can't hold, what the source did not say and where
//! it broke the rules of its format is told in a [`Loss`]. A strict import refuses the last kind, a lenient one goes on.
//!
//! Files are hostile until proven otherwise: depth, sizes and counts are bounded (`limits`), nothing is unpacked to disk, no
//! name in a file is used as a path. Not here: writing an archive (`imported`), exports (`archive::export`).

mod atif;
mod builder;
mod detect;
mod documents;
mod error;
mod fields;
mod inspect;
mod json;
mod limits;
mod loss_map;
mod mini_swe_agent;
mod openai;
mod otlp;
mod scan;
mod source;
mod swe_agent;
mod zip_file;

pub use error::ImportError;
pub use inspect::Reduction;

use crate::domain::foreign::{ForeignFormat, ForeignLog, ForeignTrial, Loss};
use documents::Documents;
use inspect::InspectLog;
use otlp::OtlpFile;
use source::Source;
use std::path::Path;

/// What to do where a file breaks the rules of its format.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Strictness {
    /// Read what can be read, and tell what was wrong.
    #[default]
    Lenient,
    /// Refuse it.
    Strict,
}

/// A foreign file, opened.
#[derive(Debug)]
pub struct ForeignFile {
    source: Source,
    content: Content,
    log: ForeignLog,
    loss: Loss,
    strictness: Strictness,
}

/// How the trials of a file are found.
#[derive(Debug)]
enum Content {
    Inspect(InspectLog),
    Otlp(OtlpFile),
    Documents(Documents),
}

impl ForeignFile {
    /// Opens a file: finds its format, reads its head and the index of its trials.
    ///
    /// # Errors
    /// [`ImportError`]: it can't be read, is of no known format, is damaged or larger than an import may be; in strict mode
    /// also where its head breaks a rule of its format.
    pub fn open(path: &Path, strictness: Strictness) -> Result<Self, ImportError> {
        let source = Source::open(path)?;
        let file = detect::open(&source)?;
        let log = ForeignLog {
            format: file.format,
            file: source.record(),
            header: file.header,
            trials: file.trials,
        };
        let opened = Self { source, content: file.content, log, loss: file.loss, strictness };
        opened.check(&opened.loss)?;
        // A file that is one trial is refused at once, not when somebody asks for it.
        if strictness == Strictness::Strict && opened.log.trials.len() == 1 {
            opened.trial(0)?;
        }
        Ok(opened)
    }

    /// The head and the list of the trials.
    pub const fn log(&self) -> &ForeignLog {
        &self.log
    }

    /// What was lost, missing or wrong in the head. Each trial has its own.
    pub const fn loss(&self) -> &Loss {
        &self.loss
    }

    /// Reads a trial, counted from 0 in the order of the log.
    ///
    /// # Errors
    /// [`ImportError`], in strict mode also where it breaks a rule of its format.
    pub fn trial(&self, nth: usize) -> Result<(ForeignTrial, Loss), ImportError> {
        if nth >= self.log.trials.len() {
            return Err(ImportError::NoTrial {
                name: self.source.name.clone(),
                asked: nth.saturating_add(1),
                count: self.log.trials.len(),
            });
        }
        let (trial, loss) = match &self.content {
            Content::Inspect(log) => log.trial(&self.source, &self.log.header, nth)?,
            Content::Otlp(file) => file.trial(&self.source, nth)?,
            Content::Documents(documents) => documents.trial(&self.source, nth)?,
        };
        self.check(&loss)?;
        Ok((trial, loss))
    }

    /// What an Inspect log itself made of the scores of several attempts; nothing for other formats.
    ///
    /// # Errors
    /// [`ImportError`].
    pub fn reductions(&self) -> Result<Vec<Reduction>, ImportError> {
        match &self.content {
            Content::Inspect(log) => log.reductions(&self.source),
            Content::Otlp(_) | Content::Documents(_) => Ok(Vec::new()),
        }
    }

    /// SHA-256 of the whole file, in lower-case hex. It reads all of it.
    ///
    /// # Errors
    /// [`ImportError::Read`].
    pub fn sha256(&self) -> Result<String, ImportError> {
        self.source.sha256()
    }

    fn check(&self, loss: &Loss) -> Result<(), ImportError> {
        let (Strictness::Strict, Some(first)) = (self.strictness, loss.deviations.first()) else {
            return Ok(());
        };
        let more = loss.deviation_count() - 1;
        let more = if more == 0 { String::new() } else { format!(" (and {more} more)") };
        Err(ImportError::Invalid {
            name: self.source.name.clone(),
            place: error::in_part((!first.place.is_empty()).then_some(first.place.as_str())),
            format: self.log.format,
            reason: format!("{}{more}", first.what),
            advice: "; a lenient import reads on and tells what is wrong",
        })
    }
}

/// What opening a file gives.
struct Opened {
    format: ForeignFormat,
    content: Content,
    header: crate::domain::foreign::LogHeader,
    trials: Vec<crate::domain::foreign::TrialEntry>,
    loss: Loss,
}
