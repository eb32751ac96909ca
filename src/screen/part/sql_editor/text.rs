//! The text of the editor: line numbers, colours, selection, the matching bracket, the place of an error, the cursor.
//!
//! Only lines and columns that show are looked at; what needs the whole text is left out where that is long.

use super::line::Window;
use crate::screen::part::canvas::Canvas;
use crate::screen::theme::Role;
use crate::sql::statement_at::statement_at;
use crate::text::brackets::matching;
use crate::text::edit_buffer::{Place, cells_of};
use crate::text::sql_colours::SqlClass;
use crate::text::wrap::wrap;
use crate::workbench::investigate::editor::Buffer;
use crate::workbench::layout::Area;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation as _;

/// Lines with more bytes are shown without colours.
const COLOURED: usize = 64 << 10;
/// In texts with more bytes neither brackets nor statements are looked for.
const SEARCHED: usize = 64 << 10;

/// What there is to show beside the text itself.
struct Marks {
    selection: Option<(Place, Place)>,
    brackets: Vec<Place>,
    error: Option<Place>,
    /// Lines of the statement that would be run, where there are several.
    statement: Option<Range<usize>>,
}

/// How a text is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::screen) struct Look {
    /// Whether it has the keys.
    pub(in crate::screen) has_focus: bool,
    /// Whether keys write in it.
    pub(in crate::screen) is_writing: bool,
    /// What stands there while it is empty; nothing where nothing can be written.
    pub(in crate::screen) placeholder: &'static str,
}

/// Draws a text with its line numbers in the gutter.
pub(in crate::screen) fn draw(
    canvas: &mut Canvas<'_>,
    gutter: Area,
    area: Area,
    buffer: &Buffer,
    look: Look,
) {
    let Look { has_focus, is_writing, placeholder } = look;
    let cursor = buffer.text.cursor();
    let marks = marks(buffer, has_focus);
    let lines = buffer.text.lines();
    let height = usize::from(area.height);
    for (y, number) in (area.y..).zip(buffer.top..lines.len().min(buffer.top + height)) {
        let is_current = number == cursor.line;
        let row = Area { y, height: 1, ..area };
        if is_current && has_focus {
            let style = canvas.style(Role::CursorLine);
            canvas.tint(Area { x: gutter.x, width: gutter.width + area.width, ..row }, style);
        }
        let style = canvas.style(if is_current && has_focus { Role::Strong } else { Role::LineNumber });
        let room = gutter.width.saturating_sub(1);
        canvas.text_right(gutter.x + room, y, room, &(number + 1).to_string(), style);
        if marks.statement.as_ref().is_some_and(|it| it.contains(&number)) {
            let style = canvas.style(Role::Accent);
            let sign = canvas.symbols().line.vertical;
            canvas.text(gutter.x + room, y, 1, sign, style);
        }
        let window = Window::new(&lines[number], buffer.left, usize::from(area.width));
        coloured(canvas, row, buffer, number, &window);
        if window.goes_on && !is_current {
            let style = canvas.style(Role::Faint);
            let sign = canvas.symbols().ellipsis;
            canvas.text(area.x + area.width.saturating_sub(1), y, 1, sign, style);
        }
        marked(canvas, row, buffer, number, &window, &marks, has_focus);
    }
    if buffer.text.is_empty() {
        let style = canvas.style(Role::Faint);
        for (y, line) in (area.y..area.y + area.height).zip(wrap(placeholder, usize::from(area.width).max(1)))
        {
            canvas.text(area.x, y, area.width, line, style);
        }
    }
    let column = buffer.text.column_of(cursor);
    let (Some(x), Some(y)) = (column.checked_sub(buffer.left), cursor.line.checked_sub(buffer.top)) else {
        return;
    };
    if !has_focus || x >= usize::from(area.width) || y >= height {
        return;
    }
    let at = (area.x + u16::try_from(x).unwrap_or(0), area.y + u16::try_from(y).unwrap_or(0));
    if is_writing {
        canvas.place_cursor(at.0, at.1);
    } else {
        let style = canvas.style(Role::Cursor);
        canvas.tint(Area { x: at.0, y: at.1, width: 1, height: 1 }, style);
    }
}

/// The pieces of a line in their colours.
fn coloured(canvas: &mut Canvas<'_>, row: Area, buffer: &Buffer, number: usize, window: &Window<'_>) {
    let line = &buffer.text.lines()[number];
    // Even of the part that shows, the colours of a very long line need what stands before it.
    let is_short = line.len() <= COLOURED;
    let spans =
        if is_short { buffer.colours.spans_within(line, number, window.bytes.clone()) } else { Vec::new() };
    let mut at = window.bytes.start;
    for (range, class) in spans {
        let range = range.start.clamp(at, window.bytes.end)..range.end.clamp(at, window.bytes.end);
        piece(canvas, row, window, line, at..range.start, Role::Text);
        piece(canvas, row, window, line, range.clone(), role(class));
        at = range.end;
    }
    piece(canvas, row, window, line, at..window.bytes.end, Role::Text);
}

/// Some bytes of a line in a style.
fn piece(
    canvas: &mut Canvas<'_>,
    row: Area,
    window: &Window<'_>,
    line: &str,
    bytes: Range<usize>,
    role: Role,
) {
    let Some(text) = line.get(bytes.clone()).filter(|text| !text.is_empty()) else { return };
    let style = canvas.style(role);
    let cell = |cells: usize| row.x + u16::try_from(cells).unwrap_or(u16::MAX).min(row.width);
    let mut used = window.cell_of(bytes.start);
    if window.is_ascii() {
        canvas.text(cell(used), row.y, (row.x + row.width).saturating_sub(cell(used)), text, style);
        return;
    }
    // Each grapheme goes to the cell where the cursor will look for it, however wide a terminal draws those before it.
    for grapheme in text.graphemes(true) {
        let cells = cells_of(grapheme);
        canvas.text(cell(used), row.y, (row.x + row.width).saturating_sub(cell(used)), grapheme, style);
        used += cells;
    }
}

/// What lies over the colours of a line.
fn marked(
    canvas: &mut Canvas<'_>,
    row: Area,
    buffer: &Buffer,
    number: usize,
    window: &Window<'_>,
    marks: &Marks,
    has_focus: bool,
) {
    let line = &buffer.text.lines()[number];
    let mut tint = |cells: Range<usize>, role: Role| {
        let start = u16::try_from(cells.start).unwrap_or(u16::MAX).min(row.width);
        let end = u16::try_from(cells.end).unwrap_or(u16::MAX).min(row.width);
        let style = canvas.style(role);
        canvas.tint(Area { x: row.x + start, width: end.saturating_sub(start), ..row }, style);
    };
    for place in marks.brackets.iter().filter(|place| place.line == number) {
        if let Some(cells) = window.cells_of(&(place.byte..place.byte + 1)) {
            tint(cells, Role::BracketMatch);
        }
    }
    if let Some(place) = marks.error.filter(|place| place.line == number) {
        let bytes = wrong(buffer, number, place.byte);
        // An error behind the last character still needs a cell to stand on.
        let end = window.cell_of(line.len());
        let cells = window.cells_of(&bytes).or_else(|| (bytes.is_empty()).then_some(end..end + 1));
        if let Some(cells) = cells {
            tint(cells, Role::ErrorUnderline);
        }
    }
    if let Some((from, to)) = marks.selection.filter(|(from, to)| (from.line..=to.line).contains(&number)) {
        let start = if from.line == number { window.cell_of(from.byte) } else { 0 };
        // The line end is selected too where the selection goes on.
        let end = if to.line == number { window.cell_of(to.byte) } else { window.cell_of(line.len()) + 1 };
        tint(start..end, if has_focus { Role::Selection } else { Role::SelectionUnfocused });
    }
}

/// The piece of a line that an error at a byte is about.
fn wrong(buffer: &Buffer, number: usize, byte: usize) -> Range<usize> {
    let line = &buffer.text.lines()[number];
    if line.len() <= COLOURED {
        let spans = buffer.colours.spans(line, number);
        if let Some((range, _)) = spans.into_iter().find(|(range, _)| range.contains(&byte)) {
            return byte.min(range.start)..range.end;
        }
    }
    let rest = line.get(byte..).unwrap_or_default();
    byte..byte + rest.graphemes(true).next().map_or(0, str::len)
}

fn marks(buffer: &Buffer, has_focus: bool) -> Marks {
    let text = &buffer.text;
    let mut marks = Marks {
        selection: text.selection(),
        brackets: Vec::new(),
        error: buffer.error.map(|offset| text.place_of(offset)),
        statement: None,
    };
    let size: usize = text.lines().iter().map(|line| line.len() + 1).sum();
    if !has_focus || size > SEARCHED {
        return marks;
    }
    let whole = text.text();
    let offset = text.offset_of(text.cursor());
    if let Some((one, other)) = matching(&whole, offset) {
        marks.brackets = vec![text.place_of(one), text.place_of(other)];
    }
    if whole.contains(';')
        && let Some(range) = statement_at(&whole, offset)
    {
        let lines = text.place_of(range.start).line..text.place_of(range.end).line + 1;
        let is_all = lines.start == 0 && lines.end == text.lines().len();
        marks.statement = (!is_all).then_some(lines);
    }
    marks
}

/// What a piece of SQL looks like.
pub(in crate::screen) const fn role(class: SqlClass) -> Role {
    match class {
        SqlClass::Keyword => Role::SyntaxKeyword,
        SqlClass::Function => Role::SyntaxFunction,
        SqlClass::Name => Role::SyntaxName,
        SqlClass::QuotedName => Role::SyntaxQuotedName,
        SqlClass::String => Role::SyntaxString,
        SqlClass::Number | SqlClass::Blob => Role::SyntaxNumber,
        SqlClass::Comment => Role::SyntaxComment,
        SqlClass::Operator => Role::SyntaxOperator,
        SqlClass::Bracket => Role::SyntaxBracket,
        SqlClass::Parameter => Role::SyntaxParameter,
        SqlClass::Unknown => Role::Danger,
    }
}
