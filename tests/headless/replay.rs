//! The Replay page: the demo run step by step, calls run again, what-ifs, what the answer needs, a trial that goes on.

use crate::support::Bench;
use serde_json::{Value, json};

/// Shows a trial of what is open, by task and attempt.
fn show(bench: &mut Bench, task: &str, attempt: u32) {
    let trials = bench.state("/replay/source/trials");
    let ends = format!("/{task}/{attempt}");
    let index =
        trials.as_array().unwrap().iter().position(|it| it["name"].as_str().unwrap().ends_with(&ends));
    bench.give("replay.show", json!({"index": index.unwrap_or_else(|| panic!("no {ends}: {trials}"))}));
}

fn demo(task: &str, attempt: u32) -> Bench {
    let mut bench = Bench::new();
    bench.give("replay.demo", json!({}));
    show(&mut bench, task, attempt);
    bench
}

fn item(bench: &mut Bench, name: &str) -> Value {
    let evidence = bench.state("/replay/evidence");
    let found = evidence.as_array().unwrap().iter().find(|it| it["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {evidence}")).clone()
}

#[test]
fn a_trial_is_stepped_through_and_every_call_is_run_again() {
    let mut bench = demo("X-01", 1);
    assert_eq!(bench.state("/page"), "replay");
    assert_eq!(bench.state("/replay/source/trials").as_array().unwrap().len(), 24);
    assert_eq!(bench.state("/replay/chosen"), 0);
    assert_eq!(bench.state("/replay/step/kind"), "brief");
    let verdicts = bench.state("/replay/verdicts");
    assert_eq!(verdicts.as_object().unwrap().keys().collect::<Vec<_>>(), ["match"], "{verdicts}");
    // From statement to statement; each is shown whole, and beside what it gives now.
    bench.keys("s");
    assert_eq!(bench.state("/replay/step/kind"), "query");
    let first = bench.state("/replay/chosen").as_u64().unwrap();
    assert!(bench.state("/replay/detail/text").as_str().unwrap().contains("hibob_employee"));
    assert_eq!(bench.state("/replay/comparison/differences"), 0);
    assert_eq!(bench.state("/replay/comparison/verdict/verdict"), "match");
    bench.keys("s s S S");
    assert_eq!(bench.state("/replay/chosen").as_u64().unwrap(), first);
    bench.keys("G");
    assert_eq!(bench.state("/replay/step/kind"), "ended");
    assert_eq!(bench.state("/replay/comparison"), Value::Null);
    bench.keys("]");
    assert_eq!(bench.state("/replay/trial"), 1);
    bench.keys("[");
    assert_eq!(bench.state("/replay/trial"), 0);
    assert!(bench.refused("replay.trial", json!({"by": -1})).contains("first"));
    assert!(bench.refused("replay.show", json!({"index": 99})).contains("there are 24"));
}

#[test]
fn what_the_answer_needs_is_shown_where_it_first_appears() {
    let mut bench = demo("X-01", 1);
    for table in ["hibob_employee", "aws_identitystore_user", "aws_ssoadmin_account_assignment"] {
        let item = item(&mut bench, table);
        assert_eq!(item["is_required"], true, "{item}");
        // It is where the first statement that reads it stands.
        let first = item["first"].as_u64().unwrap();
        bench.give("replay.select", json!({"index": first}));
        let read = bench.state("/replay/step/tables");
        assert!(read.as_array().unwrap().contains(&json!(table)), "{read}");
    }
    let evidence = bench.state("/replay/evidence");
    let joins = evidence.as_array().unwrap().iter().filter(|it| it["kind"] == "join");
    assert!(joins.clone().count() >= 3 && joins.clone().all(|it| it["first"].is_u64()), "{evidence}");
    // Tables first, then joins, then subjects: the jump goes to the first use of each in turn.
    bench.keys("T t");
    let first = bench.state("/replay/chosen").as_u64().unwrap();
    assert_eq!(Some(first), item(&mut bench, "hibob_employee")["first"].as_u64());
    // Half an answer: a needed table was never read.
    show(&mut bench, "X-01", 2);
    let evidence = bench.state("/replay/evidence");
    let missing =
        evidence.as_array().unwrap().iter().filter(|it| it["is_required"] == true && it["first"].is_null());
    assert!(missing.count() > 0, "{evidence}");
}

#[test]
fn subjects_that_no_result_showed_are_named() {
    let mut bench = demo("V-AWS-05", 1);
    let evidence = bench.state("/replay/evidence");
    let subjects: Vec<&Value> =
        evidence.as_array().unwrap().iter().filter(|it| it["kind"] == "subject").collect();
    let unseen = subjects.iter().filter(|it| it["first"].is_null()).count();
    assert!(unseen > 0, "{subjects:?}");
    assert!(bench.screen(120, 36).contains("never seen"));
    show(&mut bench, "X-01", 1);
    let evidence = bench.state("/replay/evidence");
    let subject = evidence.as_array().unwrap().iter().find(|it| it["kind"] == "subject").unwrap().clone();
    assert!(subject["place"].as_str().unwrap().starts_with("row "), "{subject}");
    // The jump goes where it stands.
    let place = evidence.as_array().unwrap().iter().position(|it| *it == subject).unwrap();
    bench.give("replay.evidence", json!({"index": place}));
    assert_eq!(bench.state("/replay/chosen"), subject["first"]);
}

#[test]
fn a_what_if_takes_the_place_of_a_call_and_is_never_kept() {
    let mut bench = demo("X-01", 1);
    bench.keys("s");
    let own = bench.state("/replay/detail/text");
    bench.keys("w");
    assert_eq!(bench.state("/replay/what_if/text"), own);
    assert_eq!(bench.state("/typing"), true);
    bench.keys("ctrl-a");
    bench.write("SELECT 1 AS one UNION SELECT 2");
    bench.keys("f5");
    assert_eq!(bench.state("/replay/comparison/what_if"), true);
    assert_eq!(bench.state("/replay/comparison/verdict"), Value::Null);
    assert!(bench.state("/replay/comparison/differences").as_u64().unwrap() > 0);
    assert!(bench.screen(120, 36).contains("never part of the evidence"));
    // Escape shows the call again, and the verdicts know nothing of it.
    bench.keys("esc");
    assert_eq!(bench.state("/replay/what_if"), Value::Null);
    assert_eq!(bench.state("/replay/comparison/differences"), 0);
    assert_eq!(bench.state("/replay/verdicts").as_object().unwrap().len(), 1);
    // What a statement that writes leaves is gone: each is run on a copy of its own.
    bench.give("replay.what_if", json!({"sql": "DELETE FROM hibob_employee"}));
    bench.give(
        "replay.what_if",
        json!({"sql": "SELECT count(*) AS n FROM hibob_employee WHERE lifecyclestatus <> ''"}),
    );
    assert!(bench.screen(120, 36).contains("75"), "{}", bench.screen(120, 36));
    // A wrong statement is said, not lost.
    bench.give("replay.what_if", json!({"sql": "SELECT x FROM nowhere"}));
    let screen = bench.screen(120, 36);
    assert!(screen.contains("no such table"), "{screen}");
    assert!(bench.refused("replay.what_if_leave", json!({})).contains("keys write text"));
}

#[test]
fn statements_that_wrote_are_repeated_before_a_call_that_reads_what_they_left() {
    // It writes a table of its own and reads it.
    let mut bench = demo("V-OKTA-04", 1);
    let calls = bench.state("/replay/verdicts");
    assert_eq!(calls.as_object().unwrap().keys().collect::<Vec<_>>(), ["match"], "{calls}");
    let mut has_read = false;
    for _ in 0..40 {
        bench.keys("s");
        if bench.state("/replay/step/kind") == "query" {
            assert_eq!(bench.state("/replay/comparison/verdict/verdict"), "match");
            has_read |= bench.state("/replay/detail/text").as_str().unwrap().contains("TEMP");
        }
    }
    assert!(has_read);
}

#[test]
fn errors_differences_and_words_are_found() {
    let mut bench = demo("X-25", 1);
    bench.keys("e");
    assert_eq!(bench.state("/replay/step/outcome"), "error");
    assert_eq!(bench.state("/replay/comparison/verdict/verdict"), "same_error");
    let at = bench.state("/replay/chosen");
    bench.give("replay.find", json!({"text": "okta_factor"}));
    assert_ne!(bench.state("/replay/chosen"), at);
    let hit = bench.state("/replay/step");
    assert!(hit.to_string().contains("okta_factor"), "{hit}");
    bench.keys("N");
    assert!(bench.refused("replay.find", json!({"text": "no such words"})).contains("no step has"));
    let answer = bench.keys("d");
    assert!(answer["notices"][0]["text"].as_str().unwrap().contains("no call that comes out differently"));
}

#[test]
fn a_trace_plays_with_the_pauses_of_the_record() {
    let mut bench = demo("X-01", 1);
    bench.give("replay.speed", json!({"by": 9}));
    bench.keys("space");
    assert_eq!(bench.state("/replay/playing"), true);
    // Time is counted by events: each of these is a moment later.
    let mut last = 0;
    for _ in 0..4_000 {
        bench.ask(json!({"tick": 50}));
        let now = bench.state("/replay/chosen").as_u64().unwrap();
        assert!(now == last || now == last + 1, "{last} to {now}");
        last = now;
        if bench.state("/replay/playing") == false {
            break;
        }
    }
    assert_eq!(bench.state("/replay/playing"), false);
    assert_eq!(last + 1, bench.state("/replay/steps").as_u64().unwrap());
}

#[test]
fn what_a_begun_scored_task_needs_is_withheld() {
    let mut bench = Bench::new();
    bench.give("cases.start", json!({"task": "X-01"}));
    bench.give("replay.demo", json!({}));
    show(&mut bench, "X-01", 1);
    assert!(bench.state("/replay/withheld").as_str().unwrap().contains("begun this task as scored"));
    let evidence = bench.state("/replay/evidence").to_string();
    assert!(!evidence.contains("\"is_required\":true"), "{evidence}");
    show(&mut bench, "X-09", 1);
    assert_eq!(bench.state("/replay/withheld"), Value::Null);
    // Left is not given up.
    bench.give("trial.leave", json!({}));
    show(&mut bench, "X-01", 1);
    assert!(bench.state("/replay/withheld").is_string());
}

#[test]
fn a_trial_that_goes_on_is_followed_to_its_end() {
    let mut person = Bench::new();
    person.give("cases.start", json!({"task": "P-01"}));
    person.give("query.run", json!({"sql": "SELECT 1"}));
    let run = person.state("/workspace/run");
    let mut bench = person.beside();
    bench.give("replay.open", json!({"path": run}));
    assert_eq!(bench.state("/replay/running"), true);
    assert!(bench.state("/replay/withheld").as_str().unwrap().contains("still going on"));
    bench.keys("G");
    let steps = bench.state("/replay/steps").as_u64().unwrap();
    person.give("query.run", json!({"sql": "SELECT 2"}));
    let grown = until(&mut bench, |bench| bench.state("/replay/steps").as_u64().unwrap() > steps);
    assert!(grown, "{}", bench.state("/replay"));
    // Whoever stands at the end stays there.
    assert_eq!(
        bench.state("/replay/chosen").as_u64().unwrap() + 1,
        bench.state("/replay/steps").as_u64().unwrap()
    );
    person.keys("esc g a n f9 enter");
    assert_ne!(person.state("/workspace/submitted"), Value::Null);
    assert!(until(&mut bench, |bench| bench.state("/replay/running") == false));
    assert_eq!(bench.state("/replay/withheld"), Value::Null);
    assert!(bench.state("/replay/evidence").to_string().contains("\"is_required\":true"));
}

/// Waits for what comes by itself, at most 10 seconds.
fn until(bench: &mut Bench, is: impl Fn(&mut Bench) -> bool) -> bool {
    let begun = std::time::Instant::now();
    while begun.elapsed() < std::time::Duration::from_secs(10) {
        if is(bench) {
            return true;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    false
}

#[test]
fn what_can_t_be_opened_is_said() {
    let mut bench = Bench::new();
    let notice = bench.refused("replay.open", json!({"path": "/nowhere/at/all"}));
    assert!(notice.contains("/nowhere/at/all") && notice.contains("no run has that name"), "{notice}");
    assert_eq!(bench.state("/replay"), Value::Null);
    bench.give("page.replay", json!({}));
    assert!(bench.screen(80, 24).contains("No trace is open."));
    assert!(bench.refused("replay.move", json!({})).contains("a trace is open"));
    // Runs are listed; the demo is always there.
    bench.give("replay.runs", json!({}));
    assert!(bench.screen(80, 24).contains("the built-in demo run"));
}

#[test]
fn an_own_attempt_is_replayed_from_the_list_of_cases() {
    let mut bench = Bench::new();
    bench.give("cases.find", json!({"text": "P-01"}));
    assert!(bench.refused("cases.replay", json!({})).contains("not tried"));
    bench.give("cases.start", json!({"task": "P-01"}));
    bench.give("query.run", json!({"sql": "SELECT 1"}));
    let run = bench.state("/workspace/run");
    bench.give("trial.leave", json!({}));
    bench.give("page.cases", json!({}));
    bench.give("cases.replay", json!({}));
    assert_eq!(bench.state("/page"), "replay");
    assert_eq!(bench.state("/replay/source/title"), run);
    assert_eq!(bench.state("/replay/source/trials/0/ending"), "interrupted");
    // Practice that can be gone on with hides nothing: hints are given there anyway.
    assert_eq!(bench.state("/replay/withheld"), Value::Null);
}

/// A file of another program, and the exact database that it names in the store.
fn foreign(file: &str) -> Bench {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/traces");
    let mut bench = Bench::new();
    let store = casebook::snapshot::Store::new(Some(bench.folder.path()));
    let facts = casebook::snapshot::Facts {
        name: Some("posture".to_owned()),
        organisation: Some("Example".to_owned()),
        release_date: Some("2026-11-30".parse().unwrap()),
        ..casebook::snapshot::Facts::default()
    };
    let source = root.join("inspect/posture.sqlite");
    let at = std::time::SystemTime::UNIX_EPOCH;
    casebook::snapshot::import(&store, &source, &facts, at, &mut |_| true).expect("an import");
    bench.give("replay.open", json!({"path": root.join(file).display().to_string()}));
    bench
}

/// Shows the trial of a task whose name begins so.
fn show_task(bench: &mut Bench, task: &str) {
    let trials = bench.state("/replay/source/trials");
    let index =
        trials.as_array().unwrap().iter().position(|it| it["task"].as_str().unwrap().starts_with(task));
    bench.give("replay.show", json!({"index": index.unwrap_or_else(|| panic!("no {task}: {trials}"))}));
}

#[test]
fn an_inspect_log_is_stepped_through_and_run_again() {
    let mut bench = foreign("inspect/osb-mini_3epochs.eval");
    assert_eq!(bench.state("/replay/source/trials").as_array().unwrap().len(), 24);
    show_task(&mut bench, "vis-002");
    let verdicts = bench.state("/replay/verdicts");
    assert_eq!(verdicts["match"], 2, "{verdicts}");
    assert_eq!(verdicts["same_error"], 1, "{verdicts}");
    // Its results are texts there, and rows beside ours here.
    bench.keys("s s");
    assert_eq!(bench.state("/replay/comparison/verdict/verdict"), "match");
    assert!(bench.state("/replay/comparison/rows").as_u64().unwrap() > 0);
    assert_eq!(bench.state("/replay/comparison/differences"), 0);
    // What it reads is found from the statement, since the log does not say.
    let tables = bench.state("/replay/step/tables");
    assert!(!tables.as_array().unwrap().is_empty(), "{tables}");
    // Scores, judges and approvals are steps too.
    let screen = bench.screen(200, 60);
    assert!(screen.contains("score") && screen.contains("judge"), "{screen}");
    show_task(&mut bench, "rej-008");
    assert!(bench.screen(200, 60).contains("policy"));
}

#[test]
fn the_same_run_from_four_formats_has_the_same_statements() {
    let statements = |bench: &mut Bench| -> Vec<String> {
        let mut found = Vec::new();
        bench.keys("T");
        loop {
            let before = bench.state("/replay/chosen");
            bench.keys("s");
            if bench.state("/replay/chosen") == before {
                return found;
            }
            found.push(bench.state("/replay/detail/text").as_str().unwrap().to_owned());
        }
    };
    let mut all = Vec::new();
    for file in [
        "inspect/osb-mini_3epochs.eval",
        "atif/vis-002-e1.trajectory.json",
        "openai/chat.jsonl",
        "otel/traces.otlp.json",
    ] {
        let mut bench = foreign(file);
        if bench.state("/replay/source/trials").as_array().unwrap().len() > 1 {
            show_task(&mut bench, "vis-002");
        }
        all.push(statements(&mut bench));
    }
    assert_eq!(all[0].len(), 2, "{:?}", all[0]);
    assert!(all.windows(2).all(|pair| pair[0] == pair[1]), "{all:?}");
}

#[test]
fn hostile_text_of_a_trace_is_made_visible() {
    let mut bench = foreign("atif/uni-005-e1.trajectory.json");
    bench.keys("s");
    for (width, height) in [(80, 24), (120, 36), (200, 60)] {
        let screen = bench.screen(width, height);
        let harmful = |character: char| {
            (character.is_control() && character != '\n') || matches!(character, '\u{202a}'..='\u{202e}')
        };
        assert!(!screen.chars().any(harmful), "{screen:?}");
    }
    // The data keeps them.
    bench.keys("G");
    let mut has_escape = false;
    for _ in 0..12 {
        has_escape |= bench.state("/replay/detail/text").as_str().unwrap_or_default().contains('\u{1b}');
        bench.keys("k");
    }
    assert!(has_escape);
}

#[test]
fn a_file_that_is_no_trace_is_refused_with_the_reason() {
    let mut bench = Bench::new();
    let path = bench.folder.path().join("notes.txt");
    std::fs::write(&path, "not a trace").unwrap();
    let reason = bench.refused("replay.open", json!({"path": path.display().to_string()}));
    assert!(reason.contains("notes.txt") && reason.contains("line 1"), "{reason}");
    // Without its database it is still looked at, and says why nothing is run again.
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/traces");
    let file = root.join("openai/chat.jsonl").display().to_string();
    bench.give("replay.open", json!({"path": file}));
    assert!(bench.state("/replay/snapshot/Err").is_string(), "{}", bench.state("/replay/snapshot"));
    bench.keys("s");
    assert!(bench.screen(120, 36).contains("can't be run again"));
}
