//! A folder of CSV files becomes a package, one table a file.

use crate::support::Place;
use casebook::domain::Value;
use casebook::query::{Engine as _, Environment, FrozenDatabase, Limits, SqliteEngine};
use std::fs;

#[test]
fn a_column_has_one_storage_class() {
    casebook::query::count_memory_by_statement();
    let place = Place::new();
    let folder = place.path("export");
    fs::create_dir(&folder).unwrap();
    let people =
        "\u{feff}id,name,score,\"odd, name\"\r\n1,\"Zoë \"\"Z\"\"\",1.5,007\r\n2,,2,\"line\nbreak\"\r\n";
    fs::write(folder.join("people.csv"), people).unwrap();
    fs::write(folder.join("Groups.CSV"), "name\n").unwrap();
    fs::write(folder.join("notes.txt"), "ignored").unwrap();
    let snapshot = place.import(&folder).unwrap().snapshot;
    let tables: Vec<_> =
        snapshot.manifest.tables.iter().map(|table| (table.name.as_str(), table.rows)).collect();
    assert_eq!(tables, [("Groups", 0), ("people", 2)]);
    let frozen = FrozenDatabase::seal(&snapshot.data().unwrap()).unwrap();
    let environment = Environment { today: snapshot.manifest.release_date, seed: 0 };
    let mut engine = SqliteEngine::open(&frozen, environment).unwrap();
    let rows = engine.run(1, "SELECT * FROM people", &Limits::default()).unwrap().result.rows;
    let text = |text: &str| Value::Text(text.into());
    assert_eq!(
        rows,
        [
            [Value::Integer(1), text("Zoë \"Z\""), Value::Real(1.5), text("007")],
            [Value::Integer(2), Value::Null, Value::Real(2.0), text("line\nbreak")],
        ]
    );
}

#[test]
fn a_malformed_file_is_refused_by_file_and_line() {
    for (content, wanted) in [
        (&b"a,b\n1,2\n3\n"[..], "x.csv', line 3: it has 1 fields, but the first line has 2"),
        (b"a,b\n1,\xff\n", "x.csv', line 2: it is not UTF-8"),
        (b"a,A\n1,2\n", "x.csv', line 1: the column 'A' is there twice"),
        (b"a,\n1,2\n", "x.csv', line 1: a column has no name"),
        (b"", "x.csv', line 1: it has no header line"),
    ] {
        let place = Place::new();
        let folder = place.path("export");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("x.csv"), content).unwrap();
        let error = place.refused(&folder);
        assert!(error.contains(wanted), "{error}");
    }
    let place = Place::new();
    let folder = place.path("export");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("sqlite_schema.csv"), "a\n").unwrap();
    assert!(place.refused(&folder).contains("rename the file"));
}

#[test]
fn the_same_files_give_the_same_bytes() {
    let revision = || {
        let place = Place::new();
        let folder = place.path("export");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("t.csv"), "a,b\n1,x\n2,y\n").unwrap();
        place.import(&folder).unwrap().snapshot.manifest.revision
    };
    assert_eq!(revision(), revision());
}
