//! A script: tool calls and words in a file of JSON lines, for tests, demonstrations and regression (`docs/agents.md`).
//!
//! A line with `for` says which trials the lines behind it are for, up to the next such line; before the first they are for
//! all. Every other line is one thing that happens.

use crate::archive::ActorRecord;
use crate::domain::trace::Usage;
use crate::domain::trial::{ActorKind, TrialName};
use crate::harness::{Actor, Over, StepWords, Trial};
use serde::Deserialize;
use std::collections::BTreeMap;

/// One line of a script.
#[derive(Debug, Clone, PartialEq)]
pub enum ScriptLine {
    /// Whom the next lines are for.
    For(ScriptTarget),
    /// A call.
    Call {
        /// The tool.
        tool: String,
        /// Its arguments.
        arguments: serde_json::Value,
    },
    /// A step of a model: what it says before it calls.
    Say {
        /// The words.
        say: String,
        /// The model.
        model: Option<String>,
        /// What it took.
        usage: Option<Usage>,
    },
    /// Thinking that belongs to the step before.
    Think(String),
    /// A remark.
    Note(String),
    /// A final message, which is the answer.
    Final(String),
    /// The actor fails.
    Fail(String),
}

/// A line as it is written: every entry that any step has.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLine {
    r#for: Option<ScriptTarget>,
    tool: Option<String>,
    arguments: Option<serde_json::Value>,
    say: Option<String>,
    model: Option<String>,
    usage: Option<Usage>,
    think: Option<String>,
    note: Option<String>,
    r#final: Option<String>,
    fail: Option<String>,
}

impl TryFrom<WrittenLine> for ScriptLine {
    type Error = &'static str;

    fn try_from(line: WrittenLine) -> Result<Self, Self::Error> {
        const ONE: &str = "a line is one step: for, tool, say, think, note, final or fail";
        if line.arguments.is_some() && line.tool.is_none() {
            return Err("`arguments` belong to a `tool`");
        }
        if (line.model.is_some() || line.usage.is_some()) && line.say.is_none() {
            return Err("`model` and `usage` belong to a `say`");
        }
        let (arguments, model, usage) = (line.arguments.unwrap_or_default(), line.model, line.usage);
        let mut steps = [
            line.r#for.map(Self::For),
            line.tool.map(|tool| Self::Call { tool, arguments }),
            line.say.map(|say| Self::Say { say, model, usage }),
            line.think.map(Self::Think),
            line.note.map(Self::Note),
            line.r#final.map(Self::Final),
            line.fail.map(Self::Fail),
        ]
        .into_iter()
        .flatten();
        match (steps.next(), steps.next()) {
            (Some(step), None) => Ok(step),
            _ => Err(ONE),
        }
    }
}

/// Which trials lines are for: what is absent fits all.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptTarget {
    /// The pack.
    #[serde(default)]
    pub pack: Option<String>,
    /// The task.
    #[serde(default)]
    pub task: Option<String>,
    /// The number of the attempt.
    #[serde(default)]
    pub trial: Option<u32>,
    /// The first digits of the revision.
    #[serde(default)]
    pub revision: Option<String>,
}

/// Lines for some trials.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptPart {
    /// Whom they are for.
    pub target: ScriptTarget,
    /// What happens.
    pub lines: Vec<ScriptLine>,
}

/// A script as an actor.
#[derive(Debug, Clone, PartialEq)]
pub struct Script {
    /// What is kept of it with the run.
    pub actor: ActorRecord,
    /// Its parts, in order; the first that fits a trial is for it.
    pub parts: Vec<ScriptPart>,
}

/// A line is no line of a script.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the script is none: {reason}; docs/agents.md shows the form")]
pub struct ScriptError {
    /// Line, from 1.
    pub line: usize,
    /// Why.
    pub reason: String,
}

impl ScriptTarget {
    /// Whether a trial is meant.
    pub fn fits(&self, name: &TrialName) -> bool {
        let is = |wanted: &Option<String>, given: &str| {
            wanted.as_ref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(given))
        };
        is(&self.pack, &name.pack)
            && is(&self.task, &name.task)
            && self.trial.is_none_or(|number| number == name.number)
            && self
                .revision
                .as_ref()
                .is_none_or(|it| name.revision.to_string().starts_with(&it.to_lowercase()))
    }
}

impl Script {
    /// Reads a script. `name` is what it is called in the run.
    ///
    /// # Errors
    /// [`ScriptError`]: the first line that is none.
    pub fn parse(name: &str, text: &str, sha256: &str) -> Result<Self, ScriptError> {
        let mut parts = vec![ScriptPart { target: ScriptTarget::default(), lines: Vec::new() }];
        for (nth, line) in (1..).zip(text.lines()) {
            if line.trim().is_empty() {
                continue;
            }
            let wrong = |reason: String| ScriptError { line: nth, reason };
            let line: WrittenLine = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
            let line = ScriptLine::try_from(line).map_err(|reason| wrong(reason.to_owned()))?;
            match line {
                ScriptLine::For(target) => parts.push(ScriptPart { target, lines: Vec::new() }),
                line => {
                    if let Some(part) = parts.last_mut() {
                        part.lines.push(line);
                    }
                }
            }
        }
        if parts[0].lines.is_empty() && parts.len() > 1 {
            parts.remove(0);
        }
        let settings = BTreeMap::from([("script_sha256".to_owned(), sha256.into())]);
        let actor = ActorRecord { kind: ActorKind::Script, name: name.to_owned(), confined: true, settings };
        Ok(Self { actor, parts })
    }

    fn part(&self, name: &TrialName) -> Option<&ScriptPart> {
        self.parts.iter().find(|part| part.target.fits(name))
    }
}

impl Actor for Script {
    fn record(&self) -> ActorRecord {
        self.actor.clone()
    }

    fn reads_prompts(&self) -> bool {
        // Words of a model make no sense without what it was told.
        self.parts.iter().flat_map(|part| &part.lines).any(|line| matches!(line, ScriptLine::Say { .. }))
    }

    fn attempt(&self, trial: &mut Trial<'_>) -> Result<(), Over> {
        let Some(part) = self.part(&trial.setup().name) else {
            return trial.fail("the script has no lines for this trial");
        };
        for line in &part.lines {
            match line {
                ScriptLine::For(_) => {}
                ScriptLine::Call { tool, arguments } => {
                    trial.call(tool, arguments)?;
                }
                ScriptLine::Say { say, model, usage } => trial.step(&StepWords {
                    model: model.clone(),
                    text: say.clone(),
                    usage: *usage,
                    ..StepWords::default()
                })?,
                ScriptLine::Think(think) => trial.reasoning(think, false)?,
                ScriptLine::Note(note) => trial.note(note)?,
                ScriptLine::Final(words) => trial.final_message(words)?,
                ScriptLine::Fail(reason) => trial.fail(reason)?,
            }
            if trial.ending().is_some() {
                break;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Script, ScriptLine};

    #[test]
    fn parts_are_for_whom_they_say() {
        let text = r#"
{"for": {"task": "V-1", "trial": 2}}
{"tool": "get_schema"}
{"for": {}}
{"say": "hm", "usage": {"input": 3}}
{"final": "no"}
"#;
        let script = Script::parse("s", text, "").unwrap();
        assert_eq!(script.parts.len(), 2);
        assert_eq!(script.parts[0].target.trial, Some(2));
        assert!(matches!(&script.parts[1].lines[1], ScriptLine::Final(words) if words == "no"));
    }

    #[test]
    fn a_mistake_is_named_with_its_line() {
        for (text, says) in [
            ("{\"tool\": \"a\"}\n{", "line 2 of the script is none: EOF"),
            ("{\"speak\": 1}", "unknown field `speak`, expected one of `for`, `tool`"),
            ("[]", "line 1"),
            ("{}", "a line is one step"),
            ("{\"say\": \"a\", \"note\": \"b\"}", "a line is one step"),
            ("{\"tool\": \"a\", \"args\": {}}", "unknown field `args`"),
            ("{\"note\": \"a\", \"arguments\": {}}", "`arguments` belong to a `tool`"),
            ("{\"for\": {\"trail\": 1}}", "unknown field `trail`"),
            ("{\"say\": \"a\", \"usage\": {\"inputs\": 1}}", "unknown field `inputs`"),
            ("{\"say\": \"a\", \"usage\": {\"input\": -1}}", "invalid value"),
        ] {
            let error = Script::parse("s", text, "").unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}
