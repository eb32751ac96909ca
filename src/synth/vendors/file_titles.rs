//! What files are called and of which type they are: the papers of a department, about something, in some month.

use super::naming::title_of;
use crate::synth::archetype::{CODE_NAMES, Department, Form, SUPPLIERS};
use crate::synth::dice::Dice;
use crate::synth::moment::{Day, date_text};
use crate::synth::organisation::Organisation;

/// A type of files: MIME type, ending, and place in the address of a document; a file that Google does not edit has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) mime: &'static str,
    ending: &'static str,
    pub(super) editor: Option<&'static str>,
    /// How many bytes half of them have at most.
    median: i64,
}

/// Eighths of an octave, in thousandths.
const EIGHTHS: [i64; 8] = [1000, 1091, 1189, 1297, 1414, 1542, 1682, 1834];

impl Kind {
    /// The bytes of one of them: most are near the median, a few are many times that. What Google edits has none.
    pub(super) fn size(self, dice: &mut Dice) -> Option<i64> {
        if self.editor.is_some() {
            return None;
        }
        // A sum of many throws is nearly normal, and so its power of two nearly log-normal.
        let eighths: i64 = (0..6).map(|_| dice.between(-8, 8)).sum();
        let step = EIGHTHS[usize::try_from(eighths.rem_euclid(8)).unwrap_or(0)];
        let size = self.median * step / 1000;
        let octaves = eighths.div_euclid(8);
        let size = if octaves < 0 { size >> -octaves } else { size << octaves };
        Some(size + dice.between(0, size / 10))
    }
}

const DOCUMENT: Kind =
    Kind { mime: "application/vnd.google-apps.document", ending: "", editor: Some("document"), median: 0 };
const SPREADSHEET: Kind = Kind {
    mime: "application/vnd.google-apps.spreadsheet",
    ending: "",
    editor: Some("spreadsheets"),
    median: 0,
};
const PRESENTATION: Kind = Kind {
    mime: "application/vnd.google-apps.presentation",
    ending: "",
    editor: Some("presentation"),
    median: 0,
};
const PDF: Kind = Kind { mime: "application/pdf", ending: ".pdf", editor: None, median: 420_000 };
const CSV: Kind = Kind { mime: "text/csv", ending: ".csv", editor: None, median: 70_000 };
const WORD: Kind = Kind {
    mime: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ending: ".docx",
    editor: None,
    median: 95_000,
};
const EXCEL: Kind = Kind {
    mime: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ending: ".xlsx",
    editor: None,
    median: 120_000,
};

const fn kinds(form: Form) -> &'static [(usize, Kind)] {
    match form {
        Form::Text => &[(82, DOCUMENT), (10, PDF), (8, WORD)],
        Form::Sheet => &[(76, SPREADSHEET), (24, EXCEL)],
        Form::Slides => &[(80, PRESENTATION), (20, PDF)],
        Form::Final => &[(100, PDF)],
        Form::Extract => &[(60, CSV), (40, EXCEL)],
    }
}

/// The name and the type of a file that somebody of this department made on this day.
pub(super) fn title(
    organisation: &Organisation,
    department: &Department,
    made: Day,
    dice: &mut Dice,
) -> (String, Kind) {
    let (form, template) = *dice.pick(department.papers);
    let mut name = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (word, after) = after.split_once('}').unwrap_or((after, ""));
        name += before;
        name += &filled(organisation, word, made, dice);
        rest = after;
    }
    name += rest;
    let kind = *dice.weighted(kinds(form));
    name += match dice.below(100) {
        0..4 if kind.editor.is_some() => " (draft)",
        4..8 => " v2",
        8..10 => " (final)",
        10..12 if form == Form::Text => " - comments",
        12 => " (copy)",
        _ => "",
    };
    (name + kind.ending, kind)
}

/// What a placeholder stands for; times are those of the day on which the file was made.
fn filled(organisation: &Organisation, word: &str, made: Day, dice: &mut Dice) -> String {
    const MONTHS: &[&str] = &[
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let archetype = organisation.archetype;
    let date = date_text(made);
    let (year, month) = (&date[..4], date[5..7].parse().unwrap_or(1_usize));
    match word {
        "client" => (*dice.pick(archetype.clients)).to_owned(),
        "supplier" => (*dice.pick(SUPPLIERS)).to_owned(),
        "system" => title_of(archetype.systems, dice),
        "product" => title_of(archetype.products, dice),
        "code" => title_of(CODE_NAMES, dice),
        "site" => dice.pick(archetype.sites).1.to_owned(),
        "quarter" => format!("Q{} {year}", month.div_ceil(3)),
        "month" => format!("{} {year}", MONTHS[(month - 1) % 12]),
        "year" => year.to_owned(),
        _ => date,
    }
}
