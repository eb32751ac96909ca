//! What a scored trial must not hold: hints, reference queries, subjects that nobody has seen.

use crate::support::Bench;
use casebook::pack::vault::Vault;
use serde_json::{Value, json};

#[test]
fn the_state_of_a_scored_trial_holds_nothing_of_the_vault() {
    let packs = casebook::pack::embedded().unwrap();
    let pack = packs.iter().find(|pack| pack.id == "cross-vendor").unwrap();
    let (vault, problems) = Vault::load(pack);
    assert!(problems.is_empty());
    for task in ["X-01", "X-09"] {
        let mut bench = Bench::new();
        bench.give("cases.start", json!({"task": task}));
        bench.give("query.run", json!({"sql": "SELECT count(*) FROM hibob_employee"}));
        let state = bench.state("").to_string();
        let reference = &vault.references[task];
        let squeeze = |text: &str| text.split_whitespace().collect::<String>();
        assert!(!squeeze(&state).contains(&squeeze(&reference.sql)), "{task}");
        assert!(!reference.boundaries.is_empty() && !state.contains(&reference.boundaries), "{task}");
        assert_eq!(bench.state("/workspace/task/hints"), json!([]));
        assert!(bench.refused("trial.hint", json!({})).contains("practice"));
    }
}

#[test]
fn hints_come_one_by_one_in_practice() {
    let mut bench = Bench::new();
    bench.give("cases.start", json!({"task": "P-01"}));
    let hints = bench.state("/workspace/task/hints").as_array().unwrap().len();
    for number in 1..=hints {
        let answer = bench.give("trial.hint", json!({}));
        assert!(
            answer["notices"][0]["text"].as_str().unwrap().starts_with(&format!("hint {number} of {hints}"))
        );
    }
    assert!(bench.refused("trial.hint", json!({})).contains("no more"));
    assert_eq!(bench.state("/workspace/submitted"), Value::Null);
}
