//! The synthetic enterprise: an organisation over time, each vendor's view of it, and what was planted.
//!
//! People come first (`organisation`); every vendor's tables are that vendor's view of the same people (`vendors`), written
//! through `output` into one SQLite file. The same parameters give the same bytes: chance comes from `dice` alone, and no
//! clock, hash order or environment is looked at. Not here: packages and their manifests (`snapshot`), questions (`pack`).

// A row of twenty facts reads best in one piece, and days and counts of people are far below 2^31.
#![allow(clippy::too_many_lines, clippy::cast_possible_truncation)]

mod archetype;
mod derivation;
mod dice;
mod moment;
mod organisation;
mod output;
mod package;
mod parameters;
mod rates;
mod scale;
mod schema;
mod vendors;
mod workdays;

pub use derivation::derive;
pub use output::Condition;
pub use package::generate_package;
pub use parameters::{
    PEOPLE, ParameterError, Parameters, REFERENCE_DATE, REFERENCE_SEED, REFERENCE_SIZES, archetype_names,
};
pub use rates::{Rate, Wanted, rates};

use organisation::Organisation;
use output::Output;
use rusqlite::Connection;
use schema::tables;
use std::path::{Path, PathBuf};

/// Name and version of the generator, as manifests give it.
pub const GENERATOR: &str = "casebook-synth 1";

/// An enterprise could not be generated. What was written of it is of no use.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// SQLite refused, most likely for want of space.
    #[error("can't write the database: {0}; free some space where it goes and where temporary files go")]
    Sqlite(#[from] rusqlite::Error),
    /// The file's path is not text.
    #[error("the path '{}' is not in UTF-8; choose another folder", .0.display())]
    Path(PathBuf),
    /// Something is where the package should go.
    #[error("'{}' exists already; choose another folder", .0.display())]
    Exists(PathBuf),
    /// A file or folder can't be written.
    #[error("can't write '{}': {source}; free some space or choose another place", path.display())]
    File {
        /// What can't be written.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The package can't be written.
    #[error(transparent)]
    Package(#[from] crate::snapshot::PackageError),
    /// The user stopped it.
    #[error("generating was cancelled; nothing was kept")]
    Cancelled,
}

/// A table of a generated enterprise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedTable {
    /// Its name.
    pub name: &'static str,
    /// A sentence on it.
    pub description: &'static str,
    /// Its columns.
    pub columns: &'static [&'static str],
    /// Its rows.
    pub rows: u64,
}

/// What a generated enterprise is, besides its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generated {
    /// Name of the organisation.
    pub organisation: String,
    /// The company's own e-mail domains.
    pub company_domains: Vec<String>,
    /// The tables in the order of the database.
    pub tables: Vec<GeneratedTable>,
    /// What was planted, for evaluators.
    pub conditions: Vec<Condition>,
}

/// Generates an enterprise into a new SQLite file at `target`; `scratch` is a new file's path for rows on their way, which
/// the caller removes. `watch` hears of the step and the rows so far, and stops the work by answering false.
///
/// # Errors
/// [`GenerateError`]; the files are then of no use.
pub fn generate(
    parameters: &Parameters,
    scratch: &Path,
    target: &Path,
    watch: &mut dyn FnMut(&str, u64) -> bool,
) -> Result<Generated, GenerateError> {
    if !watch("people", 0) {
        return Err(GenerateError::Cancelled);
    }
    let organisation = Organisation::new(parameters);
    let scratch = Connection::open(scratch)?;
    let mut out = Output::new(&scratch, watch)?;
    vendors::write(&organisation, &mut out)?;
    let (conditions, rows) = out.finish(target)?;
    let tables = tables()
        .zip(rows)
        .map(|(schema, rows)| GeneratedTable {
            name: schema.name,
            description: schema.description,
            columns: schema.columns,
            rows,
        })
        .collect();
    Ok(Generated {
        organisation: organisation.name.to_owned(),
        company_domains: organisation.domains.to_vec(),
        tables,
        conditions,
    })
}
