//! A worker, seen from inside: one copy, one statement at a time, until nobody is left to work for.
//!
//! Standard input is the socket of questions and answers, standard output the sealed bytes of the snapshot, standard error the
//! line of interrupts, on which a worker that fails leaves its last words.

use super::bytes::{HEAD, body_length};
use super::confine;
use super::message::{Answered, Opening, Question, Reply, Request, opened_to_bytes};
use super::stopping::Working;
use crate::query::guard::MAX_STATEMENT_BYTES;
use crate::query::{Engine as _, FrozenDatabase, Limits, QueryError, SqliteEngine};
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd as _, AsRawFd as _};
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// No question is longer.
const MOST: usize = MAX_STATEMENT_BYTES + (1 << 10);

/// Works until the other end of the socket is closed.
pub fn serve() -> ExitCode {
    match work() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // On the line, or to whoever started this by hand.
            let _ = writeln!(io::stderr(), "casebook: the engine's worker can't go on: {error}");
            ExitCode::from(2)
        }
    }
}

fn work() -> io::Result<()> {
    confine::close_inherited();
    confine::die_with_parent();
    let socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    socket.peer_addr().map_err(|_| {
        io::Error::other("it is started by casebook itself, for --isolate; there is nothing to do by hand")
    })?;
    let Some(opening) = receive(&socket)? else { return Ok(()) };
    let opening = Opening::read(&opening).map_err(io::Error::other)?;
    let mut engine = match open(opening) {
        Ok(engine) => engine,
        Err(reason) => return (&socket).write_all(&opened_to_bytes(&Err(reason))),
    };
    let working = Working::default();
    let line = UnixStream::from(io::stderr().as_fd().try_clone_to_owned()?);
    let speaking = [socket.as_raw_fd(), line.as_raw_fd(), io::stderr().as_raw_fd()];
    let (listening, interrupter) = (working.clone(), engine.interrupter());
    std::thread::spawn(move || {
        listening.listen(&line, &interrupter);
        // Nobody is left to answer, whatever is running.
        std::process::exit(0);
    });
    let lacks = confine::lock(opening.room, &speaking);
    (&socket).write_all(&opened_to_bytes(&Ok(lacks)))?;
    while let Some(body) = receive(&socket)? {
        let request = Request::read(&body).map_err(io::Error::other)?;
        (&socket).write_all(&answer(&mut engine, &working, request).to_bytes())?;
    }
    Ok(())
}

/// The engine, with everything begun that needs a thread.
fn open(opening: Opening) -> Result<SqliteEngine, String> {
    let opened = || -> Result<SqliteEngine, Box<dyn std::error::Error>> {
        let frozen = FrozenDatabase::adopt(File::from(io::stdout().as_fd().try_clone_to_owned()?))?;
        let mut engine = SqliteEngine::open(&frozen, opening.environment)?;
        engine.run(0, "SELECT 1", &Limits::default())?;
        Ok(engine)
    };
    opened().map_err(|error| error.to_string())
}

fn answer(engine: &mut SqliteEngine, working: &Working, request: Request<'_>) -> Reply {
    let stopped = || QueryError::Interrupted { rows: 0, elapsed: Duration::ZERO };
    let goes_on = working.begin(request.number);
    engine.forget_writing();
    let answered = match request.question {
        Question::Run { call, sql, limits } => Answered::Ran(if goes_on {
            engine.run(call, sql, &limits).map(|answer| answer.result)
        } else {
            Err(stopped())
        }),
        Question::Check { sql } => Answered::Checked(engine.check(sql)),
        Question::Catalogue => Answered::Catalogue(engine.catalogue().map(Arc::unwrap_or_clone)),
    };
    working.end();
    Reply { wrote: engine.wrote(), same_catalogue: engine.has_schema(), answered }
}

/// The body of the next message; `None` at the end.
fn receive(mut socket: &UnixStream) -> io::Result<Option<Vec<u8>>> {
    let mut head = [0; HEAD];
    match socket.read_exact(&mut head) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    let mut body = vec![0; body_length(head, MOST).map_err(io::Error::other)?];
    socket.read_exact(&mut body)?;
    Ok(Some(body))
}
