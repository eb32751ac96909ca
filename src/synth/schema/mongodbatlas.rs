//! Tables of `MongoDB` Atlas.

use super::TableSchema;

pub(super) const TABLES: &[TableSchema] = &[
    TableSchema {
        name: "mongodbatlas_org_user",
        description: "Console users of the Atlas organization",
        columns: &[
            "id",
            "org_id",
            "username",
            "first_name",
            "last_name",
            "org_membership_status",
            "org_roles",
            "group_role_assignments",
            "team_ids",
            "last_auth",
            "created_at",
        ],
        order: &["username"],
    },
    TableSchema {
        name: "mongodbatlas_database_user",
        description: "Database users of Atlas projects",
        columns: &[
            "project_id",
            "username",
            "database_name",
            "roles",
            "scopes",
            "labels",
            "aws_iam_type",
            "x509_type",
            "oidc_auth_type",
            "delete_after_date",
        ],
        order: &["project_id", "database_name", "username"],
    },
];
