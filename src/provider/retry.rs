//! Asking again: how often, after which wait.
//!
//! Waits double from one attempt to the next, and lie at random (from a seed) between half of that and all of it, so that
//! many who were refused together do not come back together. A provider that says how long is listened to, up to a limit.

use super::error::SettingsError;
use super::settings::{duration, seconds_of};
use jiff::Timestamp;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How often, and after which waits.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RetryPolicy {
    /// Attempts in all.
    pub attempts: u32,
    /// Seconds of the first wait; each next is twice as long.
    pub first_wait_seconds: f64,
    /// The longest wait in seconds, whatever the provider asks for.
    pub longest_wait_seconds: f64,
}

impl Default for RetryPolicy {
    /// Five attempts, waits from 1 s to 60 s.
    fn default() -> Self {
        Self { attempts: 5, first_wait_seconds: 1.0, longest_wait_seconds: 60.0 }
    }
}

/// A wait before the next attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wait {
    /// How long.
    pub(super) time: Duration,
    /// How long the provider asked for.
    pub(super) asked: Option<Duration>,
}

impl RetryPolicy {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        if !(1..=20).contains(&self.attempts) {
            return Err(SettingsError::new("retry.attempts", format!("{} is not in 1 to 20", self.attempts)));
        }
        let first = seconds_of("retry.first_wait_seconds", self.first_wait_seconds)?;
        if first > seconds_of("retry.longest_wait_seconds", self.longest_wait_seconds)? {
            return Err(SettingsError::new(
                "retry.longest_wait_seconds",
                "it is less than first_wait_seconds",
            ));
        }
        Ok(())
    }

    /// The wait behind this attempt, from 1. The same seed gives the same waits.
    pub(super) fn wait(&self, attempt: u32, seed: u64, asked: Option<Duration>) -> Wait {
        let longest = duration(self.longest_wait_seconds);
        if let Some(asked) = asked {
            return Wait { time: asked.min(longest), asked: Some(asked) };
        }
        let doubled =
            duration(self.first_wait_seconds).saturating_mul(1 << attempt.saturating_sub(1).min(20));
        let mut random = ChaCha8Rng::seed_from_u64(seed ^ u64::from(attempt).rotate_left(32));
        Wait { time: doubled.min(longest).mul_f64(random.random_range(0.5..=1.0)), asked: None }
    }
}

impl Wait {
    /// In words.
    pub(super) fn words(&self) -> String {
        let time = self.time.as_secs_f64();
        match self.asked {
            Some(asked) if asked > self.time => format!(
                "{time:.1} s (the provider asked for {:.1} s; retry.longest_wait_seconds is less)",
                asked.as_secs_f64()
            ),
            Some(_) => format!("{time:.1} s, as the provider asked"),
            None => format!("{time:.1} s"),
        }
    }
}

/// How long `Retry-After` asks to wait: seconds, or a date. `date` is when the response says it was sent, else `now` counts.
pub(super) fn retry_after(value: &str, date: Option<&str>, now: Timestamp) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return if seconds.is_nan() || seconds < 0.0 {
            None
        } else {
            // Longer than can be said is as long as can be said.
            Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
        };
    }
    let at = http_date(value)?;
    let sent = date.and_then(http_date).unwrap_or(now);
    Some(Duration::try_from(at.duration_since(sent)).unwrap_or(Duration::ZERO))
}

/// A date as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`.
fn http_date(text: &str) -> Option<Timestamp> {
    jiff::fmt::rfc2822::parse(text.trim()).ok().map(|date| date.timestamp())
}

#[cfg(test)]
mod tests {
    use super::{RetryPolicy, retry_after};
    use std::time::Duration;

    #[test]
    fn waits_grow_vary_with_the_seed_and_stop_growing() {
        let policy = RetryPolicy { attempts: 9, first_wait_seconds: 1.0, longest_wait_seconds: 10.0 };
        let wait = |attempt, seed| policy.wait(attempt, seed, None).time.as_secs_f64();
        for seed in 0..200 {
            for (attempt, most) in [(1, 1.0), (2, 2.0), (3, 4.0), (4, 8.0), (5, 10.0), (40, 10.0)] {
                let wait = wait(attempt, seed);
                assert!(wait >= most / 2.0 && wait <= most, "{attempt}: {wait}");
            }
        }
        assert!(
            (wait(3, 7) - wait(3, 7)).abs() < f64::EPSILON && (wait(3, 7) - wait(3, 8)).abs() > f64::EPSILON
        );
        let asked = policy.wait(1, 0, Some(Duration::from_secs(3)));
        assert_eq!(asked.words(), "3.0 s, as the provider asked");
        let long = policy.wait(1, 0, Some(Duration::from_hours(1)));
        assert_eq!(long.time, Duration::from_secs(10));
        assert!(long.words().contains("asked for 3600.0 s; retry.longest_wait_seconds is less"));
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = "1994-11-06T08:49:00Z".parse().unwrap();
        let read = |value, date| retry_after(value, date, now).map(|wait| wait.as_secs_f64());
        assert_eq!(read("7", None), Some(7.0));
        assert_eq!(read(" 1.5 ", None), Some(1.5));
        assert_eq!(read("Sun, 06 Nov 1994 08:49:37 GMT", None), Some(37.0));
        // The provider's clock counts, not ours.
        assert_eq!(read("Sun, 06 Nov 1994 08:49:37 GMT", Some("Sun, 06 Nov 1994 08:49:30 GMT")), Some(7.0));
        assert_eq!(read("Sun, 06 Nov 1994 08:00:00 GMT", None), Some(0.0));
        for none in ["", "-1", "soon", "NaN", "Sun, 99 Nov 1994 08:49:37 GMT"] {
            assert_eq!(read(none, None), None, "{none}");
        }
        assert_eq!(retry_after("1e300", None, now), Some(Duration::MAX));
        assert_eq!(retry_after("inf", None, now), Some(Duration::MAX));
    }
}
