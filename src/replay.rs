//! `kalah replay`: shows recorded games move by move, in a terminal or on a page.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::arguments::chosen;
use super::failure::Failure;
use super::matches::show::write_html;
use kalah_arena::{file, played::PlayedMatch};
use kalah_record::Game;
use kalah_terminal::terminal::Terminal;
use kalah_terminal::{listings, replay};
use kalah_text::foreign::Escaping;
use kalah_text::typed::number;

/// Show recorded games, move by move
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalah replay match.jsonl --game 3        show the third game of the file
  kalah replay game.kgn --plain            show sentences without boards
  kalah replay match.jsonl --list          list the games, one per line
  kalah replay game.kgn --report pages     write a page for stepping through the games

To step through a game forwards and backwards: kalah play --load FILE")]
pub(super) struct ReplayArgs {
    /// File of games in JSON lines or .kgn; - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Show only game N of the file, counted from 1
    #[arg(short, long, value_name = "N", conflicts_with = "list", value_parser = number::<usize>(1..))]
    game: Option<usize>,
    /// List the games, one per line
    #[arg(short, long)]
    list: bool,
    /// Instead, write an HTML page for stepping through the games into DIR
    #[arg(long, value_name = "DIR", conflicts_with_all = ["list", "plain", "ascii"])]
    report: Option<PathBuf>,
    /// Show sentences without boards
    #[arg(long)]
    plain: bool,
    /// Draw boards in ASCII
    #[arg(long)]
    ascii: bool,
}

impl ReplayArgs {
    /// All games of a file.
    pub(super) fn new(file: PathBuf, plain: bool, report: Option<PathBuf>) -> Self {
        Self { file, game: None, list: false, report, plain, ascii: false }
    }

    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let out = &mut Escaping(out);
        let (_, games) = kalah_record::file::read_input(&self.file)?;
        if self.list {
            for (number, game) in (1..).zip(&games) {
                let opening = match &game.opening {
                    Some(name) if !name.is_empty() => format!(", opening {name}"),
                    _ => String::new(),
                };
                writeln!(out, "{number:>5}  {}{opening}", listings::headline(game, number))?;
            }
            return Ok(());
        }
        let games = chosen(games, self.game)?;
        match &self.report {
            Some(directory) => self.write_html(directory, games, out),
            None => {
                let terminal = Terminal::from_environment(self.plain, self.ascii);
                for (number, game) in (self.game.unwrap_or(1)..).zip(&games) {
                    replay::show(game, number, &terminal, self.plain, out.0)?;
                }
                Ok(())
            }
        }
    }

    /// Writes the page of a match if the file belongs to one, otherwise a page of its games.
    fn write_html(
        &self,
        directory: &Path,
        games: Vec<Game>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        // Files of matches have more to show than games: openings, pairings and the machine. A
        // single game has no standing, so its page shows the game alone.
        let is_file = self.game.is_none() && self.file != Path::new("-");
        let played = if is_file && file::is_match(&self.file)? {
            PlayedMatch::read(&self.file)?
        } else {
            PlayedMatch::from_games(games)
        };
        write_html(directory, &played, out)
    }
}
