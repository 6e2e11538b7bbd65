//! `kalah solve`: proved margins under perfect play.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args as ClapArgs;
use serde::Serialize;

use super::arguments::BoardArgs;
use super::failure::Failure;
use super::grid::{Grid, GridSize};
use super::output::write_json;
use super::solving::{Bounds, Console, Resources, TablesUsed, seconds};
use crate::game::score::Gain;
use crate::game::{Capture, Pit, Position};
use crate::solve::{Order, Settings, Solution, Solver};
use crate::sys::files;

/// Options that exclude a grid, and so its own options: clap does not check that those have a
/// grid if another option excludes it.
const NOT_OF_A_GRID: [&str; 7] =
    ["file", "position", "pits", "seeds", "moves", "verify", "keep_table"];

/// Prove the exact margin of a position under perfect play
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  kalah solve                              the (6,4) start, standard captures
  kalah solve --moves --threads 2          also the margin of each first move
  kalah solve --position '<3,0,0,1,0,1,1,1,1> N' --json
  kalah solve --file positions.txt         one JSON object per line, in order
  kalah solve --seeds 5 --checkpoint six-five   repeat the command to continue
  kalah solve --grid 6x4 --limit 20 --svg margins.svg

Margins are from the mover's point of view and include the stores. Ctrl-C stops the
solver. Without --tables and --table-seeds, layers in the user's cache are read instead of
being built (see `kalah tables cache`). For proofs that take hours or run on several
machines, see `kalah proof`.")]
pub(super) struct Args {
    #[command(flatten)]
    board: BoardArgs,
    /// Also print the margin of each move
    #[arg(long)]
    moves: bool,
    #[command(flatten)]
    resources: Resources,
    /// Keep the transposition table in FILE, so that no search work is lost when the
    /// process ends; an existing file determines the size of the table
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    keep_table: Option<PathBuf>,
    /// Verify every margin independently (with other windows, another move order, a separate
    /// transposition table and endgame tables of its own), and replay the principal variation
    /// under the plain rules
    #[arg(long)]
    verify: bool,
    /// Save proved bounds to FILE, and continue from the bounds that it already holds
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    /// Solve the positions in FILE, one per line; empty lines and lines that begin
    /// with # are skipped
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "pits", "seeds"])]
    file: Option<PathBuf>,
    /// Solve all starts of up to PITS pits and SEEDS seeds per pit (for example 6x4), and
    /// compare their margins with the known ones
    #[arg(long, value_name = "PITSxSEEDS", conflicts_with_all = NOT_OF_A_GRID)]
    grid: Option<GridSize>,
    /// Skip starts of the grid that take longer than SECONDS
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0, requires = "grid",
          conflicts_with_all = NOT_OF_A_GRID, allow_negative_numbers = true, value_parser = seconds)]
    limit: f64,
    /// Also draw the grid as an SVG chart in FILE
    #[arg(long, value_name = "FILE", requires = "grid",
          conflicts_with_all = NOT_OF_A_GRID)]
    svg: Option<PathBuf>,
}

/// A solved position as JSON.
#[derive(Serialize)]
struct Solved {
    position: String,
    capture: Capture,
    margin: i32,
    pv: Vec<char>,
    nodes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<TablesUsed>,
    /// Whether the margins were verified independently.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    verified: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<MoveMargin>,
}

#[derive(Serialize)]
struct MoveMargin {
    r#move: char,
    margin: i32,
}

/// The proved bounds of a position when its solve was interrupted.
#[derive(Serialize)]
struct Interrupted {
    position: String,
    capture: Capture,
    proved: Vec<Bounds>,
}

/// A line that is not a position, or one that cannot be solved.
#[derive(Serialize)]
struct Unsolved<'a> {
    position: &'a str,
    error: String,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let console = Console::new(self.checkpoint.as_deref())?;
        if let Some(file) = &self.file {
            return self.solve_file(file, &console, out);
        }
        if let Some(size) = self.grid {
            let (capture, limit) = (self.board.capture(), self.limit);
            let grid =
                Grid::solve(size, capture, limit, |start| self.solver(start, &console), &console)?;
            return grid.show(self.json, self.svg.as_deref(), out);
        }
        let position = self.board.position()?;
        let started = Instant::now();
        let mut solver = self.solver(&position, &console)?;
        match self.solve(&mut solver, &position, started, &console) {
            Ok(solved) if self.json => write_json(&solved, out),
            Ok(solved) => write_text(&solved, out),
            Err(failure @ Failure::Interrupted(_)) => {
                self.write_bounds(&position, &console, out)?;
                Err(failure)
            }
            Err(failure) => Err(failure),
        }
    }

    /// Writes the proved bounds when a solve was interrupted.
    fn write_bounds(
        &self,
        position: &Position,
        console: &Console,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let side = position.side();
        if self.json {
            let bounds = console.proved().into_iter();
            let bounds =
                bounds.map(|(pit, margin)| Bounds::new(pit.map(|pit| pit.letter(side)), margin));
            let (capture, proved) = (position.capture(), bounds.collect());
            return write_json(
                &Interrupted { position: position.to_string(), capture, proved },
                out,
            );
        }
        writeln!(out, "position  {position} {}", position.capture())?;
        for (pit, margin) in console.proved() {
            let name = pit.map_or("margin".into(), |pit| format!("move {}", pit.letter(side)));
            writeln!(out, "{name:<9} {margin}")?;
        }
        Ok(())
    }

    fn solver(&self, largest: &Position, console: &Console) -> Result<Solver, Failure> {
        let mut solver = console.solver(largest, self.settings(largest, Order::Standard)?)?;
        console.restore(&mut solver);
        Ok(solver)
    }

    fn settings(&self, largest: &Position, order: Order) -> Result<Settings, Failure> {
        let settings = match order {
            Order::Standard => Settings {
                kept_table: self.keep_table.clone(),
                ..self.resources.settings_with_cache(largest.variant())?
            },
            // Endgame tables from files may lie: the verification builds its own.
            Order::Independent => self.resources.settings_without_files(),
        };
        Ok(Settings { order, ..settings })
    }

    fn solve(
        &self,
        solver: &mut Solver,
        position: &Position,
        started: Instant,
        console: &Console,
    ) -> Result<Solved, Failure> {
        let nodes_before = solver.nodes();
        let (solution, moves) = console.watch(|watch| {
            let solution = solver.solve(position, watch)?;
            let moves = if self.moves { solver.moves(position, watch)? } else { Vec::new() };
            Ok((solution, moves))
        })?;
        let seconds = started.elapsed().as_secs_f64();
        if self.verify {
            self.verify(position, &solution, &moves, console)?;
        }
        let side = position.side();
        let moves = moves.into_iter();
        let moves =
            moves.map(|(pit, Gain(margin))| MoveMargin { r#move: pit.letter(side), margin });
        Ok(Solved {
            position: position.to_string(),
            capture: position.capture(),
            margin: solution.margin.0,
            pv: position.letters(&solution.pv).collect(),
            nodes: solver.nodes() - nodes_before,
            seconds,
            tables: solver.tables().map(TablesUsed::new),
            verified: self.verify,
            moves: moves.collect(),
        })
    }

    /// Confirms every margin by a solver that shares nothing with the first.
    fn verify(
        &self,
        position: &Position,
        solution: &Solution,
        moves: &[(Pit, Gain)],
        console: &Console,
    ) -> Result<(), Failure> {
        let settings = self.settings(position, Order::Independent)?;
        let mut solver = console.solver(position, settings)?;
        let margin = solution.margin;
        let mut claims = vec![(*position, margin)];
        for &(pit, margin) in moves {
            let mut after = *position;
            let turn = after.play(pit)?.turn;
            claims.push((after, turn.from_child(margin)));
        }
        let mut confirmed = true;
        for (position, margin) in claims {
            confirmed &= console.watch(|watch| solver.confirm(&position, margin, watch))?;
        }
        let mut end = *position;
        for &pit in &solution.pv {
            end.play(pit)?;
        }
        if confirmed && end.is_over() && end.margin(position.side()) == margin {
            return Ok(());
        }
        Err(Failure::work(format!("{position}: the verification does not confirm margin {margin}")))
    }

    /// Solves every line of a file; one that fails is reported in its place and
    /// does not end the others.
    fn solve_file(
        &self,
        file: &Path,
        console: &Console,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let text = files::read_text(file)?;
        let lines = text.lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let lines: Vec<_> =
            lines.map(|line| (line, Position::parse(line, self.board.capture()))).collect();
        let mut last: Option<Solver> = None;
        let mut failed = 0;
        for (line, position) in &lines {
            let started = Instant::now();
            let solved = match position {
                Err(error) => Err(error.clone().into()),
                Ok(position) => {
                    let solver = match last.take().filter(|solver| solver.accepts(position)) {
                        Some(solver) => Ok(solver),
                        // One solver serves all boards of a width, if it is made for the
                        // largest of them.
                        None => {
                            let positions = lines.iter().filter_map(|line| line.1.as_ref().ok());
                            let alike = positions.filter(|other| other.pits() == position.pits());
                            let largest = alike.max_by_key(|position| position.in_play());
                            self.solver(largest.unwrap_or(position), console)
                        }
                    };
                    solver.and_then(|solver| {
                        self.solve(last.insert(solver), position, started, console)
                    })
                }
            };
            match solved {
                Ok(solved) => write_json(&solved, out)?,
                Err(failure @ Failure::Interrupted(_)) => return Err(failure),
                Err(error) => {
                    failed += 1;
                    write_json(&Unsolved { position: line, error: error.to_string() }, out)?;
                }
            }
            out.flush()?;
        }
        if failed > 0 {
            let all = lines.len();
            return Err(Failure::work(format!("{failed} of {all} lines could not be solved")));
        }
        Ok(())
    }
}

fn write_text(solved: &Solved, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "position  {} {}", solved.position, solved.capture)?;
    writeln!(out, "margin    {:+}", solved.margin)?;
    for MoveMargin { r#move, margin } in &solved.moves {
        writeln!(out, "move {move}    {margin:+}")?;
    }
    writeln!(out, "pv        {}", String::from_iter(&solved.pv))?;
    if solved.verified {
        writeln!(out, "verified  independently")?;
    }
    if let Some(tables) = &solved.tables {
        writeln!(out, "tables    {tables}")?;
    }
    let Solved { nodes, seconds, .. } = solved;
    let rate = *nodes as f64 / seconds.max(1e-9) / 1e6;
    Ok(writeln!(out, "nodes     {nodes} in {seconds:.3} s, {rate:.1} M/s")?)
}
