//! Commands of the answer.

use super::super::command::{Arguments, Command, Done, Invocation, Kind, optional, required};
use super::super::effect::Ask;
use super::super::focus::{Focus, Page};
use super::super::overlay::{Confirm, Overlay, Prompt};
use super::super::request::RECORDING;
use super::super::state::Workbench;
use super::super::update;
use super::answer::{Line, counted};
use super::grid_commands::grid;
use crate::domain::trial::Verdict;
use crate::text::edit_buffer::EditOp;

const VERDICTS: &[&str] = &["yes", "no", "not_applicable", "none"];

/// The commands.
pub(in crate::workbench) const COMMANDS: &[Command] = &[
    Command::new(
        "answer.mark",
        "Mark the row",
        "Makes the row's subject one of the answer's, or takes it out.",
        "working && result",
        mark,
    )
    .undoable(),
    Command::new(
        "answer.mark_all",
        "Mark all rows",
        "Makes the subjects of all rows that are shown the answer's, or takes them out.",
        "working && result",
        mark_all,
    )
    .undoable(),
    Command::new(
        "answer.identify",
        "Subjects come from this column",
        "Takes subjects from the column of the cursor.",
        "working && result",
        |state, arguments| {
            let grid = grid(state)?;
            let column = match arguments.text("column") {
                Some(name) => grid.columns.iter().find(|column| column.name.eq_ignore_ascii_case(name)),
                None => grid.current(),
            };
            let column = column.ok_or("the result has no such column")?;
            let name = column.name.clone();
            grid.identifying = Some(column.index);
            state.space()?.answer.identifying = Some(name.clone());
            state.inform(format!("rows are marked by '{name}'"));
            Ok(Vec::new())
        },
    )
    .takes(&[optional("column", Kind::Text, "The column by name; the cursor's if absent.")]),
    Command::new(
        "answer.verdict",
        "Give the verdict",
        "Says yes, no, or that the question has neither.",
        "working",
        |state, arguments| {
            let verdict = match arguments.text("verdict") {
                Some("yes") => Some(Verdict::Yes),
                Some("no") => Some(Verdict::No),
                Some("not_applicable") => Some(Verdict::NotApplicable),
                _ => None,
            };
            change(state, |form| form.verdict = if form.verdict == verdict { None } else { verdict })
        },
    )
    .takes(&[required("verdict", Kind::Choice(VERDICTS), "The verdict.")])
    .undoable(),
    Command::new(
        "answer.add",
        "Add subjects",
        "Adds subjects by hand; a pasted list is taken apart.",
        "working",
        |state, arguments| {
            let Some(subjects) = arguments.texts("subjects") else {
                let hint = "What identifies it; several with commas between.";
                let then = Invocation::of("answer.add");
                return state.prompt(Prompt::new("Add a subject", hint, then, "subjects"));
            };
            let subjects: Vec<String> = subjects.into_iter().filter(|it| !it.trim().is_empty()).collect();
            if subjects.is_empty() {
                return Err("there is no subject in it".to_owned());
            }
            let added = counted(subjects.len(), "subject");
            change(state, |form| form.subjects.extend(subjects))?;
            state.inform(format!("{added} added"));
            Ok(Vec::new())
        },
    )
    .takes(&[optional("subjects", Kind::Texts, "The subjects; asked for if absent.")])
    .undoable(),
    Command::new(
        "answer.remove",
        "Remove the line",
        "Takes the chosen subject or fact out.",
        "working",
        |state, _| {
            let line = state.space()?.answer.line();
            change(state, |form| match line {
                Line::Subject(place) => drop(form.subjects.remove(place)),
                Line::Fact(place) => drop(form.facts.remove(place)),
                _ => {}
            })
        },
    )
    .undoable(),
    Command::new(
        "answer.remove_duplicates",
        "Remove duplicates",
        "Takes out subjects that are there already.",
        "working",
        |state, _| {
            let places = state.space()?.answer.duplicates().clone();
            if places.is_empty() {
                return Err("no subject is there twice".to_owned());
            }
            let removed = counted(places.len(), "duplicate");
            change(state, |form| {
                for place in places.into_iter().rev() {
                    form.subjects.remove(place);
                }
            })?;
            state.inform(format!("{removed} removed"));
            Ok(Vec::new())
        },
    )
    .undoable(),
    Command::new("answer.clear", "Remove all subjects", "Takes all subjects out.", "working", |state, _| {
        change(state, |form| form.subjects.clear())
    })
    .undoable(),
    Command::new(
        "answer.fact",
        "Add a fact",
        "Notes a fact by name, such as a count or a date.",
        "working",
        fact,
    )
    .takes(&[optional(
        "fact",
        Kind::Text,
        "As 'name = value'; asked for if absent. A name that is there gets the value.",
    )])
    .undoable(),
    Command::new(
        "answer.move",
        "Move in the answer",
        "Chooses another line of the answer.",
        "open",
        |state, arguments| {
            let by = isize::try_from(arguments.integer("by").unwrap_or(1)).unwrap_or(1);
            let form = &mut state.space()?.answer;
            form.chosen = form.chosen.saturating_add_signed(by).min(form.count() - 1);
            Ok(Vec::new())
        },
    )
    .takes(&[optional("by", Kind::Integer, "Lines; below zero goes up.")]),
    Command::new(
        "answer.select",
        "Select a line of the answer",
        "Chooses a line of the answer.",
        "open",
        |state, arguments| {
            state.focus = Focus::Answer;
            let form = &mut state.space()?.answer;
            form.chosen = arguments.index("index").unwrap_or(0).min(form.count() - 1);
            Ok(Vec::new())
        },
    )
    .takes(&[required("index", Kind::Integer, "The line, from 0.")]),
    Command::new("answer.edit", "Edit the line", "Changes the chosen line of the answer.", "working", edit),
    Command::new(
        "answer.write",
        "Write the answer",
        "Lets keys write the answer in words.",
        "working",
        |state, _| {
            state.page = Page::Investigate;
            state.focus = Focus::Answer;
            let form = &mut state.space()?.answer;
            form.choose(Line::Prose);
            form.is_writing = true;
            Ok(Vec::new())
        },
    ),
    Command::new(
        "answer.leave",
        "Stop writing the answer",
        "Lets keys be commands again.",
        "answer && typing",
        |state, _| {
            state.space()?.answer.is_writing = false;
            Ok(Vec::new())
        },
    ),
    Command::new(
        "answer.prose",
        "Set the words",
        "Writes the answer in words anew.",
        "working",
        |state, arguments| {
            let text = arguments.text("text").unwrap_or_default().to_owned();
            let space = state.space()?;
            let length = space.answer.prose.text().len();
            space.answer.prose.apply(&EditOp::Replace { range: 0..length, text });
            space.needs_saving = true;
            Ok(Vec::new())
        },
    )
    .takes(&[required("text", Kind::Text, "The words.")]),
    Command::new(
        "answer.undo",
        "Undo in the answer",
        "Takes the last change of verdict, subjects or facts back.",
        "working",
        |state, _| {
            let space = state.space()?;
            if !space.answer.undo() {
                return Err("there is nothing to take back".to_owned());
            }
            space.needs_saving = true;
            Ok(Vec::new())
        },
    ),
    Command::new(
        "answer.submit",
        "Submit the answer",
        "Gives the answer; the trial is over then.",
        "working && task",
        submit,
    )
    .takes(&[optional("now", Kind::Boolean, "Whether to submit without asking.")]),
];

/// Changes the form so that it can be taken back.
fn change(state: &mut Workbench, change: impl FnOnce(&mut super::answer::AnswerForm)) -> Done {
    let space = state.space()?;
    space.answer.remember();
    change(&mut space.answer);
    space.answer.subjects_changed();
    space.needs_saving = true;
    Ok(Vec::new())
}

fn mark(state: &mut Workbench, _: Arguments<'_>) -> Done {
    let grid = grid(state)?;
    let Some(subject) = grid.subject_at(grid.row) else {
        let name = grid.result.columns.get(grid.naming()).cloned().unwrap_or_default();
        return Err(format!("the row names no subject: '{name}' is empty in it; I takes another column"));
    };
    grid.step(1, 0);
    change(state, |form| match form.subjects.iter().position(|it| *it == subject) {
        Some(place) => drop(form.subjects.remove(place)),
        None => form.subjects.push(subject),
    })
}

fn mark_all(state: &mut Workbench, _: Arguments<'_>) -> Done {
    let grid = grid(state)?;
    let named = (0..grid.order.len()).filter_map(|place| grid.subject_at(place));
    let mut seen = std::collections::BTreeSet::new();
    let subjects: Vec<String> = named.filter(|subject| seen.insert(subject.clone())).collect();
    if subjects.is_empty() {
        return Err("no row names a subject; I takes subjects from the column of the cursor".to_owned());
    }
    let form = &state.space()?.answer;
    let missing: Vec<String> = subjects.iter().filter(|it| !form.has(it)).cloned().collect();
    let words = if missing.is_empty() {
        format!("{} taken out", counted(subjects.len(), "subject"))
    } else {
        format!("{} added", counted(missing.len(), "subject"))
    };
    change(state, |form| {
        if missing.is_empty() {
            form.subjects.retain(|it| !seen.contains(it));
        } else {
            form.subjects.extend(missing);
        }
    })?;
    state.inform(words);
    Ok(Vec::new())
}

fn fact(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let Some(text) = arguments.text("fact") else {
        let hint = "As name = value, such as count = 12.";
        return state.prompt(Prompt::new("Add a fact", hint, Invocation::of("answer.fact"), "fact"));
    };
    let Some((name, value)) = text.split_once('=').or_else(|| text.split_once(':')) else {
        return Err(format!("'{text}' is no fact; write it as name = value"));
    };
    let (name, value) = (name.trim().to_owned(), value.trim().to_owned());
    if name.is_empty() || value.is_empty() {
        return Err("a fact needs a name and a value: name = value".to_owned());
    }
    change(state, |form| match form.facts.iter_mut().find(|(it, _)| *it == name) {
        Some((_, old)) => *old = value,
        None => form.facts.push((name, value)),
    })
}

fn edit(state: &mut Workbench, _: Arguments<'_>) -> Done {
    let form = &mut state.space()?.answer;
    match form.line() {
        Line::Verdict => {
            let next = match form.verdict {
                None => "yes",
                Some(Verdict::Yes) => "no",
                Some(Verdict::No) => "not_applicable",
                Some(Verdict::NotApplicable) => "none",
            };
            let verdict = Invocation::of("answer.verdict").with("verdict", next);
            Ok(update::give(state, &verdict))
        }
        Line::Subjects | Line::Subject(_) => Ok(update::give(state, &Invocation::of("answer.add"))),
        Line::Facts => Ok(update::give(state, &Invocation::of("answer.fact"))),
        Line::Fact(place) => {
            let (name, value) = &form.facts[place];
            let text = format!("{name} = {value}");
            let then = Invocation::of("answer.fact");
            state.prompt(Prompt::new("Change the fact", "As name = value.", then, "fact").with_text(&text))
        }
        Line::Prose => {
            form.is_writing = true;
            Ok(Vec::new())
        }
        Line::Submit => Ok(update::give(state, &Invocation::of("answer.submit"))),
    }
}

fn submit(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    state.is_free()?;
    let space = state.space()?;
    if space.running.is_some() {
        return Err("a statement is running; wait for it, or Ctrl-C cancels it".to_owned());
    }
    if space.answer.is_empty() {
        return Err(
            "the answer is empty: give a verdict, mark subjects (m in the result) or write it in words"
                .to_owned(),
        );
    }
    if arguments.flag("now") != Some(true) {
        let mut lines = space.answer.summary();
        lines.push(String::new());
        lines.push("The case is over then: nothing can be changed.".to_owned());
        state.overlays.push(Overlay::Confirm(Confirm {
            title: "Submit the answer?".to_owned(),
            lines,
            yes: "Submit".to_owned(),
            then: Invocation::of("answer.submit").with("now", true),
        }));
        return Ok(Vec::new());
    }
    let answer = space.answer.to_answer();
    let (_, effect) = state.ask(RECORDING, Ask::Submit(answer));
    Ok(vec![effect])
}
