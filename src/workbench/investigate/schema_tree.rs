//! Tables and columns as a tree that can be searched.

use super::super::command::{Arguments, Command, Done, Kind, optional, required};
use super::super::focus::Focus;
use super::super::layout::keep_in_view;
use super::super::overlay::picker::narrowed;
use super::super::state::Workbench;
use super::{Purpose, Statement, running};
use crate::domain::SchemaDocument;
use crate::text::edit_buffer::EditBuffer;
use crate::text::sql_words::as_name;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Rows of a preview.
const PREVIEW: u32 = 100;

/// Tables and columns.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaTree {
    schema: Arc<SchemaDocument>,
    /// What is searched for.
    pub filter: EditBuffer,
    /// Whether it is being written.
    pub is_filtering: bool,
    /// Tables whose columns are shown.
    pub open: BTreeSet<usize>,
    /// What is shown, in order.
    pub rows: Vec<TreeRow>,
    /// Which of the rows is chosen.
    pub chosen: usize,
    /// The first row that is shown.
    pub top: usize,
}

/// A row of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeRow {
    /// The table.
    pub table: usize,
    /// The column of it; `None` for the table itself.
    pub column: Option<usize>,
    /// Letters that match what is searched for.
    pub letters: Vec<u32>,
}

impl SchemaTree {
    pub(super) fn new(schema: Arc<SchemaDocument>) -> Self {
        let mut tree = Self {
            schema,
            filter: EditBuffer::one_line(""),
            is_filtering: false,
            open: BTreeSet::new(),
            rows: Vec::new(),
            chosen: 0,
            top: 0,
        };
        tree.rebuild();
        tree
    }

    /// Lists anew: all tables with the columns of open ones, or what the search finds with the tables above it.
    pub(in crate::workbench) fn rebuild(&mut self) {
        let before = self.rows.get(self.chosen).map(|row| (row.table, row.column));
        self.rows = if self.filter.is_empty() { self.all() } else { self.found() };
        let again =
            before.and_then(|place| self.rows.iter().position(|row| (row.table, row.column) == place));
        self.chosen = if self.is_filtering { self.first_found() } else { again.unwrap_or(0) };
    }

    fn all(&self) -> Vec<TreeRow> {
        let mut rows = Vec::new();
        for (table, description) in self.schema.tables.iter().enumerate() {
            rows.push(TreeRow { table, column: None, letters: Vec::new() });
            if self.open.contains(&table) {
                rows.extend((0..description.columns.len()).map(|column| TreeRow {
                    table,
                    column: Some(column),
                    letters: Vec::new(),
                }));
            }
        }
        rows
    }

    fn found(&self) -> Vec<TreeRow> {
        let typed = self.filter.text();
        // Where any name holds just what was typed, letters from here and there of other names are only in the way.
        let literal = typed.trim().to_lowercase();
        let holds = |name: &String| name.to_lowercase().contains(&literal);
        let is_literal =
            self.schema.tables.iter().any(|table| holds(&table.name) || table.columns.iter().any(holds));
        let searched = if is_literal { format!("'{}", literal.replace(' ', "\\ ")) } else { typed };
        let tables = narrowed(&searched, self.schema.tables.iter().map(|it| (it.name.as_str(), "")));
        let mut rows = Vec::new();
        for (table, description) in self.schema.tables.iter().enumerate() {
            let by_name = tables.iter().find(|found| found.item == table);
            let columns = narrowed(&searched, description.columns.iter().map(|it| (it.as_str(), "")));
            if by_name.is_none() && columns.is_empty() {
                continue;
            }
            let letters = by_name.map(|found| found.letters.clone()).unwrap_or_default();
            rows.push(TreeRow { table, column: None, letters });
            let is_open = self.open.contains(&table);
            for column in 0..description.columns.len() {
                let found = columns.iter().find(|found| found.item == column);
                if is_open || found.is_some() {
                    let letters = found.map(|found| found.letters.clone()).unwrap_or_default();
                    rows.push(TreeRow { table, column: Some(column), letters });
                }
            }
        }
        rows
    }

    /// The first row whose own name was found.
    fn first_found(&self) -> usize {
        self.rows.iter().position(|row| !row.letters.is_empty()).unwrap_or(0)
    }

    /// Shows everything again.
    pub(in crate::workbench) fn clear(&mut self) {
        self.filter = EditBuffer::one_line("");
        self.rebuild();
    }

    pub(in crate::workbench) fn scroll(&mut self, height: usize) {
        self.chosen = self.chosen.min(self.rows.len().saturating_sub(1));
        keep_in_view(&mut self.top, self.chosen, height);
        self.top = self.top.min(self.rows.len().saturating_sub(height.max(1)));
    }

    /// The name that a row stands for.
    pub fn name(&self, row: &TreeRow) -> &str {
        let Some(table) = self.schema.tables.get(row.table) else { return "" };
        row.column.and_then(|column| table.columns.get(column)).unwrap_or(&table.name)
    }

    /// The schema that it shows.
    pub fn schema(&self) -> &SchemaDocument {
        &self.schema
    }

    /// Whether a row is the last one shown of its table.
    pub fn is_last(&self, place: usize) -> bool {
        self.rows.get(place + 1).is_none_or(|next| next.column.is_none())
    }

    /// The chosen row.
    pub fn choice(&self) -> Option<&TreeRow> {
        self.rows.get(self.chosen)
    }

    pub(super) fn document(&self) -> Value {
        let rows: Vec<String> = self
            .rows
            .iter()
            .map(|row| match row.column {
                None => self.name(row).to_owned(),
                Some(_) => format!("  {}", self.name(row)),
            })
            .collect();
        json!({"filter": self.filter.text(), "filtering": self.is_filtering, "rows": rows, "chosen": self.chosen})
    }
}

/// The commands.
pub(in crate::workbench) const COMMANDS: &[Command] = &[
    Command::new(
        "schema.move",
        "Move in the schema",
        "Chooses another table or column.",
        "open",
        |state, arguments| {
            let by = isize::try_from(arguments.integer("by").unwrap_or(1)).unwrap_or(1);
            let tree = &mut state.space()?.tree;
            tree.chosen = tree.chosen.saturating_add_signed(by).min(tree.rows.len().saturating_sub(1));
            Ok(Vec::new())
        },
    )
    .takes(&[optional("by", Kind::Integer, "Rows; below zero goes up.")]),
    Command::new(
        "schema.select",
        "Select in the schema",
        "Chooses a row of the schema.",
        "open",
        |state, arguments| {
            state.focus = Focus::Schema;
            let tree = &mut state.space()?.tree;
            tree.chosen = arguments.index("index").unwrap_or(0).min(tree.rows.len().saturating_sub(1));
            tree.is_filtering = false;
            Ok(Vec::new())
        },
    )
    .takes(&[required("index", Kind::Integer, "The row, from 0.")]),
    Command::new(
        "schema.expand",
        "Show columns",
        "Shows the columns of the chosen table.",
        "open",
        |state, _| open(state, Some(true)),
    ),
    Command::new(
        "schema.collapse",
        "Hide columns",
        "Hides the columns of the chosen table.",
        "open",
        |state, _| open(state, Some(false)),
    ),
    Command::new(
        "schema.toggle",
        "Show or hide columns",
        "Shows or hides the columns of the chosen table.",
        "open",
        |state, _| open(state, None),
    ),
    Command::new(
        "schema.find",
        "Search the schema",
        "Finds tables and columns by letters of their names.",
        "open",
        |state, arguments| {
            state.focus = Focus::Schema;
            state.kept.panes.side_hidden = false;
            let tree = &mut state.space()?.tree;
            if let Some(text) = arguments.text("text") {
                tree.filter = EditBuffer::one_line(text);
                tree.is_filtering = true;
                tree.rebuild();
                tree.is_filtering = false;
            } else {
                tree.is_filtering = true;
            }
            Ok(Vec::new())
        },
    )
    .takes(&[optional("text", Kind::Text, "What to find; written by hand if absent.")]),
    Command::new("schema.clear", "Show all tables", "Ends the search of the schema.", "open", |state, _| {
        state.space()?.tree.clear();
        Ok(Vec::new())
    }),
    Command::new(
        "schema.insert",
        "Insert the name",
        "Writes the chosen name into the editor.",
        "working",
        |state, _| {
            let tree = &state.space()?.tree;
            let Some(row) = tree.choice() else { return Err("nothing is chosen in the schema".to_owned()) };
            let name = as_name(tree.name(row)).into_owned();
            let buffer = state.space()?.editor.buffer();
            let cursor = buffer.text.cursor();
            let before = buffer.text.lines()[cursor.line][..cursor.byte].chars().next_back();
            let gap = if before.is_some_and(|it| it.is_alphanumeric() || it == '_' || it == ',') {
                " "
            } else {
                ""
            };
            super::editor_commands::insert(state, &format!("{gap}{name}"))
        },
    )
    .undoable(),
    Command::new(
        "schema.preview",
        "Preview the table",
        "Shows the first rows of a table; recorded, not counted.",
        "working",
        preview,
    )
    .takes(&[optional("table", Kind::Text, "The table; the chosen one if absent.")]),
];

fn open(state: &mut Workbench, wanted: Option<bool>) -> Done {
    let tree = &mut state.space()?.tree;
    let Some(row) = tree.choice().cloned() else { return Ok(Vec::new()) };
    let is_open = tree.open.contains(&row.table);
    if wanted.unwrap_or(!is_open) {
        tree.open.insert(row.table);
    } else {
        tree.open.remove(&row.table);
        // A hidden column can't stay chosen.
        if let Some(place) = tree.rows.iter().position(|it| it.table == row.table && it.column.is_none()) {
            tree.chosen = place;
        }
    }
    tree.rebuild();
    Ok(Vec::new())
}

fn preview(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let space = state.space()?;
    let table = match arguments.text("table") {
        Some(name) => space.schema.tables.iter().find(|table| table.name.eq_ignore_ascii_case(name)),
        None => space.tree.choice().and_then(|row| space.schema.tables.get(row.table)),
    };
    let table = table.ok_or_else(|| "there is no such table; the schema lists them".to_owned())?;
    let sql = format!("SELECT * FROM {} LIMIT {PREVIEW}", as_name(&table.name));
    running::run(state, Statement { sql, place: None }, Purpose::Preview)
}
