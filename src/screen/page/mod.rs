//! The pages, one file each.

pub(super) mod cases;
pub(super) mod investigate;
pub(super) mod replay;
