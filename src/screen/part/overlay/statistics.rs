//! Statistics of a column: facts with their numbers in line, and how often the most frequent values occur.

use super::style;
use crate::screen::part::canvas::Canvas;
use crate::screen::part::figures::number;
use crate::screen::part::pieces::Window;
use crate::screen::part::title_line::spin;
use crate::screen::theme::Role;
use crate::text::visible::visible;
use crate::text::width::width;
use crate::workbench::Workbench;
use crate::workbench::investigate::statistics::{ColumnStatistics, FactValue};
use crate::workbench::layout::Area;
use crate::workbench::overlay::reader::FREQUENT_HEAD;

/// Cells of the longest bar.
const BAR: u16 = 30;
/// Cells of a number.
const NUMBER: u16 = 12;

pub(super) fn draw(
    canvas: &mut Canvas<'_>,
    window: Window,
    state: &Workbench,
    counted: Option<&ColumnStatistics>,
) {
    let Some(counted) = counted else {
        let muted = style(canvas, Role::Muted);
        let words = format!("{} counting", canvas.symbols().spinner[spin(state)]);
        canvas.text(window.area.x, window.area.y, window.area.width, &words, muted);
        return;
    };
    let facts = counted.facts();
    let names = facts.iter().map(|fact| width(fact.name)).max().unwrap_or(0);
    let names = u16::try_from(names).unwrap_or(0);
    let (muted, text, figure) =
        (style(canvas, Role::Muted), style(canvas, Role::Text), style(canvas, Role::NumberValue));
    for (fact, nth) in facts.iter().zip(0..) {
        let Some(at) = window.row(nth) else { continue };
        canvas.text(at.x, at.y, names.min(at.width), fact.name, muted);
        let x = at.x + names + 2;
        let room = (at.x + at.width).saturating_sub(x);
        match &fact.value {
            FactValue::Rows(rows) => {
                canvas.text_right(x + NUMBER, at.y, NUMBER.min(room), &number(*rows), figure);
                if nth > 0 {
                    let share = share(*rows, counted.rows);
                    canvas.text_right(x + NUMBER + 9, at.y, 7.min(room), &share, muted);
                }
            }
            FactValue::Number(count) => {
                canvas.text_right(x + NUMBER, at.y, NUMBER.min(room), &number(*count), figure);
            }
            // It ends where the numbers do, or goes on past them where it is longer.
            FactValue::Text(value) => {
                let cells = u16::try_from(width(&visible(value))).unwrap_or(u16::MAX);
                let start = x + NUMBER.saturating_sub(cells);
                canvas.text(start, at.y, (at.x + at.width).saturating_sub(start), value, text);
            }
        }
    }
    frequent(canvas, window, facts.len(), counted);
}

fn frequent(canvas: &mut Canvas<'_>, window: Window, above: usize, counted: &ColumnStatistics) {
    let (heading, text, muted, figure, bar) = (
        style(canvas, Role::Accent),
        style(canvas, Role::Text),
        style(canvas, Role::Muted),
        style(canvas, Role::NumberValue),
        style(canvas, Role::Accent),
    );
    let Some(most) = counted.frequent.iter().map(|(_, count)| count).max() else { return };
    if let Some(at) = window.row(above + FREQUENT_HEAD - 1) {
        let words = if counted.are_ranges { "Ranges" } else { "Most frequent values" };
        canvas.text(at.x, at.y, at.width, words, heading);
    }
    let cells = |count: &u64| u16::try_from(width(&number(*count))).unwrap_or(0);
    let numbers = counted.frequent.iter().map(|(_, count)| cells(count)).max().unwrap_or(0);
    let bars = BAR.min(window.area.width / 3);
    let names = window.area.width.saturating_sub(bars + numbers + 15);
    let longest = counted.frequent.iter().map(|(value, _)| width(&visible(value))).max().unwrap_or(0);
    let names = names.min(u16::try_from(longest.max(8)).unwrap_or(u16::MAX));
    for ((value, count), nth) in counted.frequent.iter().zip(above + FREQUENT_HEAD..) {
        let Some(at) = window.row(nth) else { continue };
        let (value, style) = if value.is_empty() { ("(empty)", muted) } else { (value.as_str(), text) };
        canvas.text(at.x, at.y, names, value, style);
        let mut x = at.x + names + 2 + numbers;
        canvas.text_right(x, at.y, numbers, &number(*count), figure);
        x += 9;
        canvas.text_right(x, at.y, 7, &share(*count, counted.rows), muted);
        let length = u64::from(bars) * count / (*most).max(1);
        let length = u16::try_from(length).unwrap_or(bars).clamp(u16::from(*count > 0), bars.max(1));
        blocks(canvas, Area { x: x + 2, width: length, ..at }, bar);
    }
}

fn blocks(canvas: &mut Canvas<'_>, area: Area, style: ratatui::style::Style) {
    // Half as high as a row, so that bars stay apart.
    let bar = canvas.symbols().levels[3].repeat(usize::from(area.width));
    canvas.text(area.x, area.y, area.width, &bar, style);
}

/// A share of rows with one decimal: `12.5 %`.
fn share(part: u64, whole: u64) -> String {
    let thousandths = u128::from(part) * 1000 / u128::from(whole.max(1));
    if part > 0 && thousandths == 0 {
        return "<0.1 %".to_owned();
    }
    format!("{}.{} %", thousandths / 10, thousandths % 10)
}
