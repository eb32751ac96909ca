//! Runs the workbench by JSON lines: a request in, everything it causes done, an answer out.

use super::picture::picture;
use super::protocol::{Answer, Asked, PROTOCOL, Request};
use crate::services::Session;
use crate::text::json;
use crate::workbench::command::document as commands;
use crate::workbench::document::{digest, document};
use crate::workbench::effect::Drive;
use crate::workbench::event::{Event, Moment, Size};
use crate::workbench::keys::Chord;
use serde_json::{Value, json};
use std::io::{self, BufRead, Read as _, Write};
use std::time::{Duration, Instant};

/// No request is longer.
const LONGEST: u64 = 64 << 20;
/// Rows that are given when no number is.
const ROWS: usize = 100;

/// Where time comes from.
#[derive(Debug, Clone, Copy)]
pub enum Clocked {
    /// Each event is a millisecond after the one before: the same script gives the same state.
    ByEvents,
    /// The machine's clock.
    Real,
}

/// The workbench driven by lines.
#[derive(Debug)]
pub struct Runner {
    session: Session,
    clocked: Clocked,
    began: Instant,
    events: u64,
    /// Time that was said to go by.
    skipped: Duration,
    told: u64,
    copied: Option<String>,
}

impl Runner {
    /// Starts the workbench and waits until it has settled.
    pub fn start(session: Session, clocked: Clocked) -> Self {
        let mut runner = Self {
            session,
            clocked,
            began: Instant::now(),
            events: 0,
            skipped: Duration::ZERO,
            told: 0,
            copied: None,
        };
        runner.dispatch(Event::Started);
        runner.settle();
        runner
    }

    /// The session.
    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// Ends the session; gives what could not be written.
    pub fn close(self) -> Vec<String> {
        self.session.close()
    }

    /// The line that stands first: what is spoken here.
    pub fn greeting(&mut self) -> Value {
        let mut greeting =
            json!({"protocol": PROTOCOL, "casebook": env!("CARGO_PKG_VERSION"), "settled": true});
        let notices = self.notices();
        if !notices.is_empty() {
            greeting["notices"] = Value::from(notices);
        }
        greeting
    }

    fn now(&mut self) -> Moment {
        self.events += 1;
        match self.clocked {
            Clocked::ByEvents => Duration::from_millis(self.events),
            Clocked::Real => self.began.elapsed(),
        }
        .saturating_add(self.skipped)
    }

    /// Takes an event; what services answer is taken by [`Runner::settle`].
    pub fn event(&mut self, event: Event) {
        self.dispatch(event);
    }

    /// What the workbench told since this was asked before: gravity and text.
    pub(super) fn told(&mut self) -> Vec<(String, String)> {
        let text = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
        self.notices().iter().map(|notice| (text(notice, "gravity"), text(notice, "text"))).collect()
    }

    fn dispatch(&mut self, event: Event) {
        let at = self.now();
        for drive in self.session.dispatch(at, event) {
            match drive {
                Drive::Copy { text, .. } => self.copied = Some(text),
                // There is no terminal: nothing to draw, to take or to leave.
                Drive::Mouse(_) | Drive::Redraw | Drive::Suspend | Drive::Quit => {}
            }
        }
    }

    /// Waits until nothing is outstanding.
    pub fn settle(&mut self) {
        while !self.session.state.is_settled() && !self.session.state.has_ended {
            let Ok((request, reply)) = self.session.answers().recv() else { return };
            self.dispatch(Event::Reply { request, reply });
        }
    }

    /// Takes what has come so far without waiting.
    fn take_ready(&mut self) {
        while let Ok((request, reply)) = self.session.answers().try_recv() {
            self.dispatch(Event::Reply { request, reply });
        }
    }

    /// Why the last statement failed, if it did.
    fn failure(&self) -> Option<String> {
        let space = self.session.state.workspace.as_ref()?;
        space.failure.as_ref().map(|failure| failure.message.clone())
    }

    fn notices(&mut self) -> Vec<Value> {
        let notices = &self.session.state.notices;
        let new = usize::try_from(notices.count() - self.told).unwrap_or(usize::MAX).min(notices.all().len());
        self.told = notices.count();
        let all = notices.all();
        all[all.len() - new..]
            .iter()
            .map(|notice| json!({"gravity": notice.gravity, "text": notice.text}))
            .collect()
    }

    /// Answers a line.
    pub fn answer(&mut self, line: &str) -> Answer {
        let (id, request) = match Request::parse(line) {
            Ok(parsed) => parsed,
            Err((id, reason)) => {
                return Answer {
                    id,
                    settled: self.session.state.is_settled(),
                    error: Some(reason),
                    ..Answer::default()
                };
            }
        };
        let mut answer = Answer { id, ..Answer::default() };
        let failed_before = self.failure();
        match request.asked() {
            Ok(asked) => self.carry_out(&request, asked, &mut answer),
            Err(reason) => answer.error = Some(reason),
        }
        answer.notices = self.notices();
        if answer.error.is_none() {
            // A command that was refused says so in a notice: it is the answer's error too.
            let refused = answer.notices.iter().find(|notice| notice["gravity"] == "error");
            answer.error = refused.and_then(|notice| notice["text"].as_str()).map(str::to_owned);
        }
        if answer.error.is_none() {
            answer.error = self.failure().filter(|failure| Some(failure) != failed_before.as_ref());
        }
        answer.copied = self.copied.take();
        answer.settled = self.session.state.is_settled();
        answer.ended = self.session.state.has_ended;
        answer
    }

    fn carry_out(&mut self, request: &Request, asked: Asked, answer: &mut Answer) {
        match asked {
            Asked::Command(invocation) => self.dispatch(Event::Command(invocation)),
            Asked::Keys(keys) => match Chord::sequence(&keys) {
                Ok(chords) => chords.into_iter().for_each(|chord| self.dispatch(Event::Key(chord))),
                Err(wrong) => answer.error = Some(wrong.to_string()),
            },
            Asked::Type(text) => {
                for character in text.chars() {
                    let key = match character {
                        '\n' => crate::workbench::keys::Key::Enter,
                        '\t' => crate::workbench::keys::Key::Tab,
                        other => crate::workbench::keys::Key::Char(other),
                    };
                    self.dispatch(Event::Key(Chord::plain(key)));
                }
            }
            Asked::Paste(text) => self.dispatch(Event::Paste(text)),
            Asked::Resize(size) => {
                self.dispatch(Event::Resized(Size { width: size.width, height: size.height }));
            }
            Asked::Get(what) => {
                self.wait(request);
                match self.get(&what, request) {
                    Ok(value) => answer.value = Some(value),
                    Err(reason) => answer.error = Some(reason),
                }
            }
            Asked::Screen(wanted) => {
                self.wait(request);
                let size = Size { width: wanted.width, height: wanted.height };
                if size != self.session.state.size {
                    self.dispatch(Event::Resized(size));
                }
                match picture(&self.session.state, wanted.theme.as_deref()) {
                    Ok(picture) => {
                        answer.screen = Some(picture.rows);
                        answer.styles = wanted.styles.then_some(picture.styles);
                        answer.cursor = picture.cursor;
                    }
                    Err(reason) => answer.error = Some(reason),
                }
            }
            Asked::Tick(milliseconds) => {
                self.skipped = self.skipped.saturating_add(Duration::from_millis(milliseconds));
                self.dispatch(Event::Tick);
            }
            Asked::Wait => {}
        }
        self.wait(request);
    }

    fn wait(&mut self, request: &Request) {
        // What nobody asked for, such as more of a trial that is followed, may have come.
        self.take_ready();
        if request.wait != Some(false) {
            self.settle();
        }
    }

    fn get(&self, what: &str, request: &Request) -> Result<Value, String> {
        let state = &self.session.state;
        match what {
            "state" => {
                let whole = document(state);
                match request.path.as_deref() {
                    None | Some("" | "/") => Ok(whole),
                    Some(path) => whole
                        .pointer(path)
                        .cloned()
                        .ok_or_else(|| format!("there is nothing at '{path}' in the state")),
                }
            }
            "rows" => {
                let space = state.workspace.as_ref();
                let grid = space.and_then(|space| space.grid()).ok_or("there is no result")?;
                let (offset, limit) = (request.offset.unwrap_or(0), request.limit.unwrap_or(ROWS));
                let columns: Vec<&str> = grid.shown().iter().map(|column| column.name.as_str()).collect();
                let places: Vec<usize> = grid.shown().iter().map(|column| column.index).collect();
                let end = offset.saturating_add(limit).min(grid.order.len());
                let rows: Vec<Value> = (offset.min(end)..end)
                    .filter_map(|place| grid.row_at(place))
                    .map(|row| {
                        places.iter().filter_map(|place| row.get(*place)).map(|value| json!(value)).collect()
                    })
                    .collect();
                Ok(json!({"columns": columns, "offset": offset, "rows": rows, "of": grid.order.len()}))
            }
            "digest" => Ok(Value::from(digest(state))),
            "commands" => Ok(commands()),
            "keys" => Ok(state.keymap.document()),
            other => Err(format!("'{other}' can't be got; there are state, rows, digest, commands, keys")),
        }
    }

    /// Reads requests until there are no more, or the workbench has ended; answers each with a line.
    ///
    /// # Errors
    /// Where lines can't be read or written.
    pub fn run(
        &mut self,
        input: &mut dyn BufRead,
        out: &mut dyn Write,
        mut log: Option<&mut dyn Write>,
    ) -> io::Result<()> {
        writeln!(out, "{}", json::compact(&self.greeting())?)?;
        out.flush()?;
        while !self.session.state.has_ended {
            let mut line = Vec::new();
            input.take(LONGEST).read_until(b'\n', &mut line)?;
            if line.is_empty() {
                break;
            }
            let text = String::from_utf8_lossy(&line);
            let text = text.trim();
            if text.is_empty() {
                continue;
            }
            if let Some(log) = log.as_deref_mut() {
                writeln!(log, "{text}")?;
            }
            let answer = self.answer(text);
            writeln!(out, "{}", json::compact(&answer)?)?;
            out.flush()?;
        }
        Ok(())
    }
}
