//! The search's [`Parameters`], tuned by games of the engine against itself at
//! fixed nodes: both players of a pair differ in all parameters at once, and
//! [`spsa`](super::spsa) follows what wins.

use std::collections::TryReserveError;
use std::sync::Arc;

use super::spsa::{Axis, Schedule, maximise};
use crate::endgame::Tables;
use crate::engine::Engine;
use crate::game::{Position, Rules, Side};
use crate::search::Limits;
use crate::search::parameters::{Parameter, Parameters};
use crate::sys::parallel;
use crate::sys::random::{SplitMix64, mix_nth};

/// Which games are played.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The starts of the games, one variant, each in turn.
    pub starts: Vec<Rules>,
    /// Random sowings after the start.
    pub random_plies: usize,
    /// Nodes a move, from 1.
    pub nodes: u64,
    /// Pairs of games of an iteration, from 1: each an opening with sides swapped.
    pub pairs: u32,
    /// Iterations, and the seed of openings too.
    pub schedule: Schedule,
}

/// MiB of a player's transposition table.
const HASH: usize = 4;

/// The parameters that seem best, from `start`; the same at any number of
/// threads. `report` receives those of each iteration.
///
/// # Errors
/// If the system refuses the memory of the players.
pub fn tune(
    tuning: &Tuning,
    start: Parameters,
    tables: &Arc<Tables>,
    threads: usize,
    mut report: impl FnMut(Parameters),
) -> Result<Parameters, TryReserveError> {
    let axis = |(Parameter { range, step, .. }, start): (&Parameter, i32)| Axis {
        start: start.into(),
        range: f64::from(*range.start())..=f64::from(*range.end()),
        step: f64::from(*step),
    };
    let axes: Vec<_> = Parameters::LIST.iter().zip(start.values()).map(axis).collect();
    let mut refused = None;
    let difference = |iteration: u32, plus: &[f64], minus: &[f64]| {
        let first = u64::from(iteration) * u64::from(tuning.pairs);
        let pairs: Vec<u64> = (first..first + u64::from(tuning.pairs)).collect();
        let players = [rounded(plus), rounded(minus)];
        let play = |&pair: &u64| tuning.pair(pair, players, tables);
        let points = parallel::map(&pairs, threads, &|| (), play);
        let points: Result<i32, TryReserveError> = points.into_iter().sum();
        let points = points.unwrap_or_else(|error| {
            refused = Some(error);
            0
        });
        f64::from(points) / f64::from(2 * tuning.pairs)
    };
    let found = maximise(&axes, tuning.schedule, difference, |middle| report(rounded(middle)));
    refused.map_or(Ok(rounded(&found)), Err)
}

/// The parameters at a point within the ranges.
fn rounded(point: &[f64]) -> Parameters {
    let mut parameters = Parameters::DEFAULT;
    for (parameter, &value) in Parameters::LIST.iter().zip(point) {
        parameters.set(parameter.name, value.round() as i32).expect("a value in the range");
    }
    parameters
}

impl Tuning {
    /// The wins of the first player less its losses in the two games of a pair.
    fn pair(
        &self,
        number: u64,
        players: [Parameters; 2],
        tables: &Arc<Tables>,
    ) -> Result<i32, TryReserveError> {
        let rules = self.starts[number as usize % self.starts.len()];
        let mut engines = [Engine::without_tables(HASH)?, Engine::without_tables(HASH)?];
        for (engine, parameters) in engines.iter_mut().zip(players) {
            engine.set_rules(rules);
            engine.set_tables(Arc::clone(tables));
            engine.settings_mut().parameters = parameters;
        }
        let opening = self.opening(rules, number);
        Ok([Side::South, Side::North]
            .map(|first| {
                engines.iter_mut().for_each(Engine::new_game);
                self.margin(opening, &mut engines, first, tables).signum()
            })
            .iter()
            .sum())
    }

    fn opening(&self, rules: Rules, number: u64) -> Position {
        let mut random = SplitMix64::new(mix_nth(self.schedule.seed, number));
        let mut position = Position::start(rules);
        for _ in 0..self.random_plies {
            let moves = position.moves();
            let Some(pit) = moves.into_iter().nth(random.below(moves.len().max(1))) else { break };
            position.play(pit).expect("a legal move");
        }
        position
    }

    /// The margin of the first engine, which plays `first`. Games end where the
    /// tables or a store that holds the majority decide them.
    fn margin(
        &self,
        mut position: Position,
        engines: &mut [Engine; 2],
        first: Side,
        tables: &Tables,
    ) -> i32 {
        loop {
            let side = position.side();
            let sign = if side == first { 1 } else { -1 };
            let lead = position.lead(side).0;
            if position.is_over() || lead.unsigned_abs() > position.in_play() {
                return sign * position.margin(side).0;
            }
            if let Some(margin) = tables.margin(&position) {
                return sign * margin.0;
            }
            let engine = &mut engines[usize::from(side != first)];
            engine.set_position(position);
            let pit = engine.best_move(Limits::nodes(self.nodes));
            position.play(pit.expect("a game that is not over has a move")).expect("a legal move");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Capture;

    #[test]
    fn tuning_repeats_itself_at_any_number_of_threads_and_stays_within_the_ranges() {
        let rules = Rules::new(4, 4, Capture::Standard).unwrap();
        let tuning = Tuning {
            starts: vec![rules],
            random_plies: 3,
            nodes: 50,
            pairs: 3,
            schedule: Schedule { iterations: 6, last_move: 5.0, seed: 1 },
        };
        let tables = Arc::new(Tables::build(rules.variant(), 6, 1).unwrap());
        let mut steps = Vec::new();
        let report = |parameters| steps.push(parameters);
        let found = tune(&tuning, Parameters::DEFAULT, &tables, 1, report).unwrap();
        let again = tune(&tuning, Parameters::DEFAULT, &tables, 3, |_| ()).unwrap();
        assert_eq!(found, again);
        assert_eq!((steps.len(), steps.last()), (6, Some(&found)));
        assert_ne!(found, Parameters::DEFAULT);
        assert_eq!(found.to_string().parse(), Ok(found));
    }
}
