//! What was done in a run of a person, as Markdown: question, statements with their first rows, answer. Made from the evidence.

use super::own_trials::RUNS;
use super::take_out::written;
use crate::archive::{Archive, parse_result};
use crate::domain::Value;
use crate::domain::trace::EventBody;
use crate::text::result_text::{TextFormat, to_string};
use crate::text::visible::visible;
use crate::workbench::reply::Reply;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

/// Rows of each result that are shown.
const ROWS: usize = 10;

pub(super) fn write(data_folder: Option<&Path>, run: &str, path: &str, replace: bool) -> Reply {
    let Some(data_folder) = data_folder else { return Reply::Failed("there is no data folder".to_owned()) };
    match report(&data_folder.join(RUNS).join(run)) {
        Ok(text) => {
            written(path, replace, format!("the report is in {path}"), |file| file.write_all(text.as_bytes()))
        }
        Err(reason) => Reply::Failed(format!("the report can't be made: {reason}")),
    }
}

// Writing to a String can't fail: what `write!` gives is left.
fn report(folder: &Path) -> Result<String, String> {
    let archive = Archive::open(folder).map_err(|error| error.to_string())?;
    let trial = archive.trials.first().ok_or("nothing was done in it yet")?;
    let mut text = String::new();
    let _ = writeln!(text, "# {}\n", visible(&trial.name.task));
    let mut statements: HashMap<String, String> = HashMap::new();
    let mut number = 0;
    for trace in archive.traces(trial).map_err(|error| error.to_string())? {
        for event in trace.events().map_err(|error| error.to_string())? {
            match event.body {
                EventBody::Brief(brief) if brief.segment == 1 => {
                    if let Some(question) = &brief.question {
                        let _ = writeln!(text, "{}\n", visible(question));
                    }
                    let revision = archive.run.revisions.first();
                    let snapshot = revision.map_or("", |it| it.name.as_str());
                    let _ = writeln!(
                        text,
                        "Snapshot {} (`{}`), begun {}, run `{}`.\n",
                        visible(snapshot),
                        trial.name.revision.short(),
                        brief.started,
                        visible(&archive.run.run)
                    );
                }
                EventBody::ToolCall(call) if call.statement.is_some() && !call.ui => {
                    let sql =
                        call.arguments.get("sql").and_then(serde_json::Value::as_str).unwrap_or_default();
                    statements.insert(call.id, sql.to_owned());
                }
                EventBody::ToolResult(result) => {
                    let Some(sql) = statements.remove(&result.id) else { continue };
                    number += 1;
                    head(&mut text, number, &sql);
                    if let Some(record) = &result.result {
                        let bytes = archive.blobs().get(&record.sha256).map_err(|error| error.to_string())?;
                        let (columns, rows) = parse_result(&bytes)?;
                        let shown: Vec<&[Value]> = rows.iter().take(ROWS).map(Vec::as_slice).collect();
                        text.push_str(&to_string(TextFormat::Markdown, &columns, shown));
                        let more = rows.len().saturating_sub(ROWS);
                        let rest =
                            if more > 0 { format!(", {more} of them not shown") } else { String::new() };
                        let _ =
                            writeln!(text, "\n{} rows{rest}; SHA-256 `{}`.\n", record.rows, record.sha256);
                    }
                }
                EventBody::ToolError(error) => {
                    let Some(sql) = statements.remove(&error.id) else { continue };
                    number += 1;
                    head(&mut text, number, &sql);
                    let words = archive.blobs().words(&error.text).map_err(|error| error.to_string())?;
                    let _ = writeln!(text, "It failed: {}\n", visible(&words));
                }
                _ => {}
            }
        }
    }
    if let Some(answer) = archive.answer(&trial.name).map_err(|error| error.to_string())? {
        let _ = writeln!(text, "## Answer\n");
        if let Some(verdict) = answer.verdict {
            let _ = writeln!(text, "Verdict: {}.\n", verdict.name());
        }
        for subject in answer.subjects.iter().flatten() {
            let _ = writeln!(text, "* {}", visible(subject));
        }
        for (name, value) in answer.facts.iter().flatten() {
            let _ = writeln!(text, "* {}: {}", visible(name), visible(&value.to_string()));
        }
        let words: Vec<_> = answer.answer.lines().map(visible).collect();
        let _ = writeln!(text, "\n{}\n", words.join("\n"));
    }
    let _ = writeln!(
        text,
        "Every statement can be repeated: `casebook replay {} --check`.",
        visible(&archive.run.run)
    );
    Ok(text)
}

fn head(text: &mut String, number: u32, sql: &str) {
    // A fence longer than any in the statement.
    let longest = sql.split(|it| it != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let _ = writeln!(text, "## Statement {number}\n\n{fence}sql\n{}\n{fence}\n", sql.trim());
}
