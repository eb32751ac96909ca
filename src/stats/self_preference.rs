//! Whether a judge is kinder to answers of its own provider.

use super::bias;
use super::undefined::{Estimate, Undefined, same_length};

/// A judge's bias on answers of its own provider and of the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SelfPreference {
    /// Judge − expert on its own provider's answers.
    pub on_own: f64,
    /// Judge − expert on the other's.
    pub on_other: f64,
}

impl SelfPreference {
    /// How much kinder: the difference of the two.
    pub fn difference(self) -> f64 {
        self.on_own - self.on_other
    }

    /// The double difference with a judge of the other provider: what is left when one provider's answers are really
    /// better. `other` is that judge on the same answers, seen from its side.
    pub fn interaction(self, other: SelfPreference) -> f64 {
        self.difference() + other.difference()
    }
}

/// Splits a judge's bias by whose answers it graded: `own` says so for each item.
///
/// # Errors
/// [`Undefined::NoPairs`] when there are no answers of one side; [`Undefined::Malformed`] for columns of different
/// lengths.
pub fn self_preference(own: &[bool], expert: &[f64], judge: &[f64]) -> Result<SelfPreference, Undefined> {
    same_length(own.len(), expert.len())?;
    same_length(own.len(), judge.len())?;
    let side = |wanted: bool| -> Estimate {
        let rows = own.iter().zip(expert.iter().zip(judge)).filter(|(own, _)| **own == wanted);
        bias::bias(&rows.map(|(_, (expert, judge))| judge - expert).collect::<Vec<_>>())
    };
    Ok(SelfPreference { on_own: side(true)?, on_other: side(false)? })
}

/// A bootstrap's statistic: [`SelfPreference::difference`] of some rows of differences judge − expert.
///
/// # Errors
/// [`Undefined::NoPairs`] when one side has no rows.
pub fn difference_of(own: &[bool], differences: &[f64], rows: &[usize]) -> Estimate {
    same_length(own.len(), differences.len())?;
    let side = |wanted: bool| -> Estimate {
        let mut values = Vec::new();
        for row in rows {
            let is_own = own.get(*row).ok_or(Undefined::Malformed("a row that does not exist"))?;
            if *is_own == wanted {
                values.push(differences[*row]);
            }
        }
        bias::bias(&values)
    };
    Ok(side(true)? - side(false)?)
}

#[cfg(test)]
mod tests {
    use super::{Undefined, difference_of, self_preference};

    #[test]
    fn a_kind_judge_without_favourites_has_none() {
        let own = [true, false, true, false];
        let found = self_preference(&own, &[0.0, 0.0, 0.5, 0.5], &[0.5, 0.5, 1.0, 1.0]).unwrap();
        assert_eq!((found.on_own, found.difference()), (0.5, 0.0));
        assert_eq!(difference_of(&own, &[1.0, 0.0, 0.5, 0.0], &[0, 1, 2, 3]), Ok(0.75));
        assert_eq!(difference_of(&own, &[1.0, 0.0, 0.5, 0.0], &[0, 2]), Err(Undefined::NoPairs));
        assert_eq!(self_preference(&[true], &[0.0], &[1.0]), Err(Undefined::NoPairs));
    }
}
