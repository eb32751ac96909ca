//! `casebook tasks show --vault`: what only an evaluator may see of a task. A build without vaults has none of it.

use super::choose_snapshot::store;
use super::failure::Failure;
use super::tasks;
use crate::domain::TaskBrief;
use crate::pack::vault::{Reference, Truth, Vault};
use crate::pack::{Access, Pack, expand};
use crate::text::json;
use crate::text::visible::visible;
use serde_json::json;
use std::io::{self, Write};

/// Prints a task with its answer.
pub(super) fn show(
    pack: &Pack,
    task: &TaskBrief,
    snapshot: &str,
    as_json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if pack.access == Access::Gated {
        return Err(Failure::Input(format!("the vault of the pack '{}' is withheld", pack.id)));
    }
    let (vault, problems) = Vault::load(pack);
    let Some(reference) = vault.references.get(&task.id) else {
        let reason = problems.first().map_or_else(|| "it has no reference".to_owned(), ToString::to_string);
        return Err(Failure::Input(format!("the vault of {} can't be read: {reason}", task.id)));
    };
    let snapshot = store().find(snapshot).map_err(|error| Failure::input(&error))?;
    let truth = Truth::load(pack, snapshot.manifest.revision).map_err(|problem| Failure::input(&problem))?;
    let truth = truth.and_then(|truth| truth.tasks.get(&task.id).cloned());
    let _ = writeln!(
        io::stderr(),
        "casebook: FOR EVALUATORS ONLY: this shows the answer. Whoever works on {} must not see it.",
        task.id
    );
    let sql = expand(&reference.sql, &snapshot.manifest.schema_document());
    if as_json {
        let mut object = tasks::object(pack, task);
        object["vault"] = json!({
            "subject": reference.subject, "identified_by": reference.identified_by, "aliases": reference.aliases,
            "verdict_rule": reference.verdict, "tables": reference.tables, "joins": reference.shortest_path(),
            "accepted_joins": reference.accepted_joins(), "facts": reference.facts,
            "boundaries": reference.boundaries, "sql": sql, "snapshot": snapshot.manifest.name, "truth": truth,
        });
        out.write_all(json::pretty(&object)?.as_bytes())?;
        return Ok(());
    }
    tasks::show(pack, task, 0, false, out)?;
    writeln!(out, "\n== for evaluators only")?;
    write_reference(reference, out)?;
    writeln!(out, "\nreference query on {}:\n", visible(&snapshot.manifest.name))?;
    for line in sql.trim().lines() {
        writeln!(out, "  {}", visible(line))?;
    }
    match truth {
        None => writeln!(out, "\nthere is no truth of this pack for {}", visible(&snapshot.manifest.name))?,
        Some(truth) => {
            let verdict = truth.verdict.map_or("none", |yes| if yes { "yes" } else { "no" });
            let subjects = truth.subjects();
            writeln!(out, "\nverdict {verdict}, {} subject(s):", subjects.len())?;
            for subject in subjects {
                writeln!(out, "  {}", visible(&subject))?;
            }
        }
    }
    Ok(())
}

fn write_reference(reference: &Reference, out: &mut dyn Write) -> Result<(), Failure> {
    let joins: Vec<String> = reference
        .shortest_path()
        .iter()
        .map(|edge| format!("{} = {}", edge.columns().0, edge.columns().1))
        .collect();
    let links: Vec<String> = reference
        .links
        .iter()
        .map(|link| format!("{} ({}, {} ways)", link.id, link.meaning, link.instead.len() + 1))
        .collect();
    let tables: Vec<&str> = reference.tables.iter().map(String::as_str).collect();
    for (label, value) in [
        ("subject", format!("{}, by {}", reference.subject, reference.identified_by)),
        ("aliases", reference.aliases.join("; ")),
        ("tables", tables.join(", ")),
        ("joins", joins.join("; ")),
        ("links", links.join("; ")),
        ("facts", reference.facts.join("; ")),
        ("boundaries", reference.boundaries.clone()),
        ("empty at", reference.empty_at.iter().cloned().collect::<Vec<_>>().join(", ")),
    ] {
        if !value.is_empty() {
            writeln!(out, "{label:<11} {}", visible(&value))?;
        }
    }
    Ok(())
}
