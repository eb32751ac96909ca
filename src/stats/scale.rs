//! The levels of a criterion and what each is worth.

use super::undefined::{Undefined, finite};

/// The full list of levels, lowest first: 0, ½, 1. Statistics take positions in it, so that a level nobody used still
/// counts as a step between its neighbours.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    values: Vec<f64>,
}

impl Scale {
    /// A scale of at least two levels with rising finite values.
    ///
    /// # Errors
    /// [`Undefined::Malformed`] for anything else.
    pub fn new(values: &[f64]) -> Result<Scale, Undefined> {
        finite(values)?;
        if values.len() < 2 || values.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(Undefined::Malformed("a scale needs at least two levels, lowest first"));
        }
        Ok(Scale { values: values.to_vec() })
    }

    /// How many levels.
    pub fn levels(&self) -> usize {
        self.values.len()
    }

    /// What the levels are worth, lowest first.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The position of exactly this value, if it is a level.
    #[allow(clippy::float_cmp)] // a grade is a level or it is an error; nothing is rounded to one
    pub fn level(&self, value: f64) -> Option<usize> {
        self.values.iter().position(|level| *level == value)
    }
}

#[cfg(test)]
mod tests {
    use super::Scale;

    #[test]
    fn a_value_is_a_level_or_nothing() {
        let scale = Scale::new(&[0.0, 0.5, 1.0]).unwrap();
        assert_eq!(scale.level(0.5), Some(1));
        assert_eq!(scale.level(-0.0), Some(0));
        assert_eq!(scale.level(0.4), None);
        assert_eq!(scale.level(f64::NAN), None);
        for bad in [&[][..], &[1.0], &[1.0, 0.0], &[0.0, 0.0], &[0.0, f64::NAN], &[0.0, f64::INFINITY]] {
            assert!(Scale::new(bad).is_err(), "{bad:?}");
        }
    }
}
