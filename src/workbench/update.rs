//! One event after another: the only way in which the state changes.
//!
//! Not here: what a command does (in its area), what a key means (`keys`). The clock is what the event says.

use super::command::{self, Invocation};
use super::effect::{Ask, Drive, Effect};
use super::event::{Event, Moment};
use super::keys::{Chord, Found, shown, written};
use super::overlay::Overlay;
use super::replies;
use super::reply::Reply;
use super::state::Workbench;
use super::text_input;

/// Changes the state by an event, and says what is to be done. `at` is the time since the workbench began; it never goes back.
pub fn update(state: &mut Workbench, at: Moment, event: Event) -> Vec<Effect> {
    state.now = state.now.max(at);
    if state.has_ended {
        return Vec::new();
    }
    let mut effects = match event {
        Event::Started => started(state),
        Event::Key(chord) => key(state, chord),
        Event::Paste(text) => {
            state.notices.hide();
            text_input::paste(state, &text)
        }
        Event::Command(invocation) => {
            state.notices.hide();
            state.pending.clear();
            give(state, &invocation)
        }
        Event::Elsewhere => {
            state.pending.clear();
            Vec::new()
        }
        Event::Reply { request, reply: reply @ (Reply::Trouble(_) | Reply::TraceGrew { .. }) } => {
            replies::take(state, request, reply)
        }
        Event::Reply { request, reply } => {
            if state.requests.end(request) {
                replies::take(state, request, reply)
            } else {
                Vec::new()
            }
        }
        Event::Resized(size) => {
            state.size = size;
            vec![]
        }
        Event::Background(mode) => {
            state.background = Some(mode);
            Vec::new()
        }
        Event::Told { gravity, text } => {
            state.notices.add(gravity, text, state.now);
            Vec::new()
        }
        Event::Tick => super::replay::commands::tick(state),
        Event::Terminate => {
            state.has_ended = true;
            vec![Effect::Drive(Drive::Quit)]
        }
    };
    super::layout::scroll_into_view(state);
    if state.workspace.as_ref().is_some_and(|space| space.needs_saving) {
        effects.extend(super::investigate::saving::save(state));
    }
    effects
}

fn started(state: &mut Workbench) -> Vec<Effect> {
    let (_, catalogue) = state.ask("reading the packs", Ask::Catalogue);
    let (_, kept) = state.ask("reading what was kept", Ask::Kept);
    let (_, own) = state.ask("reading own trials", Ask::OwnTrials);
    vec![kept, catalogue, own]
}

/// Gives a command; a refusal becomes a notice.
pub(super) fn give(state: &mut Workbench, invocation: &Invocation) -> Vec<Effect> {
    match command::give(state, invocation) {
        Ok(effects) => effects,
        Err(reason) => {
            state.fail(reason);
            Vec::new()
        }
    }
}

/// Gives a command for another.
pub(super) fn give_now(state: &mut Workbench, invocation: &Invocation) -> command::Done {
    command::give(state, invocation)
}

fn key(state: &mut Workbench, chord: Chord) -> Vec<Effect> {
    state.notices.hide();
    state.pending.push(chord);
    let keymap = std::sync::Arc::clone(&state.keymap);
    // The inspector tells what keys do where it was opened.
    let inspector = state.overlays.pop_if(|overlay| matches!(overlay, Overlay::Keys(_)));
    let found = keymap.find(state, &state.pending);
    state.overlays.extend(inspector);
    if let Some(Overlay::Keys(inspector)) = state.overlays.last_mut() {
        let says = match &found {
            Found::Command(invocation) => invocation.command.clone(),
            Found::More => "begins a sequence".to_owned(),
            Found::Text(_) => "writes text".to_owned(),
            Found::Nothing => "does nothing".to_owned(),
        };
        inspector.seen.push((written(&state.pending), says));
        if inspector.seen.len() > 200 {
            inspector.seen.remove(0);
        }
        // Escape twice closes it: once is shown like any other key.
        let twice = inspector.seen.iter().rev().take(2).filter(|(key, _)| key == "esc").count() == 2;
        if !matches!(found, Found::More) {
            state.pending.clear();
        }
        if twice {
            state.overlays.pop();
        }
        return Vec::new();
    }
    match found {
        Found::Command(invocation) => {
            state.pending.clear();
            give(state, &invocation)
        }
        Found::More => Vec::new(),
        Found::Text(character) => {
            state.pending.clear();
            text_input::typed(state, character)
        }
        Found::Nothing => {
            let was_sequence = state.pending.len() > 1;
            let keys = shown(&std::mem::take(&mut state.pending));
            if was_sequence {
                state.inform(format!("{keys} does nothing here"));
            }
            Vec::new()
        }
    }
}
