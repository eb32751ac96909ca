//! Replay: each verdict, on the exact revision and on copies that have drifted.

use crate::support::{NOON, Ran, drifted, plan, run, run_with, script, small};
use casebook::archive::Secrets;
use casebook::archive::replay::{CallReplay, Replay, ReplayReport, junit};
use casebook::domain::replay::{Difference, NotReplayableReason, ReplayVerdict};
use casebook::query::OpenSnapshot;
use std::sync::Arc;

fn replay(ran: &Ran, on: &Arc<OpenSnapshot>) -> ReplayReport {
    let archive = ran.archive();
    let against = (on.manifest.revision != small().manifest.revision).then_some(on.manifest.revision);
    Replay {
        archive: &archive,
        snapshot: &|_| Ok(Arc::clone(on)),
        against,
        only: None,
        jobs: 2,
        progress: &|_, _| true,
    }
    .run()
    .unwrap()
}

fn calls(report: &ReplayReport) -> &[CallReplay] {
    &report.trials[0].calls
}

fn words(report: &ReplayReport) -> Vec<&'static str> {
    calls(report).iter().map(|call| call.verdict.word()).collect()
}

fn query(sql: &str) -> String {
    serde_json::json!({"tool": "run_query", "arguments": {"sql": sql}}).to_string() + "\n"
}

#[test]
fn the_same_revision_gives_the_same() {
    let lines = query("SELECT login, status FROM okta_user")
        + "{\"tool\": \"get_schema\"}\n"
        + &query("SELECT random(), hex(randomblob(4)), datetime('now'), CURRENT_TIMESTAMP")
        + &query("SELECT nothing FROM nowhere")
        + &query("ATTACH 'x' AS y")
        + &query("CREATE TABLE mine AS SELECT id, random() AS r FROM okta_user")
        + &query("SELECT sum(r % 1000) FROM mine")
        + &query("DELETE FROM mine WHERE r > 0")
        + "{\"tool\": \"read_file\"}\n"
        + "{\"final\": \"x\"}";
    let ran = run(&lines);
    let report = replay(&ran, &small());
    let wanted =
        ["match", "match", "match", "same_error", "same_error", "match", "match", "match", "not_replayable"];
    assert_eq!(words(&report), wanted);
    assert!(!report.differs());
}

#[test]
fn a_cut_result_is_a_prefix() {
    let mut plan = plan("V-AWS-01");
    plan.limits.statement.rows = 5;
    let lines = query("SELECT login FROM okta_user ORDER BY login") + "{\"final\": \"x\"}";
    let ran = run_with(&plan, &script(&lines), Secrets::default(), NOON);
    assert_eq!(words(&replay(&ran, &small())), ["prefix"]);
    // A row behind the cut is not seen; one before it is.
    let last = "(SELECT max(login) FROM okta_user)";
    let (_keep, later) = drifted(&format!("DELETE FROM okta_user WHERE login = {last}"));
    assert_eq!(words(&replay(&ran, &later)), ["prefix"]);
    let first = "(SELECT min(login) FROM okta_user)";
    let (_keep, sooner) = drifted(&format!("DELETE FROM okta_user WHERE login = {first}"));
    assert_eq!(words(&replay(&ran, &sooner)), ["differs"]);
}

#[test]
fn a_drifted_copy_differs_where_it_drifted() {
    let lines = query("SELECT id, status FROM okta_user ORDER BY id")
        + &query("SELECT count(*) AS n FROM github_repository")
        + &query("SELECT id FROM okta_user")
        + &query("SELECT nothing")
        + &query("UPDATE okta_user SET title = 'x' WHERE status = 'ACTIVE'")
        + &query("SELECT id, title FROM okta_user ORDER BY id LIMIT 1")
        + "{\"tool\": \"get_schema\"}\n"
        + "{\"final\": \"x\"}";
    let ran = run(&lines);
    // One status is another; one row lies at another place, which shows where no order was asked for.
    let (_keep, other) = drifted(
        "UPDATE okta_user SET status = 'SUSPENDED' WHERE id = (SELECT id FROM okta_user WHERE status = 'ACTIVE' ORDER BY id LIMIT 1);
         CREATE TEMP TABLE first AS SELECT * FROM okta_user WHERE rowid = (SELECT min(rowid) FROM okta_user);
         DELETE FROM okta_user WHERE rowid = (SELECT min(rowid) FROM okta_user);
         INSERT INTO okta_user SELECT * FROM first;",
    );
    let report = replay(&ran, &other);
    assert_eq!(
        words(&report),
        ["differs", "match", "match_reordered", "same_error", "differs", "differs", "match"]
    );
    let ReplayVerdict::Differs(Difference::Cell { column, archived, now, .. }) = &calls(&report)[0].verdict
    else {
        panic!()
    };
    assert_eq!(column, "status");
    assert_eq!(
        (archived.as_ref().unwrap().to_text(), now.as_ref().unwrap().to_text()),
        ("ACTIVE".into(), "SUSPENDED".into())
    );
    assert!(matches!(&calls(&report)[4].verdict, ReplayVerdict::Differs(Difference::ChangedRows { .. })));
    assert!(report.differs());
}

#[test]
fn tables_and_columns_that_went_are_told() {
    let lines = query("SELECT name FROM github_repository ORDER BY name LIMIT 1")
        + &query("SELECT * FROM mongodbatlas_org_user LIMIT 1")
        + &query("SELECT * FROM nowhere")
        + "{\"final\": \"x\"}";
    let ran = run(&lines);
    let (_keep, other) = drifted(
        "DROP TABLE github_repository; ALTER TABLE mongodbatlas_org_user RENAME COLUMN username TO user_name;
         CREATE TABLE nowhere(x)",
    );
    let report = replay(&ran, &other);
    let said: Vec<String> = calls(&report)
        .iter()
        .map(|call| match &call.verdict {
            ReplayVerdict::Differs(difference) => difference.to_string(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(said[0].contains("1 rows then, error 'no such table: github_repository"), "{}", said[0]);
    assert!(said[1].starts_with("columns ") && said[1].contains("user_name"), "{}", said[1]);
    assert!(
        said[2].contains("error 'no such table: nowhere") && said[2].ends_with("0 rows now"),
        "{}",
        said[2]
    );
}

#[test]
fn what_depends_on_the_machine_is_not_held_against_it() {
    let mut plan = plan("V-AWS-01");
    plan.limits.statement.seconds = 0.05;
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) SELECT count(*) FROM n";
    let lines = query(endless) + &query("SELECT 'canary-secret-1'") + "{\"final\": \"x\"}";
    let secrets = Secrets::new(["canary-secret-1".to_owned()]);
    let ran = run_with(&plan, &script(&lines), secrets, NOON);
    let report = replay(&ran, &small());
    let whys: Vec<NotReplayableReason> = calls(&report)
        .iter()
        .map(|call| match &call.verdict {
            ReplayVerdict::NotReplayable(not) => not.why,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(whys, [NotReplayableReason::Limit, NotReplayableReason::SecretRemoved]);
}

#[test]
fn another_revision_changes_conclusions() {
    let active =
        "SELECT login FROM okta_user WHERE status = 'LOCKED_OUT' OR status = 'SUSPENDED' ORDER BY login";
    let (shown, subjects) = {
        use casebook::query::Engine as _;
        let mut engine = small().copy(0).unwrap();
        let rows = engine.run(1, active, &casebook::query::Limits::default()).unwrap().result.rows;
        let logins: Vec<String> = rows.iter().map(|row| row[0].to_text()).collect();
        (logins.len(), logins)
    };
    assert!(shown >= 2, "{subjects:?}");
    let answer =
        serde_json::json!({"tool": "submit_answer", "arguments": {"answer": "these", "subjects": subjects}});
    let lines = query("SELECT login FROM okta_user ORDER BY login") + &query(active) + &answer.to_string();
    let ran = run(&lines);
    let (_keep, other) = drifted(&format!(
        "UPDATE okta_user SET status = 'SUSPENDED' WHERE login = (SELECT min(login) FROM okta_user WHERE status = 'ACTIVE');
         UPDATE okta_user SET status = 'ACTIVE' WHERE login = '{}'",
        subjects[0]
    ));
    let report = replay(&ran, &other);
    let conclusions = report.trials[0].conclusions.as_ref().unwrap();
    assert!(conclusions.changed());
    assert_eq!((conclusions.gone.as_slice(), conclusions.new.len()), (&subjects[..1], 1));
    assert_eq!(conclusions.column, "login");
}

#[test]
fn the_xml_is_read_by_a_reader() {
    let ran = run(&(query("SELECT status, '<&>\u{1b}[31m' FROM okta_user ORDER BY id")
        + &query("SELECT nothing")
        + "{\"final\": \"x\"}"));
    let (_keep, other) = drifted("UPDATE okta_user SET status = '<b>\"&\u{1b}'");
    let xml = String::from_utf8(junit(&replay(&ran, &other)).unwrap()).unwrap();
    let mut reader = quick_xml::Reader::from_str(&xml);
    let (mut cases, mut failures) = (0, 0);
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Eof => break,
            quick_xml::events::Event::Start(tag) | quick_xml::events::Event::Empty(tag) => {
                match tag.name().as_ref() {
                    "testcase" => cases += 1,
                    "failure" => failures += 1,
                    _ => {}
                }
            }
            _ => {}
        }
    }
    assert_eq!((cases, failures), (2, 1), "{xml}");
    assert!(!xml.contains('\u{1b}'), "{xml}");
}
