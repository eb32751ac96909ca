//! Statistics of a column over the rows that are shown.

use serde::Serialize;

/// What was counted.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ColumnStatistics {
    /// Rows.
    pub rows: u64,
    /// NULL.
    pub nulls: u64,
    /// Empty texts.
    pub empty: u64,
    /// Numbers.
    pub numbers: u64,
    /// Texts, empty ones too.
    pub texts: u64,
    /// Blobs, and texts that are not UTF-8.
    pub blobs: u64,
    /// Values that differ, NULL left out.
    pub distinct: u64,
    /// The least value, as it is shown.
    pub least: Option<String>,
    /// The greatest.
    pub greatest: Option<String>,
    /// Mean of the numbers.
    pub mean: Option<f64>,
    /// Length of the shortest and the longest text, in characters.
    pub lengths: Option<(u64, u64)>,
    /// The most frequent values with how often they occur, most frequent first, then by value; or, where numbers differ too
    /// much for that, ranges of equal width with how many are in each, from the least on.
    pub frequent: Vec<(String, u64)>,
    /// Whether they are ranges.
    pub are_ranges: bool,
}

impl ColumnStatistics {
    /// The facts for a list: name, value, and whether the value is a count of rows. What there is none of is left out.
    pub fn facts(&self) -> Vec<Fact> {
        let count = |name, rows| Fact { name, value: FactValue::Rows(rows) };
        let text = |name, value: &str| Fact { name, value: FactValue::Text(value.to_owned()) };
        let mut facts = vec![
            count("Rows", self.rows),
            Fact { name: "Different values", value: FactValue::Number(self.distinct) },
        ];
        for (name, rows) in [
            ("NULL", self.nulls),
            ("Empty texts", self.empty),
            ("Numbers", self.numbers),
            ("Texts", self.texts),
            ("Blobs", self.blobs),
        ] {
            if rows > 0 {
                facts.push(count(name, rows));
            }
        }
        facts.extend(self.least.as_deref().map(|value| text("Least", value)));
        facts.extend(self.greatest.as_deref().map(|value| text("Greatest", value)));
        facts.extend(self.mean.map(|mean| text("Mean", &format!("{mean:.3}"))));
        facts.extend(self.lengths.map(|(least, most)| {
            let lengths = if least == most {
                format!("{least} characters")
            } else {
                format!("{least} to {most} characters")
            };
            text("Length of texts", &lengths)
        }));
        facts
    }
}

/// A fact about a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// What it is.
    pub name: &'static str,
    /// Its value.
    pub value: FactValue,
}

/// The value of a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FactValue {
    /// Rows, of all.
    Rows(u64),
    /// A number of something else.
    Number(u64),
    /// Anything else.
    Text(String),
}
