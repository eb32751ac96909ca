//! What may be offered at the cursor, and how well each belongs there.

use super::context::{Wanted, wanted};
use super::keywords;
use super::reading::Reading;
use super::scope::{InSight, Scope};
use crate::domain::{SchemaDocument, TableDescription};
use crate::sql::functions::{FUNCTIONS, Function, FunctionKind};
use crate::sql::name::fold;

/// Something that may be offered.
#[derive(Clone, Copy)]
pub(super) struct Offer<'o> {
    /// What the typed letters are compared with.
    pub(super) name: &'o str,
    /// How well it belongs there; 0 is best.
    pub(super) rank: u8,
    pub(super) what: What<'o>,
}

/// What is offered.
#[derive(Clone, Copy)]
pub(super) enum What<'o> {
    /// A table of the schema.
    Table(&'o TableDescription),
    /// A column of a table in sight. `is_bare` leaves the table out of the text, come what may.
    Column {
        table: &'o InSight<'o>,
        is_bare: bool,
    },
    /// A column of a table of the schema that no FROM names yet.
    ColumnOf(&'o TableDescription),
    /// The name that the statement gives to a table.
    Alias(&'o InSight<'o>),
    /// A table of WITH.
    Cte,
    Function(&'static Function),
    Keyword,
}

impl Offer<'_> {
    /// What tells offers of one name apart, for a fixed order.
    pub(super) fn key(&self) -> (u8, &str, &str) {
        match self.what {
            What::Column { table, .. } => (0, table.called.unwrap_or_default(), &table.table),
            What::ColumnOf(table) => (1, &table.name, ""),
            What::Alias(table) => (2, &table.table, ""),
            What::Cte => (3, "", ""),
            What::Table(_) => (4, "", ""),
            What::Function(_) => (5, "", ""),
            What::Keyword => (6, "", ""),
        }
    }
}

/// Gives `all` what may stand at the cursor.
pub(super) fn offers<'o>(
    reading: &Reading<'_>,
    scope: &'o Scope<'o>,
    schema: &'o SchemaDocument,
    all: &mut impl Extend<Offer<'o>>,
) {
    // In quotes stands a name.
    let words = |list, rank| words(list, rank).filter(|_| !reading.is_quoted);
    let functions =
        |wanted: fn(FunctionKind) -> bool, rank| functions(wanted, rank).filter(|_| !reading.is_quoted);
    match wanted(reading) {
        Wanted::Nothing => {}
        Wanted::Statement => all.extend(words(keywords::FIRST, 0)),
        Wanted::Continuation => all.extend(words(keywords::CONTINUATION, 0)),
        Wanted::Type => all.extend(words(keywords::TYPES, 0)),
        Wanted::Table { reads } => {
            all.extend(tables(schema, |_| 1));
            if reads {
                all.extend(ctes(scope, |_| 0));
                all.extend(functions(|kind| kind == FunctionKind::Table, 2));
                if reading.at > 0 && reading.raw(reading.at - 1) == "(" {
                    all.extend(words(&["SELECT", "VALUES", "WITH"], 3));
                }
            }
        }
        Wanted::ColumnOf(table) => all.extend(columns_of(reading.raw(table), scope, schema)),
        Wanted::BareColumn { of_first } => {
            let most = if of_first { 1 } else { usize::MAX };
            all.extend(scope.tables.iter().take(most).flat_map(|table| columns(table, true)));
        }
        Wanted::Value => {
            all.extend(scope.tables.iter().flat_map(|table| columns(table, false)));
            all.extend(aliases(scope));
            all.extend(functions(|kind| kind != FunctionKind::Table, 3));
            all.extend(words(keywords::VALUE, 4));
            let rank = |name: &str| if scope.called(name).is_some() { 2 } else { 5 };
            all.extend(ctes(scope, rank));
            all.extend(tables(schema, rank));
        }
    }
}

/// The columns behind a qualifier.
fn columns_of<'o>(qualifier: &str, scope: &'o Scope<'o>, schema: &'o SchemaDocument) -> Vec<Offer<'o>> {
    if let Some(table) = scope.called(qualifier) {
        return columns(table, true).collect();
    }
    let name = fold(qualifier);
    if let Some(table) = schema.tables.iter().find(|table| table.name.eq_ignore_ascii_case(&name)) {
        let offer = |name: &'o String| Offer { name, rank: 0, what: What::ColumnOf(table) };
        return table.columns.iter().map(offer).collect();
    }
    if matches!(&*name, "main" | "temp") { tables(schema, |_| 0).collect() } else { Vec::new() }
}

fn columns<'o>(table: &'o InSight<'o>, is_bare: bool) -> impl Iterator<Item = Offer<'o>> {
    let (rank, what) = (u8::from(table.is_outer), What::Column { table, is_bare });
    table.columns.names().iter().map(move |name| Offer { name, rank, what })
}

fn aliases<'o>(scope: &'o Scope<'o>) -> impl Iterator<Item = Offer<'o>> {
    let aliases = scope.tables.iter().filter(|table| table.is_alias);
    aliases.filter_map(|table| Some(Offer { name: table.called?, rank: 2, what: What::Alias(table) }))
}

fn ctes<'o>(scope: &'o Scope<'o>, rank: impl Fn(&str) -> u8) -> impl Iterator<Item = Offer<'o>> {
    scope.ctes.iter().map(move |name| Offer { name, rank: rank(name), what: What::Cte })
}

fn tables(schema: &SchemaDocument, rank: impl Fn(&str) -> u8) -> impl Iterator<Item = Offer<'_>> {
    let offer = move |table| Offer {
        name: table_name(table),
        rank: rank(table_name(table)),
        what: What::Table(table),
    };
    schema.tables.iter().map(offer)
}

fn table_name(table: &TableDescription) -> &str {
    &table.name
}

fn functions<'o>(wanted: impl Fn(FunctionKind) -> bool, rank: u8) -> impl Iterator<Item = Offer<'o>> {
    let functions = FUNCTIONS.iter().filter(move |function| wanted(function.kind));
    functions.map(move |function| Offer { name: function.name(), rank, what: What::Function(function) })
}

fn words<'o>(words: &'static [&'static str], rank: u8) -> impl Iterator<Item = Offer<'o>> {
    words.iter().map(move |name| Offer { name, rank, what: What::Keyword })
}
