//! The TOML form of a theme, and what one theme takes from another.
//!
//! Not here: which files there are ([`super::library`]), what a terminal can show ([`super::depth`]). A name of the
//! palette is looked up only when everything is merged, so that a theme can change the palette of one that it inherits.

use super::choose::Mode;
use super::colour::{ANSI, parse as parse_colour};
use super::error::{ThemeError, hint};
use super::role::Role;
use ratatui::style::{Color, Modifier};
use std::collections::BTreeMap;
use toml::{Table, Value};

/// A style as a theme file has it; colours are names of the palette, or colours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Written<C> {
    pub(super) fg: Option<C>,
    pub(super) bg: Option<C>,
    pub(super) modifiers: Modifier,
}

/// A colour of the palette.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PaletteColour {
    pub(super) full: Color,
    /// Instead of the nearest among 256 colours.
    pub(super) ansi256: Option<Color>,
}

/// What a file says about a role. Each of the three is inherited on its own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct RoleEntry {
    /// The style, with the file that says so.
    pub(super) style: Option<(String, Written<String>)>,
    /// Instead of the nearest among 256 colours.
    pub(super) ansi256: Option<Written<Color>>,
    /// Instead of the nearest among sixteen.
    pub(super) ansi16: Option<Written<Color>>,
}

/// One theme file, read and checked on its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThemeFile {
    /// The file, for messages.
    pub file: String,
    /// The name in the settings.
    pub name: String,
    /// The name for people; the name itself if the file has none.
    pub title: String,
    /// Dark or light; `None` where it is inherited.
    pub mode: Option<Mode>,
    /// The theme that it changes.
    pub inherits: Option<String>,
    pub(super) palette: BTreeMap<String, PaletteColour>,
    pub(super) roles: BTreeMap<Role, RoleEntry>,
}

const KEYS: &[&str] = &["name", "title", "mode", "inherits", "palette", "role"];
const STYLE_KEYS: &[&str] = &["fg", "bg", "modifiers"];
const ROLE_KEYS: &[&str] = &["fg", "bg", "modifiers", "ansi256", "ansi16"];

impl ThemeFile {
    /// Reads a theme file.
    ///
    /// # Errors
    /// [`ThemeError`] for the first fault.
    pub fn parse(file: &str, text: &str) -> Result<Self, ThemeError> {
        let table: Table = toml::from_str(text).map_err(|error| ThemeError::Syntax {
            file: file.to_owned(),
            line: error
                .span()
                .and_then(|span| text.get(..span.start))
                .map_or(0, |text| text.matches('\n').count())
                + 1,
            reason: error.message().to_owned(),
        })?;
        let reader = Reader { file };
        reader.known("", &table, KEYS)?;
        let text_of = |key: &str, wanted: &str| {
            table.get(key).map(|value| reader.text(key, value, wanted).map(str::to_owned)).transpose()
        };
        let name = text_of("name", "a name in quotation marks")?.ok_or_else(|| ThemeError::MissingKey {
            file: file.to_owned(),
            key: "name".to_owned(),
            wanted: "name = \"my-theme\", as the settings will call it".to_owned(),
        })?;
        let title = text_of("title", "a title in quotation marks")?.unwrap_or_else(|| name.clone());
        let inherits = text_of("inherits", "the name of a theme in quotation marks")?;
        Ok(Self {
            file: file.to_owned(),
            name,
            title,
            mode: reader.mode(&table)?,
            inherits,
            palette: reader.palette(&table)?,
            roles: reader.roles(&table)?,
        })
    }

    /// Lays the files over each other; `chain` begins with the theme and ends with what inherits nothing.
    pub(super) fn merge(chain: &[&Self]) -> Option<Self> {
        let (first, rest) = chain.split_first()?;
        let mut merged = (*first).clone();
        for parent in rest {
            merged.mode = merged.mode.or(parent.mode);
            for (name, colour) in &parent.palette {
                merged.palette.entry(name.clone()).or_insert(*colour);
            }
            for (role, theirs) in &parent.roles {
                let ours = merged.roles.entry(*role).or_default();
                ours.style = ours.style.take().or_else(|| theirs.style.clone());
                ours.ansi256 = ours.ansi256.take().or_else(|| theirs.ansi256.clone());
                ours.ansi16 = ours.ansi16.take().or_else(|| theirs.ansi16.clone());
            }
        }
        Some(merged)
    }

    /// A colour of the palette, or a colour as it is written.
    pub(super) fn colour(&self, file: &str, key: &str, name: &str) -> Result<PaletteColour, ThemeError> {
        let written = || parse_colour(name).map(|full| PaletteColour { full, ansi256: None });
        self.palette.get(name).copied().or_else(written).ok_or_else(|| ThemeError::UnknownColour {
            file: file.to_owned(),
            key: key.to_owned(),
            colour: name.to_owned(),
            hint: format!(
                "write a name of [palette], an ANSI name, default or #rrggbb; {}",
                hint(name, self.palette.keys().map(String::as_str))
            ),
        })
    }
}

/// Reads the parts of one file and names it in every fault.
struct Reader<'a> {
    file: &'a str,
}

impl Reader<'_> {
    fn wrong(&self, key: &str, found: &Value, wanted: &str) -> ThemeError {
        ThemeError::WrongType {
            file: self.file.to_owned(),
            key: key.to_owned(),
            found: match found {
                Value::String(text) => format!("'{text}'"),
                other => format!("of the type {}", other.type_str()),
            },
            wanted: wanted.to_owned(),
        }
    }

    fn known(&self, under: &str, table: &Table, keys: &[&str]) -> Result<(), ThemeError> {
        table.keys().find(|key| !keys.contains(&key.as_str())).map_or(Ok(()), |key| {
            Err(ThemeError::UnknownKey {
                file: self.file.to_owned(),
                key: format!("{under}{key}"),
                hint: hint(key, keys.iter().copied()),
            })
        })
    }

    fn text<'v>(&self, key: &str, value: &'v Value, wanted: &str) -> Result<&'v str, ThemeError> {
        value.as_str().ok_or_else(|| self.wrong(key, value, wanted))
    }

    /// The table under a key; `None` where there is no such key.
    fn table<'t>(&self, table: &'t Table, key: &str) -> Result<Option<&'t Table>, ThemeError> {
        let under = |value: &'t Value| {
            value.as_table().ok_or_else(|| self.wrong(key, value, &format!("a table, [{key}]")))
        };
        table.get(key).map(under).transpose()
    }

    fn mode(&self, table: &Table) -> Result<Option<Mode>, ThemeError> {
        const WANTED: &str = "\"dark\" or \"light\"";
        let Some(value) = table.get("mode") else { return Ok(None) };
        match self.text("mode", value, WANTED)? {
            "dark" => Ok(Some(Mode::Dark)),
            "light" => Ok(Some(Mode::Light)),
            _ => Err(self.wrong("mode", value, WANTED)),
        }
    }

    fn palette(&self, table: &Table) -> Result<BTreeMap<String, PaletteColour>, ThemeError> {
        let mut palette = BTreeMap::new();
        for (name, value) in self.table(table, "palette")?.into_iter().flatten() {
            let key = format!("palette.{name}");
            if name == "default" {
                return Err(ThemeError::UnknownKey {
                    file: self.file.to_owned(),
                    key,
                    hint: "'default' is always the terminal's own colour; choose another name".to_owned(),
                });
            }
            palette.insert(name.clone(), self.palette_colour(&key, value)?);
        }
        Ok(palette)
    }

    fn palette_colour(&self, key: &str, value: &Value) -> Result<PaletteColour, ThemeError> {
        const WANTED: &str = "\"#rrggbb\", an ANSI name or \"default\"";
        const WANTED_TABLE: &str = "a colour, or a table { rgb = \"#rrggbb\", ansi256 = 0 to 255 }";
        let (text_key, text, ansi256) = match value {
            Value::Table(table) => {
                self.known(&format!("{key}."), table, &["rgb", "ansi256"])?;
                let rgb = table.get("rgb").ok_or_else(|| self.wrong(key, value, WANTED_TABLE))?;
                let of_256 = |value| self.terminal_colour(&format!("{key}.ansi256"), value, true);
                (format!("{key}.rgb"), rgb, table.get("ansi256").map(of_256).transpose()?)
            }
            other => (key.to_owned(), other, None),
        };
        let text = self.text(&text_key, text, WANTED_TABLE)?;
        let full = parse_colour(text).ok_or_else(|| ThemeError::UnknownColour {
            file: self.file.to_owned(),
            key: text_key,
            colour: text.to_owned(),
            hint: format!("write {WANTED}"),
        })?;
        Ok(PaletteColour { full, ansi256 })
    }

    fn roles(&self, table: &Table) -> Result<BTreeMap<Role, RoleEntry>, ThemeError> {
        let mut roles = BTreeMap::new();
        for (name, value) in self.table(table, "role")?.into_iter().flatten() {
            let role = Role::named(name).ok_or_else(|| ThemeError::UnknownRole {
                file: self.file.to_owned(),
                role: name.clone(),
                hint: hint(name, Role::ALL.iter().map(|role| role.name())),
            })?;
            roles.insert(role, self.role(&format!("role.{name}"), value)?);
        }
        Ok(roles)
    }

    fn role(&self, key: &str, value: &Value) -> Result<RoleEntry, ThemeError> {
        const WANTED: &str = "a colour, or a table such as { fg = \"accent\", modifiers = [\"bold\"] }";
        if let Value::String(colour) = value {
            let style = Written { fg: Some(colour.clone()), bg: None, modifiers: Modifier::empty() };
            return Ok(RoleEntry { style: Some((self.file.to_owned(), style)), ..RoleEntry::default() });
        }
        let table = value.as_table().ok_or_else(|| self.wrong(key, value, WANTED))?;
        self.known(&format!("{key}."), table, ROLE_KEYS)?;
        let says_style = table.is_empty() || STYLE_KEYS.iter().any(|key| table.contains_key(*key));
        let own = |key: &str, value: &Value| {
            self.text(key, value, "the name of a colour in quotation marks").map(str::to_owned)
        };
        let style = says_style
            .then(|| self.style(key, table, &own).map(|style| (self.file.to_owned(), style)))
            .transpose()?;
        let at = |name: &str, takes_numbers: bool| {
            let Some(value) = table.get(name) else { return Ok(None) };
            let key = format!("{key}.{name}");
            let table =
                value.as_table().ok_or_else(|| self.wrong(&key, value, "a table { fg, bg, modifiers }"))?;
            self.known(&format!("{key}."), table, STYLE_KEYS)?;
            self.style(&key, table, &|key, value| self.terminal_colour(key, value, takes_numbers)).map(Some)
        };
        Ok(RoleEntry { style, ansi256: at("ansi256", true)?, ansi16: at("ansi16", false)? })
    }

    fn style<C>(
        &self,
        key: &str,
        table: &Table,
        colour: &dyn Fn(&str, &Value) -> Result<C, ThemeError>,
    ) -> Result<Written<C>, ThemeError> {
        let of =
            |name: &str| table.get(name).map(|value| colour(&format!("{key}.{name}"), value)).transpose();
        Ok(Written { fg: of("fg")?, bg: of("bg")?, modifiers: self.modifiers(key, table)? })
    }

    /// A colour that a terminal of few colours has. The palette is not asked: it was made for many.
    fn terminal_colour(&self, key: &str, value: &Value, takes_numbers: bool) -> Result<Color, ThemeError> {
        let wanted = if takes_numbers {
            "a number from 0 to 255, an ANSI name or \"default\""
        } else {
            "an ANSI name or \"default\""
        };
        match value {
            Value::Integer(number) if takes_numbers => {
                u8::try_from(*number).map(Color::Indexed).map_err(|_| self.wrong(key, value, wanted))
            }
            Value::String(name) => parse_colour(name)
                .filter(|colour| !matches!(colour, Color::Rgb(..)))
                .ok_or_else(|| ThemeError::UnknownColour {
                    file: self.file.to_owned(),
                    key: key.to_owned(),
                    colour: name.clone(),
                    hint: format!("write {wanted}; {}", hint(name, ANSI.iter().map(|(name, _)| *name))),
                }),
            _ => Err(self.wrong(key, value, wanted)),
        }
    }

    fn modifiers(&self, key: &str, table: &Table) -> Result<Modifier, ThemeError> {
        const WANTED: &str = "a list such as [\"bold\", \"underline\"]";
        let key = format!("{key}.modifiers");
        let Some(value) = table.get("modifiers") else { return Ok(Modifier::empty()) };
        let list = value.as_array().ok_or_else(|| self.wrong(&key, value, WANTED))?;
        let mut modifiers = Modifier::empty();
        for value in list {
            modifiers |= match self.text(&key, value, WANTED)? {
                "bold" => Modifier::BOLD,
                "dim" => Modifier::DIM,
                "italic" => Modifier::ITALIC,
                "underline" => Modifier::UNDERLINED,
                "reverse" => Modifier::REVERSED,
                other => {
                    return Err(ThemeError::UnknownModifier {
                        file: self.file.to_owned(),
                        key,
                        modifier: other.to_owned(),
                    });
                }
            };
        }
        Ok(modifiers)
    }
}
