//! Statements that the person keeps by name, on this machine, for any case.

use super::super::command::{Arguments, Command, Done, Invocation, Kind, optional, required};
use super::super::overlay::picker::{Item, Picker, Purpose};
use super::super::overlay::{Overlay, Prompt};
use super::super::settings::SavedStatement;
use super::super::state::Workbench;
use crate::sql::statement_at::statement_at;

/// At most so many are kept.
const MOST: usize = 500;

/// The commands.
pub(in crate::workbench) const COMMANDS: &[Command] = &[
    Command::new(
        "saved.add",
        "Save the statement",
        "Keeps the statement at the cursor by a name.",
        "open",
        add,
    )
    .takes(&[optional(
        "name",
        Kind::Text,
        "The name; asked for if absent. A name that is there gets the new statement.",
    )]),
    Command::new(
        "saved.open",
        "Saved statements",
        "Finds a statement that was saved, and writes it into the editor.",
        "working",
        open,
    ),
    Command::new(
        "saved.remove",
        "Forget a saved statement",
        "Removes a saved statement by its name.",
        "",
        remove,
    )
    .takes(&[required("name", Kind::Text, "The name.")]),
];

fn add(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let text = &state.space()?.editor.buffer().text;
    let whole = text.text();
    let range = statement_at(&whole, text.offset_of(text.cursor()));
    let sql = range.and_then(|range| whole.get(range)).map(str::to_owned);
    let sql = sql.ok_or("there is no statement to save; write one in the editor")?;
    let Some(name) = arguments.text("name") else {
        let then = Invocation::of("saved.add");
        return state.prompt(Prompt::new("Save the statement", "A few words to find it by.", then, "name"));
    };
    let name: String = name.trim().chars().take(80).collect();
    if name.is_empty() {
        return Err("a saved statement needs a name".to_owned());
    }
    state.kept.saved.retain(|saved| saved.name != name);
    if state.kept.saved.len() >= MOST {
        return Err(format!("{MOST} statements are saved; remove one first"));
    }
    state.inform(format!("saved as '{name}'"));
    state.kept.saved.push(SavedStatement { name, sql });
    Ok(vec![state.keep()])
}

fn open(state: &mut Workbench, _: Arguments<'_>) -> Done {
    if state.kept.saved.is_empty() {
        return Err("no statement is saved yet; saved.add keeps one".to_owned());
    }
    let items = state
        .kept
        .saved
        .iter()
        .map(|saved| Item {
            label: saved.name.clone(),
            detail: saved.sql.split_whitespace().collect::<Vec<_>>().join(" "),
            aside: String::new(),
            gives: Invocation::of("history.insert").with("sql", saved.sql.as_str()),
        })
        .collect();
    state.overlays.push(Overlay::Picker(Picker::new("Saved statements", Purpose::History, items)));
    Ok(Vec::new())
}

fn remove(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let name = arguments.text("name").unwrap_or_default();
    let before = state.kept.saved.len();
    state.kept.saved.retain(|saved| saved.name != name);
    if state.kept.saved.len() == before {
        return Err(format!("no saved statement is called '{name}'"));
    }
    Ok(vec![state.keep()])
}
