//! The thread of an open trial: it owns the private copy and the record, and does one thing after another.
//!
//! What runs in it can be cancelled at any time; a cancel that comes just before a statement begins is not lost.

use super::Answered;
use super::opening::{Plan, Prepared, Ready, prepare};
use crate::domain::trace::ToolErrorKind;
use crate::domain::trial::{Answer, Ending};
use crate::harness::{Over, Reply as Called, ReplyKind, Tool, Trial, resume_trial};
use crate::query::Interrupter;
use crate::workbench::reply::{QueryFailure, QueryRows, Reply};
use crate::workbench::request::RequestId;
use crossbeam_channel::{Receiver, Sender, unbounded};
use serde_json::json;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Between two tries to stop a statement.
const AGAIN: Duration = Duration::from_millis(2);

enum Order {
    Run {
        request: RequestId,
        sql: String,
        look: bool,
    },
    Submit {
        request: RequestId,
        answer: Box<Answer>,
    },
    /// Panics, for a test.
    Panic {
        request: RequestId,
    },
}

impl Order {
    const fn request(&self) -> RequestId {
        let (Self::Run { request, .. } | Self::Submit { request, .. } | Self::Panic { request }) = self;
        *request
    }
}

/// The thread, seen from outside.
#[derive(Debug)]
pub(super) struct TrialThread {
    orders: Sender<Order>,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    /// The request whose statement runs; 0 where none does.
    running: AtomicU64,
    /// The request that has no answer yet; 0 where there is none.
    asked: AtomicU64,
    interrupter: Mutex<Option<Interrupter>>,
}

impl TrialThread {
    /// Starts the thread: it opens the trial first and answers `request` then.
    pub(super) fn start(request: RequestId, plan: Plan, answers: &Sender<Answered>) -> Self {
        let (orders, taken) = unbounded();
        let shared = Arc::new(Shared::default());
        let own = Arc::clone(&shared);
        own.asked.store(request.0, Ordering::SeqCst);
        let answering = Answers { shared: Arc::clone(&shared), answers: answers.clone() };
        let thread = std::thread::Builder::new().name("casebook-trial".to_owned()).spawn(move || {
            let done = catch_unwind(AssertUnwindSafe(|| work(request, &plan, &taken, &own, &answering)));
            own.running.store(0, Ordering::SeqCst);
            if done.is_err() {
                let asked = RequestId(own.asked.load(Ordering::SeqCst));
                let reason = "the case failed inside casebook and is closed; open it again to go on";
                answering.send(asked, Reply::Closed(reason.to_owned()));
            }
            // Whoever still asks gets an answer, until the sender is gone.
            while let Ok(order) = taken.recv() {
                answering.send(order.request(), Reply::Failed("the case is closed".to_owned()));
            }
        });
        if thread.is_err() {
            let reply = Reply::Failed("the system gives no more threads".to_owned());
            let _ = answers.send((request, reply));
        }
        Self { orders, shared, thread: thread.ok() }
    }

    pub(super) fn run(&self, request: RequestId, sql: String, look: bool) {
        self.shared.running.store(request.0, Ordering::SeqCst);
        let _ = self.orders.send(Order::Run { request, sql, look });
    }

    pub(super) fn panic(&self, request: RequestId) {
        let _ = self.orders.send(Order::Panic { request });
    }

    pub(super) fn submit(&self, request: RequestId, answer: Answer) {
        let _ = self.orders.send(Order::Submit { request, answer: Box::new(answer) });
    }

    /// Stops the running statement. It is tried until the statement has ended, since one that is just beginning would miss it.
    pub(super) fn cancel(&self) {
        let shared = Arc::clone(&self.shared);
        let running = shared.running.load(Ordering::SeqCst);
        if running == 0 {
            return;
        }
        let stop = move || {
            while shared.running.load(Ordering::SeqCst) == running {
                if let Some(interrupter) = &*shared.interrupter.lock().unwrap_or_else(PoisonError::into_inner)
                {
                    interrupter.interrupt();
                }
                std::thread::sleep(AGAIN);
            }
        };
        // Without a thread for it one try must do.
        if std::thread::Builder::new().name("casebook-cancel".to_owned()).spawn(stop).is_err()
            && let Some(interrupter) =
                &*self.shared.interrupter.lock().unwrap_or_else(PoisonError::into_inner)
        {
            interrupter.interrupt();
        }
    }

    /// Ends the trial's segment and waits for that; a running statement is stopped.
    pub(super) fn leave(mut self) {
        self.cancel();
        let thread = self.thread.take();
        drop(self);
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }
}

/// Where answers go: it is noted that they were given, so that a panic leaves nobody waiting.
struct Answers {
    shared: Arc<Shared>,
    answers: Sender<Answered>,
}

impl Answers {
    fn send(&self, request: RequestId, reply: Reply) {
        self.shared.asked.store(0, Ordering::SeqCst);
        // Nobody listens any more when the workbench has ended.
        let _ = self.answers.send((request, reply));
    }
}

fn work(request: RequestId, plan: &Plan, orders: &Receiver<Order>, shared: &Shared, answers: &Answers) {
    let answer = |request: RequestId, reply: Reply| answers.send(request, reply);
    let prepared = match prepare(plan) {
        Ok(Ready::Working(prepared)) => *prepared,
        Ok(Ready::Over(opened)) => return answer(request, Reply::Opened(opened)),
        Err(reason) => return answer(request, Reply::Closed(reason)),
    };
    let Prepared { writer, setup, opened, folder } = prepared;
    let began = if opened.resumed { resume_trial(&writer, setup) } else { Trial::begin(&writer, setup) };
    let mut trial = match began {
        Ok(trial) => trial,
        Err(over) => return answer(request, Reply::Closed(over.to_string())),
    };
    let interrupter = trial.engine().interrupter();
    *shared.interrupter.lock().unwrap_or_else(PoisonError::into_inner) = Some(interrupter);
    let run = opened.run.clone();
    answer(request, Reply::Opened(Box::new(opened)));
    while trial.ending().is_none() {
        let Ok(order) = orders.recv() else { break };
        shared.asked.store(order.request().0, Ordering::SeqCst);
        match order {
            Order::Panic { .. } => panic!("as the command workbench.panic asked for"),
            Order::Run { request, sql, look } => {
                let reply = run_statement(&mut trial, sql, look);
                shared.running.store(0, Ordering::SeqCst);
                answer(request, or_closed(&trial, reply));
            }
            Order::Submit { request, answer: given } => {
                let reply = submit(&mut trial, &given, &run);
                // The answer is told when everything is on disk, the end of the run too.
                if trial.ending() == Some(Ending::Answered) {
                    let ended = trial.end().map_err(|over| over.to_string()).and_then(|_| {
                        let wall = plan.config.clock.wall().to_string();
                        writer.finish(wall).map_err(|error| error.to_string())
                    });
                    let reply = match ended {
                        Ok(_) => reply,
                        Err(reason) => Reply::Failed(format!(
                            "the answer is recorded, but the run in {} could not be closed: {reason}",
                            folder.display()
                        )),
                    };
                    return answer(request, reply);
                }
                answer(request, or_closed(&trial, reply));
            }
        }
    }
    // Left without an answer: the segment ends, and the next one goes on from here.
    let _ = trial.end();
}

/// A failure that ended the trial closes the case.
fn or_closed(trial: &Trial<'_>, reply: Reply) -> Reply {
    match reply {
        Reply::Failed(reason) if trial.ending().is_some() => Reply::Closed(reason),
        other => other,
    }
}

fn run_statement(trial: &mut Trial<'_>, sql: String, look: bool) -> Reply {
    let called =
        if look { trial.look(&sql) } else { trial.call(Tool::RunQuery.name(), &json!({"sql": sql})) };
    match called {
        Ok(Called { kind: ReplyKind::Result { result, record, elapsed }, .. }) => {
            Reply::Rows(QueryRows { sql, result: Arc::new(result), sha256: record.sha256, elapsed })
        }
        Ok(Called { kind: ReplyKind::Error { kind, offset, .. }, text, .. }) => {
            let cancelled = kind == ToolErrorKind::Cancelled;
            Reply::QueryFailed(QueryFailure { sql, message: text, offset, cancelled })
        }
        Ok(_) => Reply::Failed("the statement gave something else than rows".to_owned()),
        Err(over) => Reply::Failed(over.to_string()),
    }
}

fn submit(trial: &mut Trial<'_>, answer: &Answer, run: &str) -> Reply {
    let arguments = match serde_json::to_value(answer) {
        Ok(arguments) => arguments,
        Err(error) => return Reply::Failed(format!("the answer can't be written: {error}")),
    };
    match trial.call(Tool::SubmitAnswer.name(), &arguments) {
        Ok(Called { kind: ReplyKind::Accepted, .. }) => {
            Reply::Submitted { run: run.to_owned(), answer: Box::new(answer.clone()) }
        }
        Ok(called) => Reply::Failed(called.text),
        Err(Over::Ended(ending)) => Reply::Failed(format!("the trial is over: {}", ending.word())),
        Err(over) => Reply::Failed(over.to_string()),
    }
}
