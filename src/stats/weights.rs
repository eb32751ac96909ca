//! How much two levels agree.

use super::number::real;

/// How near two levels count as agreeing. Distances are steps in the full list of levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weights {
    /// Equal or not.
    Identity,
    /// 1 − |i−j| / (k−1).
    Linear,
    /// 1 − (i−j)² / (k−1)².
    Quadratic,
}

impl Weights {
    /// How far apart two levels are, in whole units: the weight without its divisor, so that sums stay exact.
    pub fn distance(self, i: usize, j: usize) -> f64 {
        let steps = i.abs_diff(j);
        match self {
            Weights::Identity => f64::from(u8::from(steps != 0)),
            Weights::Linear => real(steps),
            Weights::Quadratic => real(steps * steps),
        }
    }

    /// The weight of agreement in 0..=1 between two of `levels` (at least two) levels.
    pub fn agreement(self, i: usize, j: usize, levels: usize) -> f64 {
        1.0 - self.distance(i, j) / self.distance(0, levels - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::Weights;

    #[test]
    #[allow(clippy::float_cmp)] // these are exact
    fn ends_disagree_wholly_and_equals_agree_wholly() {
        for weights in [Weights::Identity, Weights::Linear, Weights::Quadratic] {
            assert_eq!([weights.agreement(2, 2, 5), weights.agreement(0, 4, 5)], [1.0, 0.0]);
        }
        assert_eq!(Weights::Linear.agreement(0, 1, 5), 0.75);
        assert_eq!(Weights::Quadratic.agreement(3, 1, 5), 0.75);
    }
}
