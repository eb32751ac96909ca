//! Random damage to the fixtures: whatever comes of it, nothing panics and what is read is sound.

use crate::support::{fixture, is_sound, of_bytes};
use casebook::archive::import::Strictness;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

const DOCUMENTS: [&str; 6] = [
    "atif/edge.trajectory.json",
    "atif/vis-002-e1.trajectory.json",
    "otel/vis-001_anyvalue.otlp.json",
    "sweagent/mini-swe-agent_submitted.traj.json",
    "sweagent/swe-agent_test-repo.traj",
    "inspect/osb-mini_one-sample.json",
];
const FILES: [&str; 4] = [
    "inspect/osb-mini_one-sample.eval",
    "inspect/osb-mini_one-sample_deflate.eval",
    "openai/chat.jsonl",
    "openai/responses.jsonl",
];

fn read_all(bytes: &[u8]) {
    for strictness in [Strictness::Lenient, Strictness::Strict] {
        let Ok(file) = of_bytes(bytes, strictness) else { continue };
        for nth in 0..file.log().trials.len() {
            if let Ok((trial, _)) = file.trial(nth) {
                is_sound(&trial);
            }
        }
        let _ = file.reductions();
    }
}

/// All places of a document, as pointers.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(map) => {
            for (name, inner) in map {
                places(inner, &format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Array(items) => {
            for (nth, inner) in items.iter().enumerate() {
                places(inner, &format!("{at}/{nth}"), found);
            }
        }
        _ => {}
    }
}

fn anything() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e300..1e300_f64).prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        Just(json!([])),
        Just(json!({})),
        Just(json!([[0, 1_000_000_000], [5, 2]])),
        Just(json!({"type": "text", "text": 5})),
        Just(json!("attachment://none")),
        Just(json!("2026-11-30T02:52:35Z")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn changed_values_are_read_or_refused(
        which in any::<Index>(),
        changes in proptest::collection::vec((any::<Index>(), anything()), 1..6),
    ) {
        let text = std::fs::read_to_string(fixture(DOCUMENTS[which.index(DOCUMENTS.len())])).unwrap();
        let mut document: Value = serde_json::from_str(&text).unwrap();
        for (place, value) in changes {
            let mut found = Vec::new();
            places(&document, "", &mut found);
            let at = place.get(&found).clone();
            if !at.is_empty() {
                *document.pointer_mut(&at).unwrap() = value;
            }
        }
        read_all(document.to_string().as_bytes());
    }

    #[test]
    fn changed_bytes_are_read_or_refused(
        which in any::<Index>(),
        changes in proptest::collection::vec((any::<Index>(), any::<u8>()), 1..8),
    ) {
        let all: Vec<&str> = FILES.iter().chain(&DOCUMENTS[..3]).copied().collect();
        let mut bytes = std::fs::read(fixture(all[which.index(all.len())])).unwrap();
        for (place, byte) in changes {
            let at = place.index(bytes.len());
            bytes[at] = byte;
        }
        read_all(&bytes);
    }

    #[test]
    fn random_bytes_are_refused(
        head in proptest::sample::select(vec![&b""[..], b"PK\x03\x04", b"{\"messages\":[", b"{\"resourceSpans\":[{", b"[{"]),
        bytes in proptest::collection::vec(any::<u8>(), 0..300),
    ) {
        read_all(&[head, &bytes].concat());
    }
}
