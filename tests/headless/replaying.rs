//! The same requests give the same state, to the bit.

use crate::support::Bench;
use serde_json::{Value, json};

fn script() -> Vec<Value> {
    include_str!("scripts/p-02.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_recorded_script_gives_the_same_state_again() {
    let run = || {
        let mut bench = Bench::new();
        let digests: Vec<String> = script()
            .into_iter()
            .map(|request| {
                let answer = bench.ask(request.clone());
                assert_eq!(answer["error"], Value::Null, "{request}: {answer}");
                bench.digest()
            })
            .collect();
        digests
    };
    let (one, other) = (run(), run());
    assert_eq!(one, other);
    let mut distinct = one.clone();
    distinct.sort();
    distinct.dedup();
    assert!(distinct.len() > one.len() / 2, "the digest tells states apart");
}

#[test]
fn the_script_solves_its_case() {
    let mut bench = Bench::new();
    for request in script() {
        bench.ask(request);
    }
    assert_ne!(bench.state("/workspace/submitted/subjects"), json!(null));
    assert_eq!(bench.state("/own/0/ending/how"), "answered");
}
