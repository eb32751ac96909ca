//! The mess is as much as it should be (`docs/enterprise.md`).

use crate::support::Enterprise;
use casebook::synth::{Parameters, Rate, rates};

fn of(people: usize) -> Vec<Rate> {
    let enterprise = Enterprise::new(&Parameters::reference(people).unwrap());
    rates(&enterprise.bytes, jiff::civil::date(2026, 6, 30)).unwrap()
}

/// Within 20 per cent, or 2. At the smallest size the planted minimum of two may be more than the rate.
#[test]
fn all_rates_hold_at_medium_and_large() {
    for (size, people) in [(1, 400), (2, 2000)] {
        let off: Vec<String> = of(people)
            .iter()
            .filter(|rate| !rate.holds(size))
            .map(|rate| {
                format!("{}: {} of {}, wanted {:.1}", rate.name, rate.got, rate.of, rate.wanted_hits(size))
            })
            .collect();
        assert_eq!(off, Vec::<String>::new(), "{people} people");
    }
}

#[test]
fn nothing_that_is_planted_is_missing_at_small() {
    for rate in of(75) {
        assert!(rate.got > 0, "{}", rate.name);
    }
}

#[test]
fn the_three_sizes_have_the_rows_they_should() {
    for (people, wanted) in [(75, 1600), (400, 8300), (2000, 36_000)] {
        let enterprise = Enterprise::new(&Parameters::reference(people).unwrap());
        let rows: u64 = enterprise.generated.tables.iter().map(|table| table.rows).sum();
        assert!(rows.abs_diff(wanted) * 50 <= wanted, "{people} people: {rows} rows, wanted {wanted}");
        assert_eq!(enterprise.number("SELECT count(*) FROM hibob_employee"), i64::try_from(people).unwrap());
        assert!(enterprise.generated.tables.iter().all(|table| table.rows > 0));
    }
}

/// `docs/enterprise.md` shows what the command prints today.
#[test]
fn the_documented_rates_are_those_of_the_snapshots() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_casebook"))
        .args(["snapshot", "rates", "small", "medium", "large"])
        .env("CASEBOOK_DATA_DIR", "/nonexistent")
        .output()
        .unwrap();
    let documented = include_str!("../../docs/enterprise.md").split_once("<!-- rates -->\n").unwrap().1;
    assert_eq!(String::from_utf8(output.stdout).unwrap(), documented);
}
