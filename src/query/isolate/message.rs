//! What an engine and its worker say to each other.

use super::bytes::{In, Nonsense, Out};
use super::result_bytes;
use crate::domain::{ResultSet, Rule};
use crate::query::{Checked, Environment, LimitHit, Limits, QueryError};
use crate::sql::Catalogue;
use jiff::civil::Date;
use std::time::Duration;

/// The first thing a worker is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Opening {
    pub(super) environment: Environment,
    /// Bytes that the worker may take beside the copy.
    pub(super) room: u64,
}

/// What a worker is asked. The number tells an interrupt from one that was meant for a question before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Request<'s> {
    pub(super) number: u64,
    pub(super) question: Question<'s>,
}

/// The kinds of questions: those of [`Engine`](crate::query::Engine).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Question<'s> {
    Run { call: u64, sql: &'s str, limits: Limits },
    Check { sql: &'s str },
    Catalogue,
}

/// What came of it.
#[derive(Debug)]
pub(super) enum Answered {
    Ran(Result<ResultSet, QueryError>),
    Checked(Result<Checked, QueryError>),
    Catalogue(Result<Catalogue, QueryError>),
}

/// A worker's answer.
#[derive(Debug)]
pub(super) struct Reply {
    /// Whether the statement could write and was begun.
    pub(super) wrote: bool,
    /// Whether the catalogue is still the one that was given last.
    pub(super) same_catalogue: bool,
    pub(super) answered: Answered,
}

impl Opening {
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let mut out = Out::with_room(64);
        out.text(&self.environment.today.to_string()).number(self.environment.seed).number(self.room);
        out.done()
    }

    pub(super) fn read(body: &[u8]) -> Result<Self, Nonsense> {
        let mut body = In::new(body);
        let today: Date = body.text()?.parse().map_err(|_| Nonsense("a date is none"))?;
        let environment = Environment { today, seed: body.number()? };
        let room = body.number()?;
        body.end()?;
        Ok(Self { environment, room })
    }
}

/// What a worker says once its copy is open: what it could not give up; or why it is not open.
pub(super) type Opened = Result<Vec<String>, String>;

pub(super) fn opened_to_bytes(opened: &Opened) -> Vec<u8> {
    let mut out = Out::with_room(256);
    match opened {
        Ok(lacks) => {
            out.byte(0).count(lacks.len());
            for lack in lacks {
                out.text(lack);
            }
        }
        Err(reason) => {
            out.byte(1).text(reason);
        }
    }
    out.done()
}

pub(super) fn read_opened(body: &[u8]) -> Result<Opened, Nonsense> {
    let mut body = In::new(body);
    let opened = match body.byte()? {
        0 => {
            let count = body.count(4)?;
            Ok((0..count).map(|_| body.text().map(str::to_owned)).collect::<Result<Vec<_>, _>>()?)
        }
        1 => Err(body.text()?.to_owned()),
        _ => return Err(Nonsense("it is neither open nor not")),
    };
    body.end()?;
    Ok(opened)
}

impl<'s> Request<'s> {
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let text = match self.question {
            Question::Run { sql, .. } | Question::Check { sql } => sql,
            Question::Catalogue => "",
        };
        let mut out = Out::with_room(80 + text.len());
        out.number(self.number);
        match self.question {
            Question::Run { call, sql, limits } => {
                out.byte(0).number(call).text(sql);
                out.number(nanos(limits.deadline)).number(limits.rows);
                out.number(limits.bytes).number(limits.memory);
            }
            Question::Check { sql } => {
                out.byte(1).text(sql);
            }
            Question::Catalogue => {
                out.byte(2);
            }
        }
        out.done()
    }

    pub(super) fn read(body: &'s [u8]) -> Result<Self, Nonsense> {
        let mut body = In::new(body);
        let number = body.number()?;
        let question = match body.byte()? {
            0 => {
                let (call, sql) = (body.number()?, body.text()?);
                let limits = Limits {
                    deadline: Duration::from_nanos(body.number()?),
                    rows: body.number()?,
                    bytes: body.number()?,
                    memory: body.number()?,
                };
                Question::Run { call, sql, limits }
            }
            1 => Question::Check { sql: body.text()? },
            2 => Question::Catalogue,
            _ => return Err(Nonsense("the question is unknown")),
        };
        body.end()?;
        Ok(Self { number, question })
    }
}

impl Reply {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let room = match &self.answered {
            Answered::Ran(Ok(result)) => result_bytes::room_for(result),
            _ => 1 << 10,
        };
        let mut out = Out::with_room(room);
        out.flag(self.wrote).flag(self.same_catalogue);
        match &self.answered {
            Answered::Ran(outcome) => {
                out.byte(0);
                outcome_to_bytes(outcome, &mut out, result_bytes::write);
            }
            Answered::Checked(outcome) => {
                out.byte(1);
                outcome_to_bytes(outcome, &mut out, |checked, out| {
                    out.flag(checked.read_only).count(checked.tables_seen.len());
                    for table in &checked.tables_seen {
                        out.text(table);
                    }
                });
            }
            Answered::Catalogue(outcome) => {
                out.byte(2);
                outcome_to_bytes(outcome, &mut out, catalogue_to_bytes);
            }
        }
        out.done()
    }

    /// Reads the answer to a statement with these limits.
    pub(super) fn read(body: &[u8], limits: &Limits) -> Result<Self, Nonsense> {
        let mut body = In::new(body);
        let (wrote, same_catalogue) = (body.flag()?, body.flag()?);
        let answered = match body.byte()? {
            0 => Answered::Ran(read_outcome(&mut body, |body| result_bytes::read(body, limits))?),
            1 => Answered::Checked(read_outcome(&mut body, |body| {
                let read_only = body.flag()?;
                let count = body.count(4)?;
                let tables_seen = (0..count).map(|_| body.text().map(str::to_owned));
                Ok(Checked { read_only, tables_seen: tables_seen.collect::<Result<_, _>>()? })
            })?),
            2 => Answered::Catalogue(read_outcome(&mut body, read_catalogue)?),
            _ => return Err(Nonsense("the answer is of an unknown kind")),
        };
        body.end()?;
        Ok(Self { wrote, same_catalogue, answered })
    }
}

fn outcome_to_bytes<T>(outcome: &Result<T, QueryError>, out: &mut Out, write: impl Fn(&T, &mut Out)) {
    match outcome {
        Ok(value) => {
            out.byte(0);
            write(value, out);
        }
        Err(error) => {
            out.byte(1);
            error_to_bytes(error, out);
        }
    }
}

fn read_outcome<T>(
    body: &mut In<'_>,
    read: impl Fn(&mut In<'_>) -> Result<T, Nonsense>,
) -> Result<Result<T, QueryError>, Nonsense> {
    match body.byte()? {
        0 => read(body).map(Ok),
        1 => read_error(body).map(Err),
        _ => Err(Nonsense("an outcome is neither good nor bad")),
    }
}

fn error_to_bytes(error: &QueryError, out: &mut Out) {
    match error {
        QueryError::Refused { rule, detail } => {
            let at = Rule::ALL.iter().position(|it| it == rule).unwrap_or(usize::MAX);
            out.byte(0).byte(u8::try_from(at).unwrap_or(u8::MAX)).text(detail);
        }
        QueryError::Sql { message, offset } => {
            out.byte(1).text(message).flag(offset.is_some()).number(offset.unwrap_or(0) as u64);
        }
        QueryError::Limit { limit, rows, elapsed } => {
            out.byte(2);
            match *limit {
                LimitHit::Time(limit) => out.byte(0).number(nanos(limit)),
                LimitHit::Memory(limit) => out.byte(1).number(limit),
                LimitHit::Space(limit) => out.byte(2).number(limit),
                LimitHit::ValueLength(limit) => out.byte(3).number(limit),
            };
            out.number(*rows).number(nanos(*elapsed));
        }
        QueryError::Interrupted { rows, elapsed } => {
            out.byte(3).number(*rows).number(nanos(*elapsed));
        }
        QueryError::Engine { reason } => {
            out.byte(4).text(reason);
        }
    }
}

fn read_error(body: &mut In<'_>) -> Result<QueryError, Nonsense> {
    Ok(match body.byte()? {
        0 => {
            let rule = *Rule::ALL.get(usize::from(body.byte()?)).ok_or(Nonsense("a rule is unknown"))?;
            QueryError::Refused { rule, detail: body.text()?.to_owned() }
        }
        1 => {
            let message = body.text()?.to_owned();
            let (is_there, offset) = (body.flag()?, body.number()?);
            QueryError::Sql { message, offset: is_there.then(|| usize::try_from(offset).unwrap_or(0)) }
        }
        2 => {
            let (kind, value) = (body.byte()?, body.number()?);
            let limit = match kind {
                0 => LimitHit::Time(Duration::from_nanos(value)),
                1 => LimitHit::Memory(value),
                2 => LimitHit::Space(value),
                3 => LimitHit::ValueLength(value),
                _ => return Err(Nonsense("a limit is unknown")),
            };
            let (rows, elapsed) = (body.number()?, Duration::from_nanos(body.number()?));
            QueryError::Limit { limit, rows, elapsed }
        }
        3 => QueryError::Interrupted { rows: body.number()?, elapsed: Duration::from_nanos(body.number()?) },
        4 => QueryError::Engine { reason: body.text()?.to_owned() },
        _ => return Err(Nonsense("an error is of an unknown kind")),
    })
}

fn catalogue_to_bytes(catalogue: &Catalogue, out: &mut Out) {
    out.count(catalogue.relations().len());
    for relation in catalogue.relations() {
        out.text(relation.name()).count(relation.columns().len());
        for column in relation.columns() {
            out.text(column);
        }
        out.flag(relation.view().is_some()).text(relation.view().unwrap_or_default());
    }
}

fn read_catalogue(body: &mut In<'_>) -> Result<Catalogue, Nonsense> {
    let mut catalogue = Catalogue::new();
    for _ in 0..body.count(13)? {
        let name = body.text()?;
        let count = body.count(4)?;
        let columns = (0..count).map(|_| body.text()).collect::<Result<Vec<_>, _>>()?;
        let (is_view, sql) = (body.flag()?, body.text()?);
        if is_view {
            catalogue.add_view(name, columns, sql);
        } else {
            catalogue.add_table(name, columns);
        }
    }
    Ok(catalogue)
}

/// A duration in nanoseconds; 584 years are as good as for ever.
fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
