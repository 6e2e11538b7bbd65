//! `kalah completions`: scripts that complete its arguments in a shell.

use std::io::Write;

use clap::{Args as ClapArgs, CommandFactory};
use clap_complete::Shell;

use super::{Cli, Failure};

/// Print a script that completes the arguments of kalah in a shell
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  kalah completions bash > ~/.local/share/bash-completion/completions/kalah
  kalah completions fish > ~/.config/fish/completions/kalah.fish")]
pub(super) struct Args {
    /// The shell
    shell: Shell,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        // The generator panics if it cannot write: give it a buffer.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "kalah", &mut script);
        Ok(out.write_all(&script)?)
    }
}
