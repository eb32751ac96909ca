//! The engine that a trial sees when its statements run in a worker.
//!
//! It adds three things to what the worker says: it kills a worker that does not answer, makes the private copy again by
//! repeating what was written, and keeps the catalogue so that it is sent once.

use super::bytes::{HEAD, Nonsense};
use super::message::{Answered, Opening, Question, Reply, Request};
use super::process::{Gone, Process};
use super::stopping::Asking;
use super::{GRACE, Worker};
use crate::domain::ResultSet;
use crate::query::guard::{self, MAX_STATEMENT_BYTES};
use crate::query::stop::SLACK;
use crate::query::{
    Answer, Checked, Engine, Environment, FrozenDatabase, Interrupter, LimitHit, Limits, OpenError,
    QueryError,
};
use crate::sql::Catalogue;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bytes that a worker needs beside what statements and results take.
const OWN: u64 = 64 << 20;
/// What a result takes in memory for each byte that it counts: as values, and as the message.
const RESULT_TIMES: u64 = 4;
/// Of a message, what is no row: names of columns, a catalogue, an error.
const BESIDE: u64 = 256 << 20;
/// A statement that is repeated gets so many times as long as it had.
const PATIENCE: u32 = 4;

/// An engine in a process of its own.
#[derive(Debug)]
pub struct IsolatedEngine {
    worker: Worker,
    frozen: FrozenDatabase,
    opening: Opening,
    asking: Asking,
    /// None after it was killed, until the next statement.
    process: Option<Process>,
    questions: u64,
    written: Vec<Written>,
    /// Why the copy can't be made again.
    lost: Option<String>,
    catalogue: Option<Arc<Catalogue>>,
    notices: Vec<String>,
}

/// A statement that wrote, with what came of it.
#[derive(Debug, Clone)]
struct Written {
    call: u64,
    sql: String,
    limits: Limits,
    outcome: Result<u64, String>,
}

impl Written {
    fn outcome(result: &Result<ResultSet, QueryError>) -> Result<u64, String> {
        result.as_ref().map(|result| result.changed_rows).map_err(ToString::to_string)
    }
}

impl IsolatedEngine {
    /// Starts a worker with a private copy of frozen bytes. `limits` are the widest that a statement will have.
    ///
    /// # Errors
    /// [`OpenError::Worker`] where it can't be started or can't open the copy.
    pub fn open(
        worker: &Worker,
        frozen: &FrozenDatabase,
        environment: Environment,
        limits: &Limits,
    ) -> Result<Self, OpenError> {
        let room = limits
            .memory
            .saturating_add(SLACK.unsigned_abs())
            .saturating_add(limits.bytes.saturating_mul(RESULT_TIMES))
            .saturating_add(OWN);
        let (opening, asking) = (Opening { environment, room }, Asking::default());
        let (process, lacks) = Process::start(worker, frozen, opening, &asking).map_err(OpenError::Worker)?;
        let notices = lacks
            .iter()
            .map(|lack| format!("the engine's process is not wholly locked in: {lack}"))
            .collect();
        Ok(Self {
            worker: worker.clone(),
            frozen: frozen.clone(),
            opening,
            asking,
            process: Some(process),
            questions: 0,
            written: Vec::new(),
            lost: None,
            catalogue: None,
            notices,
        })
    }

    /// The worker's process, while there is one.
    pub fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(Process::id)
    }

    /// Sees to it that there is a worker whose copy is as it was.
    fn ready(&mut self) -> Result<(), QueryError> {
        if let Some(reason) = &self.lost {
            return Err(QueryError::Engine { reason: reason.clone() });
        }
        if self.process.is_some() {
            return Ok(());
        }
        let started = Process::start(&self.worker, &self.frozen, self.opening, &self.asking);
        let (process, _) = started.map_err(|reason| QueryError::Engine {
            reason: format!(
                "the engine's process can't be started again: {reason}; try once more, or answer"
            ),
        })?;
        self.process = Some(process);
        for written in self.written.clone() {
            self.repeat(&written)?;
        }
        let how = match self.written.len() {
            0 => "nothing had been written".to_owned(),
            1 => "the one statement that had written was repeated".to_owned(),
            count => format!("the {count} statements that had written were repeated"),
        };
        self.notices.push(format!("the private copy was made again in a new process: {how}"));
        Ok(())
    }

    fn repeat(&mut self, written: &Written) -> Result<(), QueryError> {
        let Written { call, sql, limits, outcome } = written;
        let deadline = limits.deadline.saturating_mul(PATIENCE).max(Duration::from_mins(1));
        let limits = Limits { deadline, ..*limits };
        let started = Instant::now();
        let why = match self.ask(Question::Run { call: *call, sql, limits }, &limits) {
            Ok(Reply { answered: Answered::Ran(Err(error @ QueryError::Interrupted { .. })), .. }) => {
                self.drop_process();
                return Err(error);
            }
            Ok(Reply { answered: Answered::Ran(now), .. }) => match Written::outcome(&now) {
                now if now == *outcome => return Ok(()),
                Ok(now) => format!("now it changes {now} rows"),
                Err(now) => now,
            },
            Ok(_) => "it was not answered".to_owned(),
            Err(gone) => match self.ended(gone, &limits, started.elapsed()) {
                error @ QueryError::Interrupted { .. } => return Err(error),
                error => error.to_string(),
            },
        };
        self.drop_process();
        let reason = format!(
            "the private copy is lost: call {call} had written to it and can't be repeated ({why}); no statement can run any \
             more, answer with what is known"
        );
        self.notices.push(reason.clone());
        self.lost = Some(reason.clone());
        Err(QueryError::Engine { reason })
    }

    /// Asks the worker that is there.
    fn ask(&mut self, question: Question<'_>, limits: &Limits) -> Result<Reply, Gone> {
        let process = self.process.as_mut().ok_or(Gone::Ended)?;
        self.questions += 1;
        let number = self.questions;
        let _open = self.asking.open(number);
        let now = Instant::now();
        let until = now.checked_add(limits.deadline.saturating_add(GRACE));
        let until = until.unwrap_or_else(|| now + Duration::from_secs(u64::from(u32::MAX)));
        let most = usize::try_from(limits.bytes.saturating_add(BESIDE)).unwrap_or(usize::MAX);
        let message = process.ask(&Request { number, question }.to_bytes(), most, until, &self.asking)?;
        let reply = Reply::read(&message[HEAD..], limits)?;
        if !reply.same_catalogue {
            self.catalogue = None;
        }
        Ok(reply)
    }

    /// What it means for the statement that no answer came. The worker is gone, its copy with it.
    fn ended(&mut self, gone: Gone, limits: &Limits, elapsed: Duration) -> QueryError {
        let death = self.drop_process();
        let rows = 0;
        let reason = match gone {
            Gone::Late => {
                self.notices.push(killed("its deadline"));
                return QueryError::Limit { limit: LimitHit::Time(limits.deadline), rows, elapsed };
            }
            Gone::Interrupted => {
                self.notices.push(killed("the interrupt"));
                return QueryError::Interrupted { rows, elapsed };
            }
            Gone::Ended => match death {
                Some(death) if death.out_of_memory => {
                    self.notices.push(format!("the engine's process {}", death.how));
                    return QueryError::Limit { limit: LimitHit::Memory(self.opening.room), rows, elapsed };
                }
                Some(death) => format!("the engine's process {}", death.how),
                None => "the engine's process is gone".to_owned(),
            },
            Gone::Nonsense(nonsense) => format!("the engine's process was killed: {nonsense}"),
        };
        self.notices.push(reason.clone());
        QueryError::Engine { reason: format!("{reason}. The statement gave nothing; ask in another way") }
    }

    fn drop_process(&mut self) -> Option<super::process::Death> {
        self.catalogue = None;
        self.asking.connect(None);
        self.process.take().map(Process::end)
    }

    /// An answer to another question than was asked.
    fn confused(&mut self, limits: &Limits) -> QueryError {
        self.ended(Nonsense("it answers what was not asked").into(), limits, Duration::ZERO)
    }
}

fn killed(after: &str) -> String {
    format!("the engine's process did not stop within {GRACE:?} of {after}, and was killed")
}

/// Refuses here what is too long to be sent.
fn check_length(sql: &str) -> Result<(), QueryError> {
    if sql.len() > MAX_STATEMENT_BYTES { guard::check_text(sql) } else { Ok(()) }
}

impl Engine for IsolatedEngine {
    fn run(&mut self, call: u64, sql: &str, limits: &Limits) -> Result<Answer, QueryError> {
        check_length(sql)?;
        self.ready()?;
        let started = Instant::now();
        match self.ask(Question::Run { call, sql, limits: *limits }, limits) {
            Ok(Reply { wrote, answered: Answered::Ran(result), .. }) => {
                let elapsed = started.elapsed();
                // What a limit or an interrupt stopped was undone.
                let undone = matches!(result, Err(QueryError::Limit { .. } | QueryError::Interrupted { .. }));
                if wrote && !undone {
                    let outcome = Written::outcome(&result);
                    self.written.push(Written { call, sql: sql.to_owned(), limits: *limits, outcome });
                }
                Ok(Answer { result: result?, elapsed })
            }
            Ok(_) => Err(self.confused(limits)),
            Err(gone) => Err(self.ended(gone, limits, started.elapsed())),
        }
    }

    fn check(&mut self, sql: &str) -> Result<Checked, QueryError> {
        check_length(sql)?;
        self.ready()?;
        let (limits, started) = (Limits::default(), Instant::now());
        match self.ask(Question::Check { sql }, &limits) {
            Ok(Reply { answered: Answered::Checked(checked), .. }) => checked,
            Ok(_) => Err(self.confused(&limits)),
            Err(gone) => Err(self.ended(gone, &limits, started.elapsed())),
        }
    }

    fn catalogue(&mut self) -> Result<Arc<Catalogue>, QueryError> {
        self.ready()?;
        if let Some(catalogue) = &self.catalogue {
            return Ok(Arc::clone(catalogue));
        }
        let (limits, started) = (Limits::default(), Instant::now());
        match self.ask(Question::Catalogue, &limits) {
            Ok(Reply { answered: Answered::Catalogue(catalogue), .. }) => {
                Ok(Arc::clone(self.catalogue.insert(Arc::new(catalogue?))))
            }
            Ok(_) => Err(self.confused(&limits)),
            Err(gone) => Err(self.ended(gone, &limits, started.elapsed())),
        }
    }

    fn interrupter(&self) -> Interrupter {
        self.asking.interrupter()
    }

    fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }
}
