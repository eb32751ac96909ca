//! Joins that the values suggest, for practice and free investigations.

use super::super::command::{Arguments, Command, Done, Invocation, Kind, optional};
use super::super::effect::{Ask, Effect};
use super::super::overlay::Overlay;
use super::super::overlay::picker::{Item, Picker, Purpose};
use super::super::state::Workbench;
use crate::text::sql_words::as_name;
use serde::Serialize;

/// A column whose values are also in another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JoinSuggestion {
    /// Its table.
    pub table: String,
    /// The column.
    pub column: String,
    /// Values in both.
    pub matched: u64,
    /// Values of the column that was asked about.
    pub own: u64,
    /// Values of this one.
    pub theirs: u64,
}

/// The commands.
pub(in crate::workbench) const COMMANDS: &[Command] = &[Command::new(
    "schema.joins",
    "Find joins by values",
    "Finds columns of other tables that hold the same values, with how many match; not in scored trials.",
    "practice && working",
    find,
)
.takes(&[
    optional("table", Kind::Text, "The table; the chosen one if absent."),
    optional("column", Kind::Text, "The column; the chosen one if absent."),
])];

fn find(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let space = state.space()?;
    let chosen = space.tree.choice();
    let table = match arguments.text("table") {
        Some(name) => space.schema.tables.iter().find(|table| table.name.eq_ignore_ascii_case(name)),
        None => chosen.and_then(|row| space.schema.tables.get(row.table)),
    };
    let table = table.ok_or("there is no such table; the schema lists them")?;
    let column = match arguments.text("column") {
        Some(name) => table.columns.iter().find(|column| column.eq_ignore_ascii_case(name)),
        None => chosen.and_then(|row| row.column).and_then(|column| table.columns.get(column)),
    };
    let column = column.ok_or("choose a column of the table: l shows them")?;
    let ask =
        Ask::Joins { revision: space.trial.revision, table: table.name.clone(), column: column.clone() };
    let (_, effect) = state.ask("comparing values", ask);
    Ok(vec![effect])
}

/// Shows what was found; picking one writes the join.
pub(in crate::workbench) fn found(
    state: &mut Workbench,
    table: &str,
    column: &str,
    joins: &[JoinSuggestion],
) -> Vec<Effect> {
    if joins.is_empty() {
        state.inform(format!("no other table holds values of {table}.{column}"));
        return Vec::new();
    }
    let items = joins
        .iter()
        .map(|join| {
            let (other, name) = (as_name(&join.table), as_name(&join.column));
            let text = format!("JOIN {other} ON {other}.{name} = {}.{}", as_name(table), as_name(column));
            Item {
                label: format!("{}.{}", join.table, join.column),
                detail: format!("{} of {} values match; it has {}", join.matched, join.own, join.theirs),
                aside: format!("{} %", join.matched * 100 / join.own.max(1)),
                gives: Invocation::of("editor.insert").with("text", format!("\n{text}")),
            }
        })
        .collect();
    let title = format!("Same values as {table}.{column}");
    state.overlays.push(Overlay::Picker(Picker::new(title, Purpose::Choice, items)));
    Vec::new()
}
