//! The 44 tables of the synthetic enterprise: names, columns, order of rows.
//!
//! A snapshot holds nothing but these names: no types, no keys, no comments, so that joins have to be found.

mod aws;
mod azuread;
mod gcp;
mod github;
mod googleworkspace;
mod hibob;
mod mongodbatlas;
mod okta;

/// A table.
#[derive(Debug)]
pub(in crate::synth) struct TableSchema {
    pub(in crate::synth) name: &'static str,
    /// A sentence for whoever reads the schema.
    pub(in crate::synth) description: &'static str,
    pub(in crate::synth) columns: &'static [&'static str],
    /// Rows are in the order of these columns.
    pub(in crate::synth) order: &'static [&'static str],
}

/// Names a table; also its place among all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::synth) enum Table {
    AwsOrganizationsAccount,
    AwsIamAccountPasswordPolicy,
    AwsIamAccountSummary,
    AwsIamUser,
    AwsIamAccessKey,
    AwsIamGroup,
    AwsIamGroupMembership,
    AwsIamRole,
    AwsIamPolicy,
    AwsIamPolicyAttachment,
    AwsIdentitystoreUser,
    AwsIdentitystoreGroup,
    AwsIdentitystoreGroupMembership,
    AwsSsoadminPermissionSet,
    AwsSsoadminAccountAssignment,
    AzureadUser,
    AzureadGroup,
    AzureadGroupMember,
    AzureadDirectoryRoleAssignment,
    AzureadServicePrincipal,
    AzureadConditionalAccessPolicy,
    AzureadUserRegistrationDetailsReport,
    GcpIamPolicy,
    GcpServiceAccount,
    GcpServiceAccountKey,
    GithubOrganization,
    GithubOrganizationMember,
    GithubRepository,
    GithubRepositoryCollaborator,
    GoogleworkspaceUser,
    GoogleworkspaceGroup,
    GoogleworkspaceGroupMember,
    GoogleworkspaceSharedDriveFile,
    HibobEmployee,
    MongodbatlasOrgUser,
    MongodbatlasDatabaseUser,
    OktaUser,
    OktaGroup,
    OktaGroupMember,
    OktaApplication,
    OktaAppAssignedUser,
    OktaFactor,
    OktaMfaPolicy,
    OktaPasswordPolicy,
}

impl Table {
    pub(in crate::synth) const fn schema(self) -> &'static TableSchema {
        let mut place = self as usize;
        let mut vendor = 0;
        while place >= VENDORS[vendor].len() {
            place -= VENDORS[vendor].len();
            vendor += 1;
        }
        &VENDORS[vendor][place]
    }
}

/// The tables of each vendor.
const VENDORS: [&[TableSchema]; 8] = [
    aws::TABLES,
    azuread::TABLES,
    gcp::TABLES,
    github::TABLES,
    googleworkspace::TABLES,
    hibob::TABLES,
    mongodbatlas::TABLES,
    okta::TABLES,
];

/// All tables, by vendor.
pub(in crate::synth) fn tables() -> impl Iterator<Item = &'static TableSchema> {
    VENDORS.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::{Table, tables};

    #[test]
    fn there_are_44_tables_of_430_columns() {
        assert_eq!(tables().count(), 44);
        assert_eq!(tables().map(|table| table.columns.len()).sum::<usize>(), 430);
        assert_eq!(Table::OktaPasswordPolicy.schema().name, "okta_password_policy");
        assert_eq!(Table::AzureadUser.schema().name, "azuread_user");
        for table in tables() {
            assert!(table.order.iter().all(|column| table.columns.contains(column)), "{}", table.name);
        }
    }
}
