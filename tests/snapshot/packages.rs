//! A package in a folder: what is wrong with it is found, and named by its file.

use crate::support::{Place, sample};
use casebook::snapshot::{DATA_FILE, MANIFEST_FILE, Snapshot, verify_folder};
use std::fs;
use std::path::PathBuf;

fn copied(place: &Place) -> PathBuf {
    let folder = place.path("package");
    fs::create_dir(&folder).unwrap();
    for name in [MANIFEST_FILE, DATA_FILE] {
        fs::copy(sample().join(name), folder.join(name)).unwrap();
    }
    folder
}

#[test]
fn a_changed_byte_in_any_file_is_found_and_the_file_named() {
    let place = Place::new();
    let folder = copied(&place);
    assert_eq!(verify_folder(&folder), Vec::new());
    for name in [MANIFEST_FILE, DATA_FILE] {
        let good = fs::read(folder.join(name)).unwrap();
        for at in 0..good.len() {
            let mut bytes = good.clone();
            bytes[at] ^= 0x10;
            fs::write(folder.join(name), bytes).unwrap();
            let problems = verify_folder(&folder);
            assert_eq!(problems.len(), 1, "{name}, byte {at}");
            assert_eq!(problems[0].file, name, "byte {at}: {}", problems[0].error);
        }
        fs::write(folder.join(name), good).unwrap();
    }
}

#[test]
fn a_shorter_longer_missing_or_extra_file_is_found() {
    let place = Place::new();
    let folder = copied(&place);
    for name in [MANIFEST_FILE, DATA_FILE] {
        let good = fs::read(folder.join(name)).unwrap();
        for bytes in [&good[..good.len() - 1], &[&good[..], b"\0"].concat(), b""] {
            fs::write(folder.join(name), bytes).unwrap();
            assert_eq!(verify_folder(&folder)[0].file, name);
        }
        fs::remove_file(folder.join(name)).unwrap();
        assert_eq!(verify_folder(&folder)[0].file, name);
        fs::write(folder.join(name), good).unwrap();
    }
    fs::write(folder.join("notes\u{1b}.txt"), "hello").unwrap();
    let problems = verify_folder(&folder);
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].file, "notes␛.txt");
}

/// Everything rewritten so that the digests fit each other, but the table list does not fit the data.
#[test]
fn a_manifest_that_lies_about_its_tables_is_found() {
    let place = Place::new();
    let folder = copied(&place);
    let honest = Snapshot::open(&folder).unwrap().manifest;
    let mut rows = honest.clone();
    rows.tables[0].rows += 1;
    let mut columns = honest.clone();
    columns.tables[0].columns.swap(0, 1);
    let mut name = honest.clone();
    name.tables[0].name = "other".into();
    let mut fewer = honest.clone();
    fewer.tables.pop();
    for (lie, wanted) in [
        (rows, "the number of rows is 13 in hibob_employee, but the manifest says 14"),
        (columns, "the columns of a table"),
        (name, "the name of a table"),
        (fewer, "the number of tables is 8, but the manifest says 7"),
    ] {
        fs::write(folder.join(MANIFEST_FILE), lie.sealed().to_file()).unwrap();
        let problems = verify_folder(&folder);
        assert!(problems[0].error.to_string().contains(wanted), "{}", problems[0].error);
    }
}

/// Data that unpacks to far more than the manifest says is read no further than that.
#[test]
fn a_compression_bomb_is_not_unpacked() {
    let place = Place::new();
    let folder = copied(&place);
    let mut manifest = Snapshot::open(&folder).unwrap().manifest;
    let bomb = zstd::bulk::compress(&vec![0; 512 << 20], 1).unwrap();
    manifest.compressed.bytes = bomb.len() as u64;
    manifest.compressed.sha256 = sha256(&bomb);
    fs::write(folder.join(DATA_FILE), &bomb).unwrap();
    fs::write(folder.join(MANIFEST_FILE), manifest.clone().sealed().to_file()).unwrap();
    let error = Snapshot::open(&folder).unwrap().data().unwrap_err().to_string();
    assert!(error.contains("the size of the database in bytes is 36865 or more"), "{error}");
    manifest.sqlite.bytes = 1 << 60;
    fs::write(folder.join(MANIFEST_FILE), manifest.sealed().to_file()).unwrap();
    let error = Snapshot::open(&folder).unwrap().data().unwrap_err().to_string();
    assert!(error.contains("the limit is 16 GiB"), "{error}");
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest as _;
    hex::encode(sha2::Sha256::digest(bytes))
}

/// A package folder is imported as it is; a damaged one is refused by what is wrong with it.
#[test]
fn a_package_folder_is_imported_once_and_a_damaged_one_refused() {
    let place = Place::new();
    let folder = copied(&place);
    let data = fs::read(folder.join(DATA_FILE)).unwrap();
    for (bytes, wanted) in [
        (data[..data.len() - 1].to_vec(), "data.sqlite.zst: its size in bytes"),
        ([&data[..data.len() - 1], b"x"].concat(), "data.sqlite.zst: its SHA-256 is"),
    ] {
        fs::write(folder.join(DATA_FILE), bytes).unwrap();
        let error = place.refused(&folder);
        assert!(error.contains(wanted), "{error}");
    }
    fs::write(folder.join(DATA_FILE), &data).unwrap();
    let good = fs::read(folder.join(MANIFEST_FILE)).unwrap();
    let text = String::from_utf8(good.clone()).unwrap();
    for (changed, wanted) in [
        (text.replace("Juniper", "Jupiter"), "manifest.json: its own digest is"),
        (text.replace("  \"name\"", " \"name\""), "its bytes are not those that casebook writes"),
        (text.replace("\"format\": 1", "\"format\": 2"), "format 2; this casebook reads format 1"),
        (text.replace("\"seed\"", "\"sead\""), "unknown field `sead`"),
        ("{}".to_owned(), "it has no format number"),
        ("[1".to_owned(), "is not a snapshot manifest"),
    ] {
        fs::write(folder.join(MANIFEST_FILE), changed).unwrap();
        let error = place.refused(&folder);
        assert!(error.contains(wanted), "{error}");
    }
    fs::write(folder.join(MANIFEST_FILE), [0xff, 0xfe, 0]).unwrap();
    assert!(place.refused(&folder).contains("it is not UTF-8"));
    fs::write(folder.join(MANIFEST_FILE), good).unwrap();
    assert!(!place.import(&folder).unwrap().already_there);
    assert!(place.import(&folder).unwrap().already_there);
    assert_eq!(place.stored().len(), 1);
}

/// The digest of the SQLite bytes is checked by itself, also where the compressed file fits the manifest.
#[test]
fn a_wrong_digest_of_the_database_is_named() {
    let place = Place::new();
    let folder = copied(&place);
    let mut manifest = Snapshot::open(&folder).unwrap().manifest;
    manifest.sqlite.sha256 = "0".repeat(64);
    fs::write(folder.join(MANIFEST_FILE), manifest.sealed().to_file()).unwrap();
    let error = place.refused(&folder);
    assert!(error.contains("data.sqlite.zst: the SHA-256 of the database is"), "{error}");
}
