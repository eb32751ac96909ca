//! Quantiles and tails of the normal and Student's distribution (`statrs`).

use super::undefined::{Estimate, Undefined};
use statrs::distribution::{ContinuousCDF as _, Normal, StudentsT};

/// Below which value a standard normal lies with probability `p`; infinite at 0 and 1.
pub fn normal_quantile(p: f64) -> f64 {
    Normal::standard().inverse_cdf(p)
}

/// With what probability a standard normal lies below `x`.
pub fn normal_cdf(x: f64) -> f64 {
    Normal::standard().cdf(x)
}

/// The two-sided critical value of a standard normal: 1.96 for 0.95.
///
/// # Errors
/// [`Undefined::Malformed`] for a confidence outside 0..1.
pub fn normal_critical(confidence: f64) -> Estimate {
    Ok(normal_quantile(0.5 + checked(confidence)? / 2.0))
}

/// The two-sided critical value of Student's t.
///
/// # Errors
/// [`Undefined::Malformed`] for a confidence outside 0..1 or degrees of freedom that are not positive.
pub fn t_critical(confidence: f64, freedom: f64) -> Estimate {
    let p = 0.5 + checked(confidence)? / 2.0;
    let t = student(freedom)?;
    // The library's inverse stops early; Newton's steps on its distribution function, which is exact, finish the work.
    let mut x = t.inverse_cdf(p);
    for _ in 0..8 {
        let step = (t.cdf(x) - p) / statrs::distribution::Continuous::pdf(&t, x);
        if !step.is_finite() || step.abs() <= 1e-15 * x.abs() {
            break;
        }
        x -= step;
    }
    Ok(x)
}

/// How probable a Student's t at least this far from 0 is, on both sides together.
///
/// # Errors
/// [`Undefined::Malformed`] for degrees of freedom that are not positive.
pub fn t_two_sided(t: f64, freedom: f64) -> Estimate {
    Ok((2.0 * student(freedom)?.cdf(-t.abs())).min(1.0))
}

fn student(freedom: f64) -> Result<StudentsT, Undefined> {
    StudentsT::new(0.0, 1.0, freedom).map_err(|_| Undefined::Malformed("degrees of freedom must be positive"))
}

/// A confidence, between 0 and 1.
pub(super) fn checked(confidence: f64) -> Estimate {
    if confidence > 0.0 && confidence < 1.0 {
        Ok(confidence)
    } else {
        Err(Undefined::Malformed("a confidence is between 0 and 1"))
    }
}

#[cfg(test)]
mod tests {
    use super::{normal_critical, t_critical, t_two_sided};

    #[test]
    fn table_values() {
        assert!((normal_critical(0.95).unwrap() - 1.959_963_984_540_054).abs() < 1e-12);
        for (freedom, wanted) in
            [(1.0, 12.706_204_736_432_095), (2.0, 4.302_652_729_911_275), (10.0, 2.228_138_851_964_939)]
        {
            let found = t_critical(0.95, freedom).unwrap();
            assert!((found - wanted).abs() < 1e-9, "{freedom}: {found}");
            assert!((t_two_sided(found, freedom).unwrap() - 0.05).abs() < 1e-12);
        }
        assert!(normal_critical(1.0).is_err() && normal_critical(f64::NAN).is_err());
        assert!(t_critical(0.95, 0.0).is_err());
    }
}
