//! Matches of whole games between algorithms, at equal leaves.

use std::collections::HashMap;
use std::sync::Arc;

use crate::algorithms::{
    Algorithm, ChildOrder, ExtraTurns, KalahTree, Method, Observer, ProbCutModel, TreeEvent,
};
use kalah_game::{Pit, Position, Row, Rules, Side, with_row};
use kalah_sys::parallel::map;
use kalah_sys::random::{SplitMix64, mix_nth};
use kalah_tables::statistics::Statistic;

use super::ensemble::Ensemble;
use super::judge::{Case, Figure};

/// Counts leaves and stops the search at the limit.
struct TurnMeter {
    leaves: u64,
    max_leaves: u64,
}

impl<N> Observer<N> for TurnMeter {
    fn observe(&mut self, event: TreeEvent<N>) {
        self.leaves += u64::from(matches!(event, TreeEvent::Leaf(_)));
    }

    fn is_stopped(&self) -> bool {
        self.leaves >= self.max_leaves
    }
}

/// Maximum depth of an iteration; no game on a board that people play lasts longer.
const MAX_DEPTH: u16 = 200;

/// Matches under the same conditions.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    /// Board and capture rule.
    pub rules: Rules,
    /// The leaves of a turn; for UCT, random games.
    pub leaves: u64,
    /// Number of openings, positions after three random turns, each played twice with sides
    /// swapped.
    pub pairs: usize,
    /// The seed of openings and random games.
    pub seed: u64,
}

impl MatchPlan {
    /// The matches that claims are about.
    pub(super) fn standard(seed: u64) -> Self {
        Self { rules: Rules::default(), leaves: 2000, pairs: 20, seed }
    }

    /// The share of the points that the first of each two rivals wins in each pair of games, in
    /// percent. Pairs and not games are the sample, because the games from one opening are not
    /// independent. They are the same on every machine and with any number of threads. `done` is
    /// called after each pair.
    pub fn run(
        &self,
        rivals: &[[Method; 2]],
        threads: usize,
        done: &(dyn Fn() + Sync),
    ) -> Vec<Vec<f64>> {
        let is_probcut = |rival: &Method| rival.algorithm == Algorithm::ProbCut;
        let model = Arc::new(if rivals.as_flattened().iter().any(is_probcut) {
            ProbCutModel::fitted_to_kalah(self.rules, 8, 200, self.seed)
        } else {
            ProbCutModel::default()
        });
        let openings = 0..self.pairs as u64;
        let pairs: Vec<([Method; 2], u64)> = rivals
            .iter()
            .flat_map(|&rivals| openings.clone().map(move |opening| (rivals, opening)))
            .collect();
        let points = map(&pairs, threads, done, |&(rivals, opening)| {
            let seed = mix_nth(self.seed, opening);
            let mut random = [1, 2].map(|game| SplitMix64::new(mix_nth(seed, game)));
            let opening = Ensemble::opening(self.rules, seed);
            let points = played_twice(opening, |position, first| {
                let rival = rivals[usize::from(position.side() != first)];
                let seed = random[first.index()].next_u64();
                Some(with_row!(position, R => self.choose::<R>(rival, position, &model, seed)))
            });
            points.expect("every turn is legal")
        });
        points.chunks(self.pairs).map(<[f64]>::to_vec).collect()
    }

    /// The mean points of each match as a case of a claim.
    pub(super) fn cases(
        &self,
        rivals: &[[Method; 2]],
        threads: usize,
        done: &(dyn Fn() + Sync),
    ) -> HashMap<[Method; 2], Case> {
        let mut cases = HashMap::new();
        for ([own, other], points) in rivals.iter().zip(self.run(rivals, threads, done)) {
            let condition = format!("{own} – {other}, {} leaves per turn", self.leaves);
            let figure = Figure::from(&Statistic::mean(points.into_iter()));
            cases.insert([*own, *other], Case { condition, figure, sampled: None });
        }
        cases
    }

    /// The sowings of the turn that `rival` plays.
    fn choose<R: Row>(
        &self,
        rival: Method,
        position: &Position,
        model: &Arc<ProbCutModel>,
        seed: u64,
    ) -> Vec<Pit> {
        // Random games end by themselves, and do not depend on the order of moves.
        let samples = rival.algorithm.samples();
        let (depth, order) =
            if samples { (u16::MAX, ChildOrder::Far) } else { (MAX_DEPTH, ChildOrder::Static) };
        let tree = KalahTree::<R>::new(position, depth, ExtraTurns::Compound, order)
            .with_model(Arc::clone(model));
        let mut meter = TurnMeter { leaves: 0, max_leaves: self.leaves };
        let observer: &mut dyn Observer<_> = &mut meter;
        let found = rival.until_stopped().play(&tree, observer, seed, |_| ());
        tree.sowings(found.best.unwrap_or(0))
    }
}

/// The percentage of the points that a player wins in two games from `opening`, once as each side,
/// so that an opening that favours one side favours neither player. `choose` plays both sides: it
/// is given the position and the player's side. `None` if it fails.
pub(super) fn played_twice(
    opening: Position,
    mut choose: impl FnMut(&Position, Side) -> Option<Vec<Pit>>,
) -> Option<f64> {
    let mut signs = 0;
    for player in [Side::South, Side::North] {
        let mut position = opening;
        while !position.is_over() {
            for pit in choose(&position, player)? {
                position.play(pit).ok()?;
            }
        }
        signs += position.margin(player).0.signum();
    }
    Some(50.0 + 25.0 * f64::from(signs))
}
