//! A task of a private pack, made of an investigation: the question, the statement that answers it, what it found.
//!
//! What can be read off the statement is filled in (tables, joins, platforms); what an author must decide says so in a comment.

use super::writing::append;
use crate::domain::{JoinEdge, Platform, StatementAnalysis};
use crate::pack::{find, write_empty_pack};
use crate::snapshot::Store;
use crate::sql::{Catalogue, analyze};
use crate::workbench::draft::TaskDraft;
use crate::workbench::reply::Reply;
use std::fmt::Write as _;
use std::path::Path;

/// The file of tasks that come from investigations.
const TASKS: &str = "tasks/investigations.toml";
/// The file of their references.
const REFERENCES: &str = "reference/investigations.toml";

pub(super) fn save(data_folder: Option<&Path>, draft: &TaskDraft) -> Reply {
    match write(data_folder, draft) {
        Ok(()) => Reply::Done(format!(
            "{} is in the pack {}; read what it says, then: casebook pack check {}",
            draft.id, draft.pack, draft.pack
        )),
        Err(reason) => Reply::Failed(format!("the task can't be written: {reason}")),
    }
}

fn write(data_folder: Option<&Path>, draft: &TaskDraft) -> Result<(), String> {
    let folder = Path::new(&draft.pack);
    if folder.join("pack.toml").exists() {
        let pack = find(&draft.pack).map_err(|problem| problem.to_string())?;
        if pack.task(&draft.id).is_some() {
            return Err(format!("the pack has a task {} already; give another id", draft.id));
        }
    } else {
        let id = folder.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
        write_empty_pack(folder, &id, &draft.snapshot)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let analysis = read_statement(data_folder, draft)?;
    append(&folder.join(TASKS), task_text(draft, &analysis).as_bytes()).map_err(|error| error.to_string())?;
    append(&folder.join(REFERENCES), reference_text(draft, &analysis).as_bytes())
        .map_err(|error| error.to_string())
}

fn read_statement(data_folder: Option<&Path>, draft: &TaskDraft) -> Result<StatementAnalysis, String> {
    let snapshot = Store::new(data_folder).find(&draft.snapshot).map_err(|error| error.to_string())?;
    let mut catalogue = Catalogue::new();
    for table in snapshot.manifest.schema_document().tables {
        catalogue.add_table(&table.name, table.columns.iter().map(String::as_str));
    }
    analyze(&draft.sql, &catalogue).map_err(|error| error.to_string())
}

fn task_text(draft: &TaskDraft, analysis: &StatementAnalysis) -> String {
    let platforms: Vec<String> = platforms(analysis).into_iter().map(quoted).collect();
    let complexity = match analysis.joins.len() {
        0 => "easy",
        1 | 2 => "medium",
        _ => "hard",
    };
    format!(
        "\n[[task]]\nid = {}\ntitle = {}\nquestion = {}\n# Read off the statement; put it right where it is not.\n\
         complexity = \"{complexity}\"\nfocus = \"management\"\nplatforms = [{}]\n",
        quoted(&draft.id),
        quoted(&draft.title),
        quoted(&draft.question),
        platforms.join(", ")
    )
}

fn reference_text(draft: &TaskDraft, analysis: &StatementAnalysis) -> String {
    let list = |items: Vec<String>| items.iter().map(|item| quoted(item)).collect::<Vec<_>>().join(", ");
    let join = |edge: &JoinEdge| {
        let (one, other) = edge.columns();
        format!("{one} = {other}")
    };
    let column = draft.subject_column.clone().unwrap_or_else(|| "the first column".to_owned());
    let mut text = format!(
        "\n[[reference]]\nid = {}\n# any: yes if there is any subject. not_applicable: an inventory.\nverdict = \"any\"\n\
         # What counts as a subject, in a word.\nsubject = {}\n# The column that identifies one.\nidentified_by = {}\n\
         tables = [{}]\njoins = [{}]\n",
        quoted(&draft.id),
        quoted("subject"),
        quoted(&column),
        list(analysis.tables.iter().cloned().collect()),
        list(analysis.joins.iter().map(join).collect()),
    );
    // Writing to a String can't fail.
    let _ = writeln!(text, "boundaries = {}", quoted("Say what does not count."));
    let found: Vec<&str> = draft.subjects.iter().map(String::as_str).collect();
    let _ = writeln!(text, "# Found on {}: {} subjects marked.", draft.snapshot, found.len());
    for subject in found.iter().take(50) {
        let safe: String = subject.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
        let _ = writeln!(text, "#   {safe}");
    }
    let _ = writeln!(text, "sql = {}", quoted(draft.sql.trim().trim_end_matches(';')));
    text
}

/// A text as TOML spells it.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// The products that the tables of a statement belong to, as packs spell them.
fn platforms(analysis: &StatementAnalysis) -> Vec<&'static str> {
    const PREFIXES: &[(&str, &str)] = &[
        ("aws_identitystore_", "aws-identity-center"),
        ("aws_ssoadmin_", "aws-identity-center"),
        ("aws_", "aws-iam"),
        ("azuread_", "azure-ad"),
        ("gcp_", "gcp"),
        ("github_", "github"),
        ("googleworkspace_", "google-workspace"),
        ("hibob_", "hibob"),
        ("mongodbatlas_", "mongodb-atlas"),
        ("okta_", "okta"),
    ];
    let mut found = Vec::new();
    for table in &analysis.tables {
        let platform =
            PREFIXES.iter().find(|(prefix, _)| table.starts_with(prefix)).map_or("other", |(_, it)| *it);
        if !found.contains(&platform) {
            found.push(platform);
        }
    }
    if found.is_empty() {
        found.push("other");
    }
    // The spelling is that of the packs.
    debug_assert!(found.iter().all(|it| serde_json::from_value::<Platform>((*it).into()).is_ok()));
    found
}

#[cfg(test)]
mod tests {
    use super::platforms;
    use crate::domain::{StatementAnalysis, StatementKind};

    #[test]
    fn every_table_of_the_enterprise_has_its_platform() {
        let of = |table: &str| {
            let mut analysis = StatementAnalysis::empty(StatementKind::Select);
            analysis.tables.insert(table.to_owned());
            platforms(&analysis)
        };
        for (table, platform) in [
            ("aws_identitystore_user", "aws-identity-center"),
            ("aws_ssoadmin_account_assignment", "aws-identity-center"),
            ("aws_iam_user", "aws-iam"),
            ("okta_user", "okta"),
            ("hibob_employee", "hibob"),
        ] {
            assert_eq!(of(table), [platform], "{table}");
        }
        let small = crate::snapshot::embedded().into_iter().next().expect("an embedded snapshot");
        for table in &small.manifest.tables {
            assert_ne!(of(&table.name), ["other"], "{}", table.name);
        }
    }
}
