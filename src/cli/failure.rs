//! How a subcommand ends badly: a message on stderr and an exit code.

use std::io::{self, Write as _};
use std::process::ExitCode;

/// Why a subcommand did not end well.
#[derive(Debug)]
pub(super) enum Failure {
    /// A check found something; what it found is printed already.
    Check,
    /// The input can't be used.
    Input(String),
    /// An outside service failed.
    Outside(String),
    /// Ctrl-C.
    Interrupted(String),
    /// A signal ended it; the code is the shell's, 128 and the signal's number.
    Signal(u8),
    /// The reader of our output went away: nothing to say, nobody to say it to.
    ClosedPipe,
}

impl Failure {
    /// Unusable input, with the whole chain of reasons.
    pub(super) fn input(error: &dyn std::error::Error) -> Self {
        Self::Input(error.to_string())
    }

    /// Prints the message, if there is one, and gives the exit code.
    pub(super) fn report(self) -> ExitCode {
        let (message, code) = match self {
            Self::Check => (None, 1),
            Self::Input(message) => (Some(message), 3),
            Self::Outside(message) => (Some(message), 4),
            Self::Interrupted(message) => (Some(message), 130),
            Self::Signal(code) => (None, code),
            Self::ClosedPipe => (None, 0),
        };
        if let Some(message) = message {
            // Messages may quote untrusted names; a failing stderr leaves nothing to do.
            let lines = message.lines().map(crate::text::visible::visible);
            let text = lines.collect::<Vec<_>>().join("\n");
            let _ = writeln!(io::stderr(), "casebook: {text}");
        }
        ExitCode::from(code)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Input(format!("can't write the output: {error}")),
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        io::Error::from(error).into()
    }
}
