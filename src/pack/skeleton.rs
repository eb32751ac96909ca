//! `casebook pack new`: the commented beginning of a pack of one's own, which passes the check as it is.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

const PACK: &str = r#"# A pack: questions over one or more snapshots. docs/packs.md explains every field.
format = 1
# Short name: a-z, 0-9, '.', '_' and '-'.
id = "my-pack"
# Change it whenever a question or an answer changes.
version = "1"
title = "My pack"
description = "What these questions are about."
# open, gated or private. Nothing of a private pack is exported or sent to a judge that is not allowed.
access = "private"
# Snapshots that the references are checked on: names or revisions of `casebook snapshot list`.
snapshots = ["small"]
"#;

#[cfg(feature = "vault")]
const TASKS: &str = r#"# What an actor may see. One [[task]] a question; any number of files in this folder.

[[task]]
id = "MY-01"
title = "Administrators without MFA"
# As an analyst would ask: one meaning, thresholds stated, what counts as a subject said.
question = "Which IAM users can sign in to the console with a password and have no MFA device?"
# easy, medium, hard
complexity = "easy"
# authentication, authorization, management
focus = "authentication"
# aws-iam, aws-identity-center, azure-ad, gcp, github, google-workspace, hibob, mongodb-atlas, okta, other
platforms = ["aws-iam"]
"#;

#[cfg(feature = "vault")]
const REFERENCE: &str = r#"# For evaluators. One [[reference]] for each task, in any file of this folder.

[[reference]]
id = "MY-01"
# any: yes if there is any subject. not_applicable: an inventory. outside_range: yes if fewer than 2 or more than 8.
verdict = "any"
subject = "IAM user"
identified_by = "aws_iam_user.arn"
aliases = ["user_id", "account_id + name"]
# The smallest set of tables and joins that is enough.
tables = ["aws_iam_user"]
joins = []
# Names of links.toml, where the same thing may be found along several roads.
links = []
facts = ["account_id", "password_last_used"]
boundaries = "Passwords never used and service users count."
# The first column is the subject, the others are aliases and facts. {{today}} and {{company_domains}} stand for what the
# snapshot says.
sql = """
SELECT u.arn, u.user_id, u.account_id, u.name, u.password_last_used
FROM aws_iam_user u
WHERE u.password_enabled = 1 AND u.mfa_enabled = 0
"""
"#;

#[cfg(feature = "vault")]
const LINKS: &str = r#"# Ways of finding the same person or thing in two systems. `needed` is the shortest; each of `instead` counts as well.
# Joins in one list are needed together.
#
# [[link]]
# id = "HO"
# meaning = "HR to Okta"
# needed = ["hibob_employee.email = okta_user.email"]
#
# [[link.instead]]
# joins = ["hibob_employee.email = okta_user.login"]
# # How the check rewrites a reference to go this way, to prove that it gives the same subjects.
# follow = [["lower(o.email)", "lower(o.login)"]]
# # Set where its columns are not always filled, so that it only helps the shortest way out.
# beside = false
"#;

/// A build without vaults has no example of a link either.
#[cfg(not(feature = "vault"))]
const LINKS: &str = "# Ways of finding the same person or thing in two systems: docs/packs.md.\n";

const SYSTEM: &str = include_str!("../../packs/visibility/prompts/system.md");
const BRIEF: &str = include_str!("../../packs/visibility/prompts/brief.md");
const RUBRIC: &str = include_str!("../../packs/visibility/rubric.toml");

/// Writes the beginning of a pack into a folder, which is made and must not exist.
///
/// # Errors
/// What the system says.
#[cfg(feature = "vault")]
pub fn write_skeleton(folder: &Path) -> io::Result<()> {
    write_files(folder, PACK, &[("tasks/tasks.toml", TASKS), ("reference/reference.toml", REFERENCE)])
}

/// Writes a private pack without tasks into a folder, which is made and must not exist. `id` becomes a short name;
/// `snapshot` is what its tasks are written for.
///
/// # Errors
/// What the system says.
pub fn write_empty_pack(folder: &Path, id: &str, snapshot: &str) -> io::Result<()> {
    let fits = |character: &char| {
        character.is_ascii_lowercase() || character.is_ascii_digit() || "._-".contains(*character)
    };
    let id: String = id.chars().filter(fits).collect();
    let id = if crate::domain::is_short_name(&id) { id } else { "my-pack".to_owned() };
    let head = PACK
        .replace("id = \"my-pack\"", &format!("id = {}", toml::Value::from(id)))
        .replace("snapshots = [\"small\"]", &format!("snapshots = [{}]", toml::Value::from(snapshot)));
    write_files(folder, &head, &[])
}

fn write_files(folder: &Path, head: &str, more: &[(&str, &str)]) -> io::Result<()> {
    if let Some(parent) = folder.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        fs::create_dir_all(parent)?;
    }
    fs::create_dir(folder)?;
    let always = [
        ("pack.toml", head),
        ("links.toml", LINKS),
        ("prompts/system.md", SYSTEM),
        ("prompts/brief.md", BRIEF),
        ("rubric.toml", RUBRIC),
    ];
    for (path, text) in always.iter().chain(more) {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::File::create_new(&path)?.write_all(text.as_bytes())?;
    }
    Ok(())
}
