//! The bracket that belongs to another, in SQL.

use super::sql_lexer::{self, TokenKind};

/// The bracket at `offset`, or else the one that ends there, and its mate, as byte offsets. `None` where there is none,
/// where it has no mate in its statement, and within strings, names and comments.
pub fn matching(sql: &str, offset: usize) -> Option<(usize, usize)> {
    let is_bracket = |at: &usize| matches!(sql.as_bytes().get(*at), Some(b'(' | b')'));
    // Most places have no bracket, and then nothing needs to be read.
    let wanted: Vec<usize> =
        [Some(offset), offset.checked_sub(1)].into_iter().flatten().filter(is_bracket).collect();
    let last = wanted.iter().max()?;
    let mut mates = vec![None; wanted.len()];
    let mut is_real = vec![false; wanted.len()];
    let mut open = Vec::new();
    for token in sql_lexer::tokens(sql) {
        let at = token.range.start;
        match token.kind {
            TokenKind::Open => open.push(at),
            TokenKind::Close => {
                let opening = open.pop();
                for (mate, wanted) in mates.iter_mut().zip(&wanted) {
                    match opening {
                        Some(opening) if opening == *wanted => *mate = Some(at),
                        Some(opening) if at == *wanted => *mate = Some(opening),
                        _ => {}
                    }
                }
            }
            // No bracket reaches over the end of a statement.
            TokenKind::Semicolon if at > *last => break,
            TokenKind::Semicolon => open.clear(),
            _ => continue,
        }
        if let Some(index) = wanted.iter().position(|wanted| *wanted == at) {
            is_real[index] = true;
        }
    }
    // The one at the offset counts if it is a bracket at all, balanced or not.
    let index = is_real.iter().position(|is_real| *is_real)?;
    mates[index].map(|mate| (wanted[index], mate))
}

#[cfg(test)]
mod tests {
    use super::matching;

    #[test]
    fn brackets_in_strings_and_comments_are_none() {
        let sql = "f(a, ')', (b) /* ) */) ; (; )";
        for (offset, wanted) in [
            (1, Some((1, 21))),
            (2, Some((1, 21))),
            (21, Some((21, 1))),
            (22, Some((21, 1))),
            (6, None),
            (7, None),
            (10, Some((10, 12))),
            (13, Some((12, 10))),
            (17, None),
            (0, None),
            (25, None),
            (28, None),
            (99, None),
        ] {
            assert_eq!(matching(sql, offset), wanted, "{offset}");
        }
        assert_eq!(matching("()()", 2), Some((2, 3)));
        assert_eq!(matching("(()", 1), Some((1, 2)));
        assert_eq!(matching("(()", 0), None);
    }
}
