//! When the next frame may be drawn.
//!
//! Pure: times come in as the time since the loop began. Not for deciding whether anything changed.

use std::time::Duration;

/// What to do about a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draw {
    /// Draw.
    Now,
    /// Draw at this time, unless an event comes first.
    At(Duration),
    /// Nothing changed: wait for an event, without a timer.
    Never,
}

/// Keeps frames a gap apart. The first frame after a pause is not held back, so a single key is answered at once; a burst
/// of replies is drawn as one frame each gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FramePacer {
    gap: Duration,
}

impl Default for FramePacer {
    fn default() -> Self {
        Self { gap: Duration::from_millis(8) }
    }
}

impl FramePacer {
    /// Frames at least `gap` apart.
    pub const fn new(gap: Duration) -> Self {
        Self { gap }
    }

    /// What to do at `now`, with the last frame drawn at `last_draw` and something changed since then or not.
    pub fn next_draw(self, now: Duration, last_draw: Option<Duration>, is_dirty: bool) -> Draw {
        match last_draw.map(|last| last + self.gap) {
            _ if !is_dirty => Draw::Never,
            Some(earliest) if earliest > now => Draw::At(earliest),
            _ => Draw::Now,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Draw, FramePacer};
    use std::time::Duration;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn frames_keep_their_gap_and_idle_needs_no_timer() {
        let pacer = FramePacer::default();
        for (now, last_draw, is_dirty, wanted) in [
            (ms(0), None, true, Draw::Now),
            (ms(0), None, false, Draw::Never),
            (ms(1000), Some(ms(10)), true, Draw::Now),
            (ms(1000), Some(ms(999)), false, Draw::Never),
            (ms(12), Some(ms(10)), true, Draw::At(ms(18))),
            (ms(17), Some(ms(10)), true, Draw::At(ms(18))),
            (ms(18), Some(ms(10)), true, Draw::Now),
            (ms(10), Some(ms(10)), true, Draw::At(ms(18))),
        ] {
            assert_eq!(pacer.next_draw(now, last_draw, is_dirty), wanted, "{now:?} {last_draw:?} {is_dirty}");
        }
    }

    #[test]
    fn a_flood_of_events_is_drawn_once_a_gap() {
        let pacer = FramePacer::new(ms(8));
        let (mut frames, mut last_draw) = (0, None);
        for now in (0..1000).map(ms) {
            if pacer.next_draw(now, last_draw, true) == Draw::Now {
                frames += 1;
                last_draw = Some(now);
            }
        }
        assert_eq!(frames, 125);
    }
}
