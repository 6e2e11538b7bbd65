//! Matches of whole games between algorithms, at equal leaves or equal time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use derive_more::Display;

use crate::algorithms::{
    ChildOrder, ExtraTurns, KalahTree, Method, Observer, ProbCutModel, TreeEvent,
};
use kalah_game::{Gain, Pit, Position, Row, Rules, Side, with_row};
use kalah_sys::parallel::map;
use kalah_sys::random::{SplitMix64, mix_nth};
use kalah_tables::statistics::{Estimate, Statistic};

use super::ensemble::Ensemble;
use super::estimate;

/// The limit of the search for a turn.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, Hash)]
pub enum TurnLimit {
    /// Leaves; for UCT, random games.
    #[display("{_0} leaves per turn")]
    Leaves(u64),
    /// Wall-clock time; the games then differ from run to run.
    #[display("{} ms per turn", _0.as_millis())]
    Time(Duration),
}

/// Counts leaves and stops the search at the limit.
struct TurnMeter {
    leaves: u64,
    max_leaves: u64,
    until: Option<Instant>,
    late: bool,
}

impl TurnMeter {
    fn new(limit: TurnLimit) -> Self {
        let (max_leaves, until) = match limit {
            TurnLimit::Leaves(leaves) => (leaves, None),
            TurnLimit::Time(time) => (u64::MAX, Some(Instant::now() + time)),
        };
        Self { leaves: 0, max_leaves, until, late: false }
    }
}

impl<N> Observer<N> for TurnMeter {
    fn observe(&mut self, event: TreeEvent<N>) {
        if matches!(event, TreeEvent::Leaf(_)) {
            self.leaves += 1;
            // Reading the clock costs about as much as a leaf, so it is not read at each.
            if self.leaves.is_multiple_of(64) {
                self.late = self.until.is_some_and(|until| Instant::now() >= until);
            }
        }
    }

    fn is_stopped(&self) -> bool {
        self.leaves >= self.max_leaves || self.late
    }
}

/// Maximum depth of an iteration; no game on a board that people play lasts longer.
const MAX_DEPTH: u16 = 200;

/// Turns per game, and leaves per second per thread, to estimate the time.
const TURNS: f64 = 35.0;
const LEAVES_PER_SECOND: f64 = 4e6;

/// Matches of several rivals against one.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    /// Board and capture rule.
    pub rules: Rules,
    /// Each of the others plays a match against the first.
    pub rivals: Vec<Method>,
    /// The limit of each search.
    pub limit: TurnLimit,
    /// Number of openings in each match, each played twice with sides swapped.
    pub pairs: usize,
    /// The openings, repeated from the first when all have been played, if the games from one
    /// opening differ; if there are none, positions after three random turns.
    pub openings: Vec<Position>,
    /// The seed of openings and random games.
    pub seed: u64,
}

impl MatchPlan {
    /// Each match: its rivals and the number of its pairs.
    fn matches(&self) -> impl Iterator<Item = ([Method; 2], usize)> {
        let (first, others) = self.rivals.split_first().expect("a rival");
        others.iter().map(|&other| {
            let rivals = [other, *first];
            let by_chance = rivals.iter().any(|rival| rival.algorithm.samples());
            let differ = by_chance || matches!(self.limit, TurnLimit::Time(_));
            // Without chance, a second pair from an opening would be the same games again.
            let given =
                if differ || self.openings.is_empty() { usize::MAX } else { self.openings.len() };
            (rivals, self.pairs.min(given))
        })
    }

    /// The number of pieces of work, for a progress bar.
    pub fn pieces(&self) -> usize {
        self.matches().map(|(_, pairs)| pairs).sum()
    }

    /// Roughly how long all matches will take on `threads` threads.
    pub fn duration(&self, threads: usize) -> Duration {
        let turns = TURNS * 2.0 * self.pieces() as f64;
        let turn = match self.limit {
            TurnLimit::Leaves(leaves) => leaves as f64 / LEAVES_PER_SECOND,
            TurnLimit::Time(time) => time.as_secs_f64(),
        };
        estimate::seconds(turns * turn / threads as f64)
    }

    /// Plays all matches; a piece of work is a pair of games. With a limit on leaves
    /// the games are the same on every machine and with any number of threads.
    pub fn run(
        &self,
        model: &Arc<ProbCutModel>,
        threads: usize,
        done: &(dyn Fn() + Sync),
    ) -> Vec<RivalMatch> {
        let pairs: Vec<_> = self
            .matches()
            .flat_map(|(rivals, pairs)| (0..pairs).map(move |pair| (rivals, pair)))
            .collect();
        let played = map(&pairs, threads, done, |&(rivals, pair)| self.play(rivals, model, pair));
        let mut pairs_played = played.into_iter();
        self.matches()
            .map(|(rivals, pairs)| RivalMatch {
                rivals,
                games: pairs_played.by_ref().take(pairs).flatten().collect(),
            })
            .collect()
    }

    /// Two games from one opening.
    fn play(&self, rivals: [Method; 2], model: &Arc<ProbCutModel>, pair: usize) -> Vec<RivalGame> {
        let seed = mix_nth(self.seed, pair as u64);
        let opening = match self.openings.len() {
            0 => Ensemble::opening(self.rules, seed),
            given => self.openings[pair % given],
        };
        // Each rival plays both sides, so that an opening that favours one side favours neither
        // rival.
        let games = [Side::South, Side::North].map(|first| {
            let mut random = SplitMix64::new(mix_nth(seed, first.index() as u64 + 1));
            let mut position = opening;
            let mut played = RivalGame::default();
            while !position.is_over() {
                let rival = usize::from(position.side() != first);
                let (turn, leaves) = with_row!(position, R => {
                    self.choose::<R>(rivals[rival], &position, model, random.next_u64())
                });
                played.leaves[rival] += leaves;
                played.turns[rival] += 1;
                for pit in turn {
                    position.play(pit).expect("a sowing of the chosen turn");
                }
            }
            RivalGame { margin: position.margin(first), ..played }
        });
        games.to_vec()
    }

    /// The sowings of the turn that `rival` plays, and the leaves that it visited.
    fn choose<R: Row>(
        &self,
        rival: Method,
        position: &Position,
        model: &Arc<ProbCutModel>,
        seed: u64,
    ) -> (Vec<Pit>, u64) {
        // Random games end by themselves, and do not depend on the order of moves.
        let samples = rival.algorithm.samples();
        let (depth, order) =
            if samples { (u16::MAX, ChildOrder::Far) } else { (MAX_DEPTH, ChildOrder::Static) };
        let tree = KalahTree::<R>::new(position, depth, ExtraTurns::Compound, order)
            .with_model(Arc::clone(model));
        let mut meter = TurnMeter::new(self.limit);
        let observer: &mut dyn Observer<_> = &mut meter;
        let found = rival.until_stopped().play(&tree, observer, seed, |_, _| ());
        (tree.sowings(found.best.unwrap_or(0)), meter.leaves)
    }
}

/// A match that was played.
#[derive(Clone, Debug)]
pub struct RivalMatch {
    /// All figures are from the first one's point of view.
    pub rivals: [Method; 2],
    /// Two games per opening, one after the other.
    games: Vec<RivalGame>,
}

#[derive(Clone, Copy, Debug, Default)]
struct RivalGame {
    /// From the first rival's point of view.
    margin: Gain,
    /// Leaves of each rival, all turns together.
    leaves: [u64; 2],
    /// Turns of each rival.
    turns: [u64; 2],
}

impl RivalMatch {
    /// The number of games.
    pub(crate) fn played(&self) -> usize {
        self.games.len()
    }

    /// Games that the first rival won (1), drew (0) or lost (-1).
    pub(crate) fn ended(&self, sign: i32) -> usize {
        self.games.iter().filter(|game| game.margin.0.signum() == sign).count()
    }

    /// The share of the points that the first rival won, in percent, and its error
    /// over pairs of games.
    pub(crate) fn share(&self) -> Estimate {
        // The samples are pairs rather than games, because the two games from one opening are not
        // independent.
        let points = self.games.chunks(2).map(|pair| {
            let signs = pair.iter().map(|game| game.margin.0.signum());
            50.0 + 25.0 * f64::from(signs.sum::<i32>())
        });
        Statistic::mean(points).estimate()
    }

    /// The mean number of leaves that a rival visits per turn.
    pub(crate) fn leaves_a_turn(&self, rival: usize) -> f64 {
        let leaves: u64 = self.games.iter().map(|game| game.leaves[rival]).sum();
        let turns: u64 = self.games.iter().map(|game| game.turns[rival]).sum();
        leaves as f64 / turns.max(1) as f64
    }
}

/// Number of positions to which each of ProbCut's checks is fitted.
pub const FITTED_POSITIONS: usize = 200;
