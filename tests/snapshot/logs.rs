//! What lies beside a database: a log or journal that is damaged must never lose or keep rows in silence.

use crate::support::Place;
use rusqlite::Connection;
use std::fs;
use std::path::PathBuf;

/// A database of 500 rows, each its own transaction and all of them in the log alone.
fn logged(place: &Place) -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    let path = place.path("live.sqlite");
    let writer = Connection::open(&path).unwrap();
    writer
        .execute_batch("PRAGMA page_size = 1024; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;")
        .unwrap();
    writer.execute_batch("CREATE TABLE t(x)").unwrap();
    for row in 0..100 {
        writer.execute("INSERT INTO t VALUES (?1)", [row]).unwrap();
    }
    let read = |suffix: &str| fs::read(place.path(&format!("live.sqlite{suffix}"))).unwrap();
    (read(""), read("-wal"), read("-shm"))
}

fn put(place: &Place, database: &[u8], log: &[u8]) -> PathBuf {
    place.file("copy.sqlite-wal", log);
    place.file("copy.sqlite", database)
}

/// The rows of `t` after an import, or the refusal.
fn rows(place: &Place, path: &std::path::Path) -> Result<u64, String> {
    let outcome = place.import(path).map_err(|error| error.to_string())?;
    fs::remove_dir_all(place.store.folder().unwrap()).unwrap();
    Ok(outcome.snapshot.manifest.tables.iter().find(|it| it.name == "t").map_or(0, |it| it.rows))
}

#[test]
fn a_log_with_one_flipped_byte_is_refused_or_loses_nothing() {
    let place = Place::new();
    let (database, log, _) = logged(&place);
    assert_eq!(rows(&place, &put(&place, &database, &log)), Ok(100));
    let frame = 24 + 1024;
    let frames = (log.len() - 32) / frame;
    // Every byte of the header, of a first, a middle and the last frame's header, and some of their pages.
    let of_frame = |index: usize| {
        let start = 32 + index * frame;
        (start..start + 24).chain([start + 24, start + 500, start + frame - 1])
    };
    let places = (0..32).chain([0, frames / 2, frames - 1].into_iter().flat_map(of_frame));
    for at in places {
        let mut damaged = log.clone();
        damaged[at] ^= 0x10;
        let result = rows(&place, &put(&place, &database, &damaged));
        let error = result.expect_err(&format!("byte {at} of {}", log.len()));
        assert!(error.contains("write-ahead log (-wal) is damaged"), "byte {at}: {error}");
    }
}

#[test]
fn a_log_cut_anywhere_inside_a_frame_is_refused() {
    let place = Place::new();
    let (database, log, index) = logged(&place);
    for cut in [1, 500, 1023, 1024 + 24 - 15, 1024 + 24 - 1, log.len() - 31, log.len() - 1] {
        let error = rows(&place, &put(&place, &database, &log[..log.len() - cut])).unwrap_err();
        assert!(error.contains("write-ahead log (-wal) is damaged"), "{cut}: {error}");
    }
    // A cut between two transactions can't be seen in the log, but its index knows.
    let cut = &log[..log.len() - 1048];
    assert!(rows(&place, &put(&place, &database, cut)).is_ok());
    place.file("copy.sqlite-shm", &index);
    let error = rows(&place, &put(&place, &database, cut)).unwrap_err();
    assert!(error.contains("counts 1 frames that are not in the log"), "{error}");
    // The index alone says that a log is missing.
    fs::remove_file(place.path("copy.sqlite-wal")).unwrap();
    let error = rows(&place, &place.path("copy.sqlite")).unwrap_err();
    assert!(error.contains("frames that are not in the log"), "{error}");
    assert_eq!(rows(&place, &put(&place, &database, &log)), Ok(100));
}

#[test]
fn what_an_older_log_left_behind_the_end_is_no_damage() {
    let place = Place::new();
    let path = place.path("live.sqlite");
    let writer = Connection::open(&path).unwrap();
    writer.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE t(x);").unwrap();
    writer.execute_batch("INSERT INTO t VALUES (zeroblob(50000)); PRAGMA wal_checkpoint(RESTART);").unwrap();
    writer.execute_batch("INSERT INTO t VALUES (2)").unwrap();
    let copies = ["", "-wal"].map(|suffix| fs::read(place.path(&format!("live.sqlite{suffix}"))).unwrap());
    assert!(copies[1].len() > 50_000, "the older frames are there");
    assert_eq!(rows(&place, &put(&place, &copies[0], &copies[1])), Ok(2));
}

#[test]
fn an_unfinished_transaction_in_a_log_is_left_out_and_said() {
    let place = Place::new();
    let path = place.path("live.sqlite");
    let writer = Connection::open(&path).unwrap();
    writer.execute_batch("PRAGMA journal_mode = WAL; PRAGMA cache_size = 1; CREATE TABLE t(x);").unwrap();
    writer
        .execute_batch("BEGIN; INSERT INTO t VALUES (zeroblob(900000)); INSERT INTO t VALUES (1);")
        .unwrap();
    let copies = ["", "-wal"].map(|suffix| fs::read(place.path(&format!("live.sqlite{suffix}"))).unwrap());
    let outcome = place.import(&put(&place, &copies[0], &copies[1])).unwrap();
    assert_eq!(outcome.snapshot.manifest.tables[0].rows, 0);
    assert!(outcome.notes[0].contains("a transaction that was not committed"), "{:?}", outcome.notes);
}

/// A database and its hot journal in the middle of a transaction that changed every row.
fn journalled(place: &Place) -> (Vec<u8>, Vec<u8>) {
    let source = place.path("busy.sqlite");
    let writer = Connection::open(&source).unwrap();
    writer
        .execute_batch(
            "PRAGMA cache_size = 1; CREATE TABLE t(x, y); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
             LIMIT 200) INSERT INTO t SELECT i, hex(zeroblob(100)) FROM n",
        )
        .unwrap();
    writer
        .execute_batch("BEGIN; DELETE FROM t WHERE x > 20; INSERT INTO t VALUES (1, hex(randomblob(30000)))")
        .unwrap();
    let read = |suffix: &str| fs::read(place.path(&format!("busy.sqlite{suffix}"))).unwrap();
    (read(""), read("-journal"))
}

#[test]
fn a_damaged_journal_is_refused_or_undoes_all() {
    let place = Place::new();
    let (database, journal) = journalled(&place);
    let with = |journal: &[u8]| {
        place.file("copy.sqlite-journal", journal);
        rows(&place, &place.file("copy.sqlite", &database))
    };
    assert_eq!(with(&journal), Ok(200));
    // The head, the number and the checksum of the first record, a byte of its page that the checksum sees, a cut.
    let record = 512;
    let head = (0..8).chain(12..16).chain([20, 21, 22, 23, 24, 26]);
    let of_record =
        (record..record + 4).chain([record + 4 + 4096 - 200, record + 4 + 4096, record + 4 + 4099]);
    for at in head.chain(of_record) {
        let mut damaged = journal.clone();
        damaged[at] ^= 0x11;
        let result = with(&damaged);
        let error = result.expect_err(&format!("byte {at}"));
        assert!(error.contains("damaged"), "byte {at}: {error}");
    }
    for cut in [20, 300, 600, 4000] {
        let error = with(&journal[..cut]).expect_err(&format!("cut to {cut}"));
        assert!(error.contains("journal (-journal) is damaged"), "cut to {cut}: {error}");
    }
    let mut several = journal.clone();
    several.extend_from_slice(b"\0\0\0\x01/tmp/other\0\0\0\x0a\0\0\0\0");
    several.extend_from_slice(&journal[..8]);
    assert!(with(&several).unwrap_err().contains("a transaction over several databases"));
    // A finished journal, as journal_mode = PERSIST leaves it.
    let mut finished = journal;
    finished[..28].fill(0);
    place.file("whole.sqlite-journal", &finished);
    assert_eq!(
        rows(&place, &place.database("whole.sqlite", "CREATE TABLE t(x); INSERT INTO t VALUES (1)")),
        Ok(1)
    );
}
