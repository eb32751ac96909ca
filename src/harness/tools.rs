//! The tools: their names on the wire, what they are for, what they take. The same for an agent, a person and a script.

use crate::domain::trial::{Answer, ToolSet, Verdict};
use serde_json::{Map, Value, json};

/// A tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// The tables of the environment.
    GetSchema,
    /// One statement.
    RunQuery,
    /// The answer.
    SubmitAnswer,
}

/// A tool as it is offered.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDefinition {
    /// The tool.
    pub tool: Tool,
    /// Its name on the wire.
    pub name: &'static str,
    /// What it is for.
    pub description: &'static str,
    /// JSON Schema of its arguments.
    pub arguments: Value,
}

impl Tool {
    /// The tool of this name. The benchmark's paper writes hyphens; both spellings are taken.
    pub fn of_name(name: &str, tools: ToolSet) -> Option<Self> {
        match name.replace('-', "_").as_str() {
            "get_schema" => Some(Self::GetSchema),
            "run_query" => Some(Self::RunQuery),
            "submit_answer" if tools == ToolSet::Three => Some(Self::SubmitAnswer),
            _ => None,
        }
    }

    /// Its name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::GetSchema => "get_schema",
            Self::RunQuery => "run_query",
            Self::SubmitAnswer => "submit_answer",
        }
    }
}

/// The tools of a set.
pub fn definitions(tools: ToolSet) -> Vec<ToolDefinition> {
    let define = |tool: Tool, description, arguments| ToolDefinition {
        tool,
        name: tool.name(),
        description,
        arguments,
    };
    let mut all = vec![
        define(
            Tool::GetSchema,
            "The tables of the environment with a short description, row count and column names; the SQL dialect, today's \
             date and the company's mail domains.",
            json!({"type": "object", "properties": {}, "additionalProperties": false}),
        ),
        define(
            Tool::RunQuery,
            "Runs one SQL statement on your private copy and returns its rows: a line of column names, then a line a row, \
             tab-separated; NULL is \\N. At most 200 rows and 16 KiB are shown.",
            json!({
                "type": "object",
                "properties": {"sql": {"type": "string", "description": "One SQL statement (SQLite)."}},
                "required": ["sql"],
                "additionalProperties": false,
            }),
        ),
    ];
    if tools == ToolSet::Three {
        all.push(define(
            Tool::SubmitAnswer,
            "Gives your answer and ends the work.",
            json!({
                "type": "object",
                "properties": {
                    "verdict": {"enum": ["yes", "no", "not_applicable"], "description": "Where the question has a yes or no."},
                    "subjects": {"type": "array", "items": {"type": "string"}, "description": "Everything the question asks for, by what identifies it."},
                    "facts": {"type": "object", "description": "Facts by name, such as counts and dates."},
                    "answer": {"type": "string", "description": "The answer in words, with how you found it."},
                },
                "required": ["answer"],
                "additionalProperties": false,
            }),
        ));
    }
    all
}

/// A call longer than this can't be recorded in one line.
const MAX_BYTES: usize = 4 << 20;
/// Arguments nested deeper than this could not be read again: they stand a few levels deep in their event.
const MAX_DEPTH: usize = 64;

/// Whether a call can be recorded, and read again.
pub(super) fn fit(name: &str, arguments: &Value) -> Result<(), String> {
    if depth(arguments) > MAX_DEPTH {
        return Err(format!("the arguments are nested more than {MAX_DEPTH} deep"));
    }
    if name.len() + arguments.to_string().len() > MAX_BYTES {
        return Err(format!("the call is longer than {} MiB", MAX_BYTES >> 20));
    }
    Ok(())
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(map) => 1 + map.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// The arguments as an object; a text that holds one is taken for it.
fn object(arguments: &Value) -> Result<Map<String, Value>, String> {
    match arguments {
        Value::Null => Ok(Map::new()),
        Value::Object(map) => Ok(map.clone()),
        Value::String(text) => match serde_json::from_str(text) {
            Ok(Value::Object(map)) => Ok(map),
            _ => Err("the arguments are a text that holds no JSON object".to_owned()),
        },
        _ => Err("the arguments must be a JSON object".to_owned()),
    }
}

/// The statement of `run_query`.
pub(super) fn statement(arguments: &Value) -> Result<String, String> {
    match object(arguments)?.get("sql") {
        Some(Value::String(sql)) => Ok(sql.clone()),
        Some(_) => Err("run_query: `sql` must be a text".to_owned()),
        None => Err("run_query needs `sql`: one statement".to_owned()),
    }
}

/// The answer of `submit_answer`.
pub(super) fn answer(arguments: &Value) -> Result<Answer, String> {
    let map = object(arguments)?;
    for name in map.keys() {
        if !["verdict", "subjects", "facts", "answer"].contains(&name.as_str()) {
            return Err(format!(
                "submit_answer has no `{name}`; it takes verdict, subjects, facts and answer"
            ));
        }
    }
    let given = |name: &str| map.get(name).filter(|value| !value.is_null());
    let verdict = match given("verdict") {
        None => None,
        Some(value) => Some(verdict(value).ok_or("submit_answer: `verdict` is yes, no or not_applicable")?),
    };
    let subjects = match given("subjects") {
        None => None,
        Some(Value::Array(items)) => {
            let one = |item: &Value| match item {
                Value::String(text) => Some(text.clone()),
                Value::Number(number) => Some(number.to_string()),
                _ => None,
            };
            let list: Option<Vec<String>> = items.iter().map(one).collect();
            Some(list.ok_or("submit_answer: `subjects` is a list of texts")?)
        }
        Some(_) => return Err("submit_answer: `subjects` is a list of texts".to_owned()),
    };
    let facts = match given("facts") {
        None => None,
        Some(Value::Object(facts)) => {
            Some(facts.iter().map(|(name, value)| (name.clone(), value.clone())).collect())
        }
        Some(_) => return Err("submit_answer: `facts` is an object of names and values".to_owned()),
    };
    let answer = match given("answer") {
        Some(Value::String(text)) => text.clone(),
        Some(_) => return Err("submit_answer: `answer` must be a text".to_owned()),
        None => return Err("submit_answer needs `answer`: the answer in words".to_owned()),
    };
    Ok(Answer { verdict, subjects, facts, answer })
}

fn verdict(value: &Value) -> Option<Verdict> {
    match value {
        Value::Bool(true) => Some(Verdict::Yes),
        Value::Bool(false) => Some(Verdict::No),
        Value::String(text) => {
            match text.trim().to_ascii_lowercase().replace(['-', ' ', '/'], "_").as_str() {
                "yes" | "true" => Some(Verdict::Yes),
                "no" | "false" => Some(Verdict::No),
                "not_applicable" | "n_a" | "na" => Some(Verdict::NotApplicable),
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Tool, answer, definitions, statement};
    use crate::domain::trial::{ToolSet, Verdict};
    use serde_json::json;

    #[test]
    fn both_spellings_and_the_paper_s_two() {
        for name in ["run_query", "run-query"] {
            assert_eq!(Tool::of_name(name, ToolSet::Two), Some(Tool::RunQuery));
        }
        assert_eq!(Tool::of_name("submit-answer", ToolSet::Three), Some(Tool::SubmitAnswer));
        assert_eq!(Tool::of_name("submit_answer", ToolSet::Two), None);
        assert_eq!(definitions(ToolSet::Two).len(), 2);
        assert_eq!(definitions(ToolSet::Three).len(), 3);
    }

    #[test]
    fn arguments_are_taken_as_meant_or_refused_by_name() {
        assert_eq!(statement(&json!({"sql": "SELECT 1"})).unwrap(), "SELECT 1");
        assert_eq!(statement(&json!("{\"sql\": \"SELECT 1\"}")).unwrap(), "SELECT 1");
        assert!(statement(&json!({"query": "SELECT 1"})).unwrap_err().contains("needs `sql`"));
        let full =
            answer(&json!({"verdict": "Yes", "subjects": ["a", 7], "facts": {"n": 2}, "answer": "two"}))
                .unwrap();
        assert_eq!(full.verdict, Some(Verdict::Yes));
        assert_eq!(full.subjects.unwrap(), ["a", "7"]);
        assert_eq!(answer(&json!({"answer": "none", "subjects": []})).unwrap().subjects, Some(Vec::new()));
        for (wrong, says) in [
            (json!({}), "needs `answer`"),
            (json!({"answer": "x", "verdict": "maybe"}), "`verdict` is"),
            (json!({"answer": "x", "subjects": "a"}), "`subjects` is"),
            (json!({"answer": "x", "facts": []}), "`facts` is"),
            (json!({"answer": "x", "subject": []}), "has no `subject`"),
            (json!([1]), "must be a JSON object"),
        ] {
            assert!(answer(&wrong).unwrap_err().contains(says), "{wrong}");
        }
    }
}
