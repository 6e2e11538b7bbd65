//! Matches of whole games between algorithms, at equal leaves or equal time.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::game::score::Gain;
use crate::game::{Pit, Position, Row, Rules, Side, with_row};
use crate::lab::algorithms::{Event, ExtraTurns, KalahTree, Method, Model, Observer, Order};
use crate::sys::parallel::map;
use crate::sys::random::{SplitMix64, mix_nth};
use crate::sys::statistics::{Estimate, Statistic};

use super::ensemble::Ensemble;

/// What a rival may spend on a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TurnLimit {
    /// Leaves; for UCT, random games.
    Leaves(u64),
    /// Wall-clock time. What is played then differs from run to run.
    Time(Duration),
}

impl fmt::Display for TurnLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TurnLimit::Leaves(leaves) => write!(f, "{leaves} leaves per turn"),
            TurnLimit::Time(time) => write!(f, "{} ms per turn", time.as_millis()),
        }
    }
}

/// Counts leaves and stops the search at the limit.
struct Meter {
    leaves: u64,
    max_leaves: u64,
    until: Option<Instant>,
    late: bool,
}

impl Meter {
    fn new(limit: TurnLimit) -> Self {
        let (max_leaves, until) = match limit {
            TurnLimit::Leaves(leaves) => (leaves, None),
            TurnLimit::Time(time) => (u64::MAX, Some(Instant::now() + time)),
        };
        Self { leaves: 0, max_leaves, until, late: false }
    }
}

impl<N> Observer<N> for Meter {
    #[inline]
    fn observe(&mut self, event: Event<N>) {
        if matches!(event, Event::Leaf(_)) {
            self.leaves += 1;
            // Reading the clock costs about as much as a leaf.
            if self.leaves.is_multiple_of(64) {
                self.late = self.until.is_some_and(|until| Instant::now() >= until);
            }
        }
    }

    #[inline]
    fn is_stopped(&self) -> bool {
        self.leaves >= self.max_leaves || self.late
    }
}

/// The deepest iteration; no game of a board that people play lasts longer.
const DEEPEST: u16 = 200;

/// Matches of several rivals against one.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Board and capture rule.
    pub rules: Rules,
    /// The others play against the first.
    pub rivals: Vec<Method>,
    /// What each may spend on a turn.
    pub limit: TurnLimit,
    /// Openings of each match, each played with both sides.
    pub pairs: usize,
    /// The openings, again from the first when all were played; if there are
    /// none, positions after three random turns.
    pub openings: Vec<Position>,
    /// What openings and random games follow from.
    pub seed: u64,
}

impl Plan {
    /// How many matches there are.
    pub(crate) fn matches(&self) -> usize {
        self.rivals.len().saturating_sub(1)
    }

    /// Plays all matches; pieces of work are the pairs of games. With a limit
    /// of leaves the games are the same on every machine and at any number of threads.
    pub(crate) fn run(
        &self,
        model: &Arc<Model>,
        threads: usize,
        done: &(dyn Fn() + Sync),
    ) -> Vec<Match> {
        let mut pairs = Vec::new();
        for &rival in self.rivals.iter().skip(1) {
            pairs.extend((0..self.pairs).map(|pair| ([rival, self.rivals[0]], pair)));
        }
        let played = map(&pairs, threads, done, |&(rivals, pair)| self.play(rivals, model, pair));
        let matches = pairs.chunks(self.pairs).zip(played.chunks(self.pairs));
        matches.map(|(pairs, games)| Match { rivals: pairs[0].0, games: games.concat() }).collect()
    }

    /// Two games from one opening.
    fn play(&self, rivals: [Method; 2], model: &Arc<Model>, pair: usize) -> Vec<Game> {
        let seed = mix_nth(self.seed, pair as u64);
        let opening = match self.openings.len() {
            0 => Ensemble::opening(self.rules, seed),
            given => self.openings[pair % given],
        };
        let games = [Side::South, Side::North].map(|first| {
            let mut random = SplitMix64::new(mix_nth(seed, first.index() as u64 + 1));
            let mut position = opening;
            let mut played = Game::default();
            while !position.is_over() {
                let player = usize::from(position.side() != first);
                let (turn, leaves) = with_row!(position, R => {
                    self.choose::<R>(rivals[player], &position, model, random.next_u64())
                });
                played.leaves[player] += leaves;
                played.turns[player] += 1;
                for pit in turn {
                    position.play(pit).expect("a sowing of the chosen turn");
                }
            }
            Game { margin: position.margin(first), ..played }
        });
        games.to_vec()
    }

    /// The sowings of the turn that `rival` plays, and the leaves that it visited.
    fn choose<R: Row>(
        &self,
        rival: Method,
        position: &Position,
        model: &Arc<Model>,
        seed: u64,
    ) -> (Vec<Pit>, u64) {
        // Random games end by themselves, and have no use for an order.
        let samples = rival.algorithm.samples();
        let (depth, order) =
            if samples { (u16::MAX, Order::Far) } else { (DEEPEST, Order::Static) };
        let tree = KalahTree::<R>::new(position, depth, ExtraTurns::Compound, order);
        let tree = tree.with_model(Arc::clone(model));
        let mut meter = Meter::new(self.limit);
        let observer: &mut dyn Observer<_> = &mut meter;
        let found = rival.until_stopped().play(&tree, observer, seed, |_, _| ());
        (tree.sowings(found.best.unwrap_or(0)), meter.leaves)
    }
}

/// A match that was played.
#[derive(Clone, Debug)]
pub(crate) struct Match {
    /// The figures are those of the first.
    pub rivals: [Method; 2],
    /// Each pair has the same opening.
    games: Vec<Game>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Game {
    /// From the first rival's point of view.
    margin: Gain,
    /// Leaves of each rival, all turns together.
    leaves: [u64; 2],
    /// Turns of each rival.
    turns: [u64; 2],
}

impl Match {
    /// Games that the first rival won (1), drew (0) or lost (-1).
    pub(crate) fn ended(&self, sign: i32) -> usize {
        self.games.iter().filter(|game| game.margin.0.signum() == sign).count()
    }

    /// The share of the points that the first rival won, in percent, and its error
    /// over pairs of games.
    pub(crate) fn share(&self) -> Estimate {
        let points = self.games.chunks(2).map(|pair| {
            let signs = pair.iter().map(|game| game.margin.0.signum());
            50.0 + 25.0 * f64::from(signs.sum::<i32>())
        });
        Statistic::mean(points).estimate()
    }

    /// The mean number of leaves a turn of a rival.
    pub(crate) fn leaves_a_turn(&self, rival: usize) -> f64 {
        let leaves: u64 = self.games.iter().map(|game| game.leaves[rival]).sum();
        let turns: u64 = self.games.iter().map(|game| game.turns[rival]).sum();
        leaves as f64 / turns.max(1) as f64
    }
}

/// Positions that each of ProbCut's checks is fitted on.
pub(crate) const FITTED: usize = 200;
