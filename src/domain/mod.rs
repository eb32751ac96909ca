//! Pure data and rules: the words of the product as types.
//!
//! Not here: I/O, clocks, databases, terminals. Everything in this room can be built in a test from literals.

pub mod evidence;
pub mod foreign;
pub mod replay;
pub mod result_set;
pub mod revision;
pub mod rule;
pub mod schema_document;
pub mod short_name;
pub mod statement;
pub mod task;
pub mod trace;
pub mod trial;
pub mod trial_limits;
pub mod value;

pub use result_set::{Cut, ResultSet};
pub use revision::Revision;
pub use rule::Rule;
pub use schema_document::{SchemaDocument, TableDescription};
pub use short_name::is_short_name;
pub use statement::{Analysis, ColumnName, JoinEdge, StatementAnalysis, StatementKind};
pub use task::{Complexity, Focus, Platform, TaskBrief};
pub use value::Value;
