//! `casebook schema`.

use crate::support::call;

#[test]
fn text_and_json_say_the_same() {
    let text = call(&["schema"]);
    assert_eq!(text.code, 0);
    assert!(text.out.starts_with(
        "organisation: Larkfield Technologies\ndialect: SQLite\ntoday: 2026-06-30 (every form of now is this date at 00:00 UTC)\n"
    ));
    assert!(
        text.out.contains("\ngithub_organization (1 row): Organization settings\n  login, id, name, "),
        "{}",
        text.out
    );
    // Neither types nor keys: finding how tables join is the task.
    assert!(!text.out.contains("TEXT") && !text.out.contains("PRIMARY"));
    let document: serde_json::Value = serde_json::from_str(&call(&["schema", "--json"]).out).unwrap();
    assert_eq!(document["tables"].as_array().unwrap().len(), 44);
    assert_eq!(document["tables"][38]["columns"], serde_json::json!(["group_id", "user_id"]));
    assert_eq!(document["release_date"], "2026-06-30");
}

#[test]
fn an_unknown_snapshot_is_named() {
    let printed = call(&["schema", "--snapshot", "nobody\u{1b}[2J"]);
    assert_eq!(printed.code, 3);
    assert_eq!(
        printed.err,
        "casebook: there is no snapshot 'nobody␛[2J'; `casebook snapshot list` shows what there is\n"
    );
}
