//! Keys never reach the disk, whatever way they come.

use crate::support::{NOON, files, plan, run_with, script};
use casebook::archive::{Secrets, verify};
use std::fs;

const CANARIES: [&str; 3] = ["sk-canary-0123456789abcdef", "tok\"en\\canary-77", "canary-passphrase"];

#[test]
fn canaries_are_nowhere_in_an_archive() {
    let [one, two, three] = CANARIES.map(|canary| serde_json::Value::from(canary).to_string());
    let inner = |json: &str| json[1..json.len() - 1].to_owned();
    let long = format!("{} {}", "x".repeat(5000), inner(&one));
    let lines = format!(
        r#"
{{"say": {one}}}
{{"think": "{long}"}}
{{"tool": "run_query", "arguments": {{"sql": "SELECT '{}' AS k"}}}}
{{"tool": "run_query", "arguments": {{"sql": "SELECT '{}'"}}}}
{{"tool": {three}, "arguments": {{"{}": [{two}]}}}}
{{"note": {two}}}
{{"tool": "submit_answer", "arguments": {{"answer": {three}, "subjects": [{one}], "facts": {{"k": {two}}}}}}}
"#,
        inner(&one),
        inner(&two),
        inner(&three),
    );
    let secrets = Secrets::new(CANARIES.map(str::to_owned));
    let ran = run_with(&plan("V-AWS-01"), &script(&lines), secrets, NOON);
    for file in files(&ran.path) {
        let bytes = fs::read(&file).unwrap();
        let text = match file.extension().and_then(|it| it.to_str()) {
            Some("zst") => zstd::decode_all(bytes.as_slice()).unwrap(),
            _ => bytes,
        };
        let text = String::from_utf8(text).unwrap();
        for canary in CANARIES.iter().map(|canary| (*canary).to_owned()).chain([inner(&two)]) {
            assert!(!text.contains(&canary), "{} holds {canary}", file.display());
        }
    }
    assert_eq!(verify(&ran.path, &|_| true).unwrap().unwrap().findings, []);
    let trace = fs::read_to_string(files(&ran.path).iter().find(|it| it.ends_with("trace.1.jsonl")).unwrap())
        .unwrap();
    assert!(trace.contains("[secret removed]") && trace.contains("\"secret_removed\":true"), "{trace}");
}

#[test]
fn the_environment_s_keys_are_known() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("by-sk-canary-0123456789abcdef.jsonl");
    fs::write(&path, "{\"note\": \"\\u0073k-canary-0123456789abcdef\"}\n{\"final\": \"my key is sk-canary-0123456789abcdef\"}").unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_casebook"))
        .args(["run", "--actor", "script", "--pack", "visibility", "--task", "V-AWS-01", "--script"])
        .arg(&path)
        .arg("--out")
        .arg(folder.path().join("run"))
        .env("SOME_API_KEY", CANARIES[0])
        .env("CASEBOOK_DATA_DIR", folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut seen = 0;
    for file in files(&folder.path().join("run")) {
        let bytes = fs::read(&file).unwrap();
        let bytes = zstd::decode_all(bytes.as_slice()).unwrap_or(bytes);
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(CANARIES[0]) && !text.contains("u0073k-canary"), "{}: {text}", file.display());
        seen += 1;
    }
    assert!(seen > 3);
}
