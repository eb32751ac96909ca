//! Commands of the Replay page.

use super::super::command::{Argument, Arguments, Command, Done, Invocation, Kind, optional, required};
use super::super::effect::{Ask, Drive, Effect};
use super::super::focus::Page;
use super::super::layout;
use super::super::overlay::picker::{Item, Picker, Purpose};
use super::super::overlay::{Overlay, Prompt};
use super::super::state::Workbench;
use super::super::update::give_now;
use super::jumping::{JUMPS, Jump};
use super::playing::SPEEDS;
use super::showing::{choose, compare, focus, open, replay, show};
use super::trace::TracePlace;
use super::what_if::WhatIf;
use super::{ReplayPane, Verdicts};
use crate::workbench::investigate::editor::Buffer;

const PANES: &[&str] = &[
    ReplayPane::Timeline.name(),
    ReplayPane::Detail.name(),
    ReplayPane::Compare.name(),
    ReplayPane::Evidence.name(),
];

const TRIAL: Argument =
    optional("trial", Kind::Text, "How the name of the trial begins that is shown; the first one if absent.");

/// The commands.
pub(in crate::workbench) const COMMANDS: &[Command] = &[
    Command::new(
        "replay.open",
        "Open a trace",
        "Opens a run, or a trace of another program.",
        "",
        |state, arguments| match arguments.text("path") {
            Some(path) => {
                state.wanted_trial = arguments.text("trial").map(str::to_owned);
                Ok(vec![open(state, TracePlace::Path(path.to_owned()))])
            }
            None => state.prompt(Prompt::new(
                "Open a trace",
                "A run's folder or name, or a file: Inspect, ATIF, OpenTelemetry, chat JSONL, SWE-agent",
                Invocation::of("replay.open"),
                "path",
            )),
        },
    )
    .takes(&[
        optional("path", Kind::Text, "The run's folder or name, or the file; asked for if absent."),
        TRIAL,
    ]),
    Command::new("replay.runs", "List runs", "Shows the runs of this machine to pick one.", "", |state, _| {
        let (_, effect) = state.ask("reading the runs", Ask::TraceChoices);
        Ok(vec![effect])
    }),
    Command::new("replay.demo", "Open the demo run", "Opens the built-in demo run.", "", |state, arguments| {
        state.wanted_trial = arguments.text("trial").map(str::to_owned);
        Ok(vec![open(state, TracePlace::Demo)])
    })
    .takes(&[TRIAL]),
    Command::new(
        "replay.trials",
        "List trials",
        "Shows the trials of what is open to pick one.",
        "replay && trace",
        trials,
    ),
    Command::new("replay.show", "Show a trial", "Shows a trial by its place.", "trace", |state, arguments| {
        state.page = Page::Replay;
        show(state, arguments.index("index").unwrap_or(0))
    })
    .takes(&[required("index", Kind::Integer, "Its place, from 0.")]),
    Command::new(
        "replay.trial",
        "Next trial",
        "Shows the next trial of what is open.",
        "replay && trace",
        |state, arguments| {
            let by = arguments.integer("by").unwrap_or(1);
            let replay = replay(state)?;
            let index = replay.trace.as_ref().map_or(0, |trace| trace.index);
            let by = isize::try_from(by).unwrap_or(1);
            let last = replay.source.trials.len().saturating_sub(1);
            let to = index.saturating_add_signed(by).min(last);
            if to == index {
                let which = if by < 0 { "first" } else { "last" };
                return Err(format!("this is the {which} trial"));
            }
            show(state, to)
        },
    )
    .takes(&[optional("by", Kind::Integer, "How many; below zero goes back.")]),
    Command::new(
        "replay.move",
        "Move",
        "Moves in the area that has the keys.",
        "replay && trace",
        |state, arguments| {
            let by = isize::try_from(arguments.integer("by").unwrap_or(1)).unwrap_or(1);
            stop(state);
            let pane = replay(state)?.pane;
            Ok(moved(state, pane, by))
        },
    )
    .takes(&[optional("by", Kind::Integer, "Rows; below zero goes up.")]),
    Command::new(
        "replay.scroll",
        "Scroll",
        "Moves what an area shows.",
        "replay && trace",
        |state, arguments| {
            let by = isize::try_from(arguments.integer("by").unwrap_or(3)).unwrap_or(3);
            let own = replay(state)?.pane;
            Ok(moved(state, arguments.text("pane").and_then(ReplayPane::named).unwrap_or(own), by))
        },
    )
    .takes(&[
        optional("by", Kind::Integer, "Rows; below zero goes up."),
        optional("pane", Kind::Choice(PANES), "The area; the one with the keys if absent."),
    ]),
    Command::new(
        "replay.select",
        "Select a step",
        "Chooses a step by its place.",
        "trace",
        |state, arguments| {
            stop(state);
            focus(replay(state)?, ReplayPane::Timeline);
            Ok(choose(state, arguments.index("index").unwrap_or(0)))
        },
    )
    .takes(&[required("index", Kind::Integer, "The step, from 0.")]),
    Command::new(
        "replay.pair",
        "Select a row",
        "Chooses a row of what came then and now.",
        "trace",
        |state, arguments| {
            let replay = replay(state)?;
            focus(replay, ReplayPane::Compare);
            replay.pair = arguments.index("index").unwrap_or(0);
            Ok(Vec::new())
        },
    )
    .takes(&[required("index", Kind::Integer, "The row, from 0.")]),
    Command::new(
        "replay.jump",
        "Jump",
        "Goes to the next step of a kind.",
        "replay && trace",
        jump,
    )
    .takes(&[
        required("to", Kind::Choice(JUMPS), "What to go to."),
        optional("back", Kind::Boolean, "Whether to go back."),
    ]),
    Command::new(
        "replay.enter",
        "Look closer",
        "From the timeline to the step, from the evidence to where it first appeared, from difference to difference.",
        "replay && trace",
        |state, _| match replay(state)?.pane {
            ReplayPane::Timeline => {
                focus(replay(state)?, ReplayPane::Detail);
                Ok(Vec::new())
            }
            ReplayPane::Detail => {
                focus(replay(state)?, ReplayPane::Compare);
                Ok(Vec::new())
            }
            ReplayPane::Compare => give_now(state, &Invocation::of("replay.next_difference")),
            ReplayPane::Evidence => give_now(state, &Invocation::of("replay.evidence")),
        },
    ),
    Command::new(
        "replay.evidence",
        "Go to where it first appeared",
        "Goes to the step that first had the chosen table, join or subject.",
        "replay && trace",
        |state, arguments| {
            let replay = replay(state)?;
            let at = arguments.index("index").unwrap_or(replay.evidence_chosen);
            replay.evidence_chosen = at.min(replay.evidence.len().saturating_sub(1));
            let item = replay.evidence.get(replay.evidence_chosen);
            let Some(item) = item else { return Err("there is no evidence".to_owned()) };
            match item.first {
                Some(step) => {
                    stop(state);
                    Ok(choose(state, step))
                }
                None => Err(format!("{} never appeared", item.name)),
            }
        },
    )
    .takes(&[optional("index", Kind::Integer, "Which one, from 0; the chosen one if absent.")]),
    Command::new(
        "replay.find",
        "Find in the trace",
        "Finds the next step that has some words.",
        "replay && trace",
        |state, arguments| {
            if let Some(text) = arguments.text("text") {
                text.clone_into(&mut replay(state)?.find);
                return find(state, false);
            }
            let last = replay(state)?.find.clone();
            let hint = "Words in a step's line, a table, or a kind such as error";
            let then = Invocation::of("replay.find");
            state.prompt(Prompt::new("Find in the trace", hint, then, "text").with_text(&last))
        },
    )
    .takes(&[optional("text", Kind::Text, "What to find; asked for if absent.")]),
    Command::new(
        "replay.find_next",
        "Find again",
        "Finds the next step that has what was looked for.",
        "replay && trace",
        |state, arguments| find(state, arguments.flag("back").unwrap_or(false)),
    )
    .takes(&[optional("back", Kind::Boolean, "Whether to go back.")]),
    Command::new(
        "replay.pane",
        "Next area",
        "Gives the keys to the next area of the page.",
        "replay && trace",
        |state, arguments| {
            let by = isize::try_from(arguments.integer("by").unwrap_or(1)).unwrap_or(1);
            let replay = replay(state)?;
            let pane = arguments.text("to").and_then(ReplayPane::named).unwrap_or_else(|| replay.pane.round(by));
            focus(replay, pane);
            Ok(Vec::new())
        },
    )
    .takes(&[
        optional("by", Kind::Integer, "How many further; below zero goes back."),
        optional("to", Kind::Choice(PANES), "The area."),
    ]),
    Command::new(
        "replay.side",
        "Move sideways",
        "Moves the columns of what came then and now.",
        "replay && trace",
        |state, arguments| {
            let by = isize::try_from(arguments.integer("by").unwrap_or(1)).unwrap_or(1);
            let replay = replay(state)?;
            let columns = replay
                .comparison
                .as_ref()
                .map_or(0, |it| it.archived.columns().max(it.now.columns()));
            replay.compare_left =
                replay.compare_left.saturating_add_signed(by).min(columns.saturating_sub(1));
            Ok(Vec::new())
        },
    )
    .takes(&[optional("by", Kind::Integer, "Columns; below zero goes left.")]),
    Command::new(
        "replay.next_difference",
        "Next difference",
        "Goes to the next row that differs.",
        "replay && trace",
        |state, _| {
            let replay = replay(state)?;
            focus(replay, ReplayPane::Compare);
            let next = replay.comparison.as_ref().and_then(|it| it.next_difference(replay.pair));
            replay.pair = next.ok_or("no row differs")?;
            Ok(Vec::new())
        },
    ),
    Command::new(
        "replay.play",
        "Play or pause",
        "Goes from step to step by itself, with the pauses of the record.",
        "replay && trace",
        |state, _| {
            let now = state.now;
            let replay = replay(state)?;
            if replay.playing.take().is_some() {
                return Ok(Vec::new());
            }
            // From the end it begins again.
            let effects =
                if replay.chosen + 1 >= replay.steps().len() { choose(state, 0) } else { Vec::new() };
            super::showing::replay(state)?.play_on(now);
            Ok(effects)
        },
    ),
    Command::new(
        "replay.speed",
        "Faster",
        "Changes how fast the trace plays.",
        "replay && trace",
        |state, arguments| {
            let by = isize::try_from(arguments.integer("by").unwrap_or(1)).unwrap_or(1);
            let now = state.now;
            let replay = replay(state)?;
            replay.speed = replay.speed.saturating_add_signed(by).min(SPEEDS.len() - 1);
            if replay.playing.is_some() {
                replay.play_on(now);
            }
            let speed = SPEEDS[replay.speed];
            state.inform(format!("it plays {speed} times as fast as the record"));
            Ok(Vec::new())
        },
    )
    .takes(&[optional("by", Kind::Integer, "Steps of speed; below zero is slower.")]),
    Command::new(
        "replay.what_if",
        "Try another statement",
        "Writes another statement in the place of the chosen call; it is run on a copy of its own and never kept.",
        "replay && call",
        what_if,
    )
    .takes(&[optional("sql", Kind::Text, "The statement, which is run at once; written by hand if absent.")]),
    Command::new(
        "replay.what_if_run",
        "Run the what-if",
        "Runs the statement that is tried, and shows it beside what the trace has.",
        "what-if",
        |state, _| {
            let replay = replay(state)?;
            let Some(it) = &mut replay.what_if else { return Ok(Vec::new()) };
            it.is_writing = false;
            let (event, sql) = (it.event, it.buffer.text.text());
            if sql.trim().is_empty() {
                return Err("there is no statement to try".to_owned());
            }
            Ok(vec![compare(state, event, Some(sql))])
        },
    ),
    Command::new(
        "replay.what_if_leave",
        "Stop writing",
        "Keys are commands again; what was written stays.",
        "what-if && typing",
        |state, _| {
            if let Some(it) = &mut replay(state)?.what_if {
                it.is_writing = false;
            }
            Ok(Vec::new())
        },
    ),
    Command::new(
        "replay.what_if_drop",
        "Drop the what-if",
        "Shows the call of the trace again.",
        "what-if",
        |state, _| {
            let dropped = replay(state)?.what_if.take();
            Ok(dropped.map(|it| compare(state, it.event, None)).into_iter().collect())
        },
    ),
    Command::new(
        "replay.copy",
        "Copy the step",
        "Copies the statement of the chosen step, or its text.",
        "replay && trace",
        |state, _| {
            let detail = replay(state)?.detail.as_ref().ok_or("the step is still being read")?;
            let what = if detail.sql.is_some() { "the statement" } else { "the step's text" };
            let text = detail.text.clone();
            state.register.clone_from(&text);
            Ok(vec![Effect::Drive(Drive::Copy { text, what: what.to_owned() })])
        },
    ),
    Command::new(
        "replay.losses",
        "What was lost",
        "Shows what the file had that could not be kept, and why calls can't be run again.",
        "replay && trace",
        |state, _| {
            let replay = replay(state)?;
            let mut lines = replay.trace.as_ref().map_or_else(Vec::new, |trace| trace.losses.clone());
            lines.extend(replay.source.problems.iter().cloned());
            if let Verdicts::Impossible(reason) = &replay.verdicts {
                lines.push(format!("calls can't be run again: {reason}"));
            }
            if lines.is_empty() {
                state.inform("nothing was lost");
            } else {
                for line in lines {
                    state.inform(line);
                }
                return give_now(state, &Invocation::of("notices.open"));
            }
            Ok(Vec::new())
        },
    ),
];

/// Time has gone by: a trace that plays goes on.
pub(in crate::workbench) fn tick(state: &mut Workbench) -> Vec<Effect> {
    let now = state.now;
    let Some(replay) = state.replay.as_ref().filter(|replay| replay.is_due(now)) else { return Vec::new() };
    let next = replay.chosen + 1;
    let effects = choose(state, next);
    if let Some(replay) = &mut state.replay {
        replay.play_on(now);
    }
    effects
}

fn stop(state: &mut Workbench) {
    if let Some(replay) = &mut state.replay {
        replay.playing = None;
    }
}

fn moved(state: &mut Workbench, pane: ReplayPane, by: isize) -> Vec<Effect> {
    let areas = layout::replay(state);
    let Some(replay) = &mut state.replay else { return Vec::new() };
    match pane {
        ReplayPane::Timeline => {
            let to = replay.chosen.saturating_add_signed(by);
            return choose(state, to);
        }
        ReplayPane::Detail => {
            let cells = layout::reader_cells(areas.detail);
            let rows = replay.detail.as_ref().map_or(0, |detail| detail.rows(cells));
            let height = usize::from(areas.detail.inside().height);
            replay.detail_top = replay.detail_top.saturating_add_signed(by).min(rows.saturating_sub(height));
        }
        ReplayPane::Compare => {
            let last = replay.comparison.as_ref().map_or(0, |it| it.pairs.len().saturating_sub(1));
            replay.pair = replay.pair.saturating_add_signed(by).min(last);
        }
        ReplayPane::Evidence => {
            let last = replay.evidence.len().saturating_sub(1);
            replay.evidence_chosen = replay.evidence_chosen.saturating_add_signed(by).min(last);
        }
    }
    Vec::new()
}

fn jump(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let jump = arguments.text("to").and_then(Jump::named).unwrap_or(Jump::Query);
    let is_back = arguments.flag("back").unwrap_or(false);
    stop(state);
    if let Some(place) = replay(state)?.target(jump, is_back) {
        return Ok(choose(state, place));
    }
    let where_to = if is_back { "before this step" } else { "after this step" };
    state.inform(format!("there is {} {where_to}", jump.none()));
    Ok(Vec::new())
}

fn find(state: &mut Workbench, is_back: bool) -> Done {
    stop(state);
    let replay = replay(state)?;
    if replay.find.is_empty() {
        return give_now(state, &Invocation::of("replay.find"));
    }
    match replay.next_hit(is_back) {
        Some(place) => Ok(choose(state, place)),
        None => Err(format!("no step has '{}'", replay.find)),
    }
}

fn trials(state: &mut Workbench, _: Arguments<'_>) -> Done {
    let replay = replay(state)?;
    let items = replay
        .source
        .trials
        .iter()
        .enumerate()
        .map(|(index, trial)| Item {
            label: format!("{} {}", trial.task, trial.attempt).trim_end().to_owned(),
            detail: [trial.snapshot.as_str(), trial.ending.as_str()]
                .into_iter()
                .filter(|text| !text.is_empty())
                .collect::<Vec<_>>()
                .join(", "),
            aside: trial.queries.map_or_else(String::new, |queries| match queries {
                1 => "1 query".to_owned(),
                queries => format!("{queries} queries"),
            }),
            gives: Invocation::of("replay.show").with("index", index),
        })
        .collect();
    let mut picker = Picker::new(format!("Trials of {}", replay.source.title), Purpose::Choice, items);
    picker.chosen = replay.trace.as_ref().map_or(0, |trace| trace.index);
    state.overlays.push(Overlay::Picker(picker));
    Ok(Vec::new())
}

fn what_if(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    stop(state);
    let replay = replay(state)?;
    let Some(event) = replay.step().map(|step| step.event) else { return Ok(Vec::new()) };
    if let Err(reason) = replay.trace.as_ref().map_or(Ok(""), |trace| trace.snapshot.as_deref()) {
        return Err(format!("nothing can be run: {reason}"));
    }
    let given = arguments.text("sql");
    let text = match (given, &replay.what_if, &replay.detail) {
        (Some(sql), _, _) => sql.to_owned(),
        (None, Some(it), _) if it.event == event => it.buffer.text.text(),
        (None, _, Some(detail)) if detail.event == event => detail.sql.clone().unwrap_or_default(),
        _ => return Err("the step is still being read".to_owned()),
    };
    let buffer = Buffer::new(1, "what-if".to_owned(), &text);
    replay.what_if = Some(WhatIf { event, buffer, is_writing: given.is_none() });
    focus(replay, ReplayPane::Detail);
    if given.is_some() { Ok(vec![compare(state, event, Some(text))]) } else { Ok(Vec::new()) }
}
