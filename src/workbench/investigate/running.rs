//! Running statements, one after another, and what comes of them.

use super::super::effect::{Ask, Effect, Tell};
use super::super::layout;
use super::super::overlay::Overlay;
use super::super::overlay::plan::plan_lines;
use super::super::overlay::reader::{Content, Reader};
use super::super::reply::{QueryFailure, QueryRows};
use super::super::request::RequestId;
use super::super::state::Workbench;
use super::grid::Grid;
use super::history::{HistoryEntry, MOST};
use super::{Purpose, Running, Statement};
use crate::domain::trial::INVESTIGATION;

/// Runs a statement.
///
/// # Errors
/// In words: nothing is open, the trial is over, or another statement runs.
pub(super) fn run(
    state: &mut Workbench,
    statement: Statement,
    purpose: Purpose,
) -> Result<Vec<Effect>, String> {
    state.is_free()?;
    let space = state.space()?;
    if space.is_over() {
        return Err("the case is answered; start it anew (Cases, n) to run statements".to_owned());
    }
    if space.running.is_some() {
        return Err("a statement is running; Ctrl-C cancels it".to_owned());
    }
    space.failure = None;
    let look = purpose != Purpose::Result;
    let sql = statement.sql.clone();
    let (request, effect) = state.ask("running the statement", Ask::Run { sql, look });
    let since = state.now;
    let space = state.space()?;
    space.running = Some(Running { request, since, statement, is_cancelled: false, purpose });
    Ok(vec![effect])
}

/// The next of the queue.
fn next(state: &mut Workbench) -> Vec<Effect> {
    let Some(space) = &mut state.workspace else { return Vec::new() };
    let Some(statement) = space.queue.pop_front() else { return Vec::new() };
    run(state, statement, Purpose::Result).unwrap_or_default()
}

/// The statement that runs for a request ends.
fn ended(state: &mut Workbench, request: RequestId) -> Option<Running> {
    let (space, now) = (state.workspace.as_mut()?, state.now);
    let ended = space.running.take_if(|running| running.request == request)?;
    space.ended = Some(now);
    Some(ended)
}

pub(in crate::workbench) fn rows(state: &mut Workbench, request: RequestId, rows: QueryRows) -> Vec<Effect> {
    let Some(running) = ended(state, request) else { return Vec::new() };
    let mut effects = Vec::new();
    match running.purpose {
        Purpose::Plan => {
            let lines = plan_lines(&rows.result);
            state.overlays.push(Overlay::Reader(Reader::new("Query plan", Content::Plan { lines })));
        }
        Purpose::Result | Purpose::Preview => {
            if running.purpose == Purpose::Result {
                effects.push(remember(state, &rows.sql, Some(rows.result.rows.len() as u64)));
            }
            let cells = layout::grid_parts(layout::investigate(state).grid).cells;
            let Some(space) = &mut state.workspace else { return effects };
            let identifying = space.answer.identifying.clone();
            let mut grid = Grid::new(rows, identifying.as_deref(), running.purpose == Purpose::Preview);
            grid.fit(usize::from(cells));
            space.add_grid(grid);
        }
    }
    effects.extend(next(state));
    effects
}

pub(in crate::workbench) fn failed(
    state: &mut Workbench,
    request: RequestId,
    failure: QueryFailure,
) -> Vec<Effect> {
    let Some(running) = ended(state, request) else { return Vec::new() };
    let mut effects = Vec::new();
    if running.purpose == Purpose::Result && !failure.cancelled {
        effects.push(remember(state, &failure.sql, None));
    }
    let Some(space) = &mut state.workspace else { return effects };
    // What was to run after it was written for its result.
    space.queue.clear();
    // A plan's statement begins with words that are not in the editor.
    let shift = if running.purpose == Purpose::Plan { super::statement_commands::EXPLAIN.len() } else { 0 };
    if let Some((number, at)) = running.statement.place
        && let Some(offset) = failure.offset.and_then(|offset| offset.checked_sub(shift))
        && let Some(buffer) = space.editor.numbered(number)
    {
        buffer.error = Some(at + offset);
    }
    if failure.cancelled {
        state.inform(failure.message);
    } else {
        space.failure = Some(failure);
    }
    effects
}

/// A request was answered by a failure of the service: nothing runs for it any more.
pub(in crate::workbench) fn given_up(state: &mut Workbench, request: RequestId) {
    if ended(state, request).is_some()
        && let Some(space) = &mut state.workspace
    {
        space.queue.clear();
    }
}

/// Adds a statement to the history.
fn remember(state: &mut Workbench, sql: &str, rows: Option<u64>) -> Effect {
    let space = state.workspace.as_ref();
    let entry = HistoryEntry {
        sql: sql.to_owned(),
        snapshot: space.map(|space| space.snapshot.name.clone()).unwrap_or_default(),
        work: space
            .and_then(|space| space.task.as_ref())
            .map_or_else(|| INVESTIGATION.to_owned(), |task| task.id.clone()),
        rows,
    };
    state.history.retain(|it| it.sql != entry.sql);
    if state.history.len() >= MOST {
        state.history.remove(0);
    }
    state.history.push(entry.clone());
    Effect::Tell(Tell::Remember(entry))
}
