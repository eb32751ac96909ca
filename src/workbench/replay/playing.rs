//! Playing a trace: one step after another, with the pauses of the record, shortened.

use super::super::event::Moment;
use super::Replay;
use super::step::Step;

/// How many times as fast as the record, by choice.
pub const SPEEDS: [f64; 6] = [0.25, 0.5, 1.0, 2.0, 4.0, 16.0];
/// The choice at which a trace begins to play.
pub const NORMAL: usize = 2;
/// No pause is shorter or longer than these, in seconds, before the speed counts.
const PAUSE: (f64, f64) = (0.3, 2.0);
/// Where the record has no times, in seconds.
const UNKNOWN: f64 = 0.8;

/// A trace that plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Playing {
    /// When the next step is due.
    pub next: Moment,
}

impl Replay {
    /// Begins to play, or goes on at another speed.
    pub(in crate::workbench) fn play_on(&mut self, now: Moment) {
        let speed = SPEEDS[self.speed.min(SPEEDS.len() - 1)];
        let both = self.step().zip(self.steps().get(self.chosen + 1));
        self.playing = both.map(|(one, next)| Playing { next: now + pause(one, next, speed) });
    }

    /// Whether the next step is due.
    pub(in crate::workbench) fn is_due(&self, now: Moment) -> bool {
        self.playing.is_some_and(|playing| now >= playing.next)
    }
}

/// How long one step stays.
fn pause(one: &Step, next: &Step, speed: f64) -> Moment {
    let recorded = one.at.zip(next.at).map(|(one, next)| next.saturating_sub(one));
    // Milliseconds of a trial are far below what a float holds exactly.
    #[allow(clippy::cast_precision_loss)]
    let seconds = recorded.map_or(UNKNOWN, |milliseconds| milliseconds as f64 / 1_000.0);
    Moment::from_secs_f64(seconds.clamp(PAUSE.0, PAUSE.1) / speed)
}
