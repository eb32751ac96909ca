//! Tables of Google Workspace.

use super::TableSchema;

pub(super) const TABLES: &[TableSchema] = &[
    TableSchema {
        name: "googleworkspace_user",
        description: "Google Workspace accounts; 1970 as last login means never",
        columns: &[
            "id",
            "primary_email",
            "full_name",
            "given_name",
            "family_name",
            "aliases",
            "is_admin",
            "is_delegated_admin",
            "suspended",
            "suspension_reason",
            "archived",
            "is_enrolled_in_2sv",
            "is_enforced_in_2sv",
            "last_login_time",
            "creation_time",
            "org_unit_path",
            "recovery_email",
            "external_ids",
            "customer_id",
        ],
        order: &["primary_email"],
    },
    TableSchema {
        name: "googleworkspace_group",
        description: "Google Workspace groups",
        columns: &["id", "email", "name", "description", "direct_members_count", "admin_created", "aliases"],
        order: &["email"],
    },
    TableSchema {
        name: "googleworkspace_group_member",
        description: "Direct members of groups; type GROUP nests, CUSTOMER is the whole company",
        columns: &["group_email", "member_id", "email", "role", "type", "status"],
        order: &["group_email", "member_id"],
    },
    TableSchema {
        name: "googleworkspace_shared_drive_file",
        description: "Files of My Drive and of shared drives, with their sharing",
        columns: &[
            "id",
            "name",
            "mime_type",
            "drive_id",
            "owner_email",
            "permissions",
            "shared",
            "trashed",
            "size",
            "created_time",
            "modified_time",
            "last_modifying_user_email",
            "web_view_link",
        ],
        order: &["id"],
    },
];
