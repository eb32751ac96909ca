//! Enterprises for tests.

use casebook::synth::{Generated, Parameters, generate};
use rusqlite::Connection;
use tempfile::TempDir;

/// A generated enterprise in a folder of its own.
pub(crate) struct Enterprise {
    _folder: TempDir,
    pub(crate) bytes: Vec<u8>,
    pub(crate) database: Connection,
    pub(crate) generated: Generated,
}

impl Enterprise {
    pub(crate) fn new(parameters: &Parameters) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("data.sqlite");
        let generated =
            generate(parameters, &folder.path().join("scratch.sqlite"), &target, &mut |_, _| true).unwrap();
        let bytes = std::fs::read(&target).unwrap();
        Self { database: Connection::open(&target).unwrap(), bytes, generated, _folder: folder }
    }

    /// One number.
    pub(crate) fn number(&self, sql: &str) -> i64 {
        self.database.query_row(sql, [], |row| row.get(0)).unwrap_or_else(|error| panic!("{error}: {sql}"))
    }

    /// The first columns of a query, as text.
    pub(crate) fn texts(&self, sql: &str) -> Vec<String> {
        let mut statement = self.database.prepare(sql).unwrap_or_else(|error| panic!("{error}: {sql}"));
        let rows = statement.query_map([], |row| row.get::<_, Option<String>>(0)).unwrap();
        rows.map(|text| text.unwrap().unwrap_or_default()).collect()
    }
}

/// The enterprises that the invariants are checked on: 20 seeds, all kinds, sizes from the smallest on.
pub(crate) fn seeds() -> impl Iterator<Item = (String, Parameters)> {
    let kinds = ["software", "hospital", "bank"];
    let sizes = [25, 75, 40, 110, 260];
    (0..20_u64).map(move |nth| {
        let at = usize::try_from(nth).unwrap();
        let (kind, people) = (kinds[at % 3], sizes[at % 5]);
        let date = jiff::civil::date(2026, 6, 30);
        let parameters = Parameters::new(people, 1000 + nth * 77, date, kind).unwrap();
        (format!("seed {}, {kind}, {people} people", 1000 + nth * 77), parameters)
    })
}
