//! `kalah puzzles`: positions with one best move, to solve and to make.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;

use super::arguments::Screen;
use super::failure::Failure;
use super::learn::teach;
use crate::engine::{Engine, bench};
use crate::game::Capture;
use crate::play::exercise;
use crate::play::history::PuzzleHistory;
use crate::play::judge::Judge;
use crate::play::puzzle::{self, Difficulty, Motif, Puzzle};
use crate::play::saved::{self, SavedGames};
use crate::play::tutor::Tutor;
use crate::search::Stopper;
use crate::sys::files;
use crate::sys::foreign::Escaping;
use crate::sys::format::counted;

/// Solve positions in which exactly one move is best, proved by the solver
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  kalah puzzles                                     new ones first, easy ones first
  kalah puzzles --motif defence --difficulty hard   where one must prevent a capture
  kalah puzzles --own                               from the mistakes of your saved games
  kalah puzzles --make suite.tsv > puzzles.tsv      from positions with exact values

The first answer to each puzzle counts for your streak. Answers are kept in the file
puzzles.jsonl beside your saved games.")]
pub(super) struct Args {
    /// Only puzzles about MOTIF: capture, extra-turns, defence or endgame
    #[arg(long)]
    motif: Option<Motif>,
    /// Only puzzles of this DIFFICULTY: easy, medium or hard
    #[arg(long)]
    difficulty: Option<Difficulty>,
    /// Only puzzles from your saved games, in which your move lost two seeds or more
    #[arg(long)]
    own: bool,
    /// Folder of the games and of the answers [default: that of 'kalah play']
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
    /// Write puzzles from suites of positions with exact values (see 'kalah tune positions'),
    /// at most 8 of each motif and difficulty
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["own", "games"])]
    make: Vec<PathBuf>,
    #[command(flatten)]
    screen: Screen,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        if !self.make.is_empty() {
            return self.make(&mut Escaping(out));
        }
        let folder = match &self.games {
            Some(folder) => folder.clone(),
            None => saved::folder()?,
        };
        let mut history = PuzzleHistory::of(Some(&folder));
        if self.own {
            search_games(&folder, &mut history, out)?;
        }
        let all = if self.own { history.own().to_vec() } else { puzzle::embedded() };
        let wanted = all.into_iter().filter(|puzzle| self.wants(puzzle)).collect();
        let puzzles = history.ordered(wanted, |puzzle| puzzle);
        writeln!(out, "{}", history.summary())?;
        if puzzles.is_empty() {
            writeln!(out, "There are no such puzzles.")?;
            return Ok(());
        }
        out.flush()?;
        teach(Tutor::of_puzzles(puzzles, history), self.screen, out)
    }

    fn wants(&self, puzzle: &Puzzle) -> bool {
        self.motif.is_none_or(|motif| puzzle.motif == motif)
            && self.difficulty.is_none_or(|difficulty| puzzle.difficulty() == difficulty)
    }

    /// Writes the puzzles among the positions of suites.
    fn make(&self, out: &mut dyn Write) -> Result<(), Failure> {
        const MAX_OF_A_KIND: usize = 8;
        let mut finder = Engine::without_tables(16)?;
        let mut kinds: BTreeMap<(Motif, Difficulty), usize> = BTreeMap::new();
        let files = self.make.iter().map(|file| file.display().to_string()).collect::<Vec<_>>();
        writeln!(out, "# kalah puzzles --make {}", files.join(" "))?;
        writeln!(out, "# board, capture rule, motif, depth, best play and margin of each move")?;
        for file in &self.make {
            let problems =
                bench::parse(&files::read_text(file)?).map_err(Failure::in_file(file))?;
            let Some(largest) = problems.iter().max_by_key(|problem| problem.position.in_play())
            else {
                continue;
            };
            let mut solver = exercise::solver(&largest.position)?;
            for problem in &problems {
                let best = problem.best();
                let is_clear =
                    problem.gains.iter().filter(|&&gain| gain == Some(best)).count() == 1;
                if !is_clear || problem.position.capture() != Capture::Standard {
                    continue;
                }
                let moves = exercise::solved(&mut solver, &problem.position, &mut |_| true)?;
                let Some(puzzle) = Puzzle::new(problem.position, moves, &mut finder) else {
                    continue;
                };
                let of_kind = kinds.entry((puzzle.motif, puzzle.difficulty())).or_default();
                *of_kind += 1;
                if *of_kind <= MAX_OF_A_KIND && self.wants(&puzzle) {
                    writeln!(out, "{puzzle}")?;
                    out.flush()?;
                }
            }
        }
        Ok(())
    }
}

/// Searches the latest saved games that were not searched before for puzzles.
fn search_games(
    folder: &Path,
    history: &mut PuzzleHistory,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    const MAX_GAMES: usize = 20;
    let (games, _) = SavedGames::new(Some(folder.to_owned())).list();
    let games = games.into_iter().filter(|(_, game)| game.ending().is_some());
    let named =
        games.filter_map(|(path, game)| Some((path.file_name()?.to_str()?.to_owned(), game)));
    let new: Vec<_> =
        named.filter(|(file, _)| !history.has_searched(file)).take(MAX_GAMES).collect();
    if new.is_empty() {
        return Ok(());
    }
    let games = counted(new.len() as u64, "game");
    writeln!(out, "Looking for puzzles in {games}; this takes a few seconds for each.")?;
    out.flush()?;
    let engine = Engine::with_cached_tables(Engine::DEFAULT_HASH)?;
    let mut judge = Judge { engine, stopper: Stopper::new() };
    let mut finder = Engine::without_tables(16)?;
    for (file, game) in new {
        let puzzles = puzzle::of_game(&game, &mut judge, &mut finder);
        history.keep(file, &puzzles);
    }
    Ok(())
}
