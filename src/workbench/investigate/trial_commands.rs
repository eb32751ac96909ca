//! Commands of the open case as a whole: hints, leaving it, making a task of an investigation.

use super::super::command::{Arguments, Command, Done, Invocation, Kind, optional};
use super::super::draft::TaskDraft;
use super::super::effect::Ask;
use super::super::focus::Page;
use super::super::overlay::Prompt;
use super::super::request::WRITING;
use super::super::state::Workbench;
use super::take_out::ask_for_path;
use crate::domain::trial::is_task_name;

/// The commands.
pub(in crate::workbench) const COMMANDS: &[Command] = &[
    Command::new(
        "trial.hint",
        "Show a hint",
        "Shows the next hint of a practice case.",
        "practice && task && working",
        |state, _| {
            let space = state.space()?;
            let hints = space.task.as_ref().map(|task| task.hints.clone()).unwrap_or_default();
            match hints.get(space.hints) {
                Some(hint) => {
                    space.hints += 1;
                    let words = format!("hint {} of {}: {hint}", space.hints, hints.len());
                    state.inform(words);
                    Ok(Vec::new())
                }
                None if hints.is_empty() => Err("this case has no hints".to_owned()),
                None => Err("there are no more hints".to_owned()),
            }
        },
    ),
    Command::new(
        "trial.leave",
        "Leave the case",
        "Closes the case; it can be gone on with.",
        "open",
        |state, _| {
            state.is_free()?;
            if state.space()?.running.is_some() {
                return Err("a statement is running; wait for it, or Ctrl-C cancels it".to_owned());
            }
            state.workspace = None;
            state.page = Page::Cases;
            let (_, leave) = state.ask("leaving the case", Ask::Leave);
            let (_, own) = state.ask("reading own trials", Ask::OwnTrials);
            super::super::cases::refresh(state);
            Ok(vec![leave, own])
        },
    ),
    Command::new(
        "trial.report",
        "Write a report",
        "Writes question, statements, first rows and answer as Markdown.",
        "open",
        report,
    )
    .takes(&[
        optional("path", Kind::Text, "Where to; asked for if absent."),
        optional("replace", Kind::Boolean, "Whether a file that is there may be replaced."),
    ]),
    Command::new(
        "trial.save_task",
        "Make a task of this",
        "Writes a task of a private pack: question, statement, subjects.",
        "investigation && working",
        save_task,
    )
    .takes(&[
        optional("pack", Kind::Text, "Folder of the pack; one that is not there is begun."),
        optional("id", Kind::Text, "The task's id."),
        optional("question", Kind::Text, "The question."),
        optional("title", Kind::Text, "A few words for lists; the id if absent."),
    ]),
];

fn report(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let space = state.space()?;
    let (run, name) = (space.run.clone(), format!("{}.md", space.trial.task.to_lowercase()));
    let Some(path) = arguments.text("path") else {
        return ask_for_path(state, "Write a report", &name, Invocation::of("trial.report"));
    };
    let (path, replace) = (path.trim().to_owned(), arguments.flag("replace") == Some(true));
    let (_, effect) = state.ask(WRITING, Ask::Report { run, path, replace });
    Ok(vec![effect])
}

/// Questions for what is missing, one after another; then the task is written.
fn save_task(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let mut given = Invocation::of("trial.save_task");
    let mut values = Vec::new();
    let questions = [
        ("pack", "Pack", "Folder of a private pack; one that is not there is begun.", "my-pack"),
        ("id", "Id of the task", "Letters, digits, '-', '_' and '.', such as OWN-1.", "OWN-1"),
        ("question", "Question", "It can be decided from its own words.", ""),
    ];
    for (name, title, hint, default) in questions {
        let Some(value) = arguments.text(name) else {
            return state.prompt(Prompt::new(title, hint, given, name).with_text(default));
        };
        given = given.with(name, value);
        values.push(value.trim().to_owned());
    }
    let [pack, id, question] = values.try_into().map_err(|_| "a question is missing".to_owned())?;
    if !is_task_name(&id) {
        return Err(format!("'{id}' is no id: use 1 to 64 letters, digits, '-', '_' and '.'"));
    }
    if pack.is_empty() || question.is_empty() {
        return Err("a task needs a pack and a question".to_owned());
    }
    let space = state.space()?;
    let grid =
        space.grid().ok_or("run the statement that answers the question first: it becomes the reference")?;
    let draft = TaskDraft {
        pack,
        title: arguments.text("title").map_or_else(|| id.clone(), str::to_owned),
        id,
        question,
        sql: grid.sql.clone(),
        subjects: space.answer.subjects.clone(),
        subject_column: grid.result.columns.get(grid.naming()).cloned(),
        snapshot: space.snapshot.name.clone(),
    };
    let (_, effect) = state.ask("writing the task", Ask::SaveTask(draft));
    Ok(vec![effect])
}
