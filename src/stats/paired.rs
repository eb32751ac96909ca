//! Two columns compared pair by pair: the same tasks under two configurations.

use super::distribution::t_two_sided;
use super::number::real;
use super::undefined::{Estimate, Undefined, at_least, same_length};
use super::{bias, moments, sign_test};

/// What a comparison by pairs gives.
#[derive(Debug, Clone, PartialEq)]
pub struct Paired {
    /// The differences after − before, of pairs with both values, in their order.
    pub differences: Vec<f64>,
    /// Positions where the second is higher.
    pub wins: Vec<usize>,
    /// Positions where the second is lower.
    pub losses: Vec<usize>,
    /// How many are equal.
    pub ties: usize,
    /// How many lack one value or both.
    pub missing: usize,
}

/// Compares two columns of the same units.
///
/// # Errors
/// [`Undefined::Malformed`] for columns of different lengths or values that are no numbers.
pub fn paired(before: &[Option<f64>], after: &[Option<f64>]) -> Result<Paired, Undefined> {
    same_length(before.len(), after.len())?;
    let mut found =
        Paired { differences: Vec::new(), wins: Vec::new(), losses: Vec::new(), ties: 0, missing: 0 };
    for (at, pair) in before.iter().zip(after).enumerate() {
        let (Some(before), Some(after)) = pair else {
            found.missing += 1;
            continue;
        };
        super::undefined::finite(&[*before, *after])?;
        found.differences.push(after - before);
        if after > before {
            found.wins.push(at);
        } else if after < before {
            found.losses.push(at);
        } else {
            found.ties += 1;
        }
    }
    Ok(found)
}

impl Paired {
    /// The mean difference. Its interval comes from [`super::bootstrap`] over units.
    ///
    /// # Errors
    /// [`Undefined::NoPairs`].
    pub fn mean(&self) -> Estimate {
        bias::bias(&self.differences)
    }

    /// The exact sign test of wins against losses.
    ///
    /// # Errors
    /// [`Undefined::NoSpread`] when there are neither.
    pub fn sign_test(&self) -> Estimate {
        sign_test::sign_test(self.wins.len(), self.losses.len())
    }

    /// The two-sided p-value of the paired t-test.
    ///
    /// # Errors
    /// [`Undefined::TooFew`] of fewer than two pairs, [`Undefined::NoSpread`] when all differences are equal.
    pub fn t_test(&self) -> Estimate {
        at_least(2, self.differences.len())?;
        if moments::all_equal(&self.differences) {
            return Err(Undefined::NoSpread);
        }
        let t = moments::mean(&self.differences)? / moments::standard_error(&self.differences)?;
        t_two_sided(t, real(self.differences.len() - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::{Undefined, paired};

    #[test]
    fn wins_losses_and_what_is_missing() {
        let found = paired(
            &[Some(0.0), Some(1.0), None, Some(0.5), Some(0.0)],
            &[Some(1.0), Some(0.5), Some(1.0), Some(0.5), Some(0.5)],
        )
        .unwrap();
        assert_eq!((found.wins.as_slice(), found.losses.as_slice()), (&[0, 4][..], &[1][..]));
        assert_eq!((found.ties, found.missing, found.mean()), (1, 1, Ok(0.25)));
        assert_eq!(found.sign_test(), Ok(1.0));
        // t = 0.25 / (sqrt(0.416667)/2) = 0.774597 with 3 degrees of freedom
        assert!((found.t_test().unwrap() - 0.495_025_346_06).abs() < 1e-9);
        let none = paired(&[None], &[Some(1.0)]).unwrap();
        assert_eq!((none.mean(), none.sign_test()), (Err(Undefined::NoPairs), Err(Undefined::NoSpread)));
        assert!(paired(&[], &[None]).is_err());
    }
}
