//! The rules by which a statement is refused before it runs, by name.
//!
//! The guard in `query` enforces them; this is only their vocabulary, so that records, errors and tests can name
//! a rule without a database.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a statement was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// Nothing to run: empty text, white space or comments only.
    EmptyStatement,
    /// More than one statement.
    SeveralStatements,
    /// A NUL byte in the text: SQLite would silently stop reading there.
    NulByte,
    /// The text is longer than the limit.
    StatementTooLong,
    /// Parentheses or CASE nested deeper than the limit.
    NestingTooDeep,
    /// ATTACH: opens another file.
    Attach,
    /// DETACH.
    Detach,
    /// VACUUM or VACUUM INTO: writes files.
    Vacuum,
    /// `load_extension`: runs foreign code.
    LoadExtension,
    /// `fts3_tokenizer`: takes raw pointers.
    Fts3Tokenizer,
    /// A function that reads or writes files (`readfile`, `writefile`, `edit`, …).
    FileFunction,
    /// A function whose single call can outlast any deadline (`json_patch`).
    UnboundedFunction,
    /// A pragma outside the allow list.
    Pragma,
    /// BEGIN, COMMIT, ROLLBACK, SAVEPOINT, RELEASE: the harness owns transactions.
    Transaction,
    /// CREATE or DROP VIRTUAL TABLE, or a virtual table other than the built-in table-valued functions.
    VirtualTable,
    /// CREATE or DROP TRIGGER.
    Trigger,
    /// Any other action that the guard does not know: refused until it is understood.
    UnknownAction,
    /// SQLite itself rejected the statement (syntax, no such table or column, a compile-time limit).
    SqlError,
}

impl Rule {
    /// Every rule, in the order of the enum.
    pub const ALL: [Self; 18] = [
        Self::EmptyStatement,
        Self::SeveralStatements,
        Self::NulByte,
        Self::StatementTooLong,
        Self::NestingTooDeep,
        Self::Attach,
        Self::Detach,
        Self::Vacuum,
        Self::LoadExtension,
        Self::Fts3Tokenizer,
        Self::FileFunction,
        Self::UnboundedFunction,
        Self::Pragma,
        Self::Transaction,
        Self::VirtualTable,
        Self::Trigger,
        Self::UnknownAction,
        Self::SqlError,
    ];

    /// The rule's name as records and JSON carry it, such as `several_statements`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::EmptyStatement => "empty_statement",
            Self::SeveralStatements => "several_statements",
            Self::NulByte => "nul_byte",
            Self::StatementTooLong => "statement_too_long",
            Self::NestingTooDeep => "nesting_too_deep",
            Self::Attach => "attach",
            Self::Detach => "detach",
            Self::Vacuum => "vacuum",
            Self::LoadExtension => "load_extension",
            Self::Fts3Tokenizer => "fts3_tokenizer",
            Self::FileFunction => "file_function",
            Self::UnboundedFunction => "unbounded_function",
            Self::Pragma => "pragma",
            Self::Transaction => "transaction",
            Self::VirtualTable => "virtual_table",
            Self::Trigger => "trigger",
            Self::UnknownAction => "unknown_action",
            Self::SqlError => "sql_error",
        }
    }

    /// What the actor should do instead, as one sentence.
    pub const fn advice(self) -> &'static str {
        match self {
            Self::EmptyStatement => "Send one SQL statement.",
            Self::SeveralStatements => "Send one statement per call.",
            Self::NulByte => "Remove the NUL byte.",
            Self::StatementTooLong => "Shorten the statement.",
            Self::NestingTooDeep => "Write the statement with fewer nested parentheses.",
            Self::Attach | Self::Detach => "Only the one database of this environment can be used.",
            Self::Vacuum => {
                "The copy is discarded after the trial; there is nothing to compact or write out."
            }
            Self::LoadExtension | Self::Fts3Tokenizer | Self::FileFunction => {
                "Only SQLite's built-in functions on the tables of this environment can be used."
            }
            Self::UnboundedFunction => "Use json_set, json_insert or json_remove.",
            Self::Pragma => {
                "Allowed pragmas: table_info, table_xinfo, index_list, index_info, foreign_key_list, table_list."
            }
            Self::Transaction => "Every statement is its own transaction; leave transaction control out.",
            Self::VirtualTable => "Use ordinary tables; json_each and json_tree are available.",
            Self::Trigger => "Triggers can't be created; run the statements themselves.",
            Self::UnknownAction => "Use SELECT, or plain changes to the tables of this copy.",
            Self::SqlError => "Correct the statement; get_schema lists tables and columns.",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Rule;

    #[test]
    fn the_name_is_the_serialised_form() {
        for rule in Rule::ALL {
            assert_eq!(serde_json::to_string(&rule).unwrap(), format!("\"{}\"", rule.name()));
        }
    }
}
