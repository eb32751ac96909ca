//! Any SQLite file becomes a package, or is refused with the reason and leaves nothing in the store.

use crate::packages::sha256;
use crate::support::{Place, facts};
use casebook::snapshot::{Facts, ImportError, Origin, import};
use rusqlite::Connection;
use std::fs;
use std::os::unix::fs::symlink;
use std::time::SystemTime;

const SQL: &str = "CREATE TABLE person(id, mail); INSERT INTO person VALUES (1, 'a@x.example'), (2, NULL);
    CREATE TABLE \"odd name\"(\"a b\", g AS (\"a b\" || '!')); CREATE VIEW v AS SELECT id FROM person;";

#[test]
fn a_database_keeps_its_bytes_and_is_found_by_their_digest() {
    let place = Place::new();
    let path = place.database("My Export (2).sqlite", SQL);
    let bytes = fs::read(&path).unwrap();
    let outcome = place.import(&path).unwrap();
    assert!(!outcome.already_there);
    let manifest = &outcome.snapshot.manifest;
    assert_eq!((manifest.name.as_str(), manifest.origin), ("my-export--2", Origin::Imported));
    assert_eq!(manifest.sqlite.sha256, sha256(&bytes));
    let tables: Vec<_> =
        manifest.tables.iter().map(|it| (it.name.as_str(), it.rows, it.columns.join(","))).collect();
    assert_eq!(tables, [("person", 2, "id,mail".into()), ("odd name", 0, "a b,g".into())]);
    assert_eq!(outcome.snapshot.data().unwrap(), bytes);
    assert_eq!(place.store.find(&sha256(&bytes)).unwrap(), outcome.snapshot);
    assert!(place.import(&path).unwrap().already_there);
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn facts_are_taken_over_or_asked_for() {
    let place = Place::new();
    let path = place.database("x.db", SQL);
    let with = |facts: Facts| import(&place.store, &path, &facts, SystemTime::now(), &mut |_| true);
    let error = with(Facts::default()).unwrap_err().to_string();
    assert!(error.contains("--release-date YYYY-MM-DD"), "{error}");
    let error = with(Facts { name: Some("../up".into()), ..facts() }).unwrap_err().to_string();
    assert!(error.contains("is no snapshot name"), "{error}");
    let descriptions = [("nobody".to_owned(), "x".to_owned())].into();
    let error = with(Facts { descriptions, ..facts() }).unwrap_err().to_string();
    assert!(error.contains("a table 'nobody' that is not in the data"), "{error}");
    assert_eq!(place.stored(), Vec::<String>::new());
    let descriptions = [("person".to_owned(), "People".to_owned())].into();
    let given = Facts {
        name: Some("acme".into()),
        organisation: Some("Acme".into()),
        company_domains: vec!["acme.example".into()],
        descriptions,
        ..facts()
    };
    let manifest = with(given).unwrap().snapshot.manifest;
    assert_eq!((manifest.organisation.as_str(), manifest.tables[0].description.as_str()), ("Acme", "People"));
    assert!(manifest.schema_document().to_string().contains("company domains: acme.example"));
}

#[test]
fn a_database_in_wal_mode_is_brought_to_rest_and_the_source_left_alone() {
    let place = Place::new();
    let path = place.path("live.sqlite");
    let writer = Connection::open(&path).unwrap();
    writer.execute_batch("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;").unwrap();
    writer.execute_batch(SQL).unwrap();
    let before = (fs::read(&path).unwrap(), fs::read(place.path("live.sqlite-wal")).unwrap());
    assert!(before.1.len() > 1000);
    let snapshot = place.import(&path).unwrap().snapshot;
    assert_eq!(snapshot.manifest.tables.len(), 2);
    let data = snapshot.data().unwrap();
    assert_eq!((data[18], data[19]), (1, 1));
    assert_eq!((fs::read(&path).unwrap(), fs::read(place.path("live.sqlite-wal")).unwrap()), before);
}

#[test]
fn a_hot_journal_is_rolled_back() {
    let place = Place::new();
    let source = place.path("busy.sqlite");
    let writer = Connection::open(&source).unwrap();
    writer
        .execute_batch("PRAGMA cache_size = 1; CREATE TABLE t(x); INSERT INTO t VALUES (zeroblob(5000))")
        .unwrap();
    writer.execute_batch("BEGIN; UPDATE t SET x = zeroblob(90000); CREATE TABLE half(x);").unwrap();
    writer.execute_batch("INSERT INTO half SELECT randomblob(90000) FROM t").unwrap();
    // As a backup tool would copy it in the middle of a transaction.
    fs::copy(&source, place.path("copy.sqlite")).unwrap();
    fs::copy(place.path("busy.sqlite-journal"), place.path("copy.sqlite-journal")).unwrap();
    let manifest = place.import(&place.path("copy.sqlite")).unwrap().snapshot.manifest;
    assert_eq!(manifest.tables.iter().map(|table| table.name.as_str()).collect::<Vec<_>>(), ["t"]);
}

#[test]
fn what_is_no_usable_database_is_refused_with_the_reason() {
    let place = Place::new();
    let good = fs::read(
        place.database("good.sqlite", &format!("{SQL} INSERT INTO person SELECT 3, zeroblob(9000)")),
    )
    .unwrap();
    let mut damaged = good.clone();
    damaged[4096 * 2..4096 * 2 + 64].fill(0xee);
    let mut noise = vec![0_u8; 8192];
    let mut state = 7_u64;
    for byte in &mut noise {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *byte = state.to_be_bytes()[0];
    }
    let mut page = good.clone();
    page[16..18].copy_from_slice(&[0, 3]);
    for (name, bytes, wanted) in [
        ("text.sqlite", b"hello, I am a text".to_vec(), "is a text file"),
        ("empty.sqlite", Vec::new(), "is empty"),
        ("encrypted.sqlite", noise, "look encrypted"),
        ("binary.sqlite", vec![0xff; 5000], "no SQLite database"),
        ("head.sqlite", good[..60].to_vec(), "the beginning of a SQLite database only"),
        ("cut.sqlite", good[..good.len() - 4096].to_vec(), "it is truncated"),
        ("cut-in-page.sqlite", good[..good.len() - 10].to_vec(), "it is truncated"),
        ("longer.sqlite", [&good[..], b"more"].concat(), "4 bytes follow the"),
        ("damaged.sqlite", damaged, "it is damaged"),
        ("page.sqlite", page, "its header is damaged"),
    ] {
        let error = place.refused(&place.file(name, bytes));
        assert!(error.contains(wanted) && error.contains(name), "{name}: {error}");
    }
    let error = place.refused(&place.database("none.sqlite", "PRAGMA user_version = 3"));
    assert!(error.contains("it has no tables"), "{error}");
    let error = place.refused(&place.database("fts.sqlite", "CREATE VIRTUAL TABLE f USING fts5(x)"));
    assert!(error.contains("virtual tables (f)"), "{error}");
}

#[test]
fn wal_frames_without_their_database_are_refused() {
    let place = Place::new();
    let path = place.path("live.sqlite");
    let writer = Connection::open(&path).unwrap();
    writer.execute_batch("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;").unwrap();
    writer.execute_batch(SQL).unwrap();
    let log = fs::read(place.path("live.sqlite-wal")).unwrap();
    // The log alone, by its own name and by the database's.
    let error = place.refused(&place.file("alone.sqlite-wal", &log));
    assert!(error.contains("the write-ahead log of a database"), "{error}");
    let error = place.refused(&place.path("alone.sqlite"));
    assert!(error.contains("missing, though its write-ahead log (-wal) is there"), "{error}");
    // The database without its log: its tables are all in there.
    fs::copy(&path, place.path("bare.sqlite")).unwrap();
    let error = place.refused(&place.path("bare.sqlite"));
    assert!(error.contains("copy the '-wal' file together with the database"), "{error}");
    // A log beside a database that is not in WAL mode.
    let other = place.database("other.sqlite", SQL);
    place.file("other.sqlite-wal", &log);
    let error = place.refused(&other);
    assert!(error.contains("the two do not belong together"), "{error}");
}

#[test]
fn what_cannot_be_read_is_refused() {
    let place = Place::new();
    let error = place.refused(&place.path("nowhere.sqlite"));
    assert!(error.contains("can't read") && error.contains("nowhere.sqlite"), "{error}");
    symlink(place.path("nothing"), place.path("dangling.sqlite")).unwrap();
    assert!(place.refused(&place.path("dangling.sqlite")).contains("can't read"));
    fs::create_dir(place.path("folder")).unwrap();
    assert!(place.refused(&place.path("folder")).contains("a folder of something else"));
    assert!(place.refused(std::path::Path::new("/dev/null")).contains("no regular file"));
    let locked = place.database("locked.sqlite", SQL);
    fs::set_permissions(&locked, std::os::unix::fs::PermissionsExt::from_mode(0o000)).unwrap();
    // Permissions don't bind root, as whom some machines run their tests.
    match fs::File::open(&locked) {
        Ok(_) => assert!(place.import(&locked).is_ok()),
        Err(_) => assert!(place.refused(&locked).contains("can't read")),
    }
}

#[test]
fn a_store_that_cannot_be_written_is_named() {
    let place = Place::new();
    let path = place.database("x.sqlite", SQL);
    place.file("data", "a file where the store's folder should be");
    let error = place.import(&path).unwrap_err();
    assert!(matches!(error, ImportError::Store { .. }), "{error}");
    assert!(error.to_string().contains("set CASEBOOK_DATA_DIR"), "{error}");
}

#[test]
fn a_cancelled_import_leaves_nothing_at_any_step() {
    let place = Place::new();
    let path = place.database("x.sqlite", &format!("{SQL} INSERT INTO person SELECT 3, zeroblob(2000000)"));
    let mut steps = 0;
    import(&place.store, &path, &facts(), SystemTime::now(), &mut |_| {
        steps += 1;
        true
    })
    .unwrap();
    fs::remove_dir_all(place.store.folder().unwrap()).unwrap();
    assert!(steps >= 5, "{steps}");
    for stop_at in 0..steps {
        let mut step = 0;
        let result = import(&place.store, &path, &facts(), SystemTime::now(), &mut |_| {
            step += 1;
            step <= stop_at
        });
        assert!(matches!(result, Err(ImportError::Cancelled)), "step {stop_at}: {result:?}");
        assert_eq!(place.stored(), Vec::<String>::new(), "step {stop_at}");
    }
}

#[test]
fn triggers_are_kept_and_said() {
    let place = Place::new();
    let path = place
        .database("x.sqlite", &format!("{SQL} CREATE TRIGGER tr AFTER DELETE ON person BEGIN SELECT 1; END"));
    let outcome = place.import(&path).unwrap();
    assert_eq!(outcome.notes, ["triggers are kept but never run: tr"]);
}
