//! A foreign tool's words as a table: what other harnesses show of a result, read back into cells.
//!
//! Known: a JSON object with `columns` and `rows`, JSON lists of objects or of lists, our own tab-separated table, tables with
//! bars between the cells. A text that a recorder cut in the middle is read as far as it goes.

use crate::domain::Value;
use serde_json::{Map, Value as Json};

/// What could be read.
#[derive(Debug, PartialEq)]
pub(super) struct ForeignTable {
    /// Column names, where the text has them.
    pub(super) columns: Option<Vec<String>>,
    /// Rows.
    pub(super) rows: Vec<Vec<Value>>,
    /// Whether cells have types; else all are texts, and what was NULL, a number or a text can't be told.
    pub(super) typed: bool,
    /// Whether this is all of the result.
    pub(super) whole: bool,
}

/// How Inspect's recorder marks the text that it cut.
const CUT_FROM: &str = "<START_TOOL_OUTPUT>";
const CUT_TO: &str = "<END_TOOL_OUTPUT>";

/// Reads a text; `cut` says that the recorder kept a part of it only.
pub(super) fn read(text: &str, cut: bool) -> Option<ForeignTable> {
    if cut || (text.contains(CUT_FROM) && text.contains(CUT_TO)) {
        let kept = text.split_once(CUT_FROM).map_or(text, |(_, rest)| rest);
        let kept = kept.rsplit_once(CUT_TO).map_or(kept, |(kept, _)| kept).trim_start_matches(['\r', '\n']);
        // Half of it is the beginning, half the end: the seam may lie in the middle of a cell, where nothing shows it.
        let mut half = kept.len() / 2;
        while !kept.is_char_boundary(half) {
            half -= 1;
        }
        return beginning(&kept[..half]);
    }
    let trimmed = text.trim();
    if trimmed.starts_with(['{', '[']) {
        return json(&serde_json::from_str(trimmed).ok()?);
    }
    tabs(trimmed).or_else(|| bars(trimmed))
}

fn json(value: &Json) -> Option<ForeignTable> {
    match value {
        Json::Object(map) => {
            let rows =
                ["rows", "data", "results", "result"].iter().find_map(|name| map.get(*name)?.as_array())?;
            let mut table = list(rows)?;
            if let Some(columns) = names(map) {
                table.columns = Some(columns);
            }
            table.whole &= !["truncated", "is_truncated", "has_more"]
                .iter()
                .any(|name| map.get(*name) == Some(&Json::Bool(true)));
            Some(table)
        }
        Json::Array(rows) => list(rows),
        _ => None,
    }
}

/// Column names: texts, or objects with a name.
fn names(map: &Map<String, Json>) -> Option<Vec<String>> {
    let list = ["columns", "column_names", "fields", "headers"]
        .iter()
        .find_map(|name| map.get(*name)?.as_array())?;
    list.iter()
        .map(|entry| entry.as_str().or_else(|| entry.get("name")?.as_str()).map(str::to_owned))
        .collect()
}

fn list(rows: &[Json]) -> Option<ForeignTable> {
    let mut columns: Option<Vec<String>> = None;
    let mut cells = Vec::with_capacity(rows.len());
    for row in rows {
        match row {
            Json::Array(values) => cells.push(values.iter().map(cell).collect()),
            Json::Object(map) => {
                let names = columns.get_or_insert_with(|| map.keys().cloned().collect());
                if map.len() != names.len() {
                    return None;
                }
                cells.push(names.iter().map(|name| map.get(name).map(cell)).collect::<Option<Vec<_>>>()?);
            }
            _ => return None,
        }
    }
    // Objects say their names in an order of their own: by name, not by place.
    Some(ForeignTable { columns, rows: cells, typed: true, whole: true })
}

fn cell(value: &Json) -> Value {
    match value {
        Json::Null => Value::Null,
        // SQLite has no booleans.
        Json::Bool(flag) => Value::Integer(i64::from(*flag)),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => Value::Integer(whole),
            None => Value::Real(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => Value::Text(text.clone()),
        other => Value::Text(other.to_string()),
    }
}

/// The beginning of a JSON result: columns, and rows as long as they are whole.
fn beginning(text: &str) -> Option<ForeignTable> {
    let at = text.find("\"rows\"")?;
    let columns = columns_in(&text[..at]);
    let mut rest = text[at..].split_once('[')?.1;
    let mut rows = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<Json>();
        match stream.next() {
            Some(Ok(row @ (Json::Array(_) | Json::Object(_)))) => {
                let used = stream.byte_offset();
                rows.push(row);
                rest = rest.get(used..)?;
            }
            _ => break,
        }
    }
    let table = list(&rows).filter(|table| !table.rows.is_empty())?;
    Some(ForeignTable { columns: columns.or(table.columns.clone()), whole: false, ..table })
}

fn columns_in(head: &str) -> Option<Vec<String>> {
    let list = &head[head.find("\"columns\"")?..];
    let list = &list[list.find('[')?..];
    let mut stream = serde_json::Deserializer::from_str(list).into_iter::<Vec<String>>();
    stream.next()?.ok()
}

/// Our own table: names, rows, and a line that counts them.
fn tabs(text: &str) -> Option<ForeignTable> {
    let (body, count) = text.rsplit_once('\n')?;
    let count = count.strip_prefix('(')?.strip_suffix(')')?;
    if !count.contains("row") {
        return None;
    }
    let mut lines = body.split('\n');
    let columns: Vec<String> = lines.next()?.split('\t').map(unescaped).collect();
    let rows: Vec<Vec<Value>> = lines.map(|line| line.split('\t').map(tab_cell).collect()).collect();
    let whole = !count.contains(';')
        && !count.contains("there are more")
        && count.starts_with(&rows.len().to_string());
    rows.iter().all(|row| row.len() == columns.len()).then_some(ForeignTable {
        columns: Some(columns),
        rows,
        typed: false,
        whole,
    })
}

fn tab_cell(field: &str) -> Value {
    if field == "\\N" { Value::Null } else { Value::Text(unescaped(field)) }
}

fn unescaped(field: &str) -> String {
    let mut text = String::with_capacity(field.len());
    let mut chars = field.chars();
    while let Some(c) = chars.next() {
        text.push(match c {
            '\\' => match chars.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                Some(other) => other,
                None => '\\',
            },
            other => other,
        });
    }
    text
}

/// A table with bars, as Markdown and many clients write it.
fn bars(text: &str) -> Option<ForeignTable> {
    let is_rule =
        |line: &str| !line.is_empty() && line.chars().all(|c| "|-+:= ".contains(c)) && line.contains('-');
    let lines: Vec<&str> =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !is_rule(line)).collect();
    if lines.len() == text.lines().filter(|line| !line.trim().is_empty()).count()
        || !lines.first()?.contains('|')
    {
        return None;
    }
    let split = |line: &str| -> Vec<String> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let columns = split(lines[0]);
    let rows: Vec<Vec<Value>> = lines[1..]
        .iter()
        .take_while(|line| line.contains('|') || columns.len() == 1)
        .map(|line| split(line).into_iter().map(Value::Text).collect())
        .collect();
    rows.iter().all(|row| row.len() == columns.len()).then_some(ForeignTable {
        columns: Some(columns),
        rows,
        typed: false,
        whole: true,
    })
}

#[cfg(test)]
mod tests {
    use super::{read, unescaped};
    use crate::domain::Value::{Integer, Null, Text};

    fn text(text: &str) -> crate::domain::Value {
        Text(text.to_owned())
    }

    #[test]
    fn what_harnesses_show_is_read() {
        let table =
            read(r#"{"columns": ["a", "b"], "rows": [[1, "x"], [null, "y"]], "row_count": 2}"#, false)
                .unwrap();
        assert_eq!(table.columns.as_deref(), Some(&["a".to_owned(), "b".to_owned()][..]));
        assert_eq!(table.rows, [vec![Integer(1), text("x")], vec![Null, text("y")]]);
        assert!(table.typed && table.whole);
        let table = read(r#"[{"b": 1, "a": "x"}, {"a": "y", "b": 2}]"#, false).unwrap();
        assert_eq!(table.rows, [vec![text("x"), Integer(1)], vec![text("y"), Integer(2)]]);
        let table = read("a\tb\nx\\ty\t\\N\n(1 row)", false).unwrap();
        assert_eq!((table.rows, table.typed, table.whole), (vec![vec![text("x\ty"), Null]], false, true));
        assert!(!read("a\n1\n(2 rows; the first 1 are shown: aggregate)", false).unwrap().whole);
        let table = read("| a | b |\n|---|---|\n| 1 | x |", false).unwrap();
        assert_eq!(table.rows, [vec![text("1"), text("x")]]);
        for none in ["", "no rows", "{\"error\": 1}", "[1, 2]", "a|b"] {
            assert_eq!(read(none, false), None, "{none}");
        }
        assert_eq!(unescaped("\\\\N"), "\\N");
    }

    #[test]
    fn a_cut_text_is_read_to_its_middle_as_far_as_rows_are_whole() {
        let tail = "x".repeat(60);
        let cut = format!(
            "too long\n<START_TOOL_OUTPUT>\n{{\"columns\": [\"n\"], \"rows\": [[1], [2], [\"{tail}{tail}\"]]}}\n<END_TOOL_OUTPUT>"
        );
        let table = read(&cut, true).unwrap();
        assert_eq!((table.rows, table.whole), (vec![vec![Integer(1)], vec![Integer(2)]], false));
        assert_eq!(table.columns, Some(vec!["n".to_owned()]));
        assert_eq!(
            read("<START_TOOL_OUTPUT>\n{\"columns\": [], \"rows\": [[1]]}\n<END_TOOL_OUTPUT>", true),
            None
        );
    }
}
