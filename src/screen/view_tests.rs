//! That no state at no size makes the view panic, and that nothing harmful reaches a cell.

use super::test_support::{Picture, sized, states};
use super::theme::{Symbols, Theme};
use crate::text::visible::visible;
use crate::workbench::Workbench;
use proptest::prelude::*;
use std::sync::LazyLock;

#[test]
fn every_state_is_drawn_at_the_usual_sizes() {
    for state in states() {
        for (width, height) in [(60, 16), (80, 24), (120, 36), (140, 40), (200, 60), (400, 120)] {
            let picture = Picture::of(&sized(state.clone(), width, height));
            let text = picture.text();
            assert!(text.lines().all(|line| visible(line) == line), "{text}");
        }
    }
}

#[test]
fn ascii_signs_leave_nothing_else() {
    for state in
        [super::test_support::cases(), super::test_support::after(super::test_support::cases(), &["g"])]
    {
        let picture = Picture::with(&state, &Theme::plain(Symbols::ASCII));
        assert!(picture.text().is_ascii(), "{}", picture.text());
    }
}

proptest! {
    #[test]
    fn no_size_makes_it_panic(width in 1_u16..180, height in 1_u16..60, list in 0_u16..120, nth in any::<usize>()) {
        static STATES: LazyLock<Vec<Workbench>> = LazyLock::new(states);
        let mut state = STATES[nth % STATES.len()].clone();
        state.kept.panes.list = list;
        let picture = Picture::of(&sized(state, width, height));
        if let Some((x, y)) = picture.drawn.cursor {
            prop_assert!(x < width && y < height, "{x},{y} at {width}x{height}");
        }
    }
}
