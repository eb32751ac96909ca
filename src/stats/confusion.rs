//! Who said what: counts of two raters' levels.

use super::undefined::{Undefined, same_length};

/// Counts of pairs over the full list of levels: rows are the first rater (the expert), columns the second (the judge).
/// Items that one of them did not rate are left out (pairwise complete).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confusion {
    levels: usize,
    counts: Vec<usize>,
}

impl Confusion {
    /// Counts two raters' levels, item by item.
    ///
    /// # Errors
    /// [`Undefined::Malformed`] when the columns differ in length, there are fewer than two levels, or one is not in
    /// the list.
    pub fn count(
        levels: usize,
        expert: &[Option<usize>],
        judge: &[Option<usize>],
    ) -> Result<Confusion, Undefined> {
        same_length(expert.len(), judge.len())?;
        let mut found = Confusion { levels, counts: vec![0; checked_levels(levels)? * levels] };
        for (expert, judge) in expert.iter().zip(judge) {
            if expert.max(judge).is_some_and(|level| level >= levels) {
                return Err(Undefined::Malformed("a rating is not in the list of levels"));
            }
            if let (Some(expert), Some(judge)) = (expert, judge) {
                found.counts[expert * levels + judge] += 1;
            }
        }
        Ok(found)
    }

    /// A table of counts as it was published, row by row.
    ///
    /// # Errors
    /// [`Undefined::Malformed`] unless it is square with at least two levels.
    pub fn from_rows(rows: &[Vec<usize>]) -> Result<Confusion, Undefined> {
        let levels = checked_levels(rows.len())?;
        if rows.iter().any(|row| row.len() != levels) {
            return Err(Undefined::Malformed("a confusion matrix has as many columns as rows"));
        }
        Ok(Confusion { levels, counts: rows.concat() })
    }

    /// How many levels.
    pub fn levels(&self) -> usize {
        self.levels
    }

    /// How many items both rated.
    pub fn total(&self) -> usize {
        self.counts.iter().sum()
    }

    /// The rows, from the expert's lowest level.
    pub fn rows(&self) -> impl Iterator<Item = &[usize]> {
        self.counts.chunks(self.levels)
    }

    /// How often the expert said `i` and the judge `j`.
    pub fn cell(&self, i: usize, j: usize) -> usize {
        self.counts[i * self.levels + j]
    }

    /// How often the expert said each level.
    pub fn expert_totals(&self) -> Vec<usize> {
        self.rows().map(|row| row.iter().sum()).collect()
    }

    /// How often the judge said each level.
    pub fn judge_totals(&self) -> Vec<usize> {
        (0..self.levels).map(|j| self.rows().map(|row| row[j]).sum()).collect()
    }

    /// All cells: row, column, count.
    pub(super) fn cells(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        self.counts.iter().enumerate().map(|(at, count)| (at / self.levels, at % self.levels, *count))
    }

    /// Whether everything both said is one and the same level.
    pub(super) fn one_level(&self) -> bool {
        (0..self.levels).any(|level| self.cell(level, level) == self.total())
    }
}

/// Refuses a list of fewer than two levels: nothing could be told apart.
pub(super) fn checked_levels(levels: usize) -> Result<usize, Undefined> {
    if levels < 2 { Err(Undefined::Malformed("there must be at least two levels")) } else { Ok(levels) }
}

#[cfg(test)]
mod tests {
    use super::{Confusion, Undefined};

    #[test]
    fn only_items_that_both_rated_count() {
        let found =
            Confusion::count(3, &[Some(0), Some(2), None, Some(1)], &[Some(1), Some(2), Some(0), None])
                .unwrap();
        assert_eq!(found.rows().collect::<Vec<_>>(), [[0, 1, 0], [0, 0, 0], [0, 0, 1]]);
        assert_eq!(
            (found.total(), found.expert_totals(), found.judge_totals()),
            (2, vec![1, 0, 1], vec![0, 1, 1])
        );
    }

    #[test]
    fn inputs_that_do_not_fit_are_refused() {
        for (levels, expert, judge) in
            [(2, vec![Some(0)], vec![]), (2, vec![Some(2)], vec![None]), (1, vec![Some(0)], vec![Some(0)])]
        {
            assert!(matches!(Confusion::count(levels, &expert, &judge), Err(Undefined::Malformed(_))));
        }
        assert!(Confusion::from_rows(&[vec![1, 2], vec![3]]).is_err());
    }
}
