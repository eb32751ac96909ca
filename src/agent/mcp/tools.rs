//! The tools as the protocol lists them, with schemas of what they take and what they give.

use crate::domain::trial::ToolSet;
use crate::harness::{Tool, ToolDefinition, definitions};
use rmcp::model::{JsonObject, Tool as McpTool, ToolAnnotations};
use serde_json::{Value, json};
use std::sync::Arc;

/// The tools of a set. With two tools results are plain text, as in the benchmark's paper.
pub(super) fn tools(set: ToolSet) -> Vec<McpTool> {
    definitions(set).iter().map(|definition| tool(definition, set)).collect()
}

/// The tool of this name, in either spelling.
pub(super) fn tool_of_name(name: &str, set: ToolSet) -> Option<McpTool> {
    let wanted = Tool::of_name(name, set)?;
    definitions(set).iter().find(|it| it.tool == wanted).map(|definition| tool(definition, set))
}

fn tool(definition: &ToolDefinition, set: ToolSet) -> McpTool {
    let (title, hints) = match definition.tool {
        Tool::GetSchema => ("Schema", ToolAnnotations::new().read_only(true)),
        Tool::RunQuery => ("Query", ToolAnnotations::new().read_only(false).destructive(false)),
        Tool::SubmitAnswer => ("Answer", ToolAnnotations::new().read_only(false).destructive(false)),
    };
    let tool = McpTool::new(definition.name, definition.description, object(definition.arguments.clone()))
        .with_title(title)
        .with_annotations(hints.open_world(false));
    match set {
        ToolSet::Three => tool.with_raw_output_schema(object(output(definition.tool))),
        ToolSet::Two => tool,
    }
}

fn object(value: Value) -> Arc<JsonObject> {
    match value {
        Value::Object(map) => Arc::new(map),
        _ => Arc::new(JsonObject::new()),
    }
}

/// What the structured result of a tool looks like.
fn output(tool: Tool) -> Value {
    let text = json!({"type": "string"});
    let texts = json!({"type": "array", "items": text});
    match tool {
        Tool::GetSchema => json!({
            "type": "object",
            "properties": {
                "organisation": text,
                "dialect": {"type": "string", "description": "The SQL dialect."},
                "release_date": {"type": "string", "description": "Today in this environment."},
                "company_domains": texts,
                "tables": {"type": "array", "items": {
                    "type": "object",
                    "properties": {
                        "name": text, "description": text, "rows": {"type": "integer"}, "columns": texts,
                    },
                    "required": ["name", "description", "rows", "columns"],
                }},
            },
            "required": ["organisation", "dialect", "release_date", "company_domains", "tables"],
        }),
        Tool::RunQuery => json!({
            "type": "object",
            "properties": {
                "columns": texts,
                "rows": {
                    "type": "array",
                    "items": {"type": "array"},
                    "description": "The rows that are shown: numbers, texts, null; {\"blob\": hex}, {\"real\": \"Inf\"}, \
                        {\"invalid_text\": hex} where JSON has no word.",
                },
                "row_count": {"type": "integer", "description": "Rows of the result."},
                "truncated": {"type": "boolean", "description": "Whether there are more rows than are shown."},
                "changed_rows": {"type": "integer", "description": "Rows that the statement changed in the private copy."},
                "result_sha256": {"type": "string", "description": "SHA-256 of the full result in its canonical form."},
                "elapsed_ms": {"type": "number"},
            },
            "required": ["columns", "rows", "row_count", "truncated", "changed_rows", "result_sha256", "elapsed_ms"],
        }),
        Tool::SubmitAnswer => json!({
            "type": "object",
            "properties": {"accepted": {"type": "boolean"}},
            "required": ["accepted"],
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::{tool_of_name, tools};
    use crate::domain::trial::ToolSet;

    #[test]
    fn three_tools_say_what_they_give_and_two_give_text() {
        let three = tools(ToolSet::Three);
        assert_eq!(
            three.iter().map(|it| it.name.as_ref()).collect::<Vec<_>>(),
            ["get_schema", "run_query", "submit_answer"]
        );
        assert!(three.iter().all(|it| it.output_schema.is_some() && it.input_schema["type"] == "object"));
        assert!(tools(ToolSet::Two).iter().all(|it| it.output_schema.is_none()));
        assert_eq!(tool_of_name("run-query", ToolSet::Two).unwrap().name, "run_query");
        assert!(tool_of_name("submit-answer", ToolSet::Two).is_none());
    }
}
