//! A mean corrected by predictions: few expert grades, many judge grades (Angelopoulos and others 2023; power-tuned).

use super::Interval;
use super::distribution::normal_critical;
use super::moments::{all_equal, mean, population_variance, variance};
use super::number::real;
use super::undefined::{Estimate, Undefined, at_least, same_length};

/// How much the judge's grades are trusted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Power {
    /// As the data say: the choice with the least variance, within 0..=1.
    Tuned,
    /// This much: 0 is the experts alone, 1 the plain method.
    Fixed(f64),
}

/// A corrected mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corrected {
    /// The corrected mean.
    pub estimate: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// The trust that was used.
    pub lambda: f64,
    /// The judge never varied, so that its grades say nothing and the experts' mean is given.
    pub experts_only: bool,
}

impl Corrected {
    /// The normal interval.
    ///
    /// # Errors
    /// [`Undefined::Malformed`] for a confidence outside 0..1.
    pub fn interval(&self, confidence: f64) -> Result<Interval, Undefined> {
        Ok(Interval::around(self.estimate, normal_critical(confidence)? * self.standard_error))
    }
}

/// Corrects the judge's mean by the experts' grades. `expert` and `judge` are of the same items, in order; `unlabelled`
/// are the judge's grades of items that no expert saw. The labelled items must be a random sample: the caller knows.
///
/// # Errors
/// [`Undefined::TooFew`] of fewer than two labelled or no other items; [`Undefined::Malformed`] for columns that don't
/// fit or a lambda outside 0..=1.
pub fn mean_corrected(
    expert: &[f64],
    judge: &[f64],
    unlabelled: &[f64],
    power: Power,
) -> Result<Corrected, Undefined> {
    same_length(expert.len(), judge.len())?;
    at_least(2, expert.len())?;
    at_least(1, unlabelled.len())?;
    let all = [judge, unlabelled].concat();
    let experts_only = all_equal(&all);
    let lambda = match power {
        Power::Fixed(lambda) if (0.0..=1.0).contains(&lambda) => lambda,
        Power::Fixed(_) => return Err(Undefined::Malformed("lambda is between 0 and 1")),
        Power::Tuned if experts_only => 0.0,
        Power::Tuned => tuned(expert, judge, unlabelled.len(), variance(&all)?)?,
    };
    let rest: Vec<f64> = expert.iter().zip(judge).map(|(y, f)| y - lambda * f).collect();
    let spread = lambda * lambda * population_variance(unlabelled)? / real(unlabelled.len())
        + population_variance(&rest)? / real(rest.len());
    Ok(Corrected {
        estimate: lambda * mean(unlabelled)? + mean(&rest)?,
        standard_error: spread.sqrt(),
        lambda,
        experts_only,
    })
}

fn tuned(expert: &[f64], judge: &[f64], others: usize, spread: f64) -> Estimate {
    let (mean_y, mean_f) = (mean(expert)?, mean(judge)?);
    let n = real(expert.len());
    let together = expert.iter().zip(judge).map(|(y, f)| (y - mean_y) * (f - mean_f)).sum::<f64>() / n;
    Ok((together / ((1.0 + n / real(others)) * spread)).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::{Power, Undefined, mean_corrected};
    use proptest::prelude::*;

    #[test]
    fn a_constant_judge_leaves_the_experts_alone() {
        let found = mean_corrected(&[0.0, 1.0, 0.5], &[1.0; 3], &[1.0; 9], Power::Tuned).unwrap();
        assert!(found.experts_only);
        assert_eq!((found.estimate, found.lambda), (0.5, 0.0));
        assert!(matches!(
            mean_corrected(&[0.0], &[1.0], &[1.0], Power::Tuned),
            Err(Undefined::TooFew { needed: 2, found: 1 })
        ));
        assert!(mean_corrected(&[0.0, 1.0], &[1.0; 2], &[1.0], Power::Fixed(1.5)).is_err());
        assert!(mean_corrected(&[0.0, 1.0], &[1.0; 2], &[], Power::Tuned).is_err());
    }

    proptest! {
        #[test]
        fn a_shift_of_the_judge_changes_nothing(
            pairs in prop::collection::vec((0.0_f64..1.0, 0.0_f64..1.0), 2..20),
            others in prop::collection::vec(0.0_f64..1.0, 1..60), shift in -3.0_f64..3.0,
        ) {
            let (expert, judge): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
            let moved = |grades: &[f64]| grades.iter().map(|grade| grade + shift).collect::<Vec<_>>();
            for power in [Power::Tuned, Power::Fixed(1.0)] {
                let found = mean_corrected(&expert, &judge, &others, power).unwrap();
                let other = mean_corrected(&expert, &moved(&judge), &moved(&others), power).unwrap();
                prop_assert!((found.estimate - other.estimate).abs() < 1e-9);
                prop_assert!((0.0..=1.0).contains(&found.lambda) && found.standard_error >= 0.0);
            }
            let alone = mean_corrected(&expert, &judge, &others, Power::Fixed(0.0)).unwrap();
            prop_assert!((alone.estimate - super::mean(&expert).unwrap()).abs() < 1e-12);
        }
    }
}
