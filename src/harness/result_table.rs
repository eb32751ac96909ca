//! A result as an agent is shown it: a compact table, cut at a row.
//!
//! The form (`docs/harness.md`): a line of column names, a line a row, both tab-separated as `text::tsv` writes them, then
//! one line in parentheses that says how many rows there are and how many of them are shown.

use crate::domain::ResultSet;
use crate::domain::trial_limits::ShownLimits;
use crate::text::tsv;

/// A field longer than this is cut where its row would not fit otherwise.
const CUT_FIELD: usize = 256;

/// What is shown of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The text.
    pub text: String,
    /// Rows shown.
    pub shown: u64,
}

/// The table of a result.
pub fn result_table(result: &ResultSet, limits: ShownLimits) -> Table {
    if result.columns.is_empty() {
        let rows = result.changed_rows;
        let text = format!("(done: {rows} {} changed in your private copy)", plural(rows));
        return Table { text, shown: 0 };
    }
    let room = usize::try_from(limits.bytes).unwrap_or(usize::MAX);
    let most = usize::try_from(limits.rows).unwrap_or(usize::MAX);
    let mut text = tsv::names(&result.columns);
    if text.len() > room {
        text = cut_fields(&text, room);
    }
    text.push('\n');
    let (mut shown, mut shortened) = (0, false);
    for row in result.rows.iter().take(most) {
        let mut line = tsv::row(row);
        if text.len() + line.len() + 1 > room {
            if shown > 0 {
                break;
            }
            // One row at least, however long it is.
            line = cut_fields(&line, room.saturating_sub(text.len()));
            shortened = true;
        }
        text += &line;
        text.push('\n');
        shown += 1;
    }
    let rows = result.rows.len();
    let all = match result.cut {
        Some(cut) => format!("{rows} {} read, {cut}, there are more", plural(rows as u64)),
        None => format!("{rows} {}", plural(rows as u64)),
    };
    text.push('(');
    text += &all;
    if shown < rows {
        text += "; the first ";
        text += &shown.to_string();
        text += " are shown: aggregate, filter, or page with LIMIT and OFFSET";
    }
    text.push(')');
    if shortened {
        text += "\n(long fields end in …: use substr() to read on)";
    }
    Table { text, shown: shown as u64 }
}

const fn plural(rows: u64) -> &'static str {
    if rows == 1 { "row" } else { "rows" }
}

/// A line whose long fields are cut until it fits, as far as that goes.
fn cut_fields(line: &str, room: usize) -> String {
    let fields: Vec<&str> = line.split('\t').collect();
    let each = (room / fields.len().max(1)).clamp(8, CUT_FIELD.max(room / fields.len().max(1)));
    let cut = |field: &&str| {
        if field.len() <= each {
            return (*field).to_owned();
        }
        let mut end = each.saturating_sub('…'.len_utf8());
        while !field.is_char_boundary(end) {
            end -= 1;
        }
        // Half an escape would be read as something else.
        let kept = field[..end].trim_end_matches('\\');
        format!("{kept}…")
    };
    fields.iter().map(cut).collect::<Vec<_>>().join("\t")
}

#[cfg(test)]
mod tests {
    use super::result_table;
    use crate::domain::trial_limits::ShownLimits;
    use crate::domain::{Cut, ResultSet, Value};

    fn result(rows: usize) -> ResultSet {
        let row = |n: usize| vec![Value::Integer(i64::try_from(n).unwrap()), Value::Text(format!("a\tb{n}"))];
        ResultSet {
            columns: vec!["n".into(), "t".into()],
            rows: (0..rows).map(row).collect(),
            changed_rows: 0,
            cut: None,
        }
    }

    #[test]
    fn all_rows_or_a_line_that_says_how_many() {
        let table = result_table(&result(2), ShownLimits::default());
        assert_eq!(table.text, "n\tt\n0\ta\\tb0\n1\ta\\tb1\n(2 rows)");
        let table = result_table(&result(201), ShownLimits::default());
        assert_eq!(table.shown, 200);
        assert!(table.text.ends_with(
            "(201 rows; the first 200 are shown: aggregate, filter, or page with LIMIT and OFFSET)"
        ));
        let table = result_table(&result(9), ShownLimits { rows: 200, bytes: 30 });
        assert_eq!(table.shown, 3, "{}", table.text);
        let cut = ResultSet { cut: Some(Cut::Rows(2)), ..result(2) };
        assert!(
            result_table(&cut, ShownLimits::default())
                .text
                .contains("2 rows read, stopped at the limit of 2 rows")
        );
    }

    #[test]
    fn one_row_is_shown_however_long() {
        let mut long = result(1);
        long.rows[0][1] = Value::Text("é\\".repeat(40_000));
        let table = result_table(&long, ShownLimits::default());
        assert_eq!(table.shown, 1);
        assert!(table.text.len() < 17 << 10 && table.text.contains('…'), "{}", table.text.len());
        let wrote = ResultSet { columns: Vec::new(), rows: Vec::new(), changed_rows: 1, cut: None };
        assert_eq!(
            result_table(&wrote, ShownLimits::default()).text,
            "(done: 1 row changed in your private copy)"
        );
    }
}
