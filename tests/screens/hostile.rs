//! Whatever data holds, no cell of the screen holds a character that a terminal obeys.

use crate::desk::Desk;
use casebook::screen::theme::{Depth, Library, Symbols, Theme};
use casebook::screen::view;
use casebook::workbench::Workbench;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use serde_json::json;

/// Escapes of seven and eight bits, overrides of direction, what has no width, what ends lines, half a sequence.
const HOSTILE: &str = "\u{1b}[2J\u{1b}]52;c;eA==\u{7}\u{9b}31m\u{90}q\u{202e}abc\u{2066}\u{200b}\u{feff}\u{61c}\u{ad} \
                       \u{5e9}\u{5dc}\u{5d5}\u{5dd} \u{540d}\u{524d} e\u{301}\u{1f469}\u{200d}\u{1f467} \u{fe0f}\u{2764}\u{fe0f}\r\n\u{85}\u{2028}\tx\0\u{7f}\u{1b}";

/// Whether a terminal acts on a character, or shows nothing for it.
fn is_obeyed(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
        || matches!(
            character,
            '\u{fe0f}' | '\u{61c}' | '\u{200b}' | '\u{feff}' | '\u{ad}' | '\u{200e}' | '\u{200f}'
        )
}

fn check(state: &Workbench, theme: &Theme, after: &str) {
    let mut buffer = Buffer::empty(Rect::new(0, 0, state.size.width, state.size.height));
    view(&mut buffer, state, theme);
    for (at, cell) in buffer.content.iter().enumerate() {
        let obeyed = cell.symbol().chars().find(|it| is_obeyed(*it));
        assert_eq!(obeyed, None, "cell {at} holds {:?} after {after}", cell.symbol());
    }
}

#[test]
fn no_cell_holds_what_a_terminal_obeys() {
    assert!(HOSTILE.chars().filter(|it| is_obeyed(*it)).count() > 15, "the text is hostile");
    let themes = [
        Theme::plain(Symbols::UNICODE),
        Library::embedded().theme("default-dark", Depth::TrueColour, Symbols::UNICODE).unwrap(),
    ];
    let mut desk = Desk::open();
    let escaped = HOSTILE.replace('\0', "");
    let sql = format!(
        "SELECT '{escaped}' AS \"{escaped}\", '{{\"{escaped}\": [1, \"{escaped}\"]}}' AS j, cast(x'ff1b5b324a00' AS TEXT) AS i, \
         char(27, 91, 50, 74, 155, 8238, 0) AS c"
    );
    let give = |desk: &mut Desk, command: &str, arguments: serde_json::Value| {
        // What is refused says why, with the hostile text in it: that is drawn, too.
        desk.ask(&json!({"command": command, "arguments": arguments}));
    };
    let steps: Vec<(&str, serde_json::Value)> = vec![
        ("cases.find", json!({"text": HOSTILE})),
        ("page.investigate", json!({})),
        ("editor.set", json!({"text": HOSTILE})),
        ("query.run", json!({})),
        ("notices.open", json!({})),
        ("overlay.close", json!({})),
        ("buffer.rename", json!({"name": HOSTILE})),
        ("schema.find", json!({"text": HOSTILE})),
        ("query.run", json!({"sql": sql})),
        ("focus.grid", json!({})),
        ("grid.statistics", json!({})),
        ("overlay.close", json!({})),
        ("grid.cell", json!({})),
        ("cell.raw", json!({})),
        ("overlay.close", json!({})),
        ("grid.record", json!({})),
        ("grid.move", json!({"to": "right"})),
        ("overlay.close", json!({})),
        ("grid.cell", json!({})),
        ("overlay.close", json!({})),
        ("grid.filter", json!({"text": HOSTILE})),
        ("grid.show_all", json!({})),
        ("answer.identify", json!({"column": escaped})),
        ("answer.mark_all", json!({})),
        ("answer.add", json!({"subjects": [HOSTILE]})),
        ("answer.fact", json!({"fact": format!("{HOSTILE} = {HOSTILE}")})),
        ("answer.prose", json!({"text": HOSTILE})),
        ("focus.answer", json!({})),
        ("history.open", json!({})),
        ("overlay.close", json!({})),
        ("query.plan", json!({"sql": sql})),
        ("overlay.close", json!({})),
        ("export.rows", json!({"format": "csv", "path": format!("/nowhere/{HOSTILE}")})),
        ("theme.choose", json!({"name": HOSTILE})),
        ("answer.submit", json!({})),
        ("confirm.yes", json!({})),
        ("page.cases", json!({})),
        ("cases.start", json!({"task": HOSTILE})),
        ("help.open", json!({})),
        ("overlay.close", json!({})),
        ("palette.open", json!({})),
    ];
    for (command, arguments) in steps {
        give(&mut desk, command, arguments);
        for (width, height) in [(80, 24), (132, 43), (61, 17)] {
            desk.ask(&json!({"resize": {"width": width, "height": height}}));
            for theme in &themes {
                check(desk.state(), theme, command);
            }
        }
    }
    desk.ask(&json!({"paste": HOSTILE}));
    check(desk.state(), &themes[0], "pasting");
}
