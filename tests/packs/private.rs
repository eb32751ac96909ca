//! The worked example of `docs/packs.md`: a private pack over somebody's own SQLite file, by TOML alone.

use std::path::Path;
use std::process::Command;

/// The fenced blocks of the page, with the first line of each as its label (`pack.toml`, `$ casebook …`).
fn blocks() -> Vec<(&'static str, String)> {
    let page = include_str!("../../docs/packs.md");
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(label) = line.strip_prefix("```") else { continue };
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        blocks.push((label, body.join("\n") + "\n"));
    }
    blocks
}

#[test]
fn the_example_of_the_page_works_as_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let (mut commands, mut files) = (0, 0);
    for (label, body) in blocks() {
        match label.split_once(' ') {
            Some(("sql", name)) => {
                rusqlite::Connection::open(folder.path().join(name)).unwrap().execute_batch(&body).unwrap();
            }
            Some(("toml", name)) => {
                let path = folder.path().join(name);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, body).unwrap();
                files += 1;
            }
            _ if label == "console" => {
                run(folder.path(), &body);
                commands += 1;
            }
            _ => {}
        }
    }
    assert!(commands >= 2 && files >= 3, "{commands} commands, {files} files");
}

/// Runs each `$ casebook …` line and compares what it prints; `…` stands for anything, a line of it for any others.
fn run(folder: &Path, session: &str) {
    let mut expected: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in session.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            expected.push((command, Vec::new()));
        } else {
            expected.last_mut().unwrap().1.push(line);
        }
    }
    for (command, lines) in expected {
        let shell = command.replace("casebook", env!("CARGO_BIN_EXE_casebook"));
        let output = Command::new("sh")
            .args(["-c", &shell])
            .current_dir(folder)
            .env("CASEBOOK_DATA_DIR", folder.join("data"))
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{command}: {error}");
        let cut = lines.iter().position(|line| *line == "…").unwrap_or(lines.len());
        let got: Vec<&str> = printed.lines().map(str::trim_end).collect();
        assert!(got.len() >= cut, "{command}: {printed}");
        for (got, wanted) in got.iter().zip(&lines[..cut]) {
            assert!(fits(got, wanted), "{command}: '{got}' is not '{wanted}'");
        }
        assert!(cut < lines.len() || got.len() == cut, "{command}: {printed}");
    }
}

/// Whether a line is as the page shows it; `…` stands for anything.
fn fits(line: &str, shown: &str) -> bool {
    let mut rest = line;
    for (nth, part) in shown.split('…').enumerate() {
        match rest.find(part) {
            Some(at) if nth > 0 || at == 0 => rest = &rest[at + part.len()..],
            _ => return false,
        }
    }
    rest.is_empty() || shown.ends_with('…')
}
