//! The statement that a cursor means.

use crate::text::sql_lexer;
use std::ops::Range;

/// The byte range of the statement to run when the cursor is at `offset`: the one it is in or touches, else the nearest
/// before it, else the next. `None` where the text holds no statement.
pub fn statement_at(sql: &str, offset: usize) -> Option<Range<usize>> {
    let mut before = None;
    for range in sql_lexer::statements(sql) {
        if range.start > offset {
            return before.or(Some(range));
        }
        if offset <= range.end {
            return Some(range);
        }
        before = Some(range);
    }
    before
}

#[cfg(test)]
mod tests {
    use super::statement_at;

    #[test]
    fn the_statement_is_the_one_a_reader_would_point_at() {
        let sql = " SELECT 1; SELECT 2 ;\n-- c\n\nSELECT ';';";
        let at = |offset: usize| statement_at(sql, offset).map(|range| &sql[range]);
        for (offset, wanted) in [
            (0, "SELECT 1"),
            (1, "SELECT 1"),
            (9, "SELECT 1"),
            (10, "SELECT 1"),
            (11, "SELECT 2"),
            (21, "SELECT 2"),
            (24, "SELECT 2"),
            (28, "SELECT ';'"),
            (36, "SELECT ';'"),
            (99, "SELECT ';'"),
        ] {
            assert_eq!(at(offset), Some(wanted), "{offset}");
        }
        assert_eq!(statement_at("-- c\n;", 0), None);
        assert_eq!(statement_at("SELECT 1;SELECT 2", 9), Some(9..17));
    }
}
