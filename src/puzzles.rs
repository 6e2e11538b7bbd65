//! `kalah puzzles`: solves and makes puzzles, positions with one best move.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::{arguments::ScreenArgs, failure::Failure, learn::teach};
use kalah_coach::find::PuzzleFinder;
use kalah_coach::history::PuzzleHistory;
use kalah_coach::puzzle::{Difficulty, Motif};
use kalah_play::puzzles::UnsearchedGames;
use kalah_play::saved::{self, SavedGames};
use kalah_record::suite;
use kalah_sys::files;
use kalah_terminal::tutor::Tutor;
use kalah_text::{foreign::Escaping, format::counted};

/// Solve positions in which exactly one move is best, proved by the solver
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalah puzzles                                     new ones first, easy ones first
  kalah puzzles --motif defence --difficulty hard   hard ones, in which you prevent a capture
  kalah puzzles --own                               from the mistakes in your saved games
  kalah puzzles --make suite.tsv > puzzles.tsv      from positions with exact values

The first answer to each puzzle counts for your streak. Answers are kept in the file
puzzles.jsonl in the folder of your saved games.")]
pub(super) struct PuzzlesArgs {
    /// Only puzzles about MOTIF: capture, extra-turns, defence or endgame
    #[arg(long)]
    motif: Option<Motif>,
    /// Only puzzles of this DIFFICULTY: easy, medium or hard
    #[arg(long)]
    difficulty: Option<Difficulty>,
    /// Only puzzles from your saved games: positions in which your move lost two seeds or more
    #[arg(long)]
    own: bool,
    /// Folder of the saved games and the answers [default: the folder of 'kalah play']
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
    /// Write puzzles from suites of positions with exact values (see crates/tune),
    /// at most 8 of each motif and difficulty
    #[arg(long, value_name = "FILE", num_args = 1..,
          conflicts_with_all = ["motif", "difficulty", "own", "games", "plain", "ascii", "theme"])]
    make: Vec<PathBuf>,
    #[command(flatten)]
    screen: ScreenArgs,
}

impl PuzzlesArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        if !self.make.is_empty() {
            return self.make(&mut Escaping(out));
        }
        let folder = saved::folder_or(self.games.as_deref())?;
        let mut history = PuzzleHistory::load(Some(&folder));
        if self.own {
            search_games(folder, &mut history, out)?;
        }
        let mut all = history.numbered();
        if self.own {
            // The player's own puzzles have the last numbers.
            all.drain(..all.len() - history.own().len());
        }
        all.retain(|(_, puzzle)| {
            let difficulty = puzzle.difficulty();
            self.motif.unwrap_or(puzzle.motif) == puzzle.motif
                && self.difficulty.unwrap_or(difficulty) == difficulty
        });
        let puzzles = history.ordered(all);
        writeln!(out, "{}", history.summary())?;
        if let Some(trouble) = history.trouble() {
            writeln!(Escaping(&mut *out), "{trouble}")?;
        }
        if puzzles.is_empty() {
            writeln!(out, "There are no such puzzles.")?;
            return Ok(());
        }
        out.flush()?;
        teach(Tutor::for_puzzles(puzzles, history), self.screen, out)
    }

    /// Writes the puzzles found among the positions of the suites.
    fn make(&self, out: &mut dyn Write) -> Result<(), Failure> {
        // A suite that cannot be read ends the command before the first search.
        let mut suites = Vec::new();
        for file in &self.make {
            suites.push(suite::parse(&files::read_text(file)?).map_err(Failure::in_file(file))?);
        }
        let names = self.make.iter().map(|file| file.display().to_string()).collect::<Vec<_>>();
        writeln!(out, "# kalah puzzles --make {}", names.join(" "))?;
        writeln!(out, "# board, capture rule, motif, depth, best play and margin of each move")?;
        let mut finder = PuzzleFinder::new()?;
        for problems in suites {
            finder.search_suite(&problems, |puzzle| {
                writeln!(out, "{puzzle}")?;
                out.flush()?;
                Ok::<(), Failure>(())
            })?;
        }
        Ok(())
    }
}

/// Searches for puzzles in the latest saved games that have not been searched yet.
fn search_games(
    folder: PathBuf,
    history: &mut PuzzleHistory,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let new = UnsearchedGames::new(&SavedGames::new(Some(folder)), history);
    for error in &new.damaged {
        writeln!(Escaping(&mut *out), "Not searched: {error}")?;
    }
    if new.games.is_empty() {
        return Ok(());
    }
    let games = counted(new.games.len() as u64, "game");
    writeln!(out, "Looking for puzzles in {games}; this takes a few seconds for each.")?;
    out.flush()?;
    Ok(new.search(history)?)
}
