//! What an actor is told: the system prompt and the brief, from the pack's files.

use crate::domain::TaskBrief;
use crate::domain::trial::ToolSet;
use crate::pack::Pack;

/// What stands in place of the line on `submit_answer` where there is no such tool.
const FINAL_MESSAGE: &str =
    "* There is no tool to answer with: your final message, without a tool call, is your answer.";

/// The texts of one trial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompts {
    /// The system prompt.
    pub system: String,
    /// The brief.
    pub brief: String,
}

/// The system prompt of a pack, for actors with these tools.
pub fn system_prompt(pack: &Pack, tools: ToolSet) -> String {
    match tools {
        ToolSet::Three => pack.system_prompt.clone(),
        ToolSet::Two => {
            let line = |line: &str| {
                if line.starts_with("* `submit_answer`") { FINAL_MESSAGE.to_owned() } else { line.to_owned() }
            };
            pack.system_prompt.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
        }
    }
}

/// The brief of a task, as the pack lays it out.
pub fn brief_text(pack: &Pack, task: &TaskBrief) -> String {
    pack.brief_layout.replace("{{question}}", &task.question)
}
