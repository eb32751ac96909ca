//! Which theme: a pure function of the settings, the terminal's answer and the environment.
//!
//! The answer arrives while the workbench already runs; then the choice is made again.

use super::colour::{Rgb, luminance};
use super::depth::Environment;
pub use crate::workbench::event::Mode;

impl Mode {
    /// Its name in theme files and settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Light => "light",
        }
    }

    /// The mode that fits a background colour, as a terminal answers it (OSC 11). Text in the better of black and white
    /// decides: above a luminance of 0.179 black reads better.
    pub fn of_background(background: Rgb) -> Self {
        if luminance(background) > 0.179 { Self::Light } else { Self::Dark }
    }

    /// The mode that `COLORFGBG` tells, such as `15;0`: its last part is the number of the background among the sixteen.
    pub fn of_colorfgbg(value: &str) -> Option<Self> {
        match value.rsplit(';').next()?.parse::<u8>().ok()? {
            0..=6 | 8 => Some(Self::Dark),
            7 | 9..=15 => Some(Self::Light),
            _ => None,
        }
    }
}

/// The theme for dark terminals, and for those of which nothing is known.
pub const DEFAULT_DARK: &str = "slate";
/// The theme for light terminals.
pub const DEFAULT_LIGHT: &str = "default-light";

/// What the settings say about themes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// A theme, or `dark` or `light` for the one of that mode, or `auto` (as nothing) for the terminal's mode.
    pub theme: Option<String>,
    /// The theme for dark terminals, instead of [`DEFAULT_DARK`].
    pub dark: Option<String>,
    /// The theme for light terminals, instead of [`DEFAULT_LIGHT`].
    pub light: Option<String>,
}

/// The name of the theme to use. The first that says something decides: the setting, the terminal's answer,
/// `COLORFGBG`; else dark.
pub fn choose(wanted: &Wanted, answer: Option<Mode>, environment: &Environment) -> String {
    let mode = match wanted.theme.as_deref() {
        None | Some("auto" | "") => answer
            .or_else(|| environment.get("COLORFGBG").and_then(|value| Mode::of_colorfgbg(value)))
            .unwrap_or(Mode::Dark),
        Some("dark") => Mode::Dark,
        Some("light") => Mode::Light,
        Some(name) => return name.to_owned(),
    };
    let (own, default) = match mode {
        Mode::Dark => (&wanted.dark, DEFAULT_DARK),
        Mode::Light => (&wanted.light, DEFAULT_LIGHT),
    };
    own.clone().unwrap_or_else(|| default.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(theme: &str, dark: &str, light: &str) -> Wanted {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Wanted { theme: some(theme), dark: some(dark), light: some(light) }
    }

    #[test]
    fn the_first_that_says_something_decides() {
        let dark = Some(Mode::Dark);
        let light = Some(Mode::Light);
        for (settings, answer, colorfgbg, name) in [
            (wanted("", "", ""), None, "", "slate"),
            (wanted("auto", "", ""), light, "", "default-light"),
            (wanted("auto", "", ""), light, "15;0", "default-light"),
            (wanted("auto", "", ""), dark, "0;15", "slate"),
            (wanted("auto", "", ""), None, "0;15", "default-light"),
            (wanted("auto", "", ""), None, "0;default;15", "default-light"),
            (wanted("auto", "", ""), None, "15;default", "slate"),
            (wanted("auto", "harbour", "ledger"), light, "", "ledger"),
            (wanted("auto", "harbour", "ledger"), dark, "", "harbour"),
            (wanted("auto", "harbour", ""), light, "", "default-light"),
            (wanted("light", "harbour", "ledger"), dark, "15;0", "ledger"),
            (wanted("dark", "", ""), light, "0;15", "slate"),
            (wanted("lamplight", "harbour", "ledger"), light, "0;15", "lamplight"),
        ] {
            let environment = Environment::from([("COLORFGBG".to_owned(), colorfgbg.to_owned())]);
            assert_eq!(choose(&settings, answer, &environment), name, "{settings:?} {answer:?} {colorfgbg}");
        }
    }

    #[test]
    fn backgrounds_tell_their_mode() {
        for (background, mode) in [
            ((0, 0, 0), Mode::Dark),
            ((0x16, 0x18, 0x1a), Mode::Dark),
            ((0x00, 0x2b, 0x36), Mode::Dark),
            ((0xfd, 0xf6, 0xe3), Mode::Light),
            ((255, 255, 255), Mode::Light),
        ] {
            assert_eq!(Mode::of_background(background), mode, "{background:?}");
        }
        for (value, mode) in
            [("7", Some(Mode::Light)), ("0;8", Some(Mode::Dark)), ("0;16", None), ("", None), ("a;b", None)]
        {
            assert_eq!(Mode::of_colorfgbg(value), mode, "{value}");
        }
    }
}
