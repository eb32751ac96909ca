//! JSON Schemas of every file of an archive, as `docs/schema` publishes them.

use super::exchange::Exchange;
use super::ledger::LedgerLine;
use super::replay::ReplayReport;
use super::run_file::RunFile;
use super::verify::VerifyReport;
use crate::domain::trace::Event;
use crate::domain::trial::Answer;
use schemars::{JsonSchema, schema_for};
use serde_json::Value;

/// File names and schemas: of `run.json`, a line of a trace, a line of `trials.jsonl`, an answer, an exchange with a provider,
/// and of what `replay --check --json` and `verify --json` print.
pub fn schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("run.schema.json", schema::<RunFile>()),
        ("trace.schema.json", schema::<Event>()),
        ("trials.schema.json", schema::<LedgerLine>()),
        ("answer.schema.json", schema::<Answer>()),
        ("exchange.schema.json", schema::<Exchange>()),
        ("replay.schema.json", schema::<ReplayReport>()),
        ("verify.schema.json", schema::<VerifyReport>()),
    ]
}

fn schema<T: JsonSchema>() -> Value {
    schema_for!(T).to_value()
}
