//! The sort of a parsed statement.

use crate::domain::StatementKind;
use sqlite3_parser::ast::Stmt;

/// The sort of statement, from its parse tree.
pub(super) const fn of(statement: &Stmt<'_>) -> StatementKind {
    match statement {
        Stmt::Select(_) => StatementKind::Select,
        Stmt::Insert { .. } => StatementKind::Insert,
        Stmt::Update { .. } => StatementKind::Update,
        Stmt::Delete { .. } => StatementKind::Delete,
        Stmt::Pragma(..) => StatementKind::Pragma,
        Stmt::Attach { .. } => StatementKind::Attach,
        Stmt::Detach(_) => StatementKind::Detach,
        Stmt::Vacuum(..) => StatementKind::Vacuum,
        Stmt::Begin(..) | Stmt::Commit(_) | Stmt::Release(_) | Stmt::Rollback { .. } | Stmt::Savepoint(_) => {
            StatementKind::Transaction
        }
        Stmt::CreateVirtualTable { .. } => StatementKind::VirtualTable,
        Stmt::CreateTrigger { .. } | Stmt::DropTrigger { .. } => StatementKind::Trigger,
        Stmt::AlterTable(..)
        | Stmt::Analyze(_)
        | Stmt::CreateIndex { .. }
        | Stmt::CreateTable { .. }
        | Stmt::CreateView { .. }
        | Stmt::DropIndex { .. }
        | Stmt::DropTable { .. }
        | Stmt::DropView { .. }
        | Stmt::Reindex { .. } => StatementKind::Definition,
    }
}
