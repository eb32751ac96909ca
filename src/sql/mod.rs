//! SQL analysis.
