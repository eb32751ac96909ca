//! A generated enterprise as a snapshot package, and its secrets as a file for evaluators.

use super::output::{identities, open_scratch};
use super::{GENERATOR, GenerateError, Generated, Parameters, REFERENCE_SIZES, generate};
use crate::domain::TableDescription;
use crate::snapshot::{Manifest, Origin, create_package};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// What the enterprise leaves out or spells otherwise than the products do.
const NOTES: &[&str] = &[
    "Everything in it is invented. Every domain ends in .example, also where a product has a fixed suffix of its own \
     (PROJECT.iam.gserviceaccount.example, ec2.amazonaws.example, signin.aws.example).",
    "Members and assignments of the built-in Everyone group are not listed.",
    "okta_application.mfa_required stands for what an authentication policy would say.",
];

/// How the tables join, for evaluators.
const JOIN_NOTES: &[&str] = &[
    "hibob_employee.email = okta_user.email; before the first day the HR address is private and okta_user.second_email",
    "hibob_employee.employee_id = okta_user.employee_number = azuread_user.employee_id = googleworkspace_user.external_ids[].value, \
     without prefix and leading zeros",
    "hibob_employee.reportsto_id = hibob_employee.id",
    "okta_user.id = aws_identitystore_user.external_ids[].Id for users pushed by SCIM",
    "okta_user.login = azuread_user.user_principal_name = googleworkspace_user.primary_email = aws_identitystore_user.name, \
     without case; a few names are old",
    "github_organization_member.saml_name_id = okta_user.login; okta_app_assigned_user.user_name is the handle",
    "aws_iam_user.tags email or owner, else its name, is an address or the part before the @",
    "gcp_iam_policy.bindings[].members[] after user:, group: or serviceAccount: are Workspace addresses and service accounts",
    "mongodbatlas_org_user.username and the owner label of mongodbatlas_database_user are addresses",
];

/// Generates a package into `folder`, which is made and must not exist. With `evaluator`, writes who each person is in
/// every system and what was planted there, as JSON Lines.
///
/// # Errors
/// [`GenerateError`]; nothing is left of the folder then.
pub fn generate_package(
    parameters: &Parameters,
    name: &str,
    folder: &Path,
    evaluator: Option<&Path>,
    watch: &mut dyn FnMut(&str, u64) -> bool,
) -> Result<Manifest, GenerateError> {
    let parent = folder.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let in_folder = |source| GenerateError::File { path: folder.to_owned(), source };
    if folder.symlink_metadata().is_ok() {
        return Err(GenerateError::Exists(folder.to_owned()));
    }
    fs::create_dir_all(parent).map_err(in_folder)?;
    // Everything is made beside the target and moved there last.
    let work = tempfile::Builder::new().prefix(".generate-").tempdir_in(parent).map_err(in_folder)?;
    let (scratch, database) = (work.path().join("scratch.sqlite"), work.path().join("data.sqlite"));
    let generated = generate(parameters, &scratch, &database, watch)?;
    if let Some(path) = evaluator {
        let in_file = |source| GenerateError::File { path: path.to_owned(), source };
        let mut file = BufWriter::new(File::create(path).map_err(in_file)?);
        write_secrets(&scratch, &generated, &mut file)?;
        file.flush().map_err(in_file)?;
    }
    fs::remove_file(&scratch).map_err(in_folder)?;
    let package = work.path().join("package");
    fs::create_dir(&package).map_err(in_folder)?;
    let mut cancelled = false;
    let draft = manifest(parameters, name, generated);
    let made = create_package(&package, &database, draft, &mut |done| {
        cancelled = !watch("compressing", done);
        if cancelled { Err(io::Error::other("cancelled")) } else { Ok(()) }
    });
    if cancelled {
        return Err(GenerateError::Cancelled);
    }
    let made = made?;
    fs::rename(&package, folder).map_err(in_folder)?;
    Ok(made)
}

fn manifest(parameters: &Parameters, name: &str, generated: Generated) -> Manifest {
    let tables = generated
        .tables
        .iter()
        .map(|table| TableDescription {
            name: table.name.to_owned(),
            description: table.description.to_owned(),
            rows: table.rows,
            columns: table.columns.iter().map(|column| (*column).to_owned()).collect(),
        })
        .collect();
    let size = REFERENCE_SIZES.iter().find(|(_, people)| *people == parameters.people).map(|(name, _)| *name);
    let origin =
        if parameters.is_reference() && size == Some(name) { Origin::Reference } else { Origin::Generated };
    let texts = |notes: &[&str]| notes.iter().map(|note| (*note).to_owned()).collect();
    Manifest {
        organisation: generated.organisation,
        size: Some(size.map_or_else(|| format!("{} people", parameters.people), str::to_owned)),
        seed: Some(parameters.seed),
        generator: Some(format!("{GENERATOR}, {}", parameters.archetype.key)),
        company_domains: generated.company_domains,
        join_notes: texts(JOIN_NOTES),
        notes: texts(NOTES),
        ..Manifest::draft(name.to_owned(), origin, parameters.release_date, tables)
    }
}

/// One line a person, then one line a condition.
fn write_secrets(scratch: &Path, generated: &Generated, file: &mut dyn Write) -> Result<(), GenerateError> {
    let connection = open_scratch(scratch)?;
    let mut open: Option<(u32, BTreeMap<String, Vec<String>>)> = None;
    let mut failed = None;
    let mut line = |value: serde_json::Value| {
        if let Err(error) = writeln!(file, "{value}") {
            failed.get_or_insert(error);
        }
    };
    identities(&connection, &mut |person, table, subject| match &mut open {
        Some((current, accounts)) if *current == person => {
            accounts.entry(table.to_owned()).or_default().push(subject.to_owned());
        }
        other => {
            if let Some((person, accounts)) = other.take() {
                line(json!({"person": person, "accounts": accounts}));
            }
            *other = Some((person, BTreeMap::from([(table.to_owned(), vec![subject.to_owned()])])));
        }
    })?;
    if let Some((person, accounts)) = open {
        line(json!({"person": person, "accounts": accounts}));
    }
    for condition in &generated.conditions {
        line(json!(condition));
    }
    match failed {
        None => Ok(()),
        Some(source) => Err(GenerateError::File { path: scratch.to_owned(), source }),
    }
}
