//! The store: listing, finding, ambiguity, broken packages and leftovers.

use crate::support::{Place, facts};
use casebook::snapshot::{ExportForm, Facts, Store, StoreError, export, import};
use std::fs;
use std::time::{Duration, SystemTime};

#[test]
fn embedded_packages_are_there_without_any_store() {
    let store = Store::new(None);
    assert_eq!(store.list().unwrap().len(), 3);
    let small = store.find("small").unwrap();
    let revision = small.manifest.revision.to_string();
    for asked in [&revision, &revision[..4], &revision.to_uppercase()[..12], &small.manifest.sqlite.sha256] {
        assert_eq!(store.find(asked).unwrap(), small, "{asked}");
    }
    for asked in [&revision[..3], "", "nobody", "smal", "../small", "\u{1b}[2J"] {
        let error = store.find(asked).unwrap_err();
        assert!(matches!(error, StoreError::NotFound(_)), "{asked}: {error}");
        assert!(!error.to_string().contains('\u{1b}'));
    }
    // An embedded package that is stored too is one snapshot, not an ambiguity.
    let place = Place::new();
    place.import(&reference("small")).unwrap();
    assert!(place.store.find(&revision).is_ok());
}

fn reference(size: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots").join(size)
}

#[test]
fn two_snapshots_of_one_name_are_ambiguous_and_found_by_revision() {
    let place = Place::new();
    let one = place.import(&place.database("a.sqlite", "CREATE TABLE t(x)")).unwrap().snapshot;
    fs::create_dir(place.path("other")).unwrap();
    let other = place.import(&place.database("other/a.sqlite", "CREATE TABLE u(x)")).unwrap().snapshot;
    let error = place.store.find("a").unwrap_err().to_string();
    assert!(
        error.contains(&one.manifest.revision.short()) && error.contains(&other.manifest.revision.short()),
        "{error}"
    );
    assert_eq!(place.store.find(&other.manifest.revision.to_string()).unwrap(), other);
}

#[test]
fn a_built_in_name_is_not_given_to_other_data() {
    let place = Place::new();
    let error = place.refused(&place.database("small.sqlite", "CREATE TABLE t(x)"));
    assert!(error.contains("'small' is that of a built-in snapshot") && error.contains("--name"), "{error}");
    // A package brings its own name, but may go by another one.
    let path = place.database("mine.sqlite", "CREATE TABLE t(x)");
    let mine = place.import(&path).unwrap().snapshot;
    export(&mine, &place.path("mine.tar"), ExportForm::Tar, false).unwrap();
    let other = Place::new();
    let named = |name: &str| {
        let facts = Facts { name: Some(name.to_owned()), ..facts() };
        import(&other.store, &place.path("mine.tar"), &facts, SystemTime::now(), &mut |_| true)
    };
    assert!(named("small").unwrap_err().to_string().contains("built-in snapshot"));
    assert!(named("../up").unwrap_err().to_string().contains("is no snapshot name"));
    assert_eq!(other.stored(), Vec::<String>::new());
    let renamed = named("theirs").unwrap().snapshot;
    assert_eq!((renamed.manifest.revision, renamed.problems()), (mine.manifest.revision, Vec::new()));
    assert_eq!(other.store.find("theirs").unwrap(), renamed);
    // Whatever an older version took in under a name that is built in today.
    assert_eq!(place.store.find("small").unwrap(), Store::new(None).find("small").unwrap());
}

#[test]
fn a_broken_package_is_listed_with_its_reason_and_replaced_by_a_sound_one() {
    let place = Place::new();
    let path = place.database("a.sqlite", "CREATE TABLE t(x)");
    let snapshot = place.import(&path).unwrap().snapshot;
    let folder = place.store.folder().unwrap().join(snapshot.manifest.revision.to_string());
    fs::write(folder.join("manifest.json"), "{}").unwrap();
    let entry = place.store.list().unwrap().pop().unwrap();
    assert!(entry.snapshot.unwrap_err().to_string().contains("no format number"));
    assert!(place.store.find(&snapshot.manifest.revision.to_string()).is_err());
    assert!(!place.import(&path).unwrap().already_there);
    assert_eq!(place.store.find("a").unwrap(), snapshot);
    // A package under another's revision is broken, too.
    let wrong = place.store.folder().unwrap().join("0".repeat(64));
    fs::rename(&folder, wrong).unwrap();
    let entry = place.store.list().unwrap().pop().unwrap();
    assert!(entry.snapshot.unwrap_err().to_string().contains("(the folder's name)"));
}

#[test]
fn leftovers_and_strangers_are_not_listed_and_stale_ones_removed() {
    let place = Place::new();
    let folder = place.store.folder().unwrap().to_owned();
    for name in [".import-dead", "notes", "abc"] {
        fs::create_dir_all(folder.join(name)).unwrap();
    }
    assert_eq!(place.store.list().unwrap().len(), 3);
    let path = place.database("a.sqlite", "CREATE TABLE t(x)");
    place.import(&path).unwrap();
    assert!(folder.join(".import-dead").exists(), "it may belong to an import that runs now");
    let tomorrow = SystemTime::now() + Duration::from_hours(25);
    let usual = facts();
    import(&place.store, &path, &usual, tomorrow, &mut |_| true).unwrap();
    assert!(!folder.join(".import-dead").exists());
    assert!(folder.join("notes").exists());
}

#[test]
fn a_store_that_cannot_be_read_is_named() {
    let place = Place::new();
    fs::create_dir(place.path("data")).unwrap();
    place.file("data/snapshots", "a file");
    let error = place.store.list().unwrap_err().to_string();
    assert!(error.contains("can't read the store"), "{error}");
}
