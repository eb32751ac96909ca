//! The three packs that come with the program.

use casebook::domain::{Complexity, Focus, TaskBrief};
use casebook::pack::vault::{Truth, Vault};
use casebook::pack::{Pack, PackFiles, embedded};
use casebook::scoring::check_pack;
use casebook::snapshot::Store;
use std::path::{Path, PathBuf};

fn folder(pack: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("packs").join(pack)
}

#[test]
fn every_shipped_pack_is_right_on_every_snapshot() {
    for pack in embedded().unwrap() {
        let report = check_pack(&pack, &Store::new(None), true, &mut |_, _| true);
        let problems: Vec<String> = report.problems.iter().map(ToString::to_string).collect();
        assert_eq!(problems, Vec::<String>::new(), "{}", pack.id);
        assert_eq!(report.snapshots.len(), 3, "{}", pack.id);
        for snapshot in &report.snapshots {
            assert_eq!(snapshot.truth.tasks.len(), pack.tasks.len());
            assert_eq!(snapshot.ways.unfollowed, Vec::<String>::new(), "{}", pack.id);
            let ways: usize = Vault::load(&pack)
                .0
                .references
                .values()
                .map(|it| it.links.iter().map(|link| link.instead.len()).sum::<usize>())
                .sum();
            assert_eq!(snapshot.ways.followed, ways, "{}", pack.id);
        }
    }
}

/// What is compiled in is what lies in the folder, to the last file.
#[test]
fn the_embedded_packs_are_those_of_the_folders() {
    for pack in embedded().unwrap() {
        let other = Pack::load(PackFiles::Folder(folder(&pack.id))).unwrap();
        assert_eq!((&pack.digest, pack.visible.len()), (&other.digest, other.visible.len()), "{}", pack.id);
        let (vault, problems) = Vault::load(&pack);
        let (same, others) = Vault::load(&other);
        assert_eq!((problems, others), (Vec::new(), Vec::new()));
        let queries = |vault: &Vault| vault.references.values().map(|it| it.sql.clone()).collect::<Vec<_>>();
        assert_eq!(queries(&vault), queries(&same), "{}", pack.id);
    }
}

#[test]
fn there_are_127_tasks_with_the_taxonomy_of_the_benchmark_and_12_cases_to_learn_on() {
    let packs = embedded().unwrap();
    let counts = |pack: &Pack| {
        let of = |fits: &dyn Fn(&TaskBrief) -> bool| pack.tasks.iter().filter(|(task, _)| fits(task)).count();
        [
            of(&|task| task.complexity == Complexity::Easy),
            of(&|task| task.complexity == Complexity::Medium),
            of(&|task| task.complexity == Complexity::Hard),
            of(&|task| task.focus == Focus::Authentication),
            of(&|task| task.focus == Focus::Authorization),
            of(&|task| task.focus == Focus::Management),
            of(&TaskBrief::is_cross_vendor),
            pack.tasks.len(),
        ]
    };
    assert_eq!(counts(&packs[0]), [38, 32, 7, 30, 26, 21, 0, 77]);
    assert_eq!(counts(&packs[1]), [8, 22, 20, 8, 17, 25, 50, 50]);
    assert_eq!((packs[2].tasks.len(), packs[2].practice), (12, true));
}

/// Every task has at least two subjects at every size, but for what is empty on purpose and what an organisation of that
/// size has one of.
#[test]
fn every_task_has_enough_subjects() {
    let single = ["V-AWS-1", "V-AWS-23", "V-AWS-24", "V-AWS-39", "V-OKTA-05", "V-OKTA-06"];
    let store = Store::new(None);
    let mut empty = Vec::new();
    for pack in embedded().unwrap().into_iter().filter(|pack| !pack.practice) {
        for name in &pack.snapshots {
            let truth = Truth::load(&pack, store.find(name).unwrap().manifest.revision).unwrap().unwrap();
            for (task, truth) in &truth.tasks {
                match truth.subjects().len() {
                    0 => empty.push(format!("{task} at {name}")),
                    1 => assert!(
                        name == "small" && single.iter().any(|it| task.starts_with(it)),
                        "{task} at {name}"
                    ),
                    _ => {}
                }
            }
        }
    }
    empty.sort();
    assert_eq!(
        empty,
        ["V-AWS-31 at small", "V-GWS-09 at medium", "X-20 at small", "X-33 at medium", "X-47 at large"]
    );
}
