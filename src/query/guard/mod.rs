//! What a statement may do: refused before it runs, by a named rule.
//!
//! SQLite's authorizer decides (`authorizer`), never the text: it sees what a statement would really do, whatever its
//! spelling, comments or nesting. The text is only looked at for what the authorizer can't see (`text_rules`): nothing to
//! run, several statements, NUL bytes, sheer size. `compile_limits` bounds what may be compiled at all.

mod authorizer;
mod compile_limits;
mod text_rules;

pub(super) use authorizer::{Observer, missing_function, watch};
pub(super) use compile_limits::{MAX_VALUE_BYTES, apply as apply_compile_limits};
pub(super) use text_rules::{check as check_text, explained, first_word};

/// The longest statement, in bytes.
pub const MAX_STATEMENT_BYTES: usize = 1 << 20;
