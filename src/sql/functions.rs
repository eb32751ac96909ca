//! The functions that a statement may call, with their arguments and what they give.
//!
//! They are those of the SQLite that is built in, without what the guard refuses and without what serves full-text tables
//! and SQLite itself; `tests/query/functions.rs` holds this list against both.

use FunctionKind::{Aggregate, Scalar, Table, Window};

/// What a function works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FunctionKind {
    /// Values of one row.
    Scalar,
    /// A group of rows, or a window.
    Aggregate,
    /// A window only: it needs OVER.
    Window,
    /// It stands in FROM and gives rows.
    Table,
}

/// One function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Function {
    /// Its call: arguments in brackets may be left out, `...` stands for more of the last. Without parentheses where it is
    /// written so.
    pub signature: &'static str,
    /// What it works on.
    pub kind: FunctionKind,
    /// What it gives, in a phrase.
    pub gives: &'static str,
}

impl Function {
    /// Its name, in lower case.
    pub fn name(&self) -> &'static str {
        self.signature.split('(').next().unwrap_or_default()
    }
}

const fn function(signature: &'static str, kind: FunctionKind, gives: &'static str) -> Function {
    Function { signature, kind, gives }
}

/// All of them, sorted by name.
pub const FUNCTIONS: &[Function] = &[
    function("abs(X)", Scalar, "X without its sign"),
    function("avg(X)", Aggregate, "mean of the values that are not NULL, as a real"),
    function("changes()", Scalar, "rows that the last INSERT, UPDATE or DELETE changed"),
    function("char(X, ...)", Scalar, "text of the characters with these code points"),
    function("coalesce(X, Y, ...)", Scalar, "first argument that is not NULL"),
    function("concat(X, ...)", Scalar, "all arguments as one text; NULL counts as empty"),
    function(
        "concat_ws(SEP, X, ...)",
        Scalar,
        "the arguments that are not NULL as one text, SEP between them",
    ),
    function("count(X)", Aggregate, "number of rows where X is not NULL; count(*) counts all"),
    function("cume_dist()", Window, "share of the partition's rows up to this one and its peers"),
    function("current_date", Scalar, "today as YYYY-MM-DD: the release date"),
    function("current_time", Scalar, "time of day as HH:MM:SS: midnight UTC"),
    function("current_timestamp", Scalar, "now as YYYY-MM-DD HH:MM:SS: the release date at midnight UTC"),
    function("date(T, MOD, ...)", Scalar, "date as YYYY-MM-DD, after modifiers such as '-90 days'"),
    function("datetime(T, MOD, ...)", Scalar, "date and time as YYYY-MM-DD HH:MM:SS, after modifiers"),
    function("dense_rank()", Window, "rank in the partition without gaps after peers"),
    function("first_value(X)", Window, "X in the first row of the frame"),
    function("format(FMT, ...)", Scalar, "text after a printf pattern"),
    function("glob(PATTERN, X)", Scalar, "whether X GLOB PATTERN; case counts"),
    function(
        "group_concat(X [, SEP])",
        Aggregate,
        "values of the group as one text, with commas or SEP between them",
    ),
    function("hex(X)", Scalar, "bytes of X in upper-case hex"),
    function("if(COND, X [, Y])", Scalar, "X where COND is true, else Y; like iif"),
    function("ifnull(X, Y)", Scalar, "X, or Y where X is NULL"),
    function("iif(COND, X [, Y])", Scalar, "X where COND is true, else Y or NULL"),
    function("instr(X, Y)", Scalar, "place of the first Y in X from 1; 0 where there is none"),
    function("json(X)", Scalar, "X checked as JSON and written without spaces"),
    function("json_array(X, ...)", Scalar, "JSON array of the arguments"),
    function(
        "json_array_insert(JSON, PATH, X, ...)",
        Scalar,
        "JSON with X put into an array before the element at PATH",
    ),
    function(
        "json_array_length(JSON [, PATH])",
        Scalar,
        "number of elements of an array; 0 for what is none",
    ),
    function(
        "json_each(JSON [, PATH])",
        Table,
        "one row for each member or element: key, value, type, atom, id, parent, fullkey, path",
    ),
    function(
        "json_error_position(X)",
        Scalar,
        "place of the first error in JSON text from 1; 0 where it is well-formed",
    ),
    function(
        "json_extract(JSON, PATH, ...)",
        Scalar,
        "value at PATH as SQL; several paths give a JSON array",
    ),
    function("json_group_array(X)", Aggregate, "JSON array of the group's values"),
    function("json_group_object(NAME, X)", Aggregate, "JSON object of the group's names and values"),
    function("json_insert(JSON, PATH, X, ...)", Scalar, "JSON with X at PATH where nothing was there"),
    function("json_object(NAME, X, ...)", Scalar, "JSON object of names and values"),
    function("json_pretty(JSON [, INDENT])", Scalar, "JSON over several lines"),
    function("json_quote(X)", Scalar, "an SQL value as JSON"),
    function("json_remove(JSON, PATH, ...)", Scalar, "JSON without what is at PATH"),
    function("json_replace(JSON, PATH, X, ...)", Scalar, "JSON with X at PATH where something was there"),
    function("json_set(JSON, PATH, X, ...)", Scalar, "JSON with X at PATH, there already or not"),
    function(
        "json_tree(JSON [, PATH])",
        Table,
        "one row for each value at any depth: key, value, type, atom, id, parent, fullkey, path",
    ),
    function("json_type(JSON [, PATH])", Scalar, "null, true, false, integer, real, text, array or object"),
    function("json_valid(X [, FLAGS])", Scalar, "1 where X is well-formed JSON"),
    function("jsonb(X)", Scalar, "JSON in SQLite's binary form"),
    function("jsonb_array(X, ...)", Scalar, "like json_array, in binary form"),
    function("jsonb_array_insert(JSON, PATH, X, ...)", Scalar, "like json_array_insert, in binary form"),
    function(
        "jsonb_extract(JSON, PATH, ...)",
        Scalar,
        "like json_extract, with arrays and objects in binary form",
    ),
    function("jsonb_group_array(X)", Aggregate, "like json_group_array, in binary form"),
    function("jsonb_group_object(NAME, X)", Aggregate, "like json_group_object, in binary form"),
    function("jsonb_insert(JSON, PATH, X, ...)", Scalar, "like json_insert, in binary form"),
    function("jsonb_object(NAME, X, ...)", Scalar, "like json_object, in binary form"),
    function("jsonb_remove(JSON, PATH, ...)", Scalar, "like json_remove, in binary form"),
    function("jsonb_replace(JSON, PATH, X, ...)", Scalar, "like json_replace, in binary form"),
    function("jsonb_set(JSON, PATH, X, ...)", Scalar, "like json_set, in binary form"),
    function(
        "julianday(T, MOD, ...)",
        Scalar,
        "days since noon of 24 November 4714 BC, as a real; differences are days",
    ),
    function("lag(X [, N, DEFAULT])", Window, "X in the row N before this one, else DEFAULT"),
    function("last_insert_rowid()", Scalar, "rowid of the last row inserted"),
    function("last_value(X)", Window, "X in the last row of the frame"),
    function("lead(X [, N, DEFAULT])", Window, "X in the row N after this one, else DEFAULT"),
    function("length(X)", Scalar, "characters of a text, bytes of a blob"),
    function(
        "like(PATTERN, X [, ESCAPE])",
        Scalar,
        "whether X LIKE PATTERN; case of ASCII letters does not count",
    ),
    function(
        "likelihood(X, P)",
        Scalar,
        "X; tells the planner that it is true with probability P, which must be a literal",
    ),
    function("likely(X)", Scalar, "X; tells the planner that it is mostly true"),
    function("lower(X)", Scalar, "X with ASCII letters in lower case"),
    function("ltrim(X [, CHARS])", Scalar, "X without spaces, or CHARS, at its start"),
    function(
        "max(X, ...)",
        Aggregate,
        "largest value of the group; of two or more arguments the largest, NULL if one is NULL",
    ),
    function(
        "min(X, ...)",
        Aggregate,
        "smallest value of the group; of two or more arguments the smallest, NULL if one is NULL",
    ),
    function("nth_value(X, N)", Window, "X in the Nth row of the frame"),
    function("ntile(N)", Window, "number of this row's part when the partition is cut into N even parts"),
    function("nullif(X, Y)", Scalar, "NULL where X = Y, else X"),
    function("octet_length(X)", Scalar, "bytes that X takes as text"),
    function("percent_rank()", Window, "rank in the partition as a share from 0 to 1"),
    function("printf(FMT, ...)", Scalar, "like format"),
    function("quote(X)", Scalar, "X as an SQL literal"),
    function("random()", Scalar, "random 64-bit integer, from the trial's seed"),
    function("randomblob(N)", Scalar, "N random bytes, from the trial's seed"),
    function("rank()", Window, "rank in the partition with gaps after peers"),
    function("replace(X, Y, Z)", Scalar, "X with every Y replaced by Z"),
    function("round(X [, DIGITS])", Scalar, "X rounded to DIGITS decimals"),
    function("row_number()", Window, "number of the row in its partition from 1"),
    function("rtrim(X [, CHARS])", Scalar, "X without spaces, or CHARS, at its end"),
    function("sign(X)", Scalar, "-1, 0 or 1; NULL for what is no number"),
    function("soundex(X)", Scalar, "code of how an English name sounds"),
    function("sqlite_version()", Scalar, "version of SQLite"),
    function(
        "strftime(FMT, T, MOD, ...)",
        Scalar,
        "date and time after a pattern: %Y %m %d %H %M %S %j %w %s and more",
    ),
    function("string_agg(X, SEP)", Aggregate, "values of the group as one text, SEP between them"),
    function(
        "substr(X, START [, LENGTH])",
        Scalar,
        "part of X from START, counted from 1, or from the end if negative",
    ),
    function("substring(X, START [, LENGTH])", Scalar, "like substr"),
    function("sum(X)", Aggregate, "sum of the values that are not NULL; NULL where there are none"),
    function("time(T, MOD, ...)", Scalar, "time of day as HH:MM:SS, after modifiers"),
    function("timediff(T1, T2)", Scalar, "T1 less T2 as +YYYY-MM-DD HH:MM:SS.SSS"),
    function("total(X)", Aggregate, "sum as a real; 0.0 where there is nothing to add"),
    function("total_changes()", Scalar, "rows changed so far"),
    function("trim(X [, CHARS])", Scalar, "X without spaces, or CHARS, at both ends"),
    function("typeof(X)", Scalar, "null, integer, real, text or blob"),
    function(
        "unhex(X [, IGNORE])",
        Scalar,
        "blob from hex digits; NULL where other characters are among them",
    ),
    function("unicode(X)", Scalar, "code point of the first character"),
    function("unistr(X)", Scalar, "text with its \\u escapes resolved"),
    function("unistr_quote(X)", Scalar, "X as an SQL literal, control characters as escapes"),
    function("unixepoch(T, MOD, ...)", Scalar, "seconds since 1970"),
    function("unlikely(X)", Scalar, "X; tells the planner that it is mostly false"),
    function("upper(X)", Scalar, "X with ASCII letters in upper case"),
    function("zeroblob(N)", Scalar, "blob of N zero bytes"),
];

#[cfg(test)]
mod tests {
    use super::{FUNCTIONS, Function};

    #[test]
    fn names_are_sorted_and_phrases_short() {
        assert!(FUNCTIONS.is_sorted_by_key(Function::name));
        for function in FUNCTIONS {
            assert!((1..=100).contains(&function.gives.len()), "{}", function.name());
        }
    }
}
