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
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum ScriptLine {
    /// Whom the next lines are for.
    For {
        /// The trials.
        r#for: ScriptTarget,
    },
    /// A call.
    Call {
        /// The tool.
        tool: String,
        /// Its arguments.
        #[serde(default)]
        arguments: serde_json::Value,
    },
    /// A step of a model: what it says before it calls.
    Say {
        /// The words.
        say: String,
        /// The model.
        #[serde(default)]
        model: Option<String>,
        /// What it took.
        #[serde(default)]
        usage: Option<Usage>,
    },
    /// Thinking that belongs to the step before.
    Think {
        /// The words.
        think: String,
    },
    /// A remark.
    Note {
        /// The words.
        note: String,
    },
    /// A final message, which is the answer.
    Final {
        /// The words.
        r#final: String,
    },
    /// The actor fails.
    Fail {
        /// Why.
        fail: String,
    },
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
            // A mistake in a line is told by the field that is wrong, not by the list of all forms.
            let line: ScriptLine = serde_json::from_str(line)
                .map_err(|error| ScriptError { line: nth, reason: reason(line, &error) })?;
            match line {
                ScriptLine::For { r#for } => parts.push(ScriptPart { target: r#for, lines: Vec::new() }),
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

fn reason(line: &str, error: &serde_json::Error) -> String {
    match serde_json::from_str::<serde_json::Value>(line) {
        Err(error) => format!("it is no JSON: {error}"),
        Ok(serde_json::Value::Object(map)) if !map.is_empty() => {
            let names: Vec<&str> = map.keys().map(String::as_str).collect();
            format!(
                "an object of {} is no step; a step is for, tool, say, think, note, final or fail",
                names.join(", ")
            )
        }
        Ok(_) => error.to_string(),
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
                ScriptLine::For { .. } => {}
                ScriptLine::Call { tool, arguments } => {
                    trial.call(tool, arguments)?;
                }
                ScriptLine::Say { say, model, usage } => trial.step(&StepWords {
                    model: model.clone(),
                    text: say.clone(),
                    usage: *usage,
                    ..StepWords::default()
                })?,
                ScriptLine::Think { think } => trial.reasoning(think, false)?,
                ScriptLine::Note { note } => trial.note(note)?,
                ScriptLine::Final { r#final } => trial.final_message(r#final)?,
                ScriptLine::Fail { fail } => trial.fail(fail)?,
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
        assert!(matches!(&script.parts[1].lines[1], ScriptLine::Final { r#final } if r#final == "no"));
    }

    #[test]
    fn a_mistake_is_named_with_its_line() {
        for (text, says) in [
            ("{\"tool\": \"a\"}\n{", "line 2 of the script is none: it is no JSON"),
            ("{\"speak\": 1}", "an object of speak is no step"),
            ("[]", "line 1"),
            ("{\"tool\": \"a\", \"args\": {}}", "args, tool is no step"),
        ] {
            let error = Script::parse("s", text, "").unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}
