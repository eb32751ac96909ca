//! What a reader must know before trusting a coefficient that is defined.

use super::Confusion;
use super::number::real;

/// A caution beside a figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Warning {
    /// The expert used one level only: kappa is 0 whatever the judge did.
    ConstantExpert,
    /// The judge used one level only.
    ConstantJudge,
    /// One level has nearly all ratings, so that kappa is low even when agreement is high: see AC1.
    Prevalence {
        /// The level.
        level: usize,
        /// Its share of both raters' ratings.
        share: f64,
    },
    /// Fewer items than any number should rest on.
    FewItems {
        /// How many there are.
        items: usize,
    },
}

/// From which share of all ratings a level is called prevalent.
pub const PREVALENT: f64 = 0.85;

/// Below how many items a figure is doubtful ("30 for any number, 100 for a claim").
pub const FEW: usize = 30;

/// The cautions for a pair of raters; none for an empty table, which has no figures.
pub fn warnings(table: &Confusion) -> Vec<Warning> {
    let items = table.total();
    if items == 0 {
        return Vec::new();
    }
    let (rows, columns) = (table.expert_totals(), table.judge_totals());
    let mut found = Vec::new();
    if rows.contains(&items) {
        found.push(Warning::ConstantExpert);
    }
    if columns.contains(&items) {
        found.push(Warning::ConstantJudge);
    }
    for (level, (row, column)) in rows.iter().zip(&columns).enumerate() {
        let share = real(row + column) / real(2 * items);
        if share >= PREVALENT {
            found.push(Warning::Prevalence { level, share });
        }
    }
    if items < FEW {
        found.push(Warning::FewItems { items });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Confusion, Warning, warnings};

    #[test]
    fn says_what_makes_a_figure_doubtful() {
        let of = |rows: &[Vec<usize>]| warnings(&Confusion::from_rows(rows).unwrap());
        assert_eq!(of(&[vec![20, 5], vec![10, 15]]), []);
        assert_eq!(of(&[vec![0, 0], vec![20, 20]]), [Warning::ConstantExpert]);
        assert_eq!(of(&[vec![0, 20], vec![0, 20]]), [Warning::ConstantJudge]);
        assert_eq!(of(&[vec![36, 2], vec![2, 0]]), [Warning::Prevalence { level: 0, share: 0.95 }]);
        assert_eq!(of(&[vec![2, 0], vec![0, 2]]), [Warning::FewItems { items: 4 }]);
        assert_eq!(of(&[vec![0, 0], vec![0, 0]]), []);
    }
}
