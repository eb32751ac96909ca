//! A scrollbar on the right border of a pane: only where there is more than is shown.

use super::canvas::Canvas;
use crate::screen::theme::Role;
use crate::workbench::layout::Area;

/// What is scrolled.
#[derive(Debug, Clone, Copy)]
pub(in crate::screen) struct Scroll {
    /// Rows in all.
    pub(in crate::screen) total: usize,
    /// Rows that are shown.
    pub(in crate::screen) shown: usize,
    /// The first of them.
    pub(in crate::screen) top: usize,
}

/// Draws it over the border of a frame, beside `inside`, which the frame surrounds.
pub(in crate::screen) fn scrollbar(canvas: &mut Canvas<'_>, inside: Area, scroll: Scroll) {
    let Some((start, length)) = thumb(inside.height, scroll) else { return };
    // The border is the groove: it keeps saying which pane has the keys.
    let style = canvas.style(Role::ScrollbarThumb);
    let sign = canvas.symbols().scrollbar_thumb;
    for y in inside.y + start..inside.y + start + length {
        canvas.text(inside.x + inside.width, y, 1, sign, style);
    }
}

/// Where the thumb begins and how long it is; `None` where all is shown.
fn thumb(height: u16, scroll: Scroll) -> Option<(u16, u16)> {
    let Scroll { total, shown, top } = scroll;
    if height == 0 || shown == 0 || total <= shown {
        return None;
    }
    let height = usize::from(height);
    let length = (height * shown / total).clamp(1, height);
    let (last, room) = (total - shown, height - length);
    let start = if top >= last { room } else { (room * top + last / 2) / last };
    // The ends are reached only where the text's are.
    let start = if top > 0 && room > 1 { start.max(1) } else { start };
    let start = if top < last && room > 1 { start.min(room - 1) } else { start };
    Some((u16::try_from(start).ok()?, u16::try_from(length).ok()?))
}

#[cfg(test)]
mod tests {
    use super::{Scroll, thumb};
    use proptest::prelude::*;

    #[test]
    fn the_ends_of_the_thumb_are_the_ends_of_the_text() {
        let at = |top| thumb(10, Scroll { total: 1000, shown: 10, top });
        assert_eq!(at(0), Some((0, 1)));
        assert_eq!(at(1), Some((1, 1)));
        assert_eq!(at(989), Some((8, 1)));
        assert_eq!(at(990), Some((9, 1)));
        assert_eq!(thumb(10, Scroll { total: 10, shown: 10, top: 0 }), None);
    }

    proptest! {
        #[test]
        fn the_thumb_stays_inside(height in 1_u16..80, total in 0_usize..3000, top in 0_usize..4000) {
            let scroll = Scroll { total, shown: usize::from(height), top };
            if let Some((start, length)) = thumb(height, scroll) {
                prop_assert!(length > 0 && start + length <= height);
            }
        }
    }
}
