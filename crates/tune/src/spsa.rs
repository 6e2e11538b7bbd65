//! Tuning the parameters of the search by games: simultaneous perturbation stochastic
//! approximation (SPSA; Spall, "Implementation of the simultaneous perturbation algorithm for
//! stochastic optimization", IEEE Transactions on Aerospace and Electronic Systems 34(3), 1998).
//!
//! Each pair of games is played from one random opening by two engines of this process, whose
//! parameters differ from the current values by a random sign times a distance that shrinks. All
//! values then move towards the side that scored more. Steps are pure functions of the
//! configuration and the values before them, so a run that continues from its journal gives the
//! values that an uninterrupted one would have given. With clocks, results also depend on
//! the speed and the load of the machine.
//!
//! This module does not decide whether the new values are better: a match does.

use std::sync::Arc;
use std::time::{Duration, Instant};

use kalah_engine::endgame::Tables;
use kalah_engine::search::Clock;
use kalah_engine::search::parameters::{PARAMETERS, Parameter, Parameters};
use kalah_engine::{Engine, Limits};
use kalah_game::{Position, Rules, Side};
use kalah_record::{TimeControl, opening};
use kalah_sys::machine::MemoryError;
use kalah_sys::parallel;
use kalah_sys::random::{SplitMix64, mix_nth};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The decay of the distance between the compared values, as Spall recommends.
const DISTANCE_DECAY: f64 = 0.101;
/// The decay of the length of the steps, as Spall recommends.
const LENGTH_DECAY: f64 = 0.602;
/// The share of all pairs by which the decay of the length is delayed, so that the first steps are
/// not too long.
const DELAY: f64 = 0.1;
/// How far each point of a pair above one moves a value at the end, in parts of the parameter's
/// step.
const LAST_LENGTH: f64 = 0.004;
/// Pairs that are played with the same values.
const PAIRS_PER_STEP: u64 = 32;
/// MiB of a player's transposition table.
const PLAYER_HASH: usize = 1;

/// What to tune, and by which games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tuning {
    /// The parameters and their first values.
    pub first: Vec<ParameterValue>,
    /// The number of pairs that the run consists of; it determines how fast the steps shrink.
    pub pairs: u64,
    /// What limits the searches.
    #[serde(flatten)]
    pub limit: TuningLimit,
    /// Pits per row and seeds per pit.
    pub board: [u32; 2],
    /// Random sowings before each pair.
    pub random_plies: usize,
    /// Seeds all random choices.
    pub seed: u64,
}

/// What limits the searches of a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TuningLimit {
    /// Nodes per move.
    Nodes(u64),
    /// The clock of each player. Running out of time does not lose the game: the player continues on
    /// the increments.
    Clock(TimeControl),
}

/// A parameter with a value between two whole ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParameterValue {
    /// Its name, as in [`PARAMETERS`].
    pub name: String,
    /// The value, which lies in the parameter's range.
    pub value: f64,
}

/// The values after a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Pairs played up to its end.
    pub pairs: u64,
    /// The values, in the order of [`Tuning::first`].
    pub values: Vec<f64>,
}

/// Error for a parameter that is unknown or cannot be tuned as given.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{0}")]
pub struct TuningError(String);

/// The parameter with this name.
///
/// # Errors
/// If there is none.
pub fn parameter(name: &str) -> Result<&'static Parameter, TuningError> {
    let found = PARAMETERS.iter().find(|parameter| parameter.name == name);
    found.ok_or_else(|| TuningError(format!("no parameter '{name}'")))
}

/// The parameters with these first values.
///
/// # Errors
/// If one does not matter with this limit, is given twice, or has a value outside its range.
pub fn tunable(
    first: &[ParameterValue],
    limit: TuningLimit,
) -> Result<Vec<&'static Parameter>, TuningError> {
    let mut parameters = Vec::new();
    for ParameterValue { name, value } in first {
        let parameter = parameter(name)?;
        if parameter.is_for_clocks && matches!(limit, TuningLimit::Nodes(_)) {
            return Err(TuningError(format!("{name} matters only in games with a clock")));
        }
        let least = parameter.range.start();
        let most = parameter.range.end();
        if !(f64::from(*least)..=f64::from(*most)).contains(value) {
            let fault = format!("{name}: expected {least} to {most}, got {value}");
            return Err(TuningError(fault));
        }
        if parameters.contains(&parameter) {
            return Err(TuningError(format!("{name} is given twice")));
        }
        parameters.push(parameter);
    }
    Ok(parameters)
}

/// A run of SPSA between two steps.
pub struct Spsa {
    tuning: Tuning,
    parameters: Vec<&'static Parameter>,
    start: Position,
    tables: Arc<Tables>,
    last: Step,
}

impl Spsa {
    /// A run that continues after the step `last`, or begins without one. The tables are for the
    /// board of the games.
    ///
    /// # Errors
    /// If a parameter cannot be tuned, or its first value is outside its range.
    pub fn new(
        tuning: Tuning,
        rules: Rules,
        tables: Arc<Tables>,
        last: Option<Step>,
    ) -> Result<Self, TuningError> {
        let parameters = tunable(&tuning.first, tuning.limit)?;
        let values = tuning.first.iter().map(|first| first.value).collect();
        let last = last.unwrap_or(Step { pairs: 0, values });
        Ok(Self { tuning, parameters, start: Position::start(rules), tables, last })
    }

    /// The last step.
    pub fn last(&self) -> &Step {
        &self.last
    }

    /// Plays the pairs of the next step on up to `threads` threads and moves the values.
    ///
    /// # Errors
    /// If there is no memory for the players; the values are then unchanged.
    pub fn step(&mut self, threads: usize) -> Result<&Step, MemoryError> {
        let first = self.last.pairs;
        let pairs: Vec<u64> = (first..self.tuning.pairs.min(first + PAIRS_PER_STEP)).collect();
        let play = |&pair: &u64| Perturbation::new(self, pair).moved_by_a_pair(self);
        let moves = parallel::map(&pairs, threads, &|| (), play);
        let mut values = self.last.values.clone();
        for moved in moves {
            for (value, change) in values.iter_mut().zip(moved?) {
                *value += change;
            }
        }
        for (value, parameter) in values.iter_mut().zip(&self.parameters) {
            let least = f64::from(*parameter.range.start());
            let most = f64::from(*parameter.range.end());
            *value = value.clamp(least, most);
        }
        self.last = Step { pairs: first + pairs.len() as u64, values };
        Ok(&self.last)
    }

    fn player(&self, parameters: Parameters) -> Result<Engine, MemoryError> {
        let mut engine = Engine::without_tables(PLAYER_HASH)?;
        engine.settings_mut().parameters = parameters;
        // The search itself is tuned: nothing delays an answer within a process, and no book answers.
        engine.settings_mut().overhead = Duration::ZERO;
        engine.settings_mut().own_book = false;
        engine.set_position(self.start);
        let given = engine.resources_mut().set_tables(Arc::clone(&self.tables));
        given.expect("the tables are for the board of the games");
        Ok(engine)
    }

    /// The points of South, of two, in a game between `south` and `north` from `opening`.
    fn game(&self, south: &mut Engine, north: &mut Engine, opening: Position) -> f64 {
        let mut position = opening;
        let mut south = TunedPlayer::new(south, self.tuning.limit);
        let mut north = TunedPlayer::new(north, self.tuning.limit);
        while !position.is_over() {
            if let Some(margin) = self.tables.margin(&position) {
                let margin = if position.side() == Side::South { margin } else { -margin };
                return f64::from(margin.0.signum()) + 1.0;
            }
            let player = if position.side() == Side::South { &mut south } else { &mut north };
            player.play(&mut position);
        }
        f64::from(position.margin(Side::South).0.signum()) + 1.0
    }
}

/// A player of a game, and its clock.
struct TunedPlayer<'a> {
    engine: &'a mut Engine,
    limits: Limits,
    time: Option<(TimeControl, Clock)>,
}

impl<'a> TunedPlayer<'a> {
    fn new(engine: &'a mut Engine, limit: TuningLimit) -> Self {
        engine.new_game();
        // Clearing the table takes none of the player's time.
        engine.prepare();
        let (limits, time) = match limit {
            TuningLimit::Nodes(nodes) => (Limits::nodes(nodes), None),
            TuningLimit::Clock(control) => (Limits::default(), Some((control, control.clock()))),
        };
        Self { engine, limits, time }
    }

    /// Makes a move in a position whose game is not over.
    fn play(&mut self, position: &mut Position) {
        let started = Instant::now();
        let clock = self.time.as_ref().map(|(_, clock)| *clock);
        self.engine.set_position(*position);
        let best = self.engine.best_move(Limits { clock, ..self.limits });
        if let Some((control, clock)) = &mut self.time {
            control.charge(clock, started.elapsed(), Duration::ZERO);
        }
        position.play(best.expect("a game that is not over has a move")).expect("a legal move");
    }
}

/// The random signs of a pair, and how far it moves the values.
struct Perturbation {
    random: SplitMix64,
    signs: Vec<f64>,
    /// Of each value from the centre.
    distances: Vec<f64>,
    /// How far a point moves a value, in parts of its distance.
    length: f64,
}

impl Perturbation {
    fn new(spsa: &Spsa, pair: u64) -> Self {
        let mut random = SplitMix64::new(mix_nth(spsa.tuning.seed, pair));
        let all = spsa.tuning.pairs as f64;
        let at = pair as f64 + 1.0;
        let wider = (all / at).powf(DISTANCE_DECAY);
        let longer = ((DELAY * all + all) / (DELAY * all + at)).powf(LENGTH_DECAY);
        let steps = spsa.parameters.iter().map(|parameter| f64::from(parameter.step));
        let distances: Vec<f64> = steps.map(|step| step * wider).collect();
        let signs = distances.iter().map(|_| if random.below(2) == 0 { 1.0 } else { -1.0 });
        let signs = signs.collect();
        Self { random, signs, distances, length: LAST_LENGTH * longer / (wider * wider) }
    }

    /// Plays the pair, and returns how it moves each value.
    fn moved_by_a_pair(mut self, spsa: &Spsa) -> Result<Vec<f64>, MemoryError> {
        let mut upper = spsa.player(self.values(spsa, 1.0))?;
        let mut lower = spsa.player(self.values(spsa, -1.0))?;
        let plies = spsa.tuning.random_plies;
        let openings = opening::random(spsa.start, plies, 1, self.random.next_u64());
        let opening = openings[0].position();
        let as_south = spsa.game(&mut upper, &mut lower, opening);
        let as_north = 2.0 - spsa.game(&mut lower, &mut upper, opening);
        let lead = as_south + as_north - 2.0;
        let moves = self.signs.iter().zip(&self.distances);
        Ok(moves.map(|(sign, distance)| self.length * lead * sign * distance).collect())
    }

    /// The parameters of the player on this side of the centre. Values between two whole ones are
    /// rounded at random, so that on average they are the intended ones.
    fn values(&mut self, spsa: &Spsa, side: f64) -> Parameters {
        let mut parameters = Parameters::IN_USE;
        for (at, parameter) in spsa.parameters.iter().enumerate() {
            let exact = spsa.last.values[at] + side * self.signs[at] * self.distances[at];
            let rounded = (exact + self.random.unit()).floor() as i32;
            let value = rounded.clamp(*parameter.range.start(), *parameter.range.end());
            let set = parameters.set(parameter.name, value);
            set.expect("the value is in the range of a known parameter");
        }
        parameters
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_takes_its_time_from_the_clock_of_its_player() {
        let control: TimeControl = "1".parse().unwrap();
        let mut engine = Engine::without_tables(1).unwrap();
        let mut player = TunedPlayer::new(&mut engine, TuningLimit::Clock(control));
        let mut position = Position::start(Rules::default());
        player.play(&mut position);
        assert_ne!(position, Position::start(Rules::default()));
        let (_, clock) = player.time.unwrap();
        assert!(clock.remaining < control.base, "{clock:?}");
    }
}
