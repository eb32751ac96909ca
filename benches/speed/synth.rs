//! Generating an enterprise. Target: 36,000 rows in at most 2 s. The floor is SQLite copying the same rows from one file
//! to another.

use crate::measure;
use casebook::synth::{Parameters, generate};
use rusqlite::Connection;
use std::cell::Cell;

pub(crate) fn run() {
    let folder = tempfile::tempdir().unwrap();
    let nth = Cell::new(0);
    let fresh = |kind: &str| {
        nth.set(nth.get() + 1);
        folder.path().join(format!("{kind}-{}.sqlite", nth.get()))
    };
    for people in [75, 400, 2000, 20_000] {
        let parameters = Parameters::reference(people).unwrap();
        let source = fresh("source");
        let made = generate(&parameters, &fresh("scratch"), &source, &mut |_, _| true).unwrap();
        let rows: u64 = made.tables.iter().map(|table| table.rows).sum();
        let copies = made.tables.iter().map(|table| {
            let (name, columns) = (table.name, table.columns.join(", "));
            format!(
                "CREATE TABLE copy.{name} ({columns}); INSERT INTO copy.{name} SELECT * FROM main.{name};"
            )
        });
        let copies: String = copies.collect();
        let generating = || {
            generate(&parameters, &fresh("scratch"), &fresh("data"), &mut |_, _| true).unwrap();
        };
        let copying = || {
            let connection = Connection::open(&source).unwrap();
            connection.execute("ATTACH ? AS copy", [fresh("copy").to_str().unwrap()]).unwrap();
            connection
                .execute_batch("PRAGMA copy.journal_mode = OFF; PRAGMA copy.synchronous = OFF")
                .unwrap();
            connection.execute_batch(&copies).unwrap();
        };
        let (ours, theirs) = measure::in_turn(if people > 2000 { 1 } else { 5 }, generating, copying);
        measure::report(&format!("{people} people, {rows} rows"), ours, "copying them", theirs);
    }
}
