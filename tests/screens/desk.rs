//! A workbench over a small enterprise and a practice pack, and what is asked of it here.

use casebook::harness::FixedClock;
use casebook::headless::{Clocked, Runner};
use casebook::screen::theme::Library;
use casebook::services::{Config, Session};
use casebook::snapshot::{Facts, Store, import};
use casebook::workbench::Workbench;
use casebook::workbench::keys::Keymap;
use casebook::workbench::settings::Settings as Chosen;
use insta::{Settings, assert_snapshot};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

const SCHEMA: &str = "
CREATE TABLE account (id INTEGER, mail TEXT, name TEXT, status TEXT, last_login TEXT, profile TEXT);
INSERT INTO account VALUES
  (1, 'ada@tenant.example', 'Ada Lindqvist', 'ACTIVE', '2026-04-30', '{\"team\":\"core\",\"tags\":[\"on call\",\"lead\"]}'),
  (2, 'bo@tenant.example', 'Bo 田中', 'ACTIVE', '2025-11-02', '{}'),
  (3, 'cy@tenant.example', 'Cy Okafor', 'SUSPENDED', '2025-01-15', NULL),
  (4, 'di@tenant.example', 'Dina לוי', 'ACTIVE', NULL, ''),
  (5, 'eve@partner.example', 'Eve Moreau', 'DEPROVISIONED', '2024-12-24', NULL);
CREATE TABLE role_grant (account_id INTEGER, role TEXT, granted TEXT);
INSERT INTO role_grant VALUES (1, 'reader', '2026-01-02'), (2, 'admin', '2025-02-03'), (4, 'admin', '2025-03-04');
CREATE TABLE device (serial TEXT, owner_mail TEXT, is_encrypted INTEGER);
INSERT INTO device VALUES ('C02-1', 'ada@tenant.example', 1), ('C02-2', 'bo@tenant.example', 0);
CREATE TABLE sign_in (account_id INTEGER, at TEXT, country TEXT, factor TEXT);
";

const PACK: &str = "format = 1
id = \"tenant\"
version = \"1\"
title = \"Our tenant\"
description = \"Administrators who are not there.\"
access = \"private\"
practice = true
snapshots = [\"tenant\"]
";

const TASKS: &str = "[[task]]
id = \"T-01\"
title = \"Administrators who are not there\"
question = \"Which active accounts with the role admin have not signed in for 90 days or more, or never?\"
complexity = \"medium\"
focus = \"management\"
platforms = [\"other\"]
hints = [\"Roles are in role_grant.\", \"Join by account.id.\", \"NULL is never: IS NULL.\"]

[[task]]
id = \"T-02\"
title = \"Laptops that anybody can read\"
question = \"Which devices are not encrypted, and whose are they?\"
complexity = \"easy\"
focus = \"authorization\"
platforms = [\"other\"]
hints = [\"Devices are in device.\", \"One column is a flag.\", \"Flags are 0 and 1.\"]
";

/// Values that must be told apart, or must not do harm.
pub(crate) const VALUES: &str = "SELECT column1 AS kind, column2 AS value, length(column2) AS long FROM (VALUES
  ('null', NULL), ('empty', ''), ('the word', 'NULL'), ('integer', 1234567), ('real', 2.5), ('bytes', x'00ff10'),
  ('wide', '名前 ﾅﾏｴ 👩🏽‍🚀'), ('right to left', 'שלום (abc) עולם'), ('control', 'a' || char(27) || '[31m' || char(9, 13, 10, 0) || 'b'),
  ('override', 'abc' || char(8238) || 'fed' || char(8203)), ('long', 'begin ' || replace(hex(zeroblob(90)), '00', 'middle ') || 'end'))";

/// A workbench.
pub(crate) struct Desk {
    runner: Runner,
    /// Removed when the workbench is gone.
    _folder: TempDir,
}

impl Desk {
    /// On the list of cases.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        write_tenant(folder.path());
        let runner = start(folder.path());
        Self { runner, _folder: folder }
    }

    /// With the first case of the small enterprise just opened.
    pub(crate) fn open() -> Self {
        let mut desk = Self::new();
        desk.give("cases.start", json!({"task": "T-01"}));
        desk
    }

    /// The answer to a request, which may be refused.
    pub(crate) fn ask(&mut self, request: &Value) -> Value {
        serde_json::to_value(self.runner.answer(&request.to_string())).expect("JSON")
    }

    /// Gives a command that must not be refused.
    pub(crate) fn give(&mut self, command: &str, arguments: Value) {
        let answer = self.ask(&json!({"command": command, "arguments": arguments}));
        assert_eq!(answer["error"], Value::Null, "{command}: {answer}");
    }

    /// Presses keys.
    pub(crate) fn keys(&mut self, keys: &str) {
        let answer = self.ask(&json!({"keys": keys}));
        assert_eq!(answer["error"], Value::Null, "{keys}: {answer}");
    }

    /// Types a text.
    pub(crate) fn write(&mut self, text: &str) {
        let answer = self.ask(&json!({"type": text}));
        assert_eq!(answer["error"], Value::Null, "{text}: {answer}");
    }

    /// Runs a statement.
    pub(crate) fn run(&mut self, sql: &str) {
        self.give("editor.set", json!({"text": sql}));
        self.give("editor.place", json!({"line": 0, "cell": 0}));
        self.give("query.run", json!({}));
        // What it told is not what the picture is about.
        self.keys("esc");
    }

    /// The state.
    pub(crate) fn state(&self) -> &Workbench {
        &self.runner.session().state
    }

    /// Holds the picture against the one that is kept under this name.
    pub(crate) fn picture(&mut self, name: &str, width: u16, height: u16) {
        let answer = self.ask(&json!({"screen": {"width": width, "height": height}}));
        let rows = texts(&answer["screen"]);
        hold(name, &format!("{width} × {height}, {}\n{}", cursor(&answer), rows.join("\n")));
    }

    /// Holds the picture in a theme, or without colours, with its styles, against the one that is kept under this name.
    pub(crate) fn styled(&mut self, name: &str, theme: Option<&str>, width: u16, height: u16) {
        let answer =
            self.ask(&json!({"screen": {"width": width, "height": height, "styles": true, "theme": theme}}));
        let rows = texts(&answer["screen"]);
        let styles: Vec<String> = answer["styles"]
            .as_array()
            .expect("styles")
            .iter()
            .enumerate()
            .map(|(row, runs)| format!("{row:>2}: {}", texts(runs).join(", ")))
            .collect();
        let text = format!(
            "{width} × {height}, {}, {}\n{}\n\n{}",
            theme.unwrap_or("without colours"),
            cursor(&answer),
            rows.join("\n"),
            styles.join("\n")
        );
        hold(name, &text);
    }
}

fn texts(value: &Value) -> Vec<String> {
    let texts = value.as_array().unwrap_or_else(|| panic!("no texts: {value}"));
    texts.iter().map(|it| it.as_str().expect("a text").to_owned()).collect()
}

fn cursor(answer: &Value) -> String {
    match answer["cursor"].as_array() {
        Some(at) => format!("the cursor at column {}, row {}", at[0], at[1]),
        None => "no cursor".to_owned(),
    }
}

fn hold(name: &str, picture: &str) {
    let mut settings = Settings::clone_current();
    // `snapshots` means SQLite in this repository.
    settings.set_snapshot_path(".");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| assert_snapshot!(name, picture));
}

fn start(folder: &Path) -> Runner {
    let step = Duration::from_millis(1);
    let began: Timestamp = "2026-07-01T09:00:00Z".parse().expect("a time");
    let config = Config {
        data_folder: Some(folder.join("data")),
        packs: vec![folder.join("tenant-pack").display().to_string()],
        clock: Arc::new(FixedClock::new(began, step, Duration::from_millis(7))),
        person: "tester".to_owned(),
    };
    let themes = Library::embedded().all().iter().map(|it| (it.name.clone(), it.title.clone())).collect();
    let settings = Chosen { themes, ..Default::default() };
    let state = Workbench::new(settings, Arc::new(Keymap::default()));
    Runner::start(Session::start(state, config), Clocked::ByEvents)
}

/// The small enterprise in the store, and a pack of two tasks beside it.
fn write_tenant(folder: &Path) {
    let source = folder.join("tenant.sqlite");
    rusqlite::Connection::open(&source).and_then(|it| it.execute_batch(SCHEMA)).expect("a database");
    let describe = |(table, says): (&str, &str)| (table.to_owned(), says.to_owned());
    let facts = Facts {
        name: Some("tenant".to_owned()),
        organisation: Some("Tenant Ltd".to_owned()),
        release_date: Some("2026-05-01".parse().expect("a date")),
        company_domains: vec!["tenant.example".to_owned()],
        descriptions: [
            ("account", "Accounts of people, the identity provider's view."),
            ("role_grant", "Roles that accounts hold."),
            ("device", "Managed laptops."),
            ("sign_in", "Sign-ins of the last 30 days."),
        ]
        .map(describe)
        .into(),
    };
    let store = Store::new(Some(&folder.join("data")));
    import(&store, &source, &facts, SystemTime::UNIX_EPOCH, &mut |_| true).expect("an import");
    let pack = folder.join("tenant-pack");
    casebook::pack::write_empty_pack(&pack, "tenant", "tenant").expect("a pack");
    fs::create_dir_all(pack.join("tasks")).expect("a folder");
    fs::write(pack.join("pack.toml"), PACK).expect("a file");
    fs::write(pack.join("tasks/tasks.toml"), TASKS).expect("a file");
}
