//! A workbench with something open, for tests of the screen. It gets where it is by events alone, as the real one does.

use crate::domain::trial::{Answer, Mode, TrialName};
use crate::domain::{
    Complexity, Cut, Focus, Platform, ResultSet, Revision, SchemaDocument, TableDescription, TaskBrief, Value,
};
use crate::screen::theme::Theme;
use crate::screen::{Drawn, view};
use crate::workbench::Workbench;
use crate::workbench::command::Invocation;
use crate::workbench::draft::Draft;
use crate::workbench::effect::{Ask, Effect};
use crate::workbench::event::{Event, Moment, Size};
use crate::workbench::keys::Chord;
use crate::workbench::reply::{
    Catalogue, OpenedTrial, PackSummary, QueryFailure, QueryRows, Reply, SnapshotSummary,
};
use crate::workbench::request::RequestId;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::sync::Arc;
use std::time::Duration;

/// A workbench, and what it asked for that was not answered.
pub(in crate::screen) struct Desk {
    /// The workbench.
    pub(in crate::screen) state: Workbench,
    asked: Vec<(RequestId, Ask)>,
}

impl Desk {
    /// A workbench of a size with nothing open.
    pub(in crate::screen) fn new(width: u16, height: u16) -> Self {
        let mut desk = Self { state: Workbench::default(), asked: Vec::new() };
        desk.event(Event::Resized(Size { width, height }));
        desk
    }

    /// One with a practice case on a small schema.
    pub(in crate::screen) fn with_case(width: u16, height: u16) -> Self {
        let mut desk = Self::new(width, height);
        desk.open(schema(), Some(task()), None);
        desk
    }

    /// Opens a case of a task, or an investigation; `answer` is there where it is over.
    pub(in crate::screen) fn open(
        &mut self,
        schema: SchemaDocument,
        task: Option<TaskBrief>,
        answer: Option<Answer>,
    ) {
        let revision = Revision::from_bytes([7; 32]);
        let snapshot = SnapshotSummary {
            name: "small".to_owned(),
            revision,
            organisation: schema.organisation.clone(),
            release_date: schema.release_date.to_string(),
            tables: schema.tables.len() as u64,
            rows: schema.tables.iter().map(|table| table.rows).sum(),
        };
        let name = task.as_ref().map_or_else(|| "one".to_owned(), |task| task.id.clone());
        let pack = if task.is_some() { "practice" } else { "investigation" };
        let start = if task.is_some() {
            Invocation::of("cases.start").with("task", name.as_str())
        } else {
            Invocation::of("cases.investigate")
        };
        let packs = vec![PackSummary {
            id: "practice".to_owned(),
            title: "Practice".to_owned(),
            practice: true,
            snapshots: vec!["small".to_owned()],
            tasks: task.into_iter().collect(),
        }];
        let catalogue = Catalogue { packs, snapshots: vec![snapshot.clone()], problems: Vec::new() };
        self.event(Event::Started);
        self.answer(|ask| matches!(ask, Ask::Catalogue), Reply::Catalogue(catalogue));
        self.event(Event::Command(start));
        let opened = OpenedTrial {
            run: "run-1".to_owned(),
            trial: TrialName { revision, pack: pack.to_owned(), task: name, number: 1 },
            mode: Mode::Practice,
            snapshot,
            schema: Arc::new(schema),
            problem: None,
            draft: None::<Draft>,
            answer,
            resumed: false,
        };
        self.answer(|ask| matches!(ask, Ask::Open(_)), Reply::Opened(Box::new(opened)));
        self.state.notices.hide();
    }

    /// Something happens.
    pub(in crate::screen) fn event(&mut self, event: Event) {
        let now = self.state.now;
        self.later(now, event);
    }

    /// Something happens at a time.
    pub(in crate::screen) fn later(&mut self, now: Moment, event: Event) {
        for effect in crate::workbench::update(&mut self.state, now, event) {
            if let Effect::Ask(id, ask) = effect {
                self.asked.push((id, ask));
            }
        }
    }

    /// Gives a command.
    pub(in crate::screen) fn give(&mut self, invocation: Invocation) {
        self.event(Event::Command(invocation));
    }

    /// Gives a command without arguments.
    pub(in crate::screen) fn command(&mut self, command: &str) {
        self.give(Invocation::of(command));
    }

    /// Presses keys, written as in a keymap file.
    pub(in crate::screen) fn keys(&mut self, keys: &str) {
        for chord in Chord::sequence(keys).expect("keys") {
            self.event(Event::Key(chord));
        }
    }

    /// Types a text, character by character.
    pub(in crate::screen) fn types(&mut self, text: &str) {
        for character in text.chars() {
            let keys = if character == ' ' { "space".to_owned() } else { character.to_string() };
            self.keys(&keys);
        }
    }

    /// Replaces the text of the editor.
    pub(in crate::screen) fn writes(&mut self, sql: &str) {
        self.give(Invocation::of("editor.set").with("text", sql));
    }

    /// Runs the statement of the editor, which gives these rows.
    pub(in crate::screen) fn gives_rows(
        &mut self,
        columns: &[&str],
        rows: Vec<Vec<Value>>,
        cut: Option<Cut>,
    ) {
        let columns = columns.iter().map(|name| (*name).to_owned()).collect();
        self.gives(ResultSet { columns, rows, changed_rows: 0, cut });
    }

    /// Runs the statement of the editor, which gives this result.
    pub(in crate::screen) fn gives(&mut self, result: ResultSet) {
        self.give(Invocation::of("query.run").with("sql", "SELECT 1"));
        let rows = QueryRows {
            sql: "SELECT 1".to_owned(),
            result: Arc::new(result),
            sha256: "00".repeat(32),
            elapsed: Duration::from_millis(12),
        };
        self.answer(|ask| matches!(ask, Ask::Run { .. }), Reply::Rows(rows));
    }

    /// Runs the statement of the editor, which fails.
    pub(in crate::screen) fn fails(&mut self, message: &str, offset: Option<usize>) {
        self.command("query.run");
        let failure =
            QueryFailure { sql: String::new(), message: message.to_owned(), offset, cancelled: false };
        self.answer(|ask| matches!(ask, Ask::Run { .. }), Reply::QueryFailed(failure));
    }

    /// The latest request of a kind is answered.
    pub(in crate::screen) fn answer(&mut self, is: impl Fn(&Ask) -> bool, reply: Reply) {
        let place = self.asked.iter().rposition(|(_, ask)| is(ask)).expect("it was asked for");
        let (request, _) = self.asked.remove(place);
        self.event(Event::Reply { request, reply });
    }

    /// The latest request.
    pub(in crate::screen) fn last_asked(&self) -> Option<&Ask> {
        self.asked.last().map(|(_, ask)| ask)
    }

    /// Draws it.
    pub(in crate::screen) fn draw(&self, theme: &Theme) -> (Buffer, Drawn) {
        let Size { width, height } = self.state.size;
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
        let drawn = view(&mut buffer, &self.state, theme);
        (buffer, drawn)
    }

    /// Clicks the first place where a text stands; gives the command.
    pub(in crate::screen) fn click(&mut self, theme: &Theme, text: &str) -> Option<Invocation> {
        let (buffer, drawn) = self.draw(theme);
        let (x, y) = place_of(&buffer, text).unwrap_or_else(|| panic!("{text} is not shown"));
        let hit = drawn.hits.at(x, y)?;
        let gives = hit.press.clone().or_else(|| hit.surface.as_ref()?.at(x, y, false))?;
        self.give(gives.clone());
        Some(gives)
    }
}

/// The lines of a picture.
pub(in crate::screen) fn lines(buffer: &Buffer) -> Vec<String> {
    let area = buffer.area;
    let line = |y: u16| {
        let mut text = String::new();
        let mut x = area.left();
        while x < area.right() {
            let symbol = buffer[(x, y)].symbol();
            text.push_str(symbol);
            x += u16::try_from(unicode_width::UnicodeWidthStr::width(symbol)).unwrap_or(1).max(1);
        }
        text
    };
    (area.top()..area.bottom()).map(line).collect()
}

/// The cell where a text begins.
pub(in crate::screen) fn place_of(buffer: &Buffer, text: &str) -> Option<(u16, u16)> {
    lines(buffer).iter().zip(0..).find_map(|(line, y)| {
        let at = line.find(text)?;
        let cells = crate::text::width::width(&line[..at]);
        Some((u16::try_from(cells).ok()?, y))
    })
}

/// A schema of three tables.
pub(in crate::screen) fn schema() -> SchemaDocument {
    let table = |name: &str, description: &str, rows: u64, columns: &[&str]| TableDescription {
        name: name.to_owned(),
        description: description.to_owned(),
        rows,
        columns: columns.iter().map(|column| (*column).to_owned()).collect(),
    };
    SchemaDocument {
        organisation: "Example".to_owned(),
        dialect: "SQLite".to_owned(),
        release_date: "2026-06-30".parse().expect("a date"),
        company_domains: vec!["corp.example".to_owned()],
        tables: vec![
            table(
                "aws_iam_user",
                "IAM users, human and machine",
                1_234,
                &["account_id", "name", "mfa_enabled"],
            ),
            table("okta_user", "People in Okta", 77, &["id", "email", "status"]),
            table("azuread_user_registration_details_report", "Factors", 77, &["id", "is_mfa_capable"]),
        ],
    }
}

/// A task with two hints.
pub(in crate::screen) fn task() -> TaskBrief {
    TaskBrief {
        id: "P-01".to_owned(),
        title: "Console without MFA".to_owned(),
        question: "Which IAM users can sign in to the console with a password and have no MFA device?"
            .to_owned(),
        complexity: Complexity::Easy,
        focus: Focus::Authentication,
        platforms: vec![Platform::AwsIam],
        hints: vec!["Look at password_enabled.".to_owned(), "A device is a row.".to_owned()],
    }
}
