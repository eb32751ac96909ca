//! The pure view: what the state of the workbench looks like in a terminal.
//!
//! [`view()`] draws a state with a theme and says what can be clicked where. Not here: channels, files, the clock, the terminal
//! itself. What is drawn is a function of the state and the theme.

pub mod hit_map;
mod page;
mod part;
#[cfg(test)]
mod test_support;
#[cfg(test)]
mod test_workspace;
pub mod theme;
mod view;
#[cfg(test)]
mod view_tests;

pub use hit_map::HitMap;
pub use view::{Drawn, view};
