//! Signs that are not words: borders, markers, ticks. One set in Unicode, one in ASCII.
//!
//! Every sign fills one column unless its description says otherwise, so that changing the set moves nothing. The
//! Unicode set keeps to what `DejaVu Sans Mono` and the usual fonts of terminals have: no emoji, no Braille, no private
//! characters.

use super::depth::Environment;
use ratatui::symbols::{border, line};

/// A set of signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Symbols {
    /// Borders of areas.
    pub border: border::Set<'static>,
    /// The border of the area that has the keys. Where there are no colours it has lines of its own.
    pub focus_border: border::Set<'static>,
    /// Lines and their crossings inside an area.
    pub line: line::Set<'static>,
    /// Divides fields of the status line and of titles.
    pub separator: &'static str,
    /// Before items of a list.
    pub bullet: &'static str,
    /// Beside the selected row.
    pub selected: &'static str,
    /// Beside a row that was marked as a subject.
    pub marked: &'static str,
    /// A branch that can be opened.
    pub collapsed: &'static str,
    /// A branch that is open.
    pub expanded: &'static str,
    /// A child that has siblings below it; three columns.
    pub tree_branch: &'static str,
    /// The last child; three columns.
    pub tree_last: &'static str,
    /// Past a child with siblings below it; three columns.
    pub tree_line: &'static str,
    /// Chosen out of several.
    pub radio_on: &'static str,
    /// Not chosen out of several.
    pub radio_off: &'static str,
    /// Something not saved, something live.
    pub dot: &'static str,
    /// Passed, right, done.
    pub success: &'static str,
    /// Failed, wrong.
    pub failure: &'static str,
    /// Needs a look.
    pub warning: &'static str,
    /// News.
    pub info: &'static str,
    /// Only in the later of two things.
    pub added: &'static str,
    /// Only in the earlier of two things.
    pub removed: &'static str,
    /// The same.
    pub same: &'static str,
    /// Not the same.
    pub different: &'static str,
    /// Text was cut here.
    pub ellipsis: &'static str,
    /// The Enter key; any width.
    pub enter: &'static str,
    /// Leads to.
    pub arrow_right: &'static str,
    /// Comes from.
    pub arrow_left: &'static str,
    /// Up, the key or the direction.
    pub arrow_up: &'static str,
    /// Down, the key or the direction.
    pub arrow_down: &'static str,
    /// Sorted from small to large.
    pub ascending: &'static str,
    /// Sorted from large to small.
    pub descending: &'static str,
    /// Times, as in 3×.
    pub times: &'static str,
    /// The groove of a scrollbar.
    pub scrollbar: &'static str,
    /// The place in a scrollbar.
    pub scrollbar_thumb: &'static str,
    /// The full part of a bar.
    pub bar_full: &'static str,
    /// The empty part of a bar.
    pub bar_empty: &'static str,
    /// Small columns of a chart, from low to high.
    pub levels: [&'static str; 8],
    /// Shades of a heat map, from little to much.
    pub shades: [&'static str; 5],
    /// Pictures of something running, in their order.
    pub spinner: [&'static str; 4],
}

/// Which signs the settings want.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SymbolChoice {
    /// What the environment allows.
    #[default]
    Auto,
    /// Unicode in any case.
    Unicode,
    /// ASCII in any case.
    Ascii,
}

impl SymbolChoice {
    /// The choice of a name in the settings.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "auto" => Some(Self::Auto),
            "unicode" => Some(Self::Unicode),
            "ascii" => Some(Self::Ascii),
            _ => None,
        }
    }
}

impl Symbols {
    /// Rounded borders and signs of common fonts.
    pub const UNICODE: Self = Self {
        border: border::ROUNDED,
        focus_border: border::ROUNDED,
        line: line::NORMAL,
        separator: "│",
        bullet: "•",
        selected: "▌",
        marked: "◆",
        collapsed: "▸",
        expanded: "▾",
        tree_branch: "├─ ",
        tree_last: "╰─ ",
        tree_line: "│  ",
        radio_on: "●",
        radio_off: "○",
        dot: "●",
        success: "✓",
        failure: "✗",
        warning: "!",
        info: "i",
        added: "+",
        removed: "−",
        same: "=",
        different: "≠",
        ellipsis: "…",
        enter: "↵",
        arrow_right: "→",
        arrow_left: "←",
        arrow_up: "↑",
        arrow_down: "↓",
        ascending: "▲",
        descending: "▼",
        times: "×",
        scrollbar: "│",
        scrollbar_thumb: "█",
        bar_full: "█",
        bar_empty: "░",
        levels: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
        shades: [" ", "░", "▒", "▓", "█"],
        spinner: ["◐", "◓", "◑", "◒"],
    };

    /// What every terminal has.
    pub const ASCII: Self = Self {
        border: border::Set {
            top_left: "+",
            top_right: "+",
            bottom_left: "+",
            bottom_right: "+",
            vertical_left: "|",
            vertical_right: "|",
            horizontal_top: "-",
            horizontal_bottom: "-",
        },
        focus_border: border::Set {
            top_left: "#",
            top_right: "#",
            bottom_left: "#",
            bottom_right: "#",
            vertical_left: "|",
            vertical_right: "|",
            horizontal_top: "=",
            horizontal_bottom: "=",
        },
        line: line::Set {
            vertical: "|",
            horizontal: "-",
            top_right: "+",
            top_left: "+",
            bottom_right: "+",
            bottom_left: "+",
            vertical_left: "+",
            vertical_right: "+",
            horizontal_down: "+",
            horizontal_up: "+",
            cross: "+",
        },
        separator: "|",
        bullet: "*",
        selected: ">",
        marked: "*",
        collapsed: "+",
        expanded: "-",
        tree_branch: "|- ",
        tree_last: "`- ",
        tree_line: "|  ",
        radio_on: "*",
        radio_off: "o",
        dot: "*",
        success: "v",
        failure: "x",
        warning: "!",
        info: "i",
        added: "+",
        removed: "-",
        same: "=",
        different: "#",
        ellipsis: "~",
        enter: "Enter",
        arrow_right: ">",
        arrow_left: "<",
        arrow_up: "^",
        arrow_down: "v",
        ascending: "^",
        descending: "v",
        times: "x",
        scrollbar: "|",
        scrollbar_thumb: "#",
        bar_full: "#",
        bar_empty: ".",
        levels: ["_", ".", ",", "-", "~", "+", "*", "#"],
        shades: [" ", ".", "+", "*", "#"],
        spinner: ["|", "/", "-", "\\"],
    };

    /// The set to draw with: the setting, else what `TERM` and the locale allow. A locale that nobody set allows
    /// Unicode: in containers none is set, and the terminal in front of them is a modern one.
    pub fn choose(setting: SymbolChoice, environment: &Environment) -> Self {
        let value = |name: &str| environment.get(name).map_or("", String::as_str);
        let allows_unicode = || {
            let locale =
                ["LC_ALL", "LC_CTYPE", "LANG"].map(value).into_iter().find(|value| !value.is_empty());
            let is_utf8 = locale.is_none_or(|locale| {
                let locale = locale.to_lowercase();
                locale.contains("utf-8") || locale.contains("utf8")
            });
            is_utf8 && !matches!(value("TERM"), "dumb" | "linux" | "vt100" | "vt220")
        };
        let is_unicode = match setting {
            SymbolChoice::Auto => allows_unicode(),
            SymbolChoice::Unicode => true,
            SymbolChoice::Ascii => false,
        };
        if is_unicode { Self::UNICODE } else { Self::ASCII }
    }

    /// The same signs for a terminal without colours, where the border of the area in focus needs lines of its own.
    #[must_use]
    pub fn without_colours(self) -> Self {
        if self.focus_border == self.border { Self { focus_border: border::THICK, ..self } } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_width::UnicodeWidthStr;

    /// Every sign with its width: one column, but for the tree's three and the name of the Enter key.
    fn signs(set: &Symbols) -> Vec<(&'static str, usize)> {
        let Symbols {
            border,
            focus_border,
            line,
            separator,
            bullet,
            selected,
            marked,
            collapsed,
            expanded,
            tree_branch,
            tree_last,
            tree_line,
            radio_on,
            radio_off,
            dot,
            success,
            failure,
            warning,
            info,
            added,
            removed,
            same,
            different,
            ellipsis,
            enter: _,
            arrow_right,
            arrow_left,
            arrow_up,
            arrow_down,
            ascending,
            descending,
            times,
            scrollbar,
            scrollbar_thumb,
            bar_full,
            bar_empty,
            levels,
            shades,
            spinner,
        } = *set;
        let borders = [border, focus_border].into_iter().flat_map(|set| {
            [
                set.top_left,
                set.top_right,
                set.bottom_left,
                set.bottom_right,
                set.vertical_left,
                set.vertical_right,
                set.horizontal_top,
                set.horizontal_bottom,
            ]
        });
        let lines = [
            line.vertical,
            line.horizontal,
            line.top_right,
            line.top_left,
            line.bottom_right,
            line.bottom_left,
            line.vertical_left,
            line.vertical_right,
            line.horizontal_down,
            line.horizontal_up,
            line.cross,
        ];
        let single = [
            separator,
            bullet,
            selected,
            marked,
            collapsed,
            expanded,
            radio_on,
            radio_off,
            dot,
            success,
            failure,
            warning,
            info,
            added,
            removed,
            same,
            different,
            ellipsis,
            arrow_right,
            arrow_left,
            arrow_up,
            arrow_down,
            ascending,
            descending,
            times,
            scrollbar,
            scrollbar_thumb,
            bar_full,
            bar_empty,
        ];
        let ones = borders.chain(lines).chain(single).chain(levels).chain(shades).chain(spinner);
        ones.map(|sign| (sign, 1)).chain([tree_branch, tree_last, tree_line].map(|sign| (sign, 3))).collect()
    }

    #[test]
    fn signs_keep_their_columns() {
        for set in [Symbols::UNICODE, Symbols::ASCII, Symbols::UNICODE.without_colours()] {
            for (sign, width) in signs(&set) {
                assert_eq!(sign.width(), width, "{sign}");
            }
        }
        assert!(signs(&Symbols::ASCII).iter().all(|(sign, _)| sign.is_ascii()));
        assert!(Symbols::ASCII.enter.is_ascii());
    }

    #[test]
    fn what_stands_at_the_same_place_differs() {
        for set in [Symbols::UNICODE, Symbols::ASCII] {
            for (one, other) in [
                (set.collapsed, set.expanded),
                (set.radio_on, set.radio_off),
                (set.success, set.failure),
                (set.warning, set.success),
                (set.added, set.removed),
                (set.same, set.different),
                (set.scrollbar, set.scrollbar_thumb),
                (set.bar_full, set.bar_empty),
                (set.ascending, set.descending),
                (set.selected, set.marked),
            ] {
                assert_ne!(one, other);
            }
            let plain = set.without_colours();
            assert_ne!(plain.border, plain.focus_border);
        }
    }

    #[test]
    fn the_locale_and_the_terminal_decide() {
        for (pairs, is_unicode) in [
            (vec![], true),
            (vec![("LANG", "en_GB.UTF-8")], true),
            (vec![("LANG", "C.utf8")], true),
            (vec![("LANG", "C")], false),
            (vec![("LANG", "de_DE.ISO-8859-1")], false),
            (vec![("LANG", "en_GB.UTF-8"), ("LC_ALL", "C")], false),
            (vec![("LANG", "C"), ("LC_CTYPE", "en_GB.UTF-8")], true),
            (vec![("LANG", "C"), ("LC_ALL", "")], false),
            (vec![("LANG", "en_GB.UTF-8"), ("TERM", "linux")], false),
            (vec![("TERM", "dumb")], false),
        ] {
            let environment: Environment =
                pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            let wanted = if is_unicode { Symbols::UNICODE } else { Symbols::ASCII };
            assert_eq!(Symbols::choose(SymbolChoice::Auto, &environment), wanted, "{pairs:?}");
            assert_eq!(Symbols::choose(SymbolChoice::Unicode, &environment), Symbols::UNICODE);
            assert_eq!(Symbols::choose(SymbolChoice::Ascii, &environment), Symbols::ASCII);
        }
        assert_eq!(SymbolChoice::named("ascii"), Some(SymbolChoice::Ascii));
        assert_eq!(SymbolChoice::named("emoji"), None);
    }
}
