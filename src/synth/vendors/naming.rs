//! Names that are given once.

use crate::synth::archetype::{copy, slug, title_case};
use crate::synth::dice::Dice;
use std::collections::{HashMap, HashSet};

/// One of these as a title.
pub(super) fn title_of(of: &[&str], dice: &mut Dice) -> String {
    let one: &&str = dice.pick(of);
    title_case(one)
}

/// So often another name is drawn before a word behind it makes one of it.
const DRAWS: usize = 40;

/// Names that are taken, by their slugs. Nothing ever walks through them, so their order tells nothing.
#[derive(Debug, Default)]
pub(super) struct Taken {
    slugs: HashSet<String>,
    copies: HashMap<String, usize>,
}

impl Taken {
    /// Takes a name; whether it was free.
    pub(super) fn take(&mut self, name: &str) -> bool {
        self.slugs.insert(slug(name))
    }

    /// A name that nobody has: one that was drawn, or, when the stock is used up, the last one with a word behind it.
    pub(super) fn fresh(&mut self, mut draw: impl FnMut() -> String) -> String {
        let mut name = draw();
        for _ in 0..DRAWS {
            if self.take(&name) {
                return name;
            }
            name = draw();
        }
        self.copy(&name)
    }

    fn copy(&mut self, name: &str) -> String {
        loop {
            let copies = self.copies.entry(name.to_owned()).or_insert(0);
            let word = copy(*copies, name.len());
            *copies += 1;
            let told_apart = if name.contains(' ') {
                let word = if word.len() < 3 { word.to_uppercase() } else { title_case(&word) };
                format!("{name} {word}")
            } else {
                format!("{name}-{word}")
            };
            if self.take(&told_apart) {
                return told_apart;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Taken;

    #[test]
    fn a_name_is_given_once_and_then_with_a_word() {
        let mut taken = Taken::default();
        assert!(taken.take("Edge team"));
        assert!(!taken.take("edge-team"));
        let mut names = ["edge-team", "edge-docs"].into_iter().cycle();
        assert_eq!(taken.fresh(|| names.next().unwrap_or_default().to_owned()), "edge-docs");
        assert_eq!(taken.fresh(|| "Edge team".to_owned()), "Edge team Partners");
        assert_eq!(taken.fresh(|| "edge-docs".to_owned()), "edge-docs-partners");
        assert_eq!(taken.fresh(|| "edge-docs".to_owned()), "edge-docs-test");
    }
}
