//! Where a value comes from: the base columns that an expression carries, each with the instance it was read from.

/// One occurrence of a relation in a statement. Two mentions of a table are two instances; a CTE or a view gives
/// fresh ones each time it is used.
pub(super) type Instance = u32;

/// A base column: number of the table in the catalogue, number of the column in the table.
pub(super) type BaseColumn = (u32, u16);

/// The column number of `rowid` and its synonyms, which no table lists.
pub(super) const ROWID: u16 = u16::MAX;

/// One base column read through one instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Origin {
    pub(super) instance: Instance,
    pub(super) column: BaseColumn,
}

/// The origins of an expression, without repeats. Empty for constants, counts and everything that carries no value
/// of a column.
pub(super) type Origins = Vec<Origin>;

/// Adds the origins that are not there yet.
pub(super) fn merge(into: &mut Origins, more: &[Origin]) {
    for origin in more {
        if !into.contains(origin) {
            into.push(*origin);
        }
    }
}
