//! What an import could not keep, what the source did not say, and where it broke the rules of its format.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// So many different paths are counted one by one; a hostile file may have any number.
pub const MAX_LOSS_PATHS: usize = 2000;
/// So many deviations are listed in words.
pub const MAX_DEVIATIONS: usize = 1000;

/// Stands for all paths beyond [`MAX_LOSS_PATHS`].
const OTHERS: &str = "(other paths)";

/// A place where the source breaks the rules of its format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deviation {
    /// Where: member and JSON pointer, or line.
    pub place: String,
    /// What is wrong, and what was made of it.
    pub what: String,
}

/// The report of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// JSON paths (`[]` for every index) of what the source had and the model can't hold, with how often.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub dropped: BTreeMap<String, u64>,
    /// What was not recorded, with how often.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub missing: BTreeMap<String, u64>,
    /// Where the source broke the rules of its format.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deviations: Vec<Deviation>,
    /// How many deviations more there are.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_deviations: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for a reference
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Loss {
    /// Counts something that can't be held.
    pub fn drop_path(&mut self, path: &str) {
        self.drop_times(path, 1);
    }

    /// Counts something that is not recorded.
    pub fn miss(&mut self, what: &str) {
        *self.missing.entry(what.to_owned()).or_insert(0) += 1;
    }

    /// Notes a deviation.
    pub fn deviate(&mut self, place: impl Into<String>, what: impl Into<String>) {
        if self.deviations.len() < MAX_DEVIATIONS {
            self.deviations.push(Deviation { place: place.into(), what: what.into() });
        } else {
            self.more_deviations += 1;
        }
    }

    /// Takes in another report.
    pub fn add(&mut self, other: Self) {
        for (path, count) in other.dropped {
            self.drop_times(&path, count);
        }
        for (what, count) in other.missing {
            *self.missing.entry(what).or_insert(0) += count;
        }
        for deviation in other.deviations {
            self.deviate(deviation.place, deviation.what);
        }
        self.more_deviations += other.more_deviations;
    }

    /// All deviations.
    pub fn deviation_count(&self) -> u64 {
        self.deviations.len() as u64 + self.more_deviations
    }

    fn drop_times(&mut self, path: &str, count: u64) {
        if let Some(known) = self.dropped.get_mut(path) {
            *known += count;
        } else if self.dropped.len() < MAX_LOSS_PATHS {
            self.dropped.insert(path.to_owned(), count);
        } else {
            *self.dropped.entry(OTHERS.to_owned()).or_insert(0) += count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Loss, MAX_DEVIATIONS, MAX_LOSS_PATHS};

    #[test]
    fn a_hostile_number_of_losses_stays_bounded_and_is_counted() {
        let mut loss = Loss::default();
        for nth in 0..MAX_LOSS_PATHS + 10 {
            loss.drop_path(&format!("/x{nth}"));
            loss.deviate("here", "wrong");
        }
        assert_eq!(loss.dropped.len(), MAX_LOSS_PATHS + 1);
        assert_eq!(loss.dropped["(other paths)"], 10);
        assert_eq!(loss.deviations.len(), MAX_DEVIATIONS);
        assert_eq!(loss.deviation_count(), (MAX_LOSS_PATHS + 10) as u64);
        let mut sum = Loss::default();
        sum.add(loss.clone());
        sum.add(loss);
        assert_eq!(sum.dropped["/x0"], 2);
        assert_eq!(sum.deviation_count(), 2 * (MAX_LOSS_PATHS + 10) as u64);
    }
}
