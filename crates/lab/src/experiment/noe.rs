//! The plans that make up the replay of Noe's comparison.
//!
//! T. Noe, "A comparison of the Alpha-Beta and SCOUT algorithms using the game
//! of Kalah", UCLA-ENG-80-17, 1980. The report could not be found, so its board,
//! its evaluation, its order of moves and its treatment of extra turns are unknown;
//! each claim that is cited from it is tested under many conditions.

use std::ops::RangeInclusive;
use std::time::Duration;

use crate::algorithms::{Algorithm, ChildOrder, ExtraTurns, Method};
use kalah_game::{Capture, Rules};
use kalah_text::named_enum;

use super::ensemble::Ensemble;
use super::estimate::{self, SearchTooLong};
use super::kalah::{ComparisonPlan, Condition, Measurements};
use super::visits::{VisitCensus, census};

/// Positions of the standard ensemble.
pub const POSITIONS: usize = 300;
/// Games of the standard ensemble.
pub const GAMES: usize = 40;

/// The depth of the claim that is cited.
pub(crate) const DEPTH: u16 = 5;

named_enum! {
    /// A part of the replay.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Experiment: "experiment" {
        /// SCOUT and its relatives against alpha-beta.
        Comparison = "comparison",
        /// What a transposition table and iterative deepening add.
        Table = "table",
        /// Boards of different widths at one depth.
        Widths = "widths",
        /// The forms of NegaScout as printed, against the corrected ones.
        Texts = "texts",
        /// Methods that may err: the "depth < 3" rule, with and without alternating
        /// sides, and beam search.
        Errors = "errors",
        /// Minimax, against SCOUT and alpha-beta.
        BruteForce = "brute force",
    }
}

/// The plans of the replay. A part may have several or none.
#[derive(Clone, Debug)]
pub struct Noe {
    plans: Vec<(Experiment, ComparisonPlan)>,
    /// The conditions and depths at which visits are followed leaf by leaf.
    followed: Vec<(Condition, u16)>,
}

/// The measurements of the parts.
#[derive(Clone, Debug, Default)]
pub struct NoeResults {
    measurements: [Measurements; Experiment::ALL.len()],
    /// What was visited leaf by leaf.
    pub(crate) visits: Vec<VisitCensus>,
}

impl NoeResults {
    /// The results of a comparison and no other part.
    pub fn comparison(measurements: Measurements) -> Self {
        let mut results = Self::default();
        results.measurements[Experiment::Comparison as usize] = measurements;
        results
    }

    /// The measurements of a part; empty if it has no plan.
    pub(crate) fn part(&self, experiment: Experiment) -> &Measurements {
        &self.measurements[experiment as usize]
    }
}

/// The methods with these names, separated by commas.
///
/// # Panics
/// If a name is unknown.
pub fn methods(names: &str) -> Vec<Method> {
    names.split(',').map(|name| name.parse().expect("the name of a method")).collect()
}

const SCOUT: &str = "f3,f1,scout";
/// SCOUT, its relatives, and alpha-beta.
const FAMILY: &str = "f3,f1,scout,negascout,pvs";
const BARE: &str = "f3,f1,f2,scout,negascout,negascout-max,pvs,f4'";
const WITH_REFERENCE: &str = "f3,f1,f2,scout,negascout,negascout-max,pvs,f4',minimax,sss";
const WITH_TABLE: &str = "f3,f3+tt+id,negascout,negascout+tt+id,mtd-f+id,mt-sss,mt-dual";
const WITH_ANY_TABLE: &str = "f3,f3+tt,f3+tt+id,f3+tt+id+asp,negascout,negascout+tt+id,\
                              pvs+tt+id,mtd-f,mtd-f+id,mt-sss,mt-dual";
const AS_PRINTED: &str = "f3,negascout,negascout-wide,negascout-literal,f4',f4'-literal";

fn board(pits: u32, seeds: u32) -> Rules {
    Rules::new(pits, seeds, Capture::Standard).expect("a board that exists")
}

/// All combinations of boards, extra turns and orders.
pub fn conditions(
    rules: &[Rules],
    extra_turns: &[ExtraTurns],
    orders: &[ChildOrder],
    ensemble: &Ensemble,
    seed: u64,
) -> Vec<Condition> {
    let mut conditions = Vec::new();
    for &rules in rules {
        for &extra_turns in extra_turns {
            for &order in orders {
                let ensemble = ensemble.clone();
                conditions.push(Condition { rules, extra_turns, order, ensemble, seed });
            }
        }
    }
    conditions
}

impl Noe {
    /// The plans of a run without options, which takes about a minute on two cores.
    pub fn standard(seed: u64) -> Self {
        use ChildOrder::{Far, Near, Random, Static};
        let boards = [board(6, 4), board(6, 6)];
        let [six_four, six_six] = boards.map(|board| [board]);
        let compound = [ExtraTurns::Compound];
        let sowings = [ExtraTurns::Ply, ExtraTurns::Free];
        let depth_rule = [ExtraTurns::Compound, ExtraTurns::Ply];
        let (positions, games) = (&Ensemble::Positions(POSITIONS), &Ensemble::Games(GAMES));
        let forty = &Ensemble::Positions(40);
        let all = conditions(&boards, &compound, &ChildOrder::ALL, positions, seed);
        let by_sowing = conditions(&boards, &sowings, &[Far, Static], positions, seed);
        let near_games = conditions(&six_six, &compound, &[Near], games, seed);
        let unsorted = [&six_four, &six_six]
            .map(|board| conditions(board, &compound, &[Far, Near, Random], positions, seed));
        let [on_six_four, on_six_six] = unsorted;
        let few = conditions(&boards, &compound, &[Far, Random, Static], forty, seed);
        let turns = conditions(&six_four, &depth_rule, &[Far], positions, seed);
        let plans = vec![
            plan(Experiment::Comparison, all, 1..=5, FAMILY, 5),
            plan(Experiment::Comparison, by_sowing, 1..=5, SCOUT, 0),
            plan(Experiment::Comparison, near_games, 2..=6, SCOUT, 0),
            plan(Experiment::Table, on_six_six, 5..=5, WITH_TABLE, 5),
            widths(seed, 5..=5),
            plan(Experiment::BruteForce, few, 1..=5, "minimax,f3,scout", 0),
            plan(Experiment::Texts, on_six_four, 5..=5, AS_PRINTED, 0),
            plan(Experiment::Errors, turns, 2..=4, "f3,negascout-depth3,beam", 0),
        ];
        let followed = conditions(&six_four, &compound, &[Far, Static], positions, seed);
        let followed = followed
            .into_iter()
            .flat_map(|condition| (1..=5).map(move |depth| (condition.clone(), depth)));
        Self { plans, followed: followed.collect() }
    }

    /// Everything: both ensembles and the start position, all orders, all ways
    /// to count extra turns, all algorithms, one move deeper.
    pub fn full(seed: u64) -> Self {
        let boards = [board(6, 4), board(6, 6)];
        let (turns, orders) = (&ExtraTurns::ALL, &ChildOrder::ALL);
        let ensemble = Ensemble::Positions(POSITIONS);
        let positions = conditions(&boards, turns, orders, &ensemble, seed);
        let compound = conditions(&boards, &[ExtraTurns::Compound], orders, &ensemble, seed);
        let games = conditions(&boards, turns, orders, &Ensemble::Games(GAMES), seed);
        let start = conditions(&boards, turns, orders, &Ensemble::Start, seed);
        let mut noe = Self::standard(seed);
        noe.plans.retain(|(part, _)| {
            matches!(part, Experiment::Texts | Experiment::Errors | Experiment::BruteForce)
        });
        noe.plans.extend([
            plan(Experiment::Comparison, positions, 1..=6, BARE, 5),
            plan(Experiment::Comparison, games, 2..=6, "f3,f1,scout,negascout", 0),
            plan(Experiment::Comparison, start, 1..=6, WITH_REFERENCE, 0),
            widths(seed, 3..=6),
            plan(Experiment::Table, compound, 4..=6, WITH_ANY_TABLE, 5),
        ]);
        noe
    }

    /// One comparison of the caller's choice.
    pub fn only(plan: ComparisonPlan) -> Self {
        Self { plans: vec![(Experiment::Comparison, plan)], followed: Vec::new() }
    }

    /// The number of pieces of work, for a progress bar.
    pub fn pieces(&self) -> usize {
        let followed = self.followed.iter().map(|(condition, _)| condition.ensemble.groups());
        self.plans.iter().map(|(_, plan)| plan.pieces()).chain(followed).sum()
    }

    /// Roughly how long everything will take on `threads` threads.
    pub fn duration(&self, threads: usize) -> Result<Duration, SearchTooLong> {
        self.plans.iter().map(|(_, plan)| estimate::duration(plan, threads)).sum()
    }

    /// Runs everything; `done` is called once for each of [`Noe::pieces`].
    pub fn run(&self, threads: usize, done: &(dyn Fn() + Sync)) -> NoeResults {
        let mut results = NoeResults::default();
        for (experiment, plan) in &self.plans {
            results.measurements[*experiment as usize].0.extend(plan.run(threads, done).0);
        }
        for (condition, depth) in &self.followed {
            results.visits.push(census(condition, *depth, threads, done));
        }
        results
    }
}

fn plan(
    experiment: Experiment,
    conditions: Vec<Condition>,
    depths: RangeInclusive<u16>,
    names: &str,
    timed_runs: usize,
) -> (Experiment, ComparisonPlan) {
    let plan = ComparisonPlan {
        conditions,
        depths: depths.collect(),
        methods: methods(names),
        timed_runs,
    };
    (experiment, plan)
}

/// SCOUT on boards of 3 to 7 pits per row.
fn widths(seed: u64, depths: RangeInclusive<u16>) -> (Experiment, ComparisonPlan) {
    let boards = [3, 4, 5, 6, 7].map(|pits| board(pits, 4));
    let ensemble = Ensemble::Positions(100);
    let conditions =
        conditions(&boards, &[ExtraTurns::Compound], &[ChildOrder::Random], &ensemble, seed);
    plan(Experiment::Widths, conditions, depths, "f3,scout", 0)
}

/// Alpha-beta without deep cutoffs: the baseline against which the claims of
/// 1980 come closest to holding.
pub(crate) const SHALLOW: Algorithm = Algorithm::F1 { resets: false };
/// Alpha-beta with deep cutoffs. F2 visits the same leaves.
pub(crate) const DEEP: Algorithm = Algorithm::F3;
