//! The published JSON Schemas are those of the types, and real files fit them.

use crate::support::{NOON, files, plan, run_with, script};
use casebook::archive::Secrets;
use casebook::archive::schemas::schemas;
use serde_json::Value;
use std::fs;
use std::path::Path;

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema")
}

/// `UPDATE_SCHEMAS=1 cargo test --test evidence schemas` writes them.
#[test]
fn the_published_schemas_are_those_of_the_types() {
    for (name, schema) in schemas() {
        let path = folder().join(name);
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::env::var_os("UPDATE_SCHEMAS").is_some() {
            fs::create_dir_all(folder()).unwrap();
            fs::write(&path, &text).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap_or_default(), text, "{name} is not up to date");
    }
    assert_eq!(fs::read_dir(folder()).unwrap().count(), schemas().len());
}

#[test]
fn real_files_fit_and_wrong_ones_do_not() {
    let lines = r#"
{"say": "x", "model": "m", "usage": {"input": 1}}
{"think": "y"}
{"tool": "get_schema"}
{"tool": "run_query", "arguments": {"sql": "SELECT u.login FROM okta_user u JOIN okta_factor f ON f.user_id = u.id"}}
{"tool": "run_query", "arguments": {"sql": "SELECT nothing"}}
{"note": "z"}
{"tool": "submit_answer", "arguments": {"verdict": "no", "subjects": [], "facts": {"n": 0}, "answer": "None."}}
"#;
    let ran = run_with(&plan("V-AWS-01"), &script(lines), Secrets::default(), NOON);
    let of = |name: &str| {
        let (_, schema) = schemas().into_iter().find(|(it, _)| *it == name).unwrap();
        jsonschema::validator_for(&schema).unwrap()
    };
    let mut seen = 0;
    for file in files(&ran.path) {
        let text = || fs::read_to_string(&file).unwrap();
        let name = file.file_name().unwrap().to_str().unwrap();
        let (schema, values): (&str, Vec<Value>) = match name {
            "run.json" => ("run.schema.json", vec![serde_json::from_str(&text()).unwrap()]),
            "answer.json" => ("answer.schema.json", vec![serde_json::from_str(&text()).unwrap()]),
            "trials.jsonl" => (
                "trials.schema.json",
                text().lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
            ),
            "trace.1.jsonl" => (
                "trace.schema.json",
                text().lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
            ),
            _ => continue,
        };
        let validator = of(schema);
        for value in values {
            let errors: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
            assert_eq!(errors, Vec::<String>::new(), "{name}: {value}");
            let mut wrong = value.clone();
            let map = wrong.as_object_mut().unwrap();
            let key = ["prev", "digest", "answer"].into_iter().find(|key| map.contains_key(*key)).unwrap();
            map.insert(key.to_owned(), Value::from(7));
            assert!(!validator.is_valid(&wrong), "{name}: {wrong}");
            seen += 1;
        }
    }
    assert!(seen > 15, "{seen}");
}
