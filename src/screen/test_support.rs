//! For tests of the screen: workbenches with the embedded packs, and pictures of them as text.

use super::theme::{Symbols, Theme};
use super::view::{Drawn, view};
use crate::domain::trial::{Ending, Mode, TrialName};
use crate::domain::{ResultSet, Revision, SchemaDocument, TableDescription, Value};
use crate::pack;
use crate::workbench::command::Invocation;
use crate::workbench::event::{Event, Moment, Size};
use crate::workbench::keys::Chord;
use crate::workbench::overlay::Overlay;
use crate::workbench::overlay::plan::plan_lines;
use crate::workbench::overlay::reader::{Content, Reader};
use crate::workbench::reply::{
    Catalogue, OpenedTrial, OwnTrial, PackSummary, QueryRows, Reply, SnapshotSummary,
};
use crate::workbench::{Workbench, update};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// A picture of a workbench.
pub(super) struct Picture {
    /// What was drawn beside the cells.
    pub(super) drawn: Drawn,
    /// The rows as text.
    pub(super) lines: Vec<String>,
}

impl Picture {
    /// With Unicode signs, without colours.
    pub(super) fn of(state: &Workbench) -> Self {
        Self::with(state, &Theme::plain(Symbols::UNICODE))
    }

    pub(super) fn with(state: &Workbench, theme: &Theme) -> Self {
        let Size { width, height } = state.size;
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
        let drawn = view(&mut buffer, state, theme);
        let line = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
        Self { drawn, lines: (0..height).map(line).collect() }
    }

    pub(super) fn text(&self) -> String {
        self.lines.join("\n")
    }

    /// The first row that has a text.
    pub(super) fn find(&self, text: &str) -> (u16, &str) {
        let row = self.lines.iter().position(|line| line.contains(text));
        let row = row.unwrap_or_else(|| panic!("no '{text}' in\n{}", self.text()));
        (u16::try_from(row).unwrap(), &self.lines[row])
    }

    /// What a press on a cell gives.
    pub(super) fn pressed(&self, x: u16, y: u16) -> Option<Invocation> {
        self.drawn.hits.at(x, y)?.press.clone()
    }
}

/// The packs as the services would give them, and three snapshots.
pub(super) fn catalogue() -> Catalogue {
    static PACKS: LazyLock<Vec<PackSummary>> = LazyLock::new(|| {
        let packs = pack::embedded().expect("the embedded packs").into_iter();
        let summary = |pack: pack::Pack| PackSummary {
            id: pack.id,
            title: pack.title,
            practice: pack.practice,
            snapshots: pack.snapshots,
            tasks: pack.tasks.into_iter().map(|(task, _)| task).collect(),
        };
        packs.map(summary).collect()
    });
    let snapshots = [("small", 1, 9_214), ("medium", 2, 131_007), ("large", 3, 1_204_551)];
    let snapshots = snapshots.map(|(name, number, rows)| SnapshotSummary {
        name: name.to_owned(),
        revision: Revision::from_bytes([number; 32]),
        organisation: "Northgate Robotics".to_owned(),
        release_date: "2025-03-01".to_owned(),
        tables: 44,
        rows,
    });
    Catalogue { packs: PACKS.clone(), snapshots: snapshots.to_vec(), problems: Vec::new() }
}

/// The Cases page, 80 by 24, when all is read.
pub(super) fn cases() -> Workbench {
    let mut state = Workbench::default();
    update(&mut state, Moment::ZERO, Event::Started);
    let requests: Vec<_> = state.requests.open().map(|(id, it)| (id, it.what)).collect();
    for (request, what) in requests {
        let reply = match what {
            "reading the packs" => Reply::Catalogue(catalogue()),
            "reading own trials" => Reply::OwnTrials(Vec::new()),
            _ => Reply::Kept { kept: state.kept.clone(), history: Vec::new(), problems: Vec::new() },
        };
        update(&mut state, Moment::from_millis(20), Event::Reply { request, reply });
    }
    state
}

/// The same in another size.
pub(super) fn sized(mut state: Workbench, width: u16, height: u16) -> Workbench {
    let at = state.now;
    update(&mut state, at, Event::Resized(Size { width, height }));
    state
}

/// After these keys, as a keymap writes them.
pub(super) fn after(mut state: Workbench, keys: &[&str]) -> Workbench {
    for key in keys {
        let chord: Chord = key.parse().expect("a key");
        let at = state.now + Moment::from_millis(5);
        update(&mut state, at, Event::Key(chord));
    }
    let at = state.now;
    update(&mut state, at, Event::Tick);
    state
}

/// An attempt that was begun and left.
pub(super) fn own(pack: &str, task: &str) -> OwnTrial {
    OwnTrial {
        run: "own-1".to_owned(),
        trial: TrialName {
            revision: Revision::from_bytes([1; 32]),
            pack: pack.to_owned(),
            task: task.to_owned(),
            number: 1,
        },
        mode: Mode::Scored,
        ending: Ending::Interrupted,
        started: "2025-03-01T14:05:09Z".to_owned(),
        queries: 4,
    }
}

/// Text that would harm a terminal.
pub(super) const HOSTILE: &str =
    "\u{1b}[2J\u{9b}31m\u{202e}abc\u{200b} שלום 名前名前名前 e\u{301}👩\u{200d}👧 \u{fe0f}❤\u{fe0f}\r\n\tx\0";

/// A case that is open, with a result of hostile values.
pub(super) fn open() -> Workbench {
    let mut state = cases();
    let at = state.now;
    update(&mut state, at, Event::Command(Invocation::of("cases.start")));
    let (request, _) = state.requests.open().last().expect("it is being opened");
    let catalogue = state.catalogue.clone().expect("it was read");
    let (pack, task) = (catalogue.packs[0].id.clone(), catalogue.packs[0].tasks[0].id.clone());
    let table = TableDescription {
        name: "okta_users".to_owned(),
        description: HOSTILE.to_owned(),
        rows: 12,
        columns: vec!["id".to_owned(), HOSTILE.to_owned()],
    };
    let opened = OpenedTrial {
        run: "own-2".to_owned(),
        trial: TrialName { revision: catalogue.snapshots[0].revision, pack, task, number: 1 },
        mode: Mode::Scored,
        snapshot: catalogue.snapshots[0].clone(),
        schema: Arc::new(SchemaDocument {
            organisation: "Northgate Robotics".to_owned(),
            dialect: "SQLite".to_owned(),
            release_date: "2025-03-01".parse().expect("a date"),
            company_domains: Vec::new(),
            tables: vec![table],
        }),
        problem: None,
        draft: None,
        answer: None,
        resumed: false,
    };
    update(&mut state, at, Event::Reply { request, reply: Reply::Opened(Box::new(opened)) });
    let given = Invocation::of("query.run").with("sql", "select 1");
    update(&mut state, at, Event::Command(given));
    let (request, _) = state.requests.open().last().expect("it is running");
    let values = vec![
        Value::Null,
        Value::Text(HOSTILE.repeat(30)),
        Value::Integer(i64::MIN),
        Value::Real(1.5),
        Value::Blob(vec![0; 300]),
        Value::InvalidText(vec![0xff, b'a']),
        Value::Text(String::new()),
        Value::Text(format!("{{\"name\": \"{}\"}}", "long ".repeat(80))),
    ];
    let rows = QueryRows {
        sql: "select 1".to_owned(),
        result: Arc::new(ResultSet {
            columns: (0..values.len()).map(|nth| format!("column_{nth}")).chain([]).collect(),
            rows: vec![values; 3],
            changed_rows: 0,
            cut: None,
        }),
        sha256: "00".repeat(32),
        elapsed: Duration::from_millis(4),
    };
    update(&mut state, at, Event::Reply { request, reply: Reply::Rows(rows) });
    state.notices.hide();
    state
}

/// Workbenches in many states.
pub(super) fn states() -> Vec<Workbench> {
    let mut all = vec![Workbench::default(), cases(), open()];
    for keys in [
        &["/"][..],
        &["/", "m", "f", "a"],
        &["/", "z", "z", "z"],
        &["c", "f", "v", "s"],
        &["G"],
        &["g"],
        &[":"],
        &[":", "x", "q", "z"],
        &["?"],
        &["?", "end"],
        &["e"],
        &["g", "k", "j", "g"],
        &["g", "n"],
    ] {
        all.push(after(cases(), keys));
    }
    for keys in [
        &["esc"][..],
        &["esc", "g"],
        &["esc", "g", "s"],
        &["esc", "g", "r"],
        &["esc", "g", "r", "enter"],
        &["esc", "g", "r", "l", "enter"],
        &["esc", "g", "r", "l", "enter", "end"],
        &["esc", "g", "r", "v"],
        &["esc", "g", "r", "t"],
        &["esc", "g", "r", "/"],
        &["esc", "g", "a"],
        &["esc", "g", "a", "i"],
        &["esc", "o"],
        &["esc", "?"],
        &["esc", ":"],
        &["esc", "1"],
    ] {
        all.push(after(open(), keys));
    }
    let mut hostile = cases();
    hostile.notices.add(crate::workbench::notice::Gravity::Error, HOSTILE, hostile.now);
    hostile.cases.find = crate::text::edit_buffer::EditBuffer::one_line(HOSTILE);
    if let Some(catalogue) = &mut hostile.catalogue {
        for pack in &mut catalogue.packs {
            pack.id = HOSTILE.to_owned();
            pack.title = HOSTILE.to_owned();
            for task in &mut pack.tasks {
                task.id = HOSTILE.to_owned();
                task.title = HOSTILE.to_owned();
                task.question = HOSTILE.repeat(9);
            }
        }
        for snapshot in &mut catalogue.snapshots {
            snapshot.name = HOSTILE.to_owned();
            snapshot.organisation = HOSTILE.to_owned();
        }
    }
    all.push(after(hostile.clone(), &["e"]));
    all.push(after(hostile.clone(), &["g", "n"]));
    all.push(hostile);
    let mut asked = cases();
    asked.overlays.push(Overlay::Reader(Reader::new(
        HOSTILE,
        Content::Plan {
            lines: plan_lines(&ResultSet {
                columns: Vec::new(),
                rows: (1..300)
                    .map(|id| {
                        vec![
                            Value::Integer(id),
                            Value::Integer(id - 1),
                            Value::Integer(0),
                            Value::Text(format!("SCAN {HOSTILE}")),
                        ]
                    })
                    .collect(),
                changed_rows: 0,
                cut: None,
            }),
        },
    )));
    all.push(asked);
    all
}
