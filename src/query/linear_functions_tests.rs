//! The replaced functions against SQLite's own, on random arguments of every type.

use super::install;
use proptest::prelude::*;
use rusqlite::Connection;
use rusqlite::types::Value;

/// Arguments from a small alphabet, so that matches, overlaps and broken characters are common.
fn argument() -> impl Strategy<Value = Value> {
    let byte =
        prop::sample::select(vec![b'a', b'b', b'a', b'0', b'F', b'-', b' ', 0xc3, 0xa9, 0xf0, 0x80, 0]);
    let character =
        prop::sample::select(vec!['a', 'b', 'a', '0', 'F', '-', ' ', 'é', '語', '\u{1f600}', '\0']);
    prop_oneof![
        Just(Value::Null),
        (-20_i64..2000).prop_map(Value::Integer),
        (-9.5_f64..9.5).prop_map(Value::Real),
        Just(Value::Real(1e100)),
        Just(Value::Real(0.1 + 0.2)),
        prop::collection::vec(character, 0..12)
            .prop_map(|characters| Value::Text(characters.into_iter().collect())),
        prop::collection::vec(byte, 0..8).prop_map(Value::Blob),
    ]
}

fn both(sql: &str, arguments: &[Value]) -> (Value, Value) {
    thread_local! {
        static PAIR: (Connection, Connection) = {
            let (own, ours) = (Connection::open_in_memory().unwrap(), Connection::open_in_memory().unwrap());
            install(&ours).unwrap();
            (own, ours)
        };
    }
    let ask = |connection: &Connection| -> Value {
        connection
            .prepare_cached(sql)
            .unwrap()
            .query_row(rusqlite::params_from_iter(arguments), |row| row.get(0))
            .unwrap()
    };
    PAIR.with(|(own, ours)| (ask(own), ask(ours)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_replacements_answer_as_sqlite_does(a in argument(), b in argument(), c in argument()) {
        for call in ["instr(?1, ?2)", "trim(?1, ?2)", "ltrim(?1, ?2)", "rtrim(?1, ?2)"] {
            let sql = format!("SELECT typeof({call}) || hex(coalesce({call}, ''))");
            let (own, ours) = both(&sql, &[a.clone(), b.clone()]);
            prop_assert_eq!(own, ours, "{}", call);
        }
        let (own, ours) = both(
            "SELECT typeof(replace(?1, ?2, ?3)) || hex(coalesce(replace(?1, ?2, ?3), ''))",
            &[a.clone(), b.clone(), c],
        );
        prop_assert_eq!(own, ours, "replace");
        if !matches!((&a, &b), (Value::Blob(_), _) | (_, Value::Blob(_))) {
            let (own, ours) = both("SELECT quote(unhex(?1, ?2))", &[a, b]);
            prop_assert_eq!(own, ours, "unhex");
        }
    }
}

#[test]
fn the_path_for_long_arguments_answers_as_sqlite_does() {
    let source = Value::Text("é語ab".repeat(500) + "x" + &"bé".repeat(500));
    let set = Value::Text("zyw".repeat(400) + "baé語");
    for call in ["trim(?1, ?2)", "ltrim(?1, ?2)", "rtrim(?1, ?2)"] {
        let (own, ours) = both(&format!("SELECT {call}"), &[source.clone(), set.clone()]);
        assert_eq!(own, ours, "{call}");
    }
}
