//! How many raters put each item on each level.

use super::confusion::checked_levels;
use super::number::real;
use super::undefined::Undefined;

/// Ratings of any number of raters, reduced to counts: which rater said what is forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    levels: usize,
    items: Vec<Vec<usize>>,
    complete: bool,
}

impl Tally {
    /// Counts a table of items × raters.
    ///
    /// # Errors
    /// [`Undefined::Malformed`] when there are fewer than two levels, or one is not in the list.
    pub fn count(levels: usize, ratings: &[Vec<Option<usize>>]) -> Result<Tally, Undefined> {
        checked_levels(levels)?;
        let mut items = Vec::with_capacity(ratings.len());
        for row in ratings {
            let mut item = vec![0; levels];
            for level in row.iter().flatten() {
                *item
                    .get_mut(*level)
                    .ok_or(Undefined::Malformed("a rating is not in the list of levels"))? += 1;
            }
            items.push(item);
        }
        let raters = ratings.first().map_or(0, Vec::len);
        let complete = ratings.iter().all(|row| row.len() == raters && row.iter().all(Option::is_some));
        Ok(Tally { levels, items, complete })
    }

    /// How many levels.
    pub fn levels(&self) -> usize {
        self.levels
    }

    /// Items, each with its counts by level; items without a rating are among them.
    pub fn items(&self) -> &[Vec<usize>] {
        &self.items
    }

    /// Whether every rater rated every item.
    pub fn complete(&self) -> bool {
        self.complete
    }

    /// Items with at least two ratings: only there can anybody agree.
    pub(super) fn pairable(&self) -> impl Iterator<Item = &Vec<usize>> {
        self.items.iter().filter(|item| ratings(item) >= 2)
    }

    /// Refuses what no coefficient can be made of: no item, or only one, that two have rated.
    pub(super) fn rated(&self) -> Result<usize, Undefined> {
        match self.pairable().count() {
            0 => Err(Undefined::NoPairs),
            1 => Err(Undefined::TooFew { needed: 2, found: 1 }),
            many => Ok(many),
        }
    }

    /// Each level's share, as the mean over items with a rating.
    pub(super) fn mean_shares(&self) -> Vec<f64> {
        let rated: Vec<_> = self.items.iter().filter(|item| ratings(item) > 0).collect();
        let share =
            |level: usize| rated.iter().map(|item| real(item[level]) / real(ratings(item))).sum::<f64>();
        (0..self.levels).map(|level| share(level) / real(rated.len())).collect()
    }

    /// Whether all ratings are on one level.
    pub(super) fn one_level(&self) -> bool {
        let used = |level: &usize| self.items.iter().any(|item| item[*level] > 0);
        (0..self.levels).filter(used).count() == 1
    }
}

/// How many ratings an item has.
pub(super) fn ratings(item: &[usize]) -> usize {
    item.iter().sum()
}
