//! JSON Lines: an object a row.

use crate::domain::Value;
use crate::text::json::{compact, escaped};
use std::collections::HashSet;
use std::io::{self, Write};

pub(super) fn write<'r>(
    columns: &[String],
    rows: impl Iterator<Item = &'r [Value]>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let keys = unique(columns).iter().map(compact).collect::<serde_json::Result<Vec<_>>>()?;
    for row in rows {
        let mut line = String::from("{");
        for (index, (key, value)) in keys.iter().zip(row).enumerate() {
            if index > 0 {
                line.push(',');
            }
            line.push_str(key);
            line.push(':');
            line.push_str(&escaped(serde_json::to_string(value)?));
        }
        line.push_str("}\n");
        out.write_all(line.as_bytes())?;
    }
    Ok(())
}

/// The names with a number behind each that comes again; a name that is there already is never made.
fn unique(names: &[String]) -> Vec<String> {
    let given: HashSet<&str> = names.iter().map(String::as_str).collect();
    let mut used = HashSet::new();
    let mut unique = Vec::with_capacity(names.len());
    for name in names {
        let mut key = name.clone();
        let mut number = 2;
        while used.contains(&key) || (number > 2 && given.contains(key.as_str())) {
            key = format!("{name}_{number}");
            number += 1;
        }
        used.insert(key.clone());
        unique.push(key);
    }
    unique
}
