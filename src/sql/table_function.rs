//! Table-valued functions and catalogue tables: relations that are not base tables.

/// Columns of a built-in relation that is no base table, and which of them carry the function's first argument.
pub(super) struct BuiltIn {
    /// Column names in order.
    pub(super) columns: &'static [&'static str],
    /// Names reachable, but not part of `*`.
    pub(super) hidden: &'static [&'static str],
    /// Columns through which the first argument is seen.
    pub(super) carrying: &'static [&'static str],
}

const fn plain(columns: &'static [&'static str]) -> BuiltIn {
    BuiltIn { columns, hidden: &["arg", "schema"], carrying: &[] }
}

/// The built-in relation with this folded name, if there is one.
pub(super) fn built_in(name: &str) -> Option<BuiltIn> {
    Some(match name {
        "json_each" | "json_tree" | "jsonb_each" | "jsonb_tree" => BuiltIn {
            columns: &["key", "value", "type", "atom", "id", "parent", "fullkey", "path"],
            hidden: &["json", "root"],
            carrying: &["key", "value", "atom", "fullkey", "json"],
        },
        "generate_series" => {
            BuiltIn { columns: &["value"], hidden: &["start", "stop", "step"], carrying: &[] }
        }
        "pragma_table_info" => plain(&["cid", "name", "type", "notnull", "dflt_value", "pk"]),
        "pragma_table_xinfo" => plain(&["cid", "name", "type", "notnull", "dflt_value", "pk", "hidden"]),
        "pragma_index_list" => plain(&["seq", "name", "unique", "origin", "partial"]),
        "pragma_index_info" => plain(&["seqno", "cid", "name"]),
        "pragma_foreign_key_list" => {
            plain(&["id", "seq", "table", "from", "to", "on_update", "on_delete", "match"])
        }
        "pragma_table_list" => plain(&["schema", "name", "type", "ncol", "wr", "strict"]),
        "sqlite_master" | "sqlite_schema" | "sqlite_temp_master" | "sqlite_temp_schema" => BuiltIn {
            columns: &["type", "name", "tbl_name", "rootpage", "sql"],
            hidden: &["rowid"],
            carrying: &[],
        },
        _ => return None,
    })
}
