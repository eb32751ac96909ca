//! Commands: everything that can be done, in one table, with its name, its words, what it takes and when it is offered.
//!
//! Keys, the mouse, the palette, help, the status line and the headless protocol all read this table. Not here: which key
//! gives which command (`keys`).

mod argument;
mod condition;
mod fact;
mod invocation;
mod registry;

pub use argument::{Argument, Arguments, Kind};
pub(in crate::workbench) use argument::{optional, required};
pub use condition::Condition;
pub use fact::{FACTS, Fact};
pub use invocation::Invocation;
pub use registry::{Group, all, document, find};

use super::effect::Effect;
use super::state::Workbench;

/// What doing a command gives: effects, or why it can't be done, in words for the person.
pub type Done = Result<Vec<Effect>, String>;

/// A command.
#[derive(Clone, Copy)]
pub struct Command {
    /// Its id: an area, a dot, a verb.
    pub id: &'static str,
    /// A few words for the palette and the status line.
    pub title: &'static str,
    /// One sentence.
    pub doc: &'static str,
    /// What it takes.
    pub arguments: &'static [Argument],
    /// When it is offered, as a [`Condition`]; empty for always.
    pub when: &'static str,
    /// Whether `undo` takes it back.
    pub undoable: bool,
    /// Does it.
    pub run: fn(&mut Workbench, Arguments<'_>) -> Done,
}

impl std::fmt::Debug for Command {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Command({})", self.id)
    }
}

impl Command {
    /// A command without arguments that can't be taken back.
    pub(in crate::workbench) const fn new(
        id: &'static str,
        title: &'static str,
        doc: &'static str,
        when: &'static str,
        run: fn(&mut Workbench, Arguments<'_>) -> Done,
    ) -> Self {
        Self { id, title, doc, arguments: &[], when, undoable: false, run }
    }

    /// The same with arguments.
    pub(in crate::workbench) const fn takes(mut self, arguments: &'static [Argument]) -> Self {
        self.arguments = arguments;
        self
    }

    /// The same, taken back by `undo`.
    pub(in crate::workbench) const fn undoable(mut self) -> Self {
        self.undoable = true;
        self
    }

    /// Whether it is offered now.
    pub fn is_offered(&self, state: &Workbench) -> bool {
        Condition::known(self.when).is_some_and(|when| when.holds(state))
    }
}

/// Does a command that was given.
pub(super) fn give(state: &mut Workbench, invocation: &Invocation) -> Done {
    let Some(command) = find(&invocation.command) else {
        return Err(format!(
            "there is no command '{}'; casebook keys lists them",
            short(&invocation.command)
        ));
    };
    let arguments = Arguments::check(&invocation.arguments, command.arguments)
        .map_err(|reason| format!("{}: {reason}", command.id))?;
    if !command.is_offered(state) {
        let missing = Condition::known(command.when).map(|when| when.missing(state)).unwrap_or_default();
        return Err(format!("{} can't be done now; it needs that {missing}", command.title));
    }
    (command.run)(state, arguments)
}

fn short(text: &str) -> String {
    text.chars().take(60).collect()
}
