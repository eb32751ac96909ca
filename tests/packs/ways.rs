//! Ways of a link that are not what they say are found.

use casebook::pack::{Pack, PackFiles, write_skeleton};
use casebook::scoring::{CheckReport, check_pack};
use casebook::snapshot::Store;
use std::fs;

const REFERENCE: &str = r#"
[[reference]]
id = "MY-01"
verdict = "any"
subject = "leaver"
identified_by = "hibob_employee.email"
tables = ["hibob_employee", "okta_user"]
links = ["HO"]
sql = """
SELECT lower(h.email) FROM hibob_employee h JOIN okta_user o ON lower(h.email) = lower(o.email)
WHERE h.lifecyclestatus = 'Terminated' AND o.status = 'DEPROVISIONED'
"""
"#;

fn check(way: &str) -> CheckReport {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("pack");
    write_skeleton(&root).unwrap();
    fs::write(root.join("reference/reference.toml"), REFERENCE).unwrap();
    let links = format!(
        "[[link]]\nid = \"HO\"\nmeaning = \"HR to Okta\"\nneeded = [\"hibob_employee.email = okta_user.email\"]\n{way}"
    );
    fs::write(root.join("links.toml"), links).unwrap();
    let pack = Pack::load(PackFiles::Folder(root)).unwrap();
    check_pack(&pack, &Store::new(None), false, &mut |_, _| true)
}

fn way(joins: &str, follow: &str) -> String {
    format!("[[link.instead]]\njoins = [{joins}]\nfollow = [{follow}]\n")
}

const LOGIN: &str = "\"hibob_employee.email = okta_user.login\"";

#[test]
fn a_way_that_gives_the_same_subjects_is_right() {
    let report = check(&way(LOGIN, "[\"= lower(o.email)\", \"= lower(o.login)\"]"));
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    assert_eq!((report.snapshots[0].ways.followed, report.snapshots[0].ways.unfollowed.len()), (1, 0));
}

#[test]
fn a_way_that_nothing_says_how_to_follow_is_listed() {
    let report = check(&way(LOGIN, ""));
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    assert_eq!(report.snapshots[0].ways.unfollowed, ["MY-01 by HO 1"]);
}

#[test]
fn a_way_beside_the_shortest_that_the_reference_goes_itself_counts() {
    let both = "[[link.instead]]\njoins = [\"hibob_employee.email = okta_user.email\"]\nbeside = true\n";
    assert_eq!(check(both).snapshots[0].ways.followed, 1);
}

#[test]
fn whatever_is_wrong_with_a_way_is_found_and_named() {
    let second = "\"hibob_employee.email = okta_user.second_email\"";
    for (joins, follow, wanted) in [
        (
            second,
            "[\"= lower(o.email)\", \"= lower(o.second_email)\"]",
            "MY-01: small: link HO 1: this way gives other subjects: missing ",
        ),
        (
            LOGIN,
            "[\"= lower(u.email)\", \"= lower(u.login)\"]",
            "none of the pieces to follow is in its query",
        ),
        (
            LOGIN,
            "[\"= lower(o.email)\", \"= lower(o.second_email)\"]",
            "does not join hibob_employee.email = okta_user.login",
        ),
        (
            LOGIN,
            "[\"= lower(o.email)\", \"= lower(o.second_email)\"]",
            "joins hibob_employee.email = okta_user.second_email, which is on no accepted path",
        ),
        (
            LOGIN,
            "[\"= lower(o.email)\", \"= lower(o.email) AND lower(h.email) = lower(o.login)\"]",
            "still joins hibob_employee.email = okta_user.email",
        ),
        (LOGIN, "[\"= lower(o.email)\", \"= lower(o.logon)\"]", "does not run: no such column: o.logon"),
        (
            LOGIN,
            "[\"o.email\", \"o.email\"]",
            "links.toml:2: link HO: a piece to follow is empty or replaced by itself",
        ),
        ("\"nowhere\"", "", "link HO: 'nowhere' is no pair"),
        ("\"hibob_employee.email = okta_user.logon\"", "", "there is no column okta_user.logon"),
    ] {
        let found: Vec<String> =
            check(&way(joins, follow)).problems.iter().map(ToString::to_string).collect();
        assert!(found.iter().any(|line| line.contains(wanted)), "wanted {wanted}, got {found:#?}");
    }
}
