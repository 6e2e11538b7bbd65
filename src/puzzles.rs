//! `kalah puzzles`: solves and makes puzzles, positions with one best move.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::{arguments::ScreenArgs, failure::Failure, learn::teach};
use kalah_coach::find::PuzzleFinder;
use kalah_coach::history::PuzzleHistory;
use kalah_coach::judge::Judge;
use kalah_coach::puzzle::{Difficulty, Motif, Puzzle};
use kalah_engine::{Engine, bench, search::Stopper};
use kalah_play::players;
use kalah_play::saved::{self, SavedGames};
use kalah_play::seat::Seat;
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
            search_games(&folder, &mut history, out)?;
        }
        let mut all = history.numbered();
        // The player's own puzzles have the last numbers.
        let own = all.split_off(all.len() - history.own().len());
        let all = if self.own { own } else { all };
        let wanted = all.into_iter().filter(|(_, puzzle)| self.wants(puzzle)).collect();
        let puzzles = history.ordered(wanted);
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

    fn wants(&self, puzzle: &Puzzle) -> bool {
        self.motif.is_none_or(|motif| puzzle.motif == motif)
            && self.difficulty.is_none_or(|difficulty| puzzle.difficulty() == difficulty)
    }

    /// Writes the puzzles found among the positions of the suites.
    fn make(&self, out: &mut dyn Write) -> Result<(), Failure> {
        // A suite that cannot be read ends the command before the first search.
        let mut suites = Vec::new();
        for file in &self.make {
            suites.push(bench::parse(&files::read_text(file)?).map_err(Failure::in_file(file))?);
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
    folder: &Path,
    history: &mut PuzzleHistory,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    const MAX_GAMES: usize = 20;
    let saved = SavedGames::new(Some(folder.to_owned()));
    let (new, damaged) = saved.latest_finished(MAX_GAMES, |file| !history.has_searched(file));
    for error in damaged {
        writeln!(Escaping(&mut *out), "Not searched: {error}")?;
    }
    if new.is_empty() {
        return Ok(());
    }
    let games = counted(new.len() as u64, "game");
    writeln!(out, "Looking for puzzles in {games}; this takes a few seconds for each.")?;
    out.flush()?;
    let engine = Engine::with_cached_tables(Engine::DEFAULT_HASH)?;
    let mut judge = Judge { engine, stopper: Stopper::new() };
    let mut finder = PuzzleFinder::new()?;
    for (file, game) in new {
        // Games saved by other programs do not record which players are people.
        let puzzles = match players::seats(&game) {
            Some(seats) => finder.search_game(&game, seats.map(Seat::is_person), &mut judge),
            None => Vec::new(),
        };
        // Recorded even if there is no puzzle in it, so that the game is not searched again.
        history.keep(file, &puzzles);
    }
    Ok(())
}
