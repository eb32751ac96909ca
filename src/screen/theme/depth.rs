//! How many colours a terminal shows, and the nearest of them.
//!
//! A pure function of the environment and a setting; nobody asks the terminal here.

use super::colour::{ANSI, Oklab, Rgb, XTERM, ansi_index, indexed};
use super::role::Role;
use ratatui::style::{Color, Modifier};
use std::collections::BTreeMap;
use std::f32::consts::{PI, TAU};

/// Variables of the environment by name.
pub type Environment = BTreeMap<String, String>;

/// How many colours there are, from all to none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Depth {
    /// 24 bits a colour.
    TrueColour,
    /// The 256 of xterm.
    Indexed256,
    /// The sixteen that every terminal has, as its user likes them.
    Ansi16,
    /// None: modifiers and symbols carry everything.
    None,
}

impl Depth {
    /// Every depth, the deepest first.
    pub const ALL: [Self; 4] = [Self::TrueColour, Self::Indexed256, Self::Ansi16, Self::None];

    /// Its name in the settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TrueColour => "truecolour",
            Self::Indexed256 => "256",
            Self::Ansi16 => "16",
            Self::None => "none",
        }
    }

    /// The depth of a name in the settings; the American spelling counts too.
    pub fn named(name: &str) -> Option<Self> {
        let name = if name == "truecolor" { "truecolour" } else { name };
        Self::ALL.into_iter().find(|depth| depth.name() == name)
    }

    /// The depth to draw with. The first that says something decides: the setting, `NO_COLOR` (not empty), `TERM` and
    /// `COLORTERM`; `CLICOLOR_FORCE` turns "no colours" into sixteen where only `TERM` said so.
    pub fn choose(setting: Option<Self>, environment: &Environment) -> Self {
        if let Some(depth) = setting {
            return depth;
        }
        let value = |name: &str| environment.get(name).map_or("", String::as_str);
        if !value("NO_COLOR").is_empty() {
            return Self::None;
        }
        let depth =
            Self::of_terminal(&value("TERM").to_lowercase(), &value("COLORTERM").to_lowercase(), environment);
        let forced = !matches!(value("CLICOLOR_FORCE"), "" | "0");
        if depth == Self::None && forced { Self::Ansi16 } else { depth }
    }

    fn of_terminal(term: &str, colorterm: &str, environment: &Environment) -> Self {
        const TRUE_COLOUR: &[&str] = &["kitty", "ghostty", "alacritty", "wezterm", "foot", "contour"];
        let has = |name: &str| environment.get(name).is_some_and(|value| !value.is_empty());
        match term {
            "dumb" | "unknown" => return Self::None,
            "linux" => return Self::Ansi16,
            _ if ["vt52", "vt100", "vt102", "vt220", "vt320"].contains(&term) => return Self::None,
            _ => {}
        }
        // GNU screen passes on the COLORTERM of the terminal that it hides, whose true colours it does not show.
        let in_screen = has("STY") && !has("TMUX");
        if in_screen {
            return if term.contains("256") { Self::Indexed256 } else { Self::Ansi16 };
        }
        let claims =
            matches!(colorterm, "truecolor" | "24bit") || term.contains("direct") || has("WT_SESSION");
        if claims || TRUE_COLOUR.iter().any(|name| term.contains(name)) {
            Self::TrueColour
        } else if term.contains("256") {
            Self::Indexed256
        } else {
            Self::Ansi16
        }
    }

    /// The nearest colour that there is at this depth; `None` where there are none.
    pub fn nearest(self, colour: Color) -> Option<Color> {
        let rgb = match colour {
            Color::Rgb(red, green, blue) => Some((red, green, blue)),
            Color::Indexed(index) => indexed(index),
            _ => None,
        };
        match (self, rgb) {
            (Self::None, _) => None,
            (Self::Indexed256, Some(rgb)) if matches!(colour, Color::Rgb(..)) => Some(nearest_of_256(rgb)),
            (Self::Ansi16, Some(rgb)) => Some(nearest_of_16(rgb)),
            (Self::Ansi16, None) => {
                Some(ansi_index(colour).map_or(colour, |index| ANSI[usize::from(index)].1))
            }
            _ => Some(colour),
        }
    }
}

/// The first sixteen are left out: nobody knows what they look like.
fn nearest_of_256(rgb: Rgb) -> Color {
    let wanted = Oklab::from(rgb);
    let distance = |index: u8| indexed(index).map_or(f32::MAX, |rgb| wanted.distance(rgb.into()));
    let nearest = (16..=255).min_by(|one, other| distance(*one).total_cmp(&distance(*other)));
    Color::Indexed(nearest.unwrap_or(16))
}

/// By hue where there is one, and by lightness among the greys where there is none. By distance alone every quiet colour
/// would turn grey, since the sixteen are loud.
fn nearest_of_16(rgb: Rgb) -> Color {
    const GREYS: [usize; 4] = [0, 8, 7, 15];
    const QUIET: f32 = 0.04;
    const BRIGHT: f32 = 0.8;
    let wanted = Oklab::from(rgb);
    let least = |distance: &dyn Fn(Oklab) -> f32, indices: &mut dyn Iterator<Item = usize>| {
        let of = |index: &usize| distance(Oklab::from(XTERM[*index]));
        indices.min_by(|one, other| of(one).total_cmp(&of(other))).unwrap_or(0)
    };
    let index = if wanted.chroma() < QUIET {
        least(&|grey| (grey.lightness - wanted.lightness).abs(), &mut GREYS.into_iter())
    } else {
        let turn = |hue: Oklab| {
            let angle = (hue.hue() - wanted.hue()).abs();
            if angle > PI { TAU - angle } else { angle }
        };
        let hue = least(&turn, &mut (1..=6));
        if wanted.lightness >= BRIGHT { hue + 8 } else { hue }
    };
    ANSI[index].1
}

/// How a role looks without any colour. What must be told apart differs here as well, but for what a symbol, a sign or
/// the place tells already.
pub const fn plain_modifiers(role: Role) -> Modifier {
    const BOLD: Modifier = Modifier::BOLD;
    const DIM: Modifier = Modifier::DIM;
    const UNDERLINED: Modifier = Modifier::UNDERLINED;
    const REVERSED: Modifier = Modifier::REVERSED;
    match role {
        Role::Selection
        | Role::AccentText
        | Role::Cursor
        | Role::ChipActive
        | Role::SearchHit
        | Role::NoticeError => REVERSED,
        Role::Strong
        | Role::Title
        | Role::Accent
        | Role::FocusBorder
        | Role::Marked
        | Role::KeyHint
        | Role::Warning
        | Role::Added
        | Role::ScrollbarThumb
        | Role::SyntaxKeyword => BOLD,
        Role::Match | Role::Heading | Role::Danger | Role::Disagree | Role::BracketMatch => {
            BOLD.union(UNDERLINED)
        }
        Role::SelectionUnfocused | Role::ErrorUnderline => UNDERLINED,
        Role::Muted
        | Role::Faint
        | Role::Border
        | Role::Removed
        | Role::NullValue
        | Role::EmptyValue
        | Role::LineNumber
        | Role::Scrollbar
        | Role::SyntaxComment => DIM,
        Role::BlobValue => DIM.union(UNDERLINED),
        Role::Text
        | Role::CursorLine
        | Role::Chip
        | Role::Success
        | Role::Info
        | Role::Agree
        | Role::NumberValue
        | Role::TextValue
        | Role::Overlay
        | Role::Notice
        | Role::SyntaxFunction
        | Role::SyntaxName
        | Role::SyntaxQuotedName
        | Role::SyntaxString
        | Role::SyntaxNumber
        | Role::SyntaxOperator
        | Role::SyntaxBracket
        | Role::SyntaxParameter
        | Role::SyntaxJsonKey => Modifier::empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn environment(text: &str) -> Environment {
        text.split_whitespace()
            .filter_map(|pair| pair.split_once('='))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }

    #[test]
    fn the_environment_decides() {
        for (text, depth) in [
            ("TERM=xterm-256color COLORTERM=truecolor", Depth::TrueColour),
            ("TERM=xterm-256color COLORTERM=24bit", Depth::TrueColour),
            ("TERM=xterm-256color", Depth::Indexed256),
            ("TERM=xterm-256color COLORTERM=yes", Depth::Indexed256),
            ("TERM=xterm-direct", Depth::TrueColour),
            ("TERM=xterm-kitty", Depth::TrueColour),
            ("TERM=xterm", Depth::Ansi16),
            ("", Depth::Ansi16),
            ("WT_SESSION=1", Depth::TrueColour),
            ("TERM=linux COLORTERM=truecolor", Depth::Ansi16),
            ("TERM=vt100", Depth::None),
            ("TERM=dumb", Depth::None),
            ("TERM=dumb COLORTERM=truecolor", Depth::None),
            ("TERM=dumb CLICOLOR_FORCE=1", Depth::Ansi16),
            ("TERM=dumb CLICOLOR_FORCE=0", Depth::None),
            ("TERM=xterm-256color CLICOLOR_FORCE=1", Depth::Indexed256),
            ("TERM=xterm-256color COLORTERM=truecolor NO_COLOR=1", Depth::None),
            ("TERM=xterm-256color COLORTERM=truecolor NO_COLOR=1 CLICOLOR_FORCE=1", Depth::None),
            ("TERM=xterm-256color COLORTERM=truecolor NO_COLOR=", Depth::TrueColour),
            ("TERM=screen-256color COLORTERM=truecolor STY=1", Depth::Indexed256),
            ("TERM=screen COLORTERM=truecolor STY=1", Depth::Ansi16),
            ("TERM=tmux-256color COLORTERM=truecolor STY=1 TMUX=/tmp/x", Depth::TrueColour),
        ] {
            assert_eq!(Depth::choose(None, &environment(text)), depth, "{text}");
        }
        for depth in Depth::ALL {
            let set = Depth::choose(Some(depth), &environment("TERM=dumb NO_COLOR=1"));
            assert_eq!(set, depth, "a setting is meant for this program and wins");
            assert_eq!(Depth::named(depth.name()), Some(depth));
        }
        assert_eq!(Depth::named("truecolor"), Some(Depth::TrueColour));
        assert_eq!(Depth::named("auto"), None);
    }

    #[test]
    fn quiet_colours_keep_their_hue_among_sixteen() {
        for (rgb, colour) in [
            ((0xe5, 0x86, 0x70), Color::Red),
            ((0x93, 0xc7, 0x95), Color::Green),
            ((0xd8, 0xa8, 0x50), Color::Yellow),
            ((0x7f, 0xb0, 0xd8), Color::Blue),
            ((0xbf, 0x8f, 0xc4), Color::Magenta),
            ((0x74, 0xbd, 0xba), Color::Cyan),
            ((0x10, 0x10, 0x12), Color::Black),
            ((0x70, 0x70, 0x70), Color::DarkGray),
            ((0xd8, 0xd8, 0xd0), Color::Gray),
            ((0xff, 0xff, 0xff), Color::White),
        ] {
            assert_eq!(nearest_of_16(rgb), colour, "{rgb:?}");
        }
    }

    #[test]
    fn named_and_own_colours_stay_where_they_can() {
        for depth in [Depth::TrueColour, Depth::Indexed256, Depth::Ansi16] {
            assert_eq!(depth.nearest(Color::Reset), Some(Color::Reset));
            assert_eq!(depth.nearest(Color::LightRed), Some(Color::LightRed));
        }
        assert_eq!(Depth::Ansi16.nearest(Color::Indexed(9)), Some(Color::LightRed));
        assert_eq!(Depth::Indexed256.nearest(Color::Indexed(244)), Some(Color::Indexed(244)));
        assert_eq!(Depth::None.nearest(Color::Red), None);
        assert_eq!(Depth::None.nearest(Color::Reset), None);
    }

    proptest! {
        #[test]
        fn each_colour_of_the_cube_is_its_own_nearest(index in 16_u8..=255) {
            let (red, green, blue) = indexed(index).expect("a fixed colour");
            let Some(Color::Indexed(nearest)) = Depth::Indexed256.nearest(Color::Rgb(red, green, blue)) else {
                panic!("no index");
            };
            prop_assert_eq!(indexed(nearest), indexed(index));
        }

        #[test]
        fn nothing_deeper_than_the_depth_comes_out(red: u8, green: u8, blue: u8) {
            let colour = Color::Rgb(red, green, blue);
            prop_assert!(matches!(Depth::Indexed256.nearest(colour), Some(Color::Indexed(16..))));
            prop_assert!(Depth::Ansi16.nearest(colour).and_then(ansi_index).is_some());
        }
    }
}
