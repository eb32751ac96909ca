//! What services answered, and what follows from it.

use super::effect::{Drive, Effect};
use super::investigate;
use super::overlay::Overlay;
use super::overlay::reader::Content;
use super::replay;
use super::reply::Reply;
use super::request::RequestId;
use super::state::Workbench;
use super::update::give;

pub(super) fn take(state: &mut Workbench, request: RequestId, reply: Reply) -> Vec<Effect> {
    match reply {
        Reply::Catalogue(catalogue) => {
            for problem in &catalogue.problems {
                state.warn(problem.clone());
            }
            state.catalogue = Some(catalogue);
            super::cases::refresh(state);
            match state.wanted.take() {
                Some(wanted) => give(state, &wanted),
                None => Vec::new(),
            }
        }
        Reply::Kept { kept, history, problems } => {
            let theme =
                kept.theme.clone().filter(|name| state.settings.themes.iter().any(|(it, _)| it == name));
            state.kept = super::settings::Kept { theme, ..kept };
            state.history = history;
            for problem in problems {
                state.warn(problem);
            }
            super::cases::refresh(state);
            Vec::new()
        }
        Reply::OwnTrials(own) => {
            state.own = own;
            super::cases::refresh(state);
            Vec::new()
        }
        Reply::Opened(opened) => investigate::opening::opened(state, *opened),
        Reply::Rows(rows) => investigate::running::rows(state, request, rows),
        Reply::QueryFailed(failure) => investigate::running::failed(state, request, failure),
        Reply::Arranged(order) => {
            if let Some(space) = &mut state.workspace {
                space.arranged(request, order);
            }
            Vec::new()
        }
        Reply::Statistics(counted) => {
            if let Some(Overlay::Reader(reader)) = state.overlays.last_mut()
                && let Content::Statistics { counted: place, .. } = &mut reader.content
            {
                *place = Some(counted);
            }
            Vec::new()
        }
        Reply::Joins { table, column, joins } => investigate::joins::found(state, &table, &column, &joins),
        Reply::Pretty(pretty) => {
            if let Some(Overlay::Reader(reader)) = state.overlays.last_mut()
                && let Content::Cell(cell) = &mut reader.content
                && cell.request == Some(request)
            {
                cell.pretty = Some(pretty);
            }
            Vec::new()
        }
        Reply::CopyReady { text, what } => {
            state.register.clone_from(&text);
            vec![Effect::Drive(Drive::Copy { text, what })]
        }
        Reply::TextRead { name, text } => {
            investigate::editor_commands::text_read(state, name, &text);
            Vec::new()
        }
        reply @ (Reply::TraceChoices(_)
        | Reply::TraceOpened(_)
        | Reply::TraceShown(_)
        | Reply::TraceGrew { .. }
        | Reply::TraceDetail(_)
        | Reply::TraceCompared(_)
        | Reply::TraceReplayed(_)
        | Reply::MinimalEvidence { .. }) => replay::replies::take(state, request, reply),
        Reply::Done(words) => {
            if !words.is_empty() {
                state.inform(words);
            }
            Vec::new()
        }
        Reply::Submitted { run, answer } => investigate::opening::submitted(state, &run, *answer),
        Reply::Failed(reason) => {
            replay::replies::given_up(state, request, &reason);
            state.fail(reason);
            investigate::running::given_up(state, request);
            Vec::new()
        }
        Reply::Closed(reason) => investigate::opening::closed(state, reason),
        Reply::Trouble(text) => trouble(state, text),
    }
}

/// Tells of something that nobody asked for.
pub(super) fn trouble(state: &mut Workbench, text: String) -> Vec<Effect> {
    state.warn(text);
    Vec::new()
}
