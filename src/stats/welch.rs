//! Welch's t-test: do two independent samples of different spread have different means?

use super::Interval;
use super::distribution::{t_critical, t_two_sided};
use super::moments::{mean, variance};
use super::number::real;
use super::undefined::Undefined;

/// What the test gives; the difference is second − first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Welch {
    /// The difference of means.
    pub difference: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// Difference over error.
    pub t: f64,
    /// Welch–Satterthwaite degrees of freedom.
    pub freedom: f64,
    /// Two-sided.
    pub p: f64,
}

impl Welch {
    /// The interval of the difference.
    ///
    /// # Errors
    /// [`Undefined::Malformed`] for a confidence outside 0..1.
    pub fn interval(&self, confidence: f64) -> Result<Interval, Undefined> {
        Ok(Interval::around(self.difference, t_critical(confidence, self.freedom)? * self.standard_error))
    }
}

/// Tests two samples.
///
/// # Errors
/// [`Undefined::TooFew`] of fewer than two values in one, [`Undefined::NoSpread`] when both are constant.
pub fn welch(first: &[f64], second: &[f64]) -> Result<Welch, Undefined> {
    let (a, b) = (variance(first)? / real(first.len()), variance(second)? / real(second.len()));
    if a + b == 0.0 {
        return Err(Undefined::NoSpread);
    }
    let difference = mean(second)? - mean(first)?;
    let standard_error = (a + b).sqrt();
    let freedom = (a + b).powi(2) / (a * a / real(first.len() - 1) + b * b / real(second.len() - 1));
    let t = difference / standard_error;
    Ok(Welch { difference, standard_error, t, freedom, p: t_two_sided(t, freedom)? })
}

#[cfg(test)]
mod tests {
    use super::{Undefined, welch};

    #[test]
    fn a_textbook_pair_of_samples() {
        // t.test(c(1,2,3,4,5), c(2,4,6,8,10)): means 3 and 6, variances 2.5 and 10.
        let found = welch(&[1.0, 2.0, 3.0, 4.0, 5.0], &[2.0, 4.0, 6.0, 8.0, 10.0]).unwrap();
        assert_eq!((found.difference, found.standard_error), (3.0, 2.5_f64.sqrt()));
        assert!((found.freedom - 5.882_352_941_176_471).abs() < 1e-12);
        // By numeric integration of the density.
        assert!((found.p - 0.107_531_194_931).abs() < 1e-9, "{}", found.p);
        let back = welch(&[2.0, 4.0, 6.0, 8.0, 10.0], &[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        assert_eq!((back.t, back.p), (-found.t, found.p));
        assert_eq!(welch(&[1.0, 1.0], &[2.0, 2.0]), Err(Undefined::NoSpread));
        assert_eq!(welch(&[1.0], &[2.0, 3.0]), Err(Undefined::TooFew { needed: 2, found: 1 }));
    }
}
