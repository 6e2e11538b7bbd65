//! The regret of strategies on bandits: the loss compared with a player who knows the best arm and
//! always pulls it.
//!
//! The arms are coins with known probabilities, or Kalah's moves with random games as
//! pulls.

use std::sync::Arc;

use crate::algorithms::{
    Algorithm, Arm, ChildOrder, EPSILON, ExtraTurns, KalahTree, Method, MinimaxSide, Policy,
    SearchRun, Strategy, Tree, playout, won,
};
use kalah_game::{Position, Row, Rules, with_row};
use kalah_sys::parallel::map;
use kalah_sys::random::{SplitMix64, mix_nth};
use kalah_tables::statistics::{Estimate, Statistic};

use super::judge::{Case, Figure};
use super::pair::Pair;

/// The strategies that are compared, in the order of the results.
const STRATEGIES: [Strategy; 4] = [
    Strategy::EpsilonGreedy,
    Strategy::EpsilonDecreasing,
    Strategy::Ucb(Policy::Ucb1),
    Strategy::Ucb(Policy::Ucb1Tuned),
];

/// The reward of a pull of an arm.
type Pull = dyn Fn(usize, &mut SplitMix64) -> f64 + Send + Sync;

/// A bandit. The experiment knows the mean rewards of its arms; the strategies do not.
#[derive(Clone)]
pub struct Bandit {
    /// A description of its arms.
    pub name: String,
    /// The mean reward of each arm.
    pub means: Vec<f64>,
    pull: Arc<Pull>,
}

impl Bandit {
    /// Arms that pay 1 with these probabilities, and 0 otherwise.
    pub fn coins(chances: &[f64]) -> Self {
        let best = chances.iter().copied().fold(0.0, f64::max);
        let others = chances.iter().copied().filter(|&chance| chance < best);
        let next = others.fold(0.0, f64::max);
        let name = format!("{} coins, {best} against {next}", chances.len());
        let means = chances.to_vec();
        let coins = means.clone();
        let pull =
            Arc::new(move |arm, random: &mut SplitMix64| f64::from(random.unit() < coins[arm]));
        Self { name, means, pull }
    }

    /// Four of the bandits on which Auer, Cesa-Bianchi and Fischer, 2002, section 4,
    /// compare the same strategies: their distributions 1, 3, 11 and 14.
    pub fn from_auer() -> Vec<Self> {
        let arms = [(1, 0.9, 0.6), (1, 0.55, 0.45), (9, 0.9, 0.6), (9, 0.55, 0.45)];
        let bandits = arms.map(|(others, best, chance)| {
            Self::coins(&[vec![best], vec![chance; others]].concat())
        });
        bandits.into()
    }

    /// The sowings of `position`, each with its mean reward over `games` random games.
    pub fn from_position(position: Position, games: usize, seed: u64) -> Self {
        let mut random = SplitMix64::new(mix_nth(seed, games as u64));
        let pull = with_row!(position, R => random_games::<R>(&position));
        let mut means = Vec::new();
        for arm in 0..position.moves().len() {
            let rewards = (0..games).map(|_| pull(arm, &mut random));
            means.push(rewards.sum::<f64>() / games as f64);
        }
        Self { name: format!("moves of {position}"), means, pull }
    }

    /// The progress of `strategy` after each number of pulls in `pulls`.
    fn play(&self, strategy: Strategy, pulls: Pulls, random: &mut SplitMix64) -> [Progress; 3] {
        let best = self.best();
        let mut arms = vec![Arm::default(); self.means.len()];
        let mut progress = Progress::default();
        let mut done = 0;
        pulls.map(|wanted| {
            for _ in done..wanted {
                let chosen = strategy.choose(&arms, random);
                arms[chosen].pull((self.pull)(chosen, random));
                // The expected loss, not the actual one, whose noise would hide it.
                let loss = best - self.means[chosen];
                progress.regret += loss;
                progress.others += f64::from(u8::from(loss > 0.0));
            }
            done = wanted;
            progress.rarest = arms.iter().map(|arm| arm.pulls).fold(f64::INFINITY, f64::min);
            progress
        })
    }

    fn best(&self) -> f64 {
        self.means.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    /// The bound on the expected regret of UCB1 that Auer and others prove.
    fn ucb1_bound(&self, pulls: u64) -> f64 {
        let best = self.best();
        // Theorem 1 of the article.
        let gaps = self.means.iter().map(|mean| best - mean).filter(|&gap| gap > 0.0);
        let logarithmic: f64 = gaps.clone().map(|gap| 8.0 * (pulls as f64).ln() / gap).sum();
        let constant = 1.0 + std::f64::consts::PI.powi(2) / 3.0;
        logarithmic + constant * gaps.sum::<f64>()
    }
}

/// The results of random games after the sowings of a position.
fn random_games<R: Row>(position: &Position) -> Arc<Pull> {
    // Deeper than any game is long, so that random games end by the rules.
    let tree = KalahTree::<R>::new(position, u16::MAX, ExtraTurns::Ply, ChildOrder::Far);
    let children: Vec<_> = tree.children(tree.root()).collect();
    Arc::new(move |arm, random| {
        let side = MinimaxSide::Max.after(children[arm].turn);
        won(playout(&mut SearchRun::new(&tree), children[arm].node, side, random))
    })
}

/// The progress of a strategy.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    /// The expected loss compared with the best arm.
    regret: f64,
    /// Pulls of arms other than the best.
    others: f64,
    /// Pulls of the arm that was pulled least often.
    rarest: f64,
}

/// A quarter, half and all of the pulls of a run.
type Pulls = [u64; 3];

/// The regret of a strategy on a bandit.
#[derive(Clone)]
pub struct Curve {
    bandit: Bandit,
    strategy: Strategy,
    pulls: Pulls,
    /// The progress after each of them, run by run.
    runs: Vec<[Progress; 3]>,
}

impl Curve {
    /// The regret of the last half of the pulls divided by that of the quarter before it:
    /// 2 if regret grows linearly, 1 if it grows logarithmically.
    pub fn growth(&self) -> Estimate {
        self.last_half(|done| done.regret, |half, quarter| half / quarter)
    }

    /// The same for the share of pulls of arms other than the best.
    pub(super) fn growth_of_others(&self) -> Estimate {
        self.last_half(|done| done.others, |half, quarter| half / 2.0 / quarter)
    }

    /// The mean regret per pull after all pulls divided by that after half of them. It
    /// is below 1 if the mean tends to 0.
    pub fn fall(&self) -> Estimate {
        self.growth_of(|done| done.regret / 2.0, |done| done.regret)
    }

    /// The pulls of the rarest arm after all pulls divided by those after half of them.
    pub(super) fn growth_of_rarest(&self) -> Estimate {
        self.growth_of(|done| done.rarest, |done| done.rarest)
    }

    /// The regret per pull of the last half of the pulls, over what epsilon-greedy's exploration
    /// costs by itself: epsilon times the mean gap.
    pub(super) fn share_of_exploration(&self) -> Estimate {
        let means = &self.bandit.means;
        let gap = self.bandit.best() - means.iter().sum::<f64>() / means.len() as f64;
        let cost = EPSILON * gap * (self.pulls[2] - self.pulls[1]) as f64;
        self.last_half(|done| done.regret, |half, _| half / cost)
    }

    /// The regret after all pulls divided by the bound of UCB1.
    pub fn share_of_bound(&self) -> Estimate {
        let bound = self.bandit.ucb1_bound(self.pulls[2]);
        self.after(2, |done| done.regret / bound).estimate()
    }

    /// A figure of the amounts added in the last half of the pulls and in the quarter before it.
    fn last_half(&self, of: fn(&Progress) -> f64, figure: impl Fn(f64, f64) -> f64) -> Estimate {
        let added = [2, 1].map(|nth| {
            Statistic::mean(self.runs.iter().map(|run| of(&run[nth]) - of(&run[nth - 1])))
        });
        added[0].with(&added[1], figure).estimate()
    }

    /// A number after all pulls divided by one after half of them.
    fn growth_of(&self, all: fn(&Progress) -> f64, half: fn(&Progress) -> f64) -> Estimate {
        self.after(2, all).with(&self.after(1, half), |all, half| all / half).estimate()
    }

    /// The mean of a number after the number of pulls with this index.
    fn after(&self, nth: usize, of: impl Fn(&Progress) -> f64) -> Statistic {
        Statistic::mean(self.runs.iter().map(|run| of(&run[nth])))
    }

    /// A figure of the curve as a case of a claim.
    fn case(&self, figure: fn(&Self) -> Estimate) -> Case {
        let Estimate { value, error } = figure(self);
        Case {
            condition: format!("{}, {}", Algorithm::Bandit(self.strategy), self.bandit.name),
            figure: Figure::sample(value, error, self.runs.len()),
            sampled: None,
        }
    }
}

/// Runs of each strategy on each bandit of [`BanditPlan::standard`].
const RUNS: usize = 40;

/// An experiment: each strategy on each bandit.
pub struct BanditPlan {
    /// Each is played by every strategy.
    pub bandits: Vec<Bandit>,
    /// Pulls of a run, at least 40: before that, every strategy tries each arm for the first time.
    pub pulls: u64,
    /// Runs of each strategy on each bandit.
    pub runs: usize,
    /// The seed of all runs.
    pub seed: u64,
}

impl BanditPlan {
    /// The runs of [`BanditPlan::standard`], for a progress bar: of four coins and a position.
    pub(super) const STANDARD_PIECES: usize = (4 + 1) * STRATEGIES.len() * RUNS;

    /// The bandits that claims are about: coins, and the moves at the start of (6,4).
    pub(super) fn standard(seed: u64) -> Self {
        let mut bandits = Bandit::from_auer();
        bandits.push(Bandit::from_position(Position::start(Rules::default()), 20_000, seed));
        Self { bandits, pulls: 10_000, runs: RUNS, seed }
    }

    /// The regret of each strategy on each bandit, the same with any number of threads. `done` is
    /// called after each run.
    pub fn run(&self, threads: usize, done: &(dyn Fn() + Sync)) -> Vec<Curve> {
        let pulls = [self.pulls / 4, self.pulls / 2, self.pulls];
        let mut pieces = Vec::new();
        for bandit in &self.bandits {
            for strategy in STRATEGIES {
                pieces.extend((0..self.runs as u64).map(|run| (bandit, strategy, run)));
            }
        }
        let played = map(&pieces, threads, done, |&(bandit, strategy, run)| {
            bandit.play(strategy, pulls, &mut SplitMix64::new(mix_nth(self.seed, run)))
        });
        let mut curves = Vec::new();
        for (pieces, runs) in pieces.chunks(self.runs).zip(played.chunks(self.runs)) {
            let (bandit, strategy, _) = pieces[0];
            curves.push(Curve { bandit: bandit.clone(), strategy, pulls, runs: runs.to_vec() });
        }
        curves
    }
}

/// A figure of the curves of the strategies that `pairs` name.
pub(super) fn cases(curves: &[Curve], pairs: &[Pair], figure: fn(&Curve) -> Estimate) -> Vec<Case> {
    let named = |curve: &&Curve| {
        let own = Method::from(Algorithm::Bandit(curve.strategy));
        pairs.iter().any(|pair| pair.own.method == own)
    };
    curves.iter().filter(named).map(|curve| curve.case(figure)).collect()
}
