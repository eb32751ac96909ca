//! A call then and now as the page shows it: widths of columns, rows in pairs.

use super::pairs::pairs;
use crate::archive::replay::{Then, ThenAndNow};
use crate::domain::ResultSet;
use crate::text::visible::visible;
use crate::text::width::width;
use crate::workbench::investigate::cell_text::written;
use crate::workbench::replay::comparison::{Comparison, RowPair, Side, WIDEST};
use std::sync::Arc;

/// Rows that are looked at to find a width.
const SAMPLE: usize = 200;

pub(super) fn comparison(event: u64, is_what_if: bool, found: ThenAndNow) -> Comparison {
    let is_cut = matches!(found.then, Then::Rows { is_whole: false, .. });
    let (archived, now) = (side(found.then), side(found.now));
    let pairs = match (&archived, &now) {
        (Side::Rows { result: one, .. }, Side::Rows { result: other, .. }) => {
            let mut pairs = pairs(one, other, found.is_foreign);
            if is_cut && !is_what_if {
                // Rows that were not kept are not new ones.
                pairs.retain(|pair| pair.archived.is_some());
            }
            pairs
        }
        (Side::Rows { result, .. }, _) => alone(result.rows.len(), true),
        (_, Side::Rows { result, .. }) => alone(result.rows.len(), false),
        _ => Vec::new(),
    };
    Comparison {
        event,
        sql: found.sql,
        is_what_if,
        archived,
        now,
        verdict: found.verdict,
        pairs: Arc::new(pairs),
    }
}

/// Rows that have nothing beside them.
fn alone(rows: usize, is_archived: bool) -> Vec<RowPair> {
    (0..u32::try_from(rows).unwrap_or(u32::MAX))
        .map(|row| RowPair {
            archived: is_archived.then_some(row),
            now: (!is_archived).then_some(row),
            differing: Vec::new(),
        })
        .collect()
}

fn side(then: Then) -> Side {
    match then {
        Then::Rows { result, elapsed, is_whole } => {
            let cut = result.cut.map(|cut| cut.to_string());
            let remark = cut.or_else(|| (!is_whole).then(|| "the beginning of more".to_owned()));
            let widths = Arc::new(widths(&result));
            Side::Rows { result: Arc::new(result), elapsed, remark, widths }
        }
        Then::Error(text) => Side::Error(text),
        Then::Text(text) => Side::Text(text),
        Then::Nothing(why) => Side::Nothing(why),
    }
}

/// The cells that each column needs, up to a limit.
pub(super) fn widths(result: &ResultSet) -> Vec<u16> {
    let columns = result.columns.iter().enumerate();
    columns
        .map(|(at, name)| {
            let values = result.rows.iter().take(SAMPLE).filter_map(|row| row.get(at));
            let widest =
                values.map(|value| width(&written(value, usize::from(WIDEST) * 4))).max().unwrap_or(0);
            let needed = widest.max(width(&visible(name))).clamp(1, usize::from(WIDEST));
            u16::try_from(needed).unwrap_or(u16::MAX)
        })
        .collect()
}
