//! `kalah replay`: shows recorded games move by move, in a terminal or on a page.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::arguments::{chosen, number, read_games};
use super::failure::Failure;
use super::matches::show::write_html;
use kalah_arena::{file, played::PlayedMatch};
use kalah_game::{Pit, Position, Side};
use kalah_record::mark::JudgedLine;
use kalah_record::{Game, turn_numbers};
use kalah_terminal::listings;
use kalah_terminal::terminal::Terminal;
use kalah_text::foreign::{Escaping, Foreign};
use kalah_view::board::Annotations;

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
        let (_, games) = read_games(&self.file)?;
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
                let mut numbered = (self.game.unwrap_or(1)..).zip(&games);
                numbered.try_for_each(|(number, game)| self.show(game, number, out))
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

    /// `number` is the place of the game in its file, from 1.
    fn show(
        &self,
        game: &Game,
        number: usize,
        out: &mut Escaping<&mut dyn Write>,
    ) -> Result<(), Failure> {
        writeln!(out, "{}", listings::headline(game, number))?;
        if let Some(comment) = &game.comment {
            writeln!(out, "[{}]", Foreign(comment))?;
        }
        if self.plain {
            writeln!(out)?;
        }
        // Boards bypass the escaping writer, because their colours are escape sequences.
        self.draw(game, game.start(), None, out.0)?;
        let judged = JudgedLine::new(game, &game.main_line(), true);
        let marks = judged.map(|judged| judged.marks).unwrap_or_default();
        for (number, (turn, step)) in (1..).zip(turn_numbers(game.steps()).zip(game.steps())) {
            let mark = marks.get(&number).map(|(mark, _)| mark.as_str());
            writeln!(out, "{turn}. {}", listings::step(step, mark))?;
            let last = Some((step.played.side, step.played.pit));
            self.draw(game, &step.after, last, out.0)?;
        }
        if let Some(ending) = game.ending() {
            let detail = ending.detail.as_ref().map(|detail| format!(" {}", Foreign(detail)));
            writeln!(out, "{ending}{}", detail.unwrap_or_default())?;
        }
        let terminal = Terminal::from_environment(self.plain, self.ascii);
        write!(out.0, "\n{}", terminal.painted(&listings::moves(game, &marks)))?;
        if !game.variations().is_empty() {
            write!(out.0, "\n{}", terminal.painted(&listings::variations(game)))?;
        }
        for warning in &game.warnings {
            writeln!(out, "warning: {}", Foreign(warning))?;
        }
        Ok(writeln!(out)?)
    }

    fn draw(
        &self,
        game: &Game,
        position: &Position,
        last: Option<(Side, Pit)>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        if self.plain {
            return Ok(());
        }
        let names = game.players.each_ref().map(|player| player.name.clone());
        let annotations = Annotations { last, names, ..Annotations::new(position) };
        let terminal = Terminal::from_environment(false, self.ascii);
        Ok(writeln!(out, "\n{}", terminal.draw(position, &annotations, Side::South))?)
    }
}
