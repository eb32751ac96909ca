//! The oracle: the vault as a script. Every pack must give it full marks on all deterministic criteria.

use crate::agent::{Script, ScriptLine, ScriptPart, ScriptTarget};
use crate::archive::ActorRecord;
use crate::domain::trial::{ActorKind, ToolSet, Verdict};
use crate::domain::{Revision, SchemaDocument};
use crate::pack::vault::{TaskTruth, Truth, Vault};
use crate::pack::{Pack, PackProblem, expand};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The oracle for these packs on these snapshots: the reference query, then the true answer, with these tools.
///
/// # Errors
/// [`PackProblem`] of a pack whose evaluator's side can't be read, or that has no truth for a snapshot.
pub fn oracle(
    packs: &[Pack],
    snapshots: &[(Revision, SchemaDocument)],
    tools: ToolSet,
) -> Result<Script, PackProblem> {
    let mut parts = Vec::new();
    let mut settings = BTreeMap::new();
    for pack in packs {
        let (vault, problems) = Vault::load(pack);
        if let Some(problem) = problems.into_iter().next() {
            return Err(problem);
        }
        for (revision, schema) in snapshots {
            let Some(truth) = Truth::load(pack, *revision)? else {
                let reason = format!(
                    "it has no truth for revision {}; `casebook pack check --write-truth` writes it",
                    revision.short()
                );
                return Err(PackProblem::of_file(pack.id.clone(), reason));
            };
            settings
                .insert(format!("truth {} {}", pack.id, revision.short()), Value::from(truth.digest.clone()));
            for (id, reference) in &vault.references {
                let Some(atoms) = truth.tasks.get(id) else {
                    return Err(PackProblem::of_file(
                        pack.id.clone(),
                        format!("its truth lacks the task {id}"),
                    ));
                };
                let sql = expand(&reference.sql, schema).trim().to_owned();
                let answer = answer(atoms, &reference.subject, &sql);
                let call = |tool: &str, arguments| ScriptLine::Call { tool: tool.to_owned(), arguments };
                parts.push(ScriptPart {
                    target: ScriptTarget {
                        pack: Some(pack.id.clone()),
                        task: Some(id.clone()),
                        trial: None,
                        revision: Some(revision.to_string()),
                    },
                    lines: vec![
                        call("get_schema", json!({})),
                        call("run_query", json!({"sql": sql})),
                        match tools {
                            ToolSet::Three => call("submit_answer", answer),
                            ToolSet::Two => {
                                ScriptLine::Final(answer["answer"].as_str().unwrap_or_default().to_owned())
                            }
                        },
                    ],
                });
            }
        }
    }
    let actor = ActorRecord { kind: ActorKind::Oracle, name: "oracle".to_owned(), confined: true, settings };
    Ok(Script { actor, parts })
}

fn answer(truth: &TaskTruth, subject: &str, sql: &str) -> Value {
    let subjects = truth.subjects();
    let verdict = match truth.verdict {
        Some(true) => Verdict::Yes,
        Some(false) => Verdict::No,
        None => Verdict::NotApplicable,
    };
    let head = match truth.verdict {
        Some(true) => "Yes. ",
        Some(false) => "No. ",
        None => "",
    };
    let found = match subjects.len() {
        0 => "Nothing matches".to_owned(),
        1 => "1 matches".to_owned(),
        more => format!("{more} match"),
    };
    let mut text = format!("{head}{found} ({subject}).\n");
    for row in &truth.rows {
        let cells: Vec<String> = truth
            .columns
            .iter()
            .zip(row)
            .enumerate()
            .map(|(nth, (column, value))| {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                if nth == 0 { value } else { format!("{column}: {value}") }
            })
            .collect();
        text = text + "- " + &cells.join("; ") + "\n";
    }
    text = text + "Found by:\n" + sql;
    json!({
        "verdict": verdict,
        "subjects": subjects,
        "facts": {"count": subjects.len()},
        "answer": text,
    })
}
