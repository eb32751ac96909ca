//! A step written out in coloured lines. Long texts are cut and say so; copying gives all of them.

use crate::domain::StatementAnalysis;
use crate::domain::trace::{Counts, Usage};
use crate::domain::trial::Answer;
use crate::domain::{Analysis, JoinEdge};
use crate::services::pretty::pretty;
use crate::text::sql_colours::SqlLines;
use crate::workbench::replay::detail::{Detail, DetailLine, Tone};
use std::fmt::Write as _;
use std::sync::Arc;

/// Bytes of a part that are laid out.
const SHOWN: usize = 64 << 10;

/// What is written so far.
#[derive(Default)]
pub(super) struct Sheet {
    lines: Vec<DetailLine>,
    text: String,
    sql: Option<String>,
}

impl Sheet {
    /// A fact in a line.
    pub(super) fn fact(&mut self, name: &str, value: &str) {
        self.lines.push(vec![(Tone::Muted, format!("{name:<13}")), (Tone::Plain, value.to_owned())]);
    }

    /// Something to be known about it.
    pub(super) fn remark(&mut self, text: &str) {
        self.lines.push(vec![(Tone::Warning, text.to_owned())]);
    }

    fn heading(&mut self, title: &str) {
        if !self.lines.is_empty() {
            self.lines.push(Vec::new());
        }
        self.lines.push(vec![(Tone::Heading, title.to_owned())]);
    }

    /// Words.
    pub(super) fn words(&mut self, title: &str, text: &str) {
        self.part(title, text, Tone::Plain);
    }

    /// Words that tell of a failure.
    pub(super) fn failure(&mut self, title: &str, text: &str) {
        self.part(title, text, Tone::Danger);
    }

    fn part(&mut self, title: &str, text: &str, tone: Tone) {
        self.heading(title);
        self.keep(text);
        if text.trim().is_empty() {
            self.lines.push(vec![(Tone::Muted, "(empty)".to_owned())]);
            return;
        }
        let (shown, rest) = cut(text);
        self.lines.extend(shown.lines().map(|line| vec![(tone, line.to_owned())]));
        self.rest(rest);
    }

    /// A statement.
    pub(super) fn sql(&mut self, title: &str, sql: &str) {
        self.heading(title);
        self.keep(sql);
        self.sql = Some(sql.to_owned());
        let (shown, rest) = cut(sql);
        let lines: Vec<String> = shown.lines().map(str::to_owned).collect();
        let colours = SqlLines::new(&lines);
        for (number, line) in lines.iter().enumerate() {
            let (mut pieces, mut at): (DetailLine, usize) = (Vec::new(), 0);
            for (range, class) in colours.spans(line, number) {
                if range.start > at {
                    pieces.push((Tone::Plain, line[at..range.start].to_owned()));
                }
                pieces.push((Tone::Sql(class), line[range.clone()].to_owned()));
                at = range.end;
            }
            if at < line.len() {
                pieces.push((Tone::Plain, line[at..].to_owned()));
            }
            self.lines.push(pieces);
        }
        self.rest(rest);
    }

    /// A payload, laid out where it is JSON.
    pub(super) fn json(&mut self, title: &str, text: &str) {
        self.heading(title);
        self.keep(text);
        if text.len() > SHOWN {
            let (shown, rest) = cut(text);
            self.lines.extend(shown.lines().map(|line| vec![(Tone::Plain, line.to_owned())]));
            self.rest(rest);
            return;
        }
        for line in pretty(text).lines {
            self.lines.push(line.into_iter().map(|(class, piece)| (Tone::Payload(class), piece)).collect());
        }
    }

    /// What a statement reads and joins.
    pub(super) fn analysis(&mut self, analysis: &StatementAnalysis) {
        let list = |names: &std::collections::BTreeSet<String>| {
            names.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
        };
        if !analysis.tables.is_empty() {
            self.fact("tables", &list(&analysis.tables));
        }
        let joins: Vec<String> = analysis.joins.iter().chain(&analysis.soft_joins).map(edge).collect();
        for (nth, join) in joins.iter().enumerate() {
            self.fact(if nth == 0 { "joins" } else { "" }, join);
        }
        if analysis.analysis == Analysis::Partial {
            self.remark("the statement could not be read to its end: joins may be missing");
        }
    }

    /// Tokens and cost.
    pub(super) fn usage(&mut self, usage: &Usage) {
        let mut parts = Vec::new();
        for (count, what) in [
            (usage.input, "in"),
            (usage.cached, "of them cached"),
            (usage.output, "out"),
            (usage.reasoning, "of them reasoning"),
        ] {
            if let Some(count) = count {
                parts.push(format!("{count} {what}"));
            }
        }
        if !parts.is_empty() {
            self.fact("tokens", &parts.join(", "));
        }
        if let Some(cost) = usage.cost {
            self.fact("cost", &format!("${cost:.4}"));
        }
    }

    /// What was done in the trial.
    pub(super) fn counts(&mut self, counts: &Counts) {
        self.fact("model steps", &counts.steps.to_string());
        self.fact("tool calls", &format!("{}, {} of them statements", counts.tool_calls, counts.queries));
        self.fact("failed calls", &counts.errors.to_string());
        if counts.input_tokens.is_some() || counts.output_tokens.is_some() {
            let said =
                |count: Option<u64>| count.map_or_else(|| "not recorded".to_owned(), |it| it.to_string());
            let tokens = format!("{} in, {} out", said(counts.input_tokens), said(counts.output_tokens));
            self.fact("tokens", &tokens);
        }
        if let Some(cost) = counts.cost {
            self.fact("cost", &format!("${cost:.4}"));
        }
    }

    /// How long it took.
    pub(super) fn took(&mut self, microseconds: u64) {
        // A statement's microseconds are far below what a float holds exactly.
        #[allow(clippy::cast_precision_loss)]
        let milliseconds = microseconds as f64 / 1_000.0;
        self.fact("took", &format!("{milliseconds:.1} ms"));
    }

    /// An answer.
    pub(super) fn answer(&mut self, answer: &Answer) {
        if let Some(verdict) = answer.verdict {
            self.fact("verdict", verdict.name());
        }
        for (name, value) in answer.facts.iter().flatten() {
            self.fact(name, &value.to_string());
        }
        if let Some(subjects) = &answer.subjects {
            let mut list = String::new();
            for subject in subjects {
                // Writing to a String can't fail.
                let _ = writeln!(list, "{subject}");
            }
            self.words(&format!("Subjects: {}", subjects.len()), &list);
        }
        self.words("Answer", &answer.answer);
    }

    fn rest(&mut self, rest: usize) {
        if rest > 0 {
            let more = format!("… {} KiB more; copying the step gives all of it", rest.div_ceil(1024));
            self.lines.push(vec![(Tone::Warning, more)]);
        }
    }

    /// The first text of a step is what copying gives, with what follows it.
    fn keep(&mut self, text: &str) {
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.text.push_str(text);
    }

    pub(super) fn finish(self, event: u64) -> Detail {
        let text = self.sql.clone().unwrap_or(self.text);
        Detail { event, lines: Arc::new(self.lines), text, sql: self.sql }
    }
}

/// The beginning of a text, and how many bytes are behind it.
fn cut(text: &str) -> (&str, usize) {
    if text.len() <= SHOWN {
        return (text, 0);
    }
    let end = (0..=SHOWN).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    (&text[..end], text.len() - end)
}

fn edge(edge: &JoinEdge) -> String {
    let (one, other) = edge.columns();
    format!("{one} = {other}")
}
