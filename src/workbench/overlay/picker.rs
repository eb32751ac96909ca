//! A list to pick from, narrowed by typing: the palette, the history, themes, snapshots, buffers.

use super::super::command::Invocation;
use crate::text::edit_buffer::EditBuffer;
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use serde::Serialize;

/// What a list is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// All commands.
    Palette,
    /// Statements run before.
    History,
    /// Anything else.
    Choice,
}

/// An item.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Item {
    /// What it is.
    pub label: String,
    /// More about it.
    pub detail: String,
    /// On the right: its key, its size.
    pub aside: String,
    /// What picking it does.
    pub gives: Invocation,
}

/// A list to pick from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Picker {
    /// What is picked.
    pub title: String,
    /// What it is for.
    pub purpose: Purpose,
    /// What was typed.
    #[serde(serialize_with = "super::super::document::buffer")]
    pub input: EditBuffer,
    /// All items.
    pub items: Vec<Item>,
    /// Those that match, best first, with the letters that do (in characters of the label).
    pub matches: Vec<Match>,
    /// Which of the matches is chosen.
    pub chosen: usize,
}

/// An item that matches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Match {
    /// Its place among all items.
    pub item: usize,
    /// Letters of the label that match.
    pub letters: Vec<u32>,
}

impl Picker {
    /// A list of these.
    pub fn new(title: impl Into<String>, purpose: Purpose, items: Vec<Item>) -> Self {
        let input = EditBuffer::one_line("");
        let mut picker = Self { title: title.into(), purpose, input, items, matches: Vec::new(), chosen: 0 };
        picker.narrow();
        picker
    }

    /// Matches all items against what was typed.
    pub fn narrow(&mut self) {
        let typed = self.input.text();
        self.matches =
            narrowed(&typed, self.items.iter().map(|item| (item.label.as_str(), item.detail.as_str())));
        self.chosen = 0;
    }

    /// Moves the choice, stopping at both ends.
    pub fn step(&mut self, by: isize) {
        let last = self.matches.len().saturating_sub(1);
        self.chosen = self.chosen.saturating_add_signed(by).min(last);
    }

    /// The chosen item.
    pub fn choice(&self) -> Option<&Item> {
        self.items.get(self.matches.get(self.chosen)?.item)
    }
}

/// The items that match what was typed, best first; all of them in their order where nothing was. Ties go to the one that
/// comes first. A match in the label, by letters, counts before one in the rest, by words.
pub fn narrowed<'i>(typed: &str, items: impl Iterator<Item = (&'i str, &'i str)>) -> Vec<Match> {
    if typed.trim().is_empty() {
        return items.enumerate().map(|(item, _)| Match { item, letters: Vec::new() }).collect();
    }
    let pattern = Pattern::parse(typed, CaseMatching::Ignore, Normalization::Smart);
    let words: Vec<String> = typed.split_whitespace().map(str::to_lowercase).collect();
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut room = Vec::new();
    let mut found: Vec<(u32, Match)> = Vec::new();
    for (item, (label, detail)) in items.enumerate() {
        let mut letters = Vec::new();
        if let Some(score) = pattern.indices(Utf32Str::new(label, &mut room), &mut matcher, &mut letters) {
            letters.sort_unstable();
            letters.dedup();
            found.push((score.saturating_add(1000), Match { item, letters }));
        } else {
            // Letters from here and there of a long text say nothing: in the rest whole words count.
            let both = format!("{label} {detail}").to_lowercase();
            if words.iter().all(|word| both.contains(word)) {
                found.push((0, Match { item, letters: Vec::new() }));
            }
        }
    }
    found.sort_by(|(one, a), (other, b)| other.cmp(one).then(a.item.cmp(&b.item)));
    found.into_iter().map(|(_, found)| found).collect()
}

#[cfg(test)]
mod tests {
    use super::narrowed;

    #[test]
    fn labels_count_before_details_and_ties_keep_their_order() {
        let items = [("Run", "the statement"), ("Quit", "run away"), ("Rerun", ""), ("Undo", "x")];
        let order = |typed: &str| -> Vec<usize> {
            narrowed(typed, items.iter().copied()).into_iter().map(|found| found.item).collect()
        };
        assert_eq!(order(""), [0, 1, 2, 3]);
        assert_eq!(order("run")[0], 0);
        assert_eq!(order("run").len(), 3);
        assert_eq!(order("run")[2], 1);
        assert_eq!(order("zzz"), [] as [usize; 0]);
    }
}
