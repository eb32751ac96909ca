//! The size of a difference in units of spread.

use super::moments::{all_equal, mean, variance};
use super::number::real;
use super::undefined::{Estimate, Undefined};

/// Cohen's d of two independent samples, second − first over the pooled standard deviation.
///
/// # Errors
/// [`Undefined::TooFew`] of fewer than two values in one, [`Undefined::NoSpread`] when both are constant.
pub fn cohens_d(first: &[f64], second: &[f64]) -> Estimate {
    let (a, b) = (variance(first)?, variance(second)?);
    let (n, m) = (real(first.len() - 1), real(second.len() - 1));
    let pooled = (n * a + m * b) / (n + m);
    if pooled == 0.0 {
        return Err(Undefined::NoSpread);
    }
    Ok((mean(second)? - mean(first)?) / pooled.sqrt())
}

/// Cohen's d of pairs: the mean difference over the standard deviation of differences.
///
/// # Errors
/// [`Undefined::TooFew`] of fewer than two, [`Undefined::NoSpread`] when all are equal.
pub fn cohens_d_paired(differences: &[f64]) -> Estimate {
    let spread = variance(differences)?;
    if all_equal(differences) {
        return Err(Undefined::NoSpread);
    }
    Ok(mean(differences)? / spread.sqrt())
}

#[cfg(test)]
mod tests {
    use super::{Undefined, cohens_d, cohens_d_paired};

    #[test]
    fn is_in_units_of_spread() {
        // Means 3 and 6, variances 2.5 and 10, pooled 6.25.
        assert_eq!(cohens_d(&[1.0, 2.0, 3.0, 4.0, 5.0], &[2.0, 4.0, 6.0, 8.0, 10.0]), Ok(1.2));
        assert_eq!(cohens_d(&[1.0, 3.0], &[2.0, 4.0]), cohens_d(&[10.0, 30.0], &[20.0, 40.0]));
        assert_eq!(cohens_d_paired(&[1.0, 2.0, 3.0]), Ok(2.0));
        assert_eq!(cohens_d_paired(&[1.0, 1.0]), Err(Undefined::NoSpread));
        assert_eq!(cohens_d(&[1.0, 1.0], &[2.0, 2.0]), Err(Undefined::NoSpread));
    }
}
