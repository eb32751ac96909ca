//! Why a number does not exist.

/// A number, or the reason why there is none.
pub type Estimate = Result<f64, Undefined>;

/// Why a statistic can't be calculated. Shown as it is: a reader must be able to tell "no agreement" from "no answer".
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Undefined {
    /// No item was rated by two raters.
    #[error("no item was rated by both raters: rate some of the same items")]
    NoPairs,
    /// There are fewer observations than the statistic needs.
    #[error("too few observations: {found} of at least {needed}")]
    TooFew {
        /// How many the statistic needs.
        needed: usize,
        /// How many there are.
        found: usize,
    },
    /// All ratings are on one level, so that chance alone would agree always.
    #[error("all ratings are on one level: agreement beyond chance can't be told; see percent agreement")]
    OneLevel,
    /// All values of a variable are equal.
    #[error("all values are equal, so there is no spread to measure")]
    NoSpread,
    /// The statistic wants every rater on every item.
    #[error("ratings are missing: use alpha or AC1, which allow for it")]
    MissingRatings,
    /// A rater has rated nothing.
    #[error("a rater has rated nothing: leave that rater out")]
    AbsentRater,
    /// No resample, or no pair of raters, had a defined value.
    #[error("none of the parts has a defined value")]
    NoneDefined,
    /// The acceleration of the corrected interval needs the statistic without each unit, and for one of them it is undefined.
    #[error("the statistic is undefined without one of the units: use the percentile interval")]
    Jackknife,
    /// All replicates are on one side of the estimate, so that its bias can't be corrected.
    #[error("all replicates are on one side of the estimate: use the percentile interval")]
    OneSided,
    /// The inputs don't fit together; the text says how.
    #[error("the inputs do not fit together: {0}")]
    Malformed(&'static str),
}

impl Undefined {
    /// A short stable code for files: `no_pairs`, `n<2`, `one_level` and so on.
    pub fn code(self) -> String {
        match self {
            Undefined::NoPairs => "no_pairs".to_owned(),
            Undefined::TooFew { needed, .. } => format!("n<{needed}"),
            Undefined::OneLevel => "one_level".to_owned(),
            Undefined::NoSpread => "no_spread".to_owned(),
            Undefined::MissingRatings => "missing_ratings".to_owned(),
            Undefined::AbsentRater => "absent_rater".to_owned(),
            Undefined::NoneDefined => "none_defined".to_owned(),
            Undefined::Jackknife => "jackknife_undefined".to_owned(),
            Undefined::OneSided => "one_sided".to_owned(),
            Undefined::Malformed(_) => "malformed".to_owned(),
        }
    }
}

/// Refuses fewer than `needed` observations.
pub(super) fn at_least(needed: usize, found: usize) -> Result<(), Undefined> {
    if found < needed { Err(Undefined::TooFew { needed, found }) } else { Ok(()) }
}

/// Refuses two columns of different lengths.
pub(super) fn same_length(left: usize, right: usize) -> Result<(), Undefined> {
    if left == right { Ok(()) } else { Err(Undefined::Malformed("columns differ in length")) }
}

/// How many raters a table of items × raters has; refuses rows of different lengths.
pub(super) fn raters<T>(ratings: &[Vec<T>]) -> Result<usize, Undefined> {
    let raters = ratings.first().map_or(0, Vec::len);
    if ratings.iter().all(|row| row.len() == raters) {
        Ok(raters)
    } else {
        Err(Undefined::Malformed("items have rows of different lengths"))
    }
}

/// Refuses numbers that are none.
pub(super) fn finite(values: &[f64]) -> Result<(), Undefined> {
    if values.iter().all(|value| value.is_finite()) {
        Ok(())
    } else {
        Err(Undefined::Malformed("a value is infinite or not a number"))
    }
}

#[cfg(test)]
mod tests {
    use super::Undefined;

    #[test]
    fn a_reason_has_a_code_and_a_sentence() {
        let reason = Undefined::TooFew { needed: 2, found: 1 };
        assert_eq!(reason.code(), "n<2");
        assert_eq!(reason.to_string(), "too few observations: 1 of at least 2");
        assert_eq!(Undefined::OneLevel.code(), "one_level");
        assert_eq!(Undefined::NoPairs.code(), "no_pairs");
    }
}
