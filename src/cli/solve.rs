//! `kalah solve`: the exact value of a position, and how it comes about.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args as ClapArgs;
use serde::Serialize;

use super::arguments::BoardArgs;
use super::grid::{Grid, GridSize};
use super::{Failure, resources::Resources, watch::Watcher, write_json};
use crate::endgame::Tables;
use crate::game::{Pit, Position};
use crate::score::{Gain, Turn};
use crate::solve::{Order, Progress, Settings, Solution, SolveError, Solver, TableChoice};

/// Find the exact margin of a position with perfect play
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  kalah solve                              the (6,4) start, standard captures
  kalah solve --moves --threads 2          and the margin of each first move
  kalah solve --position '<3,0,0,1,0,1,1,1,1> N' --json
  kalah solve --file positions.txt         one JSON object a line, in order
  kalah solve --seeds 5 --checkpoint six-five   a long one; the same again resumes
  kalah solve --grid 6x4 --limit 20 --svg margins.svg

Margins are the mover's, stores included. Ctrl-C stops.")]
pub struct Args {
    #[command(flatten)]
    board: BoardArgs,
    /// The margin of each move too
    #[arg(long)]
    moves: bool,
    #[command(flatten)]
    resources: Resources,
    /// Read the endgame tables in DIR (see `kalah tables build`)
    #[arg(long, value_name = "DIR", conflicts_with = "table_seeds")]
    tables: Option<PathBuf>,
    /// Confirm every margin by another walk: other windows, another order,
    /// a memory and tables of its own; and play the pv by the plain rules
    #[arg(long)]
    verify: bool,
    /// Keep what is proved in FILE, and begin with what it holds
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    /// Solve the positions of FILE, one a line; empty lines and those that
    /// begin with # are left out
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "pits", "seeds"])]
    file: Option<PathBuf>,
    /// All starts up to so many pits and seeds, as 6x4, beside the published
    /// margins
    #[arg(long, value_name = "PITSxSEEDS", conflicts_with_all = ["file", "position", "pits", "seeds"])]
    grid: Option<GridSize>,
    /// Seconds for each start of the grid; those that take longer are left out
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0, requires = "grid")]
    limit: f64,
    /// Draw the grid too
    #[arg(long, value_name = "FILE", requires = "grid")]
    svg: Option<PathBuf>,
}

/// A solved position, as JSON tells it.
#[derive(Serialize)]
struct Solved {
    position: String,
    capture: String,
    margin: i32,
    pv: Vec<char>,
    nodes: u64,
    seconds: f64,
    /// Whether another walk has confirmed the margins.
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

/// A line that is no position, or cannot be solved.
#[derive(Serialize)]
struct Unsolved<'a> {
    position: &'a str,
    error: String,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let mut watcher = Watcher::new(self.checkpoint.as_deref())?;
        if let Some(file) = &self.file {
            return self.solve_file(file, &mut watcher, out);
        }
        if let Some(size) = self.grid {
            let solver = |start: &Position| self.solver(start, &watcher);
            let grid = Grid::solve(size, self.board.capture(), self.limit, solver, &watcher)?;
            return grid.show(self.json, self.svg.as_deref(), out);
        }
        let position = self.board.position()?;
        let started = Instant::now();
        let mut solver = self.solver(&position, &watcher)?;
        let solved = self.solve(&mut solver, &position, started, &mut watcher)?;
        if self.json { write_json(&solved, out) } else { print_text(&solved, out) }
    }

    fn solver(&self, largest: &Position, watcher: &Watcher) -> Result<Solver, Failure> {
        let mut solver = Solver::new(largest, self.settings(largest)?).map_err(Failure::usage)?;
        watcher.teach(&mut solver);
        Ok(solver)
    }

    fn settings(&self, largest: &Position) -> Result<Settings, Failure> {
        let mut settings = self.resources.settings();
        if let Some(folder) = &self.tables {
            let tables = Tables::open(folder, largest.variant());
            settings.tables = TableChoice::Given(tables?);
        }
        Ok(settings)
    }

    fn solve(
        &self,
        solver: &mut Solver,
        position: &Position,
        started: Instant,
        watcher: &mut Watcher,
    ) -> Result<Solved, Failure> {
        let nodes_before = solver.nodes();
        let mut watch = |progress: Progress| watcher.show(&progress);
        let solution = solver.solve(position, &mut watch)?;
        let moves = if self.moves { solver.moves(position, &mut watch)? } else { Vec::new() };
        if let Some(failure) = watcher.failure() {
            return Err(failure);
        }
        let seconds = started.elapsed().as_secs_f64();
        if self.verify {
            self.confirm(position, &solution, &moves, watcher)?;
        }
        let letter = |pit: Pit| pit.letter(position.side());
        Ok(Solved {
            position: position.to_string(),
            capture: position.capture().to_string(),
            margin: solution.margin.0,
            pv: position.letters(&solution.pv).collect(),
            nodes: solver.nodes() - nodes_before,
            seconds,
            verified: self.verify,
            moves: moves
                .iter()
                .map(|&(pit, margin)| MoveMargin { r#move: letter(pit), margin: margin.0 })
                .collect(),
        })
    }

    /// Finds every margin again on another way.
    fn confirm(
        &self,
        position: &Position,
        solution: &Solution,
        moves: &[(Pit, Gain)],
        watcher: &Watcher,
    ) -> Result<(), Failure> {
        let settings = Settings { order: Order::Other, ..self.settings(position)? };
        let mut other = Solver::new(position, settings).map_err(Failure::usage)?;
        let mut watch = |progress: Progress| watcher.show_other(&progress);
        let margin = solution.margin;
        let mut agree = other.confirm(position, margin, &mut watch)?;
        let mut end = *position;
        agree &= solution.pv.iter().all(|&pit| end.play(pit).is_ok());
        agree &= end.is_over() && end.margin(position.side()) == margin;
        for &(pit, margin) in moves {
            let mut after = *position;
            agree &= after.play(pit).is_ok();
            let turn = if after.side() == position.side() { Turn::Keeps } else { Turn::Passes };
            let confirmed = other.confirm(&after, turn.from_child(margin), &mut watch);
            agree &= confirmed?;
        }
        if agree {
            return Ok(());
        }
        Err(Failure::work(format!("{position}: another walk does not confirm margin {margin}")))
    }

    /// Solves every line of a file; lines that are no positions are told and
    /// do not keep the others from being solved.
    fn solve_file(
        &self,
        file: &Path,
        watcher: &mut Watcher,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let text = fs::read_to_string(file).map_err(Failure::reading(file))?;
        let lines = text.lines().map(str::trim);
        let lines: Vec<_> = lines.filter(|l| !l.is_empty() && !l.starts_with('#')).collect();
        let read = |line: &str| Position::parse(line, self.board.capture());
        // One solver serves all boards of a width, if it is made for the largest.
        let mut largest = HashMap::<usize, Position>::new();
        for position in lines.iter().filter_map(|line| read(line).ok()) {
            let known = largest.entry(position.pits()).or_insert(position);
            if position.in_play() > known.in_play() {
                *known = position;
            }
        }
        let mut solver: Option<(usize, Solver)> = None;
        let mut failed = 0;
        for line in &lines {
            let started = Instant::now();
            let solved = match read(line) {
                Err(error) => Err(Failure::work(error)),
                Ok(position) => {
                    let pits = position.pits();
                    let kept = match solver.take() {
                        Some((width, kept)) if width == pits => Ok(kept),
                        _ => self.solver(&largest[&pits], watcher),
                    };
                    kept.and_then(|mut kept| {
                        let solved = self.solve(&mut kept, &position, started, watcher);
                        solver = Some((pits, kept));
                        solved
                    })
                }
            };
            match solved {
                Ok(solved) => write_json(&solved, out)?,
                Err(_) if watcher.stopped() => return Err(Failure::work(SolveError::Stopped)),
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

fn print_text(solved: &Solved, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "position  {} {}", solved.position, solved.capture)?;
    writeln!(out, "margin    {:+}", solved.margin)?;
    for MoveMargin { r#move, margin } in &solved.moves {
        writeln!(out, "move {move}    {margin:+}")?;
    }
    writeln!(out, "pv        {}", String::from_iter(&solved.pv))?;
    let rate = solved.nodes as f64 / solved.seconds.max(1e-9) / 1e6;
    let Solved { nodes, seconds, .. } = solved;
    if solved.verified {
        writeln!(out, "verified  by another walk")?;
    }
    Ok(writeln!(out, "nodes     {nodes} in {seconds:.3} s, {rate:.1} M/s")?)
}
