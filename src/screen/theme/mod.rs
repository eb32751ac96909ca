//! Themes: what each meaning ([`Role`]) looks like on a terminal of a certain depth, and the signs to draw with.
//!
//! Not here: files and the terminal. The caller brings the environment, the terminal's answer and the texts of the
//! user's theme files. `docs/themes.md` is the page for people.
//!
//! A theme has a style for every role, and at the depth [`Depth::None`] no colour at all.

pub mod choose;
mod chosen;
pub mod colour;
pub mod contrast;
pub mod depth;
pub mod embedded;
mod error;
mod file;
mod library;
mod role;
pub mod symbols;
#[cfg(test)]
mod theme_tests;

pub use choose::{Mode, Wanted};
pub use chosen::ChosenTheme;
pub use depth::{Depth, Environment};
pub use error::ThemeError;
pub use file::ThemeFile;
pub use library::Library;
pub use role::Role;
pub use symbols::{SymbolChoice, Symbols};

use file::{PaletteColour, RoleEntry, Written};
use ratatui::style::{Color, Modifier, Style};

/// The key of the palette that fills what nothing else fills.
const BACKGROUND: &str = "background";

/// A theme, ready to draw with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    /// Its name in the settings.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// Dark or light.
    pub mode: Mode,
    /// The depth that it was built for.
    pub depth: Depth,
    /// What the whole frame is filled with before anything is drawn.
    pub background: Style,
    /// The signs to draw with.
    pub symbols: Symbols,
    styles: [Style; Role::COUNT],
}

impl Theme {
    /// Builds a theme; `chain` begins with its file and ends with the one that inherits nothing.
    ///
    /// # Errors
    /// [`ThemeError`] if a colour is unknown, or if a role, the mode or the background is missing in all of them.
    pub fn build(chain: &[&ThemeFile], depth: Depth, symbols: Symbols) -> Result<Self, ThemeError> {
        let merged = ThemeFile::merge(chain)
            .ok_or_else(|| ThemeError::UnknownTheme { name: String::new(), hint: "name one".to_owned() })?;
        let missing = |key: &str, wanted: &str| ThemeError::MissingKey {
            file: merged.file.clone(),
            key: key.to_owned(),
            wanted: wanted.to_owned(),
        };
        let mode = merged.mode.ok_or_else(|| missing("mode", "mode = \"dark\" or mode = \"light\""))?;
        let Some(background) = merged.palette.get(BACKGROUND).copied() else {
            return Err(missing(
                "palette.background",
                "background = \"default\" or a colour under [palette]",
            ));
        };
        let mut styles = [Style::new(); Role::COUNT];
        let mut without = Vec::new();
        for role in Role::ALL {
            match merged.roles.get(role) {
                Some(RoleEntry { style: Some((file, written)), ansi256, ansi16 }) => {
                    let full = resolve(&merged, file, *role, written)?;
                    styles[*role as usize] = at_depth(*role, &full, ansi256.as_ref(), ansi16.as_ref(), depth);
                }
                _ => without.push(role.name().to_owned()),
            }
        }
        if !without.is_empty() {
            return Err(ThemeError::MissingRoles { file: merged.file, roles: without });
        }
        let text = styles[Role::Text as usize];
        Ok(Self {
            name: merged.name,
            title: merged.title,
            mode,
            depth,
            background: Style { fg: text.fg, bg: ground_at(background, depth), ..Style::new() },
            symbols: if depth == Depth::None { symbols.without_colours() } else { symbols },
            styles,
        })
    }

    /// A theme without colours that needs no file.
    pub fn plain(symbols: Symbols) -> Self {
        let mut styles = [Style::new(); Role::COUNT];
        for role in Role::ALL {
            styles[*role as usize] = Style::new().add_modifier(depth::plain_modifiers(*role));
        }
        Self {
            name: "plain".to_owned(),
            title: "Plain".to_owned(),
            mode: Mode::Dark,
            depth: Depth::None,
            background: Style::new(),
            symbols: symbols.without_colours(),
            styles,
        }
    }

    /// The style of a meaning.
    pub fn style(&self, role: Role) -> Style {
        self.styles[role as usize]
    }

    /// The style of a meaning on a ground such as [`Role::Selection`] or [`Role::Overlay`]. The ground wins where both
    /// say something, as when it is laid over what is drawn already; what has a ground of its own keeps it. Text is not
    /// dim on a ground in reverse: terminals disagree on what that looks like, and some show next to nothing.
    pub fn on(&self, ground: Role, role: Role) -> Style {
        let (ground, mut style) = (self.style(ground), self.style(role));
        if has_own_ground(style) {
            return style;
        }
        if ground.add_modifier.contains(Modifier::REVERSED) {
            style.add_modifier.remove(Modifier::DIM);
        }
        style.patch(ground)
    }
}

/// Whether a style says what is behind its text.
fn has_own_ground(style: Style) -> bool {
    style.bg.is_some() || style.add_modifier.contains(Modifier::REVERSED)
}

/// Looks up the names of the palette. At every depth, so that a wrong name is found on every terminal.
fn resolve(
    merged: &ThemeFile,
    file: &str,
    role: Role,
    written: &Written<String>,
) -> Result<Written<PaletteColour>, ThemeError> {
    let colour = |name: &Option<String>, part: &str| {
        let key = format!("role.{}.{part}", role.name());
        name.as_ref().map(|name| merged.colour(file, &key, name)).transpose()
    };
    Ok(Written {
        fg: colour(&written.fg, "fg")?,
        bg: colour(&written.bg, "bg")?,
        modifiers: written.modifiers,
    })
}

/// The style of a role at a depth: what the theme says about the depth, else the nearest of its full colours.
fn at_depth(
    role: Role,
    full: &Written<PaletteColour>,
    ansi256: Option<&Written<Color>>,
    ansi16: Option<&Written<Color>>,
    depth: Depth,
) -> Style {
    let own = match depth {
        Depth::TrueColour => None,
        Depth::Indexed256 => ansi256,
        Depth::Ansi16 => ansi16,
        Depth::None => return Style::new().add_modifier(depth::plain_modifiers(role)),
    };
    let (fg, bg, modifiers) = match own {
        Some(Written { fg, bg, modifiers }) => (*fg, *bg, *modifiers),
        None => (
            full.fg.and_then(|colour| colour_at(colour, depth)),
            full.bg.and_then(|colour| colour_at(colour, depth)),
            full.modifiers,
        ),
    };
    Style { fg, bg, ..Style::new() }.add_modifier(modifiers)
}

fn colour_at(colour: PaletteColour, depth: Depth) -> Option<Color> {
    let own = if depth == Depth::Indexed256 { colour.ansi256 } else { None };
    own.or_else(|| depth.nearest(colour.full))
}

/// The ground of the frame. Among sixteen colours it is always the terminal's own: its black and white are often neither,
/// and its user chose the other fourteen for the ground that is there.
fn ground_at(background: PaletteColour, depth: Depth) -> Option<Color> {
    match depth {
        Depth::Ansi16 => Some(Color::Reset),
        _ => colour_at(background, depth),
    }
}
