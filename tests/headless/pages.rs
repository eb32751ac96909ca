//! The pages for people say what the program does: tables made of its own data, names of settings and of tests.
//!
//! `UPDATE_DOCS=1 cargo test --test headless pages` writes the tables anew.

use casebook::services::SettingsFile;
use casebook::workbench::command::{FACTS, find};
use casebook::workbench::keys::{Binding, CONTEXTS, Keymap};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page(name: &str) -> (PathBuf, String) {
    let path = root().join("docs").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (path, text)
}

/// Holds what stands between two marks of a page against what is made of the program's data.
fn hold(name: &str, mark: &str, made: &str) {
    let (path, text) = page(name);
    let mark = format!("<!-- {mark} -->");
    let parts: Vec<&str> = text.split(&mark).collect();
    let [before, there, after] = parts[..] else { panic!("{name} does not have {mark} twice") };
    let made = format!("\n{made}");
    if std::env::var_os("UPDATE_DOCS").is_some_and(|it| it == "1") {
        fs::write(path, format!("{before}{mark}{made}{mark}{after}")).unwrap();
    } else {
        assert_eq!(there, made, "docs/{name} is old: UPDATE_DOCS=1 cargo test --test headless pages");
    }
}

fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

fn key_table(bindings: &[&Binding]) -> String {
    let mut rows: Vec<(Vec<String>, &Binding)> = Vec::new();
    for binding in bindings {
        let written: Vec<String> = binding.keys.iter().map(|chord| chord.written()).collect();
        let keys = code(&written.join(" "));
        match rows.iter_mut().find(|(_, it)| it.gives == binding.gives && it.when == binding.when) {
            Some((all, _)) => all.push(keys),
            None => rows.push((vec![keys], binding)),
        }
    }
    let mut table = String::from("| keys | command | what it does |\n|---|---|---|\n");
    for (keys, binding) in rows {
        let command = find(&binding.gives.command).expect("a command");
        let written = binding.gives.arguments.iter().map(|(name, value)| code(&format!("{name} = {value}")));
        let given: Vec<String> = std::iter::once(code(command.id)).chain(written).collect();
        let when = match binding.when.text() {
            "" => String::new(),
            when => format!(" When {}.", code(when)),
        };
        writeln!(table, "| {} | {} | {}{when} |", keys.join(", "), given.join(" "), command.doc).unwrap();
    }
    table
}

#[test]
fn the_page_of_keys_has_all_contexts_facts_and_keys() {
    let mut contexts = String::from("| section | where | counts when |\n|---|---|---|\n");
    for context in CONTEXTS {
        let when = if context.when.is_empty() { "always".to_owned() } else { code(context.when) };
        writeln!(contexts, "| `[{}]` | {} | {when} |", context.name, context.title).unwrap();
    }
    hold("keys.md", "contexts", &contexts);
    let mut facts = String::from("| fact | holds when |\n|---|---|\n");
    for fact in FACTS {
        writeln!(facts, "| `{}` | {} |", fact.name, fact.doc).unwrap();
    }
    hold("keys.md", "facts", &facts);
    let keymap = Keymap::default();
    let mut keys = String::new();
    for context in CONTEXTS {
        let bindings: Vec<&Binding> =
            keymap.bindings().iter().filter(|binding| binding.context.name == context.name).collect();
        if !bindings.is_empty() {
            write!(keys, "\n### {} `[{}]`\n\n{}", context.title, context.name, key_table(&bindings)).unwrap();
        }
    }
    keys.push('\n');
    hold("keys.md", "keys", &keys);
}

#[test]
fn the_example_of_the_page_of_keys_is_a_keymap() {
    let (_, text) = page("keys.md");
    let example = text.split("```toml\n").nth(1).and_then(|it| it.split("```").next()).expect("an example");
    Keymap::with_user_file(Some(("keys.toml", example))).unwrap();
}

#[test]
fn the_page_of_settings_has_every_field_and_no_other() {
    // The names that the file may have, as the program itself lists them.
    let wrong = toml::from_str::<SettingsFile>("no_such = 1").unwrap_err().to_string();
    let (_, list) = wrong.split_once("expected one of ").unwrap_or_else(|| panic!("{wrong}"));
    let fields: BTreeSet<&str> = list.split('`').skip(1).step_by(2).collect();
    assert!(fields.len() >= 9, "{fields:?}");
    let (_, text) = page("settings.md");
    let (_, table) = text.split_once("<!-- fields -->").expect("the table");
    let rows =
        table.lines().skip_while(|line| line.is_empty()).take_while(|line| line.starts_with('|')).skip(2);
    let named: BTreeSet<&str> = rows.map(|row| row.split('`').nth(1).expect("a name")).collect();
    assert_eq!(named, fields);
    let example = text.split("```toml\n").nth(1).and_then(|it| it.split("```").next()).expect("an example");
    let read: SettingsFile = toml::from_str(example).unwrap();
    assert_ne!(read, SettingsFile::default());
}

#[test]
fn every_test_that_the_page_of_requirements_names_is_there() {
    let (_, text) = page("requirements.md");
    let mut named = 0;
    let pieces: Vec<&str> = text.split('`').collect();
    for place in 2..pieces.len() {
        let (before, path) = (pieces[place - 1], pieces[place]);
        // Inside the marks are the pieces of odd number; between a test and its file stands the word "in".
        if place % 2 == 0 || before != " in " {
            continue;
        }
        let name = pieces[place - 2];
        let source = fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(source.contains(&format!("fn {name}(")), "{path} has no test {name}");
        named += 1;
    }
    assert!(named > 40, "{named} tests are named");
    for (letter, count) in [('T', 25), ('S', 28)] {
        for number in 1..=count {
            assert!(text.contains(&format!("\n| {letter}{number} |")), "{letter}{number} is not answered");
        }
    }
}

#[test]
fn pages_are_not_too_wide_to_read() {
    for entry in fs::read_dir(root().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|it| it == "md") {
            let text = fs::read_to_string(&path).unwrap();
            let long = text
                .lines()
                .find(|line| line.chars().count() > 130 && !line.starts_with(['|', '<', '{', '$', '>']));
            assert_eq!(long, None, "{}", path.display());
        }
    }
}
