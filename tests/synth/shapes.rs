//! Values look as each product prints them, and the file shows nothing that the products would not.

use crate::support::{Enterprise, seeds};
use casebook::synth::Parameters;
use rusqlite::types::ValueRef;
use std::collections::BTreeSet;

/// Columns with one shape, as SQLite's GLOB; `#` stands for a digit, `$` for a letter or digit.
const SHAPES: &[(&str, &str, &str)] = &[
    ("aws_organizations_account", "id", "############"),
    (
        "aws_organizations_account",
        "arn",
        "arn:aws:organizations::############:account/o-$$$$$$$$$$/############",
    ),
    ("aws_organizations_account", "joined_timestamp", "####-##-##T##:##:##Z"),
    ("aws_iam_user", "user_id", "AIDA$$$$$$$$$$$$$$$$$"),
    ("aws_iam_user", "create_date", "####-##-##T##:##:##Z"),
    ("aws_iam_access_key", "access_key_id", "AKIA$$$$$$$$$$$$$$$$"),
    ("aws_iam_group", "group_id", "AGPA$$$$$$$$$$$$$$$$$"),
    ("aws_iam_role", "role_id", "AROA$$$$$$$$$$$$$$$$$"),
    ("aws_iam_policy", "policy_id", "ANPA$$$$$$$$$$$$$$$$$"),
    ("aws_identitystore_user", "identity_store_id", "d-$$$$$$$$$$"),
    ("aws_identitystore_user", "id", "$$$$$$$$$$-$$$$$$$$-$$$$-4$$$-[89ab]$$$-$$$$$$$$$$$$"),
    (
        "aws_ssoadmin_permission_set",
        "arn",
        "arn:aws:sso:::permissionSet/ssoins-$$$$$$$$$$$$$$$$/ps-$$$$$$$$$$$$$$$$",
    ),
    ("aws_ssoadmin_permission_set", "session_duration", "PT*[HM]"),
    ("azuread_user", "id", "$$$$$$$$-$$$$-4$$$-[89ab]$$$-$$$$$$$$$$$$"),
    ("azuread_user", "created_date_time", "####-##-##T##:##:##Z"),
    ("azuread_service_principal", "app_id", "$$$$$$$$-$$$$-4$$$-[89ab]$$$-$$$$$$$$$$$$"),
    ("gcp_service_account", "unique_id", "1####################"),
    ("gcp_service_account_key", "name", "$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$"),
    ("gcp_service_account_key", "valid_after_time", "####-##-##T##:##:##Z"),
    ("github_organization_member", "created_at", "####-##-##T##:##:##Z"),
    ("googleworkspace_user", "id", "1####################"),
    ("googleworkspace_user", "creation_time", "####-##-##T##:##:##.###Z"),
    ("googleworkspace_user", "last_login_time", "####-##-##T##:##:##.###Z"),
    ("googleworkspace_shared_drive_file", "id", "1$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$"),
    ("hibob_employee", "startdate", "####-##-##"),
    ("hibob_employee", "creationdatetime", "####-##-##T##:##:##.######"),
    ("mongodbatlas_org_user", "id", "$$$$$$$$$$$$$$$$$$$$$$$$"),
    ("okta_user", "id", "00u$$$$$$$$$$$$$$$$$"),
    ("okta_user", "created", "####-##-##T##:##:##.000Z"),
    ("okta_group", "id", "00g$$$$$$$$$$$$$$$$$"),
    ("okta_application", "id", "0oa$$$$$$$$$$$$$$$$$"),
    ("okta_mfa_policy", "id", "00p$$$$$$$$$$$$$$$$$"),
];

/// Columns of which each value is JSON.
const JSON: &[(&str, &str)] = &[
    ("aws_organizations_account", "tags"),
    ("aws_iam_user", "mfa_devices"),
    ("aws_iam_user", "inline_policies"),
    ("aws_iam_user", "tags"),
    ("aws_iam_role", "assume_role_policy"),
    ("aws_iam_role", "tags"),
    ("aws_iam_policy", "policy"),
    ("aws_identitystore_user", "emails"),
    ("aws_identitystore_user", "external_ids"),
    ("aws_ssoadmin_permission_set", "inline_policy"),
    ("azuread_user", "proxy_addresses"),
    ("azuread_service_principal", "password_credentials"),
    ("azuread_conditional_access_policy", "users"),
    ("gcp_iam_policy", "bindings"),
    ("googleworkspace_user", "external_ids"),
    ("googleworkspace_shared_drive_file", "permissions"),
    ("mongodbatlas_database_user", "roles"),
    ("okta_user", "assigned_roles"),
    ("okta_mfa_policy", "authenticators"),
    ("okta_password_policy", "complexity"),
];

#[test]
fn identifiers_and_times_have_their_shapes() {
    let enterprise = Enterprise::new(&Parameters::reference(400).unwrap());
    for (table, column, shape) in SHAPES {
        let glob = shape.replace('#', "[0-9]").replace('$', "[0-9A-Za-z]");
        let sql = format!("SELECT {column} FROM {table} WHERE {column} NOT GLOB '{glob}'");
        assert_eq!(enterprise.texts(&sql), Vec::<String>::new(), "{table}.{column}");
    }
}

#[test]
fn json_is_canonical() {
    let enterprise = Enterprise::new(&Parameters::reference(400).unwrap());
    for (table, column) in JSON {
        for text in enterprise.texts(&format!("SELECT {column} FROM {table} WHERE {column} IS NOT NULL")) {
            let value: serde_json::Value = serde_json::from_str(&text)
                .unwrap_or_else(|error| panic!("{table}.{column}: {error}: {text}"));
            assert_eq!(value.to_string(), text, "{table}.{column}");
        }
    }
}

#[test]
fn each_column_has_one_storage_class_and_each_row_its_own_key() {
    let enterprise = Enterprise::new(&Parameters::reference(400).unwrap());
    for table in &enterprise.generated.tables {
        for column in table.columns {
            let sql =
                format!("SELECT DISTINCT typeof({column}) FROM {} WHERE {column} IS NOT NULL", table.name);
            assert!(enterprise.texts(&sql).len() <= 1, "{}.{column}", table.name);
        }
        let all = table.columns.join(", ");
        let twice =
            format!("SELECT {} FROM {} GROUP BY {all} HAVING count(*) > 1", table.columns[0], table.name);
        assert_eq!(enterprise.texts(&twice), Vec::<String>::new(), "{}: the same row twice", table.name);
    }
}

/// Agents can read `sqlite_master`; it says no more than `get_schema`.
#[test]
fn the_schema_shows_names_of_tables_and_columns_only() {
    let enterprise = Enterprise::new(&Parameters::reference(75).unwrap());
    let found = enterprise.texts("SELECT type || ' ' || sql FROM sqlite_master");
    let wanted: Vec<String> = enterprise
        .generated
        .tables
        .iter()
        .map(|table| format!("table CREATE TABLE {} ({})", table.name, table.columns.join(", ")))
        .collect();
    assert_eq!(found, wanted);
    assert_eq!(enterprise.number("PRAGMA page_size"), 4096);
    assert_eq!(enterprise.number("PRAGMA freelist_count"), 0);
    assert_eq!(&enterprise.bytes[18..20], [1, 1]);
}

/// Nothing in it leads to a place that could exist.
#[test]
fn every_domain_ends_in_example() {
    for (label, parameters) in seeds().step_by(4) {
        let enterprise = Enterprise::new(&parameters);
        let mut hosts = BTreeSet::new();
        for table in &enterprise.generated.tables {
            let mut statement =
                enterprise.database.prepare(&format!("SELECT * FROM {}", table.name)).unwrap();
            let mut rows = statement.query([]).unwrap();
            while let Some(row) = rows.next().unwrap() {
                for column in 0..table.columns.len() {
                    if let ValueRef::Text(text) = row.get_ref(column).unwrap() {
                        hosts.extend(hosts_in(std::str::from_utf8(text).unwrap()));
                    }
                }
            }
        }
        assert!(hosts.len() > 8, "{label}: {hosts:?}");
        let strange: Vec<&String> = hosts.iter().filter(|host| !host.ends_with(".example")).collect();
        assert_eq!(strange, Vec::<&String>::new(), "{label}");
    }
}

/// What follows an `@` or a `://`, as far as it could be a host.
fn hosts_in(text: &str) -> Vec<String> {
    let host = |rest: &str| {
        rest.chars().take_while(|c| c.is_ascii_alphanumeric() || ".-_".contains(*c)).collect::<String>()
    };
    let after = |mark: &str| {
        text.match_indices(mark).map(|(at, _)| host(&text[at + mark.len()..])).collect::<Vec<_>>()
    };
    let known = ["amazonaws", "githubusercontent", "okta.", "google.", "onmicrosoft", "gserviceaccount"];
    let mut hosts: Vec<String> =
        after("@").into_iter().chain(after("://")).filter(|host| !host.is_empty()).collect();
    for mark in known {
        hosts.extend(text.match_indices(mark).map(|(at, _)| host(&text[at..])).filter(|it| it.contains('.')));
    }
    hosts
}
