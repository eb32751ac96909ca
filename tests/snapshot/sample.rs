//! The hand-made package is made from its source, row for row.

use crate::support::{Place, sample};
use casebook::snapshot::Snapshot;
use rusqlite::Connection;

fn dump(connection: &Connection) -> Vec<String> {
    let mut tables = connection.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").unwrap();
    let tables: Vec<(String, String)> =
        tables.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect();
    let mut lines = Vec::new();
    for (name, sql) in tables {
        lines.push(sql);
        let mut rows = connection.prepare(&format!("SELECT * FROM {name}")).unwrap();
        let width = rows.column_count();
        let mut rows = rows.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            lines.push(format!(
                "{name} {:?}",
                (0..width).map(|n| row.get_ref(n).unwrap()).collect::<Vec<_>>()
            ));
        }
    }
    lines
}

#[test]
fn the_package_holds_what_its_source_says() {
    let place = Place::new();
    let source = include_str!("../fixtures/packages/sample.sql");
    let made = place.database("made.sqlite", source);
    let packed = place.file("packed.sqlite", Snapshot::open(&sample()).unwrap().data().unwrap());
    let open = |path| Connection::open(path).unwrap();
    let (made, packed) = (dump(&open(made)), dump(&open(packed)));
    assert_eq!(made, packed);
    assert!(packed.len() > 80, "{}", packed.len());
    // Nothing that would give the joins away: no types, keys or indexes.
    assert!(
        packed.iter().all(|line| !line.contains("KEY") && !line.contains("INDEX") && !line.contains("TEXT"))
    );
}
