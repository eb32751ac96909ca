//! What is offered where. `|` marks the cursor.

use super::{Candidate, CandidateKind, Completion, MOST, complete};
use crate::domain::{SchemaDocument, TableDescription};
use proptest::prelude::*;

fn table(name: &str, columns: &[&str]) -> TableDescription {
    TableDescription {
        name: name.to_owned(),
        description: format!("about {name}"),
        rows: 3,
        columns: columns.iter().map(|column| (*column).to_owned()).collect(),
    }
}

fn schema() -> SchemaDocument {
    SchemaDocument {
        organisation: "Test".to_owned(),
        dialect: "SQLite".to_owned(),
        release_date: jiff::civil::date(2026, 6, 30),
        company_domains: Vec::new(),
        tables: vec![
            table("okta_user", &["id", "status", "login", "last_login"]),
            table("okta_group", &["id", "name", "Display Name", "order"]),
            table("aws_user", &["arn", "user_name"]),
        ],
    }
}

fn at(marked: &str) -> Completion {
    let offset = marked.find('|').expect("a cursor");
    complete(&marked.replacen('|', "", 1), offset, &schema())
}

/// The first candidates' texts.
fn texts(marked: &str, count: usize) -> Vec<String> {
    at(marked).candidates.into_iter().take(count).map(|candidate| candidate.text).collect()
}

/// The texts of candidates of one kind.
fn of_kind(marked: &str, kind: CandidateKind) -> Vec<String> {
    let all = at(marked).candidates.into_iter();
    all.filter(|candidate| candidate.kind == kind).map(|candidate| candidate.text).collect()
}

fn columns(marked: &str) -> Vec<String> {
    of_kind(marked, CandidateKind::Column)
}

#[test]
fn a_table_is_offered_where_a_table_stands() {
    for marked in [
        "SELECT * FROM |",
        "SELECT * FROM okta_user u JOIN |",
        "SELECT * FROM okta_user, |",
        "SELECT * FROM okta_user u JOIN okta_group g ON u.id = g.id, |",
        "SELECT * FROM (|",
        "SELECT * FROM okta_user, (aws_user, |",
        "DELETE FROM | WHERE 1",
        "SELECT 1; SELECT * FROM | ; SELECT 2",
        "SELECT (SELECT max(id) FROM |) FROM okta_user",
    ] {
        assert_eq!(texts(marked, 3), ["aws_user", "okta_group", "okta_user"], "{marked}");
    }
    for marked in ["INSERT INTO |", "UPDATE |", "UPDATE OR IGNORE okta_user SET status = (SELECT 1 FROM |"] {
        assert_eq!(of_kind(marked, CandidateKind::Table).len(), 3, "{marked}");
        assert_eq!(of_kind(marked, CandidateKind::Column).len(), 0, "{marked}");
    }
    let first = &at("SELECT * FROM ou|").candidates[0];
    let wanted = Candidate {
        text: "okta_user".into(),
        kind: CandidateKind::Table,
        detail: "3 rows: about okta_user".into(),
    };
    assert_eq!(first, &wanted);
    assert!(of_kind("SELECT * FROM okta_user WHERE a IS DISTINCT FROM |", CandidateKind::Column).len() > 1);
}

#[test]
fn behind_a_dot_are_the_columns_of_that_table() {
    for (marked, wanted) in [
        ("SELECT u.| FROM okta_user u", &["id", "last_login", "login", "status"][..]),
        ("SELECT u.lo| FROM okta_user AS u", &["login", "last_login"]),
        ("SELECT \"U\".| FROM okta_group g, main.aws_user u", &["arn", "user_name"]),
        ("SELECT aws_user.| ", &["arn", "user_name"]),
        ("SELECT main.aws_user.| ", &["arn", "user_name"]),
        ("SELECT g.| FROM okta_group g", &["\"Display Name\"", "id", "name", "\"order\""]),
        (
            "SELECT x.| FROM (SELECT id, count(*) AS n, a.login l, lower(b) FROM okta_user a) AS x",
            &["id", "l", "n"],
        ),
        ("SELECT x.| FROM (SELECT * FROM aws_user UNION SELECT 1, 2) x", &["arn", "user_name"]),
        ("WITH c AS (SELECT u.*, 1 AS z FROM aws_user u) SELECT c.| FROM c", &["arn", "user_name", "z"]),
        ("WITH c(p, q) AS (SELECT 1, 2), d AS (SELECT * FROM c) SELECT d.| FROM d", &["p", "q"]),
        (
            "SELECT e.| FROM json_each('[]') e",
            &["atom", "fullkey", "id", "key", "parent", "path", "type", "value"],
        ),
        (
            "SELECT 1 FROM okta_user u WHERE EXISTS (SELECT 1 FROM aws_user a WHERE a.arn = u.|)",
            &["id", "last_login", "login", "status"],
        ),
        ("SELECT nobody.| FROM okta_user", &[]),
        ("SELECT okta_user.| FROM okta_user WHERE count(", &["id", "last_login", "login", "status"]),
    ] {
        assert_eq!(texts(marked, 9), wanted, "{marked}");
    }
}

#[test]
fn columns_in_sight_come_first_then_the_rest() {
    let kinds: Vec<CandidateKind> =
        at("SELECT l| FROM okta_user la").candidates.iter().map(|candidate| candidate.kind).collect();
    let first_of = |kind| kinds.iter().position(|found| *found == kind);
    assert_eq!(kinds[0], CandidateKind::Column);
    assert!(first_of(CandidateKind::Alias) < first_of(CandidateKind::Function), "{kinds:?}");
    assert_eq!(texts("SELECT sta| FROM okta_user", 1), ["status"]);
    assert_eq!(texts("SELECT coun| FROM okta_user", 1), ["count("]);
    assert_eq!(texts("SELECT coun|(*) FROM okta_user", 1), ["count"]);
    assert_eq!(texts("SELECT row_n|", 1), ["row_number()"]);
    assert_eq!(texts("SELECT current_d|", 2), ["current_date", "current_date"]);
}

#[test]
fn ambiguous_and_outer_columns_are_qualified() {
    assert_eq!(texts("SELECT id| FROM okta_user u JOIN okta_group ON 1", 2), ["okta_group.id", "u.id"]);
    let both = columns("SELECT (SELECT id| FROM aws_user a) FROM okta_user u");
    assert_eq!(both, ["u.id"]);
    assert_eq!(columns("SELECT * FROM okta_user u JOIN okta_group g USING (id|"), ["id"]);
    assert_eq!(columns("INSERT INTO aws_user (ar|) SELECT id FROM okta_user"), ["arn"]);
    assert_eq!(columns("UPDATE okta_user AS u SET stat|"), ["status"]);
}

#[test]
fn what_is_not_in_sight_is_not_offered() {
    assert_eq!(columns("SELECT * FROM okta_user u, (SELECT arn| FROM okta_group) x"), Vec::<String>::new());
    assert_eq!(columns("WITH c AS (SELECT lo| FROM aws_user) SELECT * FROM okta_user"), Vec::<String>::new());
    assert_eq!(columns("SELECT arn FROM aws_user UNION SELECT arn| FROM okta_user"), Vec::<String>::new());
    assert_eq!(columns("SELECT * FROM okta_user; SELECT lo|"), Vec::<String>::new());
    assert_eq!(of_kind("WITH c AS (SELECT 1) SELECT * FROM (SELECT * FROM |", CandidateKind::Cte), ["c"]);
}

#[test]
fn nothing_is_offered_where_nothing_can_be_known() {
    for marked in [
        "SELECT 'a|'",
        "SELECT 'a|",
        "SELECT 1 -- a|",
        "SELECT 1 -- a|\n",
        "/* | */ SELECT 1",
        "SELECT 12|",
        "SELECT ?1|",
        "SELECT :na|",
        "SELECT x'0|'",
        "SELECT id AS |",
        "WITH |",
    ] {
        assert_eq!(at(marked).candidates, [], "{marked}");
    }
    assert_ne!(at("SELECT 'a'|").candidates, []);
    assert_ne!(at("SELECT 1 -- a\n|").candidates, []);
}

#[test]
fn keywords_follow_the_place_and_the_hand() {
    assert_eq!(texts("sel|", 1), ["select"]);
    assert_eq!(texts("SELECT 1; SEL|", 1), ["SELECT"]);
    assert_eq!(texts("select * from okta_user u gr|", 1), ["group by"]);
    assert_eq!(of_kind("SELECT id | FROM okta_user", CandidateKind::Column), Vec::<String>::new());
    assert_eq!(texts("SELECT CAST(id AS T|", 1), ["TEXT"]);
    assert_eq!(texts("SELECT id FROM okta_user WHERE id no|(1)", 1).len(), 1);
    assert_eq!(texts("SELECT id FROM okta_user WHERE id not i|", 1), ["in ("]);
}

#[test]
fn the_word_at_the_cursor_is_replaced() {
    for (marked, wanted) in [
        ("SELECT sta|tus FROM okta_user", 7..13),
        ("SELECT | FROM okta_user", 7..7),
        ("SELECT |FROM okta_user", 7..7),
        ("SELECT g.\"Disp|\" FROM okta_group g", 9..15),
        ("SELECT g.\"Disp| FROM okta_group g", 9..14),
        ("SELECT g.[Disp| FROM okta_group g", 9..14),
    ] {
        assert_eq!(at(marked).replace, wanted, "{marked}");
    }
    for marked in ["SELECT g.\"Disp|\" FROM okta_group g", "SELECT g.[Disp| FROM okta_group g"] {
        assert_eq!(texts(marked, 9), ["\"Display Name\""], "{marked}");
    }
}

fn tokens() -> impl Strategy<Value = String> {
    let token = prop::sample::select(vec![
        "SELECT",
        "FROM",
        "JOIN",
        "ON",
        "WHERE",
        "WITH",
        "AS",
        "UNION",
        "INTO",
        "UPDATE",
        "SET",
        "USING",
        "(",
        "(",
        ")",
        ",",
        ".",
        ";",
        "*",
        "okta_user",
        "u",
        "c",
        "id",
        "\"x",
        "'",
        "`",
        "[",
        "é",
        "1",
        "IN",
        "DISTINCT",
        "IS",
        "--",
        "\n",
        "|",
    ]);
    proptest::collection::vec(token, 0..40).prop_map(|tokens| tokens.join(" "))
}

proptest! {
    #[test]
    fn any_text_gets_a_fixed_answer_that_fits(text in tokens(), offset in 0_usize..200) {
        let answer = complete(&text, offset, &schema());
        prop_assert!(answer.candidates.len() <= MOST);
        prop_assert!(text.get(answer.replace.clone()).is_some());
        prop_assert_eq!(&complete(&text, offset, &schema()), &answer);
    }
}

#[test]
fn deep_and_long_texts_are_no_danger() {
    for text in [
        "(".repeat(20_000),
        "FROM (".repeat(20_000),
        "FROM a, (".repeat(10_000),
        "(SELECT ".repeat(10_000),
        "SELECT * FROM (SELECT * FROM ".repeat(3_000),
        format!("WITH {} a AS (SELECT 1) SELECT ", "c AS (SELECT * FROM c, c, c, c),".repeat(50)),
    ] {
        complete(&text, text.len(), &schema());
    }
}
