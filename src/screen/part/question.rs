//! The strip with the question: the task's id, what is asked, the hints that were shown, what was answered.

use super::canvas::Canvas;
use super::figures::counted;
use crate::domain::trial::{Answer, Verdict};
use crate::screen::theme::Role;
use crate::workbench::Workbench;
use crate::workbench::command::Invocation;
use crate::workbench::investigate::Workspace;
use crate::workbench::layout::{Area, QuestionLine, question_indent, question_lines};

pub(in crate::screen) fn draw(canvas: &mut Canvas<'_>, area: Area, state: &Workbench, space: &Workspace) {
    let Some(task) = space.task.as_ref().filter(|_| area.height > 0) else { return };
    let indent = question_indent(&task.id);
    let (x, end) = (area.x + 1, area.x + area.width.saturating_sub(2));
    let room = end.saturating_sub(x + indent + 1);
    let (accent, text) = (canvas.style(Role::Accent), canvas.style(Role::Text));
    let is_folded = state.kept.panes.question_folded;
    let fold = if is_folded { canvas.symbols().collapsed } else { canvas.symbols().expanded };
    let muted = canvas.style(Role::Muted);
    canvas.text(end, area.y, 1, fold, muted);
    canvas.hits().press(area, Invocation::of("question.fold"));
    canvas.text(x, area.y, indent - 1, &task.id, accent);
    if is_folded {
        let mut room = room;
        if let Some(answer) = &space.submitted {
            let words = answered(canvas, answer);
            let style = canvas.style(Role::Success);
            let taken = canvas.text_right(end - 1, area.y, room / 2, &words, style);
            room -= (taken + 2).min(room);
        }
        let whole = task.question.split_whitespace().collect::<Vec<_>>().join(" ");
        canvas.text(x + indent, area.y, room, &whole, text);
        return;
    }
    let lines = question_lines(state, area.width);
    let is_cut = lines.len() > usize::from(area.height);
    for (y, line) in (area.y..area.y + area.height).zip(&lines) {
        let is_last = is_cut && y + 1 == area.y + area.height;
        match line {
            QuestionLine::Question(line) => {
                let taken = canvas.text(x + indent, y, room, line, text);
                if is_last {
                    let sign = canvas.symbols().ellipsis;
                    canvas.text(x + indent + taken, y, 2, sign, muted);
                }
            }
            QuestionLine::Hint(number, line) => {
                if let Some(number) = number {
                    let info = canvas.style(Role::Info);
                    canvas.text(x, y, indent - 1, &format!("hint {number}"), info);
                }
                canvas.text(x + indent, y, room, line, muted);
            }
            QuestionLine::Answered => {
                if let Some(answer) = &space.submitted {
                    let words = answered(canvas, answer);
                    let style = canvas.style(Role::Success);
                    canvas.text(x, y, room + indent, &words, style);
                }
            }
        }
    }
}

/// What was answered, in a line.
fn answered(canvas: &Canvas<'_>, answer: &Answer) -> String {
    let verdict = match answer.verdict {
        None => "no verdict",
        Some(Verdict::NotApplicable) => "not applicable",
        Some(verdict) => verdict.name(),
    };
    let mut parts = vec![verdict.to_owned()];
    let subjects = answer.subjects.as_ref().map_or(0, Vec::len) as u64;
    let facts = answer.facts.as_ref().map_or(0, std::collections::BTreeMap::len) as u64;
    parts.extend((subjects > 0).then(|| counted(subjects, "subject", "subjects")));
    parts.extend((facts > 0).then(|| counted(facts, "fact", "facts")));
    let words = answer.answer.split_whitespace().count() as u64;
    parts.extend((words > 0).then(|| counted(words, "word", "words")));
    format!("{} answered: {}", canvas.symbols().success, parts.join(", "))
}
