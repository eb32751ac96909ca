//! A generated enterprise as a package, and what evaluators get of it.

use casebook::snapshot::{Origin, Snapshot};
use casebook::synth::{GenerateError, Parameters, generate_package};
use serde_json::Value;

fn parameters() -> Parameters {
    Parameters::new(90, 3, jiff::civil::date(2025, 12, 31), "bank").unwrap()
}

#[test]
fn a_package_is_sound_and_says_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let (target, secrets) = (folder.path().join("bank"), folder.path().join("people.jsonl"));
    let manifest =
        generate_package(&parameters(), "my-bank", &target, Some(&secrets), &mut |_, _| true).unwrap();
    let snapshot = Snapshot::open(&target).unwrap();
    assert_eq!(snapshot.manifest, manifest);
    assert_eq!(snapshot.problems(), Vec::new());
    assert_eq!(
        (manifest.origin, manifest.size.as_deref(), manifest.seed),
        (Origin::Generated, Some("90 people"), Some(3))
    );
    assert_eq!(manifest.company_domains.len(), 2);
    assert!(manifest.tables.iter().all(|table| !table.description.is_empty()));
    // Nothing is left beside it.
    let mut left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["bank", "people.jsonl"]);
    let error = generate_package(&parameters(), "my-bank", &target, None, &mut |_, _| true).unwrap_err();
    assert!(matches!(error, GenerateError::Exists(_)), "{error}");
}

#[test]
fn evaluators_get_who_is_who_and_what_was_planted() {
    let folder = tempfile::tempdir().unwrap();
    let (target, secrets) = (folder.path().join("bank"), folder.path().join("people.jsonl"));
    generate_package(&parameters(), "my-bank", &target, Some(&secrets), &mut |_, _| true).unwrap();
    let text = std::fs::read_to_string(&secrets).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (people, conditions): (Vec<&Value>, Vec<&Value>) =
        lines.iter().partition(|line| line.get("person").is_some());
    assert!(people.len() >= 90, "{}", people.len());
    let everywhere =
        people.iter().filter(|person| person["accounts"].as_object().unwrap().len() >= 5).count();
    assert!(everywhere > 40, "{everywhere}");
    let ids: Vec<&str> = conditions.iter().map(|it| it["condition"].as_str().unwrap()).collect();
    for wanted in
        ["leaver-live-in-okta", "leaver-left-behind", "name-twin", "trashed-but-public", "root-without-mfa"]
    {
        assert!(ids.contains(&wanted), "{wanted} is missing of {ids:?}");
    }
    // The file is not part of the package: an actor never sees it.
    let package: Vec<_> = std::fs::read_dir(&target).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(package.len(), 2);
}

#[test]
fn a_cancelled_package_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("bank");
    let mut looks = 0;
    generate_package(&parameters(), "x", &target, None, &mut |_, _| {
        looks += 1;
        true
    })
    .unwrap();
    std::fs::remove_dir_all(&target).unwrap();
    for stop_at in [0, 1, looks / 2, looks - 1] {
        let mut look = 0;
        let result = generate_package(&parameters(), "x", &target, None, &mut |_, _| {
            look += 1;
            look <= stop_at
        });
        assert!(matches!(result, Err(GenerateError::Cancelled)), "{stop_at}: {result:?}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{stop_at}");
    }
}

/// The committed packages are what the generator makes, byte by byte.
#[test]
fn the_reference_snapshots_are_generated() {
    let folder = tempfile::tempdir().unwrap();
    for (size, people) in [("small", 75), ("medium", 400), ("large", 2000)] {
        let target = folder.path().join(size);
        let parameters = Parameters::reference(people).unwrap();
        let manifest = generate_package(&parameters, size, &target, None, &mut |_, _| true).unwrap();
        assert_eq!(manifest.origin, Origin::Reference);
        let committed = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots").join(size);
        for file in ["manifest.json", "data.sqlite.zst"] {
            let [made, committed] =
                [target.join(file), committed.join(file)].map(|it| std::fs::read(it).unwrap());
            assert!(made == committed, "{size}/{file} differs: generate it again");
        }
    }
}
