//! `kalah games`: the games that `kalah play` saved.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use serde_json::json;

use super::{failure::Failure, output::write_document, replay};
use kalah_play::players::with_shown_names;
use kalah_play::saved::{self, SavedGames};
use kalah_record::Game;
use kalah_sys::files;
use kalah_terminal::{listings, terminal::Terminal};
use kalah_text::foreign::Escaping;
use kalah_text::format::{counted, wrapped};
use kalah_text::typed::number;

/// List the games saved by 'kalah play', or show one of them
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalah games                              list the games, latest first
  kalah games 3                            show the third game, move by move
  kalah games 1 --report pages             write a page for the latest game
  kalah play --resume 3                    continue the third game, or step through it
                                           if it is finished; 'analyse' judges its moves")]
pub(super) struct GamesArgs {
    /// Show game N of the list
    #[arg(value_name = "N", value_parser = number::<usize>(1..))]
    number: Option<usize>,
    /// Folder of the games [default: where 'kalah play' saves them]
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
    /// Show sentences without boards
    #[arg(long)]
    plain: bool,
    /// Write an HTML page for stepping through the game into DIR
    #[arg(long, value_name = "DIR", requires = "number", conflicts_with = "plain")]
    report: Option<PathBuf>,
    /// Include unfinished games with a single move
    #[arg(long, conflicts_with_all = ["number", "report", "json"])]
    all: bool,
    /// Print the games, or game N, as one JSON document (doc/records.md)
    #[arg(long, conflicts_with_all = ["plain", "report"])]
    json: bool,
}

/// A saved game with its number in the list.
#[derive(Serialize)]
struct NumberedGame {
    number: usize,
    #[serde(flatten)]
    game: Game,
}

impl GamesArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = saved::folder_or(self.games.as_deref())?;
        // The default folder does not exist before the first game is saved, but a missing
        // folder that was given is a mistake.
        if let Some(given) = &self.games {
            files::check_folder(given)?;
        }
        let games = SavedGames::new(Some(folder.clone()));
        if let Some(number) = self.number {
            let (path, game) = games.find(number)?;
            if self.json {
                let game = with_shown_names(game);
                // The same document as for the list, so that a program needs only one parser for
                // both.
                return write_document("games", (), [NumberedGame { number, game }], out);
            }
            return replay::ReplayArgs::new(path, self.plain, self.report).run(out);
        }
        let out = &mut Escaping(out);
        let (games, damaged) = games.list();
        if self.json {
            let damaged: Vec<String> = damaged.iter().map(ToString::to_string).collect();
            let mut numbered = Vec::new();
            for (number, (_, game)) in (1..).zip(games) {
                numbered.push(NumberedGame { number, game: with_shown_names(game) });
            }
            return write_document("games", json!({ "damaged": damaged }), numbered, out);
        }
        if games.is_empty() {
            writeln!(out, "There are no saved games in {}.", folder.display())?;
        } else {
            self.write_list(games.into_iter().map(|(_, game)| game), out)?;
        }
        for error in damaged {
            writeln!(out, "Not listed: {error}")?;
        }
        Ok(())
    }

    /// The latest game is always listed, because it is the one most often looked for.
    fn write_list(&self, games: impl Iterator<Item = Game>, out: &mut dyn Write) -> io::Result<()> {
        // In a pipe, no line is too wide.
        let width = if io::stdout().is_terminal() {
            Terminal::from_environment(false, false).width()
        } else {
            usize::MAX
        };
        let mut left_out = 0;
        // Numbers refer to the whole list, even if only a part of it is shown, as in `--resume N`.
        for (number, game) in (1..).zip(games) {
            if number > 1 && !self.all && saved::is_abandoned(&game) {
                left_out += 1;
                continue;
            }
            writeln!(out, "{}", wrapped(&listings::saved(number, &game), width).join("\n"))?;
        }
        if left_out > 0 {
            let count = counted(left_out, "unfinished game");
            let text = format!("Not listed: {count} with a single move; --all lists them.");
            writeln!(out, "{}", wrapped(&text, width).join("\n"))?;
        }
        Ok(())
    }
}
