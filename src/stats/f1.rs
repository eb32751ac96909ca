//! Precision, recall and F1 of each level, with the expert as the truth.

use super::Confusion;
use super::number::real;
use super::undefined::{Estimate, Undefined};

/// One level's figures. Each is 0 where its denominator is 0, as is the custom for macro-F1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevelF1 {
    /// How many of the judge's were the expert's.
    pub precision: f64,
    /// How many of the expert's were the judge's.
    pub recall: f64,
    /// 2TP / (2TP + FP + FN).
    pub f1: f64,
    /// Whether either of them used the level.
    pub seen: bool,
}

/// Each level's figures, lowest level first.
///
/// # Errors
/// [`Undefined::NoPairs`].
pub fn by_level(table: &Confusion) -> Result<Vec<LevelF1>, Undefined> {
    if table.total() == 0 {
        return Err(Undefined::NoPairs);
    }
    let (rows, columns) = (table.expert_totals(), table.judge_totals());
    let share = |part: usize, of: usize| if of == 0 { 0.0 } else { real(part) / real(of) };
    let level = |at: usize| {
        let hits = table.cell(at, at);
        LevelF1 {
            precision: share(hits, columns[at]),
            recall: share(hits, rows[at]),
            f1: share(2 * hits, rows[at] + columns[at]),
            seen: rows[at] + columns[at] > 0,
        }
    };
    Ok((0..table.levels()).map(level).collect())
}

/// The mean F1 over all levels of the list.
///
/// # Errors
/// [`Undefined::NoPairs`].
pub fn macro_f1(table: &Confusion) -> Estimate {
    mean(by_level(table)?.iter())
}

/// The mean F1 over the levels that either rater used.
///
/// # Errors
/// [`Undefined::NoPairs`].
pub fn macro_f1_of_seen(table: &Confusion) -> Estimate {
    mean(by_level(table)?.iter().filter(|level| level.seen))
}

fn mean<'a>(levels: impl Iterator<Item = &'a LevelF1>) -> Estimate {
    let f1: Vec<f64> = levels.map(|level| level.f1).collect();
    super::moments::mean(&f1)
}
