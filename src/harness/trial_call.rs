//! Calls of tools: recorded before they are made, answered from the private copy, recorded again with what came.

use super::result_table::result_table;
use super::tools::{self, Tool};
use super::{Over, Trial};
use crate::domain::ResultSet;
use crate::domain::trace::{EventBody, ResultRecord, ToolCall, ToolError, ToolErrorKind, ToolResult};
use crate::domain::trial::{Ending, LimitKind, ToolSet};
use crate::domain::{Rule, StatementAnalysis};
use crate::query::{QueryError, analyze};
use serde_json::{Value, json};
use std::time::Duration;

/// What a call gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The call's name in the trial.
    pub id: String,
    /// What an agent is shown.
    pub text: String,
    /// What it is.
    pub kind: ReplyKind,
}

/// The kinds of replies.
#[derive(Debug, Clone, PartialEq)]
pub enum ReplyKind {
    /// The schema document.
    Schema,
    /// A result.
    Result {
        /// The rows, up to the limits of the statement.
        result: ResultSet,
        /// What the archive keeps of it.
        record: ResultRecord,
        /// How long it took.
        elapsed: Duration,
    },
    /// The answer was taken: the trial is over.
    Accepted,
    /// An error that the actor can act on.
    Error {
        /// Why.
        kind: ToolErrorKind,
        /// The rule that refused it.
        rule: Option<Rule>,
        /// Where in the statement, in bytes, if SQLite says.
        offset: Option<usize>,
    },
}

impl Reply {
    /// Whether it is an error.
    pub const fn is_error(&self) -> bool {
        matches!(self.kind, ReplyKind::Error { .. })
    }
}

impl Trial<'_> {
    /// Calls a tool.
    ///
    /// # Errors
    /// [`Over`]. What the actor can act on is a reply.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Result<Reply, Over> {
        self.make_call(None, tool, arguments, false)
    }

    /// Calls a tool under the name that a model gave the call.
    ///
    /// # Errors
    /// [`Over`].
    pub fn call_as(&mut self, id: &str, tool: &str, arguments: &Value) -> Result<Reply, Over> {
        self.make_call(Some(id), tool, arguments, false)
    }

    /// Runs a statement for the interface: recorded, and left out of query counts and limits.
    ///
    /// # Errors
    /// [`Over`].
    pub fn look(&mut self, sql: &str) -> Result<Reply, Over> {
        self.make_call(None, Tool::RunQuery.name(), &json!({"sql": sql}), true)
    }

    fn make_call(
        &mut self,
        id: Option<&str>,
        name: &str,
        arguments: &Value,
        ui: bool,
    ) -> Result<Reply, Over> {
        self.go_on()?;
        if let Some(most) = self.setup.limits.tool_calls
            && !ui
            && self.counts.tool_calls >= most
        {
            #[allow(clippy::cast_precision_loss)] // a limit is far below 2^53
            return Err(self.limit(LimitKind::ToolCalls, most as f64));
        }
        if let Err(reason) = tools::fit(name, arguments) {
            return self.unfit(id, name, reason, ui);
        }
        let tool = Tool::of_name(name, self.setup.tools);
        let sql = match tool {
            Some(Tool::RunQuery) => Some(tools::statement(arguments)),
            _ => None,
        };
        let statement = matches!(sql, Some(Ok(_))).then_some(self.statements + 1);
        self.calls += 1;
        let id = id.map_or_else(|| format!("call_{}", self.calls), str::to_owned);
        let (arguments_kept, secret_removed) = self.without_secrets(arguments);
        let call = ToolCall {
            id: id.clone(),
            tool: name.to_owned(),
            arguments: arguments_kept,
            statement,
            ui,
            secret_removed,
        };
        let parent = self.record(self.current_step(), EventBody::ToolCall(call))?;
        if !ui {
            self.counts.tool_calls += 1;
        }
        let made = Made { id, parent, ui };
        match (tool, sql) {
            (Some(Tool::GetSchema), _) => self.schema(made),
            (Some(Tool::RunQuery), Some(Ok(sql))) => {
                self.statements += 1;
                if !ui {
                    self.counts.queries += 1;
                }
                self.query(made, &sql)
            }
            (Some(Tool::RunQuery), Some(Err(reason))) => self.bad_arguments(made, reason),
            (Some(Tool::SubmitAnswer), _) => match tools::answer(arguments) {
                Ok(answer) => {
                    self.take_answer(Some(made.parent), &answer)?;
                    let text = "accepted; the work is over".to_owned();
                    self.answered(made, text, None, None, ReplyKind::Accepted)
                }
                Err(reason) => self.bad_arguments(made, reason),
            },
            _ => {
                let known = match self.setup.tools {
                    ToolSet::Three => "get_schema, run_query and submit_answer",
                    ToolSet::Two => "get_schema and run_query; your final message is your answer",
                };
                let shown: String = name.chars().take(80).collect();
                let text = format!("there is no tool '{shown}'; there are {known}");
                self.refused(made, ToolErrorKind::UnknownTool, None, None, text, None)
            }
        }
    }

    /// A call that can't be recorded as it is: it is recorded without its arguments.
    fn unfit(&mut self, id: Option<&str>, name: &str, reason: String, ui: bool) -> Result<Reply, Over> {
        self.calls += 1;
        let id = id.map_or_else(|| format!("call_{}", self.calls), str::to_owned);
        let call = ToolCall {
            id: id.clone(),
            tool: name.chars().take(80).collect(),
            arguments: Value::Null,
            statement: None,
            ui,
            secret_removed: false,
        };
        let parent = self.record(self.current_step(), EventBody::ToolCall(call))?;
        if !ui {
            self.counts.tool_calls += 1;
        }
        self.bad_arguments(Made { id, parent, ui }, reason)
    }

    fn without_secrets(&self, arguments: &Value) -> (Value, bool) {
        let clean = self.run_secrets().remove_from(arguments.clone());
        let removed = clean != *arguments;
        (clean, removed)
    }

    fn schema(&mut self, made: Made) -> Result<Reply, Over> {
        let text = self.setup.snapshot.schema_text().to_owned();
        self.answered(made, text, None, None, ReplyKind::Schema)
    }

    fn query(&mut self, made: Made, sql: &str) -> Result<Reply, Over> {
        let limits = self.statement_limits();
        // Before it runs: afterwards its tables may be gone. What is refused here is refused there in the same words.
        let analysis = analyze(self.engine.as_mut(), sql).ok();
        let outcome = self.engine.run(self.statements, sql, &limits);
        self.note_engine()?;
        match outcome {
            Ok(answer) => {
                let wrote = answer.result.changed_rows > 0
                    || analysis
                        .as_ref()
                        .is_none_or(|it| it.kind != crate::domain::StatementKind::Select && !it.explain);
                let (canonical, secret_removed) = self.writer.result(&answer.result)?;
                let record = ResultRecord {
                    sha256: canonical.sha256,
                    unordered_sha256: canonical.unordered_sha256,
                    rows: answer.result.rows.len() as u64,
                    changed_rows: answer.result.changed_rows,
                    truncated: answer.result.cut,
                    secret_removed,
                    wrote,
                };
                let text = result_table(&answer.result, self.setup.limits.shown).text;
                let elapsed = self.setup.clock.elapsed(answer.elapsed);
                let kept = Some((record.clone(), elapsed));
                let kind = ReplyKind::Result { result: answer.result, record, elapsed };
                self.answered(made, text, kept, analysis, kind)
            }
            Err(error) => self.query_failed(made, &error),
        }
    }

    fn query_failed(&mut self, made: Made, error: &QueryError) -> Result<Reply, Over> {
        let text = error.to_string();
        let (kind, offset, elapsed) = match error {
            QueryError::Refused { .. } => (ToolErrorKind::Refused, None, None),
            QueryError::Sql { offset, .. } => (ToolErrorKind::Sql, *offset, None),
            QueryError::Limit { elapsed, .. } => (ToolErrorKind::Limit, None, Some(*elapsed)),
            QueryError::Interrupted { elapsed, .. } => (ToolErrorKind::Cancelled, None, Some(*elapsed)),
            QueryError::Engine { .. } => (ToolErrorKind::Engine, None, None),
        };
        let reply = self.refused(made, kind, error.rule(), offset, text, elapsed)?;
        if kind == ToolErrorKind::Cancelled && self.setup.cancel.is_stopped() {
            self.stop(Ending::Interrupted);
            return Err(Over::Ended(Ending::Interrupted));
        }
        Ok(reply)
    }

    fn bad_arguments(&mut self, made: Made, reason: String) -> Result<Reply, Over> {
        self.refused(made, ToolErrorKind::BadArguments, None, None, reason, None)
    }

    /// Records a result and gives it.
    fn answered(
        &mut self,
        made: Made,
        text: String,
        kept: Option<(ResultRecord, Duration)>,
        analysis: Option<StatementAnalysis>,
        kind: ReplyKind,
    ) -> Result<Reply, Over> {
        let (result, elapsed) = kept.unzip();
        let body = ToolResult {
            id: made.id.clone(),
            text: self.writer.text(&text)?,
            result,
            analysis,
            elapsed_us: elapsed.map(micros),
        };
        self.record(Some(made.parent), EventBody::ToolResult(body))?;
        Ok(Reply { id: made.id, text, kind })
    }

    /// Records an error and gives it.
    fn refused(
        &mut self,
        made: Made,
        kind: ToolErrorKind,
        rule: Option<Rule>,
        offset: Option<usize>,
        text: String,
        elapsed: Option<Duration>,
    ) -> Result<Reply, Over> {
        let elapsed_us = elapsed.map(|elapsed| micros(self.setup.clock.elapsed(elapsed)));
        let body =
            ToolError { id: made.id.clone(), error: kind, rule, text: self.writer.text(&text)?, elapsed_us };
        self.record(Some(made.parent), EventBody::ToolError(body))?;
        if !made.ui {
            self.counts.errors += 1;
        }
        Ok(Reply { id: made.id, text, kind: ReplyKind::Error { kind, rule, offset } })
    }
}

/// A call that was recorded.
struct Made {
    id: String,
    parent: u64,
    ui: bool,
}

fn micros(elapsed: Duration) -> u64 {
    u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX)
}
