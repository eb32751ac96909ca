//! What an actor may see of a pack: its questions, its prompts, its rubric. Nothing here can hold an answer.

use super::files::PackFiles;
use super::{PackProblem, Place};
use crate::domain::{Complexity, Focus, Platform, TaskBrief, is_short_name};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};
use toml::Spanned;

/// The version of the pack format that this program reads.
pub const PACK_FORMAT: u32 = 1;

/// Who may see and take out what is in a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// Everything is readable.
    Open,
    /// The vault is withheld.
    Gated,
    /// Nothing leaves this machine.
    Private,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PackFile {
    format: u32,
    id: String,
    version: String,
    title: String,
    description: String,
    access: Access,
    #[serde(default)]
    practice: bool,
    snapshots: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TaskFile {
    #[serde(default)]
    task: Vec<TaskEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TaskEntry {
    id: Spanned<String>,
    title: String,
    question: String,
    complexity: Complexity,
    focus: Focus,
    platforms: Vec<Platform>,
    #[serde(default)]
    hints: Vec<String>,
}

/// A level of a judged criterion.
#[derive(Debug, Clone, PartialEq, serde::Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RubricLevel {
    /// The grade: 1, 0.5 or 0.
    pub grade: f64,
    /// When it is given.
    pub when: String,
}

/// A judged criterion and its levels, best first.
#[derive(Debug, Clone, PartialEq, serde::Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Criterion {
    /// Its name, such as `AnswerCorrectnessVsGT`.
    pub id: String,
    /// What is judged.
    pub asks: String,
    /// The levels.
    pub levels: Vec<RubricLevel>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RubricFile {
    version: String,
    criterion: Vec<Criterion>,
}

/// A pack as an actor sees it.
#[derive(Debug, Clone)]
pub struct Pack {
    /// Short name.
    pub id: String,
    /// Version; a change of a question or a truth changes it.
    pub version: String,
    /// A few words for lists.
    pub title: String,
    /// What the pack is for.
    pub description: String,
    /// Who may see what.
    pub access: Access,
    /// Whether it is for learning: hints and answers are shown.
    pub practice: bool,
    /// Snapshots that the pack has truth for, by name or revision.
    pub snapshots: Vec<String>,
    /// The tasks with where they are written, in the order of their ids.
    pub tasks: Vec<(TaskBrief, Place)>,
    /// The system prompt for agents.
    pub system_prompt: String,
    /// How a task is put before an agent: `{{question}}` stands for the question.
    pub brief_layout: String,
    /// Version of the rubric.
    pub rubric_version: String,
    /// The judged criteria.
    pub rubric: Vec<Criterion>,
    /// SHA-256 over the visible files, in lower-case hex: what was asked, and how.
    pub digest: String,
    /// The visible files, to be scanned for what must not be in them.
    pub visible: Vec<(String, String)>,
    /// Where the files are.
    pub files: PackFiles,
}

/// Reads a TOML text into its form; an error names the line.
pub(super) fn parse<T: DeserializeOwned>(file: &str, text: &str) -> Result<T, PackProblem> {
    toml::from_str(text).map_err(|error| PackProblem {
        file: file.to_owned(),
        line: error.span().map(|span| Place::at(file, text, span.start).line),
        task: None,
        reason: format!("{}; docs/packs.md shows the form", error.message()),
    })
}

impl Pack {
    /// Reads the visible side of a pack.
    ///
    /// # Errors
    /// The first [`PackProblem`] that keeps it from being read.
    pub fn load(files: PackFiles) -> Result<Self, PackProblem> {
        let mut visible = Vec::new();
        let mut take = |path: &str| -> Result<String, PackProblem> {
            let text = files.read(path)?;
            visible.push((path.to_owned(), text.clone()));
            Ok(text)
        };
        let text = take("pack.toml")?;
        let head: PackFile = parse("pack.toml", &text)?;
        if head.format != PACK_FORMAT {
            let reason = format!("it has format {}; this casebook reads format {PACK_FORMAT}", head.format);
            return Err(PackProblem::of_file("pack.toml", reason));
        }
        if !is_short_name(&head.id) {
            let reason = "its id is no short name: use a-z, 0-9, '.', '_' and '-'";
            return Err(PackProblem::of_file("pack.toml", reason));
        }
        let system_prompt = take("prompts/system.md")?;
        let brief_layout = take("prompts/brief.md")?;
        let rubric: RubricFile = parse("rubric.toml", &take("rubric.toml")?)?;
        let mut tasks = Vec::new();
        for file in files.list("tasks")? {
            let text = take(&file)?;
            let entries: TaskFile = parse(&file, &text)?;
            tasks.extend(entries.task.into_iter().map(|task| {
                let place = Place::at(&file, &text, task.id.span().start);
                let TaskEntry { id, title, question, complexity, focus, platforms, hints } = task;
                let id = id.into_inner();
                (TaskBrief { id, title, question, complexity, focus, platforms, hints }, place)
            }));
        }
        tasks.sort_by(|(one, _), (other, _)| one.id.cmp(&other.id));
        if tasks.is_empty() {
            return Err(PackProblem::of_file("tasks", "there is no task in any tasks/*.toml"));
        }
        let mut hash = Sha256::new();
        for (path, text) in &visible {
            hash.update(format!("{path}\0{}\0", text.len()));
            hash.update(text);
        }
        let PackFile { id, version, title, description, access, practice, snapshots, .. } = head;
        Ok(Self {
            id,
            version,
            title,
            description,
            access,
            practice,
            snapshots,
            tasks,
            system_prompt,
            brief_layout,
            rubric_version: rubric.version,
            rubric: rubric.criterion,
            digest: hex::encode(hash.finalize()),
            visible,
            files,
        })
    }

    /// The task of this id.
    pub fn task(&self, id: &str) -> Option<&TaskBrief> {
        self.tasks.iter().map(|(task, _)| task).find(|task| task.id.eq_ignore_ascii_case(id))
    }
}
