//! The workbench as a person has it: the real program in a terminal, with folders of its own.

mod broken_files;
mod bulk;
mod colours;
mod copying;
mod desk;
mod drafts;
mod first_frame;
mod hostile;
mod idle;
mod journey;
mod leaving;
mod mouse;
mod panics;
mod replay;
mod sizes;
mod stopping;
mod two_at_once;
