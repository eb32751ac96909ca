//! From opening to the answer and back: the case of leavers who can still reach AWS.

use crate::support::Bench;
use casebook::archive::{Archive, verify};
use casebook::domain::trial::{ActorKind, Ending, Mode};
use serde_json::{Value, json};

const JOIN: [&str; 4] = [
    "SELECT h.email, h.terminationdate, u.name\n",
    "FROM hibob_employee h\n",
    "JOIN aws_identitystore_user u ON lower(u.name) = lower(h.email)\n",
    "WHERE h.lifecyclestatus = 'Terminated'",
];

#[test]
fn leavers_who_can_still_reach_aws() {
    let mut bench = Bench::new();
    // Find the case and open it.
    bench.keys("/");
    bench.write("leavers in aws");
    bench.keys("enter");
    assert_eq!(bench.state("/cases/rows/0/task"), "X-01");
    bench.keys("enter");
    assert_eq!(bench.state("/workspace/trial/task"), "X-01");
    assert_eq!(bench.state("/workspace/mode"), "scored");
    assert_eq!(bench.state("/page"), "investigate");
    // Look at three tables.
    for table in ["hibob_employee", "aws_identitystore_user", "aws_ssoadmin_account_assignment"] {
        bench.keys("esc g s /");
        bench.write(table);
        bench.keys("enter p");
        let sql = bench.state("/workspace/results").as_array().unwrap().last().unwrap()["sql"].clone();
        assert_eq!(sql, format!("SELECT * FROM {table} LIMIT 100"));
        bench.keys("c g e i");
    }
    // Write the join; the names are completed.
    for (line, completed) in JOIN.iter().zip([None, Some("hibob_emp"), Some("aws_identitystore_us"), None]) {
        match completed {
            None => bench.ask(json!({"paste": line})),
            Some(begun) => {
                let (before, rest) = line.split_once(begun).unwrap();
                bench.ask(json!({"paste": before}));
                bench.write(begun);
                assert_ne!(bench.state("/workspace/completion"), Value::Null, "{begun}");
                bench.keys("tab");
                let name: String = rest.chars().take_while(|it| it.is_alphanumeric() || *it == '_').collect();
                bench.ask(json!({"paste": rest[name.len()..]}))
            }
        };
    }
    assert_eq!(bench.state("/workspace/editor/buffers/0/text"), JOIN.concat());
    bench.keys("f5");
    assert_eq!(bench.state("/workspace/failure"), Value::Null);
    let rows = bench.rows(100);
    let found = rows["rows"].as_array().unwrap().len();
    assert!(found >= 2, "{rows}");
    // Mark the rows, say it in words, submit.
    bench.keys("esc g r m m");
    let subjects = bench.state("/workspace/answer/subjects");
    assert_eq!(subjects, json!([rows["rows"][0][0], rows["rows"][1][0]]));
    bench.keys("u");
    assert_eq!(bench.state("/workspace/answer/subjects").as_array().unwrap().len(), 1);
    bench.keys("M g a y i");
    bench.write("Leavers whose Identity Center user is still there.");
    bench.keys("esc f9");
    assert_eq!(bench.state("/overlays/0/kind"), "confirm");
    bench.keys("enter");
    assert_ne!(bench.state("/workspace/submitted"), Value::Null);
    let refused = bench.refused("query.run", json!({"sql": "SELECT 1"}));
    assert!(refused.contains("answered"), "{refused}");

    // Quit, open again, and see it.
    let run = bench.state("/workspace/run").as_str().unwrap().to_owned();
    bench.reopen();
    assert_eq!(bench.state("/own/0/ending/how"), "answered");
    bench.give("cases.find", json!({"text": "leavers in aws"}));
    assert_eq!(bench.state("/cases/rows/0/status"), "answered");

    // The evidence is sound and says the same.
    let folder = bench.folder.path().join("runs").join(&run);
    let archive = Archive::open(&folder).unwrap();
    assert_eq!((archive.run.actor.kind, archive.run.mode), (ActorKind::Human, Mode::Scored));
    assert_eq!(archive.trials[0].ending(), Ending::Answered);
    let answer = archive.answer(&archive.trials[0].name).unwrap().unwrap();
    assert_eq!(answer.subjects.unwrap().len(), found);
    let counts = &archive.trials[0].last().unwrap().counts;
    assert_eq!(counts.queries, 1, "looks are not counted");
    let report = verify(&folder, &|_| true).unwrap().unwrap();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
}

#[test]
fn a_case_is_gone_on_with_where_it_was_left() {
    let mut bench = Bench::new();
    bench.give("cases.start", json!({"task": "P-02"}));
    assert_eq!(bench.state("/workspace/mode"), "practice");
    bench.give("query.run", json!({"sql": "CREATE TABLE own AS SELECT login FROM okta_user"}));
    bench.give("editor.set", json!({"text": "SELECT count(*) FROM own"}));
    bench.give("answer.add", json!({"subjects": ["a@x", "b@x"]}));
    bench.give("answer.fact", json!({"fact": "count = 2"}));
    bench.reopen();
    assert_eq!(bench.state("/own/0/ending/how"), "interrupted");
    bench.give("cases.start", json!({"task": "P-02"}));
    assert_eq!(bench.state("/workspace/editor/buffers/0/text"), "SELECT count(*) FROM own");
    assert_eq!(bench.state("/workspace/answer/subjects"), json!(["a@x", "b@x"]));
    assert_eq!(bench.state("/workspace/answer/facts"), json!([["count", "2"]]));
    // The copy is what it was: the table that was made is there again.
    bench.keys("f5");
    assert!(bench.rows(1)["rows"][0][0].as_i64().unwrap() > 0);
}

#[test]
fn an_investigation_becomes_a_task_that_passes_the_check() {
    let mut bench = Bench::new();
    bench.give("cases.investigate", json!({"snapshot": "small"}));
    assert_eq!(bench.state("/workspace/task"), Value::Null);
    let sql = "SELECT u.login FROM okta_user u WHERE u.status = 'SUSPENDED'";
    bench.give("query.run", json!({"sql": sql}));
    bench.give("answer.mark_all", json!({}));
    let pack = bench.folder.path().join("own-pack");
    let arguments = |id: &str| json!({"pack": pack, "id": id, "question": "Which Okta users are suspended?"});
    bench.give("trial.save_task", arguments("OWN-1"));
    assert!(bench.refused("trial.save_task", arguments("OWN-1")).contains("already"));
    bench.give("trial.save_task", arguments("OWN-2"));
    let found = casebook::pack::find(pack.to_str().unwrap()).unwrap();
    assert_eq!(found.tasks.len(), 2);
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_casebook"))
        .args(["pack", "check", pack.to_str().unwrap()])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
