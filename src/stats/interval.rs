//! A pair of limits.

/// An interval, low end first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The low end.
    pub low: f64,
    /// The high end.
    pub high: f64,
}

impl Interval {
    /// The interval of a half-width around a centre.
    pub fn around(centre: f64, half_width: f64) -> Interval {
        Interval { low: centre - half_width, high: centre + half_width }
    }

    /// From end to end.
    pub fn width(self) -> f64 {
        self.high - self.low
    }
}
