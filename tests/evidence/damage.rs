//! One changed byte in any file of the evidence is found, with the file, the trial and the line.

use crate::support::{NOON, copied, files, plan, run_with, script};
use casebook::archive::{ArchiveError, Finding, FindingKind, Secrets, verify};
use casebook::domain::trial::TrialName;
use std::fs;
use std::path::Path;

const LINES: &str = r#"
{"say": "Let me look."}
{"tool": "get_schema"}
{"tool": "run_query", "arguments": {"sql": "SELECT * FROM okta_user ORDER BY id"}}
{"tool": "run_query", "arguments": {"sql": "SELECT nothing"}}
{"tool": "submit_answer", "arguments": {"verdict": "yes", "subjects": ["a", "b"], "answer": "Two."}}
"#;

fn findings(run: &Path) -> Vec<Finding> {
    verify(run, &|_| true).unwrap().unwrap().findings
}

#[test]
fn any_changed_byte_is_found_where_it_is() {
    let mut plan = plan("V-AWS-01");
    plan.trials = 2;
    let ran = run_with(&plan, &script(LINES), Secrets::default(), NOON);
    assert_eq!(findings(&ran.path), []);
    let (_keep, copy) = copied(&ran.path);
    let mut checked = 0;
    for file in files(&copy) {
        let original = fs::read(&file).unwrap();
        let name = file.strip_prefix(&copy).unwrap().to_string_lossy().into_owned();
        // Every byte of short files, every so-manieth of long ones, and both ends.
        let step = (original.len() / 60).max(1);
        let places = (0..original.len()).step_by(step).chain([original.len() - 1]);
        for at in places {
            let mut changed = original.clone();
            changed[at] ^= 0x04;
            fs::write(&file, &changed).unwrap();
            let found = match verify(&copy, &|_| true) {
                Ok(report) => report.unwrap().findings,
                // Another format, or nothing that could be read as one: said at once.
                Err(ArchiveError::Format { .. }) if name == "run.json" => continue,
                Err(error) => panic!("{name}, byte {at}: {error}"),
            };
            let line = 1 + memchr::memchr_iter(b'\n', &original[..at]).count() as u64;
            let here = |finding: &&Finding| finding.file == name;
            let Some(first) = found.iter().find(here) else { panic!("{name}, byte {at}: {found:?}") };
            assert_eq!(first.kind, FindingKind::Changed, "{name}, byte {at}: {first:?}");
            if name.contains("trace.") {
                let trial = first.trial.as_ref().map(TrialName::to_string).unwrap();
                assert!(name.contains(&trial), "{name}, byte {at}: {first:?}");
                assert!(
                    found.iter().filter(here).any(|finding| finding.line == Some(line)),
                    "{name}, byte {at}, line {line}: {found:?}"
                );
            }
            if name.ends_with("answer.json") {
                assert!(first.trial.is_some(), "{name}, byte {at}: {first:?}");
            }
            checked += 1;
        }
        fs::write(&file, &original).unwrap();
    }
    assert!(checked > 500, "{checked}");
    assert_eq!(findings(&copy), []);
}

#[test]
fn what_is_taken_away_is_missed() {
    let ran = run_with(&plan("V-AWS-01"), &script(LINES), Secrets::default(), NOON);
    for file in files(&ran.path) {
        let name = file.strip_prefix(&ran.path).unwrap().to_string_lossy().into_owned();
        let (_keep, copy) = copied(&ran.path);
        fs::remove_file(copy.join(&name)).unwrap();
        if name == "run.json" {
            assert!(matches!(verify(&copy, &|_| true), Err(ArchiveError::NotAnArchive { .. })));
            continue;
        }
        let found = findings(&copy);
        let missing = |finding: &&Finding| finding.kind == FindingKind::Missing && finding.file == name;
        // The script's own text is in the run, but no event names it.
        assert!(found.iter().any(|finding| missing(&finding)), "{name}: {found:?}");
    }
}

#[test]
fn lines_that_are_dropped_added_or_moved_are_found() {
    let ran = run_with(&plan("V-AWS-01"), &script(LINES), Secrets::default(), NOON);
    let trace = files(&ran.path).into_iter().find(|file| file.ends_with("trace.1.jsonl")).unwrap();
    let name = trace.strip_prefix(&ran.path).unwrap();
    let lines: Vec<String> = fs::read_to_string(&trace).unwrap().lines().map(str::to_owned).collect();
    let without = |at: usize| {
        let mut kept = lines.clone();
        kept.remove(at);
        kept
    };
    let swapped = {
        let mut moved = lines.clone();
        moved.swap(3, 4);
        moved
    };
    let doubled = {
        let mut more = lines.clone();
        more.push(lines[lines.len() - 1].clone());
        more
    };
    for changed in [without(0), without(3), without(lines.len() - 1), swapped, doubled] {
        let (_keep, copy) = copied(&ran.path);
        fs::write(copy.join(name), changed.join("\n") + "\n").unwrap();
        let found = findings(&copy);
        assert!(found.iter().any(|finding| Path::new(&finding.file) == name), "{found:?}");
    }
}

/// A hostile archive can't lead out of its folder, nor break the reader.
#[test]
fn names_that_lead_elsewhere_are_no_trials() {
    let ran = run_with(&plan("V-AWS-01"), &script(LINES), Secrets::default(), NOON);
    let (_keep, copy) = copied(&ran.path);
    let ledger = copy.join("trials.jsonl");
    let text = fs::read_to_string(&ledger).unwrap().replace("V-AWS-01", "../../../../etc");
    fs::write(&ledger, text).unwrap();
    let found = findings(&copy);
    assert!(found.iter().any(|finding| finding.file == "trials.jsonl"), "{found:?}");
    for (bytes, says) in [
        (b"".as_slice(), "no run file"),
        (b"{\"format\": 2}", "format 2"),
        (b"{\"format\": 1}", "no run file"),
        (b"\xff\xfe", "not UTF-8"),
        (b"[1", "no run file"),
    ] {
        fs::write(copy.join("run.json"), bytes).unwrap();
        let said = match verify(&copy, &|_| true) {
            Err(error) => error.to_string(),
            Ok(report) => report.unwrap().findings[0].reason.clone(),
        };
        assert!(said.contains(says), "{said}");
    }
}
