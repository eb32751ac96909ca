//! A result as a table of plain text, fitted to a width.
//!
//! Columns shrink, widest first, until the table fits; where even narrow columns do not, each row becomes a record of
//! `name: value` lines. Types stay distinguishable without colour: NULL is `NULL`, the empty text is `''`, a text that
//! says NULL is `'NULL'`, a blob is `x'…'`; numbers are aligned right.

use super::visible::visible;
use super::width::{fit, pad, width};
use crate::domain::Value;

/// No column shrinks below this many cells.
const NARROWEST: usize = 12;
/// Cells between two columns.
const GAP: usize = 2;

/// The table's text, each line ended by a line feed. `cells` is the width to fit; `None` cuts nothing.
pub fn grid(columns: &[String], rows: &[Vec<Value>], cells: Option<usize>) -> String {
    if columns.is_empty() {
        return String::new();
    }
    let names: Vec<String> = columns.iter().map(|name| visible(name).into_owned()).collect();
    let texts: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    let natural: Vec<usize> = (0..names.len())
        .map(|column| {
            let cells = texts.iter().filter_map(|row| row.get(column)).map(|text| width(text));
            cells.max().unwrap_or(0).max(width(&names[column]))
        })
        .collect();
    match cells {
        None => as_table(&names, rows, &texts, &natural),
        Some(cells) => match shrink(&natural, cells) {
            Some(widths) => as_table(&names, rows, &texts, &widths),
            None => as_records(&names, &texts, cells),
        },
    }
}

/// One value as it is shown.
pub(super) fn cell(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Text(text) if text.is_empty() => "''".to_owned(),
        Value::Text(text) if text == "NULL" => "'NULL'".to_owned(),
        other => visible(&other.to_text()).into_owned(),
    }
}

/// Widths that fit into `cells`, or `None` where they can't.
fn shrink(natural: &[usize], cells: usize) -> Option<Vec<usize>> {
    let gaps = GAP * (natural.len() - 1);
    let room = cells.checked_sub(gaps)?;
    if natural.iter().map(|width| width.min(&NARROWEST)).sum::<usize>() > room {
        return None;
    }
    // The largest cap under which all columns fit: those below it keep their width, those above share the rest.
    let (mut low, mut high) = (NARROWEST, natural.iter().copied().max().unwrap_or(0).max(NARROWEST));
    while low < high {
        let middle = (low + high).div_ceil(2);
        if natural.iter().map(|width| width.min(&middle)).sum::<usize>() <= room {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    let mut widths: Vec<usize> = natural.iter().map(|width| *width.min(&low)).collect();
    let mut spare = room - widths.iter().sum::<usize>();
    for (width, natural) in widths.iter_mut().zip(natural) {
        if spare > 0 && *width < *natural {
            *width += 1;
            spare -= 1;
        }
    }
    Some(widths)
}

fn as_table(names: &[String], rows: &[Vec<Value>], texts: &[Vec<String>], widths: &[usize]) -> String {
    let is_number: Vec<bool> = (0..names.len())
        .map(|column| {
            let mut values =
                rows.iter().filter_map(|row| row.get(column)).filter(|value| **value != Value::Null);
            values.next().is_some_and(Value::is_number) && values.all(Value::is_number)
        })
        .collect();
    let mut out = String::new();
    let mut line = |cells: &[String]| {
        let mut text = String::new();
        for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
            if column > 0 {
                text.push_str("  ");
            }
            text.push_str(&pad(&fit(cell, *width), *width, is_number[column]));
        }
        out.push_str(text.trim_end());
        out.push('\n');
    };
    line(names);
    line(&widths.iter().map(|width| "─".repeat(*width)).collect::<Vec<_>>());
    for row in texts {
        line(row);
    }
    out
}

fn as_records(names: &[String], texts: &[Vec<String>], cells: usize) -> String {
    let label = names.iter().map(|name| width(name)).max().unwrap_or(0).min(cells / 2);
    let mut out = String::new();
    for (index, row) in texts.iter().enumerate() {
        out.push_str(&fit(&format!("── row {} ", index + 1), cells));
        out.push('\n');
        for (name, text) in names.iter().zip(row) {
            let value = fit(text, cells.saturating_sub(label + GAP));
            out.push_str(format!("{}  {value}", pad(&fit(name, label), label, false)).trim_end());
            out.push('\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::grid;
    use crate::domain::Value;
    use crate::text::width::width;
    use proptest::prelude::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn types_look_different_and_numbers_stand_right() {
        let rows = vec![
            vec![Value::Text("名前".into()), Value::Integer(7)],
            vec![Value::Null, Value::Integer(1234)],
            vec![Value::Text(String::new()), Value::Null],
            vec![Value::Text("NULL".into()), Value::Integer(-1)],
            vec![Value::Blob(vec![1, 255]), Value::Integer(0)],
            vec![Value::Text("a\u{1b}[0m".into()), Value::Integer(0)],
        ];
        let wanted = "\
name        n
───────  ────
名前        7
NULL     1234
''       NULL
'NULL'     -1
x'01ff'     0
a␛[0m       0
";
        assert_eq!(grid(&names(&["name", "n"]), &rows, Some(80)), wanted);
    }

    #[test]
    fn the_widest_columns_shrink_first() {
        let rows = vec![vec![Value::Text("x".repeat(50)), Value::Text("short".into())]];
        let text = grid(&names(&["long", "s"]), &rows, Some(30));
        assert_eq!(text.lines().last().unwrap(), format!("{}…  short", "x".repeat(22)));
    }

    #[test]
    fn too_many_columns_become_records() {
        let columns: Vec<String> = (0..10).map(|n| format!("column_{n}")).collect();
        let rows = vec![(0..10).map(|n| Value::Text(format!("value {n}"))).collect::<Vec<_>>()];
        let text = grid(&columns, &rows, Some(40));
        assert!(text.starts_with("── row 1"), "{text}");
        assert!(text.contains("column_9  value 9"), "{text}");
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_asked(
            cells in 10_usize..120,
            rows in proptest::collection::vec(proptest::collection::vec("\\PC{0,40}", 3), 0..5),
        ) {
            let rows: Vec<Vec<Value>> =
                rows.into_iter().map(|row| row.into_iter().map(Value::Text).collect()).collect();
            for line in grid(&names(&["first", "second", "third"]), &rows, Some(cells)).lines() {
                prop_assert!(width(line) <= cells, "{line}");
            }
        }
    }
}
