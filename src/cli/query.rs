//! `casebook query`: one statement on a private copy.

use super::choose_snapshot::{SnapshotChoice, private_copy};
use super::failure::Failure;
use super::output_width::output_width;
use super::watched::watched;
use crate::domain::{ResultSet, Value};
use crate::query::{Answer, Engine as _, Limits, MAX_STATEMENT_BYTES, QueryError};
use crate::text::grid::grid;
use crate::text::json::compact;
use crate::text::result_text::{self, TextFormat};
use std::io::{self, Read as _, Write};
use std::time::Duration;

/// Arguments of `casebook query`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  casebook query \"SELECT status, count(*) FROM okta_user GROUP BY status\"
  casebook query --csv \"SELECT * FROM okta_group\" > groups.csv
  casebook query - < statement.sql

The statement may write: it works on a copy that is thrown away. Exit code 3 if it is refused or fails.")]
pub(super) struct Arguments {
    /// The statement; `-` reads it from standard input
    sql: String,
    #[command(flatten)]
    snapshot: SnapshotChoice,
    #[command(flatten)]
    form: Form,
    /// Stop the statement after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = seconds)]
    timeout: f64,
    /// Keep at most this many rows
    #[arg(long, value_name = "N", default_value_t = Limits::default().rows)]
    rows: u64,
    /// Seed of `random()` and `randomblob()`
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

/// The form of the output.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
struct Form {
    /// Print one JSON object: columns, rows, `row_count`, truncated, `elapsed_ms`
    #[arg(long)]
    json: bool,
    /// Print comma-separated values (`RFC 4180`); NULL is an empty field, the empty text is ""
    #[arg(long)]
    csv: bool,
    /// Print tab-separated values; tab, line feed and backslash are written \t, \n, \\; NULL is \N
    #[arg(long)]
    tsv: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("give seconds between 0.001 and 86400".to_owned()),
    }
}

/// Runs the statement and prints its result.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let sql = statement(&arguments.sql)?;
    let snapshot = arguments.snapshot.open()?;
    let mut engine = private_copy(&snapshot, arguments.seed)?;
    let limits = Limits {
        deadline: Duration::from_secs_f64(arguments.timeout),
        rows: arguments.rows,
        ..Limits::default()
    };
    let interrupter = engine.interrupter();
    let answer = watched(
        || "running the statement".to_owned(),
        || interrupter.interrupt(),
        || engine.run(1, &sql, &limits),
    );
    let answer = answer.map_err(|error| failure(&sql, &error))?;
    print(arguments, &answer, out)
}

fn statement(argument: &str) -> Result<String, Failure> {
    if argument != "-" {
        return Ok(argument.to_owned());
    }
    let mut text = String::new();
    // One byte more than the longest statement is enough to have it refused as too long.
    let limit = MAX_STATEMENT_BYTES as u64 + 1;
    let read = io::stdin().lock().take(limit).read_to_string(&mut text);
    read.map_err(|error| Failure::Input(format!("can't read the statement from standard input: {error}")))?;
    Ok(text)
}

/// The failure of a statement, with the place in it that the error is about.
fn failure(sql: &str, error: &QueryError) -> Failure {
    match error {
        QueryError::Interrupted { .. } => Failure::Interrupted(error.to_string()),
        QueryError::Sql { offset: Some(offset), .. } => {
            let before = sql.get(..*offset).unwrap_or_default();
            let line_start = before.rfind('\n').map_or(0, |at| at + 1);
            let line = sql[line_start..].lines().next().unwrap_or_default();
            let column = crate::text::width::width(&crate::text::visible::visible(&sql[line_start..*offset]));
            if line.len() > 200 {
                return Failure::Input(format!("{error} (at byte {offset} of the statement)"));
            }
            Failure::Input(format!("{error}\n  {line}\n  {}^", " ".repeat(column)))
        }
        other => Failure::input(other),
    }
}

fn print(arguments: &Arguments, answer: &Answer, out: &mut dyn Write) -> Result<(), Failure> {
    let result = &answer.result;
    if arguments.form.json {
        return json(answer, out);
    }
    if arguments.form.csv {
        text(TextFormat::Csv, result, out)?;
    } else if arguments.form.tsv {
        text(TextFormat::Tsv, result, out)?;
    } else {
        out.write_all(grid(&result.columns, &result.rows, output_width()).as_bytes())?;
    }
    out.flush()?;
    // A remark for the reader, not part of the data.
    let _ = writeln!(io::stderr(), "{}", summary(answer));
    Ok(())
}

fn summary(answer: &Answer) -> String {
    use std::fmt::Write as _;
    let result = &answer.result;
    let count =
        |number: u64, one: &str, many: &str| format!("{number} {}", if number == 1 { one } else { many });
    let mut text = if result.columns.is_empty() {
        format!("{} changed", count(result.changed_rows, "row", "rows"))
    } else {
        count(result.rows.len() as u64, "row", "rows")
    };
    if let Some(cut) = result.cut {
        // Writing to a String can't fail.
        let _ = write!(text, ", {cut}; there are more");
    }
    format!("{text} in {:.1} ms", answer.elapsed.as_secs_f64() * 1000.0)
}

/// The object that `--json` prints.
#[derive(serde::Serialize)]
struct JsonAnswer<'a> {
    columns: &'a [String],
    rows: &'a [Vec<Value>],
    row_count: usize,
    /// `null`, or the limit that cut the result: `{"rows": 100000}`.
    truncated: Option<crate::domain::Cut>,
    changed_rows: u64,
    elapsed_ms: f64,
}

fn json(answer: &Answer, out: &mut dyn Write) -> Result<(), Failure> {
    let result = &answer.result;
    let object = JsonAnswer {
        columns: &result.columns,
        rows: &result.rows,
        row_count: result.rows.len(),
        truncated: result.cut,
        changed_rows: result.changed_rows,
        elapsed_ms: answer.elapsed.as_secs_f64() * 1000.0,
    };
    writeln!(out, "{}", compact(&object)?)?;
    Ok(())
}

fn text(format: TextFormat, result: &ResultSet, out: &mut dyn Write) -> io::Result<()> {
    result_text::write(format, &result.columns, result.rows.iter().map(Vec::as_slice), out)
}
