//! Commands of the Cases page.

use super::{Entry, FILTERS, Filter, Filters, refresh};
use crate::domain::trial::{Ending, Mode};
use crate::workbench::command::{Arguments, Command, Done, Invocation, Kind, optional, required};
use crate::workbench::effect::{Ask, Opening, Work};
use crate::workbench::focus::Page;
use crate::workbench::overlay::Overlay;
use crate::workbench::overlay::picker::{Item, Picker, Purpose};
use crate::workbench::request::OPENING;
use crate::workbench::state::Workbench;
use crate::workbench::text_input::Place;
use crate::workbench::update::give_now;

const PROPERTIES: &[&str] = &["pack", "complexity", "focus", "platform", "scope", "status"];
const MODES: &[&str] = &["scored", "practice"];

/// The commands.
pub(in crate::workbench) const COMMANDS: &[Command] = &[
    Command::new("cases.move", "Move in the list", "Chooses another case.", "cases", |state, arguments| {
        let by = isize::try_from(arguments.integer("by").unwrap_or(1)).unwrap_or(1);
        let last = state.cases.rows.len().saturating_sub(1);
        state.cases.chosen = state.cases.chosen.saturating_add_signed(by).min(last);
        Ok(Vec::new())
    })
    .takes(&[optional("by", Kind::Integer, "Rows; below zero goes up.")]),
    Command::new(
        "cases.select",
        "Select a case",
        "Chooses a case by its row.",
        "cases",
        |state, arguments| {
            let last = state.cases.rows.len().saturating_sub(1);
            state.cases.chosen = arguments.index("index").unwrap_or(0).min(last);
            state.cases.is_finding = false;
            Ok(Vec::new())
        },
    )
    .takes(&[required("index", Kind::Integer, "The row, from 0.")]),
    Command::new(
        "cases.find",
        "Find a case",
        "Finds cases by letters of their id, title or question.",
        "cases",
        |state, arguments| {
            state.cases.is_finding = arguments.text("text").is_none();
            if let Some(text) = arguments.text("text") {
                state.cases.find = crate::text::edit_buffer::EditBuffer::one_line(text);
                refresh(state);
                state.cases.chosen = 0;
            }
            Ok(Vec::new())
        },
    )
    .takes(&[optional("text", Kind::Text, "What to find; written by hand if absent.")]),
    Command::new(
        "find.keep",
        "Keep what was found",
        "Ends writing; the list stays narrowed.",
        "typing",
        |state, _| {
            leave(state, false);
            Ok(Vec::new())
        },
    ),
    Command::new(
        "find.leave",
        "End the search",
        "Ends writing and shows everything again.",
        "typing",
        |state, _| {
            leave(state, true);
            Ok(Vec::new())
        },
    ),
    Command::new(
        "cases.filter",
        "Filter cases",
        "Narrows the list by a property; again, to its next value.",
        "cases",
        filter,
    )
    .takes(&[
        required("by", Kind::Choice(PROPERTIES), "The property."),
        optional("value", Kind::Text, "The value; 'any' shows all; the next one if absent."),
    ]),
    Command::new("cases.clear", "Clear filters", "Shows all cases.", "cases", |state, _| {
        state.cases.filters = Filters::default();
        state.cases.find = crate::text::edit_buffer::EditBuffer::one_line("");
        refresh(state);
        Ok(Vec::new())
    }),
    Command::new(
        "cases.snapshot",
        "Choose the snapshot",
        "Chooses the snapshot that tasks are begun on.",
        "cases",
        snapshot,
    )
    .takes(&[optional("name", Kind::Text, "The snapshot; a list is shown if absent.")]),
    Command::new(
        "cases.start",
        "Start or go on",
        "Opens the case: goes on with what was begun, or begins.",
        "",
        |state, arguments| start(state, arguments, false),
    )
    .takes(START),
    Command::new(
        "cases.restart",
        "Start anew",
        "Opens the case as a new attempt, whatever was done before.",
        "",
        |state, arguments| start(state, arguments, true),
    )
    .takes(START),
    Command::new(
        "cases.investigate",
        "Investigate freely",
        "Opens a snapshot without a task.",
        "",
        investigate,
    )
    .takes(&[optional(
        "snapshot",
        Kind::Text,
        "The snapshot by name or revision; the chosen one if absent.",
    )]),
    Command::new(
        "cases.replay",
        "Replay your attempt",
        "Shows your latest attempt at the chosen case, step by step.",
        "cases",
        |state, _| {
            let entry = state.cases.choice().ok_or("no case is chosen")?;
            let run = state.own_of(entry).first().map(|own| own.run.clone());
            let run = run.ok_or("you have not tried this case yet")?;
            give_now(state, &Invocation::of("replay.open").with("path", run.as_str()))
        },
    ),
    Command::new(
        "cases.reload",
        "Reload",
        "Reads packs, snapshots and own trials again.",
        "cases",
        |state, _| {
            let (_, catalogue) = state.ask("reading the packs", Ask::Catalogue);
            let (_, own) = state.ask("reading own trials", Ask::OwnTrials);
            Ok(vec![catalogue, own])
        },
    ),
];

const START: &[crate::workbench::command::Argument] = &[
    optional("task", Kind::Text, "The task; the chosen one if absent."),
    optional("snapshot", Kind::Text, "The snapshot by name; the chosen one if absent."),
    optional("mode", Kind::Choice(MODES), "Scored or practice; the pack's if absent."),
];

fn leave(state: &mut Workbench, clears: bool) {
    if state.typing_place() == Some(Place::SchemaFilter) {
        if let Some(space) = &mut state.workspace {
            space.tree.is_filtering = false;
            if clears {
                space.tree.clear();
            }
        }
        return;
    }
    state.cases.is_finding = false;
    if clears && !state.cases.find.is_empty() {
        state.cases.find = crate::text::edit_buffer::EditBuffer::one_line("");
        refresh(state);
    }
}

fn filter(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let filter = arguments.text("by").and_then(Filter::of_name).unwrap_or(FILTERS[0]);
    let value = match arguments.text("value") {
        None => state.cases.filters.next(state, filter),
        Some("any") => None,
        Some(value) => {
            let values = Filters::values(state, filter);
            if !values.iter().any(|it| it == value) {
                return Err(format!(
                    "no case has the {} '{value}'; there are {}",
                    filter.name(),
                    values.join(", ")
                ));
            }
            Some(value.to_owned())
        }
    };
    state.cases.filters.set(filter, value);
    refresh(state);
    Ok(Vec::new())
}

fn snapshot(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let Some(catalogue) = &state.catalogue else { return Err("the packs are still being read".to_owned()) };
    let Some(name) = arguments.text("name") else {
        let items = catalogue
            .snapshots
            .iter()
            .map(|it| Item {
                label: it.name.clone(),
                detail: it.organisation.clone(),
                aside: format!("{} rows", it.rows),
                gives: Invocation::of("cases.snapshot").with("name", it.name.as_str()),
            })
            .collect();
        state.overlays.push(Overlay::Picker(Picker::new("Snapshot for tasks", Purpose::Choice, items)));
        return Ok(Vec::new());
    };
    if catalogue.snapshots.iter().all(|it| it.name != name) {
        return Err(format!("there is no snapshot '{name}'; casebook snapshot list shows them"));
    }
    state.kept.snapshot = Some(name.to_owned());
    state.inform(format!("tasks are begun on '{name}', where their pack is written for it"));
    Ok(vec![state.keep()])
}

/// What is to be opened by `task`, or what is chosen.
fn entry(state: &Workbench, task: Option<&str>) -> Result<Entry, String> {
    let Some(catalogue) = &state.catalogue else { return Err("the packs are still being read".to_owned()) };
    let Some(asked) = task else {
        return state.cases.choice().ok_or_else(|| "no case is chosen; x clears the filters".to_owned());
    };
    let places = catalogue.packs.iter().enumerate();
    let mut places =
        places.flat_map(|(pack, it)| it.tasks.iter().enumerate().map(move |(nth, task)| (pack, nth, task)));
    places
        .find(|(_, _, task)| task.id.eq_ignore_ascii_case(asked))
        .map(|(pack, task, _)| Entry::Task(pack, task))
        .ok_or_else(|| format!("there is no task '{asked}'; casebook tasks lists them"))
}

fn start(state: &mut Workbench, arguments: Arguments<'_>, anew: bool) -> Done {
    let entry = entry(state, arguments.text("task"))?;
    let asked = arguments.text("snapshot");
    let (work, revision, practice) = match entry {
        Entry::Task(pack, task) => {
            let (pack, task) = state.task_at(pack, task).ok_or("the case is not there any more")?;
            let snapshot = match asked {
                None => state.snapshot_for(pack),
                Some(name) => state.catalogue.iter().flat_map(|it| &it.snapshots).find(|it| it.name == name),
            };
            let snapshot = snapshot.ok_or_else(|| {
                format!("there is no snapshot for the pack '{}'; casebook snapshot list shows them", pack.id)
            })?;
            let work = Work::Task { pack: pack.id.clone(), task: task.id.clone() };
            (work, snapshot.revision, pack.practice)
        }
        Entry::Snapshot(snapshot) => {
            let snapshot = state.snapshot_at(snapshot).ok_or("the snapshot is not there any more")?;
            (Work::Investigation, snapshot.revision, true)
        }
    };
    let mode = match arguments.text("mode") {
        Some("scored") => Mode::Scored,
        Some("practice") => Mode::Practice,
        _ if practice => Mode::Practice,
        _ => Mode::Scored,
    };
    // It is open already: it is shown.
    if !anew
        && let Some(space) = &state.workspace
        && !space.is_over()
        && space.trial.revision == revision
        && space.is_work(&work)
    {
        state.page = Page::Investigate;
        return Ok(Vec::new());
    }
    let begun = state
        .own_of(entry)
        .into_iter()
        .find(|own| own.ending == Ending::Interrupted && (asked.is_none() || own.trial.revision == revision));
    let (revision, mode, resume) = match begun {
        Some(own) if !anew => (own.trial.revision, own.mode, Some(own.run.clone())),
        _ => (revision, mode, None),
    };
    open(state, Opening { work, revision, mode, resume })
}

fn investigate(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let Some(catalogue) = &state.catalogue else { return Err("the packs are still being read".to_owned()) };
    let asked = arguments.text("snapshot").or(state.kept.snapshot.as_deref());
    let found = match asked {
        Some(asked) => catalogue
            .snapshots
            .iter()
            .find(|it| it.name == asked || it.revision.to_string().starts_with(asked)),
        None => catalogue.snapshots.first(),
    };
    let revision =
        found.ok_or_else(|| format!("there is no snapshot '{}'", asked.unwrap_or("(none)")))?.revision;
    open(state, Opening { work: Work::Investigation, revision, mode: Mode::Practice, resume: None })
}

fn open(state: &mut Workbench, opening: Opening) -> Done {
    // A second Enter would begin a second trial.
    state.is_free()?;
    let (_, effect) = state.ask(OPENING, Ask::Open(opening));
    Ok(vec![effect])
}
