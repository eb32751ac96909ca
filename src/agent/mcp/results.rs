//! What a call gave, as the protocol says it: the text that every agent is shown, and beside it the same as data.

use super::Offer;
use super::endpoint::Outcome;
use crate::domain::trial::ToolSet;
use crate::domain::trial_limits::ShownLimits;
use crate::domain::{ResultSet, Value};
use crate::harness::{Reply, ReplyKind, result_table};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::json;

/// A value longer than this, in bytes of JSON, is cut where its row alone is more than is shown.
const LONG: usize = 512;
/// Characters that are left of it.
const CUT: usize = 256;

/// The result of a call.
pub(super) fn result(outcome: Outcome, offer: &Offer) -> CallToolResult {
    match outcome {
        Outcome::Reply(reply) => of_reply(&reply, offer),
        Outcome::TakenBack => {
            error("the call was taken back before its turn came; it was not made".to_owned())
        }
        Outcome::Over(why) => error(why),
    }
}

/// An error that the actor can read.
pub(super) fn error(text: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}

fn of_reply(reply: &Reply, offer: &Offer) -> CallToolResult {
    if reply.is_error() {
        return error(reply.text.clone());
    }
    let mut shown = CallToolResult::success(vec![ContentBlock::text(reply.text.clone())]);
    if offer.tools == ToolSet::Three {
        shown.structured_content = structured(reply, offer);
    }
    shown
}

fn structured(reply: &Reply, offer: &Offer) -> Option<serde_json::Value> {
    match &reply.kind {
        // What is a plain struct of texts and numbers can be JSON.
        ReplyKind::Schema => serde_json::to_value(&offer.schema).ok(),
        ReplyKind::Result { result, record, elapsed } => {
            let shown = result_table(result, offer.shown).shown;
            Some(json!({
                "columns": result.columns,
                "rows": rows(result, shown, offer.shown),
                "row_count": record.rows,
                "truncated": shown < record.rows || record.truncated.is_some(),
                "changed_rows": record.changed_rows,
                "result_sha256": record.sha256,
                "elapsed_ms": elapsed.as_secs_f64() * 1000.0,
            }))
        }
        ReplyKind::Accepted => Some(json!({"accepted": true})),
        ReplyKind::Error { .. } => None,
    }
}

/// The rows that the text shows too: as data they must not say more than it does.
fn rows(result: &ResultSet, shown: u64, limits: ShownLimits) -> Vec<Vec<serde_json::Value>> {
    let room = usize::try_from(limits.bytes).unwrap_or(usize::MAX);
    let taken = result.rows.iter().take(usize::try_from(shown).unwrap_or(usize::MAX));
    taken
        .map(|row| if row.iter().map(Value::size).sum::<usize>() > room { cut(row) } else { plain(row) })
        .collect()
}

fn plain(row: &[Value]) -> Vec<serde_json::Value> {
    row.iter().map(|value| serde_json::to_value(value).unwrap_or_default()).collect()
}

/// A row that is longer than all that is shown: its long values are cut, as they are in the text.
fn cut(row: &[Value]) -> Vec<serde_json::Value> {
    let one = |value: &Value| {
        if value.size() <= LONG {
            return serde_json::to_value(value).unwrap_or_default();
        }
        let start: String = value.to_text().chars().take(CUT).collect();
        (start + "…").into()
    };
    row.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::rows;
    use crate::domain::trial_limits::ShownLimits;
    use crate::domain::{ResultSet, Value};

    fn result(rows: Vec<Vec<Value>>) -> ResultSet {
        ResultSet { columns: vec!["a".to_owned()], rows, changed_rows: 0, cut: None }
    }

    #[test]
    fn rows_are_typed_and_no_more_than_the_text_shows() {
        let three =
            result(vec![vec![Value::Integer(1)], vec![Value::Null], vec![Value::Text("x".to_owned())]]);
        let limits = ShownLimits { rows: 2, bytes: 1000 };
        assert_eq!(serde_json::to_string(&rows(&three, 2, limits)).unwrap(), "[[1],[null]]");
        let long = result(vec![vec![Value::Text("é".repeat(5000))]]);
        let shown = serde_json::to_string(&rows(&long, 1, limits)).unwrap();
        assert_eq!(shown, format!("[[\"{}…\"]]", "é".repeat(256)));
    }
}
