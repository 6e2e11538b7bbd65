//! Positions from games with the exact gain of each move: suites for measuring play,
//! and data for fitting an evaluation.
//!
//! [`problems`] plays games between weak engines that also make random moves, takes
//! positions from these games, and solves every move of each position. It can restrict itself to
//! positions in which a stronger engine errs.

use std::collections::HashSet;
use std::io;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::labeller::Labeller;
use kalah_engine::Engine;
use kalah_engine::endgame::Tables;
use kalah_engine::search::{Limits, Stopper};
use kalah_engine::solve::SolveError;
use kalah_game::{Board, Gain, Position, Rules, Value};
use kalah_record::suite::Problem;
use kalah_sys::parallel;
use kalah_sys::random::{SplitMix64, mix_nth};

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
    /// If given, a gain is the rounded value of a search with this many nodes of the board after the
    /// move, for boards whose proof would take too long.
    pub searched: Option<u64>,
    /// If given, only positions in which an engine with its default options that searches this
    /// many nodes plays a move that loses value. Games are then played without random errors, and
    /// positions are taken from them only where the value for the player to move fell.
    pub errors: Option<u64>,
}

/// A game begins with 1 to this many random sowings.
const OPENING: usize = 8;
/// Additional random sowings before a game without random errors, because many such games would
/// otherwise be the same.
const MORE_OPENING: usize = 3;
/// Of the later sowings, one in this many is random.
const ERROR: usize = 8;
/// The smallest drop in a player's own value that makes its move worth solving.
const FALL: i32 = Value::SEED;
/// MiB of a player's table.
const PLAYER_HASH: usize = 1;
/// Positions with fewer seeds in play are solved before a guess would pay off.
const WORTH_GUESSING: u32 = 40;
/// Nodes spent on guessing a margin: fewer than `kalah solve` spends on a start, because most
/// of these positions are solved within a second.
const GUESS_NODES: u64 = 5_000;
/// Number of games that a thread takes at a time.
const BATCH: u64 = 8;

/// Labellers that are not in use, for the threads of this and later calls of [`problems`].
pub struct Labellers {
    tables: Arc<Tables>,
    idle: Mutex<Vec<Labeller>>,
}

impl Labellers {
    /// Labellers that use `tables`.
    pub fn new(tables: Arc<Tables>) -> Self {
        Self { tables, idle: Mutex::new(Vec::new()) }
    }

    /// Calls `work` with a labeller that no other thread uses meanwhile.
    fn with_one<T>(&self, work: impl FnOnce(&mut Labeller) -> T) -> T {
        let idle = self.idle().pop();
        let mut labeller = idle.unwrap_or_else(|| Labeller::new(Arc::clone(&self.tables), guess));
        let result = work(&mut labeller);
        self.idle().push(labeller);
        result
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Labeller>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The labelled positions of `games` (numbers that seed the random sowings), in
/// order, without those in `seen`, to which the others are added.
pub fn problems(
    sampling: &Sampling,
    labellers: &Labellers,
    games: std::ops::Range<u64>,
    threads: usize,
    seen: &mut HashSet<Position>,
) -> Result<Vec<Problem>, SolveError> {
    let batches: Vec<u64> = games.clone().step_by(BATCH as usize).collect();
    let solved = parallel::map(&batches, threads, &|| (), |&first| {
        let games = first..games.end.min(first + BATCH);
        labellers.with_one(|labeller| sampling.problems(games, labeller, &labellers.tables))
    });
    let mut problems = Vec::new();
    for batch in solved {
        problems.extend(batch?.into_iter().filter(|problem| seen.insert(problem.position)));
    }
    Ok(problems)
}

/// A guess of the margin by a short search.
fn guess(position: &Position) -> Option<Gain> {
    if position.in_play() < WORTH_GUESSING {
        return None;
    }
    let mut engine = Engine::without_tables(PLAYER_HASH).ok()?;
    Some(engine.estimate(position, Limits::nodes(GUESS_NODES)))
}

fn solved(labeller: &mut Labeller, position: Position) -> Result<Problem, SolveError> {
    let lead = position.lead(position.side());
    let mut gains = vec![None; position.pits()];
    for (pit, margin) in labeller.moves(&position)? {
        gains[pit.index()] = Some(Gain(margin.0 - lead.0));
    }
    Ok(Problem { position, gains })
}

/// Whether the move that `engine` finds with this many nodes loses value.
fn errs(
    engine: &mut Engine,
    labeller: &mut Labeller,
    position: &Position,
    nodes: u64,
) -> Result<bool, SolveError> {
    engine.new_game();
    engine.set_position(*position);
    engine.prepare();
    match engine.best_move(Limits::nodes(nodes)) {
        Some(pit) => labeller.errs(position, pit),
        None => Ok(false),
    }
}

fn searched(engine: &mut Engine, tables: &Arc<Tables>, position: Position, nodes: u64) -> Problem {
    let lead = position.lead(position.side());
    let mut gains = vec![None; position.pits()];
    for (played, after) in position.children() {
        engine.set_position(after);
        let given = engine.resources_mut().set_tables(Arc::clone(tables));
        given.expect("the tables are for the variant of all games");
        // Each search starts from an empty table, so a label does not depend on earlier ones.
        engine.new_game();
        let margin = engine.estimate(&after, Limits::nodes(nodes));
        gains[played.pit.index()] = Some(played.turn.from_child(margin) - lead);
    }
    Problem { position, gains }
}

/// The boards of a problem with their gains: its own board, and those after its moves. Boards
/// on which the game is over are omitted.
pub fn labels(problem: &Problem) -> Vec<(Board<u64>, Gain)> {
    let Problem { position, gains } = problem;
    let mut labels = vec![(position.board(), problem.best())];
    for (played, after) in position.children() {
        if let Some(gain) = gains[played.pit.index()] {
            let rest = played.turn.from_child(gain - Gain(played.banked as i32));
            labels.push((after.board(), rest));
        }
    }
    labels.retain(|(board, _)| !board.is_over(position.variant()));
    labels
}

/// A position of a game, and its mover's value if the move was not random.
struct GamePly {
    position: Position,
    value: Option<Value>,
}

impl Sampling {
    /// The labelled positions of a batch of games.
    fn problems(
        &self,
        games: std::ops::Range<u64>,
        labeller: &mut Labeller,
        tables: &Arc<Tables>,
    ) -> Result<Vec<Problem>, SolveError> {
        let mut positions = Vec::new();
        for game in games {
            positions.extend(self.positions(game)?);
        }
        if let Some(nodes) = self.searched {
            let mut engine = Engine::without_tables(PLAYER_HASH).map_err(io::Error::from)?;
            return Ok(positions
                .into_iter()
                .map(|at| searched(&mut engine, tables, at, nodes))
                .collect());
        }
        let Some(nodes) = self.errors else {
            return positions.into_iter().map(|position| solved(labeller, position)).collect();
        };
        let mut engine = Engine::new().map_err(io::Error::from)?;
        let mut problems = Vec::new();
        for position in positions {
            if errs(&mut engine, labeller, &position, nodes)? {
                problems.push(solved(labeller, position)?);
            }
        }
        Ok(problems)
    }

    /// The positions sampled from a game.
    fn positions(&self, game: u64) -> Result<Vec<Position>, SolveError> {
        let mut random = SplitMix64::new(mix_nth(self.seed, game));
        let plies = self.play(game, &mut random)?;
        let mut candidates = Vec::new();
        for (at, ply) in plies.iter().enumerate() {
            let position = ply.position;
            // A position with a single move leaves nothing to choose.
            if (self.errors.is_none() || fell(&plies[at..]))
                && self.in_play.contains(&position.in_play())
                && position.moves().len() > 1
            {
                candidates.push(position);
            }
        }
        let mut taken = Vec::new();
        while taken.len() < self.per_game && !candidates.is_empty() {
            taken.push(candidates.swap_remove(random.below(candidates.len())));
        }
        Ok(taken)
    }

    /// Plays a game until it is over or has too few seeds in play.
    fn play(&self, game: u64, random: &mut SplitMix64) -> Result<Vec<GamePly>, SolveError> {
        let mut player = Engine::without_tables(PLAYER_HASH).map_err(io::Error::from)?;
        let mut position = Position::start(self.starts[game as usize % self.starts.len()]);
        let more = if self.errors.is_some() { MORE_OPENING } else { 0 };
        let opening = 1 + random.below(OPENING) + more;
        let mut plies = Vec::new();
        while !position.is_over() && position.in_play() >= *self.in_play.start() {
            let is_random =
                plies.len() < opening || (self.errors.is_none() && random.below(ERROR) == 0);
            let (pit, value) = if is_random {
                let moves = position.moves();
                (moves.into_iter().nth(random.below(moves.len())), None)
            } else {
                player.set_position(position);
                let found = player.search(Limits::nodes(self.nodes), &Stopper::new(), &mut |_| ());
                (found.best, found.info.map(|info| info.margin))
            };
            plies.push(GamePly { position, value });
            position.play(pit.expect("a game that is not over has a move")).expect("a legal move");
        }
        Ok(plies)
    }
}

/// Whether the value of the player who moves first in `plies` is lower at its next move.
fn fell(plies: &[GamePly]) -> bool {
    let mut own = plies.iter().filter(|ply| ply.position.side() == plies[0].position.side());
    let first = own.next().and_then(|ply| ply.value);
    let next = own.next().and_then(|ply| ply.value);
    match (first, next) {
        (Some(first), Some(next)) => next.0 <= first.0 - FALL,
        _ => false,
    }
}
