//! Archives from anybody: what is in them leads nowhere else, stops nothing and costs no more than it must.

use crate::support::{NOON, begin, copied, plan, run, run_with, script, small};
use casebook::archive::replay::{Replay, junit};
use casebook::archive::{ArchiveError, Finding, RunWriter, Secrets, verify};
use sha2::{Digest as _, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

const LINES: &str = r#"
{"tool": "run_query", "arguments": {"sql": "SELECT login FROM okta_user ORDER BY login"}}
{"tool": "submit_answer", "arguments": {"answer": "x"}}
"#;

fn findings(run: &Path) -> Vec<Finding> {
    let started = Instant::now();
    let report = verify(run, &|_| true).unwrap().unwrap();
    assert!(started.elapsed() < Duration::from_secs(20), "it took {:?}", started.elapsed());
    report.findings
}

/// Changes `run.json` and gives it a digest that fits.
fn signed(run: &Path, from: &str, to: &str) {
    let path = run.join("run.json");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{from}");
    let mut text = text.replace(from, to);
    let at = text.rfind("\"digest\": \"").unwrap() + "\"digest\": \"".len();
    text.replace_range(at..at + 64, &"0".repeat(64));
    let digest = hex::encode(Sha256::digest(&text));
    text.replace_range(at..at + 64, &digest);
    fs::write(&path, text).unwrap();
}

/// A run that was begun and never ended, and a file that is nobody's business.
fn unended() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let begun = begin(&plan("V-AWS-01"), &script(LINES), Secrets::default());
    let run = begun.writer.folder().to_owned();
    drop(begun.writer);
    let victim = begun.folder.path().join("victim");
    fs::write(&victim, "precious, and without a line end").unwrap();
    (begun.folder, run, victim)
}

#[test]
fn links_lead_nowhere() {
    for name in [".lock", "trials.jsonl"] {
        let (_keep, run, victim) = unended();
        let _ = fs::remove_file(run.join(name));
        std::os::unix::fs::symlink(&victim, run.join(name)).unwrap();
        let error = RunWriter::resume(&run, Secrets::default()).unwrap_err();
        assert!(error.to_string().contains("it is a link"), "{name}: {error}");
        assert_eq!(fs::read_to_string(&victim).unwrap(), "precious, and without a line end");
    }
    for name in ["trials", "blobs"] {
        let (keep, run, _) = unended();
        let outside = keep.path().join("outside");
        fs::create_dir(&outside).unwrap();
        std::os::unix::fs::symlink(&outside, run.join(name)).unwrap();
        let writer = RunWriter::resume(&run, Secrets::default()).unwrap();
        let task = plan("V-AWS-01").tasks.remove(0);
        let trial = casebook::domain::trial::TrialName {
            revision: task.revision,
            pack: task.pack,
            task: task.task,
            number: 1,
        };
        let begun = casebook::archive::TrialWriter::begin(&writer, trial, 1);
        let error = begun.err().or_else(|| writer.blobs().put(b"x").err()).unwrap();
        assert!(error.to_string().contains("is no folder of the run"), "{name}: {error}");
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
    }
}

#[test]
fn pipes_and_devices_are_no_evidence() {
    let ran = run(LINES);
    let name = ran.name().to_string();
    for file in [
        "trials.jsonl".to_owned(),
        format!("trials/{name}/trace.1.jsonl"),
        format!("trials/{name}/answer.json"),
    ] {
        for kind in ["pipe", "zero"] {
            let (_keep, copy) = copied(&ran.path);
            let path = copy.join(&file);
            fs::remove_file(&path).unwrap();
            if kind == "pipe" {
                assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
            } else {
                std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
            }
            match verify(&copy, &|_| true) {
                Ok(report) => assert!(!report.unwrap().findings.is_empty(), "{file}"),
                Err(error) => assert!(matches!(error, ArchiveError::Read { .. }), "{file}: {error}"),
            }
        }
    }
}

#[test]
fn strange_names_numbers_and_amounts_are_findings() {
    let ran = run(LINES);
    let name = ran.name().to_string();
    let trace = format!("trials/{name}/trace.1.jsonl");
    let (_keep, copy) = copied(&ran.path);
    fs::create_dir_all(copy.join("blobs/ab")).unwrap();
    fs::write(copy.join("blobs/ab/ab123456789é.zst"), "x").unwrap();
    assert!(findings(&copy).iter().any(|finding| finding.file.ends_with("é.zst")));
    let (_keep, copy) = copied(&ran.path);
    let text = fs::read_to_string(copy.join(&trace)).unwrap();
    fs::write(copy.join(&trace), text.replace("\"seq\":2", "\"seq\":18446744073709551615")).unwrap();
    assert!(findings(&copy).iter().any(|finding| finding.file == trace && finding.line == Some(2)));
    let (_keep, copy) = copied(&ran.path);
    fs::write(copy.join(&trace), "x\n".repeat(60_000)).unwrap();
    let report = verify(&copy, &|_| true).unwrap().unwrap();
    assert!(report.findings.len() == 10_000 && report.more > 40_000, "{}", report.more);
    let (_keep, copy) = copied(&ran.path);
    let stray = format!("trials/{name}9/answer.json");
    fs::create_dir_all(copy.join(&stray).parent().unwrap()).unwrap();
    fs::write(copy.join(&stray), "{}").unwrap();
    assert!(findings(&copy).iter().any(|finding| finding.file == stray), "{:?}", findings(&copy));
    let (_keep, copy) = copied(&ran.path);
    signed(&copy, "\"trials\": 1,", "\"trials\": 4294967295,");
    let error = RunWriter::resume(&copy, Secrets::default()).unwrap_err();
    assert!(error.to_string().contains("larger than a run can be"), "{error}");
}

#[test]
fn a_ledger_that_leads_out_of_the_run_is_refused() {
    let (_keep, run, _) = unended();
    let revision = small().manifest.revision;
    let zeros = "0".repeat(64);
    let line = format!(
        r#"{{"trial":{{"revision":"{revision}","pack":"../../../outside","task":"x","number":1}},"segment":1,"ending":{{"how":"answered"}},"lines":1,"head":"{zeros}","counts":{{"steps":0,"tool_calls":0,"queries":0,"errors":0}},"milliseconds":0,"prev":"{zeros}"}}"#
    );
    fs::write(run.join("trials.jsonl"), line + "\n").unwrap();
    let error = casebook::archive::Archive::open(&run).unwrap_err();
    assert!(error.to_string().contains("can't be a trial of this run"), "{error}");
    assert!(findings(&run).iter().any(|finding| finding.reason.contains("can't be a trial")));
}

fn replayed(run: &Path) -> casebook::archive::replay::ReplayReport {
    let archive = casebook::archive::Archive::open(run).unwrap();
    let snapshot = |_| Ok(Arc::clone(&small()));
    Replay {
        archive: &archive,
        snapshot: &snapshot,
        against: None,
        only: None,
        jobs: 1,
        progress: &|_, _| true,
    }
    .run()
    .unwrap()
}

/// What a limit stopped left nothing behind, so nothing is left behind when it is repeated.
#[test]
fn what_a_limit_stopped_is_not_begun_again() {
    let mut plan = plan("V-AWS-01");
    plan.limits.statement.seconds = 0.05;
    let slow = "CREATE TABLE t AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) SELECT i FROM n";
    let lines = format!(
        "{}\n{}\n{{\"final\": \"x\"}}",
        serde_json::json!({"tool": "run_query", "arguments": {"sql": slow}}),
        serde_json::json!({"tool": "run_query", "arguments": {"sql": "SELECT count(*) FROM t"}}),
    );
    let ran = run_with(&plan, &script(&lines), Secrets::default(), NOON);
    let words: Vec<_> = replayed(&ran.path).trials[0].calls.iter().map(|call| call.verdict.word()).collect();
    assert_eq!(words, ["not_replayable", "same_error"]);
}

/// A secret that looks like a word of the format takes nothing of the format away, and one that the data holds is not shown.
#[test]
fn secrets_that_are_words_of_the_format_harm_nothing() {
    let login = "SELECT min(login) AS login FROM okta_user";
    let mut engine = small().copy(0).unwrap();
    let rows =
        casebook::query::Engine::run(&mut engine, 1, login, &casebook::query::Limits::default()).unwrap();
    let held = rows.result.rows[0][0].to_text();
    let words = ["00000000", "tool_call", "answered", "tool_result", "arguments", "12345678", held.as_str()];
    let secrets = Secrets::new(words.map(str::to_owned));
    let lines = format!(
        "{}\n{}\n{}",
        serde_json::json!({"tool": "run_query", "arguments": {"sql": login}}),
        serde_json::json!({"tool": "run_query", "arguments": {"sql": "SELECT 12345678, '00000000'"}}),
        serde_json::json!({"tool": "submit_answer", "arguments": {"answer": "answered by tool_call", "facts": {"arguments": 1}}}),
    );
    let ran = run_with(&plan("V-AWS-01"), &script(&lines), secrets, NOON);
    assert_eq!(findings(&ran.path), []);
    let report = replayed(&ran.path);
    let words: Vec<_> = report.trials[0].calls.iter().map(|call| call.verdict.word()).collect();
    assert_eq!(words, ["not_replayable", "not_replayable"]);
    let xml = String::from_utf8(junit(&report).unwrap()).unwrap();
    assert!(!xml.contains(&held), "{xml}");
}

#[test]
fn what_a_hostile_run_is_called_does_not_steer_the_terminal() {
    let ran = run(LINES);
    let (_keep, copy) = copied(&ran.path);
    signed(&copy, "\"run\": \"test\"", "\"run\": \"a\\u001b[31mb\\u202ec\"");
    let xml = String::from_utf8(junit(&replayed(&copy)).unwrap()).unwrap();
    assert!(!xml.contains(['\u{1b}', '\u{202e}']), "{xml}");
}
