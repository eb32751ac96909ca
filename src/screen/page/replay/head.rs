//! What is open: the source, the trial, who acted, how it ended, what running it again came to; below it the question.

use super::which;
use crate::screen::part::canvas::Canvas;
use crate::screen::theme::Role;
use crate::text::visible::visible;
use crate::text::width::width;
use crate::workbench::command::Invocation;
use crate::workbench::layout::Area;
use crate::workbench::replay::playing::SPEEDS;
use crate::workbench::replay::{Replay, Verdicts};
use ratatui::style::Style;

pub(super) fn draw(canvas: &mut Canvas<'_>, area: Area, replay: &Replay) {
    let line = Area { x: area.x + 1, width: area.width.saturating_sub(2), height: 1, ..area };
    let right = verdicts(canvas, replay);
    let right_width: usize = right.iter().map(|(text, _)| width(text)).sum();
    let right_width = u16::try_from(right_width).unwrap_or(u16::MAX).min(line.width);
    let mut x = line.x + line.width - right_width;
    for (text, style) in &right {
        x += canvas.text(x, line.y, (line.x + line.width).saturating_sub(x), text, *style);
    }
    let hit = Area { x: line.x + line.width - right_width, width: right_width, ..line };
    canvas.hits().press(hit, Invocation::of("replay.jump").with("to", "difference"));
    let room = line.width.saturating_sub(right_width + 2);
    let (strong, muted) = (canvas.style(Role::Strong), canvas.style(Role::Muted));
    let mut pieces: Vec<(String, Style)> = vec![(replay.source.title.clone(), strong)];
    let trial = replay.trace.as_ref().and_then(|trace| replay.source.trials.get(trace.index));
    if let (Some(trial), Some(trace)) = (trial, &replay.trace) {
        let role = match trace.ending.as_str() {
            "answered" => Role::Success,
            "running" => Role::Accent,
            "error" => Role::Danger,
            _ => Role::Warning,
        };
        pieces.push((format!("  {} {}", trial.task, trial.attempt), canvas.style(Role::Accent)));
        pieces.push((format!("  {}", trace.ending), canvas.style(role)));
        let rest = [which(replay), trial.snapshot.clone(), trace.actor.clone()];
        pieces.extend(rest.iter().filter(|text| !text.is_empty()).map(|text| (format!("  {text}"), muted)));
    } else {
        pieces.push((format!("  {}", replay.source.format), muted));
    }
    if replay.playing.is_some() {
        let speed =
            format!("  playing {}{}", SPEEDS[replay.speed.min(SPEEDS.len() - 1)], canvas.symbols().times);
        pieces.push((speed, canvas.style(Role::Accent)));
    }
    // What has no room is left out whole, but the first two.
    let mut left = room;
    let mut x = line.x;
    for (nth, (text, style)) in pieces.iter().enumerate() {
        let cells = u16::try_from(width(&visible(text))).unwrap_or(u16::MAX);
        if cells > left && nth > 1 {
            continue;
        }
        let taken = canvas.text(x, line.y, left, text, *style);
        x += taken;
        left = left.saturating_sub(taken);
    }
    canvas.hits().press(Area { width: room, ..line }, Invocation::of("replay.trials"));
    if area.height > 1
        && let Some(question) = replay.trace.as_ref().and_then(|trace| trace.question.as_ref())
    {
        let words: String = question.split_whitespace().collect::<Vec<_>>().join(" ");
        let style = canvas.style(Role::Text);
        canvas.text(line.x, area.y + 1, line.width, &words, style);
    }
}

/// What running the calls again came to, in a few words.
fn verdicts(canvas: &Canvas<'_>, replay: &Replay) -> Vec<(String, Style)> {
    let muted = canvas.style(Role::Muted);
    match &replay.verdicts {
        Verdicts::Unknown => Vec::new(),
        Verdicts::Running => vec![("running the calls again".to_owned(), muted)],
        Verdicts::Impossible(_) => {
            vec![("can't be run again here (i: why)".to_owned(), canvas.style(Role::Warning))]
        }
        Verdicts::Known(_, counts) => {
            let of = |words: &[&str]| words.iter().filter_map(|word| counts.get(word)).sum::<usize>();
            let same = of(&["match", "match_reordered", "prefix", "same_error"]);
            let (differ, not) = (of(&["differs"]), of(&["not_replayable"]));
            let all = same + differ + not;
            if all == 0 {
                return vec![("no calls".to_owned(), muted)];
            }
            let sign = if differ > 0 { canvas.symbols().different } else { canvas.symbols().success };
            let role = if differ > 0 { Role::Disagree } else { Role::Agree };
            let mut text = format!("{sign} {same} of {all} calls the same");
            if differ > 0 {
                text = format!("{text}, {differ} differ");
            }
            if not > 0 {
                text = format!("{text}, {not} can't be repeated");
            }
            vec![(text, canvas.style(role))]
        }
    }
}
