//! The `casebook` binary: hands its arguments to [`casebook::cli`] and exits with the code that comes back.

use std::process::ExitCode;

fn main() -> ExitCode {
    casebook::cli::main()
}
