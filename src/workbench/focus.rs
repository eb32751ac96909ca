//! Where keys go: the page, and the area of it that has the focus.

use serde::Serialize;

/// A page of the workbench.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Page {
    /// Tasks and snapshots to work on.
    #[default]
    Cases,
    /// Work on one of them.
    Investigate,
    /// A trace, step by step.
    Replay,
}

impl Page {
    /// All pages, in the order of their numbers.
    pub const ALL: [Self; 3] = [Self::Cases, Self::Investigate, Self::Replay];

    /// Its title.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Cases => "Cases",
            Self::Investigate => "Investigate",
            Self::Replay => "Replay",
        }
    }
}

/// An area of the Investigate page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Focus {
    /// Tables and columns.
    Schema,
    /// The SQL editor.
    #[default]
    Editor,
    /// The result.
    Grid,
    /// The answer.
    Answer,
}

impl Focus {
    /// All areas, in the order in which the focus goes round.
    pub const ALL: [Self; 4] = [Self::Schema, Self::Editor, Self::Grid, Self::Answer];

    /// The area `steps` further round.
    #[must_use]
    pub fn round(self, steps: isize) -> Self {
        let at = Self::ALL.iter().position(|focus| *focus == self).unwrap_or(0).cast_signed();
        let next = (at + steps).rem_euclid(Self::ALL.len().cast_signed());
        Self::ALL[next.unsigned_abs()]
    }
}

#[cfg(test)]
mod tests {
    use super::Focus;

    #[test]
    fn the_focus_goes_round_both_ways() {
        for focus in Focus::ALL {
            assert_eq!(focus.round(1).round(-1), focus);
            assert_eq!(focus.round(4), focus);
        }
    }
}
