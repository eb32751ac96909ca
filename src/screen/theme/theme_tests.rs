//! The embedded themes as a whole, and what is said about faulty ones.

use super::contrast::{APART, TEXT_HIGH, check, check_at};
use super::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::fmt::Write;

fn embedded(name: &str, depth: Depth) -> Theme {
    Library::embedded().theme(name, depth, Symbols::UNICODE).expect("an embedded theme")
}

fn names() -> Vec<String> {
    Library::embedded().all().iter().map(|theme| theme.name.clone()).collect()
}

fn library(files: &[(&str, &str)]) -> (Library, Vec<ThemeError>) {
    let files: Vec<_> = files.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect();
    Library::new(&files)
}

/// A user's theme of the name `mine`, inheriting `lamplight`, with some more lines.
fn mine(lines: &str) -> Theme {
    let text = format!("name = \"mine\"\ninherits = \"lamplight\"\n{lines}");
    let (library, faults) = library(&[("mine.toml", &text)]);
    assert_eq!(faults, []);
    library.theme("mine", Depth::TrueColour, Symbols::UNICODE).expect("a theme")
}

#[test]
fn every_embedded_theme_can_be_used() {
    let (library, faults) = Library::new(&[]);
    assert_eq!(faults, []);
    assert!(library.all().len() >= 7);
    for theme in library.all() {
        assert_eq!(theme.file, format!("themes/{}.toml", theme.name));
        assert_ne!(theme.title, theme.name);
        for depth in Depth::ALL {
            let built = library.theme(&theme.name, depth, Symbols::UNICODE).expect("every role has a style");
            assert_eq!((built.depth, built.mode), (depth, theme.mode.expect("embedded themes say it")));
        }
    }
    for name in [choose::DEFAULT_DARK, choose::DEFAULT_LIGHT] {
        let theme = embedded(name, Depth::TrueColour);
        assert_eq!(theme.background.bg, Some(Color::Reset), "{name} leaves the ground to the terminal");
        assert_eq!(theme.style(Role::Text).fg, Some(Color::Reset), "{name} leaves text to the terminal");
    }
}

#[test]
fn every_embedded_theme_can_be_read() {
    let mut faults = Vec::new();
    for name in names() {
        faults.extend(Library::embedded().check(&name).expect("an embedded theme"));
        if name.starts_with("contrast-") {
            for depth in [Depth::TrueColour, Depth::Indexed256] {
                faults.extend(check_at(&embedded(&name, depth), TEXT_HIGH));
            }
        }
    }
    assert!(faults.is_empty(), "{} fault(s):\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn themes_for_any_ground_can_be_read_on_the_wrong_one() {
    for name in ["default-dark", "slate"] {
        for depth in Depth::ALL {
            let wrong = Theme { mode: Mode::Light, ..embedded(name, depth) };
            // The cube of the 256 has no green between too dark for black and too light for white.
            let faults = check_at(&wrong, if depth == Depth::Indexed256 { 2.5 } else { 3.0 });
            assert!(faults.is_empty(), "{} fault(s):\n{}", faults.len(), faults.join("\n"));
        }
    }
}

#[test]
fn what_must_be_told_apart_differs_at_every_depth() {
    let triples = [Role::Danger, Role::Success, Role::Warning, Role::Muted];
    for (at, one) in triples.iter().enumerate() {
        for other in &triples[at + 1..] {
            let pair = APART.contains(&(*one, *other)) || APART.contains(&(*other, *one));
            assert!(pair, "{one:?} and {other:?} are compared");
        }
    }
    for name in names() {
        for depth in Depth::ALL {
            let theme = embedded(&name, depth);
            for (one, other) in APART {
                assert_ne!(theme.style(*one), theme.style(*other), "{name} {depth:?}: {one:?} {other:?}");
            }
        }
    }
    let plain = Theme::plain(Symbols::UNICODE);
    for (one, other) in APART {
        assert_ne!(plain.style(*one), plain.style(*other), "plain: {one:?} {other:?}");
    }
}

/// Each role's name in its style, one a row, on the ground of the theme.
fn swatch(theme: &Theme) -> Buffer {
    let height = u16::try_from(Role::ALL.len()).expect("some dozens");
    let mut buffer = Buffer::empty(Rect::new(0, 0, 24, height));
    buffer.set_style(buffer.area, theme.background);
    for (row, role) in (0..height).zip(Role::ALL) {
        buffer.set_string(1, row, role.name(), theme.style(*role));
    }
    buffer
}

#[test]
fn no_cell_shows_more_colours_than_there_are() {
    for name in names() {
        for depth in Depth::ALL {
            for cell in swatch(&embedded(&name, depth)).content() {
                for colour in [cell.fg, cell.bg] {
                    let fits = match colour {
                        Color::Reset => true,
                        Color::Rgb(..) => depth == Depth::TrueColour,
                        Color::Indexed(16..) => depth <= Depth::Indexed256,
                        _ => depth <= Depth::Ansi16,
                    };
                    assert!(fits, "{name} {depth:?}: {colour:?} in {cell:?}");
                }
            }
        }
    }
}

#[test]
fn a_theme_with_a_ground_fills_the_frame() {
    let buffer = swatch(&embedded("lamplight", Depth::TrueColour));
    assert!(buffer.content().iter().all(|cell| matches!(cell.bg, Color::Rgb(..))));
    let title = &buffer[(1, Role::Title as u16)];
    assert_eq!((title.symbol(), title.modifier), ("t", Modifier::BOLD));
    assert_eq!(title.bg, Color::Rgb(0x1c, 0x18, 0x15));
    let ansi = embedded("lamplight", Depth::Ansi16);
    assert_eq!(ansi.background.bg, Some(Color::Reset), "of sixteen colours none is the ground");
}

#[test]
fn without_colours_modifiers_and_lines_carry_the_meaning() {
    let theme = embedded("ledger", Depth::None);
    assert_eq!(theme.background, Style::new());
    assert_eq!(theme.style(Role::Selection), Style::new().add_modifier(Modifier::REVERSED));
    assert_eq!(theme.style(Role::Marked), Style::new().add_modifier(Modifier::BOLD));
    assert_eq!(theme.style(Role::Muted), Style::new().add_modifier(Modifier::DIM));
    assert_ne!(theme.symbols.border, theme.symbols.focus_border);
    let plain = Theme::plain(Symbols::UNICODE);
    assert!(Role::ALL.iter().all(|role| plain.style(*role) == theme.style(*role)));
}

#[test]
fn grounds_are_laid_under_roles() {
    let theme = embedded("lamplight", Depth::TrueColour);
    let ground = theme.style(Role::Selection).bg;
    let danger = theme.on(Role::Selection, Role::Danger);
    assert_eq!((danger.fg, danger.bg), (theme.style(Role::Danger).fg, ground));
    assert_eq!(theme.on(Role::Selection, Role::ChipActive), theme.style(Role::ChipActive));
    let default = embedded("default-dark", Depth::TrueColour);
    let danger = default.on(Role::Selection, Role::Danger);
    assert_eq!(danger, default.style(Role::Selection), "this ground brings its own text colour");
    let none = embedded("default-dark", Depth::None);
    assert_eq!(none.on(Role::Selection, Role::NullValue), none.style(Role::Selection), "not dim in reverse");
}

#[test]
fn a_theme_changes_what_it_inherits() {
    let lamplight = embedded("lamplight", Depth::TrueColour);
    let changed = mine(
        "[palette]\naccent = \"#ff8800\"\n[role]\ndanger = \"magenta\"\nmuted = { ansi16 = { fg = \"grey\" } }",
    );
    assert_eq!((changed.name.as_str(), changed.title.as_str(), changed.mode), ("mine", "mine", Mode::Dark));
    assert_eq!(
        changed.style(Role::KeyHint).fg,
        Some(Color::Rgb(0xff, 0x88, 0)),
        "an inherited role, a new colour"
    );
    assert_eq!(changed.style(Role::Danger), Style::new().fg(Color::Magenta));
    assert_eq!(
        changed.style(Role::Muted),
        lamplight.style(Role::Muted),
        "only its look among sixteen is new"
    );
    assert_eq!(changed.style(Role::Success), lamplight.style(Role::Success));
}

#[test]
fn the_depths_have_their_own_say() {
    let text = "name = \"mine\"\ninherits = \"default-dark\"\n[palette]\nsea = { rgb = \"#204060\", ansi256 = 24 }\n\
        [role]\ninfo = { fg = \"sea\", ansi16 = { fg = \"bright_blue\", modifiers = [\"italic\"] } }\n\
        notice = { fg = \"sea\", ansi256 = { bg = 17 }, ansi16 = {} }";
    let (library, faults) = library(&[("mine.toml", text)]);
    assert_eq!(faults, []);
    let style = |role, depth| library.theme("mine", depth, Symbols::ASCII).expect("a theme").style(role);
    let sea = Style::new().fg(Color::Rgb(0x20, 0x40, 0x60));
    assert_eq!(style(Role::Info, Depth::TrueColour), sea);
    assert_eq!(style(Role::Info, Depth::Indexed256), Style::new().fg(Color::Indexed(24)));
    assert_eq!(
        style(Role::Info, Depth::Ansi16),
        Style::new().fg(Color::LightBlue).add_modifier(Modifier::ITALIC)
    );
    assert_eq!(style(Role::Notice, Depth::TrueColour), sea);
    assert_eq!(style(Role::Notice, Depth::Indexed256), Style::new().bg(Color::Indexed(17)));
    assert_eq!(style(Role::Notice, Depth::Ansi16), Style::new());
    // What no depth has a say about is the nearest, and inherited words on a depth stay.
    assert_eq!(style(Role::Danger, Depth::Ansi16), Style::new().fg(Color::LightRed));
}

#[test]
fn faults_name_the_file_the_key_and_the_next_step() {
    for (lines, wanted) in [
        ("title = ", &["mine.toml, line 3", "correct the TOML"][..]),
        ("[role]\ndangr = \"red\"", &["no role 'dangr'", "did you mean 'danger'?"]),
        ("[role]\ndanger = \"crimsom\"", &["'role.danger.fg'", "'crimsom'", "#rrggbb"]),
        ("[role]\ndanger = \"accnt\"", &["'role.danger.fg'", "did you mean 'accent'?"]),
        ("[role]\ndanger = 3", &["'role.danger' is of the type integer", "write a colour, or a table"]),
        ("[role]\ndanger = { fg = 3 }", &["'role.danger.fg'", "the name of a colour in quotation marks"]),
        ("[role]\ndanger = { foreground = \"red\" }", &["no key 'role.danger.foreground'"]),
        ("[role]\ndanger = { modifiers = \"bold\" }", &["'role.danger.modifiers' is 'bold'", "[\"bold\""]),
        (
            "[role]\ndanger = { modifiers = [\"blink\"] }",
            &["'blink'", "bold, dim, italic, underline and reverse"],
        ),
        ("[role]\ndanger = { ansi16 = { fg = \"#ff0000\" } }", &["'role.danger.ansi16.fg'", "an ANSI name"]),
        ("[role]\ndanger = { ansi16 = { fg = \"bright_rad\" } }", &["did you mean 'bright_red'?"]),
        ("[role]\ndanger = { ansi16 = { fg = 9 } }", &["'role.danger.ansi16.fg' is of the type integer"]),
        (
            "[role]\ndanger = { ansi16 = \"red\" }",
            &["'role.danger.ansi16' is 'red'", "{ fg, bg, modifiers }"],
        ),
        ("[role]\ndanger = { ansi256 = { fg = 256 } }", &["'role.danger.ansi256.fg'", "from 0 to 255"]),
        ("[palette]\naccent = \"#ff88\"", &["'palette.accent'", "'#ff88'", "#rrggbb"]),
        ("[palette]\naccent = [1]", &["'palette.accent' is of the type array"]),
        ("[palette]\naccent = { ansi256 = 3 }", &["'palette.accent'", "rgb"]),
        ("[palette]\naccent = { rgb = \"red\", ansi16 = 3 }", &["no key 'palette.accent.ansi16'"]),
        ("[palette]\ndefault = \"red\"", &["'palette.default'", "choose another name"]),
        ("palette = 3", &["'palette' is of the type integer", "[palette]"]),
        ("mode = \"dusk\"", &["'mode' is 'dusk'", "\"dark\" or \"light\""]),
        ("mode = 1", &["'mode' is of the type integer"]),
        ("colours = 1", &["no key 'colours'"]),
    ] {
        let text = format!("name = \"mine\"\ninherits = \"lamplight\"\n{lines}");
        let (library, faults) = library(&[("mine.toml", &text)]);
        let build = |depth| library.theme("mine", depth, Symbols::UNICODE).map(|_| ()).err();
        let fault = faults.into_iter().next().or_else(|| build(Depth::TrueColour));
        let message = fault.map_or_else(String::new, |fault| fault.to_string());
        assert!(message.contains("mine.toml"), "{lines}: {message}");
        for part in wanted {
            assert!(message.contains(part), "{lines}: '{part}' is not in: {message}");
        }
    }
}

#[test]
fn faults_between_files_are_named() {
    let (library, faults) = library(&[
        (
            "alone.toml",
            "name = \"alone\"\nmode = \"dark\"\n[palette]\nbackground = \"default\"\n[role]\ntext = \"default\"",
        ),
        ("no-mode.toml", "name = \"no-mode\"\n[palette]\nbackground = \"default\""),
        ("no-ground.toml", "name = \"no-ground\"\nmode = \"dark\""),
        ("self.toml", "name = \"self\"\ninherits = \"self\""),
        ("a.toml", "name = \"a\"\ninherits = \"b\""),
        ("b.toml", "name = \"b\"\ninherits = \"c\""),
        ("c.toml", "name = \"c\"\ninherits = \"b\""),
        ("orphan.toml", "name = \"orphan\"\ninherits = \"lamplihgt\""),
        ("second.toml", "name = \"ledger\"\ninherits = \"lamplight\""),
        ("nameless.toml", "inherits = \"lamplight\""),
    ]);
    for (name, wanted) in [
        ("alone", &["alone.toml", "no style for muted, faint,", "inherits = \"default-dark\""][..]),
        ("no-mode", &["no-mode.toml", "'mode' is missing", "mode = \"dark\""]),
        ("no-ground", &["no-ground.toml", "'palette.background' is missing"]),
        ("self", &["self.toml", "circle: self > self"]),
        ("a", &["c.toml", "circle: b > c > b", "remove one of them"]),
        ("orphan", &["orphan.toml", "'lamplihgt'", "did you mean 'lamplight'?"]),
        ("harbor", &["no theme 'harbor'", "did you mean 'harbour'?"]),
        ("wallpaper", &["no theme 'wallpaper'", "there are default-dark, default-light,"]),
    ] {
        let fault = library.theme(name, Depth::Ansi16, Symbols::UNICODE).expect_err(name).to_string();
        for part in wanted {
            assert!(fault.contains(part), "{name}: '{part}' is not in: {fault}");
        }
        let (theme, said) = library.theme_or_default(name, Depth::Ansi16, Symbols::UNICODE);
        assert_eq!(
            (theme.name.as_str(), said.map(|said| said.to_string())),
            (choose::DEFAULT_DARK, Some(fault))
        );
    }
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults[0].contains("second.toml") && faults[0].contains("themes/ledger.toml"), "{faults:?}");
    assert!(faults[1].contains("nameless.toml") && faults[1].contains("'name' is missing"), "{faults:?}");
    let ledger = library.theme("ledger", Depth::TrueColour, Symbols::UNICODE).expect("the embedded one");
    assert_eq!(ledger, embedded("ledger", Depth::TrueColour));
}

#[test]
fn a_faulty_light_theme_falls_back_to_light() {
    let (library, _) = library(&[("pale.toml", "name = \"pale\"\nmode = \"light\"")]);
    let (theme, fault) = library.theme_or_default("pale", Depth::Indexed256, Symbols::UNICODE);
    assert_eq!(theme.name, "default-light");
    assert!(fault.is_some());
    let (theme, fault) = library.theme_or_default("ledger", Depth::Indexed256, Symbols::UNICODE);
    assert_eq!((theme.name.as_str(), fault), ("ledger", None));
}

#[test]
fn the_judge_finds_what_is_hard_to_read() {
    for (lines, wanted) in [
        ("[palette]\ntext = \"#6a6a6a\"", "text has"),
        ("[palette]\nselection = \"#8a7a60\"", "muted on selection has"),
        ("[palette]\nselection = \"#1d1916\"", "the ground of selection has"),
        ("[palette]\nborder = \"#1d1916\"", "border has"),
        ("[role]\nfocus_border = \"border\"", "focus_border has"),
        ("[role]\nwarning = \"danger\"", "danger and warning look the same"),
        ("[role]\nmuted = { fg = \"faint\", modifiers = [\"dim\"] }", "muted has"),
        ("[role]\nchip_active = { fg = \"accent\", bg = \"strong\" }", "chip_active has"),
        (
            "[palette]\nbackground = \"default\"\ntext = \"dark_grey\"",
            "text has 3.26:1 on a dark terminal (#16181a)",
        ),
    ] {
        let faults = check(&mine(lines));
        assert!(faults.iter().any(|fault| fault.contains(wanted)), "{lines}: {wanted}: {faults:?}");
    }
    assert_eq!(check(&mine("")), Vec::<String>::new());
}

/// The rows of the table of roles in `docs/themes.md`.
fn roles_table() -> String {
    let mut table = String::from("| role | for |\n|---|---|\n");
    for role in Role::ALL {
        writeln!(table, "| `{}` | {} |", role.name(), role.meaning()).expect("a string takes all");
    }
    table
}

#[test]
fn the_page_for_people_lists_what_there_is() {
    let page = include_str!("../../../docs/themes.md");
    assert!(page.contains(&roles_table()), "put this into docs/themes.md:\n{}", roles_table());
    for theme in Library::embedded().all() {
        let row = format!("| `{}` | {} |", theme.name, theme.title);
        assert!(page.contains(&row), "docs/themes.md lacks the row '{row}'");
    }
    let (_, after) = page.split_once("```toml\n").expect("an example");
    let (example, _) = after.split_once("```").expect("its end");
    let (library, faults) = library(&[("my-evening.toml", example)]);
    assert_eq!(faults, []);
    assert_eq!(library.check("my-evening"), Ok(Vec::new()));
}
