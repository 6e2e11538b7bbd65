//! `kalah man`: the manual page.

use std::io::Write;

use clap::{Args as ClapArgs, Command, CommandFactory};
use clap_mangen::Man;

use super::{Cli, Failure};

/// Print the manual page of kalah, or of one of its commands
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  kalah man > ~/.local/share/man/man1/kalah.1
  kalah man perft | man -l -            reads the page of a command")]
pub(super) struct Args {
    /// A command; without one, the page of kalah itself
    command: Option<String>,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        Ok(Man::new(self.page()?).render(&mut { out })?)
    }

    /// What the page is about, under its full name.
    fn page(&self) -> Result<Command, Failure> {
        let whole = Cli::command();
        let Some(name) = &self.command else { return Ok(whole) };
        let part = whole.find_subcommand(name).cloned();
        let part = part.ok_or_else(|| Failure::Usage(format!("no command '{name}'")))?;
        Ok(part.display_name(format!("kalah-{name}")).version(env!("CARGO_PKG_VERSION")))
    }
}
