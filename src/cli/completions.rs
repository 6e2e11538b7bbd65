//! `kalah completions`: scripts for the completion of arguments in shells.

use std::io::Write;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Args as ClapArgs, Command, ValueHint};
use clap_complete::Shell;

use super::failure::Failure;
use crate::game::Capture;
use crate::play::puzzle::{Difficulty, Motif};
use crate::play::seat::LEVELS;

/// Print a completion script for a shell
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  kalah completions bash > ~/.local/share/bash-completion/completions/kalah
  kalah completions fish > ~/.config/fish/completions/kalah.fish")]
pub(super) struct Args {
    /// The shell
    shell: Shell,
}

impl Args {
    /// Prints the script for the arguments of `program`.
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

/// Adds the names of all subcommands, recursively.
fn add_names(command: &Command, names: &mut Vec<&'static str>) {
    for part in command.get_subcommands() {
        // Clap takes names for the whole run, which ends soon after.
        names.push(part.get_name().to_owned().leak());
        add_names(part, names);
    }
}

/// The command, with arguments that offer values.
fn offering(command: Command, commands: &[&'static str]) -> Command {
    command
        .mut_args(|argument| with_values(argument, commands))
        .mut_subcommands(|part| offering(part, commands))
}

/// The argument with the values that its name stands for: files, levels, commands. Parsing
/// accepts more, such as beginnings of names.
fn with_values(argument: Arg, commands: &[&'static str]) -> Arg {
    let name = argument.get_value_names().and_then(|names| names.first()).cloned();
    let levels = LEVELS.iter().map(|level| level.name);
    let values: Vec<&str> = match name.as_deref() {
        Some("FILE") => return argument.value_hint(ValueHint::FilePath),
        Some("DIR" | "FOLDER") => return argument.value_hint(ValueHint::DirPath),
        Some("LEVEL") => levels.collect(),
        Some("WHO") => levels.chain(["human"]).collect(),
        Some("MOTIF") => Motif::ALL.map(Motif::name).to_vec(),
        Some("DIFFICULTY") => Difficulty::ALL.map(Difficulty::name).to_vec(),
        Some("RULE") => Capture::ALL.map(Capture::name).to_vec(),
        Some("COMMAND") => commands.to_vec(),
        // Numbers and times: without a hint, shells would offer files.
        _ if argument.get_action().takes_values()
            && argument.get_value_hint() == ValueHint::Unknown =>
        {
            return argument.value_hint(ValueHint::Other);
        }
        _ => return argument,
    };
    argument.value_parser(PossibleValuesParser::new(values))
}
