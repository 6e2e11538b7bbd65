//! `kalah solve`: proved margins under perfect play.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::json;

use super::arguments::{BoardArgs, SolverArgs, output_file};
use super::failure::Failure;
use super::output::{write_json, write_result};
use kalah_engine::solve::{Order, Solver};
use kalah_game::Position;
use kalah_proof::{ProgressRow, ProvedBounds, Solved, largest_alike};
use kalah_record::opening::{self, Opening};
use kalah_sys::files;
use kalah_terminal::console::Console;
use kalah_text::format::counted;

/// Prove the exact margin of a position under perfect play
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalah solve                              the (6,4) start, standard captures
  kalah solve --moves --threads 2          also the margin of each first move
  kalah solve --after 'CF bd'              the position after these moves
  kalah solve --position '<3,0,0,1,0,1,1,1,1> N' --json
  kalah solve --file positions.txt         one JSON object per line, in order
  kalah solve --seeds 5 --checkpoint six-five   repeat the command to continue

Margins are from the mover's point of view and include the stores. Ctrl-C stops the
solver. Unless --tables or --table-seeds is given, endgame tables that the user's cache
holds are read instead of being built (see `kalah tables cache`). For proofs that take
hours or run on several machines, see 'kalah proof'.")]
pub(super) struct SolveArgs {
    #[command(flatten)]
    board: BoardArgs,
    /// Also print the margin of each move
    #[arg(long)]
    moves: bool,
    /// Play these moves first, each a letter
    #[arg(long, value_name = "MOVES", conflicts_with = "file")]
    after: Option<String>,
    #[command(flatten)]
    resources: SolverArgs,
    /// Keep the transposition table in FILE, so that no search work is lost when the
    /// process ends; an existing file determines the size of the table
    #[arg(long, value_name = "FILE", conflicts_with = "file", value_parser = output_file())]
    keep_table: Option<PathBuf>,
    /// Verify every margin independently (with different windows, a different move order, and
    /// separate transposition and endgame tables), and replay the principal variation under the
    /// plain rules
    #[arg(long)]
    verify: bool,
    /// Save proved bounds to FILE, and continue from the bounds that it already holds
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    checkpoint: Option<PathBuf>,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    /// With --json, also print an object each second to standard error: the bounds proved so
    /// far, and an estimate of the time until the current question is answered
    #[arg(long, requires = "json")]
    progress: bool,
    /// Solve the positions in FILE (- for standard input), one per line: a position, moves from
    /// the (6,4) start, or both; # starts a comment
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "pits", "seeds"])]
    file: Option<PathBuf>,
}

/// The interval of progress lines.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

impl SolveArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let console = Console::new(self.checkpoint.as_deref())?;
        if let Some(file) = &self.file {
            return self.solve_file(file, &console, out);
        }
        let start = self.board.position()?;
        let moves = self.after.as_deref().unwrap_or_default();
        let after = Opening::new(String::new(), start, moves).map_err(|(column, error)| {
            Failure::Usage(format!("--after: column {column}: {error}"))
        })?;
        let position = after.position();
        let started = Instant::now();
        let mut solver = self.solver(&position, &console)?;
        match self.solve(&mut solver, &position, started, &console) {
            Ok(solved) => write_result(&solved, self.json, out),
            Err(failure @ Failure::Interrupted(_)) => {
                let bounds = ProvedBounds::new(&position, &console.proved());
                write_result(&bounds, self.json, out)?;
                Err(failure)
            }
            Err(failure) => Err(failure),
        }
    }

    fn solver(&self, largest: &Position, console: &Console) -> Result<Solver, Failure> {
        let settings = self.resources.settings_with_cache(largest.variant())?;
        let mut solver = console.solver(largest, settings.kept_table(self.keep_table.clone()))?;
        console.restore(&mut solver);
        Ok(solver)
    }

    fn solve(
        &self,
        solver: &mut Solver,
        position: &Position,
        started: Instant,
        console: &Console,
    ) -> Result<Solved, Failure> {
        let mut printed = started;
        let mut solved = console.watch(|watch| {
            let watch = &mut |progress| {
                if self.progress && printed.elapsed() >= PROGRESS_INTERVAL {
                    printed = Instant::now();
                    // An error must not end the proof.
                    let _ = write_json(&ProgressRow::new(position, &progress), &mut io::stderr());
                }
                watch(progress)
            };
            Solved::new(solver, position, self.moves, started, watch)
        })?;
        if self.verify {
            // The second solver shares no table with the first. A file may hold wrong values under a
            // valid checksum, which would mislead both, so it builds its own endgame tables.
            let settings = self.resources.settings_without_files().order(Order::Independent);
            let mut solver = console.solver(position, settings)?;
            if !console.watch(|watch| solved.confirm(&mut solver, watch))? {
                let margin = solved.margin();
                return Err(Failure::work(format!(
                    "{position}: the verification does not confirm margin {margin}"
                )));
            }
        }
        Ok(solved)
    }

    /// Solves every line in a file. A line that fails is reported in its place, and the others
    /// are still solved.
    fn solve_file(
        &self,
        file: &Path,
        console: &Console,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let text =
            files::text_from_bytes(files::read_input(file)?).map_err(Failure::in_file(file))?;
        let start = Position::start(self.board.usual());
        let lines = opening::lines(&text, start).map_err(Failure::in_file(file))?;
        if lines.is_empty() {
            return Err(Failure::in_file(file)("expected at least one position, got none"));
        }
        let openings = lines.iter().filter_map(|line| line.opening.as_ref().ok());
        let positions: Vec<Position> = openings.map(Opening::position).collect();
        // One at a time, because each plans its tables as if all free memory were its own.
        let mut last: Option<Solver> = None;
        let mut failed = 0;
        for line in &lines {
            let started = Instant::now();
            let solved = line.opening.clone().map_err(Failure::from).and_then(|opening| {
                let position = opening.position();
                let solver = match last.take().filter(|solver| solver.accepts(&position)) {
                    Some(solver) => solver,
                    None => self.solver(&largest_alike(&position, &positions), console)?,
                };
                self.solve(last.insert(solver), &position, started, console)
            });
            match solved {
                Ok(solved) => write_json(&solved, out)?,
                Err(failure @ Failure::Interrupted(_)) => return Err(failure),
                Err(error) => {
                    failed += 1;
                    write_json(&json!({ "position": line.text, "error": error.to_string() }), out)?;
                }
            }
            // Flushed, so that a program that reads the results need not wait for the next line
            // to be solved.
            out.flush()?;
        }
        if failed > 0 {
            let all = counted(lines.len() as u64, "line");
            return Err(Failure::work(format!("{failed} of {all} could not be solved")));
        }
        Ok(())
    }
}
