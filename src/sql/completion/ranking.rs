//! The best of many offers: by how well the typed letters fit, then by what belongs there, then by name.

use super::offer::Offer;
use nucleo_matcher::{Config, Matcher, Utf32Str, Utf32String};
use std::cmp::Ordering;

/// The best of the offers it is given.
pub(super) struct Best<'o> {
    fit: Option<Fit>,
    most: usize,
    kept: Vec<Scored<'o>>,
    /// What is no better than this is not among the best; known once there are enough.
    bar: Option<Scored<'o>>,
}

/// An offer with how well it fits; more is better.
type Scored<'o> = (u16, Offer<'o>);

impl<'o> Best<'o> {
    /// Keeps the best `most` for the typed letters; without letters all fit alike.
    pub(super) fn new(typed: &str, most: usize) -> Self {
        let fit = (!typed.is_empty()).then(|| Fit::new(&typed.to_lowercase()));
        Self { fit, most, kept: Vec::with_capacity(4 * most), bar: None }
    }

    /// The best, in order.
    pub(super) fn into_sorted(mut self) -> Vec<Offer<'o>> {
        self.kept.sort_unstable_by(order);
        self.kept.truncate(self.most);
        self.kept.into_iter().map(|(_, offer)| offer).collect()
    }
}

impl<'o> Extend<Offer<'o>> for Best<'o> {
    /// Takes offers in. They are never held all at once: a schema may have tens of thousands of columns.
    fn extend<I: IntoIterator<Item = Offer<'o>>>(&mut self, offers: I) {
        for offer in offers {
            let score = self.fit.as_mut().map_or(Some(0), |fit| fit.score(offer.name));
            let Some(scored) = score.map(|score| (score, offer)) else { continue };
            if self.bar.as_ref().is_some_and(|bar| order(&scored, bar).is_ge()) {
                continue;
            }
            self.kept.push(scored);
            if self.kept.len() == 4 * self.most {
                let (_, bar, _) = self.kept.select_nth_unstable_by(self.most, order);
                self.bar = Some(*bar);
                self.kept.truncate(self.most);
            }
        }
    }
}

/// How well names fit the typed letters.
struct Fit {
    matcher: Matcher,
    needle: Utf32String,
    characters: Vec<char>,
}

impl Fit {
    fn new(needle: &str) -> Self {
        let mut config = Config::DEFAULT;
        // A table may have names that differ by an accent only.
        config.normalize = false;
        config.prefer_prefix = true;
        Self { matcher: Matcher::new(config), needle: Utf32String::from(needle), characters: Vec::new() }
    }

    /// The score of a name that holds the letters in their order. Letters that stand together are not torn apart; for
    /// others the quick way is good enough, and the best way takes several times as long.
    fn score(&mut self, name: &str) -> Option<u16> {
        let (haystack, needle) = (Utf32Str::new(name, &mut self.characters), self.needle.slice(..));
        let together = self.matcher.substring_match(haystack, needle);
        together.or_else(|| self.matcher.fuzzy_match_greedy(haystack, needle))
    }
}

/// A whole order, so that the same offers always come out alike.
fn order((score, one): &Scored<'_>, (other_score, other): &Scored<'_>) -> Ordering {
    let fold = |byte: u8| byte.to_ascii_lowercase();
    other_score
        .cmp(score)
        .then(one.rank.cmp(&other.rank))
        .then_with(|| one.name.bytes().map(fold).cmp(other.name.bytes().map(fold)))
        .then_with(|| one.name.cmp(other.name))
        .then_with(|| one.key().cmp(&other.key()))
}
