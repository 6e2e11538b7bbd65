//! `kalah completions`: scripts for the completion of arguments in shells.

use std::io::Write;

use clap::{Arg, Args, Command, ValueHint, builder::PossibleValuesParser};
use clap_complete::Shell;

use super::failure::Failure;
use kalah_arena::config::TournamentFormat;
use kalah_coach::puzzle::{Difficulty, Motif};
use kalah_game::Capture;
use kalah_lab::MinimaxSide;
use kalah_play::seat::LEVELS;
use kalah_record::format::RecordFormat;
use kalah_tables::Style;
use kalah_terminal::palette::Theme;
#[cfg(feature = "tui")]
use kalah_tui::SowingSpeed;

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalah completions bash > ~/.local/share/bash-completion/completions/kalah
  kalah completions zsh > ~/.zfunc/_kalah
  kalah completions fish > ~/.config/fish/completions/kalah.fish

The folder must exist. In ~/.zshrc, zsh needs 'fpath+=~/.zfunc' before 'compinit'.")]
pub(super) struct CompletionsArgs {
    /// Shell for which to print the script
    shell: Shell,
}

impl CompletionsArgs {
    /// Prints the script that completes the arguments of `program`.
    pub(super) fn run(self, program: Command, out: &mut dyn Write) -> Result<(), Failure> {
        let mut names = Vec::new();
        add_names(&program, &mut names);
        // The generator panics if a write fails, but a write to a buffer never fails.
        let mut script = Vec::new();
        let mut command = offering(program, &names);
        clap_complete::generate(self.shell, &mut command, "kalah", &mut script);
        Ok(out.write_all(&script)?)
    }
}

/// Adds the names of all subcommands, recursively.
fn add_names(command: &Command, names: &mut Vec<&'static str>) {
    for part in command.get_subcommands() {
        // Clap requires names that live as long as the process, which ends soon.
        names.push(part.get_name().to_owned().leak());
        add_names(part, names);
    }
}

/// The command with possible values added to its arguments and those of its subcommands.
fn offering(command: Command, commands: &[&'static str]) -> Command {
    command
        .mut_args(|argument| with_values(argument, commands))
        .mut_subcommands(|part| offering(part, commands))
}

/// The argument with the completions that its value name stands for: files, levels, commands.
/// They do not restrict parsing, which also accepts abbreviations, for example.
fn with_values(argument: Arg, commands: &[&'static str]) -> Arg {
    let name = argument.get_value_names().and_then(|names| names.first()).cloned();
    let levels = LEVELS.iter().map(|level| level.name);
    let values: Vec<&str> = match name.as_deref() {
        Some("FILE") => return argument.value_hint(ValueHint::FilePath),
        Some("DIR") => return argument.value_hint(ValueHint::DirPath),
        Some("LEVEL") => levels.collect(),
        Some("WHO") => levels.chain(["human"]).collect(),
        Some("MOTIF") => Motif::ALL.map(Motif::name).to_vec(),
        Some("DIFFICULTY") => Difficulty::ALL.map(Difficulty::name).to_vec(),
        Some("THEME") => Theme::ALL.map(Theme::name).to_vec(),
        #[cfg(feature = "tui")]
        Some("SOWING") => SowingSpeed::ALL.map(SowingSpeed::name).to_vec(),
        Some("TO") => RecordFormat::ALL.map(RecordFormat::name).to_vec(),
        Some("PAIRING") => TournamentFormat::ALL.map(TournamentFormat::name).to_vec(),
        Some("FIRST") => MinimaxSide::ALL.map(MinimaxSide::name).to_vec(),
        Some("STYLE") => Style::ALL.map(Style::name).to_vec(),
        Some("RULE") => Capture::ALL.map(Capture::name).to_vec(),
        Some("COMMAND") => commands.to_vec(),
        // Numbers and times: without this hint, shells would offer files.
        _ if argument.get_action().takes_values()
            && argument.get_value_hint() == ValueHint::Unknown =>
        {
            return argument.value_hint(ValueHint::Other);
        }
        _ => return argument,
    };
    argument.value_parser(PossibleValuesParser::new(values))
}
