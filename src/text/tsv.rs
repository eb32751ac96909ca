//! Tab-separated values with nothing lost: tab, line feed, carriage return and backslash are written `\t`, `\n`, `\r`, `\\`;
//! NULL is `\N`.

use crate::domain::Value;

/// A name or a text as one field.
pub fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

/// A value as one field.
pub fn field(value: &Value) -> String {
    if *value == Value::Null { "\\N".to_owned() } else { escaped(&value.to_text()) }
}

/// Names as a line, without a line end.
pub fn names(columns: &[String]) -> String {
    columns.iter().map(|name| escaped(name)).collect::<Vec<_>>().join("\t")
}

/// A row as a line, without a line end.
pub fn row(values: &[Value]) -> String {
    values.iter().map(field).collect::<Vec<_>>().join("\t")
}
