//! The plans that make up the replay of Noe's comparison.
//!
//! T. Noe, "A comparison of the Alpha-Beta and SCOUT algorithms using the game
//! of Kalah", UCLA-ENG-80-17, 1980. The report could not be found, so its board,
//! its evaluation, its order of moves and its treatment of extra turns are unknown;
//! each claim that is cited from it is tested under many conditions.

use std::ops::RangeInclusive;
use std::time::Duration;

use crate::algorithms::{
    Algorithm, ChildOrder, Cutoff, ExtraTurnBounds, ExtraTurns, F1Form, Method,
};
use kalah_game::{Capture, Rules};
use kalah_text::named_enum;

use super::ensemble::Ensemble;
use super::estimate::{self, SearchTooLong};
use super::kalah::{ComparisonPlan, Condition, Measurements};
use super::lookup::LookupErrors;
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
        /// The gain from a transposition table, iterative deepening and aspiration.
        Table = "table",
        /// Boards of different widths at one depth.
        Widths = "widths",
        /// Boards with many pits.
        Wide = "wide boards",
        /// Boards with few pits.
        Narrow = "narrow boards",
        /// Very small subtrees.
        Small = "small subtrees",
        /// The forms of NegaScout as printed, against the corrected ones.
        Texts = "texts",
        /// Methods that may err: the "depth < 3" rule, with and without alternating
        /// sides, and forward pruning.
        Errors = "errors",
        /// The values of quiescence search, and of deeper searches.
        Horizon = "horizon",
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
    /// The visits, leaf by leaf.
    pub(crate) visits: Vec<VisitCensus>,
    /// The errors of searches where exact values are known.
    pub(crate) lookup: LookupErrors,
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
const FAMILY: &str = "f3,f1,scout,negascout,negascout-wide,pvs";
/// The same where a side may move twice in a row, so that the two forms of F1 differ.
const BY_SOWING: &str = "f3,f1,f1-reset,scout,negascout-wide,pvs";
const BARE: &str = "f3,f1,f1-reset,f2,scout,negascout,negascout-wide,negascout-max,pvs,f4'";
const WITH_REFERENCE: &str = "f3,f1,f2,scout,negascout,negascout-max,pvs,f4',minimax,sss";
const WITH_TABLE: &str = "f3,f3+tt+id,negascout,negascout+tt+id,mtd-f+id,mt-sss+id";
/// With a table, but without deepening, or with aspiration windows.
const TABLE_PARTS: &str = "f3+tt,f3+tt+id+asp,f3+tt+id+asp2,f3+tt+id+asp4,f3+tt+id+asp8,scout,\
                           scout+tt,negascout+tt,negascout-wide+tt,pvs+tt,mtd-f,mt-sss,mt-dual";
const AS_PRINTED: &str = "f3,pvs,negascout,negascout-wide,negascout-literal,negascout-printed,\
                          negascout-literal-depth3,f4',f4'-literal,f4'-printed,f4'-literal-depth3";

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
    /// The plans of a run without options, which takes a minute or two on two cores.
    pub fn standard(seed: u64) -> Self {
        use ChildOrder::{Near, Static};
        let boards = [board(6, 4), board(6, 6)];
        let compound = [ExtraTurns::Compound];
        let sowings = [ExtraTurns::Ply, ExtraTurns::Free];
        let (positions, games) = (&Ensemble::Positions(POSITIONS), &Ensemble::Games(GAMES));
        let all = conditions(&boards, &compound, &ChildOrder::ALL, positions, seed);
        let by_sowing = conditions(&boards, &sowings, &ChildOrder::ALL, positions, seed);
        let in_games = conditions(&boards, &compound, &[Near, Static], games, seed);
        let unsorted = conditions(&boards[1..], &compound, &UNSORTED, positions, seed);
        let mut noe = Self { plans: fixed_parts(seed), followed: followed(seed) };
        noe.plans.extend([
            plan(Experiment::Comparison, all, 1..=5, FAMILY, 5),
            plan(Experiment::Comparison, by_sowing, 3..=5, BY_SOWING, 3),
            plan(Experiment::Comparison, in_games, 3..=5, SCOUT, 3),
            plan(Experiment::Table, unsorted.clone(), 5..=5, WITH_TABLE, 5),
            // Not timed, because no claim about time concerns these methods.
            plan(Experiment::Table, unsorted, 5..=5, TABLE_PARTS, 0),
            widths(seed, 5..=5),
        ]);
        noe
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
        let mut noe = Self { plans: fixed_parts(seed), followed: followed(seed) };
        noe.plans.extend([
            plan(Experiment::Comparison, positions, 1..=6, BARE, 5),
            plan(Experiment::Comparison, games, 2..=6, "f3,f1,f1-reset,scout,negascout", 3),
            plan(Experiment::Comparison, start, 1..=6, WITH_REFERENCE, 0),
            widths(seed, 3..=6),
            plan(Experiment::Table, compound.clone(), 4..=6, WITH_TABLE, 5),
            plan(Experiment::Table, compound, 4..=6, TABLE_PARTS, 0),
        ]);
        noe
    }

    /// A single comparison, under conditions that the caller chooses.
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
        // A comparison under chosen conditions follows no visits and makes no look-ups.
        let seed = self.followed.first().map(|(condition, _)| condition.seed);
        results.lookup = seed.map(LookupErrors::measure).unwrap_or_default();
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

/// The orders without an evaluation.
const UNSORTED: [ChildOrder; 3] = [ChildOrder::Far, ChildOrder::Near, ChildOrder::Random];

/// The parts that are the same in the default run and in the full one.
fn fixed_parts(seed: u64) -> Vec<(Experiment, ComparisonPlan)> {
    use ChildOrder::{Far, Random, Static};
    let boards = [board(6, 4), board(6, 6)];
    let [compound, ply] = [[ExtraTurns::Compound], [ExtraTurns::Ply]];
    let [all, hundred, some] = [POSITIONS, 100, 40].map(Ensemble::Positions);
    let few = conditions(&boards, &compound, &[Far, Random, Static], &some, seed);
    let wide = [8, 10, 12].map(|pits| board(pits, 4));
    let wide = conditions(&wide, &compound, &[Random], &Ensemble::Positions(150), seed);
    let narrow = [3, 4].map(|pits| board(pits, 4));
    let narrow = conditions(&narrow, &compound, &[Far, Random, Static], &hundred, seed);
    let small = conditions(&boards, &compound, &[Far, Static], &all, seed);
    let sorted = conditions(&boards, &compound, &[Static], &hundred, seed);
    let on_six_four = conditions(&boards[..1], &compound, &UNSORTED, &all, seed);
    let [far, by_ply] =
        [&compound, &ply].map(|turns| conditions(&boards[..1], turns, &[Far], &all, seed));
    let ruled = "f3,negascout-depth3";
    vec![
        plan(Experiment::BruteForce, few, 1..=5, "minimax,f3,scout", 0),
        plan(Experiment::Narrow, narrow, 4..=5, "minimax,f3,f1,scout", 3),
        plan(Experiment::Wide, wide, 4..=4, SCOUT, 3),
        plan(Experiment::Small, small, 1..=2, "minimax,f3,negascout,negascout-depth3", 5),
        plan(Experiment::Texts, on_six_four, 5..=5, AS_PRINTED, 0),
        plan(Experiment::Errors, far, 2..=4, "f3,negascout-depth3,beam,probcut", 0),
        plan(Experiment::Errors, by_ply, 2..=4, ruled, 0),
        plan(Experiment::Horizon, sorted, 1..=7, "f3,quiescence", 0),
    ]
}

/// The conditions and depths at which visits are followed leaf by leaf.
fn followed(seed: u64) -> Vec<(Condition, u16)> {
    let orders = [ChildOrder::Far, ChildOrder::Random, ChildOrder::Static];
    let (turns, positions) = ([ExtraTurns::Compound], Ensemble::Positions(POSITIONS));
    let conditions = conditions(&[board(6, 4)], &turns, &orders, &positions, seed);
    let followed = conditions.into_iter();
    followed.flat_map(|condition| (2..=5).map(move |depth| (condition.clone(), depth))).collect()
}

/// SCOUT on boards of 3 to 7 pits per row.
fn widths(seed: u64, depths: RangeInclusive<u16>) -> (Experiment, ComparisonPlan) {
    let boards = [3, 4, 5, 6, 7].map(|pits| board(pits, 4));
    let ensemble = Ensemble::Positions(100);
    let conditions =
        conditions(&boards, &[ExtraTurns::Compound], &[ChildOrder::Random], &ensemble, seed);
    plan(Experiment::Widths, conditions, depths, "f3,scout", 0)
}

/// Alpha-beta without deep cutoffs: the baseline against which the claims of 1980 come closest to
/// holding.
pub(crate) const SHALLOW: Algorithm =
    Algorithm::F1(F1Form { extra_turns: ExtraTurnBounds::Opponent, cutoff: Cutoff::AtBeta });
/// F1 that drops its bound at each extra turn.
pub(crate) const RESET: Algorithm =
    Algorithm::F1(F1Form { extra_turns: ExtraTurnBounds::Neither, cutoff: Cutoff::AtBeta });
/// Alpha-beta with deep cutoffs. F2 visits the same leaves.
pub(crate) const DEEP: Algorithm = Algorithm::F3;
