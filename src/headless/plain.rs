//! The workbench line by line, for screen readers and dumb terminals: no pictures, no box drawing, nothing that moves.
//!
//! A line is a short word with what it takes, a command of the table after a colon, or SQL up to a semicolon. What comes of it is
//! printed once, as lines.

use super::runner::Runner;
use crate::domain::Value;
use crate::text::visible::visible;
use crate::workbench::Workbench;
use crate::workbench::cases::Entry;
use crate::workbench::command::{Invocation, Kind, find};
use crate::workbench::event::Event;
use crate::workbench::overlay::Overlay;
use std::io::{self, BufRead, Read as _, Write};

/// No line is longer.
const LONGEST: u64 = 4 << 20;
/// Rows of a result that are printed at once; `more` prints the next.
const ROWS: usize = 20;

const HELP: &[(&str, &str)] = &[
    ("cases", "list the cases that the filters leave"),
    ("find WORDS", "find cases; without words, all of them"),
    ("open ID", "begin a case, or go on with it"),
    ("case", "the question again"),
    ("tables", "tables with their rows"),
    ("table NAME", "the columns of a table"),
    ("SELECT … ;", "run a statement; it may take several lines"),
    ("more", "the next rows of the result"),
    ("row N", "one row, a column a line"),
    ("mark N …", "make the subjects of rows the answer's, or take them out; 'mark all'"),
    ("by COLUMN", "the column that names a subject"),
    ("verdict yes|no|not_applicable", "the verdict"),
    ("fact NAME = VALUE", "note a fact"),
    ("answer WORDS", "the answer in words"),
    ("review", "the answer so far"),
    ("submit", "give the answer; 'yes' confirms"),
    (":COMMAND NAME=VALUE …", "any command of 'casebook keys --commands'"),
    ("quit", "end; what is open can be gone on with"),
];

/// Runs until the input ends or the person quits.
///
/// # Errors
/// Where lines can't be read or written.
pub fn run(
    mut runner: Runner,
    problems: &[String],
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "Casebook, line by line. 'help' lists what there is.")?;
    for problem in problems {
        writeln!(out, "warning: {}", visible(problem))?;
    }
    let mut lines = Lines::default();
    lines.tell(&mut runner, out)?;
    let mut statement = String::new();
    loop {
        write!(out, "{}", if statement.is_empty() { "> " } else { "… " })?;
        out.flush()?;
        let mut bytes = Vec::new();
        input.take(LONGEST).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            writeln!(out)?;
            break;
        }
        let line = String::from_utf8_lossy(&bytes).into_owned();
        if statement.is_empty() && !begins_statement(&line) {
            if line.trim() == "quit" {
                break;
            }
            lines.word(line.trim(), &mut runner, out)?;
        } else {
            statement.push_str(&line);
            if line.trim_end().ends_with(';') || line.trim().is_empty() {
                let sql = std::mem::take(&mut statement);
                let sql = sql.trim().trim_end_matches(';').to_owned();
                lines.give(Invocation::of("query.run").with("sql", sql), &mut runner, out)?;
            }
        }
        if runner.session().state.has_ended {
            break;
        }
    }
    for problem in runner.close() {
        writeln!(out, "warning: {}", visible(&problem))?;
    }
    Ok(())
}

fn begins_statement(line: &str) -> bool {
    const FIRST: [&str; 9] =
        ["select", "with", "values", "explain", "insert", "update", "delete", "create", "drop"];
    let word: String = line.trim_start().chars().take_while(char::is_ascii_alphabetic).collect();
    FIRST.contains(&word.to_ascii_lowercase().as_str())
}

#[derive(Debug, Default)]
struct Lines {
    /// Results that were printed, by their digest, and rows printed of the latest.
    printed: Option<(String, usize)>,
    run: Option<String>,
    failure: Option<String>,
}

impl Lines {
    fn word(&mut self, line: &str, runner: &mut Runner, out: &mut dyn Write) -> io::Result<()> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "" => Ok(()),
            "help" | "?" => HELP.iter().try_for_each(|(word, says)| writeln!(out, "{word}: {says}")),
            "cases" => cases(&runner.session().state, out),
            "find" => {
                self.give(Invocation::of("cases.find").with("text", rest), runner, out)?;
                cases(&runner.session().state, out)
            }
            "open" => self.give(Invocation::of("cases.start").with("task", rest), runner, out),
            "case" => case(&runner.session().state, out),
            "tables" => tables(&runner.session().state, out),
            "table" => table(&runner.session().state, rest, out),
            "more" => self.more(&runner.session().state, out),
            "row" => row(&runner.session().state, rest, out),
            "mark" => self.mark(rest, runner, out),
            "by" => self.give(Invocation::of("answer.identify").with("column", rest), runner, out),
            "verdict" => self.give(Invocation::of("answer.verdict").with("verdict", rest), runner, out),
            "fact" => self.give(Invocation::of("answer.fact").with("fact", rest), runner, out),
            "answer" => self.give(Invocation::of("answer.prose").with("text", rest), runner, out),
            "review" => review(&runner.session().state, out),
            "submit" => self.give(Invocation::of("answer.submit"), runner, out),
            "yes" => self.give(Invocation::of("confirm.yes"), runner, out),
            "no" => self.give(Invocation::of("overlay.close"), runner, out),
            _ => match word.strip_prefix(':') {
                Some(id) => match invocation(id, rest) {
                    Ok(invocation) => self.give(invocation, runner, out),
                    Err(reason) => writeln!(out, "error: {}", visible(&reason)),
                },
                None => writeln!(out, "error: '{}' is no word here; 'help' lists them", visible(word)),
            },
        }
    }

    fn give(&mut self, invocation: Invocation, runner: &mut Runner, out: &mut dyn Write) -> io::Result<()> {
        runner.event(Event::Command(invocation));
        runner.settle();
        self.tell(runner, out)
    }

    fn mark(&mut self, rest: &str, runner: &mut Runner, out: &mut dyn Write) -> io::Result<()> {
        if rest == "all" {
            return self.give(Invocation::of("answer.mark_all"), runner, out);
        }
        for number in rest.split_whitespace() {
            let Ok(number) = number.parse::<usize>() else {
                return writeln!(out, "error: '{}' is no row number", visible(number));
            };
            let select = Invocation::of("grid.select").with("row", number.saturating_sub(1));
            self.give(select, runner, out)?;
            self.give(Invocation::of("answer.mark"), runner, out)?;
        }
        let subjects =
            runner.session().state.workspace.as_ref().map_or(0, |space| space.answer.subjects.len());
        writeln!(out, "{subjects} subjects in the answer")
    }

    /// Prints what is new: messages, a case that was opened, a result, a question.
    fn tell(&mut self, runner: &mut Runner, out: &mut dyn Write) -> io::Result<()> {
        for (gravity, text) in runner.told() {
            writeln!(out, "{gravity}: {}", visible(&text))?;
        }
        let state = &runner.session().state;
        if let Some(space) = &state.workspace {
            if self.run.as_ref() != Some(&space.run) {
                self.run = Some(space.run.clone());
                case(state, out)?;
            }
            let failure = space.failure.as_ref().map(|failure| failure.message.clone());
            if failure != self.failure {
                if let Some(message) = &failure {
                    writeln!(out, "error: {}", visible(message))?;
                }
                self.failure = failure;
            }
            if let Some(grid) = space.grid()
                && self.printed.as_ref().is_none_or(|(digest, _)| *digest != grid.sha256)
            {
                self.printed = Some((grid.sha256.clone(), 0));
                self.more(state, out)?;
            }
        }
        match state.overlays.last() {
            Some(Overlay::Confirm(confirm)) => {
                writeln!(
                    out,
                    "{} ({}) 'yes' or 'no'",
                    visible(&confirm.title),
                    visible(&confirm.lines.join("; "))
                )
            }
            Some(Overlay::Picker(picker)) => {
                writeln!(out, "{}:", visible(&picker.title))?;
                for (number, found) in picker.matches.iter().enumerate() {
                    if let Some(item) = picker.items.get(found.item) {
                        writeln!(out, "{number}: {}, {}", visible(&item.label), visible(&item.detail))?;
                    }
                }
                writeln!(out, "':picker.accept index=N' picks one, 'no' none")
            }
            _ => Ok(()),
        }
    }

    fn more(&mut self, state: &Workbench, out: &mut dyn Write) -> io::Result<()> {
        let Some(grid) = state.workspace.as_ref().and_then(|space| space.grid()) else {
            return writeln!(out, "there is no result");
        };
        let from = self.printed.as_ref().map_or(0, |(_, rows)| *rows);
        let shown = grid.shown();
        if from == 0 {
            let names: Vec<&str> = shown.iter().map(|column| column.name.as_str()).collect();
            let count = grid.order.len();
            let rows = if count == 1 { "row" } else { "rows" };
            writeln!(out, "{count} {rows}; columns: {}", visible(&names.join(", ")))?;
        }
        let end = (from + ROWS).min(grid.order.len());
        for place in from..end {
            let Some(row) = grid.row_at(place) else { continue };
            let cells: Vec<String> =
                shown.iter().filter_map(|column| row.get(column.index)).map(spoken).collect();
            writeln!(out, "{}: {}", place + 1, cells.join(" | "))?;
        }
        if end < grid.order.len() {
            writeln!(out, "{} more rows; 'more' prints them", grid.order.len() - end)?;
        }
        self.printed = Some((grid.sha256.clone(), end));
        Ok(())
    }
}

/// A value in words: NULL, the empty text and texts are told apart.
fn spoken(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Text(text) if text.is_empty() => "empty text".to_owned(),
        Value::Text(text) if text == "NULL" => "'NULL'".to_owned(),
        other => visible(&other.to_text()).into_owned(),
    }
}

/// A command of the table with arguments as `name=value`; a value with spaces stands in double quotes.
fn invocation(id: &str, rest: &str) -> Result<Invocation, String> {
    let command =
        find(id).ok_or_else(|| format!("there is no command '{id}'; casebook keys --commands lists them"))?;
    let mut invocation = Invocation::of(id);
    for part in parts(rest) {
        let (name, value) =
            part.split_once('=').ok_or_else(|| format!("'{part}' is no argument: write name=value"))?;
        let kind =
            command.arguments.iter().find(|argument| argument.name == name).map(|argument| argument.kind);
        let value = match kind {
            Some(Kind::Integer) => serde_json::Value::from(
                value.parse::<i64>().map_err(|_| format!("'{value}' is no whole number"))?,
            ),
            Some(Kind::Boolean) => serde_json::Value::from(value == "true"),
            Some(Kind::Texts) => value.split(',').map(str::trim).collect(),
            _ => serde_json::Value::from(value),
        };
        invocation = invocation.with(name, value);
    }
    Ok(invocation)
}

/// Parts between spaces; double quotes keep spaces together and are left out.
fn parts(text: &str) -> Vec<String> {
    let (mut parts, mut part, mut is_quoted) = (Vec::new(), String::new(), false);
    for character in text.chars() {
        match character {
            '"' => is_quoted = !is_quoted,
            ' ' if !is_quoted => {
                parts.extend(Some(std::mem::take(&mut part)).filter(|part| !part.is_empty()));
            }
            other => part.push(other),
        }
    }
    parts.extend(Some(part).filter(|part| !part.is_empty()));
    parts
}

fn cases(state: &Workbench, out: &mut dyn Write) -> io::Result<()> {
    for row in &state.cases.rows {
        let status = state.status_of(row.entry).word();
        match row.entry {
            Entry::Task(pack, task) => {
                if let Some((pack, task)) = state.task_at(pack, task) {
                    let (complexity, focus) = (task.complexity.name(), task.focus.name());
                    let title = visible(&task.title);
                    writeln!(
                        out,
                        "{}: {title}, {complexity}, {focus}, {}, {status}",
                        task.id,
                        visible(&pack.id)
                    )?;
                }
            }
            Entry::Snapshot(snapshot) => {
                if let Some(snapshot) = state.snapshot_at(snapshot) {
                    writeln!(out, "snapshot {}: {} rows, {status}", visible(&snapshot.name), snapshot.rows)?;
                }
            }
        }
    }
    writeln!(out, "{} cases", state.cases.rows.len())
}

fn case(state: &Workbench, out: &mut dyn Write) -> io::Result<()> {
    let Some(space) = &state.workspace else { return writeln!(out, "no case is open; 'open ID' opens one") };
    writeln!(out, "{}, snapshot {}", visible(&space.title()), visible(&space.snapshot.name))?;
    if let Some(task) = &space.task {
        writeln!(out, "question: {}", visible(&task.question))?;
    }
    Ok(())
}

fn tables(state: &Workbench, out: &mut dyn Write) -> io::Result<()> {
    let Some(space) = &state.workspace else { return writeln!(out, "no case is open; 'open ID' opens one") };
    for table in &space.schema.tables {
        writeln!(out, "{}: {} rows. {}", visible(&table.name), table.rows, visible(&table.description))?;
    }
    Ok(())
}

fn table(state: &Workbench, name: &str, out: &mut dyn Write) -> io::Result<()> {
    let Some(space) = &state.workspace else { return writeln!(out, "no case is open; 'open ID' opens one") };
    match space.schema.tables.iter().find(|table| table.name.eq_ignore_ascii_case(name)) {
        Some(table) => writeln!(out, "{}: {}", visible(&table.name), visible(&table.columns.join(", "))),
        None => writeln!(out, "error: there is no table '{}'", visible(name)),
    }
}

fn row(state: &Workbench, number: &str, out: &mut dyn Write) -> io::Result<()> {
    let Some(grid) = state.workspace.as_ref().and_then(|space| space.grid()) else {
        return writeln!(out, "there is no result");
    };
    let row = number.parse::<usize>().ok().and_then(|number| grid.row_at(number.checked_sub(1)?));
    let Some(row) = row else { return writeln!(out, "error: there is no row '{}'", visible(number)) };
    for column in grid.shown() {
        if let Some(value) = row.get(column.index) {
            writeln!(out, "{}: {}", visible(&column.name), spoken(value))?;
        }
    }
    Ok(())
}

fn review(state: &Workbench, out: &mut dyn Write) -> io::Result<()> {
    let Some(space) = &state.workspace else { return writeln!(out, "no case is open; 'open ID' opens one") };
    for line in space.answer.summary() {
        writeln!(out, "{line}")?;
    }
    for subject in &space.answer.subjects {
        writeln!(out, "subject: {}", visible(subject))?;
    }
    for (name, value) in &space.answer.facts {
        writeln!(out, "fact: {} = {}", visible(name), visible(value))?;
    }
    for line in space.answer.prose.lines().iter().filter(|line| !line.is_empty()) {
        writeln!(out, "answer: {}", visible(line))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{begins_statement, invocation, parts};

    #[test]
    fn lines_are_told_apart() {
        assert!(
            begins_statement("  SELECT 1;")
                && begins_statement("with x as (")
                && !begins_statement("selection")
        );
        assert_eq!(parts(r#"a=1 b="two words" "#), ["a=1", "b=two words"]);
        let given = invocation("grid.select", "row=3").unwrap();
        assert_eq!(given.arguments["row"], 3);
        assert!(invocation("grid.select", "row=x").is_err());
        assert!(invocation("no.such", "").unwrap_err().contains("no.such"));
    }
}
