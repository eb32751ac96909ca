//! An enterprise in memory, as the vendors' views came out of the organisation, with who is who: no SQL, no file.

use crate::synth::moment::{Day, day_of};
use crate::synth::organisation::Organisation;
use crate::synth::output::Cell;
use crate::synth::schema::Table;
use crate::synth::vendors::hr_address;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Rows and identities as they were written.
#[derive(Debug, Default)]
pub(in crate::synth) struct Witness {
    rows: HashMap<usize, Vec<Vec<Cell>>>,
    persons: HashMap<(usize, String), u32>,
}

impl Witness {
    pub(in crate::synth) fn row(&mut self, table: Table, cells: &[Cell]) {
        self.rows.entry(table as usize).or_default().push(cells.to_vec());
    }

    pub(in crate::synth) fn identity(&mut self, person: u32, table: Table, key: &str) {
        self.persons.insert((table as usize, key.to_owned()), person);
    }
}

/// The enterprise.
pub(super) struct World<'o> {
    pub(super) organisation: &'o Organisation,
    /// The release date.
    pub(super) today: Day,
    witness: Witness,
    /// Persons by every company address that any system may know them by, in lower case.
    addresses: HashMap<String, u32>,
}

/// Somebody all of whose employments have ended by today.
#[derive(Debug, Clone)]
pub(super) struct Leaver {
    /// The HR address.
    pub(super) mail: String,
    /// The last day of the last employment.
    pub(super) end: Day,
}

impl<'o> World<'o> {
    pub(super) fn new(organisation: &'o Organisation, witness: Witness) -> Self {
        let mut addresses = HashMap::new();
        for (index, person) in (0_u32..).zip(&organisation.people) {
            let mut known = vec![organisation.address(person), hr_address(organisation, person, index)];
            known.extend(organisation.alias(index).map(str::to_owned));
            for address in known {
                addresses.insert(address.to_lowercase(), index);
            }
        }
        Self { organisation, today: organisation.today, witness, addresses }
    }

    /// The rows of a table in the order of their making.
    pub(super) fn rows(&self, table: Table) -> impl Iterator<Item = Row<'_>> {
        let rows = self.witness.rows.get(&(table as usize));
        rows.into_iter().flatten().map(move |cells| Row { table, cells })
    }

    /// Rows whose column holds this text.
    pub(super) fn rows_with<'w>(
        &'w self,
        table: Table,
        column: &'static str,
        text: &'w str,
    ) -> impl Iterator<Item = Row<'w>> {
        self.rows(table).filter(move |row| row.text(column) == Some(text))
    }

    /// Rows by the text of a column.
    pub(super) fn by(&self, table: Table, column: &'static str) -> HashMap<&str, Vec<Row<'_>>> {
        let mut found: HashMap<&str, Vec<Row<'_>>> = HashMap::new();
        for row in self.rows(table) {
            if let Some(text) = row.text(column) {
                found.entry(text).or_default().push(row);
            }
        }
        found
    }

    /// Who this row of a person's account is about, by the key that the generator noted: `id` of HR records, Okta,
    /// Workspace, Entra and Identity Center users, `login` of GitHub members, `arn` of IAM users, `username` of Atlas users.
    pub(super) fn person(&self, row: &Row<'_>) -> Option<u32> {
        let key = match row.table {
            Table::GithubOrganizationMember => "login",
            Table::AwsIamUser => "arn",
            Table::MongodbatlasOrgUser => "username",
            _ => "id",
        };
        self.witness.persons.get(&(row.table as usize, row.text(key)?.to_owned())).copied()
    }

    /// The accounts of a table by person.
    pub(super) fn accounts(&self, table: Table) -> BTreeMap<u32, Vec<Row<'_>>> {
        let mut found: BTreeMap<u32, Vec<Row<'_>>> = BTreeMap::new();
        for row in self.rows(table) {
            if let Some(person) = self.person(&row) {
                found.entry(person).or_default().push(row);
            }
        }
        found
    }

    /// Who has this address, whatever its case.
    pub(super) fn person_at(&self, address: &str) -> Option<u32> {
        self.addresses.get(&address.to_lowercase()).copied()
    }

    /// Everybody who left and does not work here any more: every HR record is terminated by today.
    pub(super) fn leavers(&self) -> BTreeMap<u32, Leaver> {
        (0_u32..)
            .zip(&self.organisation.people)
            .filter(|(_, person)| person.is_leaver())
            .filter_map(|(index, person)| {
                let end = person.end.filter(|end| *end <= self.today)?;
                Some((index, Leaver { mail: hr_address(self.organisation, person, index), end }))
            })
            .collect()
    }

    /// Whether an address is outside of the company's own domains.
    pub(super) fn is_outside(&self, address: &str) -> bool {
        let domain = address.rsplit('@').next().unwrap_or_default().to_lowercase();
        !self.organisation.domains.contains(&domain)
    }
}

/// A row by column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'w> {
    pub(super) table: Table,
    cells: &'w [Cell],
}

impl<'w> Row<'w> {
    fn cell(&self, column: &str) -> &'w Cell {
        let place = self.table.schema().columns.iter().position(|name| *name == column);
        debug_assert!(place.is_some(), "{} has no column {column}", self.table.schema().name);
        place.and_then(|place| self.cells.get(place)).unwrap_or(&Cell::Null)
    }

    /// The text of a column; none for NULL.
    pub(super) fn text(&self, column: &str) -> Option<&'w str> {
        match self.cell(column) {
            Cell::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The text of a column, empty for NULL.
    pub(super) fn word(&self, column: &str) -> &'w str {
        self.text(column).unwrap_or_default()
    }

    /// Whether a column holds 1.
    pub(super) fn flag(&self, column: &str) -> bool {
        self.number(column) == Some(1)
    }

    /// The number of a column; none for NULL.
    pub(super) fn number(&self, column: &str) -> Option<i64> {
        match self.cell(column) {
            Cell::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// The JSON of a column; null for NULL and for what is none.
    pub(super) fn json(&self, column: &str) -> Value {
        self.text(column).and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Value::Null)
    }

    /// The items of a column that holds a JSON list; none for NULL.
    pub(super) fn list(&self, column: &str) -> Vec<Value> {
        match self.json(column) {
            Value::Array(items) => items,
            _ => Vec::new(),
        }
    }

    /// The texts of a column that holds a JSON list.
    pub(super) fn texts(&self, column: &str) -> BTreeSet<String> {
        self.list(column).iter().filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// The day of a column that holds a date or a time. The products' words for never (1970, the year 1) are days, too.
    pub(super) fn day(&self, column: &str) -> Option<Day> {
        day(self.text(column)?)
    }
}

/// The day at the beginning of a date or time.
pub(super) fn day(text: &str) -> Option<Day> {
    text.get(..10)?.parse().ok().map(day_of)
}
