//! `casebook tasks`: the questions, and one of them with its brief.

use super::failure::Failure;
use super::output_width::output_width;
use super::tasks_vault;
use crate::domain::{Complexity, Focus, Platform, TaskBrief, Value};
use crate::pack::{Pack, embedded, find};
use crate::text::grid::grid;
use crate::text::json;
use crate::text::visible::visible;
use clap::{Subcommand, ValueEnum};
use serde::Deserialize;
use serde_json::json;
use std::io::{self, Write};

/// Arguments of `casebook tasks`.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "\
Examples:
  casebook tasks --platform okta --complexity hard
  casebook tasks --scope cross --json
  casebook tasks show X-09")]
pub(super) struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    filter: Filter,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct Filter {
    /// Only of this pack: a name, or the folder of one
    #[arg(long, value_name = "PACK")]
    pack: Option<String>,
    /// Only easy, medium or hard ones
    #[arg(long, value_parser = named::<Complexity>)]
    complexity: Option<Complexity>,
    /// Only about authentication, authorization or management
    #[arg(long, value_parser = named::<Focus>)]
    focus: Option<Focus>,
    /// Only those that read this product, such as okta or aws-iam; may be repeated: all of them
    #[arg(long, value_parser = named::<Platform>)]
    platform: Vec<Platform>,
    /// Only those that need one vendor's data, or several vendors'
    #[arg(long, value_enum)]
    scope: Option<Scope>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Scope {
    Single,
    Cross,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show one task: question, taxonomy, and how an agent is asked.
    #[command(after_help = "Example:\n  casebook tasks show V-AWS-04")]
    Show {
        /// The task's id, such as X-09
        id: String,
        /// The pack it is in: a name, or the folder of one
        #[arg(long, value_name = "PACK")]
        pack: Option<String>,
        /// Of a task to learn on: so many of its hints
        #[arg(long, value_name = "COUNT", default_value_t = 0)]
        hints: usize,
        /// For evaluators: also what only they may see, the answer included
        #[arg(long)]
        vault: bool,
        /// The snapshot whose answer `--vault` shows
        #[arg(long, default_value = "small")]
        snapshot: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// A value by its written name.
fn named<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T, String> {
    serde_json::from_value(serde_json::Value::String(text.to_owned())).map_err(|error| {
        // serde names what it expected.
        error.to_string()
    })
}

/// Lists or shows.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    match &arguments.action {
        Some(Action::Show { id, pack, hints, vault, snapshot, json }) => {
            let (pack, task) = task_of(id, pack.as_deref())?;
            if *vault {
                tasks_vault::show(&pack, &task, snapshot, *json, out)
            } else {
                show(&pack, &task, *hints, *json, out)
            }
        }
        None => list(&arguments.filter, arguments.json, out),
    }
}

fn packs(asked: Option<&str>) -> Result<Vec<Pack>, Failure> {
    match asked {
        Some(asked) => Ok(vec![find(asked).map_err(|problem| Failure::input(&problem))?]),
        None => embedded().map_err(|problem| Failure::input(&problem)),
    }
}

fn task_of(id: &str, pack: Option<&str>) -> Result<(Pack, TaskBrief), Failure> {
    for pack in packs(pack)? {
        if let Some(task) = pack.task(id).cloned() {
            return Ok((pack, task));
        }
    }
    let shown: String = id.chars().take(60).collect();
    Err(Failure::Input(format!("there is no task '{shown}'; `casebook tasks` lists them")))
}

fn fits(filter: &Filter, task: &TaskBrief) -> bool {
    filter.complexity.is_none_or(|wanted| task.complexity == wanted)
        && filter.focus.is_none_or(|wanted| task.focus == wanted)
        && filter.platform.iter().all(|wanted| task.platforms.contains(wanted))
        && filter.scope.is_none_or(|wanted| (wanted == Scope::Cross) == task.is_cross_vendor())
}

fn labels(task: &TaskBrief) -> String {
    task.platforms.iter().map(|platform| platform.label()).collect::<Vec<_>>().join(", ")
}

fn list(filter: &Filter, as_json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let packs = packs(filter.pack.as_deref())?;
    let fitting: Vec<(&Pack, &TaskBrief)> = packs
        .iter()
        .flat_map(|pack| pack.tasks.iter().map(move |(task, _)| (pack, task)))
        .filter(|(_, task)| fits(filter, task))
        .collect();
    if as_json {
        let objects: Vec<_> = fitting.iter().map(|(pack, task)| object(pack, task)).collect();
        out.write_all(json::pretty(&objects)?.as_bytes())?;
        return Ok(());
    }
    let text = |text: &str| Value::Text(text.to_owned());
    let rows: Vec<Vec<Value>> = fitting
        .iter()
        .map(|(pack, task)| {
            vec![
                text(&task.id),
                text(&task.title),
                text(task.complexity.name()),
                text(task.focus.name()),
                text(&labels(task)),
                text(&pack.id),
            ]
        })
        .collect();
    let columns = ["id", "title", "complexity", "focus", "platforms", "pack"].map(str::to_owned);
    out.write_all(grid(&columns, &rows, output_width()).as_bytes())?;
    out.flush()?;
    let count = if rows.len() == 1 { "1 task".to_owned() } else { format!("{} tasks", rows.len()) };
    let _ = writeln!(io::stderr(), "{count}");
    Ok(())
}

/// A task as JSON.
pub(super) fn object(pack: &Pack, task: &TaskBrief) -> serde_json::Value {
    let mut object = serde_json::to_value(task).unwrap_or_default();
    object["pack"] = json!(pack.id);
    object["scope"] = json!(if task.is_cross_vendor() { "cross" } else { "single" });
    if !pack.practice {
        object.as_object_mut().map(|map| map.remove("hints"));
    }
    object
}

/// Prints a task.
pub(super) fn show(
    pack: &Pack,
    task: &TaskBrief,
    hints: usize,
    as_json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if as_json {
        out.write_all(json::pretty(&object(pack, task))?.as_bytes())?;
        return Ok(());
    }
    for (label, value) in [
        ("task", format!("{}  {}", task.id, task.title)),
        ("pack", format!("{} {}", pack.id, pack.version)),
        ("complexity", task.complexity.name().to_owned()),
        ("focus", task.focus.name().to_owned()),
        ("platforms", labels(task)),
        ("snapshots", pack.snapshots.join(", ")),
    ] {
        writeln!(out, "{label:<11} {}", visible(&value))?;
    }
    writeln!(out)?;
    for line in pack.brief_layout.replace("{{question}}", &task.question).lines() {
        writeln!(out, "{}", visible(line))?;
    }
    if pack.practice {
        for (nth, hint) in (1..).zip(task.hints.iter().take(hints)) {
            writeln!(out, "\nhint {nth}: {}", visible(hint))?;
        }
        let left = task.hints.len().saturating_sub(hints);
        if left > 0 {
            writeln!(out, "\n{left} hint{} left: --hints {}", if left == 1 { "" } else { "s" }, hints + 1)?;
        }
    }
    Ok(())
}
