//! `casebook pack`.

use crate::support::call;
use serde_json::Value;
use std::fs;

#[test]
fn the_packs_are_listed_and_shown() {
    let printed = call(&["pack", "list", "--json"]);
    let packs: Vec<Value> = serde_json::from_str(&printed.out).unwrap();
    let counts: Vec<(&str, u64)> =
        packs.iter().map(|pack| (pack["id"].as_str().unwrap(), pack["tasks"].as_u64().unwrap())).collect();
    assert_eq!(counts, [("visibility", 77), ("cross-vendor", 50), ("practice", 12)]);
    let shown = call(&["pack", "show", "visibility"]);
    assert!(
        shown.out.contains("tasks      77: 38 easy, 32 medium, 7 hard; 0 across vendors"),
        "{}",
        shown.out
    );
    let object: Value = serde_json::from_str(&call(&["pack", "show", "visibility", "--json"]).out).unwrap();
    assert!(object["system_prompt"].as_str().unwrap().len() > 200);
    assert_eq!(object["digest"].as_str().unwrap().len(), 64);
}

/// A pack just begun is right; once its answers are kept, a change of either is found.
#[test]
fn a_new_pack_passes_and_keeps_its_truth() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("mine");
    let path = root.to_str().unwrap();
    assert_eq!(call(&["pack", "new", path]).code, 0);
    let begun = call(&["pack", "check", path]);
    assert_eq!(begun.code, 0, "{}{}", begun.out, begun.err);
    assert!(
        begun.out.ends_with("my-pack: it keeps no answers yet; --write-truth keeps these\nmy-pack: right\n"),
        "{}",
        begun.out
    );
    assert_eq!(call(&["pack", "check", path, "--write-truth"]).code, 0);
    let kept = call(&["pack", "check", path, "--json"]);
    let object: Value = serde_json::from_str(&kept.out).unwrap();
    assert_eq!(
        (kept.code, &object["right"], &object["keeps_truth"]),
        (0, &Value::Bool(true), &Value::Bool(true))
    );
    let reference = root.join("reference/reference.toml");
    let text = fs::read_to_string(&reference).unwrap();
    fs::write(&reference, text.replace("u.mfa_enabled = 0", "u.mfa_enabled = 1")).unwrap();
    let changed = call(&["pack", "check", path]);
    assert_eq!(changed.code, 1);
    assert!(changed.out.contains("it differs from what the references give (MY-01)"), "{}", changed.out);
    let again = call(&["pack", "new", path]);
    assert_eq!(again.code, 3);
    assert!(again.err.contains("exists"), "{}", again.err);
}

#[test]
fn a_pack_that_is_none_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for (path, wanted) in [
        ("nowhere", "nowhere: there is no such pack"),
        (folder.path().to_str().unwrap(), "pack.toml: it is missing"),
    ] {
        let printed = call(&["pack", "check", path]);
        assert!(printed.code != 0 && (printed.err + &printed.out).contains(wanted), "{path}");
    }
    let built_in = call(&["pack", "check", "practice", "--write-truth"]);
    assert_eq!(built_in.code, 3);
    assert!(built_in.err.contains("the truth of a built-in pack is part of the program"), "{}", built_in.err);
}
