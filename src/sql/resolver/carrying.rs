//! Which arguments of a function its result carries.

/// Which arguments a function passes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Carries {
    /// None: counts, sums, lengths, positions, ranks, types.
    Nothing,
    /// The first: the others only say how (a pattern, a path, a separator).
    First,
    /// All.
    All,
    /// The results, not the conditions: `iif(condition, yes, no)`.
    Branches,
}

/// What the function with this folded name carries. A function that is not listed passes all its arguments on.
pub(super) fn of(function: &str) -> Carries {
    match function {
        "count"
        | "sum"
        | "avg"
        | "total"
        | "length"
        | "octet_length"
        | "instr"
        | "row_number"
        | "rank"
        | "dense_rank"
        | "percent_rank"
        | "cume_dist"
        | "ntile"
        | "typeof"
        | "json_valid"
        | "json_type"
        | "json_array_length"
        | "json_error_position"
        | "unicode"
        | "sign"
        | "like"
        | "glob"
        | "random"
        | "randomblob"
        | "zeroblob"
        | "changes"
        | "total_changes"
        | "last_insert_rowid"
        | "median"
        | "percentile"
        | "percentile_cont"
        | "percentile_disc" => Carries::Nothing,
        "substr" | "substring" | "trim" | "ltrim" | "rtrim" | "replace" | "json_extract"
        | "jsonb_extract" | "group_concat" | "string_agg" | "round" | "nth_value" | "first_value"
        | "last_value" | "likelihood" | "unhex" => Carries::First,
        "iif" | "if" => Carries::Branches,
        _ => Carries::All,
    }
}
