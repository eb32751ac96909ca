//! What users of other tools ran into, each as something that must not happen here. `docs/requirements.md` says which is which.

use crate::support::Bench;
use casebook::workbench::command::all;
use casebook::workbench::event::{Event, Moment};
use casebook::workbench::keys::{Chord, Keymap};
use casebook::workbench::settings::Settings;
use casebook::workbench::{Workbench, update};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

const ENDLESS: &str =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

fn open() -> Bench {
    let mut bench = Bench::new();
    bench.give("cases.start", json!({"task": "P-02"}));
    bench
}

/// Asks without waiting for what is outstanding.
fn at_once(bench: &mut Bench, mut request: Value) -> Value {
    request["wait"] = json!(false);
    bench.ask(request)
}

fn state_at_once(bench: &mut Bench, path: &str) -> Value {
    at_once(bench, json!({"get": "state", "path": path}))["value"].clone()
}

#[test]
fn a_product_of_a_billion_rows_is_cut_and_said() {
    let mut bench = open();
    let tens =
        "WITH t(i) AS (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) SELECT a.i AS first FROM t a";
    let sql = format!("{tens}{}", ", t b, t c, t d, t e, t f, t g, t h, t k".replace(", ", " CROSS JOIN "));
    bench.give("query.run", json!({"sql": sql}));
    assert_eq!(bench.state("/workspace/results/0/rows"), 100_000);
    assert_ne!(bench.state("/workspace/results/0/cut"), Value::Null);
    let picture = bench.screen(120, 36);
    assert!(picture.contains("first 100") && picture.contains("cut by"), "{picture}");
    bench.give("query.run", json!({"sql": "SELECT 1"}));
    assert_eq!(bench.rows(1)["rows"], json!([[1]]));
}

#[test]
fn one_writes_on_while_a_statement_runs_and_quitting_asks() {
    let mut bench = open();
    at_once(&mut bench, json!({"command": "query.run", "arguments": {"sql": ENDLESS}}));
    at_once(&mut bench, json!({"type": "SELECT 2"}));
    assert_eq!(state_at_once(&mut bench, "/workspace/editor/buffers/0/text"), "SELECT 2");
    assert_eq!(state_at_once(&mut bench, "/workspace/running"), ENDLESS);
    let answer = at_once(&mut bench, json!({"command": "workbench.quit"}));
    assert_eq!((&answer["ended"], &answer["settled"]), (&Value::Null, &json!(false)));
    assert_eq!(state_at_once(&mut bench, "/overlays/0/kind"), "confirm");
    at_once(&mut bench, json!({"keys": "esc"}));
    at_once(&mut bench, json!({"command": "query.cancel"}));
    at_once(&mut bench, json!({"type": " + 3"}));
    let answer = bench.ask(json!({"wait": true}));
    assert_eq!(answer["settled"], true);
    // What was cancelled stays cancelled: no result comes of it, and what is run next is what shows.
    assert_eq!(bench.state("/workspace/results"), json!([]));
    bench.keys("f5");
    assert_eq!(bench.rows(1)["rows"], json!([[5]]));
}

#[test]
fn escape_never_quits_and_loses_nothing() {
    let mut bench = open();
    bench.write("SELECT 1");
    bench.keys("f5");
    for keys in ["esc", ":", "esc esc", "g r enter", "esc esc esc", "1", "esc esc esc esc"] {
        assert_eq!(bench.keys(keys)["ended"], Value::Null, "{keys}");
    }
    assert_eq!(bench.state("/workspace/editor/buffers/0/text"), "SELECT 1");
    assert_eq!(bench.state("/overlays"), json!([]));
}

#[test]
fn keys_of_lists_and_dialogs_can_be_changed_too() {
    let file = "[picker]\n\"esc\" = \"\"\n\"ctrl-g\" = \"overlay.close\"\n[reader]\n\"esc\" = \"\"\nx = \"overlay.close\"\n\
                [overlay]\n\"esc\" = \"\"\n[global]\n\"f12\" = \"help.open\"\n";
    let keymap = Keymap::with_user_file(Some(("keys.toml", file))).unwrap();
    let mut state = Workbench::new(Settings::default(), Arc::new(keymap));
    let mut press = |keys: &str| {
        for chord in Chord::sequence(keys).unwrap() {
            update(&mut state, Moment::from_millis(1), Event::Key(chord));
        }
        state.overlays.len()
    };
    assert_eq!((press(":"), press("esc"), press("ctrl-g")), (1, 1, 0));
    assert_eq!((press("f12"), press("esc"), press("x")), (1, 1, 0));
}

#[test]
fn every_command_is_reached_without_control_and_alt() {
    let keymap = Keymap::default();
    let is_plain = |chords: &[Chord]| chords.iter().all(|chord| !chord.control && !chord.alt);
    let mut reached: BTreeSet<String> = keymap
        .bindings()
        .iter()
        .filter(|binding| is_plain(&binding.keys))
        .map(|binding| binding.gives.command.clone())
        .collect();
    let mut bench = Bench::new();
    let mut palette = |bench: &mut Bench| {
        at_once(bench, json!({"command": "palette.open"}));
        let items = state_at_once(bench, "/overlays/0/items");
        let gives =
            items.as_array().unwrap().iter().map(|it| it["gives"]["command"].as_str().unwrap().to_owned());
        reached.extend(gives);
        at_once(bench, json!({"command": "overlay.close"}));
    };
    palette(&mut bench);
    bench.give("cases.investigate", json!({"snapshot": "small"}));
    palette(&mut bench);
    bench.give("trial.leave", json!({}));
    bench.give("cases.start", json!({"task": "P-02"}));
    bench.give("query.run", json!({"sql": "SELECT 1"}));
    palette(&mut bench);
    at_once(&mut bench, json!({"command": "query.run", "arguments": {"sql": ENDLESS}}));
    palette(&mut bench);
    bench.give("query.cancel", json!({}));
    bench.give("replay.demo", json!({"trial": ""}));
    palette(&mut bench);
    // Text can be selected by Shift with the arrows or by the mouse, and is copied from the result without.
    let of_text = ["text.select_all", "text.copy", "text.cut"];
    // What needs a place or a text is given by the mouse or a script.
    let needs_more = |id: &str| {
        let verbs = ["select", "place", "set", "insert"];
        verbs.iter().any(|verb| id.ends_with(&format!(".{verb}")))
            || ["copy.text", "answer.prose", "saved.remove", "editor.scroll"].contains(&id)
            || ["replay.show", "replay.scroll", "replay.pair"].contains(&id)
    };
    let missing: Vec<&str> = all()
        .iter()
        .flat_map(|group| group.commands)
        .map(|command| command.id)
        .filter(|id| !reached.contains(*id) && !of_text.contains(id) && !needs_more(id))
        .collect();
    assert_eq!(missing, [] as [&str; 0]);
}

#[test]
fn opening_a_case_runs_no_statement() {
    let mut bench = open();
    assert!(bench.screen(120, 36).contains("44 tables"));
    bench.give("trial.leave", json!({}));
    assert_eq!(bench.state("/own/0/queries"), 0);
    let mut traces = 0;
    let mut folders = vec![bench.folder.path().join("runs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "jsonl") {
                let text = std::fs::read_to_string(path).unwrap();
                assert!(!text.contains("run_query") && !text.to_lowercase().contains("count("), "{text}");
                traces += 1;
            }
        }
    }
    assert!(traces > 0);
}

#[test]
fn an_export_and_a_copy_take_what_was_fetched() {
    let mut bench = open();
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i, random() AS r FROM n";
    bench.give("query.run", json!({"sql": sql}));
    let copied = bench.give("copy.rows", json!({"format": "tsv"}))["copied"].as_str().unwrap().to_owned();
    assert_eq!(copied.lines().count(), 20_001);
    let path = bench.folder.path().join("rows.tsv");
    bench.give("export.rows", json!({"format": "tsv", "path": path}));
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        copied,
        "random numbers would differ in a second run"
    );
    bench.give("trial.leave", json!({}));
    assert_eq!(bench.state("/own/0/queries"), 1);
}

#[test]
fn quotes_by_the_megabyte_are_written_and_read_as_json() {
    let mut bench = open();
    let quotes = "replace(hex(zeroblob(500000)), '00', '\"')";
    let sql = format!("SELECT {quotes} AS q FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8))");
    bench.give("query.run", json!({"sql": sql}));
    let path = bench.folder.path().join("rows.jsonl");
    bench.give("export.rows", json!({"format": "json", "path": path}));
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 8);
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        assert_eq!(row["q"].as_str().unwrap().len(), 500_000);
    }
}

#[test]
fn the_chosen_row_shows_at_every_size() {
    let mut bench = open();
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) SELECT 'row ' || i || '.' AS name FROM n";
    bench.give("query.run", json!({"sql": sql}));
    bench.give("focus.grid", json!({}));
    bench.give("grid.select", json!({"row": 119}));
    for (width, height) in [(200, 60), (60, 16), (80, 24), (61, 90), (300, 17), (80, 24)] {
        let picture = bench.screen(width, height);
        assert!(picture.contains("row 120."), "{width} × {height}:\n{picture}");
        assert_eq!(bench.state("/workspace/results/0/row"), 119);
    }
}

#[test]
fn a_search_of_the_schema_is_one_key_and_shows_what_columns_belong_to() {
    let mut bench = open();
    bench.keys("esc g s /");
    bench.write("mfa_enabled");
    let rows = bench.state("/workspace/schema/rows");
    let rows: Vec<&str> = rows.as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    let column = rows.iter().position(|it| it.trim() == "mfa_enabled").expect("the column");
    let table = rows[..column].iter().rfind(|it| !it.starts_with(' ')).expect("its table");
    assert!(bench.screen(120, 36).contains(table));
}

#[test]
fn sorts_of_values_are_told_apart_in_what_a_script_and_a_file_get() {
    let mut bench = open();
    bench.give(
        "query.run",
        json!({"sql": "SELECT NULL AS a, '' AS b, 'NULL' AS c, 1 AS d, '1' AS e, 1.0 AS f, x'31' AS g"}),
    );
    let row = bench.rows(1)["rows"][0].clone();
    let cells: BTreeSet<String> = row.as_array().unwrap().iter().map(Value::to_string).collect();
    assert_eq!(cells.len(), 7, "{row}");
    let path = bench.folder.path().join("rows.jsonl");
    bench.give("export.rows", json!({"format": "json", "path": path}));
    let object: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let members: BTreeSet<String> = object.as_object().unwrap().values().map(Value::to_string).collect();
    assert_eq!(members.len(), 7, "{object}");
}

#[test]
fn a_trial_is_written_as_a_report_with_its_statements() {
    let mut bench = Bench::new();
    bench.give("cases.start", json!({"task": "P-02"}));
    bench.give("query.run", json!({"sql": "SELECT '```' AS fence, 7 AS n"}));
    bench.ask(json!({"command": "query.run", "arguments": {"sql": "SELECT x FROM nowhere"}}));
    bench.give("schema.preview", json!({"table": "okta_user"}));
    bench.give("answer.add", json!({"subjects": ["a@x"]}));
    bench.give("answer.submit", json!({"now": true}));
    let path = bench.folder.path().join("report.md");
    bench.give("trial.report", json!({"path": path}));
    let text = std::fs::read_to_string(&path).unwrap();
    for part in [
        "# P-02",
        "locked out",
        "````sql\nSELECT '```' AS fence",
        "| 7 |",
        "no such table",
        "* a@x",
        "casebook replay",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("okta_user"), "looks are left out: {text}");
    assert!(bench.refused("trial.report", json!({"path": path})).contains("already"));
}

#[test]
fn buffers_are_written_to_files_and_read_from_them() {
    let mut bench = Bench::new();
    bench.give("cases.start", json!({"task": "P-02"}));
    bench.give("editor.set", json!({"text": "SELECT 1;\n"}));
    let path = bench.folder.path().join("one.sql");
    bench.give("buffer.write", json!({"path": path}));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "SELECT 1;\n");
    bench.give("buffer.read", json!({"path": path}));
    assert_eq!(bench.state("/workspace/editor/buffers/1/name"), "one.sql");
    assert_eq!(bench.state("/workspace/editor/buffers/1/text"), "SELECT 1;\n");
    std::fs::write(&path, b"\xff").unwrap();
    assert!(bench.refused("buffer.read", json!({"path": path})).contains("UTF-8"));
    assert!(bench.refused("buffer.read", json!({"path": "/no/such"})).contains("no file"));
}
