//! `kalah man`: the manual page.

use std::io::Write;

use clap::{Args, Command, builder::Resettable};
use clap_mangen::Man;

use super::failure::Failure;

/// Print the manual page of kalah or of one of its commands
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalah man > ~/.cargo/share/man/man1/kalah.1    shown by 'man kalah'
  kalah man match merge | man -l -

On Linux, man looks next to the folders of programs: in ~/.cargo/share/man for ~/.cargo/bin and
in ~/.local/share/man for ~/.local/bin.")]
pub(super) struct ManArgs {
    /// A command such as 'match merge'; without one, the page of kalah itself
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
}

impl ManArgs {
    /// Prints the page of `program` or of one of its commands.
    pub(super) fn run(self, program: Command, out: &mut dyn Write) -> Result<(), Failure> {
        let page = self.page(program)?;
        let examples = page.get_after_help().map(ToString::to_string).unwrap_or_default();
        let man = Man::new(page.after_help(Resettable::Reset));
        let mut text = Vec::new();
        man.source(concat!("kalah ", env!("CARGO_PKG_VERSION"))).render(&mut text)?;
        out.write_all(&text)?;
        // Written without the generator, which would join the lines into paragraphs.
        let (notes, examples) = examples.split_once("Examples:\n").unwrap_or((&examples, ""));
        for (heading, text) in [("NOTES", notes), ("EXAMPLES", examples)] {
            if !text.is_empty() {
                writeln!(out, ".SH {heading}\n.nf{}\n.fi", escaped(text.trim_end()))?;
            }
        }
        Ok(())
    }

    /// The command that the page describes, under its full name.
    fn page(&self, mut page: Command) -> Result<Command, Failure> {
        page.build();
        for name in &self.command {
            let part = page.find_subcommand(name).cloned();
            page =
                part.ok_or_else(|| Failure::Usage(format!("expected a command, got '{name}'")))?;
        }
        let parts = std::iter::once("kalah").chain(self.command.iter().map(String::as_str));
        Ok(page.display_name(parts.collect::<Vec<_>>().join("-")))
    }
}

/// A line break and `text`, escaped for troff.
fn escaped(text: &str) -> String {
    let text = format!("\n{text}").replace('\\', "\\e").replace('-', "\\-");
    // A dot or an apostrophe at the start of a line would begin a request.
    text.replace("\n.", "\n\\&.").replace("\n'", "\n\\&'")
}
