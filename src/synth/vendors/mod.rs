//! Each vendor's view of the organisation, by that vendor's rules. No vendor invents people.

mod audience;
mod aws_account_settings;
mod aws_iam;
mod aws_iam_groups;
mod aws_iam_keys;
mod aws_iam_policies;
mod aws_iam_roles;
mod aws_organization;
mod azuread;
mod azuread_apps;
mod azuread_conditional_access;
mod azuread_groups;
mod drives;
mod file_titles;
mod gcp;
mod gcp_keys;
mod github;
mod github_names;
mod googleworkspace;
mod googleworkspace_files;
mod googleworkspace_groups;
mod group_names;
mod hibob;
mod identity_center;
mod mongodbatlas;
mod naming;
mod okta;
mod okta_app_users;
mod okta_apps;
mod okta_factors;
mod okta_groups;
mod policy_document;
mod seen;
mod serials;

pub(super) use hibob::hr_address;

use super::GenerateError;
use super::organisation::Organisation;
use super::output::Output;

/// Writes all 44 tables.
pub(super) fn write(organisation: &Organisation, out: &mut Output<'_>) -> Result<(), GenerateError> {
    out.step("HiBob");
    hibob::write(organisation, out)?;
    out.step("Okta");
    let groups = okta_groups::write(organisation, out)?;
    okta::write(organisation, out)?;
    okta_factors::write(organisation, &groups, out)?;
    okta_apps::write(organisation, &groups, out)?;
    out.step("AWS");
    let accounts = aws_organization::write(organisation, out)?;
    identity_center::write(organisation, &groups, &accounts, out)?;
    let task_roles = aws_iam::write(organisation, &accounts, out)?;
    out.step("Azure AD");
    azuread::write(organisation, out)?;
    azuread_groups::write(organisation, out)?;
    azuread_apps::write(organisation, out)?;
    out.step("Google Workspace");
    googleworkspace::write(organisation, out)?;
    let groups = googleworkspace_groups::write(organisation, out)?;
    googleworkspace_files::write(organisation, &groups, out)?;
    out.step("GCP");
    gcp::write(organisation, &groups, out)?;
    out.step("GitHub");
    github::write(organisation, out)?;
    out.step("MongoDB Atlas");
    mongodbatlas::write(organisation, &task_roles, out)
}
