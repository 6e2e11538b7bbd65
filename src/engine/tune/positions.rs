//! Positions of games with the exact gain of each move: suites to measure play
//! by, and data to fit an evaluation to.
//!
//! [`problems`] plays games between weak engines that also err, takes positions
//! from them, and solves every move of each.

use std::collections::HashSet;
use std::io;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::endgame::Tables;
use crate::engine::Engine;
use crate::engine::bench::Problem;
use crate::game::score::Gain;
use crate::game::{Board, Position, Rules};
use crate::search::{Limits, Stopper};
use crate::solve::{Settings, SolveError, Solver, TableChoice};
use crate::sys::parallel;
use crate::sys::random::{SplitMix64, mix_nth};

/// The positions to sample.
#[derive(Clone, Debug)]
pub struct Sampling {
    /// The starts of the games, all of one variant and equally frequent.
    pub starts: Vec<Rules>,
    /// Seeds in play of the positions.
    pub in_play: RangeInclusive<u32>,
    /// Maximum number of positions taken from one game.
    pub per_game: usize,
    /// Nodes per move of the players.
    pub nodes: u64,
    /// Seeds all random choices.
    pub seed: u64,
    /// The source of each move's gain.
    pub labels: Labels,
}

/// How the gain of a move is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// The exact value, by a proof.
    Exact,
    /// The rounded value of a search of the board after it, with this many nodes: for
    /// boards whose proof would take too long.
    Searched(u64),
}

/// Number of random sowings with which a game begins, from 1.
const OPENING: usize = 8;
/// One later sowing in this many is random.
const ERROR: usize = 8;
/// MiB of a player's table.
const PLAYER_HASH: usize = 1;
/// Positions with fewer seeds in play are solved before a guess pays.
const WORTH_GUESSING: u32 = 40;
/// Nodes of a guess of a margin: fewer than `kalah solve` spends on a start, because most of
/// these positions are solved within a second.
const GUESS_NODES: u64 = 5_000;
/// Bytes of a solver's table: from 50 seeds in play on, 64 MiB are too few.
const SOLVER_HASH: usize = 256 << 20;
/// Number of games labelled by one solver.
const BATCH: u64 = 8;

/// The labelled positions of `games` (numbers that choose the random sowings),
/// in order, without those in `seen`, which receives the others.
///
/// # Errors
/// That of the first solver that fails.
pub fn problems(
    sampling: &Sampling,
    tables: &Arc<Tables>,
    games: std::ops::Range<u64>,
    threads: usize,
    seen: &mut HashSet<Position>,
) -> Result<Vec<Problem>, SolveError> {
    let batches: Vec<u64> = games.clone().step_by(BATCH as usize).collect();
    let solved = parallel::map(&batches, threads, &|| (), |&first| {
        let batch = first..games.end.min(first + BATCH);
        let largest = sampling.starts.iter().max_by_key(|rules| rules.total());
        let largest = Position::start(*largest.expect("a start"));
        let settings = Settings {
            hash: Some(SOLVER_HASH),
            tables: TableChoice::Given(Arc::clone(tables)),
            guess,
            ..Settings::default()
        };
        let positions = batch.flat_map(|game| sampling.positions(game));
        if let Labels::Searched(nodes) = sampling.labels {
            let mut engine = Engine::without_tables(PLAYER_HASH).map_err(io::Error::from)?;
            return Ok(positions.map(|at| searched(&mut engine, tables, at, nodes)).collect());
        }
        let mut solver = Solver::new(&largest, settings)?;
        positions.map(|position| solved(&mut solver, position)).collect::<Result<Vec<_>, _>>()
    });
    let mut problems = Vec::new();
    for batch in solved {
        problems.extend(batch?.into_iter().filter(|problem| seen.insert(problem.position)));
    }
    Ok(problems)
}

/// The margin that a short search finds.
fn guess(position: &Position) -> Option<Gain> {
    if position.in_play() < WORTH_GUESSING {
        return None;
    }
    let mut engine = Engine::without_tables(PLAYER_HASH).ok()?;
    engine.set_position(*position);
    let result = engine.search(Limits::nodes(GUESS_NODES), &Stopper::new(), &mut |_| ());
    result.info.map(|info| info.margin.rounded())
}

fn solved(solver: &mut Solver, position: Position) -> Result<Problem, SolveError> {
    let lead = position.lead(position.side());
    let mut gains = vec![None; position.pits()];
    for (pit, margin) in solver.moves(&position, &mut |_| true)? {
        gains[pit.index()] = Some(Gain(margin.0 - lead.0));
    }
    Ok(Problem { position, gains })
}

fn searched(engine: &mut Engine, tables: &Arc<Tables>, position: Position, nodes: u64) -> Problem {
    let lead = position.lead(position.side());
    let mut gains = vec![None; position.pits()];
    for (played, after) in position.children() {
        engine.set_position(after);
        engine.resources_mut().set_tables(Arc::clone(tables));
        engine.new_game();
        let result = engine.search(Limits::nodes(nodes), &Stopper::new(), &mut |_| ());
        let searched = result.info.map(|info| info.margin.rounded());
        let margin = searched.unwrap_or_else(|| after.margin(after.side()));
        gains[played.pit.index()] = Some(played.turn.from_child(margin) - lead);
    }
    Problem { position, gains }
}

/// The boards of a problem with their gains: its own, and those after its moves. Boards on
/// which the game is over are left out.
pub fn labels(problem: &Problem) -> Vec<(Board<u64>, Gain)> {
    let Problem { position, gains } = problem;
    let mut labels = vec![(position.board(), problem.best())];
    for (played, after) in position.children() {
        if let Some(gain) = gains[played.pit.index()] {
            let rest = played.turn.from_child(gain - Gain(played.banked as i32));
            labels.push((after.board(), rest));
        }
    }
    labels.retain(|(board, _)| !board.is_over());
    labels
}

impl Sampling {
    /// The positions taken from a game.
    fn positions(&self, game: u64) -> Vec<Position> {
        let mut random = SplitMix64::new(mix_nth(self.seed, game));
        let rules = self.starts[game as usize % self.starts.len()];
        let Ok(mut player) = Engine::without_tables(PLAYER_HASH) else { return Vec::new() };
        let mut position = Position::start(rules);
        let opening = 1 + random.below(OPENING);
        let mut candidates = Vec::new();
        for ply in 0.. {
            if self.in_play.contains(&position.in_play()) && position.moves().len() > 1 {
                candidates.push(position);
            }
            if position.is_over() || position.in_play() < *self.in_play.start() {
                break;
            }
            let moves = position.moves();
            let pit = if ply < opening || random.below(ERROR) == 0 {
                moves.into_iter().nth(random.below(moves.len()))
            } else {
                player.set_position(position);
                player.best_move(Limits::nodes(self.nodes))
            };
            position.play(pit.expect("a game that is not over has a move")).expect("a legal move");
        }
        let mut taken = Vec::new();
        while taken.len() < self.per_game && !candidates.is_empty() {
            taken.push(candidates.swap_remove(random.below(candidates.len())));
        }
        taken
    }
}
