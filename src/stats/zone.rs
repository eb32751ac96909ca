//! Whether a figure has drifted out of what is accepted.

use super::Interval;

/// Where a band lies against an accepted zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drift {
    /// The whole band is in the zone.
    Accepted,
    /// The band reaches over an edge: more labels would tell.
    Unsure,
    /// No part of the band is in the zone: an alarm.
    Left,
}

/// Compares a figure's band with the accepted zone; edges belong to the zone.
pub fn drift(band: Interval, zone: Interval) -> Drift {
    if band.low >= zone.low && band.high <= zone.high {
        Drift::Accepted
    } else if band.high < zone.low || band.low > zone.high {
        Drift::Left
    } else {
        Drift::Unsure
    }
}

#[cfg(test)]
mod tests {
    use super::{Drift, Interval, drift};

    #[test]
    fn an_alarm_needs_the_whole_band_outside() {
        let zone = Interval { low: 0.6, high: 1.0 };
        for (low, high, wanted) in [
            (0.6, 0.9, Drift::Accepted),
            (0.5, 0.7, Drift::Unsure),
            (0.5, 0.6, Drift::Unsure),
            (0.2, 0.59, Drift::Left),
            (1.1, 1.2, Drift::Left),
            (f64::NAN, 0.7, Drift::Unsure),
        ] {
            assert_eq!(drift(Interval { low, high }, zone), wanted, "{low} {high}");
        }
    }
}
