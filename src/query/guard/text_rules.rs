//! The few rules that only the text shows.

use super::MAX_STATEMENT_BYTES;
use crate::domain::Rule;
use crate::query::QueryError;
use crate::sql::MAX_NESTING;
use crate::text::sql_lexer::{self, TokenKind};

/// Refuses text that can't be one statement.
///
/// Text that seems to be several statements but begins like CREATE TRIGGER is let through: the semicolons may be those
/// of its body, and SQLite then says by the authorizer what it is.
pub(in crate::query) fn check(sql: &str) -> Result<(), QueryError> {
    let refuse = |rule, detail: String| Err(QueryError::Refused { rule, detail });
    if sql.len() > MAX_STATEMENT_BYTES {
        let detail = format!("the statement has {} bytes; the limit is {MAX_STATEMENT_BYTES}", sql.len());
        return refuse(Rule::StatementTooLong, detail);
    }
    if let Some(at) = sql.find('\0') {
        return refuse(Rule::NulByte, format!("byte {at} of the statement is NUL"));
    }
    let statements = sql_lexer::statements(sql);
    match statements.len() {
        0 => return refuse(Rule::EmptyStatement, "there is no statement in the text".to_owned()),
        1 => {}
        _ if is_create_trigger(sql) => {}
        count => return refuse(Rule::SeveralStatements, format!("the text holds {count} statements")),
    }
    let depth = sql_lexer::nesting(sql);
    if depth > MAX_NESTING {
        return refuse(
            Rule::NestingTooDeep,
            format!("{depth} levels of parentheses; the limit is {MAX_NESTING}"),
        );
    }
    Ok(())
}

/// The first words of a statement in lower case, comments and spaces left out, EXPLAIN [QUERY PLAN] too.
fn words(sql: &str) -> impl Iterator<Item = String> + '_ {
    let statement = explained(sql).unwrap_or(sql);
    sql_lexer::tokens(statement)
        .filter(|token| !matches!(token.kind, TokenKind::Space | TokenKind::Comment | TokenKind::Semicolon))
        .take_while(|token| token.kind == TokenKind::Word)
        .map(|token| statement[token.range].to_ascii_lowercase())
}

/// The first word of a statement, or of what it explains.
pub(in crate::query) fn first_word(sql: &str) -> String {
    words(sql).next().unwrap_or_default()
}

fn is_create_trigger(sql: &str) -> bool {
    let mut words = words(sql);
    words.next().as_deref() == Some("create")
        && match words.next().as_deref() {
            Some("temp" | "temporary") => words.next().as_deref() == Some("trigger"),
            Some(word) => word == "trigger",
            None => false,
        }
}

/// What an EXPLAIN or EXPLAIN QUERY PLAN statement explains; `None` for any other statement.
pub(in crate::query) fn explained(sql: &str) -> Option<&str> {
    let mut tokens = sql_lexer::tokens(sql)
        .filter(|token| !matches!(token.kind, TokenKind::Space | TokenKind::Comment | TokenKind::Semicolon));
    let is = |range: std::ops::Range<usize>, word: &str| sql[range].eq_ignore_ascii_case(word);
    let explain = tokens.next().filter(|token| is(token.range.clone(), "explain"))?;
    let rest = explain.range.end;
    let plan_end = match (tokens.next(), tokens.next()) {
        (Some(query), Some(plan)) if is(query.range.clone(), "query") && is(plan.range.clone(), "plan") => {
            Some(plan.range.end)
        }
        _ => None,
    };
    sql.get(plan_end.unwrap_or(rest)..)
}

#[cfg(test)]
mod tests {
    use super::{check, explained, first_word};
    use crate::domain::Rule;

    #[test]
    fn each_rule_is_named() {
        let rule = |sql: &str| check(sql).err().and_then(|error| error.rule());
        for (sql, wanted) in [
            ("", Some(Rule::EmptyStatement)),
            (" ;; -- x\n /* y */", Some(Rule::EmptyStatement)),
            ("SELECT 1; SELECT 2", Some(Rule::SeveralStatements)),
            ("SELECT 1;\u{a0}SELECT 2", Some(Rule::SeveralStatements)),
            ("SELECT 1\0", Some(Rule::NulByte)),
            ("SELECT ';' ; -- ; \n", None),
            ("CREATE /* ; */ TEMP TRIGGER t AFTER DELETE ON a BEGIN SELECT 1; SELECT 2; END", None),
        ] {
            assert_eq!(rule(sql), wanted, "{sql:?}");
        }
        assert_eq!(rule(&"(".repeat(1_001)), Some(Rule::NestingTooDeep));
        assert_eq!(rule(&" ".repeat((1 << 20) + 1)), Some(Rule::StatementTooLong));
    }

    #[test]
    fn explain_is_seen_through() {
        assert_eq!(explained("EXPLAIN /* a */ QUERY\nPLAN SELECT 1"), Some(" SELECT 1"));
        assert_eq!(explained("-- c\nexplain SELECT 1"), Some(" SELECT 1"));
        assert_eq!(explained("SELECT 1"), None);
        assert_eq!(first_word("explain query plan /**/ Vacuum INTO 'x'"), "vacuum");
    }
}
