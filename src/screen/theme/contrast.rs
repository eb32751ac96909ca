//! Whether a theme can be read: contrast by WCAG 2, and pairs of roles that must not look the same.
//!
//! A theme that leaves the ground or a colour to the terminal is judged on typical terminals of its mode. What the
//! user's own palette does to it nobody can know; the judgement says so by being about typical ones.

use super::colour::{Rgb, ansi_index, contrast, indexed};
use super::depth::Depth;
use super::{Mode, Role, Theme};
use ratatui::style::{Color, Modifier, Style};

/// The least contrast of text (WCAG 2.2, 1.4.3 AA).
pub const TEXT: f32 = 4.5;
/// The least contrast of text in themes of high contrast (1.4.6 AAA).
pub const TEXT_HIGH: f32 = 7.0;
/// The least contrast of what is no text but must be seen (1.4.11): the border in focus, the place in a scrollbar.
const SIGN: f32 = 3.0;
/// The least contrast of quiet borders. They are decoration, which WCAG leaves free; this much and they still divide.
const DECORATION: f32 = 1.5;
/// The least contrast of the ground of a selected row with the ground of the others.
const SELECTED: f32 = 1.25;
/// The same where the area has not the keys, and for the line of the cursor.
const SELECTED_QUIET: f32 = 1.05;
/// What dim text keeps of its colour; the rest is ground. Terminals differ, from a half to three quarters.
const DIM: f32 = 0.66;

/// What a terminal does with the colours that a theme leaves to it.
struct Terminal {
    name: &'static str,
    fg: Rgb,
    bg: Rgb,
    ansi: &'static [Rgb; 16],
}

/// A palette made for dark grounds.
const ANSI_ON_DARK: [Rgb; 16] = [
    (0x1d, 0x1f, 0x21),
    (0xcc, 0x66, 0x66),
    (0x8a, 0xbf, 0x62),
    (0xd9, 0xa9, 0x4f),
    (0x6f, 0x9f, 0xd8),
    (0xb2, 0x94, 0xbb),
    (0x68, 0xb3, 0xad),
    (0xc5, 0xc8, 0xc6),
    (0x66, 0x6a, 0x6d),
    (0xf0, 0x7a, 0x7a),
    (0xb5, 0xe0, 0x8a),
    (0xf5, 0xcf, 0x78),
    (0x92, 0xbd, 0xf0),
    (0xd0, 0xb2, 0xd8),
    (0x8f, 0xd8, 0xd2),
    (0xff, 0xff, 0xff),
];

/// A palette made for light grounds.
const ANSI_ON_LIGHT: [Rgb; 16] = [
    (0x24, 0x29, 0x2e),
    (0xb3, 0x1d, 0x28),
    (0x1f, 0x7a, 0x36),
    (0x8a, 0x61, 0x00),
    (0x00, 0x5c, 0xc5),
    (0x6f, 0x42, 0xc1),
    (0x1b, 0x7c, 0x83),
    (0x6a, 0x73, 0x7d),
    (0x95, 0x9d, 0xa5),
    (0xcb, 0x24, 0x31),
    (0x28, 0xa7, 0x45),
    (0xa3, 0x7a, 0x00),
    (0x03, 0x66, 0xd6),
    (0x8a, 0x63, 0xd2),
    (0x2a, 0x92, 0x9b),
    (0xd1, 0xd5, 0xda),
];

const DARK: &[Terminal] = &[
    Terminal {
        name: "a dark terminal (#16181a)",
        fg: (0xd5, 0xd8, 0xd6),
        bg: (0x16, 0x18, 0x1a),
        ansi: &ANSI_ON_DARK,
    },
    Terminal { name: "a black terminal", fg: (0xe5, 0xe5, 0xe5), bg: (0, 0, 0), ansi: &ANSI_ON_DARK },
];

const LIGHT: &[Terminal] = &[
    Terminal { name: "a white terminal", fg: (0x24, 0x29, 0x2e), bg: (255, 255, 255), ansi: &ANSI_ON_LIGHT },
    Terminal {
        name: "a light terminal (#fbfbf9)",
        fg: (0x24, 0x29, 0x2e),
        bg: (0xfb, 0xfb, 0xf9),
        ansi: &ANSI_ON_LIGHT,
    },
];

/// How a role is judged.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Text that may stand on any ground.
    Text,
    /// The same, but less is asked of it on a ground other than the frame's.
    Quiet,
    /// Text with a ground of its own, or that stands on the frame only.
    Apart,
    /// A ground that other roles stand on.
    Ground,
    /// No text: the least contrast is [`SIGN`].
    Sign,
    /// No text, and nothing is lost where it is not seen.
    Decoration,
}

const fn kind(role: Role) -> Kind {
    match role {
        Role::Faint | Role::LineNumber => Kind::Quiet,
        Role::AccentText
        | Role::Cursor
        | Role::Chip
        | Role::ChipActive
        | Role::SearchHit
        | Role::Notice
        | Role::NoticeError => Kind::Apart,
        Role::Selection | Role::SelectionUnfocused | Role::CursorLine | Role::Overlay => Kind::Ground,
        Role::FocusBorder | Role::ScrollbarThumb => Kind::Sign,
        Role::Border | Role::Scrollbar => Kind::Decoration,
        _ => Kind::Text,
    }
}

/// Pairs that stand beside each other and mean different things: they differ in colour or in modifiers.
pub const APART: &[(Role, Role)] = &[
    (Role::Text, Role::Muted),
    (Role::Text, Role::Strong),
    (Role::Text, Role::Accent),
    (Role::Text, Role::Marked),
    (Role::Text, Role::KeyHint),
    (Role::Text, Role::Match),
    (Role::Border, Role::FocusBorder),
    (Role::Selection, Role::SelectionUnfocused),
    (Role::Selection, Role::Text),
    (Role::SelectionUnfocused, Role::Text),
    (Role::Chip, Role::ChipActive),
    (Role::Danger, Role::Warning),
    (Role::Danger, Role::Success),
    (Role::Danger, Role::Text),
    (Role::Danger, Role::Muted),
    (Role::Warning, Role::Success),
    (Role::Warning, Role::Text),
    (Role::Warning, Role::Muted),
    (Role::Success, Role::Muted),
    (Role::Added, Role::Removed),
    (Role::Agree, Role::Disagree),
    (Role::NullValue, Role::TextValue),
    (Role::EmptyValue, Role::TextValue),
    (Role::BlobValue, Role::TextValue),
    (Role::Notice, Role::NoticeError),
    (Role::Scrollbar, Role::ScrollbarThumb),
    (Role::SyntaxKeyword, Role::SyntaxName),
];

/// What is hard to read in a theme, one sentence a fault; text needs 4.5:1.
pub fn check(theme: &Theme) -> Vec<String> {
    check_at(theme, TEXT)
}

/// The same for another least contrast of text on the ground of the frame. Quiet text on other grounds needs two
/// thirds of it.
pub fn check_at(theme: &Theme, least: f32) -> Vec<String> {
    let mut faults: Vec<String> = APART
        .iter()
        .filter(|(one, other)| theme.style(*one) == theme.style(*other))
        .map(|(one, other)| {
            let (name, depth) = (&theme.name, theme.depth.name());
            format!("theme {name} ({depth}): {} and {} look the same", one.name(), other.name())
        })
        .collect();
    if theme.depth != Depth::None {
        let terminals = match theme.mode {
            Mode::Dark => DARK,
            Mode::Light => LIGHT,
        };
        for terminal in terminals {
            faults.extend(on_terminal(theme, terminal, least));
        }
        // A theme that leaves nothing to the terminal has the same faults on each.
        faults.sort();
        faults.dedup();
    }
    faults
}

fn on_terminal(theme: &Theme, terminal: &Terminal, least: f32) -> Vec<String> {
    let mut faults = Vec::new();
    let frame = Frame { theme, terminal };
    let mut need = |what: String, style: Style, least: f32| {
        let (fg, bg) = frame.shown(style);
        let found = contrast(fg, bg);
        if found < least {
            let place = if frame.is_own() { "" } else { terminal.name };
            let on = if place.is_empty() { String::new() } else { format!(" on {place}") };
            let (name, depth) = (&theme.name, theme.depth.name());
            let (fg, bg) = (hex(fg), hex(bg));
            faults.push(format!(
                "theme {name} ({depth}): {what} has {found:.2}:1{on} ({fg} on {bg}), not {least}:1"
            ));
        }
    };
    for role in Role::ALL {
        let style = theme.style(*role);
        let name = role.name().to_owned();
        match kind(*role) {
            Kind::Text | Kind::Quiet | Kind::Apart => need(name, style, least),
            // What stands on it is judged below.
            Kind::Ground => {}
            Kind::Sign => need(name, style, SIGN),
            Kind::Decoration => need(name, style, DECORATION),
        }
    }
    for ground in Role::ALL.iter().filter(|role| kind(**role) == Kind::Ground) {
        for role in Role::ALL {
            let least = match kind(*role) {
                Kind::Text => least,
                Kind::Quiet => least / 1.5,
                _ => continue,
            };
            need(format!("{} on {}", role.name(), ground.name()), theme.on(*ground, *role), least);
        }
    }
    for (role, least) in [(Role::Selection, SELECTED), (Role::SelectionUnfocused, SELECTED_QUIET)] {
        let style = theme.style(role);
        let is_marked = style.add_modifier.intersects(Modifier::UNDERLINED | Modifier::BOLD);
        if !is_marked {
            let ground =
                Style { fg: Some(rgb(frame.shown(style).1)), bg: theme.background.bg, ..Style::new() };
            need(format!("the ground of {}", role.name()), ground, least);
        }
    }
    faults
}

/// A theme on a terminal.
struct Frame<'a> {
    theme: &'a Theme,
    terminal: &'a Terminal,
}

impl Frame<'_> {
    /// Whether the theme has a ground of its own.
    fn is_own(&self) -> bool {
        !matches!(self.theme.background.bg, None | Some(Color::Reset))
    }

    /// The colours that a person sees: of the letters, and behind them.
    fn shown(&self, style: Style) -> (Rgb, Rgb) {
        let own = self.terminal;
        let fg = self.light(style.fg.or(self.theme.background.fg), own.fg);
        let bg = self.light(style.bg.or(self.theme.background.bg), own.bg);
        let fg = if style.add_modifier.contains(Modifier::DIM) { mix(fg, bg) } else { fg };
        if style.add_modifier.contains(Modifier::REVERSED) { (bg, fg) } else { (fg, bg) }
    }

    fn light(&self, colour: Option<Color>, own: Rgb) -> Rgb {
        match colour {
            None | Some(Color::Reset) => own,
            Some(Color::Rgb(red, green, blue)) => (red, green, blue),
            Some(colour) => match (ansi_index(colour), colour) {
                (Some(index), _) => self.terminal.ansi[usize::from(index)],
                (None, Color::Indexed(index)) => indexed(index).unwrap_or(own),
                (None, _) => own,
            },
        }
    }
}

const fn rgb((red, green, blue): Rgb) -> Color {
    Color::Rgb(red, green, blue)
}

fn hex((red, green, blue): Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Dim text: part of its colour, the rest ground.
fn mix(text: Rgb, ground: Rgb) -> Rgb {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a mean of two bytes is a byte"
    )]
    let part = |text: u8, ground: u8| (f32::from(text) * DIM + f32::from(ground) * (1.0 - DIM)).round() as u8;
    (part(text.0, ground.0), part(text.1, ground.1), part(text.2, ground.2))
}
