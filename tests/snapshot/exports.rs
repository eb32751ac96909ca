//! Export in each form: it imports again as the same revision, and the same package gives the same bytes.

use crate::packages::sha256;
use crate::support::Place;
use casebook::snapshot::{ExportForm, Snapshot, Store, export, verify_folder};
use std::fs;

fn small() -> Snapshot {
    Store::new(None).find("small").unwrap()
}

#[test]
fn each_form_comes_back_as_the_same_snapshot() {
    for name in ["out", "out.tar", "out.zip"] {
        let place = Place::new();
        let target = place.path(name);
        export(&small(), &target, ExportForm::of(&target), false).unwrap();
        let again = place.import(&target).unwrap().snapshot;
        assert_eq!(again.manifest, small().manifest, "{name}");
    }
    let place = Place::new();
    let target = place.path("plain.sqlite");
    export(&small(), &target, ExportForm::of(&target), false).unwrap();
    assert_eq!(sha256(&fs::read(&target).unwrap()), small().manifest.sqlite.sha256);
}

#[test]
fn the_same_package_gives_the_same_bytes() {
    let place = Place::new();
    for form in [ExportForm::Tar, ExportForm::Zip] {
        let bytes = ["one", "two"].map(|name| {
            export(&small(), &place.path(name), form, true).unwrap();
            fs::read(place.path(name)).unwrap()
        });
        assert_eq!(bytes[0], bytes[1], "{form:?}");
    }
}

#[test]
fn what_is_there_is_kept_unless_forced_and_never_if_it_is_something_else() {
    let place = Place::new();
    let folder = place.path("out");
    export(&small(), &folder, ExportForm::Folder, false).unwrap();
    let error = export(&small(), &folder, ExportForm::Folder, false).unwrap_err().to_string();
    assert!(error.contains("it exists; choose another name or add --force"), "{error}");
    fs::write(folder.join("manifest.json"), "damaged").unwrap();
    export(&small(), &folder, ExportForm::Folder, true).unwrap();
    assert_eq!(verify_folder(&folder), Vec::new());
    fs::write(folder.join("precious.txt"), "mine").unwrap();
    let error = export(&small(), &folder, ExportForm::Folder, true).unwrap_err().to_string();
    assert!(error.contains("remove it by hand"), "{error}");
    assert!(folder.join("precious.txt").exists());
    let nowhere = place.path("no/such/folder/x.tar");
    assert!(export(&small(), &nowhere, ExportForm::Tar, false).is_err());
    let left: Vec<_> = fs::read_dir(place.path("")).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(left, ["out"], "nothing half-written is left");
}
