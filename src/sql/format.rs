//! A statement laid out anew, with not one token changed.
//!
//! The layout is the `sqlformat` crate's, which knows no dialect quite like SQLite. So its answer is taken only if it
//! reads the same, token by token; a keyword's case included.

use crate::text::edit_buffer::INDENT;
use crate::text::sql_lexer::{self, TokenKind};
use sqlformat::{Dialect, FormatOptions, Indent, QueryParams};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Longer statements are left as they are: they were made by a program, and the layout takes its time.
const LONGEST: usize = 64 << 10;

/// What is shorter than this many characters stays on one line.
const SHORT: usize = 60;

/// The statement laid out over several lines; the text itself where a layout would change what it says, or where there
/// is none. White space around it goes.
pub fn format(sql: &str) -> String {
    if sql.len() > LONGEST {
        return sql.to_owned();
    }
    // `[name]` is a name in SQLite as in SQL Server.
    let options = FormatOptions {
        indent: Indent::Spaces(u8::try_from(INDENT.len()).unwrap_or(2)),
        dialect: Dialect::SQLServer,
        joins_as_top_level: true,
        max_inline_block: SHORT,
        max_inline_arguments: Some(SHORT),
        max_inline_top_level: Some(SHORT),
        ..FormatOptions::default()
    };
    // The crate's parser is not ours; text that it stumbles over stays as it is.
    let formatted = catch_unwind(AssertUnwindSafe(|| sqlformat::format(sql, &QueryParams::None, &options)));
    match formatted {
        Ok(formatted) if reads_the_same(sql, &formatted) => formatted,
        _ => sql.to_owned(),
    }
}

/// Whether two texts hold the same tokens. White space does not count; of a comment, the white space at its end and its
/// indentation do not.
fn reads_the_same(one: &str, other: &str) -> bool {
    solid(one).eq(solid(other))
}

fn solid(sql: &str) -> impl Iterator<Item = (TokenKind, String)> + '_ {
    sql_lexer::tokens(sql).filter(|token| token.kind != TokenKind::Space).map(|token| {
        let text = &sql[token.range];
        let text = if token.kind == TokenKind::Comment {
            text.lines().map(str::trim).collect::<Vec<_>>().join("\n")
        } else {
            text.to_owned()
        };
        (token.kind, text)
    })
}

#[cfg(test)]
mod tests {
    use super::{format, reads_the_same};
    use proptest::prelude::*;

    #[test]
    fn a_statement_is_laid_out() {
        let sql =
            "select u.id, count(*) from okta_user u left join [app user] a using (id) where x='a  b' -- why
 and y in (select id from t) group by 1";
        let wanted = "\
select u.id, count(*)
from okta_user u
left join [app user] a
using (id)
where x = 'a  b' -- why
  and y in (select id from t)
group by 1";
        assert_eq!(format(sql), wanted);
        assert_eq!(format(wanted), wanted);
    }

    #[test]
    fn what_the_layout_would_change_is_left_alone() {
        // The crate knows neither hexadecimal numbers nor a text that ends in a backslash.
        for sql in ["SELECT 0x1F,b", "SELECT 'a\\' ,b"] {
            assert_eq!(format(sql), sql);
        }
        assert_eq!(format("SELECT a->>'$.x',?1,:a,$b"), "SELECT a ->> '$.x', ?1, :a, $b");
    }

    #[test]
    fn another_token_is_seen() {
        assert!(reads_the_same("SELECT  a\n,b", "SELECT a, b"));
        for other in ["SELECT a,c", "select a,b", "SELECT a,b,", "SELECT ab", "SELECT a"] {
            assert!(!reads_the_same("SELECT a,b", other), "{other}");
        }
        assert!(!reads_the_same("SELECT 'a  b'", "SELECT 'a b'"));
    }

    proptest! {
        #[test]
        fn no_text_is_changed_in_what_it_says(
            sql in "(SELECT|FROM|WHERE|JOIN|CASE|WHEN|END|AND|a|b|\\(|\\)|,|;|'x '|\"y\"|\\[z\\]|`|'|1|\\.5|->>|\\|\\||--c\n|/\\* \n d \\*/|\\?1|:p|\\PC| |\n){0,30}"
        ) {
            prop_assert!(reads_the_same(&sql, &format(&sql)));
        }
    }
}
