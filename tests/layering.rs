//! Guards the floors of `docs/architecture.md`: reads every source file and names the line that climbs.
//!
//! A rule that turns out wrong is changed here and in `docs/architecture.md` together, with the reason.

use std::fs;
use std::path::{Path, PathBuf};

/// One room: its floor, the rooms of its own floor that it may also use, and the crates it must not name.
struct Room {
    name: &'static str,
    floor: u8,
    beside: &'static [&'static str],
    forbidden_crates: &'static [&'static str],
}

/// What pure rooms must not name: databases, runtimes, terminals, networks.
const PURE: &[&str] =
    &["rusqlite", "tokio", "ratatui", "crossterm", "reqwest", "rustix", "tempfile", "zip", "tar", "zstd"];

const fn room(
    name: &'static str,
    floor: u8,
    beside: &'static [&'static str],
    forbidden_crates: &'static [&'static str],
) -> Room {
    Room { name, floor, beside, forbidden_crates }
}

/// Every room that exists or has its lot reserved.
const ROOMS: &[Room] = &[
    room("domain", 0, &[], PURE),
    room("stats", 0, &[], PURE),
    room("text", 0, &["domain"], PURE),
    room("sql", 0, &["domain", "text"], PURE),
    room("snapshot", 1, &[], &["ratatui", "crossterm", "tokio"]),
    room("query", 1, &["snapshot"], &["ratatui", "crossterm", "tokio"]),
    room("pack", 1, &[], &["ratatui", "crossterm"]),
    room("synth", 1, &["snapshot", "query", "pack"], &["ratatui", "crossterm"]),
    room("provider", 1, &[], &["ratatui", "crossterm", "rusqlite"]),
    room("archive", 2, &[], &["ratatui", "crossterm"]),
    room("harness", 2, &["archive"], &["ratatui", "crossterm"]),
    room("agent", 2, &["harness", "archive"], &["ratatui", "crossterm"]),
    room("runtime", 2, &[], &["ratatui", "crossterm"]),
    room("native", 2, &[], &["ratatui", "crossterm"]),
    room("scoring", 3, &[], &["ratatui", "crossterm"]),
    room("calibration", 3, &["scoring"], &["ratatui", "crossterm"]),
    room("findings", 3, &[], &["ratatui", "crossterm"]),
    room("workbench", 4, &[], PURE),
    room("services", 5, &[], &["ratatui", "crossterm"]),
    room("screen", 5, &[], &["rusqlite", "tokio", "reqwest"]),
    room("terminal", 6, &[], &["rusqlite"]),
    room("headless", 6, &[], &["rusqlite", "crossterm"]),
    room("cli", 7, &[], &["rusqlite"]),
];

/// `workbench` uses these and nothing else, however low the rest may stand.
const WORKBENCH_MAY_USE: &[&str] = &["workbench", "domain", "text", "sql", "stats"];

/// Rooms that must not name `vault`.
const NO_VAULT: &[&str] = &["harness", "agent", "workbench"];

/// Modules that may hold unsafe code (paths under `src`).
const UNSAFE: &[&str] =
    &["query/private_copy/mapping.rs", "query/private_copy/clock.rs", "query/private_copy/memory.rs"];

/// Rooms whose code must be a function of its input: no clock, no file system.
const NO_CLOCK_OR_FILES: &[&str] = &["domain", "stats", "text", "sql", "workbench"];

/// The only folder that knows the MCP library, which moves fast.
const MCP_FOLDER: &str = "agent/mcp/";

const LINE_LIMIT: usize = 600;

fn find(name: &str) -> Option<&'static Room> {
    ROOMS.iter().find(|room| room.name == name)
}

/// Rooms that a line of code names through `crate::`, `super`-free: `use crate::{a, b::c}` and plain paths.
fn rooms_named(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find("crate::") {
        rest = &rest[at + "crate::".len()..];
        let parts: Vec<&str> =
            if let Some(list) = rest.strip_prefix('{') { top_level_parts(list) } else { vec![rest] };
        for part in parts {
            let name: String =
                part.trim().chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
            if find(&name).is_some() {
                found.push(name);
            }
        }
    }
    found
}

/// Splits the inside of a brace list at the commas that no inner brace encloses.
fn top_level_parts(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0_i32, 0, Vec::new());
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                parts.push(&list[start..at]);
                return parts;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts
}

/// The statements of a source text that can hold paths, each with its first line number: comments are dropped and
/// a `use` that runs over several lines is joined.
fn statements(text: &str) -> Vec<(usize, String)> {
    let mut all = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (index, line) in text.lines().enumerate() {
        let code = line.trim();
        if code.starts_with("//") {
            continue;
        }
        if let Some((_, joined)) = &mut open {
            joined.push_str(code);
        } else {
            open = Some((index + 1, code.to_owned()));
        }
        let is_open_use = open.as_ref().is_some_and(|(_, joined)| {
            let head = joined.strip_prefix("pub ").unwrap_or(joined);
            head.starts_with("use ") && !joined.contains(';')
        });
        if !is_open_use {
            all.extend(open.take());
        }
    }
    all.extend(open);
    all
}

/// What a file of a room breaks, one message a fault.
fn faults(room: &str, file: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let Some(home) = find(room) else {
        return vec![format!(
            "{file}: the room '{room}' is not in docs/architecture.md; add it there and here"
        )];
    };
    let lines = text.lines().count();
    if lines > LINE_LIMIT {
        faults.push(format!("{file}: {lines} lines; the limit is {LINE_LIMIT}: split it by idea"));
    }
    if text.contains("allow(unsafe_code)") && !UNSAFE.contains(&file) {
        faults.push(format!("{file}: unsafe code is allowed in {UNSAFE:?} only"));
    }
    for (number, code) in statements(text) {
        for named in rooms_named(&code) {
            let Some(other) = find(&named) else { continue };
            let allowed = other.name == home.name
                || other.floor < home.floor
                || (other.floor == home.floor && home.beside.contains(&other.name));
            let allowed = allowed && (home.name != "workbench" || WORKBENCH_MAY_USE.contains(&other.name));
            if !allowed {
                faults.push(format!(
                    "{file}:{number}: {} (floor {}) must not use {} (floor {}): {code}",
                    home.name, home.floor, other.name, other.floor
                ));
            }
        }
        for name in home.forbidden_crates {
            if code.contains(&format!("{name}::")) || code.contains(&format!("use {name}")) {
                faults.push(format!("{file}:{number}: {} must not name the crate {name}: {code}", home.name));
            }
        }
        if !file.starts_with(MCP_FOLDER) && (code.contains("rmcp::") || code.contains("use rmcp")) {
            faults.push(format!("{file}:{number}: {MCP_FOLDER} alone may name the crate rmcp: {code}"));
        }
        if NO_VAULT.contains(&home.name) && code.contains("vault") {
            faults.push(format!("{file}:{number}: {} must not name the vault: {code}", home.name));
        }
        if NO_CLOCK_OR_FILES.contains(&home.name) {
            for banned in ["SystemTime", "Instant::now", "std::fs", "std::env", "std::net", "std::process"] {
                if code.contains(banned) {
                    faults.push(format!("{file}:{number}: {} must not use {banned}: {code}", home.name));
                }
            }
        }
    }
    faults
}

fn source_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the source folder can be read") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            source_files(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn no_line_climbs_a_floor() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    source_files(&src, &mut files);
    files.sort();
    assert!(files.len() > 10, "found only {} source files", files.len());
    let mut all = Vec::new();
    for path in files {
        let file = path.strip_prefix(&src).expect("under src").to_str().expect("UTF-8 path").to_owned();
        if file == "lib.rs" || file == "main.rs" {
            continue;
        }
        let room = file.split('/').next().expect("a first component").trim_end_matches(".rs").to_owned();
        all.extend(faults(&room, &file, &fs::read_to_string(&path).expect("a readable source file")));
    }
    assert!(all.is_empty(), "{} fault(s):\n{}", all.len(), all.join("\n"));
}

#[test]
fn each_rule_finds_its_fault() {
    let cases = [
        ("domain", "domain/x.rs", "use crate::query::Engine;", "must not use query"),
        ("query", "query/x.rs", "use crate::{domain::Value, cli};", "must not use cli"),
        ("query", "query/x.rs", "use crate::{\n    domain::{Value, Rule},\n    cli,\n};", "must not use cli"),
        ("snapshot", "snapshot/x.rs", "let x = crate::query::Engine::new();", "must not use query"),
        ("workbench", "workbench/x.rs", "use crate::snapshot::Manifest;", "must not use snapshot"),
        ("domain", "domain/x.rs", "use rusqlite::Connection;", "must not name the crate rusqlite"),
        ("harness", "harness/x.rs", "use crate::pack::vault::Vault;", "must not name the vault"),
        ("sql", "sql/x.rs", "let now = std::time::Instant::now();", "must not use Instant::now"),
        ("query", "query/x.rs", "#![allow(unsafe_code)]", "unsafe code is allowed"),
        ("agent", "agent/x.rs", "use rmcp::model::Tool;", "alone may name the crate rmcp"),
        ("attic", "attic/x.rs", "", "is not in docs/architecture.md"),
    ];
    for (room, file, text, wanted) in cases {
        let found = faults(room, file, text);
        assert!(found.iter().any(|fault| fault.contains(wanted)), "{text}: {found:?}");
    }
    let long = "\n".repeat(LINE_LIMIT + 1);
    assert!(faults("domain", "domain/x.rs", &long)[0].contains("the limit is 600"));
    for fine in ["use crate::domain::Value;", "use crate::snapshot::Manifest;", "// use crate::cli::main;"] {
        assert_eq!(faults("query", "query/x.rs", fine), Vec::<String>::new(), "{fine}");
    }
}
