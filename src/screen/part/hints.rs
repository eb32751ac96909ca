//! What the status line offers where: a table, a few commands for each context, the most useful first.
//!
//! Only what is offered now and has keys that count now is shown, so the table may name more than that.

use crate::workbench::Workbench;
use crate::workbench::command::{Invocation, find};
use crate::workbench::keys::Context;
use crate::workbench::layout;
use crate::workbench::overlay::Overlay;
use crate::workbench::overlay::reader::Content;

/// A hint, ready to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::screen) struct Hint {
    /// The keys, as they are shown.
    pub(in crate::screen) keys: String,
    /// What they do, in a word or two.
    pub(in crate::screen) label: String,
    /// What a press gives.
    pub(in crate::screen) gives: Invocation,
}

/// A command, one argument of it if it has one, and what it is called here.
type Entry = (&'static str, Option<(&'static str, &'static str)>, &'static str);

const fn of(command: &'static str, label: &'static str) -> Entry {
    (command, None, label)
}

const fn with(command: &'static str, name: &'static str, value: &'static str, label: &'static str) -> Entry {
    (command, Some((name, value)), label)
}

/// By the names of contexts. A context that is not here has nothing to offer.
const TABLE: &[(&str, &[Entry])] = &[
    (
        "cases",
        &[
            of("cases.start", "open"),
            of("cases.restart", "anew"),
            of("cases.find", "find"),
            with("cases.filter", "by", "pack", "pack"),
            with("cases.filter", "by", "complexity", "complexity"),
            with("cases.filter", "by", "status", "status"),
            of("cases.clear", "clear"),
            of("cases.replay", "replay"),
            of("cases.snapshot", "snapshot"),
            with("cases.filter", "by", "platform", "platform"),
            with("cases.filter", "by", "focus", "focus"),
            of("notices.open", "messages"),
            of("workbench.quit", "quit"),
        ],
    ),
    ("finding", &[of("find.keep", "keep"), of("find.leave", "show all")]),
    (
        "completion",
        &[of("completion.accept", "take"), of("completion.next", "next"), of("completion.close", "close")],
    ),
    (
        "writing_sql",
        &[
            of("query.run", "run"),
            of("editor.leave", "stop writing"),
            of("completion.open", "complete"),
            of("query.plan", "plan"),
            of("editor.format", "format"),
            of("history.open", "history"),
        ],
    ),
    (
        "editor",
        &[
            of("editor.write", "write"),
            of("query.run", "run"),
            of("focus.next", "next pane"),
            of("query.plan", "plan"),
            of("history.open", "history"),
            of("editor.format", "format"),
            of("query.run_all", "run all"),
            of("buffer.new", "new buffer"),
        ],
    ),
    (
        "schema",
        &[
            of("schema.insert", "insert"),
            of("schema.preview", "preview"),
            of("schema.expand", "open"),
            of("schema.find", "find"),
            of("focus.next", "next pane"),
            of("pane.side", "hide"),
        ],
    ),
    (
        "grid",
        &[
            of("answer.mark", "mark"),
            of("grid.cell", "inspect"),
            of("grid.sort", "sort"),
            of("grid.filter", "filter"),
            of("focus.next", "next pane"),
            of("grid.statistics", "statistics"),
            of("copy.cell", "copy"),
            of("export.rows", "export"),
            of("grid.record", "row"),
        ],
    ),
    (
        "answer",
        &[
            of("answer.submit", "submit"),
            with("answer.verdict", "verdict", "yes", "yes"),
            with("answer.verdict", "verdict", "no", "no"),
            of("answer.write", "write"),
            of("answer.add", "add"),
            of("answer.remove", "remove"),
            of("focus.next", "next pane"),
            of("answer.fact", "fact"),
            of("answer.undo", "undo"),
        ],
    ),
    ("writing_answer", &[of("answer.leave", "stop writing")]),
    (
        "picker",
        &[
            of("picker.accept", "pick"),
            of("picker.next", "down"),
            of("picker.previous", "up"),
            of("overlay.close", "close"),
        ],
    ),
    ("prompt", &[of("prompt.accept", "accept"), of("overlay.close", "cancel")]),
    ("confirm", &[of("confirm.yes", "yes"), of("overlay.close", "cancel")]),
    ("reader", &[of("overlay.close", "close"), of("reader.scroll", "scroll")]),
    ("investigate", &[of("focus.next", "next pane")]),
    (
        "replay",
        &[
            of("replay.pane", "next area"),
            with("replay.jump", "to", "query", "query"),
            with("replay.jump", "to", "evidence", "evidence"),
            with("replay.jump", "to", "subject", "subject"),
            with("replay.jump", "to", "error", "error"),
            with("replay.jump", "to", "difference", "difference"),
            of("replay.what_if", "what-if"),
            of("replay.trials", "trials"),
            of("replay.play", "play"),
            of("replay.find", "find"),
            of("replay.trial", "next trial"),
            of("replay.copy", "copy"),
            of("replay.runs", "runs"),
            of("replay.open", "open"),
            of("replay.demo", "demo"),
        ],
    ),
    ("writing_what_if", &[of("replay.what_if_run", "run"), of("replay.what_if_leave", "stop writing")]),
];

/// More in text to read, where it is a value of a result.
const CELL: &[Entry] = &[
    of("cell.raw", "raw or readable"),
    of("copy.cell", "copy"),
    with("grid.move", "to", "left", "column before"),
    with("grid.move", "to", "right", "column after"),
    with("grid.move", "to", "down", "row below"),
];

/// More in text to read, where it is a row of a result.
const RECORD: &[Entry] =
    &[with("grid.move", "to", "up", "row above"), with("grid.move", "to", "down", "row below")];

/// What is always at hand, at the end of the line.
const ALWAYS: &[Entry] = &[of("palette.open", "commands"), of("help.open", "help")];

/// What can be done where the keys go, the most useful first.
pub(in crate::screen) fn hints(state: &Workbench) -> Vec<Hint> {
    if let Some(Overlay::Keys(_)) = state.overlays.last() {
        let keys = "Esc Esc".to_owned();
        return vec![Hint { keys, label: "close".to_owned(), gives: Invocation::of("overlay.close") }];
    }
    let cancel = of("query.cancel", "cancel");
    let mut found: Vec<Hint> = hint(state, &cancel).into_iter().collect();
    let active = Context::active(state);
    let innermost = active.iter().find_map(|it| TABLE.iter().find(|(name, _)| *name == it.name));
    found.extend(innermost.iter().flat_map(|(_, entries)| entries.iter()).filter_map(|it| hint(state, it)));
    if let Some(Overlay::Reader(reader)) = state.overlays.last() {
        let more = match reader.content {
            Content::Cell(_) => CELL,
            Content::Record => RECORD,
            _ => &[],
        };
        found.extend(more.iter().filter_map(|it| hint(state, it)));
    }
    found
}

/// What is always at hand.
pub(in crate::screen) fn always(state: &Workbench) -> Vec<Hint> {
    if let Some(Overlay::Keys(_)) = state.overlays.last() {
        return Vec::new();
    }
    ALWAYS.iter().filter_map(|entry| hint(state, entry)).collect()
}

/// A hint, where it would do something.
fn hint(state: &Workbench, (command, argument, label): &Entry) -> Option<Hint> {
    if !find(command)?.is_offered(state) || is_idle(state, command) {
        return None;
    }
    let mut gives = Invocation::of(command);
    if let Some((name, value)) = argument {
        gives = gives.with(name, *value);
    }
    let keys = state.keymap.keys_for(state, &gives)?;
    let label = match (*command, state.overlays.last()) {
        ("confirm.yes", Some(Overlay::Confirm(confirm))) => confirm.yes.to_lowercase(),
        _ => (*label).to_owned(),
    };
    Some(Hint { keys, label, gives })
}

/// What is offered but would change nothing.
fn is_idle(state: &Workbench, command: &str) -> bool {
    match command {
        "cases.clear" => state.cases.filters.is_empty() && state.cases.find.is_empty(),
        "cases.start" | "cases.restart" => state.cases.rows.is_empty(),
        "cases.snapshot" => state.catalogue.as_ref().is_none_or(|it| it.snapshots.is_empty()),
        "cases.find" | "cases.filter" => state.catalogue.is_none(),
        "cases.replay" => state.cases.choice().is_none_or(|entry| state.own_of(entry).is_empty()),
        "reader.scroll" => !can_scroll(state),
        "help.open" => state.overlays.iter().any(Overlay::is_reader),
        "notices.open" => state.notices.all().is_empty(),
        _ => false,
    }
}

/// Whether the text to read is longer than its frame.
fn can_scroll(state: &Workbench) -> bool {
    let Some(Overlay::Reader(reader)) = state.overlays.last() else { return false };
    let frame = layout::reader(state, reader);
    reader.rows(state, layout::reader_cells(frame)) > usize::from(frame.inside().height)
}

#[cfg(test)]
mod tests {
    use super::{CELL, Entry, RECORD, TABLE, hint, hints};
    use crate::screen::test_support;
    use crate::workbench::command::find;
    use crate::workbench::keys::{CONTEXTS, Chord, Found};

    #[test]
    fn every_hint_is_a_command_of_a_context() {
        for (context, entries) in TABLE {
            assert!(CONTEXTS.iter().any(|it| it.name == *context), "{context}");
            for (command, argument, label) in entries.iter().chain(CELL).chain(RECORD) {
                let command = find(command).unwrap_or_else(|| panic!("{command}"));
                let has = |(name, _): (&str, &str)| command.arguments.iter().any(|it| it.name == name);
                assert!(argument.is_none_or(has), "{}", command.id);
                assert!(label.len() <= 16, "{label}");
            }
        }
    }

    #[test]
    fn every_key_of_a_hint_does_what_it_says() {
        for state in test_support::states() {
            for hint in hints(&state) {
                if hint.keys.contains("Esc Esc") {
                    continue;
                }
                let known = state.keymap.bindings().iter().find(|binding| {
                    crate::workbench::keys::shown(&binding.keys) == hint.keys
                        && state.keymap.find(&state, &binding.keys) == Found::Command(hint.gives.clone())
                });
                let keys: Option<&[Chord]> = known.map(|it| it.keys.as_slice());
                assert!(keys.is_some(), "{hint:?}");
            }
        }
    }

    #[test]
    fn what_would_do_nothing_is_not_offered() {
        let state = test_support::cases();
        let clear: Entry = super::of("cases.clear", "clear");
        assert_eq!(hint(&state, &clear), None);
    }
}
