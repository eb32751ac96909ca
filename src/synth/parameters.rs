//! What an enterprise is made from: how many people, which seed, which day, what kind of organisation.

use super::archetype::{ARCHETYPES, Archetype};
use jiff::civil::Date;

/// Smallest and largest number of HR records.
pub const PEOPLE: std::ops::RangeInclusive<usize> = 25..=1_000_000;

/// The seed of the reference snapshots.
pub const REFERENCE_SEED: u64 = 20_260_630;

/// The release date of the reference snapshots.
pub const REFERENCE_DATE: Date = jiff::civil::date(2026, 6, 30);

/// The three reference sizes: name and HR records.
pub const REFERENCE_SIZES: [(&str, usize); 3] = [("small", 75), ("medium", 400), ("large", 2000)];

/// What an enterprise is made from. The same parameters give the same bytes.
#[derive(Debug, Clone)]
pub struct Parameters {
    /// HR records, in [`PEOPLE`].
    pub(super) people: usize,
    /// Seed of all chance.
    pub(super) seed: u64,
    /// "Today" of the data.
    pub(super) release_date: Date,
    pub(super) archetype: &'static Archetype,
}

/// Parameters that can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ParameterError {
    /// Too few or too many people.
    #[error("{0} people are outside of what can be generated: 25 to 1,000,000")]
    People(usize),
    /// A day on which the clouds of the enterprise did not exist yet, or one past any certificate.
    #[error("the release date {0} is outside of what can be generated: 2015-01-01 to 2099-12-31")]
    ReleaseDate(Date),
    /// No such kind of organisation.
    #[error("there is no archetype '{0}'; there are: {1}")]
    Archetype(String, String),
}

impl Parameters {
    /// Checks the parameters.
    ///
    /// # Errors
    /// [`ParameterError`] names the one that can't be used.
    pub fn new(
        people: usize,
        seed: u64,
        release_date: Date,
        archetype: &str,
    ) -> Result<Self, ParameterError> {
        if !PEOPLE.contains(&people) {
            return Err(ParameterError::People(people));
        }
        if !(2015..=2099).contains(&release_date.year()) {
            return Err(ParameterError::ReleaseDate(release_date));
        }
        let found = ARCHETYPES.iter().find(|it| it.key == archetype);
        let archetype = found.ok_or_else(|| {
            ParameterError::Archetype(archetype.to_owned(), archetype_names().collect::<Vec<_>>().join(", "))
        })?;
        Ok(Self { people, seed, release_date, archetype })
    }

    /// Those of a reference snapshot with this many HR records.
    ///
    /// # Errors
    /// [`ParameterError::People`].
    pub fn reference(people: usize) -> Result<Self, ParameterError> {
        Self::new(people, REFERENCE_SEED, REFERENCE_DATE, "software")
    }

    /// Whether these are the parameters of a reference snapshot, its size aside.
    pub(super) fn is_reference(&self) -> bool {
        self.seed == REFERENCE_SEED && self.release_date == REFERENCE_DATE && self.archetype.key == "software"
    }

    /// Seed of all chance.
    pub const fn seed(&self) -> u64 {
        self.seed
    }
}

/// The kinds of organisation.
pub fn archetype_names() -> impl Iterator<Item = &'static str> {
    ARCHETYPES.iter().map(|it| it.key)
}
