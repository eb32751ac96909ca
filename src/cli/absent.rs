//! The commands that a build without vaults does not have: they take any arguments and say why they are not there.

use super::failure::Failure;
use std::ffi::OsString;
use std::io::Write;

/// Whatever is given.
#[derive(Debug, clap::Args)]
pub(super) struct AnyArguments {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _given: Vec<OsString>,
}

/// Why a command, or a way of using it, is not there.
pub(super) fn absent(what: &str) -> Failure {
    Failure::Input(format!(
        "`casebook {what}` is not in this build (agent-host): it holds no reference queries and no truth, so that an agent on \
         this machine can't read them; use a full build on a machine that hosts no agents (docs/agents.md)"
    ))
}

/// `casebook snapshot generate`: who has the generator has what it plants.
pub(super) mod snapshot_generate {
    pub(in crate::cli) use super::AnyArguments as Arguments;
    use super::{Failure, Write, absent};

    pub(in crate::cli) fn run(_: &Arguments, _: &mut dyn Write) -> Result<(), Failure> {
        Err(absent("snapshot generate"))
    }
}

/// `casebook snapshot rates`.
pub(super) mod snapshot_rates {
    pub(in crate::cli) use super::AnyArguments as Arguments;
    use super::{Failure, Write, absent};

    pub(in crate::cli) fn run(_: &Arguments, _: &mut dyn Write) -> Result<(), Failure> {
        Err(absent("snapshot rates"))
    }
}

/// `casebook pack check` and `new`.
pub(super) mod pack_vault {
    use super::{Failure, Write, absent};
    use std::path::Path;

    pub(in crate::cli) fn check(_: &str, _: bool, _: bool, _: &mut dyn Write) -> Result<(), Failure> {
        Err(absent("pack check"))
    }

    pub(in crate::cli) fn begin(_: &Path, _: &mut dyn Write) -> Result<(), Failure> {
        Err(absent("pack new"))
    }
}

/// `casebook tasks show --vault`.
pub(super) mod tasks_vault {
    use super::{Failure, Write, absent};
    use crate::domain::TaskBrief;
    use crate::pack::Pack;

    pub(in crate::cli) fn show(
        _: &Pack,
        _: &TaskBrief,
        _: &str,
        _: bool,
        _: &mut dyn Write,
    ) -> Result<(), Failure> {
        Err(absent("tasks show --vault"))
    }
}
