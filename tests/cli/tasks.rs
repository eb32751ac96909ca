//! `casebook tasks`.

use crate::support::{call, casebook, data};
use serde_json::Value;

fn ids(arguments: &[&str]) -> Vec<String> {
    let printed = call(&[&["tasks", "--json"], arguments].concat());
    assert_eq!(printed.code, 0, "{}", printed.err);
    let tasks: Vec<Value> = serde_json::from_str(&printed.out).unwrap();
    tasks.iter().map(|task| task["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn filters_narrow_and_combine() {
    assert_eq!(ids(&[]).len(), 139);
    assert_eq!(ids(&["--pack", "visibility"]).len(), 77);
    assert_eq!(ids(&["--scope", "cross", "--pack", "cross-vendor"]).len(), 50);
    assert_eq!(ids(&["--pack", "visibility", "--complexity", "hard"]).len(), 7);
    assert_eq!(ids(&["--pack", "cross-vendor", "--focus", "authentication"]).len(), 8);
    assert_eq!(ids(&["--platform", "hibob", "--platform", "aws-iam", "--scope", "cross"]), ["X-09", "X-12"]);
    let printed = call(&["tasks", "--platform", "windows"]);
    assert_eq!(printed.code, 2);
    assert!(printed.err.contains("expected one of `aws-iam`"), "{}", printed.err);
}

/// No way that an actor has of looking at a task shows what identifies its subjects.
#[test]
fn what_an_actor_sees_has_no_answer() {
    for arguments in [&["tasks", "show", "X-09"][..], &["tasks", "show", "X-09", "--json"]] {
        let printed = call(arguments);
        assert_eq!((printed.code, printed.err.as_str()), (0, ""));
        assert!(printed.out.contains("Which leavers (every HR record terminated by today)"));
        for secret in ["SELECT", "alexander.bailey", "HAVING", "boundaries"] {
            assert!(!printed.out.contains(secret), "{secret}: {}", printed.out);
        }
    }
}

#[test]
fn the_vault_is_opened_loudly() {
    let printed = call(&["tasks", "show", "X-09", "--vault", "--snapshot", "medium"]);
    assert_eq!(printed.code, 0);
    assert!(
        printed.err.starts_with("casebook: FOR EVALUATORS ONLY: this shows the answer."),
        "{}",
        printed.err
    );
    for wanted in ["reference query on medium", "WITH leaver AS (", "verdict yes, ", "'2026-06-30'"] {
        assert!(printed.out.contains(wanted), "{wanted}: {}", printed.out);
    }
    let json = call(&["tasks", "show", "X-09", "--vault", "--json"]);
    let object: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(object["vault"]["truth"]["verdict"], true);
    assert!(json.err.contains("FOR EVALUATORS ONLY"));
}

#[test]
fn hints_come_one_by_one_and_only_to_learn() {
    let none = call(&["tasks", "show", "P-09"]);
    assert!(
        !none.out.contains("hint 1") && none.out.ends_with("\n3 hints left: --hints 1\n"),
        "{}",
        none.out
    );
    let two = call(&["tasks", "show", "P-09", "--hints", "2"]);
    assert!(two.out.contains("\nhint 2: ") && !two.out.contains("hint 3"), "{}", two.out);
    assert!(two.out.ends_with("\n1 hint left: --hints 3\n"), "{}", two.out);
    assert!(!call(&["tasks", "show", "X-09", "--hints", "3"]).out.contains("hint"));
}

#[test]
fn an_unknown_task_or_pack_is_named() {
    for (arguments, wanted) in [
        (&["tasks", "show", "X-99\u{1b}[2J"][..], "there is no task 'X-99␛[2J'; `casebook tasks` lists them"),
        (
            &["tasks", "--pack", "nowhere"],
            "nowhere: there is no such pack; built in are visibility, cross-vendor, practice",
        ),
        (&["tasks", "show", "X-09", "--vault", "--snapshot", "huge"], "there is no snapshot 'huge'"),
    ] {
        let printed = call(arguments);
        assert_eq!(printed.code, 3, "{}", printed.out);
        assert!(printed.err.contains(wanted), "{}", printed.err);
    }
}

#[test]
fn the_list_fits_a_narrow_terminal_and_a_pipe_may_close() {
    let data = data();
    let output =
        casebook(data.path()).args(["tasks", "--pack", "practice"]).env("COLUMNS", "60").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.lines().count() >= 14, "{text}");
}
