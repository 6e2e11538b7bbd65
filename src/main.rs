//! The `kalah` program: arguments to a command, its result to an exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    kalah::cli::main()
}
