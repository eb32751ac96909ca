//! Hostile statements.
