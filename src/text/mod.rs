//! Text as people see it and as SQL spells it: width, untrusted characters made visible, JSON, tables, SQL tokens.
//!
//! Not here: colours, terminals, databases. Everything is a function of its arguments.

pub mod grid;
pub mod json;
pub mod sql_lexer;
pub mod tsv;
pub mod visible;
pub mod width;
