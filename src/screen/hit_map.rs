//! What is under the mouse: areas of the last picture, each with the commands that the mouse gives there.
//!
//! So a click ends in the same commands as a key. Not here: reading the mouse (`terminal`).

use crate::workbench::command::Invocation;
use crate::workbench::layout::Area;

/// What the mouse gives in an area.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Hit {
    /// A press.
    pub press: Option<Invocation>,
    /// A second press soon after, in the same place.
    pub again: Option<Invocation>,
    /// One step of the wheel up.
    pub wheel_up: Option<Invocation>,
    /// One step of the wheel down.
    pub wheel_down: Option<Invocation>,
    /// What a press and a drag mean where that depends on the very cell.
    pub surface: Option<Surface>,
}

/// An area where every cell means something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Surface {
    /// Text of the editor: the area, the first line and the first column (in cells) that it shows.
    Editor {
        /// The text without line numbers.
        area: Area,
        /// First line.
        top: usize,
        /// First column in cells.
        left: usize,
    },
    /// The border between two panes: dragging it sets a size.
    Border {
        /// The pane, as `pane.resize` takes it.
        pane: &'static str,
        /// What the two panes share.
        shared: Area,
        /// Whether the border is a line from top to bottom.
        is_vertical: bool,
        /// Whether the pane is the one behind the border (on the right, below).
        is_behind: bool,
    },
}

impl Surface {
    /// What pressing, or dragging to, a cell gives.
    pub fn at(&self, x: u16, y: u16, is_drag: bool) -> Option<Invocation> {
        match self {
            Self::Editor { area, top, left } => {
                let line = top + usize::from(y.saturating_sub(area.y));
                let cell = left + usize::from(x.saturating_sub(area.x));
                let place = Invocation::of("editor.place").with("line", line).with("cell", cell);
                Some(if is_drag { place.with("select", true) } else { place })
            }
            Self::Border { .. } if !is_drag => None,
            Self::Border { pane, shared, is_vertical, is_behind } => {
                let (at, start, length) =
                    if *is_vertical { (x, shared.x, shared.width) } else { (y, shared.y, shared.height) };
                let part = u32::from(at.saturating_sub(start)) * 100 / u32::from(length.max(1));
                let part = if *is_behind { 100_u32.saturating_sub(part) } else { part };
                Some(Invocation::of("pane.resize").with("pane", *pane).with("to", part.min(100)))
            }
        }
    }
}

/// The areas of a picture; later ones lie over earlier ones.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HitMap {
    hits: Vec<(Area, Hit)>,
}

impl HitMap {
    /// Adds an area over those before.
    pub fn add(&mut self, area: Area, hit: Hit) {
        if !area.is_empty() {
            self.hits.push((area, hit));
        }
    }

    /// Adds an area whose press gives a command.
    pub fn press(&mut self, area: Area, gives: Invocation) {
        self.add(area, Hit { press: Some(gives), ..Hit::default() });
    }

    /// Adds an area that hides what lies under it.
    pub fn cover(&mut self, area: Area) {
        self.add(area, Hit::default());
    }

    /// What is at a cell: the topmost area that has it.
    pub fn at(&self, x: u16, y: u16) -> Option<&Hit> {
        self.hits.iter().rev().find(|(area, _)| area.contains(x, y)).map(|(_, hit)| hit)
    }
}

#[cfg(test)]
mod tests {
    use super::{HitMap, Surface};
    use crate::workbench::command::Invocation;
    use crate::workbench::layout::Area;

    #[test]
    fn the_topmost_area_counts() {
        let mut map = HitMap::default();
        let page = Area { x: 0, y: 0, width: 10, height: 10 };
        map.press(page, Invocation::of("page.cases"));
        map.cover(Area { x: 2, y: 2, width: 3, height: 3 });
        assert_eq!(map.at(0, 0).unwrap().press, Some(Invocation::of("page.cases")));
        assert_eq!(map.at(3, 3).unwrap().press, None);
        assert_eq!(map.at(10, 10), None);
    }

    #[test]
    fn a_border_gives_hundredths() {
        let shared = Area { x: 0, y: 1, width: 80, height: 20 };
        let border = Surface::Border { pane: "side", shared, is_vertical: true, is_behind: false };
        assert_eq!(border.at(20, 5, false), None);
        assert_eq!(border.at(20, 5, true).unwrap().arguments["to"], 25);
        let border = Surface::Border { pane: "answer", shared, is_vertical: true, is_behind: true };
        assert_eq!(border.at(60, 5, true).unwrap().arguments["to"], 25);
    }
}
