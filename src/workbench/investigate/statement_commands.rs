//! Commands that run statements, and those that find statements run before.

use super::super::command::{Arguments, Command, Done, Invocation, Kind, optional, required};
use super::super::effect::{Effect, Tell};
use super::super::overlay::Overlay;
use super::super::overlay::picker::{Item, Picker, Purpose as Lists};
use super::super::state::Workbench;
use super::{Purpose, Statement, running};
use crate::sql::statement_at::statement_at;
use crate::text::edit_buffer::EditOp;
use crate::text::sql_lexer::statements;

/// What stands before a statement whose plan is wanted.
pub(super) const EXPLAIN: &str = "EXPLAIN QUERY PLAN ";

/// The commands.
pub(in crate::workbench) const COMMANDS: &[Command] = &[
    Command::new(
        "query.run",
        "Run the statement",
        "Runs the statement at the cursor, or what is selected.",
        "open",
        run,
    )
    .takes(&[optional("sql", Kind::Text, "The statement; the one at the cursor if absent.")]),
    Command::new(
        "query.run_all",
        "Run all statements",
        "Runs the statements of the buffer one after another.",
        "open",
        run_all,
    ),
    Command::new("query.cancel", "Cancel", "Stops the running statement.", "running", |state, _| {
        let space = state.space()?;
        space.queue.clear();
        if let Some(running) = &mut space.running {
            running.is_cancelled = true;
        }
        Ok(vec![Effect::Tell(Tell::Cancel)])
    }),
    Command::new(
        "query.plan",
        "Show the plan",
        "Shows how the statement at the cursor would be run.",
        "open",
        plan,
    )
    .takes(&[optional("sql", Kind::Text, "The statement; the one at the cursor if absent.")]),
    Command::new(
        "history.open",
        "Statements run before",
        "Finds a statement that was run before.",
        "open",
        history,
    ),
    Command::new(
        "history.insert",
        "Take from the history",
        "Writes a statement of the history into the editor.",
        "working",
        |state, arguments| {
            let text = arguments.text("sql").unwrap_or_default().to_owned();
            let space = state.space()?;
            if space.editor.buffer().text.is_empty() {
                space.editor.buffer_mut().edit(&EditOp::Insert(text));
            } else {
                space.editor.add(&text);
            }
            space.needs_saving = true;
            Ok(Vec::new())
        },
    )
    .takes(&[required("sql", Kind::Text, "The statement.")])
    .undoable(),
];

/// The statement at the cursor, or what is selected, with its place.
fn wanted(state: &mut Workbench, arguments: Arguments<'_>) -> Result<Statement, String> {
    if let Some(sql) = arguments.text("sql") {
        return Ok(Statement { sql: sql.to_owned(), place: None });
    }
    let buffer = state.space()?.editor.buffer();
    let text = buffer.text.text();
    let range = match buffer.text.selection() {
        Some((from, to)) => Some(buffer.text.offset_of(from)..buffer.text.offset_of(to)),
        None => statement_at(&text, buffer.text.offset_of(buffer.text.cursor())),
    };
    let range = range.filter(|range| !range.is_empty());
    let range = range.ok_or_else(|| "there is no statement to run; write one in the editor".to_owned())?;
    let place = Some((buffer.number, range.start));
    Ok(Statement { sql: text.get(range).unwrap_or_default().to_owned(), place })
}

fn run(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let statement = wanted(state, arguments)?;
    state.space()?.completion = None;
    running::run(state, statement, Purpose::Result)
}

fn run_all(state: &mut Workbench, _: Arguments<'_>) -> Done {
    let space = state.space()?;
    space.completion = None;
    let buffer = space.editor.buffer();
    let (text, number) = (buffer.text.text(), buffer.number);
    let mut all = statements(&text).into_iter().map(|range| Statement {
        sql: text.get(range.clone()).unwrap_or_default().to_owned(),
        place: Some((number, range.start)),
    });
    let first =
        all.next().ok_or_else(|| "there is no statement to run; write one in the editor".to_owned())?;
    let rest = all.collect();
    let effects = running::run(state, first, Purpose::Result)?;
    state.space()?.queue = rest;
    Ok(effects)
}

fn plan(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let mut statement = wanted(state, arguments)?;
    statement.sql.insert_str(0, EXPLAIN);
    running::run(state, statement, Purpose::Plan)
}

fn history(state: &mut Workbench, _: Arguments<'_>) -> Done {
    if state.history.is_empty() {
        return Err("no statement was run yet".to_owned());
    }
    let items = state
        .history
        .iter()
        .rev()
        .map(|entry| Item {
            label: entry.sql.split_whitespace().collect::<Vec<_>>().join(" "),
            detail: format!("{} · {}", entry.work, entry.snapshot),
            aside: entry.rows.map_or_else(|| "failed".to_owned(), |rows| format!("{rows} rows")),
            gives: Invocation::of("history.insert").with("sql", entry.sql.as_str()),
        })
        .collect();
    state.overlays.push(Overlay::Picker(Picker::new("Statements run before", Lists::History, items)));
    Ok(Vec::new())
}
