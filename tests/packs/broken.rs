//! A pack with one thing wrong: it is found, and the file, the line and the task are named.

use casebook::pack::{Pack, PackFiles, write_skeleton};
use casebook::scoring::check_pack;
use casebook::snapshot::Store;
use std::fs;
use std::path::Path;

/// What is broken: the file, the text that is replaced, by what, and what the check says.
const BROKEN: &[(&str, &str, &str, &str)] = &[
    ("pack.toml", "format = 1", "format = 2", "pack.toml: it has format 2; this casebook reads format 1"),
    ("pack.toml", "format = 1", "", "missing field `format`"),
    ("pack.toml", "id = \"my-pack\"", "id = \"../up\"", "pack.toml: its id is no short name"),
    ("pack.toml", "access = \"private\"", "access = \"secret\"", "pack.toml:10: unknown variant `secret`"),
    ("pack.toml", "title =", "tittle =", "unknown field `tittle`"),
    ("pack.toml", "[\"small\"]", "[\"tiny\"]", "pack.toml: snapshots: there is no snapshot 'tiny'"),
    (
        "pack.toml",
        "access = \"private\"",
        "access = \"private\"\npractice = true",
        "MY-01: a practice task has three hints",
    ),
    ("tasks/tasks.toml", "id = \"MY-01\"", "id = \"MY-02\"", "MY-02: it has no [[reference]] of this id"),
    ("tasks/tasks.toml", "id = \"MY-01\"", "id = \"MY 01\"", "its id is no name"),
    (
        "tasks/tasks.toml",
        "complexity = \"easy\"",
        "complexity = \"trivial\"",
        "tasks/tasks.toml:9: unknown variant `trivial`",
    ),
    ("tasks/tasks.toml", "[\"aws-iam\"]", "[]", "tasks/tasks.toml:4: MY-01: it names no platform"),
    ("tasks/tasks.toml", "[\"aws-iam\"]", "[\"aws-iam\", \"aws-iam\"]", "it names a platform twice"),
    ("tasks/tasks.toml", "MFA device?", "MFA device", "its question does not end with a question mark"),
    ("tasks/tasks.toml", "title = \"Administrators without MFA\"", "title = \" \"", "its title is empty"),
    ("tasks/tasks.toml", "[[task]]", "# nothing", "tasks/tasks.toml:9: unknown field `complexity`"),
    (
        "tasks/tasks.toml",
        "platforms = [\"aws-iam\"]",
        "platforms = [\"aws-iam\"]\nhints = [\"look\"]",
        "it has hints, but the pack is not for practice",
    ),
    (
        "tasks/tasks.toml",
        "MFA device?",
        "MFA device (WHERE u.password_enabled = 1 AND u.mfa_enabled = 0)?",
        "tasks/tasks.toml: MY-01: it shows a piece of the reference query",
    ),
    (
        "tasks/tasks.toml",
        "MFA device?",
        "MFA device? Passwords never used and service users count?",
        "it shows a note for evaluators",
    ),
    (
        "reference/reference.toml",
        "id = \"MY-01\"",
        "id = \"MY-07\"",
        "reference/reference.toml:4: MY-07: there is no [[task]] of this id",
    ),
    ("reference/reference.toml", "verdict = \"any\"", "verdict = \"maybe\"", "unknown variant `maybe`"),
    (
        "reference/reference.toml",
        "subject = \"IAM user\"",
        "subject = \"\"",
        "it does not say what a subject is",
    ),
    (
        "reference/reference.toml",
        "tables = [\"aws_iam_user\"]",
        "tables = [\"aws_iam_users\"]",
        "MY-01: small: there is no table aws_iam_users",
    ),
    (
        "reference/reference.toml",
        "tables = [\"aws_iam_user\"]",
        "tables = [\"aws_iam_user\", \"aws_iam_group\"]",
        "its query does not read its tables: too many [], missing [aws_iam_group]",
    ),
    (
        "reference/reference.toml",
        "joins = []",
        "joins = [\"aws_iam_user to itself\"]",
        "is no pair 'table.column = table.column'",
    ),
    (
        "reference/reference.toml",
        "joins = []",
        "joins = [\"aws_iam_user.name = aws_iam_access_key.user_name\"]",
        "its joins need the table aws_iam_access_key",
    ),
    (
        "reference/reference.toml",
        "joins = []",
        "joins = [\"aws_iam_user.nickname = aws_iam_user.arn\"]",
        "there is no column aws_iam_user.nickname",
    ),
    ("reference/reference.toml", "links = []", "links = [\"HO\"]", "the link 'HO' is not in links.toml"),
    (
        "reference/reference.toml",
        "u.mfa_enabled = 0",
        "u.mfa_enabled = 7",
        "it has no subject; if that is meant, say so in empty_at",
    ),
    (
        "reference/reference.toml",
        "facts =",
        "empty_at = [\"small\"]\nfacts =",
        "subject(s), but is to be empty here",
    ),
    ("reference/reference.toml", "facts =", "empty_at = [\"huge\"]\nfacts =", "empty_at names 'huge'"),
    (
        "reference/reference.toml",
        "SELECT u.arn",
        "SELECT u.permissions_boundary_arn",
        "the subject, is NULL or empty",
    ),
    (
        "reference/reference.toml",
        "u.mfa_enabled = 0",
        "u.mfa_off = 1",
        "its query does not run: no such column: u.mfa_off",
    ),
    (
        "reference/reference.toml",
        "SELECT u.arn",
        "ATTACH 'x' AS y; SELECT u.arn",
        "its query does not run: refused by rule",
    ),
    (
        "reference/reference.toml",
        "WHERE u.password_enabled",
        "JOIN aws_iam_access_key k ON k.user_name = u.name WHERE u.password_enabled",
        "which is on no accepted path",
    ),
    (
        "reference/reference.toml",
        "facts =",
        "second_sql = \"SELECT u.arn FROM aws_iam_user u\"\nfacts =",
        "its second query gives other subjects",
    ),
    ("rubric.toml", "ReasoningUtility", "ReasoningFutility", "the criterion ReasoningUtility is missing"),
    ("rubric.toml", "grade = 0.5", "grade = 1.5", "its levels do not fall from 1 to 0"),
    ("prompts/brief.md", "{{question}}", "Begin.", "prompts/brief.md: it has no {{question}}"),
    (
        "links.toml",
        "# [[link]]\n# id = \"HO\"\n# meaning = \"HR to Okta\"\n# needed = [\"hibob_employee.email = okta_user.email\"]",
        "[[link]]\nid = \"HO\"\nmeaning = \"HR to Okta\"\nneeded = [\"somewhere\"]",
        "links.toml:5: link HO: 'somewhere' is no pair",
    ),
];

/// The problems of a pack in a folder, as lines.
fn problems(folder: &Path) -> Vec<String> {
    match Pack::load(PackFiles::Folder(folder.to_owned())) {
        Err(problem) => vec![problem.to_string()],
        Ok(pack) => {
            let report = check_pack(&pack, &Store::new(None), false, &mut |_, _| true);
            report.problems.iter().map(ToString::to_string).collect()
        }
    }
}

#[test]
fn whatever_is_wrong_is_found_and_named() {
    assert!(BROKEN.len() >= 25);
    for (file, from, to, wanted) in BROKEN {
        let folder = tempfile::tempdir().unwrap();
        let pack = folder.path().join("pack");
        write_skeleton(&pack).unwrap();
        let path = pack.join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file} has no '{from}'");
        fs::write(&path, text.replace(from, to)).unwrap();
        let found = problems(&pack);
        assert!(
            found.iter().any(|line| line.contains(wanted)),
            "{file}: '{from}' to '{to}': wanted {wanted}, got {found:#?}"
        );
    }
}

#[test]
fn the_skeleton_itself_is_right() {
    let folder = tempfile::tempdir().unwrap();
    let pack = folder.path().join("pack");
    write_skeleton(&pack).unwrap();
    assert_eq!(problems(&pack), Vec::<String>::new());
    assert!(write_skeleton(&pack).is_err(), "nothing is overwritten");
}

#[test]
fn a_missing_or_unreadable_file_is_named() {
    for (file, wanted) in [
        ("pack.toml", "pack.toml: it is missing"),
        ("rubric.toml", "rubric.toml: it is missing"),
        ("prompts/system.md", "prompts/system.md: it is missing"),
        ("tasks/tasks.toml", "there is no task in any tasks/*.toml"),
        ("reference/reference.toml", "MY-01: it has no [[reference]] of this id"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let pack = folder.path().join("pack");
        write_skeleton(&pack).unwrap();
        fs::remove_file(pack.join(file)).unwrap();
        let found = problems(&pack);
        assert!(found.iter().any(|line| line.contains(wanted)), "{file}: {found:#?}");
        for (bytes, wanted) in
            [(&[0xff, 0xfe][..], "it is not UTF-8"), (&vec![b'#'; 5 << 20], "it is longer than 4 MiB")]
        {
            fs::write(pack.join(file), bytes).unwrap();
            let found = problems(&pack);
            assert!(
                found.iter().any(|line| line.contains(wanted) && line.contains(file)),
                "{file}: {found:#?}"
            );
        }
    }
}

#[test]
fn a_task_written_twice_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let pack = folder.path().join("pack");
    write_skeleton(&pack).unwrap();
    fs::copy(pack.join("tasks/tasks.toml"), pack.join("tasks/more.toml")).unwrap();
    fs::copy(pack.join("reference/reference.toml"), pack.join("reference/more.toml")).unwrap();
    let found = problems(&pack);
    for wanted in ["another task has this id", "it has a second reference"] {
        assert!(found.iter().any(|line| line.contains(wanted)), "{wanted}: {found:#?}");
    }
}

/// Truth that is cut, changed, or of another version of the pack.
#[test]
fn truth_that_does_not_fit_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("pack");
    write_skeleton(&root).unwrap();
    let pack = Pack::load(PackFiles::Folder(root.clone())).unwrap();
    let with_truth = |pack: &Pack| {
        let report = check_pack(pack, &Store::new(None), true, &mut |_, _| true);
        (report.problems.iter().map(ToString::to_string).collect::<Vec<_>>(), report)
    };
    let (found, report) = with_truth(&pack);
    assert_eq!((found, report.keeps_truth), (Vec::new(), false), "a pack that was just begun is right");
    let snapshot = &report.snapshots[0];
    let path = root.join(casebook::pack::vault::truth_file(snapshot.manifest.revision));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let bytes = snapshot.truth.to_file(&pack, snapshot.manifest.revision).unwrap();
    fs::write(&path, &bytes).unwrap();
    assert_eq!(with_truth(&pack).0, Vec::<String>::new());
    let text = String::from_utf8(zstd::decode_all(bytes.as_slice()).unwrap()).unwrap();
    for (label, changed, wanted) in [
        (
            "a subject",
            text.replacen("arn:aws", "arn:xws", 1),
            "it differs from what the references give (MY-01)",
        ),
        (
            "the version",
            text.replacen("\"version\":\"1\"", "\"version\":\"9\"", 1),
            "it is of pack my-pack 9",
        ),
        ("a line", text.lines().next().unwrap().to_owned() + "\n", "it has 0 of 1 tasks: it is cut"),
        ("the head", "{}\n".to_owned(), "its first line is no head"),
        ("a field", text.replacen("\"task\":", "\"tusk\":", 1), "line 2: unknown field `tusk`"),
    ] {
        fs::write(&path, zstd::encode_all(changed.as_bytes(), 3).unwrap()).unwrap();
        let found = with_truth(&pack).0;
        assert!(found.iter().any(|line| line.contains(wanted)), "{label}: {found:?}");
    }
    // Truth of another revision alone: the data moved on.
    fs::rename(&path, path.with_file_name("000000000000.jsonl.zst")).unwrap();
    assert!(with_truth(&pack).0[0].contains("there is no truth for small"));
    fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    assert!(with_truth(&pack).0[0].contains("it is damaged"));
}
