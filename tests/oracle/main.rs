//! Numbers and verdicts made by programs that nobody here wrote. Data only is kept here; each folder says its source.

mod sql_structure;
mod support;
