//! Names that things are called by, besides the systems: subjects of uneven weight, code names, firms, guilds.

use super::Archetype;

/// Code names of projects.
pub(in crate::synth) const CODE_NAMES: &[&str] = &[
    "heron", "juniper", "basalt", "marlin", "cedar", "falcon", "orchid", "granite", "osprey", "saffron",
    "tundra", "willow", "cobalt", "lynx", "meridian", "aurora", "badger", "copper", "delta", "ember",
    "fjord", "garnet", "hazel", "indigo", "jasper", "kestrel", "larch", "magpie", "nimbus", "otter",
    "pelican", "quartz", "raven", "sequoia", "thistle", "umber", "vireo", "wolfram", "yarrow", "zephyr",
];

/// Firms that are bought from.
pub(in crate::synth) const SUPPLIERS: &[&str] = &[
    "Ashgrove Paper",
    "Bellwether Insurance",
    "Castellan Security",
    "Draycott Catering",
    "Evenlode Travel",
    "Fairmile Couriers",
    "Greyfriars Law",
    "Hartwell Telecom",
    "Ironbridge Hosting",
    "Jessop Furniture",
    "Kelmscott Print",
    "Lindqvist Audit",
    "Morrow Staffing",
    "Northcote Cleaning",
    "Oakhaven Pensions",
    "Pemberton Energy",
    "Quayside Events",
    "Rosedale Software",
    "Stellan Networks",
    "Thornbury Training",
];

/// What people of one craft gather around.
pub(in crate::synth) const GUILDS: &[&str] = &[
    "Accessibility",
    "Automation",
    "Data Quality",
    "Documentation",
    "Facilitation",
    "Green IT",
    "Incident Response",
    "Knowledge Sharing",
    "Mentoring",
    "Observability",
    "Presentations",
    "Privacy",
    "Process Improvement",
    "Reliability",
    "Spreadsheets",
    "Testing",
    "Usability",
    "Women in Tech",
];

/// What people do together when they do not work.
pub(in crate::synth) const CLUBS: &[&str] = &[
    "Running",
    "Chess",
    "Board Games",
    "Book",
    "Cycling",
    "Climbing",
    "Choir",
    "Football",
    "Photography",
    "Gardening",
    "Baking",
    "Film",
    "Hiking",
    "Tennis",
    "Yoga",
    "Parents",
    "Pets",
    "Volunteering",
];

/// What the copies of something are told apart by.
const COPIES: &[&str] =
    &["eu", "us", "legacy", "next", "emea", "staging", "apac", "shared", "prod", "partners", "test", "latam"];

/// The word, or two of them, behind the name of the `nth` copy of something; a number when all are used up. Copies of
/// another thing begin elsewhere in the stock.
pub(in crate::synth) fn copy(nth: usize, begin: usize) -> String {
    let word = |nth: usize| COPIES[(nth + begin) % COPIES.len()];
    match nth / COPIES.len() {
        0 => word(nth).to_owned(),
        round if round < COPIES.len() => format!("{}-{}", word(nth), word(nth + round)),
        _ => (nth + 2).to_string(),
    }
}

/// Systems, products and code names by weight: a few of them are everywhere, most are small.
pub(in crate::synth) fn subjects(archetype: &Archetype) -> Vec<(usize, &'static str)> {
    let falling = |names: &'static [&'static str], top: usize, least: usize| {
        names.iter().enumerate().map(move |(place, name)| (top / (place + 1) + least, *name))
    };
    falling(archetype.systems, 24, 2)
        .chain(falling(archetype.products, 10, 1))
        .chain(falling(CODE_NAMES, 0, 1))
        .collect()
}

/// Letters, digits and single hyphens, as addresses and repositories have them.
pub(in crate::synth) fn slug(name: &str) -> String {
    let mut slug = String::with_capacity(name.len());
    for letter in name.chars().filter(|letter| *letter != '\'') {
        if letter.is_ascii_alphanumeric() {
            slug.push(letter.to_ascii_lowercase());
        } else if !slug.ends_with('-') && !slug.is_empty() {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::ARCHETYPES;
    use super::{CODE_NAMES, copy, slug, subjects};
    use std::collections::BTreeSet;

    #[test]
    fn no_subject_is_there_twice() {
        for archetype in ARCHETYPES {
            let names: Vec<&str> = subjects(archetype).into_iter().map(|(_, name)| name).collect();
            let distinct: BTreeSet<&str> = names.iter().copied().collect();
            assert_eq!(distinct.len(), names.len(), "{}", archetype.key);
            assert!(names.len() > CODE_NAMES.len() + 30);
        }
    }

    #[test]
    fn copies_differ_and_have_words_as_long_as_there_are_any() {
        let names: BTreeSet<String> = (0..400).map(|nth| copy(nth, 5)).collect();
        assert_eq!(names.len(), 400);
        assert!((0..144).all(|nth| copy(nth, 3).chars().all(|letter| !letter.is_ascii_digit())));
    }

    #[test]
    fn a_slug_has_no_marks() {
        assert_eq!(slug("Children's Pavilion & Co."), "childrens-pavilion-co");
    }
}
