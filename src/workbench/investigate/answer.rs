//! The answer that is being written: verdict, subjects, facts, words. Everything but the words is taken back by `undo`.

use crate::domain::trial::{Answer, Verdict};
use crate::text::edit_buffer::EditBuffer;
use crate::workbench::draft::AnswerDraft;
use crate::workbench::layout::keep_in_view;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashSet};

/// Steps that can be taken back.
const UNDO: usize = 200;

/// The answer that is being written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AnswerForm {
    /// Yes, no, or neither.
    pub verdict: Option<Verdict>,
    /// The subjects, in the order they were marked.
    pub subjects: Vec<String>,
    /// Facts by name, as they were written.
    pub facts: Vec<(String, String)>,
    /// The answer in words.
    pub prose: EditBuffer,
    /// Whether keys write the words.
    pub is_writing: bool,
    /// The line of the form that is chosen.
    pub chosen: usize,
    /// The first line that is shown.
    pub top: usize,
    /// The first line of the words that is shown.
    pub prose_top: usize,
    /// The name of the column that named the subjects last.
    pub identifying: Option<String>,
    undo: Vec<Before>,
    /// The subjects, to be found fast: every row that is shown asks.
    known: HashSet<String>,
    /// Places of subjects that are there already.
    twice: BTreeSet<usize>,
}

/// What an undo brings back.
#[derive(Debug, Clone, PartialEq)]
struct Before {
    verdict: Option<Verdict>,
    subjects: Vec<String>,
    facts: Vec<(String, String)>,
}

/// A line of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    /// The verdict.
    Verdict,
    /// The head of the subjects.
    Subjects,
    /// A subject by its place.
    Subject(usize),
    /// The head of the facts.
    Facts,
    /// A fact by its place.
    Fact(usize),
    /// The words.
    Prose,
    /// The button.
    Submit,
}

impl AnswerForm {
    pub(super) fn of_draft(draft: AnswerDraft) -> Self {
        let mut form = Self {
            verdict: draft.verdict,
            subjects: draft.subjects,
            facts: draft.facts,
            prose: EditBuffer::from_text(&draft.prose),
            ..Self::default()
        };
        form.subjects_changed();
        form
    }

    /// An answer that was given, to be looked at.
    pub(super) fn of_answer(answer: &Answer) -> Self {
        let fact = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let facts = answer.facts.iter().flatten().map(|(name, value)| (name.clone(), fact(value)));
        Self::of_draft(AnswerDraft {
            verdict: answer.verdict,
            subjects: answer.subjects.clone().unwrap_or_default(),
            facts: facts.collect(),
            prose: answer.answer.clone(),
        })
    }

    /// What follows when the subjects were changed.
    pub(super) fn subjects_changed(&mut self) {
        self.known = self.subjects.iter().cloned().collect();
        let mut seen = HashSet::new();
        self.twice =
            (0..self.subjects.len()).filter(|place| !seen.insert(folded(&self.subjects[*place]))).collect();
        self.chosen = self.chosen.min(self.count() - 1);
    }

    /// How many lines the form has.
    pub fn count(&self) -> usize {
        self.listed() + 2
    }

    /// How many of them come before the words.
    pub fn listed(&self) -> usize {
        3 + self.subjects.len() + self.facts.len()
    }

    /// A line of the form by its place; places beyond the last are the button.
    pub fn line_at(&self, place: usize) -> Line {
        let (subjects, facts) = (self.subjects.len(), self.facts.len());
        match place {
            0 => Line::Verdict,
            1 => Line::Subjects,
            _ if place < 2 + subjects => Line::Subject(place - 2),
            _ if place == 2 + subjects => Line::Facts,
            _ if place < 3 + subjects + facts => Line::Fact(place - 3 - subjects),
            _ if place == 3 + subjects + facts => Line::Prose,
            _ => Line::Submit,
        }
    }

    /// The place of a line.
    pub fn place_of(&self, line: Line) -> usize {
        let subjects = self.subjects.len();
        match line {
            Line::Verdict => 0,
            Line::Subjects => 1,
            Line::Subject(place) => 2 + place,
            Line::Facts => 2 + subjects,
            Line::Fact(place) => 3 + subjects + place,
            Line::Prose => self.listed(),
            Line::Submit => self.listed() + 1,
        }
    }

    /// The line that is chosen.
    pub fn line(&self) -> Line {
        self.line_at(self.chosen)
    }

    /// Chooses a line.
    pub(super) fn choose(&mut self, line: Line) {
        self.chosen = self.place_of(line);
    }

    /// Notes what an undo will bring back.
    pub(super) fn remember(&mut self) {
        if self.undo.len() >= UNDO {
            self.undo.remove(0);
        }
        self.undo.push(Before {
            verdict: self.verdict,
            subjects: self.subjects.clone(),
            facts: self.facts.clone(),
        });
    }

    /// Takes the last change back: whether there was one.
    pub(super) fn undo(&mut self) -> bool {
        let Some(before) = self.undo.pop() else { return false };
        self.verdict = before.verdict;
        self.subjects = before.subjects;
        self.facts = before.facts;
        self.subjects_changed();
        true
    }

    /// The places of subjects that are there already, ignoring case and space around.
    pub const fn duplicates(&self) -> &BTreeSet<usize> {
        &self.twice
    }

    /// Whether a subject is there.
    pub fn has(&self, subject: &str) -> bool {
        self.known.contains(subject)
    }

    /// The answer as it would be given. Facts that read as numbers are numbers.
    pub fn to_answer(&self) -> Answer {
        let fact = |text: &str| -> Value {
            let number = serde_json::from_str::<serde_json::Number>(text.trim()).ok();
            number.map_or_else(|| Value::from(text), Value::Number)
        };
        let facts = self.facts.iter().map(|(name, value)| (name.clone(), fact(value)));
        Answer {
            verdict: self.verdict,
            subjects: (!self.subjects.is_empty()).then(|| self.subjects.clone()),
            facts: (!self.facts.is_empty()).then(|| facts.collect()),
            answer: self.prose.text(),
        }
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.verdict.is_none() && self.subjects.is_empty() && self.facts.is_empty() && self.prose.is_empty()
    }

    /// What it comes to, in a line for each part.
    pub fn summary(&self) -> Vec<String> {
        let verdict = match self.verdict {
            None => "no verdict".to_owned(),
            Some(Verdict::NotApplicable) => "verdict: not applicable".to_owned(),
            Some(verdict) => format!("verdict: {}", verdict.name()),
        };
        let words = self.prose.text().split_whitespace().count();
        let mut lines = vec![verdict, counted(self.subjects.len(), "subject")];
        let duplicates = self.duplicates().len();
        if duplicates > 0 {
            lines.push(format!("of them {} written twice", counted(duplicates, "subject")));
        }
        lines.push(counted(self.facts.len(), "fact"));
        lines.push(counted(words, "word"));
        lines
    }

    /// Keeps the chosen line among the `height` that are shown above the words.
    pub(in crate::workbench) fn scroll(&mut self, height: usize) {
        self.chosen = self.chosen.min(self.count() - 1);
        let listed = self.listed();
        if self.chosen < listed {
            keep_in_view(&mut self.top, self.chosen, height);
        }
        self.top = self.top.min(listed.saturating_sub(height.max(1)));
    }

    /// Keeps the cursor's row among the `height` rows of the words that are shown, of `count`.
    pub(in crate::workbench) fn scroll_prose(&mut self, row: usize, count: usize, height: usize) {
        keep_in_view(&mut self.prose_top, row, height);
        self.prose_top = self.prose_top.min(count.saturating_sub(height.max(1)));
    }

    pub(super) fn document(&self) -> Value {
        json!({
            "verdict": self.verdict,
            "subjects": self.subjects,
            "duplicates": self.duplicates().len(),
            "facts": self.facts,
            "prose": self.prose.text(),
            "writing": self.is_writing,
            "line": self.line(),
        })
    }
}

fn folded(subject: &str) -> String {
    subject.trim().to_lowercase()
}

/// `3 subjects`, `1 subject`, `no subjects`.
pub(super) fn counted(count: usize, word: &str) -> String {
    match count {
        0 => format!("no {word}s"),
        1 => format!("1 {word}"),
        more => format!("{more} {word}s"),
    }
}

/// The subjects of a pasted text: its lines, or, where it is one line, what commas part.
pub(in crate::workbench) fn pasted_subjects(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let parts: Vec<&str> = if lines.len() > 1 { lines } else { text.split(',').collect() };
    let trimmed = parts.into_iter().map(|part| part.trim().trim_matches('"').trim().to_owned());
    trimmed.filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::{AnswerForm, Line, pasted_subjects};
    use serde_json::json;
    use std::collections::BTreeSet;

    #[test]
    fn duplicates_are_found_and_undo_goes_back() {
        let mut form = AnswerForm::default();
        form.remember();
        form.subjects = ["a@x", "b@x", "A@X "].map(str::to_owned).to_vec();
        form.subjects_changed();
        assert_eq!(form.duplicates(), &BTreeSet::from([2]));
        assert!(form.has("b@x") && !form.has("B@X"));
        assert!(form.summary().contains(&"of them 1 subject written twice".to_owned()));
        form.choose(Line::Subject(2));
        assert_eq!(form.line(), Line::Subject(2));
        assert!(form.undo() && form.subjects.is_empty() && !form.undo());
        assert!(form.duplicates().is_empty() && !form.has("b@x"));
    }

    #[test]
    fn lines_and_places_belong_to_each_other() {
        let mut form = AnswerForm {
            subjects: ["a", "b"].map(str::to_owned).to_vec(),
            facts: vec![("n".into(), "1".into())],
            ..AnswerForm::default()
        };
        let lines: Vec<Line> = (0..form.count()).map(|place| form.line_at(place)).collect();
        let wanted = [
            Line::Verdict,
            Line::Subjects,
            Line::Subject(0),
            Line::Subject(1),
            Line::Facts,
            Line::Fact(0),
            Line::Prose,
            Line::Submit,
        ];
        assert_eq!(lines, wanted);
        for (place, line) in wanted.into_iter().enumerate() {
            assert_eq!(form.place_of(line), place);
        }
        form.choose(Line::Submit);
        form.scroll(3);
        assert_eq!((form.line(), form.top), (Line::Submit, 0), "the button is always shown");
        form.choose(Line::Fact(0));
        form.scroll(3);
        assert_eq!(form.top, 3);
    }

    #[test]
    fn facts_that_are_numbers_are_given_as_numbers() {
        let facts = vec![("count".into(), "12".into()), ("since".into(), "2026-01-02".into())];
        let form = AnswerForm { facts, ..AnswerForm::default() };
        let answer = form.to_answer();
        assert_eq!(
            serde_json::to_value(answer.facts.unwrap()).unwrap(),
            json!({"count": 12, "since": "2026-01-02"})
        );
        assert_eq!(answer.subjects, None);
    }

    #[test]
    fn pasted_lines_and_lists_become_subjects() {
        assert_eq!(pasted_subjects("a@x\r\n\n \"b@x\" \n"), ["a@x", "b@x"]);
        assert_eq!(pasted_subjects("a, b ,c"), ["a", "b", "c"]);
        assert_eq!(pasted_subjects("Last, First\nOther, One"), ["Last, First", "Other, One"]);
    }
}
