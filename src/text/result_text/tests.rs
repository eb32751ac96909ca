//! Every form on the values that are hard for it.

use super::{TextFormat, to_string};
use crate::domain::Value;

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn written(format: TextFormat, columns: &[&str], rows: &[Vec<Value>]) -> String {
    to_string(format, &names(columns), rows.iter().map(Vec::as_slice))
}

/// A column of values.
fn column(values: &[Value]) -> Vec<Vec<Value>> {
    values.iter().map(|value| vec![value.clone()]).collect()
}

#[test]
fn csv_quotes_what_it_must_and_tells_null_from_empty() {
    let rows =
        [vec![Value::Null, text(""), text("NULL")], vec![text("a,\"b\""), text("c\nd"), Value::Real(1.0)]];
    let csv = written(TextFormat::Csv, &["a", "b,c", ""], &rows);
    assert_eq!(csv, "a,\"b,c\",\"\"\r\n,\"\",NULL\r\n\"a,\"\"b\"\"\",\"c\nd\",1.0\r\n");
    // Another program's reader agrees.
    let mut reader = ::csv::ReaderBuilder::new().has_headers(false).from_reader(csv.as_bytes());
    let last = reader.records().last().unwrap().unwrap();
    assert_eq!(last.iter().collect::<Vec<_>>(), ["a,\"b\"", "c\nd", "1.0"]);
}

#[test]
fn tsv_escapes() {
    let rows = [vec![Value::Null, text(""), text("a\tb\\")]];
    assert_eq!(written(TextFormat::Tsv, &["a", "b", "c"], &rows), "a\tb\tc\n\\N\t\ta\\tb\\\\\n");
}

#[test]
fn json_lines_lose_no_column() {
    let rows = [vec![Value::Integer(1), Value::Null, text("\u{1b}\""), Value::Blob(vec![1])]];
    let json = written(TextFormat::JsonLines, &["n", "n", "n_2", "n"], &rows);
    assert_eq!(json, "{\"n\":1,\"n_3\":null,\"n_2\":\"\\u001b\\\"\",\"n_4\":{\"blob\":\"01\"}}\n");
}

#[test]
fn markdown_keeps_data_data() {
    let rows = [
        vec![text("a|b\\"), text("x\r\ny"), text("<img src=x>&[l](u)")],
        vec![Value::Null, text(""), text("a_b *c* _d_ \u{202e}")],
    ];
    assert_eq!(
        written(TextFormat::Markdown, &["a_b", "c|", "d"], &rows),
        "| a_b | c\\| | d |\n| --- | --- | --- |\n\
         | a\\|b\\\\ | x<br>y | &lt;img src=x>&amp;\\[l\\](u) |\n\
         | NULL | '' | a_b \\*c\\* \\_d\\_ ‹U+202E› |\n"
    );
}

#[test]
fn an_in_list_is_sql() {
    let rows = column(&[
        text("it's"),
        Value::Integer(3),
        Value::Null,
        text("it's"),
        Value::Real(3.0),
        text("3"),
        Value::Blob(vec![255]),
        Value::Real(f64::NEG_INFINITY),
        text("a\0"),
    ]);
    assert_eq!(
        written(TextFormat::InList, &["a"], &rows),
        "('it''s', 3, 3.0, '3', x'ff', -9e999, CAST(x'6100' AS TEXT))"
    );
    assert_eq!(written(TextFormat::InList, &["a"], &column(&[Value::Null])), "()");
}

#[test]
fn a_result_without_columns_is_no_text() {
    for format in [TextFormat::Csv, TextFormat::Tsv, TextFormat::JsonLines, TextFormat::Markdown] {
        assert_eq!(written(format, &[], &[]), "", "{format:?}");
    }
}
