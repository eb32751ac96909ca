//! Hostile statements of our own: each is refused by the rule it breaks, or ends within the bounds, and harms nothing.
//!
//! `tests/fixtures/hostile/statements.jsonl` holds one a line:
//!
//! * `sql`, or `parts`: texts with how often each stands, `{i}`, `{i+1}` and `{i-1}` in them being the repetition;
//! * `first`: statements that prepare the copy, and must succeed;
//! * `expect`: `refuse:RULE`, `error` (SQLite rejects it, if there is time), `limit`, `cut` (a result that says it is cut), or `bounded`
//!   (any of these but a refusal, or it is done);
//! * `open`: why the statement is not bounded yet (`docs/guard.md`, "What is not bounded"); it is not run, and only the
//!   lines named in a test may have it;
//! * `rows_after`: rows of `t` afterwards where the statement rightly changes them, null where it drops or renames `t`.
//!
//! A test starts its own binary again in an empty folder, so that a file that a statement leaves behind is seen, and an
//! overflowing stack names the statement instead of ending the whole run.

use crate::support::{database, open};
use casebook::domain::{ResultSet, Rule};
use casebook::query::{Engine as _, FrozenDatabase, LimitHit, Limits, QueryError};
use serde::Deserialize;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The time a statement has, except a memory bomb.
const DEADLINE: Duration = Duration::from_millis(300);
/// The time a memory bomb or a flood of rows has: long enough for it to reach its bound.
const LONG_DEADLINE: Duration = Duration::from_secs(3);
/// What may pass between the deadline and the answer.
const GRACE: Duration = Duration::from_millis(500);
/// The most memory the process may hold at any time: SQLite's bound, the largest result, the rest.
const PEAK: u64 = (256 + 64 + 150) << 20;
/// How often a statement that took too long is tried on a fresh copy: a busy machine may stall once.
const TRIES: usize = 3;
/// A statement that has not ended by then ends the process.
const STUCK: Duration = Duration::from_secs(20);
/// Lines the file holds at least.
const FEWEST: usize = 180;
/// Processes that share the statements.
const PARTS: usize = 4;
/// The stack of an ordinary thread.
const STACK: usize = 2 << 20;
/// Rows of the table `t`.
const ROWS: i64 = 300;

pub(crate) const SCHEMA: &str = "
    CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, grp INTEGER, val REAL, note TEXT);
    WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 300)
        INSERT INTO t SELECT n, 'name ' || n, n % 7, n / 3.0, printf('note %d of %d', n, n * n) FROM c;
    CREATE TABLE u(id INTEGER PRIMARY KEY, t_id REFERENCES t, tag TEXT);
    WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 400)
        INSERT INTO u SELECT n, 1 + n % 300, 'tag ' || n FROM c;
    CREATE TABLE w(a, b);
    INSERT INTO w SELECT id, grp FROM t WHERE id <= 200;
    CREATE TABLE k(a PRIMARY KEY, b, c);
    INSERT INTO k SELECT id, id * 7 % 300, grp FROM t;
    CREATE TABLE seq(id INTEGER PRIMARY KEY AUTOINCREMENT, x);
    INSERT INTO seq(x) VALUES (1);
    CREATE INDEX i ON u(t_id);
    CREATE VIEW v AS SELECT t.name, u.tag FROM t JOIN u ON u.t_id = t.id;
    CREATE TRIGGER on_w AFTER INSERT ON w BEGIN DELETE FROM t; END;";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Line {
    pub(crate) id: String,
    category: String,
    sql: Option<String>,
    #[serde(default)]
    parts: Vec<(String, usize)>,
    #[serde(default)]
    pub(crate) first: Vec<String>,
    expect: String,
    open: Option<String>,
    #[serde(default = "unchanged")]
    rows_after: Option<i64>,
}

#[expect(clippy::unnecessary_wraps, reason = "the default of an optional field")]
const fn unchanged() -> Option<i64> {
    Some(ROWS)
}

impl Line {
    pub(crate) fn statement(&self) -> String {
        if let Some(sql) = &self.sql {
            assert!(self.parts.is_empty(), "{}", self.id);
            return sql.clone();
        }
        let mut sql = String::new();
        for (text, count) in &self.parts {
            if !["{i}", "{i+1}", "{i-1}"].iter().any(|mark| text.contains(mark)) {
                sql.push_str(&text.repeat(*count));
                continue;
            }
            for i in 0..*count {
                let (next, last) = ((i + 1).to_string(), i.wrapping_sub(1).to_string());
                let text = text.replace("{i}", &i.to_string()).replace("{i+1}", &next);
                sql.push_str(&text.replace("{i-1}", &last));
            }
        }
        sql
    }

    pub(crate) fn is_memory_bomb(&self) -> bool {
        self.category == "memory"
    }
}

fn lines() -> Vec<Line> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/hostile/statements.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

#[test]
fn the_statements_are_many_and_their_names_differ() {
    let lines = lines();
    assert!(lines.len() >= FEWEST, "{}", lines.len());
    let names: std::collections::BTreeSet<&str> = lines.iter().map(|line| line.id.as_str()).collect();
    assert_eq!(names.len(), lines.len());
    let categories: std::collections::BTreeSet<&str> =
        lines.iter().map(|line| line.category.as_str()).collect();
    assert!(categories.len() >= 20, "{categories:?}");
    let open: Vec<&str> =
        lines.iter().filter(|line| line.open.is_some()).map(|line| line.id.as_str()).collect();
    assert_eq!(open, ["memory-09"]);
}

#[test]
fn hostile_statements_are_bounded_1() {
    in_a_process_of_its_own("hostile_statements_are_bounded_1", || run_part(0));
}

#[test]
fn hostile_statements_are_bounded_2() {
    in_a_process_of_its_own("hostile_statements_are_bounded_2", || run_part(1));
}

#[test]
fn hostile_statements_are_bounded_3() {
    in_a_process_of_its_own("hostile_statements_are_bounded_3", || run_part(2));
}

#[test]
fn hostile_statements_are_bounded_4() {
    in_a_process_of_its_own("hostile_statements_are_bounded_4", || run_part(3));
}

#[test]
fn memory_bombs_are_bounded() {
    in_a_process_of_its_own("memory_bombs_are_bounded", || {
        let lines: Vec<Line> = bounded_lines().filter(Line::is_memory_bomb).collect();
        let stopped = run_lines(&lines, LONG_DEADLINE);
        assert!(stopped * 3 > lines.len(), "only {stopped} of {} reached the memory bound", lines.len());
    });
}

pub(crate) fn bounded_lines() -> impl Iterator<Item = Line> {
    lines().into_iter().filter(|line| line.open.is_none())
}

fn run_part(part: usize) {
    let lines = bounded_lines().filter(|line| !line.is_memory_bomb());
    run_lines(&lines.skip(part).step_by(PARTS).collect::<Vec<_>>(), DEADLINE);
}

/// Runs a part in a new process whose working folder is empty, and looks at what is there afterwards.
fn in_a_process_of_its_own(test: &str, part: fn()) {
    const INSIDE: &str = "CASEBOOK_TEST_HOSTILE";
    if std::env::var_os(INSIDE).is_some() {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(part).unwrap();
        return thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    }
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("hostile::{test}"), "--nocapture"])
        .env(INSIDE, "1")
        .env("SQLITE_TMPDIR", folder.path())
        .env("TMPDIR", std::env::temp_dir())
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said =
        format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && said.contains("1 passed"), "{}: {said}", output.status);
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.is_empty(), "a statement left {left:?}");
}

/// Runs statements, each on a fresh copy; gives how many the memory bound stopped.
fn run_lines(lines: &[Line], deadline: Duration) -> usize {
    let frozen = FrozenDatabase::seal(&database(SCHEMA)).unwrap();
    let before = frozen.sha256().unwrap();
    let (mut faults, mut stopped) = (Vec::new(), 0);
    let since = watch();
    for line in lines {
        let sql = line.statement();
        let deadline = if line.expect == "cut" { LONG_DEADLINE } else { deadline };
        // Said before, so that the last one said is the one that ended the process, if one did.
        eprint!("{}", line.id);
        forget_peak();
        let mut fault = None;
        let mut took = Duration::ZERO;
        for _ in 0..TRIES {
            *since.lock().unwrap() = Instant::now();
            let outcome;
            (took, outcome, fault) = try_once(line, &sql, &frozen, deadline);
            if took < deadline + GRACE {
                stopped += usize::from(outcome == "memory");
                eprint!(" {outcome}");
                break;
            }
            fault = Some(format!("took {took:.1?} ({outcome})"));
        }
        let peak = peak();
        eprintln!(" {took:.1?} {} MiB", peak >> 20);
        if peak > PEAK {
            faults.push(format!("{}: the process held {} MiB", line.id, peak >> 20));
        }
        if let Some(fault) = fault {
            let begin: String = sql.chars().take(150).collect();
            faults.push(format!("{}: {fault}: {begin:?}", line.id));
        }
        if frozen.sha256().unwrap() != before {
            faults.push(format!("{}: the frozen bytes changed", line.id));
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    stopped
}

/// A thread that ends the process when nothing was begun for too long; gives where to write the last beginning.
fn watch() -> Arc<Mutex<Instant>> {
    let since = Arc::new(Mutex::new(Instant::now()));
    let seen = Arc::downgrade(&since);
    std::thread::spawn(move || {
        while let Some(since) = seen.upgrade() {
            if since.lock().unwrap().elapsed() > STUCK {
                eprintln!(" is stuck");
                std::process::abort();
            }
            drop(since);
            std::thread::sleep(Duration::from_millis(100));
        }
    });
    since
}

/// Runs a statement on a fresh copy: how long it took, how it ended in a word, what was not as it should be.
fn try_once(
    line: &Line,
    sql: &str,
    frozen: &FrozenDatabase,
    deadline: Duration,
) -> (Duration, &'static str, Option<String>) {
    let mut copy = open(frozen, 1);
    for first in &line.first {
        copy.run(1, first, &Limits::default())
            .unwrap_or_else(|error| panic!("{}: {first}: {error}", line.id));
    }
    let limits = Limits { deadline, ..Limits::default() };
    let started = processor_time();
    let ended = copy.run(2, sql, &limits).map(|answer| answer.result);
    let took = processor_time().saturating_sub(started);
    let (outcome, mut fault) = judge(line, &ended, &limits);
    let failed_as_expected = line.expect == "error" && outcome == "error";
    let rows = if ended.is_ok() || failed_as_expected { line.rows_after } else { Some(ROWS) };
    drop(ended);
    let count = copy.run(3, "SELECT count(*) FROM t", &Limits::default());
    let found = count.map(|answer| answer.result.rows[0][0].to_text());
    let as_wanted = match (rows, &found) {
        (Some(rows), Ok(found)) => *found == rows.to_string(),
        (None, Err(error)) => error.to_string() == "no such table: t",
        _ => false,
    };
    if !as_wanted {
        fault = fault.or_else(|| Some(format!("afterwards t has {found:?} rows, not {rows:?}")));
    }
    (took, outcome, fault)
}

/// How a statement ended, in a word, and whether that is not what its line expects.
fn judge(
    line: &Line,
    ended: &Result<ResultSet, QueryError>,
    limits: &Limits,
) -> (&'static str, Option<String>) {
    let (outcome, said) = match ended {
        Ok(result) => (if result.cut.is_some() { "cut" } else { "done" }, String::new()),
        Err(error) => {
            let outcome = match error {
                QueryError::Refused { .. } => "refused",
                QueryError::Sql { .. } => "error",
                QueryError::Limit { limit: LimitHit::Memory(_), .. } => "memory",
                QueryError::Limit { .. } => "limit",
                QueryError::Interrupted { .. } => "interrupted",
                QueryError::Engine { .. } => "engine",
            };
            (outcome, error.to_string().chars().take(200).collect())
        }
    };
    let as_expected = match line.expect.as_str() {
        "bounded" => ["cut", "done", "error", "memory", "limit"].contains(&outcome),
        "limit" => ["memory", "limit"].contains(&outcome),
        // On a slow machine the time may be up before SQLite has found what it rejects.
        "error" => ["error", "limit"].contains(&outcome),
        "cut" => outcome == "cut",
        expect => {
            let wanted = expect.strip_prefix("refuse:").unwrap_or_else(|| panic!("{}: {expect}", line.id));
            let wanted = Rule::ALL.into_iter().find(|rule| rule.name() == wanted).unwrap();
            matches!(ended, Err(QueryError::Refused { rule, .. }) if *rule == wanted)
        }
    };
    if !as_expected {
        return (outcome, Some(format!("expected {}, but {outcome}: {said}", line.expect)));
    }
    let bytes = |result: &ResultSet| {
        result.rows.iter().flatten().map(casebook::domain::Value::size).sum::<usize>() as u64
    };
    let beyond = ended
        .as_ref()
        .ok()
        .filter(|result| result.rows.len() as u64 > limits.rows || bytes(result) > limits.bytes);
    (outcome, beyond.map(|_| "the result is larger than its limits".to_owned()))
}

/// What this thread has used of the processor: a busy machine may take it away for longer than any bound.
fn processor_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.try_into().unwrap(), now.tv_nsec.try_into().unwrap())
}

/// Starts the measurement of the peak afresh, where the system can.
fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// The most memory the process held, in bytes; 0 where the system does not say.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
    kib.unwrap_or(0) << 10
}
