//! The timeline: a line a step. Only the lines that show are laid out, so that a frame of a long trace costs no more.

use super::scroll;
use crate::domain::replay::ReplayVerdict;
use crate::screen::hit_map::Hit;
use crate::screen::part::canvas::Canvas;
use crate::screen::part::figures::{counted, number, took};
use crate::screen::part::pane::Pane;
use crate::screen::part::result_grid::words;
use crate::screen::part::scrollbar::{Scroll, scrollbar};
use crate::screen::theme::Role;
use crate::workbench::Workbench;
use crate::workbench::command::Invocation;
use crate::workbench::layout::Area;
use crate::workbench::replay::evidence::EvidenceKind;
use crate::workbench::replay::step::{Outcome, Step, StepKind};
use crate::workbench::replay::{Replay, ReplayPane};
use std::collections::BTreeMap;
use std::time::Duration;

/// Cells of the time.
const TIME: u16 = 7;
/// Cells of the kind.
const KIND: u16 = 8;
/// Most cells of what came of a step.
const OUTCOME: u16 = 10;
/// From this width on tokens are shown.
const TOKENS_FROM: u16 = 56;
/// From this width on it is shown how long a call took.
const TOOK_FROM: u16 = 70;
/// Most cells of that.
const TOOK: u16 = 8;
/// Most cells of tokens.
const TOKENS: u16 = 14;

pub(super) fn draw(canvas: &mut Canvas<'_>, area: Area, state: &Workbench, replay: &Replay) {
    let has_focus = state.has_replay_focus(ReplayPane::Timeline);
    let steps = replay.steps();
    let aside = match steps.len() {
        0 => String::new(),
        count => counted(count as u64, "step", "steps"),
    };
    let foot = if steps.is_empty() {
        String::new()
    } else {
        format!("{} of {}", number(replay.chosen as u64 + 1), number(steps.len() as u64))
    };
    let pane = Pane { title: ReplayPane::Timeline.title(), aside: &aside, foot: &foot, has_focus };
    let inside = pane.draw(canvas, area);
    let wheel = |by: i64| Some(scroll(ReplayPane::Timeline, by));
    let press = Some(Invocation::of("replay.pane").with("to", ReplayPane::Timeline.name()));
    let hit = Hit { press, wheel_up: wheel(-3), wheel_down: wheel(3), ..Hit::default() };
    canvas.hits().add(area, hit.clone());
    if steps.is_empty() {
        let text = if replay.asked_for_trace() { "Reading the trial." } else { "There are no steps." };
        words(canvas, inside, &[text.to_owned()]);
        return;
    }
    let firsts = firsts(replay);
    let height = usize::from(inside.height);
    let digits = u16::try_from(steps.len().to_string().len()).unwrap_or(5).max(2);
    for (y, place) in (inside.y..).zip(replay.top..steps.len().min(replay.top + height)) {
        let line = Area { y, height: 1, ..inside };
        if place == replay.chosen {
            canvas.choose(line, has_focus);
        }
        let mark = firsts.get(&place).copied();
        step(canvas, line, replay, &steps[place], place, digits, mark);
        let press = Some(Invocation::of("replay.select").with("index", place));
        let again = Some(Invocation::of("replay.enter"));
        canvas.hits().add(line, Hit { press, again, ..hit.clone() });
    }
    scrollbar(canvas, inside, Scroll { total: steps.len(), shown: height, top: replay.top });
}

/// Steps at which something needed first appears.
fn firsts(replay: &Replay) -> BTreeMap<usize, EvidenceKind> {
    let counts = replay.evidence.iter().filter(|item| item.is_required != Some(false));
    let mut firsts = BTreeMap::new();
    for item in counts {
        if let Some(first) = item.first {
            // A table or join says more about a step than a subject does.
            let kind = firsts.entry(first).or_insert(item.kind);
            if item.kind != EvidenceKind::Subject {
                *kind = item.kind;
            }
        }
    }
    firsts
}

fn step(
    canvas: &mut Canvas<'_>,
    line: Area,
    replay: &Replay,
    step: &Step,
    place: usize,
    digits: u16,
    mark: Option<EvidenceKind>,
) {
    let faint = canvas.style(Role::Faint);
    let end = line.x + line.width;
    let mut x = line.x + 1;
    let style = canvas.style(Role::LineNumber);
    canvas.text_right(x + digits, line.y, digits, &(place + 1).to_string(), style);
    x += digits + 1;
    if let Some(at) = step.at {
        canvas.text_right(x + TIME - 1, line.y, TIME - 1, &since(at), faint);
    }
    x += TIME;
    let style = canvas.style(kind_role(step));
    canvas.text(x, line.y, KIND - 1, step.kind.word(), style);
    x += KIND;
    // On the right, from the edge: the verdict, what came of it, tokens.
    let mut right = end.saturating_sub(2);
    if let Some((sign, role)) = verdict_sign(canvas, replay.verdicts.of(step.event)) {
        let style = canvas.style(role);
        canvas.text(right, line.y, 1, sign, style);
    }
    right = right.saturating_sub(1);
    let (text, role) = outcome(step);
    if !text.is_empty() {
        let style = canvas.style(role);
        right = right.saturating_sub(canvas.text_right(right, line.y, OUTCOME, &text, style) + 1);
    }
    if let Some(microseconds) = step.took.filter(|_| line.width >= TOOK_FROM) {
        let text = took(Duration::from_micros(microseconds));
        right = right.saturating_sub(canvas.text_right(right, line.y, TOOK, &text, faint) + 1);
    }
    if let Some((input, output)) = step.tokens.filter(|_| line.width >= TOKENS_FROM) {
        let (up, down) = (canvas.symbols().arrow_up, canvas.symbols().arrow_down);
        let text = format!("{up}{} {down}{}", short(input), short(output));
        right = right.saturating_sub(canvas.text_right(right, line.y, TOKENS, &text, faint) + 1);
    }
    if let Some(kind) = mark {
        let sign = canvas.symbols().marked;
        let role = if kind == EvidenceKind::Subject { Role::Info } else { Role::Marked };
        let style = canvas.style(role);
        canvas.text(x, line.y, 1, sign, style);
    }
    x += 2;
    let role = match step.kind {
        StepKind::Query | StepKind::Model | StepKind::Answer => Role::Text,
        StepKind::Error | StepKind::Limit => Role::Danger,
        _ => Role::Muted,
    };
    let style = canvas.style(role);
    let room = right.saturating_sub(x + 1);
    let mut taken = 0;
    if let Some(mark) = step.mark {
        let warning = canvas.style(Role::Warning);
        taken = canvas.text(x, line.y, room, &format!("({mark}) "), warning);
    }
    if !replay.find.is_empty() && step.gist.to_lowercase().contains(&replay.find.to_lowercase()) {
        found(
            canvas,
            Area { x: x + taken, width: room.saturating_sub(taken), ..line },
            &step.gist,
            &replay.find,
        );
    } else {
        canvas.text(x + taken, line.y, room.saturating_sub(taken), &step.gist, style);
    }
}

/// A line with what was looked for brought into view.
fn found(canvas: &mut Canvas<'_>, area: Area, gist: &str, wanted: &str) {
    let lower = gist.to_lowercase();
    let at = lower.find(&wanted.to_lowercase()).unwrap_or(0);
    // Lower case may be longer than the text: then the text is shown as it is.
    let range = (lower.len() == gist.len()).then(|| at..at + wanted.to_lowercase().len());
    let (plain, hit) = (canvas.style(Role::Text), canvas.style(Role::SearchHit));
    match range
        .and_then(|range| Some((gist.get(..range.start)?, gist.get(range.clone())?, gist.get(range.end..)?)))
    {
        Some((before, middle, after)) => {
            let room = usize::from(area.width);
            let skipped: String = if before.chars().count() + wanted.chars().count() > room {
                let keep = room / 3;
                let skip = before.chars().count().saturating_sub(keep);
                format!("{}{}", canvas.symbols().ellipsis, before.chars().skip(skip).collect::<String>())
            } else {
                before.to_owned()
            };
            canvas.pieces(area.x, area.y, area.width, &[(&skipped, plain), (middle, hit), (after, plain)]);
        }
        None => {
            canvas.text(area.x, area.y, area.width, gist, plain);
        }
    }
}

const fn kind_role(step: &Step) -> Role {
    if step.is_error() {
        return Role::Danger;
    }
    match step.kind {
        StepKind::Query => Role::Accent,
        StepKind::Model | StepKind::Answer => Role::Strong,
        StepKind::Limit | StepKind::Policy => Role::Warning,
        StepKind::Score | StepKind::Judge => Role::Info,
        _ => Role::Muted,
    }
}

fn outcome(step: &Step) -> (String, Role) {
    match step.outcome {
        Outcome::None => (String::new(), Role::Muted),
        Outcome::Result => ("result".to_owned(), Role::Muted),
        Outcome::Rows(1) => ("1 row".to_owned(), Role::Muted),
        Outcome::Rows(rows) => (format!("{} rows", short(rows)), Role::Muted),
        Outcome::CutRows(rows) => (format!("{}+ rows", short(rows)), Role::Warning),
        Outcome::Error => ("error".to_owned(), Role::Danger),
        Outcome::Missing => ("no result".to_owned(), Role::Warning),
    }
}

/// The sign of a verdict, and its meaning.
pub(super) fn verdict_sign(
    canvas: &Canvas<'_>,
    verdict: Option<&ReplayVerdict>,
) -> Option<(&'static str, Role)> {
    let symbols = canvas.symbols();
    Some(match verdict? {
        ReplayVerdict::Match | ReplayVerdict::SameError => (symbols.success, Role::Agree),
        ReplayVerdict::MatchReordered | ReplayVerdict::Prefix => (symbols.same, Role::Agree),
        ReplayVerdict::Differs(_) => (symbols.different, Role::Disagree),
        ReplayVerdict::NotReplayable(_) => (symbols.bullet, Role::Muted),
    })
}

/// A moment of the trial: `0.4s`, `12.3s`, `3:07`, `1:02:03`.
fn since(milliseconds: u64) -> String {
    let seconds = milliseconds / 1_000;
    match seconds {
        0..60 => format!("{seconds}.{}s", milliseconds % 1_000 / 100),
        60..3_600 => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!("{}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60),
    }
}

/// A count in at most 5 cells: `812`, `12.3k`, `4.5M`.
fn short(count: u64) -> String {
    match count {
        0..10_000 => count.to_string(),
        10_000..1_000_000 => format!("{}k", count / 1_000),
        _ => format!("{}.{}M", count / 1_000_000, count / 100_000 % 10),
    }
}
