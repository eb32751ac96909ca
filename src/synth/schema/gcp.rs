//! Tables of GCP.

use super::TableSchema;

pub(super) const TABLES: &[TableSchema] = &[
    TableSchema {
        name: "gcp_iam_policy",
        description: "Allow policy of each project, one row a project",
        columns: &["project_id", "version", "etag", "bindings"],
        order: &["project_id"],
    },
    TableSchema {
        name: "gcp_service_account",
        description: "Service accounts",
        columns: &[
            "project_id",
            "email",
            "name",
            "unique_id",
            "display_name",
            "description",
            "disabled",
            "oauth2_client_id",
        ],
        order: &["project_id", "email"],
    },
    TableSchema {
        name: "gcp_service_account_key",
        description: "Keys of service accounts",
        columns: &[
            "project_id",
            "name",
            "service_account_name",
            "key_type",
            "key_algorithm",
            "key_origin",
            "valid_after_time",
            "valid_before_time",
            "disabled",
        ],
        order: &["project_id", "service_account_name", "name"],
    },
];
