//! The truth of the packs, derived a second time from the organisation: the two must agree.

use casebook::pack::vault::{TaskTruth, Truth};
use casebook::pack::{Pack, embedded};
use casebook::scoring::check_pack;
use casebook::snapshot::Store;
use casebook::synth::{Parameters, REFERENCE_SIZES, derive, generate_package};
use jiff::civil::date;
use std::collections::{BTreeMap, BTreeSet};

/// What differs between the truth of queries and the derived one.
fn compare(
    place: &str,
    truths: &BTreeMap<String, TaskTruth>,
    derived: &BTreeMap<&str, BTreeSet<String>>,
    differ: &mut Vec<String>,
) {
    for (task, truth) in truths {
        let Some(other) = derived.get(task.as_str()) else {
            differ.push(format!("{task} has no derivation"));
            continue;
        };
        let truth: BTreeSet<String> = truth.subjects().iter().map(|it| it.to_lowercase()).collect();
        let other: BTreeSet<String> = other.iter().map(|it| it.to_lowercase()).collect();
        if truth != other {
            let few = |set: Vec<&String>| set.into_iter().take(4).cloned().collect::<Vec<_>>();
            differ.push(format!(
                "{task} at {place}: {} by query, {} derived; only by query {:?}, only derived {:?}",
                truth.len(),
                other.len(),
                few(truth.difference(&other).collect()),
                few(other.difference(&truth).collect()),
            ));
        }
    }
}

fn judged() -> impl Iterator<Item = Pack> {
    embedded().unwrap().into_iter().filter(|pack| !pack.practice)
}

#[test]
fn every_truth_is_derived_from_the_organisation_as_well() {
    let (mut differ, mut compared) = (Vec::new(), 0);
    for (size, people) in REFERENCE_SIZES {
        let derived = derive(&Parameters::reference(people).unwrap()).unwrap();
        let revision = Store::new(None).find(size).unwrap().manifest.revision;
        for pack in judged() {
            let truth = Truth::load(&pack, revision).unwrap().unwrap();
            compared += truth.tasks.len();
            compare(size, &truth.tasks, &derived, &mut differ);
        }
    }
    assert!(differ.is_empty(), "{} differ:\n{}", differ.len(), differ.join("\n"));
    assert_eq!(compared, 127 * 3);
}

/// Of other enterprises, too: another kind, seed and day. Tasks without subjects there are no fault.
#[test]
fn the_two_agree_on_enterprises_that_nobody_looked_at() {
    let mut differ = Vec::new();
    for (people, seed, day, archetype) in [
        (120, 7, date(2025, 3, 1), "bank"),
        (260, 11, date(2024, 2, 29), "hospital"),
        (90, 23, date(2026, 6, 30), "software"),
    ] {
        let parameters = Parameters::new(people, seed, day, archetype).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let packages = folder.path().join("snapshots");
        let name = format!("{archetype}-{people}");
        let manifest =
            generate_package(&parameters, &name, &packages.join("new"), None, &mut |_, _| true).unwrap();
        std::fs::rename(packages.join("new"), packages.join(manifest.revision.to_string())).unwrap();
        let store = Store::new(Some(folder.path()));
        let derived = derive(&parameters).unwrap();
        for mut pack in judged() {
            pack.snapshots = vec![name.clone()];
            let report = check_pack(&pack, &store, false, &mut |_, _| true);
            let problems = report.problems.iter().map(ToString::to_string);
            let others: Vec<String> = problems
                .filter(|it| !it.contains("it has no subject") && !it.contains("empty_at names"))
                .collect();
            assert_eq!(others, Vec::<String>::new(), "{name}");
            assert_eq!(report.snapshots[0].manifest.revision, manifest.revision);
            compare(&name, &report.snapshots[0].truth.tasks, &derived, &mut differ);
        }
    }
    assert!(differ.is_empty(), "{} differ:\n{}", differ.len(), differ.join("\n"));
}
