//! Commands of the workbench as a whole: pages, palette, help, theme, mouse, panes, the end.

#![allow(clippy::unnecessary_wraps)] // every command has the signature of the table

use super::command::{Arguments, Command, Done, Invocation, Kind, all, optional};
use super::effect::{Drive, Effect};
use super::focus::{Focus, Page};
use super::overlay::picker::{Item, Picker, Purpose};
use super::overlay::reader::{Content, Reader};
use super::overlay::{Confirm, KeyInspector, Overlay};
use super::request::WRITING;
use super::settings::Panes;
use super::state::Workbench;

/// How many commands given last stand first in the palette.
const RECENT: usize = 6;

/// The commands.
pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "palette.open",
        "Command palette",
        "Finds any command by a few letters of its name.",
        "!overlay",
        palette,
    ),
    Command::new("help.open", "Help", "Shows what can be done here, and by which keys.", "", help),
    Command::new("notices.open", "Messages", "Shows all messages of this session.", "!overlay", notices),
    Command::new(
        "keys.inspect",
        "Key inspector",
        "Shows which keys arrive and what they do.",
        "!overlay",
        inspect,
    ),
    Command::new("page.cases", "Go to Cases", "Shows the tasks and snapshots to work on.", "", |state, _| {
        state.page = Page::Cases;
        Ok(Vec::new())
    }),
    Command::new(
        "page.investigate",
        "Go to Investigate",
        "Shows the case that is open.",
        "open",
        |state, _| {
            state.page = Page::Investigate;
            Ok(Vec::new())
        },
    ),
    Command::new(
        "page.replay",
        "Go to Replay",
        "Shows the trace that is open, or how to open one.",
        "",
        |state, _| {
            state.page = Page::Replay;
            Ok(Vec::new())
        },
    ),
    Command::new(
        "focus.next",
        "Next pane",
        "Moves the focus to the next pane.",
        "investigate && open",
        focus_next,
    )
    .takes(&[optional("by", Kind::Integer, "How many panes; below zero goes back.")]),
    Command::new(
        "focus.schema",
        "Go to the schema",
        "Moves the focus to tables and columns.",
        "open",
        |state, _| focus(state, Focus::Schema),
    ),
    Command::new(
        "focus.editor",
        "Go to the editor",
        "Moves the focus to the SQL editor.",
        "open",
        |state, _| focus(state, Focus::Editor),
    ),
    Command::new("focus.grid", "Go to the result", "Moves the focus to the result.", "open", |state, _| {
        focus(state, Focus::Grid)
    }),
    Command::new("focus.answer", "Go to the answer", "Moves the focus to the answer.", "open", |state, _| {
        focus(state, Focus::Answer)
    }),
    Command::new(
        "pane.resize",
        "Resize the pane",
        "Makes the pane with the focus larger or smaller.",
        "!overlay && !replay",
        resize,
    )
    .takes(&[
        optional("by", Kind::Integer, "Hundredths of what there is; below zero makes it smaller."),
        optional("pane", Kind::Choice(PANES), "The pane; the one with the focus if absent."),
        optional("to", Kind::Integer, "Hundredths to set it to."),
    ]),
    Command::new(
        "pane.side",
        "Hide or show the schema",
        "Gives its room to editor and result.",
        "investigate",
        |state, _| {
            state.kept.panes.side_hidden = !state.kept.panes.side_hidden;
            if state.kept.panes.side_hidden && state.focus == Focus::Schema {
                state.focus = Focus::Editor;
            }
            Ok(vec![state.keep()])
        },
    ),
    Command::new(
        "question.fold",
        "Fold the question",
        "Shows one line of the question, or all of it.",
        "task",
        |state, _| {
            state.kept.panes.question_folded = !state.kept.panes.question_folded;
            Ok(vec![state.keep()])
        },
    ),
    Command::new("theme.choose", "Choose a theme", "Changes the colours.", "", theme).takes(&[optional(
        "name",
        Kind::Text,
        "The theme; a list is shown if absent. 'auto' follows the terminal.",
    )]),
    Command::new(
        "mouse.toggle",
        "Take or free the mouse",
        "Lets the terminal select text, or takes the mouse back.",
        "",
        |state, _| {
            state.mouse = !state.mouse;
            state.inform(if state.mouse {
                "the mouse works here; hold Shift to select text"
            } else {
                "the terminal has the mouse"
            });
            Ok(vec![Effect::Drive(Drive::Mouse(state.mouse))])
        },
    ),
    Command::new("workbench.redraw", "Redraw", "Draws everything anew.", "", |_, _| {
        Ok(vec![Effect::Drive(Drive::Redraw)])
    }),
    Command::new(
        "workbench.suspend",
        "Suspend",
        "Stops the program until the shell brings it back.",
        "",
        |_, _| Ok(vec![Effect::Drive(Drive::Suspend)]),
    ),
    Command::new("workbench.quit", "Quit", "Ends the workbench; what is open can be gone on with.", "", quit)
        .takes(&[optional("now", Kind::Boolean, "Whether to end without asking.")]),
];

const PANES: &[&str] = &["side", "editor", "answer", "list"];

fn palette(state: &mut Workbench, _: Arguments<'_>) -> Done {
    let mut items: Vec<Item> = Vec::new();
    for group in all() {
        for command in
            group.commands.iter().filter(|command| command.is_offered(state) && is_for_people(command))
        {
            items.push(Item {
                label: format!("{}: {}", group.title, command.title),
                detail: command.doc.to_owned(),
                aside: state.keymap.keys_of(state, command.id).unwrap_or_default(),
                gives: Invocation::of(command.id),
            });
        }
    }
    // What was given last stands first; the sort keeps the order of the rest.
    let place = |item: &Item| {
        let recent = state.kept.recent.iter().position(|id| *id == item.gives.command);
        recent.unwrap_or(usize::MAX)
    };
    items.sort_by_key(place);
    state.overlays.push(Overlay::Picker(Picker::new("Commands", Purpose::Palette, items)));
    Ok(Vec::new())
}

/// Whether a command makes sense in the palette: moving, typing, and what needs a place or a text that only a script or the mouse
/// would give do not.
pub(super) fn is_for_people(command: &Command) -> bool {
    const LOW: [&str; 8] =
        ["text.", "picker.", "prompt.", "confirm.", "reader.", "overlay.", "completion.", "find."];
    const VERBS: [&str; 5] = ["move", "select", "place", "set", "insert"];
    const ALONE: [&str; 5] = ["palette.open", "copy.text", "answer.prose", "cases.filter", "saved.remove"];
    /// Of those that write text, what a person may look for; none of them has a key without Ctrl or Alt while text is written.
    const EDITING: [&str; 5] = ["text.select_all", "text.copy", "text.cut", "text.undo", "text.redo"];
    let verb = command.id.split_once('.').map_or("", |(_, verb)| verb);
    let is_low = LOW.iter().any(|area| command.id.starts_with(area))
        || ALONE.contains(&command.id)
        || (VERBS.contains(&verb) && command.id != "schema.insert");
    !is_low || EDITING.contains(&command.id)
}

/// Notes that a command was given through the palette.
pub(super) fn remember(state: &mut Workbench, command: &str) -> Effect {
    state.kept.recent.retain(|id| id != command);
    state.kept.recent.insert(0, command.to_owned());
    state.kept.recent.truncate(RECENT);
    state.keep()
}

fn help(state: &mut Workbench, _: Arguments<'_>) -> Done {
    if !state.overlays.iter().any(Overlay::is_reader) {
        let sections = super::overlay::help::help(state);
        state.overlays.push(Overlay::Reader(Reader::new("Help", Content::Help { sections })));
    }
    Ok(Vec::new())
}

fn notices(state: &mut Workbench, _: Arguments<'_>) -> Done {
    state.overlays.push(Overlay::Reader(Reader::new("Messages", Content::Notices)));
    Ok(Vec::new())
}

fn inspect(state: &mut Workbench, _: Arguments<'_>) -> Done {
    state.overlays.push(Overlay::Keys(KeyInspector::default()));
    Ok(Vec::new())
}

fn focus(state: &mut Workbench, focus: Focus) -> Done {
    state.page = Page::Investigate;
    state.focus = focus;
    if focus == Focus::Schema && state.kept.panes.side_hidden {
        state.kept.panes.side_hidden = false;
        return Ok(vec![state.keep()]);
    }
    Ok(Vec::new())
}

fn focus_next(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let by = arguments.integer("by").unwrap_or(1);
    let step = if by < 0 { -1 } else { 1 };
    for _ in 0..by.unsigned_abs().min(4) {
        state.focus = state.focus.round(step);
        if state.focus == Focus::Schema && state.kept.panes.side_hidden {
            state.focus = state.focus.round(step);
        }
    }
    Ok(Vec::new())
}

fn resize(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let by = i16::try_from(arguments.integer("by").unwrap_or(4)).unwrap_or(4);
    let named = arguments.text("pane").map_or_else(
        || {
            let focused = match (state.page, state.focus) {
                (Page::Cases, _) => "list",
                (Page::Investigate, Focus::Schema) => "side",
                (Page::Investigate, Focus::Answer) => "answer",
                (Page::Investigate, Focus::Editor | Focus::Grid) | (Page::Replay, _) => "editor",
            };
            focused.to_owned()
        },
        str::to_owned,
    );
    // The result grows when the editor shrinks.
    let is_grid =
        state.page == Page::Investigate && state.focus == Focus::Grid && arguments.text("pane").is_none();
    let by = if is_grid { by.saturating_neg() } else { by };
    let panes = &mut state.kept.panes;
    let size = match named.as_str() {
        "side" => &mut panes.side,
        "answer" => &mut panes.answer,
        "list" => &mut panes.list,
        _ => &mut panes.editor,
    };
    match arguments.integer("to") {
        Some(to) => *size = u16::try_from(to).unwrap_or(0).clamp(Panes::RANGE.0, Panes::RANGE.1),
        None => Panes::change(size, by),
    }
    Ok(vec![state.keep()])
}

fn theme(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let Some(name) = arguments.text("name") else {
        let mut items = vec![Item {
            label: "Auto".to_owned(),
            detail: "dark or light, as the terminal is".to_owned(),
            aside: String::new(),
            gives: Invocation::of("theme.choose").with("name", "auto"),
        }];
        items.extend(state.settings.themes.iter().map(|(name, title)| Item {
            label: title.clone(),
            detail: name.clone(),
            aside: if state.theme() == name { "in use".to_owned() } else { String::new() },
            gives: Invocation::of("theme.choose").with("name", name.as_str()),
        }));
        state.overlays.push(Overlay::Picker(Picker::new("Themes", Purpose::Choice, items)));
        return Ok(Vec::new());
    };
    if name != "auto" && state.settings.themes.iter().all(|(it, _)| it != name) {
        return Err(format!("there is no theme '{name}'; casebook themes lists them"));
    }
    state.kept.theme = Some(name.to_owned());
    Ok(vec![state.keep()])
}

fn quit(state: &mut Workbench, arguments: Arguments<'_>) -> Done {
    let is_running = state.workspace.as_ref().is_some_and(|space| space.running.is_some());
    let is_writing = state.requests.has(WRITING);
    // Asked twice, it is meant; in a small window the question can't be seen.
    let was_asked =
        matches!(state.overlays.last(), Some(Overlay::Confirm(it)) if it.then.command == "workbench.quit");
    if (is_running || is_writing) && !was_asked && arguments.flag("now") != Some(true) {
        let what = if is_running {
            "A statement is running; it would be cancelled."
        } else {
            "A file is being written."
        };
        state.overlays.push(Overlay::Confirm(Confirm {
            title: "Quit?".to_owned(),
            lines: vec![what.to_owned(), "What you wrote is kept.".to_owned()],
            yes: "Quit".to_owned(),
            then: Invocation::of("workbench.quit").with("now", true),
        }));
        return Ok(Vec::new());
    }
    state.has_ended = true;
    Ok(vec![Effect::Drive(Drive::Quit)])
}

/// The argument that a command needs and the palette has to ask for.
pub(super) fn missing(command: &Command) -> Option<super::command::Argument> {
    command.arguments.iter().copied().find(|argument| argument.required)
}
