//! The same parameters, the same bytes; another seed, other people.

use crate::support::Enterprise;
use casebook::synth::{GenerateError, Parameters, generate};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

fn enterprise(people: usize, seed: u64) -> Enterprise {
    let date = jiff::civil::date(2026, 6, 30);
    Enterprise::new(&Parameters::new(people, seed, date, "software").unwrap())
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let (one, other) = (enterprise(120, 7), enterprise(120, 7));
    assert_eq!(one.bytes, other.bytes);
    assert_eq!(one.generated, other.generated);
    assert_ne!(enterprise(120, 8).bytes, one.bytes);
}

/// The rows of the reference snapshots, apart from how a SQLite of the day lays out its pages.
#[test]
fn the_rows_of_the_reference_sizes_are_pinned() {
    let pinned = include_str!("../fixtures/synth/logical_digests.txt");
    let mut found = String::new();
    for (name, people) in [("small", 75), ("medium", 400), ("large", 2000)] {
        let enterprise = Enterprise::new(&Parameters::reference(people).unwrap());
        writeln!(found, "{name} {}", logical_digest(&enterprise)).unwrap();
    }
    assert_eq!(
        found, pinned,
        "the rows changed: update the fixture, the snapshots and the generator's version"
    );
}

fn logical_digest(enterprise: &Enterprise) -> String {
    let mut hash = Sha256::new();
    for table in &enterprise.generated.tables {
        hash.update(table.name);
        let mut statement = enterprise.database.prepare(&format!("SELECT * FROM {}", table.name)).unwrap();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            for column in 0..table.columns.len() {
                hash.update(format!("{:?}|", row.get_ref(column).unwrap()));
            }
        }
    }
    hex::encode(hash.finalize())
}

#[test]
fn another_seed_gives_other_people_and_other_ids() {
    let (one, other) = (enterprise(200, 1), enterprise(200, 2));
    for sql in [
        "SELECT email FROM hibob_employee",
        "SELECT id FROM okta_user",
        "SELECT access_key_id FROM aws_iam_access_key",
    ] {
        let (one, other) = (one.texts(sql), other.texts(sql));
        let shared = one.iter().filter(|it| other.contains(it)).count();
        assert!(shared * 10 < one.len(), "{shared} of {} in both: {sql}", one.len());
    }
}

#[test]
fn a_cancelled_run_says_so_at_any_step() {
    let parameters = Parameters::new(60, 1, jiff::civil::date(2026, 6, 30), "hospital").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut looks = 0;
    let run = |stop_at: usize, looks: &mut usize| {
        let name = |kind: &str| folder.path().join(format!("{kind}-{stop_at}"));
        generate(&parameters, &name("scratch"), &name("data"), &mut |_, _| {
            *looks += 1;
            *looks <= stop_at
        })
    };
    run(usize::MAX, &mut looks).unwrap();
    assert!(looks > 10, "{looks}");
    for stop_at in [0, 1, looks / 2, looks - 1] {
        assert!(matches!(run(stop_at, &mut 0), Err(GenerateError::Cancelled)), "{stop_at}");
    }
}
