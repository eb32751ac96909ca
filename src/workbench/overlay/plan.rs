//! How SQLite would run a statement, as a tree.

use crate::domain::{ResultSet, Value};
use serde::Serialize;

/// A step of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlanLine {
    /// How deep it stands.
    pub depth: usize,
    /// Whether no step of its parent follows.
    pub is_last: bool,
    /// For each depth above, whether a line goes on there.
    pub rails: Vec<bool>,
    /// SQLite's words.
    pub text: String,
    /// Whether it reads a whole table, row by row.
    pub is_scan: bool,
}

/// The tree of `EXPLAIN QUERY PLAN`, whose rows are id, parent, unused, detail. Rows that belong to no step are left out, and
/// so is anything that would stand under itself.
pub fn plan_lines(result: &ResultSet) -> Vec<PlanLine> {
    let steps: Vec<(i64, i64, String)> = result
        .rows
        .iter()
        .filter_map(|row| match row.as_slice() {
            [Value::Integer(id), Value::Integer(parent), _, Value::Text(detail)] => {
                Some((*id, *parent, detail.clone()))
            }
            _ => None,
        })
        .collect();
    let mut lines = Vec::new();
    grow(&steps, 0, &[], &mut lines);
    lines
}

fn grow(steps: &[(i64, i64, String)], parent: i64, rails: &[bool], lines: &mut Vec<PlanLine>) {
    // A plan has far fewer levels; one that names itself as its parent would have no end.
    if rails.len() > 200 {
        return;
    }
    let children: Vec<&(i64, i64, String)> =
        steps.iter().filter(|(id, above, _)| *above == parent && *id != parent).collect();
    for (nth, (id, _, detail)) in children.iter().enumerate() {
        let is_last = nth + 1 == children.len();
        lines.push(PlanLine {
            depth: rails.len(),
            is_last,
            rails: rails.to_vec(),
            text: detail.clone(),
            is_scan: detail.starts_with("SCAN ") && !detail.contains(" USING "),
        });
        let mut below = rails.to_vec();
        below.push(!is_last);
        grow(steps, *id, &below, lines);
    }
}

#[cfg(test)]
mod tests {
    use super::plan_lines;
    use crate::domain::{ResultSet, Value};

    #[test]
    fn steps_stand_under_their_parents() {
        let row = |id, parent, detail: &str| {
            vec![Value::Integer(id), Value::Integer(parent), Value::Integer(0), Value::Text(detail.into())]
        };
        let result = ResultSet {
            columns: vec![],
            rows: vec![
                row(2, 0, "CO-ROUTINE x"),
                row(5, 2, "SCAN a"),
                row(9, 0, "SEARCH b USING INDEX i (c=?)"),
                row(7, 7, "itself"),
            ],
            changed_rows: 0,
            cut: None,
        };
        let lines = plan_lines(&result);
        let shown: Vec<(usize, bool, bool, &str)> =
            lines.iter().map(|line| (line.depth, line.is_last, line.is_scan, line.text.as_str())).collect();
        assert_eq!(
            shown,
            [
                (0, false, false, "CO-ROUTINE x"),
                (1, true, true, "SCAN a"),
                (0, true, false, "SEARCH b USING INDEX i (c=?)"),
            ]
        );
        assert_eq!(lines[1].rails, [true]);
    }
}
