//! `kalah completions`: scripts that complete its arguments in a shell.

use std::io::Write;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Args as ClapArgs, Command, ValueHint};
use clap_complete::Shell;

use super::failure::Failure;
use crate::game::Capture;
use crate::play::seat::LEVELS;

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
    /// Prints the script that completes the arguments of `program`.
    pub(super) fn run(self, program: Command, out: &mut dyn Write) -> Result<(), Failure> {
        let mut names = Vec::new();
        add_names(&program, &mut names);
        // The generator panics if it cannot write: give it a buffer.
        let mut script = Vec::new();
        let mut command = offering(program, &names);
        clap_complete::generate(self.shell, &mut command, "kalah", &mut script);
        Ok(out.write_all(&script)?)
    }
}

/// Adds the names of all commands below one.
fn add_names(command: &Command, names: &mut Vec<&'static str>) {
    for part in command.get_subcommands() {
        // Clap takes names for the whole run, which ends soon after.
        names.push(part.get_name().to_owned().leak());
        add_names(part, names);
    }
}

/// A command whose arguments offer values by the names of these: files, levels,
/// commands. Parsing accepts more, such as beginnings of names.
fn offering(command: Command, commands: &[&'static str]) -> Command {
    let offers = |argument: Arg| {
        let name = argument.get_value_names().and_then(|names| names.first()).cloned();
        let levels = LEVELS.iter().map(|level| level.name);
        match name.as_deref() {
            Some("FILE") => argument.value_hint(ValueHint::FilePath),
            Some("DIR" | "FOLDER") => argument.value_hint(ValueHint::DirPath),
            Some("LEVEL") => argument.value_parser(PossibleValuesParser::new(levels)),
            Some("WHO") => {
                argument.value_parser(PossibleValuesParser::new(levels.chain(["human"])))
            }
            Some("RULE") => {
                argument.value_parser(PossibleValuesParser::new(Capture::ALL.map(Capture::name)))
            }
            Some("COMMAND") => {
                argument.value_parser(PossibleValuesParser::new(commands.iter().copied()))
            }
            _ => argument,
        }
    };
    command.mut_args(offers).mut_subcommands(|part| offering(part, commands))
}
