//! Text as people see it, edit it and as SQL spells it: width, wrapping, untrusted characters made visible, JSON, tables,
//! the edit buffer, SQL tokens and their colours.
//!
//! Not here: colours, terminals, databases. Everything is a function of its arguments.

pub mod brackets;
pub mod edit_buffer;
pub mod grid;
pub mod json;
pub mod result_text;
pub mod rows;
pub mod sql_colours;
pub mod sql_lexer;
pub mod sql_words;
pub mod tsv;
pub mod visible;
pub mod width;
pub mod wrap;
