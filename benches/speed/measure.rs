//! Measuring two things in turn, so that a machine whose speed drifts slows both alike.

use std::time::{Duration, Instant};

/// Medians of two pieces of work run in turn, after one round that is not counted.
pub(crate) fn in_turn(rounds: usize, mut one: impl FnMut(), mut other: impl FnMut()) -> (Duration, Duration) {
    let mut times = (Vec::new(), Vec::new());
    for round in 0..=rounds {
        let first = timed(&mut one);
        let second = timed(&mut other);
        if round > 0 {
            times.0.push(first);
            times.1.push(second);
        }
    }
    (median(times.0), median(times.1))
}

/// How long work takes.
pub(crate) fn timed(work: &mut impl FnMut()) -> Duration {
    let started = Instant::now();
    work();
    started.elapsed()
}

/// The middle of the times.
pub(crate) fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// Prints a line: what, ours, the peer's, the ratio.
pub(crate) fn report(what: &str, ours: Duration, peer: &str, theirs: Duration) {
    let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
    println!("{what:<44} {ours:>12.1?}   {peer} {theirs:>12.1?}   {ratio:>9.1}x");
}
