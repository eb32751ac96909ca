//! The authorizer: SQLite asks it about each thing a statement would do, while compiling it.
//!
//! What is not known is refused. Every denial keeps its rule, so that the actor is told which one it was.

use crate::domain::Rule;
use rusqlite::Connection;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const ATTACH: i32 = rusqlite::ffi::SQLITE_ATTACH;
const DETACH: i32 = rusqlite::ffi::SQLITE_DETACH;

/// Pragmas that only describe the schema.
const PRAGMAS: [&str; 6] =
    ["table_info", "table_xinfo", "index_list", "index_info", "foreign_key_list", "table_list"];

/// Virtual tables compiled into SQLite that a statement may not read: they show pages, statements and files, or need
/// tables of their own. `json_each`, `json_tree` and the table-valued forms of [`PRAGMAS`] may be read.
const VIRTUAL_TABLES: [&str; 18] = [
    "dbstat",
    "sqlite_dbpage",
    "sqlite_stmt",
    "bytecode",
    "tables_used",
    "fts3",
    "fts3tokenize",
    "fts4",
    "fts4aux",
    "fts5",
    "fts5vocab",
    "rtree",
    "rtree_i32",
    "geopoly",
    "carray",
    "completion",
    "fsdir",
    "zipfile",
];

/// Functions of the command-line shell and of extensions that reach files.
const FILE_FUNCTIONS: [&str; 12] = [
    "readfile",
    "writefile",
    "edit",
    "fsdir",
    "lsdir",
    "lsmode",
    "zipfile",
    "zipfile_cds",
    "sqlar_compress",
    "sqlar_uncompress",
    "shell",
    "system",
];

/// Functions that belong to the virtual tables refused above.
const VIRTUAL_TABLE_FUNCTIONS: [&str; 8] = [
    "rtreenode",
    "rtreedepth",
    "rtreecheck",
    "fts5",
    "fts5_source_id",
    "fts5_locale",
    "fts5_insttoken",
    "optimize",
];

/// What the authorizer saw while the last statement was compiled.
#[derive(Debug, Default)]
pub(in crate::query) struct Observed {
    /// The first denial: the rule, and what it met.
    pub(in crate::query) refused: Option<(Rule, String)>,
    /// Names of tables read or written, in lower case; views and catalogue tables may be among them.
    pub(in crate::query) tables: BTreeSet<String>,
    /// The statement is one of the engine's own.
    ours: bool,
}

/// The hand that reads what the authorizer saw.
#[derive(Debug, Clone, Default)]
pub(in crate::query) struct Observer(Arc<Mutex<Observed>>);

impl Observer {
    /// What was seen since [`Observer::reset`].
    pub(in crate::query) fn seen(&self) -> MutexGuard<'_, Observed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a piece of the engine's own work, which the guard does not judge. Never with text from outside.
    pub(in crate::query) fn unguarded<T>(&self, work: impl FnOnce() -> T) -> T {
        self.seen().ours = true;
        let result = work();
        self.reset();
        result
    }

    /// Forgets everything: the next statement starts afresh.
    pub(in crate::query) fn reset(&self) {
        *self.seen() = Observed::default();
    }
}

/// Installs the authorizer on a connection.
pub(in crate::query) fn watch(connection: &mut Connection) -> rusqlite::Result<Observer> {
    let observer = Observer::default();
    let own = observer.clone();
    connection.authorizer(Some(move |context: AuthContext<'_>| {
        let mut record = own.seen();
        if record.ours {
            return Authorization::Allow;
        }
        note_table(&mut record, &context.action);
        match judge(&context.action) {
            Ok(()) => Authorization::Allow,
            Err(refusal) => {
                record.refused.get_or_insert(refusal);
                Authorization::Deny
            }
        }
    }))?;
    Ok(observer)
}

/// Allows an action, or says which rule it breaks and how.
fn judge(action: &AuthAction<'_>) -> Result<(), (Rule, String)> {
    match *action {
        AuthAction::Attach { filename } => {
            Err((Rule::Attach, format!("it would open the file '{filename}'")))
        }
        // SQLite names no file where it is an expression.
        AuthAction::Unknown { code: ATTACH, .. } => {
            Err((Rule::Attach, "it would open a file whose name is computed".to_owned()))
        }
        AuthAction::Unknown { code: DETACH, .. } => {
            Err((Rule::Detach, "it would detach a database whose name is computed".to_owned()))
        }
        AuthAction::Detach { database_name } => {
            Err((Rule::Detach, format!("it would detach '{database_name}'")))
        }
        AuthAction::Pragma { pragma_name, .. } => pragma(pragma_name),
        AuthAction::Transaction { operation } => {
            Err((Rule::Transaction, format!("it is transaction control ({operation:?})")))
        }
        AuthAction::Savepoint { savepoint_name, .. } => {
            Err((Rule::Transaction, format!("it is transaction control (savepoint '{savepoint_name}')")))
        }
        AuthAction::CreateVtable { table_name, module_name }
        | AuthAction::DropVtable { table_name, module_name } => Err((
            Rule::VirtualTable,
            format!("'{table_name}' is a virtual table of the module '{module_name}'"),
        )),
        AuthAction::CreateTrigger { trigger_name, .. }
        | AuthAction::CreateTempTrigger { trigger_name, .. }
        | AuthAction::DropTrigger { trigger_name, .. }
        | AuthAction::DropTempTrigger { trigger_name, .. } => {
            Err((Rule::Trigger, format!("'{trigger_name}' is a trigger")))
        }
        AuthAction::Function { function_name } => function(function_name),
        AuthAction::Read { table_name, .. } => table(table_name),
        AuthAction::Select
        | AuthAction::Recursive
        | AuthAction::Insert { .. }
        | AuthAction::Update { .. }
        | AuthAction::Delete { .. }
        | AuthAction::CreateTable { .. }
        | AuthAction::CreateTempTable { .. }
        | AuthAction::CreateIndex { .. }
        | AuthAction::CreateTempIndex { .. }
        | AuthAction::CreateView { .. }
        | AuthAction::CreateTempView { .. }
        | AuthAction::DropTable { .. }
        | AuthAction::DropTempTable { .. }
        | AuthAction::DropIndex { .. }
        | AuthAction::DropTempIndex { .. }
        | AuthAction::DropView { .. }
        | AuthAction::DropTempView { .. }
        | AuthAction::AlterTable { .. }
        | AuthAction::Reindex { .. }
        | AuthAction::Analyze { .. } => Ok(()),
        other => {
            Err((Rule::UnknownAction, format!("SQLite asked about an action that is not known: {other:?}")))
        }
    }
}

fn pragma(name: &str) -> Result<(), (Rule, String)> {
    if PRAGMAS.iter().any(|allowed| name.eq_ignore_ascii_case(allowed)) {
        return Ok(());
    }
    Err((Rule::Pragma, format!("the pragma '{name}' is not allowed")))
}

fn function(name: &str) -> Result<(), (Rule, String)> {
    let lower = name.to_ascii_lowercase();
    let rule = match lower.as_str() {
        "load_extension" => Rule::LoadExtension,
        "fts3_tokenizer" => Rule::Fts3Tokenizer,
        // Its time grows with the square of its arguments: half a minute at the length limit, and no way to stop it.
        "json_patch" | "jsonb_patch" => Rule::UnboundedFunction,
        _ if VIRTUAL_TABLE_FUNCTIONS.contains(&lower.as_str()) => Rule::VirtualTable,
        _ if FILE_FUNCTIONS.contains(&lower.as_str()) => Rule::FileFunction,
        _ => return Ok(()),
    };
    Err((rule, format!("the function '{lower}' is not allowed")))
}

fn table(name: &str) -> Result<(), (Rule, String)> {
    let lower = name.to_ascii_lowercase();
    if let Some(pragma_name) = lower.strip_prefix("pragma_") {
        return pragma(pragma_name);
    }
    if VIRTUAL_TABLES.contains(&lower.as_str()) {
        return Err((Rule::VirtualTable, format!("'{lower}' is a virtual table")));
    }
    Ok(())
}

/// Keeps the name of a table that an action reads or writes.
fn note_table(observed: &mut Observed, action: &AuthAction<'_>) {
    if let AuthAction::Read { table_name, .. }
    | AuthAction::Insert { table_name }
    | AuthAction::Update { table_name, .. }
    | AuthAction::Delete { table_name } = *action
        && !observed.tables.contains(table_name)
    {
        observed.tables.insert(table_name.to_ascii_lowercase());
    }
}

/// The rule behind SQLite's message for a function or virtual table that is not compiled in, so that the authorizer
/// never hears of it: asking for a file is refused as that, not as a spelling mistake.
pub(in crate::query) fn missing_function(message: &str) -> Option<(Rule, String)> {
    let name = message
        .strip_prefix("no such function: ")
        .or_else(|| message.strip_prefix("no such table-valued function: "))
        .or_else(|| message.strip_prefix("no such table: "))
        .or_else(|| message.strip_prefix('\'')?.strip_suffix("' is not a function"))?;
    let name = name.to_ascii_lowercase();
    if name == "fts3_tokenizer" || name == "load_extension" || FILE_FUNCTIONS.contains(&name.as_str()) {
        return function(&name).err();
    }
    name.starts_with("pragma_").then(|| (Rule::Pragma, format!("there is no pragma behind '{name}'")))
}

#[cfg(test)]
mod tests {
    use super::{PRAGMAS, VIRTUAL_TABLES};
    use rusqlite::Connection;

    /// Every virtual table module that this build of SQLite carries is refused, or known to be harmless.
    #[test]
    fn every_module_of_this_sqlite_is_known() {
        let database = Connection::open_in_memory().unwrap();
        let mut modules = database.prepare("SELECT name FROM pragma_module_list").unwrap();
        let modules: Vec<String> =
            modules.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        assert!(modules.len() > 5, "{modules:?}");
        for module in modules {
            let known = VIRTUAL_TABLES.contains(&module.as_str())
                || ["json_each", "json_tree", "jsonb_each", "jsonb_tree"].contains(&module.as_str())
                || module
                    .strip_prefix("pragma_")
                    .is_some_and(|name| PRAGMAS.contains(&name) || !name.is_empty());
            assert!(known, "the module {module} is neither refused nor known to be harmless");
        }
    }
}
