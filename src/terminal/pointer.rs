//! What the mouse means: presses, second presses, drags and the wheel, looked up in the picture.

use super::{MouseButton, MouseInput, MouseKind};
use crate::screen::HitMap;
use crate::screen::hit_map::Surface;
use crate::workbench::event::Event;
use std::time::Duration;

/// A second press this soon, in the same cell, is one.
const AGAIN: Duration = Duration::from_millis(400);

/// The mouse.
#[derive(Debug, Default)]
pub struct Pointer {
    /// The last press: where and when.
    pressed: Option<(u16, u16, Duration)>,
    /// What is dragged over, from the press on.
    dragging: Option<Surface>,
}

impl Pointer {
    /// The event that an input is, if it is one.
    pub fn gives(&mut self, mouse: MouseInput, now: Duration, hits: &HitMap) -> Option<Event> {
        let (x, y) = (mouse.column, mouse.row);
        match mouse.kind {
            MouseKind::Press(MouseButton::Left) => {
                let hit = hits.at(x, y);
                let is_again = self.pressed.is_some_and(|(at_x, at_y, at)| {
                    (at_x, at_y) == (x, y) && now.saturating_sub(at) <= AGAIN
                });
                self.pressed = if is_again { None } else { Some((x, y, now)) };
                self.dragging = hit.and_then(|hit| hit.surface.clone());
                let Some(hit) = hit else { return Some(Event::Elsewhere) };
                let again = hit.again.clone().filter(|_| is_again);
                let here = self.dragging.as_ref().and_then(|surface| surface.at(x, y, false));
                again
                    .or(here)
                    .or_else(|| hit.press.clone())
                    .map_or(Some(Event::Elsewhere), |it| Some(Event::Command(it)))
            }
            MouseKind::Drag(MouseButton::Left) => {
                self.pressed = None;
                self.dragging.as_ref()?.at(x, y, true).map(Event::Command)
            }
            MouseKind::Release(_) => {
                self.dragging = None;
                None
            }
            MouseKind::ScrollUp => hits.at(x, y)?.wheel_up.clone().map(Event::Command),
            MouseKind::ScrollDown => hits.at(x, y)?.wheel_down.clone().map(Event::Command),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Pointer;
    use crate::screen::HitMap;
    use crate::screen::hit_map::{Hit, Surface};
    use crate::terminal::{MouseButton, MouseInput, MouseKind};
    use crate::workbench::command::Invocation;
    use crate::workbench::event::Event;
    use crate::workbench::layout::Area;
    use std::time::Duration;

    #[test]
    fn presses_drags_and_the_wheel_give_commands() {
        let mut hits = HitMap::default();
        let area = Area { x: 0, y: 0, width: 10, height: 5 };
        let of = |name: &str| Some(Invocation::of(name));
        hits.add(
            area,
            Hit { press: of("a.press"), again: of("a.again"), wheel_down: of("a.down"), ..Hit::default() },
        );
        let text = Area { x: 20, y: 0, width: 10, height: 5 };
        hits.add(
            text,
            Hit { surface: Some(Surface::Editor { area: text, top: 3, left: 0 }), ..Hit::default() },
        );
        let mut pointer = Pointer::default();
        let mut gives = |kind, column, milliseconds| {
            let mouse = MouseInput { kind, column, row: 1, control: false, alt: false, shift: false };
            match pointer.gives(mouse, Duration::from_millis(milliseconds), &hits) {
                Some(Event::Command(it)) => it.command + &format!("{:?}", it.arguments.get("select")),
                Some(_) => "elsewhere".to_owned(),
                None => String::new(),
            }
        };
        let press = MouseKind::Press(MouseButton::Left);
        assert_eq!(gives(press, 1, 0), "a.pressNone");
        assert_eq!(gives(press, 1, 300), "a.againNone");
        assert_eq!(gives(press, 1, 500), "a.pressNone");
        assert_eq!(gives(press, 2, 600), "a.pressNone");
        assert_eq!(gives(press, 15, 700), "elsewhere");
        assert_eq!(gives(MouseKind::ScrollDown, 1, 800), "a.downNone");
        assert_eq!(gives(MouseKind::ScrollUp, 1, 800), "");
        assert_eq!(gives(press, 22, 900), "editor.placeNone");
        assert_eq!(gives(MouseKind::Drag(MouseButton::Left), 3, 950), "editor.placeSome(Bool(true))");
        assert_eq!(gives(MouseKind::Release(MouseButton::Left), 3, 960), "");
        assert_eq!(gives(MouseKind::Drag(MouseButton::Left), 3, 970), "");
    }
}
