//! The replay of Noe's comparison: which plans it is made of.
//!
//! T. Noe, "A comparison of the Alpha-Beta and SCOUT algorithms using the game
//! of Kalah", UCLA-ENG-80-17, 1980. The report does not say on which board,
//! with which evaluation and order or how extra turns were counted; so each
//! claim that is cited from it is put to many conditions.

use std::ops::RangeInclusive;
use std::time::Duration;

use crate::game::{Capture, Rules};
use crate::lab::algorithms::{Algorithm, ExtraTurns, Method, Order};
use crate::sys::names::named_enum;

use super::ensemble::Ensemble;
use super::estimate;
use super::kalah::{Condition, Outcomes, Plan};
use super::visits::{Census, census};

/// Positions of the standard ensemble.
pub const POSITIONS: usize = 300;
/// Games of the standard ensemble.
pub const GAMES: usize = 40;

/// The depth of the claim that is cited.
pub(crate) const DEPTH: u16 = 5;

named_enum! {
    /// A part of the replay.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Experiment: "experiment" {
        /// SCOUT and its relatives against alpha-beta.
        Comparison = "comparison",
        /// What a transposition table and iterative deepening add.
        Table = "table",
        /// Boards of different widths at one depth.
        Widths = "widths",
        /// The forms of NegaScout that are printed, beside the corrected ones.
        Texts = "texts",
        /// What may err: the "depth < 3" rule, where sides alternate and where they
        /// don't, and beam search.
        Errors = "errors",
        /// Everything that minimax visits, beside SCOUT and alpha-beta.
        BruteForce = "brute force",
    }
}

/// The plans of the replay. A part may have several or none.
#[derive(Clone, Debug)]
pub struct Noe {
    plans: Vec<(Experiment, Plan)>,
    /// Where visits are followed leaf by leaf, and how deep.
    followed: Vec<(Condition, u16)>,
}

/// The outcomes of the parts.
#[derive(Clone, Debug, Default)]
pub struct Results {
    outcomes: [Outcomes; Experiment::ALL.len()],
    /// What was visited leaf by leaf.
    pub(crate) visits: Vec<Census>,
}

impl Results {
    /// A comparison and nothing else.
    pub fn comparison(outcomes: Outcomes) -> Self {
        let mut results = Self::default();
        results.outcomes[Experiment::Comparison as usize] = outcomes;
        results
    }

    /// The outcomes of a part, none if it has no plan.
    pub fn of(&self, experiment: Experiment) -> &Outcomes {
        &self.outcomes[experiment as usize]
    }
}

/// The methods with these names, separated by commas.
///
/// # Panics
/// If there is none of a name.
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
    orders: &[Order],
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
    /// What is run if nothing is asked for: about a minute's work on two cores.
    pub fn standard(seed: u64) -> Self {
        use Order::{Far, Near, Random, Static};
        let boards = [board(6, 4), board(6, 6)];
        let [six_four, six_six] = boards.map(|board| [board]);
        let compound = [ExtraTurns::Compound];
        let sowings = [ExtraTurns::Ply, ExtraTurns::Free];
        let depth_rule = [ExtraTurns::Compound, ExtraTurns::Ply];
        let (positions, games) = (&Ensemble::Positions(POSITIONS), &Ensemble::Games(GAMES));
        let forty = &Ensemble::Positions(40);
        let of = |boards: &[Rules], extra_turns: &[ExtraTurns], orders: &[Order], ensemble| {
            conditions(boards, extra_turns, orders, ensemble, seed)
        };
        let all = of(&boards, &compound, &Order::ALL, positions);
        let by_sowing = of(&boards, &sowings, &[Far, Static], positions);
        let near_games = of(&six_six, &compound, &[Near], games);
        let unsorted = [&six_four, &six_six]
            .map(|board| of(board, &compound, &[Far, Near, Random], positions));
        let [on_six_four, on_six_six] = unsorted;
        let few = of(&boards, &compound, &[Far, Random, Static], forty);
        let turns = of(&six_four, &depth_rule, &[Far], positions);
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
        let followed = of(&six_four, &compound, &[Far, Static], positions);
        let followed = followed
            .into_iter()
            .flat_map(|condition| (1..=5).map(move |depth| (condition.clone(), depth)));
        Self { plans, followed: followed.collect() }
    }

    /// Everything: both ensembles and the start position, all orders, all ways
    /// to count extra turns, all algorithms, one move deeper.
    pub fn full(seed: u64) -> Self {
        let boards = [board(6, 4), board(6, 6)];
        let of = |extra_turns: &[ExtraTurns], ensemble: &Ensemble| {
            conditions(&boards, extra_turns, &Order::ALL, ensemble, seed)
        };
        let positions = of(&ExtraTurns::ALL, &Ensemble::Positions(POSITIONS));
        let compound = of(&[ExtraTurns::Compound], &Ensemble::Positions(POSITIONS));
        let games = of(&ExtraTurns::ALL, &Ensemble::Games(GAMES));
        let start = of(&ExtraTurns::ALL, &Ensemble::Start);
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
    pub fn only(plan: Plan) -> Self {
        Self { plans: vec![(Experiment::Comparison, plan)], followed: Vec::new() }
    }

    /// Pieces of work, for a progress bar.
    pub fn pieces(&self) -> usize {
        let followed = self.followed.iter().map(|(condition, _)| condition.ensemble.groups());
        self.plans.iter().map(|(_, plan)| plan.pieces()).chain(followed).sum()
    }

    /// The time that everything will take, roughly.
    ///
    /// # Errors
    /// A message if a single search would take several minutes or more.
    pub fn duration(&self, threads: usize) -> Result<Duration, String> {
        self.plans.iter().map(|(_, plan)| estimate::duration(plan, threads)).sum()
    }

    /// Runs everything; `done` is called once for each of [`Noe::pieces`].
    pub fn run(&self, threads: usize, done: &(dyn Fn() + Sync)) -> Results {
        let mut results = Results::default();
        for (experiment, plan) in &self.plans {
            results.outcomes[*experiment as usize].0.extend(plan.run(threads, done).0);
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
) -> (Experiment, Plan) {
    let plan = Plan { conditions, depths: depths.collect(), methods: methods(names), timed_runs };
    (experiment, plan)
}

/// SCOUT on boards of 3 to 7 pits per row.
fn widths(seed: u64, depths: RangeInclusive<u16>) -> (Experiment, Plan) {
    let boards = [3, 4, 5, 6, 7].map(|pits| board(pits, 4));
    let ensemble = Ensemble::Positions(100);
    let conditions =
        conditions(&boards, &[ExtraTurns::Compound], &[Order::Random], &ensemble, seed);
    plan(Experiment::Widths, conditions, depths, "f3,scout", 0)
}

/// Alpha-beta without deep cutoffs: the baseline against which the claims of
/// 1980 come nearest to the truth.
pub const SHALLOW: Algorithm = Algorithm::F1;
/// Alpha-beta with deep cutoffs. F2 visits the same leaves.
pub const DEEP: Algorithm = Algorithm::F3;
