//! SQLite's keywords, and names written so that they are none.

use std::borrow::Cow;

/// Every keyword of SQLite in upper case, sorted.
pub const KEYWORDS: &[&str] = &[
    "ABORT",
    "ACTION",
    "ADD",
    "AFTER",
    "ALL",
    "ALTER",
    "ALWAYS",
    "ANALYZE",
    "AND",
    "AS",
    "ASC",
    "ATTACH",
    "AUTOINCREMENT",
    "BEFORE",
    "BEGIN",
    "BETWEEN",
    "BY",
    "CASCADE",
    "CASE",
    "CAST",
    "CHECK",
    "COLLATE",
    "COLUMN",
    "COMMIT",
    "CONFLICT",
    "CONSTRAINT",
    "CREATE",
    "CROSS",
    "CURRENT",
    "CURRENT_DATE",
    "CURRENT_TIME",
    "CURRENT_TIMESTAMP",
    "DATABASE",
    "DEFAULT",
    "DEFERRABLE",
    "DEFERRED",
    "DELETE",
    "DESC",
    "DETACH",
    "DISTINCT",
    "DO",
    "DROP",
    "EACH",
    "ELSE",
    "END",
    "ESCAPE",
    "EXCEPT",
    "EXCLUDE",
    "EXCLUSIVE",
    "EXISTS",
    "EXPLAIN",
    "FAIL",
    "FILTER",
    "FIRST",
    "FOLLOWING",
    "FOR",
    "FOREIGN",
    "FROM",
    "FULL",
    "GENERATED",
    "GLOB",
    "GROUP",
    "GROUPS",
    "HAVING",
    "IF",
    "IGNORE",
    "IMMEDIATE",
    "IN",
    "INDEX",
    "INDEXED",
    "INITIALLY",
    "INNER",
    "INSERT",
    "INSTEAD",
    "INTERSECT",
    "INTO",
    "IS",
    "ISNULL",
    "JOIN",
    "KEY",
    "LAST",
    "LEFT",
    "LIKE",
    "LIMIT",
    "MATCH",
    "MATERIALIZED",
    "NATURAL",
    "NO",
    "NOT",
    "NOTHING",
    "NOTNULL",
    "NULL",
    "NULLS",
    "OF",
    "OFFSET",
    "ON",
    "OR",
    "ORDER",
    "OTHERS",
    "OUTER",
    "OVER",
    "PARTITION",
    "PLAN",
    "PRAGMA",
    "PRECEDING",
    "PRIMARY",
    "QUERY",
    "RAISE",
    "RANGE",
    "RECURSIVE",
    "REFERENCES",
    "REGEXP",
    "REINDEX",
    "RELEASE",
    "RENAME",
    "REPLACE",
    "RESTRICT",
    "RETURNING",
    "RIGHT",
    "ROLLBACK",
    "ROW",
    "ROWS",
    "SAVEPOINT",
    "SELECT",
    "SET",
    "TABLE",
    "TEMP",
    "TEMPORARY",
    "THEN",
    "TIES",
    "TO",
    "TRANSACTION",
    "TRIGGER",
    "UNBOUNDED",
    "UNION",
    "UNIQUE",
    "UPDATE",
    "USING",
    "VACUUM",
    "VALUES",
    "VIEW",
    "VIRTUAL",
    "WHEN",
    "WHERE",
    "WINDOW",
    "WITH",
    "WITHOUT",
];

/// Keywords that SQLite takes as a bare name wherever a name may stand, sorted; only such as columns are called.
const NAMES_TOO: &[&str] = &[
    "ACTION",
    "AFTER",
    "BEFORE",
    "CASCADE",
    "COLUMN",
    "CONFLICT",
    "DATABASE",
    "EACH",
    "EXCLUSIVE",
    "FAIL",
    "FIRST",
    "FOLLOWING",
    "GENERATED",
    "IGNORE",
    "IMMEDIATE",
    "INSTEAD",
    "KEY",
    "LAST",
    "NO",
    "PLAN",
    "PRAGMA",
    "QUERY",
    "RELEASE",
    "RENAME",
    "RESTRICT",
    "ROLLBACK",
    "ROW",
    "SAVEPOINT",
    "TEMP",
    "TEMPORARY",
    "TIES",
    "TRIGGER",
    "VIEW",
    "VIRTUAL",
];

/// Whether a bare word is a keyword, in any case.
pub fn is_keyword(word: &str) -> bool {
    is_among(KEYWORDS, word)
}

/// Whether a bare word is a keyword that can't be a name without quotes.
pub fn is_reserved(word: &str) -> bool {
    is_keyword(word) && !is_among(NAMES_TOO, word)
}

fn is_among(sorted: &[&str], word: &str) -> bool {
    let upper = || word.bytes().map(|byte| byte.to_ascii_uppercase());
    sorted.binary_search_by(|keyword| keyword.bytes().cmp(upper())).is_ok()
}

/// A name as SQL takes it: bare where that is a name, else in double quotes.
pub fn as_name(name: &str) -> Cow<'_, str> {
    let mut bytes = name.bytes();
    // SQLite takes any byte above 127 as a letter, but letters from elsewhere are easier to tell apart in quotes.
    let is_bare = bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !is_reserved(name);
    if is_bare { Cow::Borrowed(name) } else { Cow::Owned(quoted(name)) }
}

/// A name in double quotes.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::{KEYWORDS, NAMES_TOO, as_name, is_keyword};

    #[test]
    fn the_lists_are_sorted_and_of_keywords() {
        assert!(KEYWORDS.is_sorted() && NAMES_TOO.is_sorted());
        assert_eq!(KEYWORDS.len(), 147);
        assert!(NAMES_TOO.iter().all(|word| is_keyword(word)));
        assert!(is_keyword("sElect") && is_keyword("ABORT") && is_keyword("without") && !is_keyword("selec"));
    }

    #[test]
    fn names_are_quoted_where_they_must_be() {
        for (name, wanted) in [
            ("okta_user", "okta_user"),
            ("key", "key"),
            ("order", "\"order\""),
            ("App \"N\"", "\"App \"\"N\"\"\""),
            ("1st", "\"1st\""),
            ("", "\"\""),
        ] {
            assert_eq!(as_name(name), wanted);
        }
    }
}
