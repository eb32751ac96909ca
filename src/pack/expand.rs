//! What a reference query says by name and the snapshot says in words.

use crate::domain::SchemaDocument;

/// The query with `{{today}}` and `{{company_domains}}` of this snapshot in place. Every actor is told both, in the head
/// of the schema document.
pub fn expand(sql: &str, told: &SchemaDocument) -> String {
    let quoted = |text: &String| format!("'{}'", text.replace('\'', "''"));
    let domains: Vec<String> = told.company_domains.iter().map(quoted).collect();
    sql.replace("{{today}}", &told.release_date.to_string())
        .replace("{{company_domains}}", &domains.join(", "))
}
