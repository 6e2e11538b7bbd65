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

/// A part of the replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Experiment {
    /// SCOUT and its relatives against alpha-beta.
    Comparison,
    /// What a transposition table and iterative deepening add.
    Table,
    /// Boards of different widths at one depth.
    Widths,
    /// The forms of NegaScout that are printed, beside the corrected ones.
    Texts,
    /// What may err: the "depth < 3" rule, where sides alternate and where they
    /// don't, and beam search.
    Errors,
    /// Everything that minimax visits, beside SCOUT and alpha-beta.
    BruteForce,
}

impl Experiment {
    /// Every part with its name in tables.
    pub const NAMED: [(&'static str, Self); 6] = [
        ("comparison", Self::Comparison),
        ("table", Self::Table),
        ("widths", Self::Widths),
        ("texts", Self::Texts),
        ("errors", Self::Errors),
        ("brute force", Self::BruteForce),
    ];
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
    outcomes: [Outcomes; Experiment::NAMED.len()],
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

/// The methods with these names.
///
/// # Panics
/// If there is none of a name.
pub fn methods(names: &[&str]) -> Vec<Method> {
    names.iter().map(|name| name.parse().expect("the name of a method")).collect()
}

/// SCOUT, its relatives, and alpha-beta.
const FAMILY: [&str; 5] = ["f3", "f1", "scout", "negascout", "pvs"];
const WITH_TABLE: [&str; 7] =
    ["f3", "f3+tt+id", "negascout", "negascout+tt+id", "mtd-f+id", "mt-sss", "mt-dual"];
const AS_PRINTED: [&str; 6] =
    ["f3", "negascout", "negascout-wide", "negascout-literal", "f4'", "f4'-literal"];

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
        let boards = [board(6, 4), board(6, 6)];
        let [six_four, six_six] = boards.map(|board| [board]);
        let orders = [Order::Far, Order::Near, Order::Random(seed), Order::Static];
        let compound = [ExtraTurns::Compound];
        let sowings = [ExtraTurns::Ply, ExtraTurns::Free];
        let depth_rule = [ExtraTurns::Compound, ExtraTurns::Ply];
        let (positions, games) = (&Ensemble::Positions(POSITIONS), &Ensemble::Games(GAMES));
        let of = |boards: &[Rules], extra_turns: &[ExtraTurns], orders: &[Order], ensemble| {
            conditions(boards, extra_turns, orders, ensemble, seed)
        };
        let far_and_static = [Order::Far, Order::Static];
        let far_random_static = [Order::Far, Order::Random(seed), Order::Static];
        let plans = vec![
            (
                Experiment::Comparison,
                plan(of(&boards, &compound, &orders, positions), 1..=5, &FAMILY, 5),
            ),
            (
                Experiment::Comparison,
                plan(of(&boards, &sowings, &far_and_static, positions), 1..=5, &FAMILY[..3], 0),
            ),
            (
                Experiment::Comparison,
                plan(of(&six_six, &compound, &[Order::Near], games), 2..=6, &FAMILY[..3], 0),
            ),
            (
                Experiment::Table,
                plan(of(&six_six, &compound, &orders[..3], positions), 5..=5, &WITH_TABLE, 5),
            ),
            (Experiment::Widths, widths(seed, 5..=5)),
            (
                Experiment::BruteForce,
                plan(
                    of(&boards, &compound, &far_random_static, &Ensemble::Positions(40)),
                    1..=5,
                    &["minimax", "f3", "scout"],
                    0,
                ),
            ),
            (
                Experiment::Texts,
                plan(of(&six_four, &compound, &orders[..3], positions), 5..=5, &AS_PRINTED, 0),
            ),
            (
                Experiment::Errors,
                plan(
                    of(&six_four, &depth_rule, &[Order::Far], positions),
                    2..=4,
                    &["f3", "negascout-depth3", "beam"],
                    0,
                ),
            ),
        ];
        let followed = of(&six_four, &compound, &far_and_static, positions);
        let followed = followed
            .into_iter()
            .flat_map(|condition| (1..=5).map(move |depth| (condition.clone(), depth)));
        Self { plans, followed: followed.collect() }
    }

    /// Everything: both ensembles and the start position, all orders, all ways
    /// to count extra turns, all algorithms, one move deeper.
    pub fn full(seed: u64) -> Self {
        let boards = [board(6, 4), board(6, 6)];
        let orders = [Order::Far, Order::Near, Order::Random(seed), Order::Static];
        let of = |extra_turns: &[ExtraTurns], ensemble: &Ensemble| {
            conditions(&boards, extra_turns, &orders, ensemble, seed)
        };
        let positions = &Ensemble::Positions(POSITIONS);
        let bare = ["f3", "f1", "f2", "scout", "negascout", "negascout-max", "pvs", "f4'"];
        let with_reference = [&bare[..], &["minimax", "sss"]].concat();
        let family = ["f3", "f1", "scout", "negascout"];
        let with_table = [
            "f3",
            "f3+tt",
            "f3+tt+id",
            "f3+tt+id+asp",
            "negascout",
            "negascout+tt+id",
            "pvs+tt+id",
            "mtd-f",
            "mtd-f+id",
            "mt-sss",
            "mt-dual",
        ];
        let mut noe = Self::standard(seed);
        noe.plans.retain(|(part, _)| {
            matches!(part, Experiment::Texts | Experiment::Errors | Experiment::BruteForce)
        });
        noe.plans.extend([
            (Experiment::Comparison, plan(of(&ExtraTurns::ALL, positions), 1..=6, &bare, 5)),
            (
                Experiment::Comparison,
                plan(of(&ExtraTurns::ALL, &Ensemble::Games(GAMES)), 2..=6, &family, 0),
            ),
            (
                Experiment::Comparison,
                plan(of(&ExtraTurns::ALL, &Ensemble::Start), 1..=6, &with_reference, 0),
            ),
            (Experiment::Widths, widths(seed, 3..=6)),
            (
                Experiment::Table,
                plan(of(&[ExtraTurns::Compound], positions), 4..=6, &with_table, 5),
            ),
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
        let followed = self.followed.iter();
        results.visits =
            followed.map(|(condition, depth)| census(condition, *depth, threads, done)).collect();
        results
    }
}

fn plan(
    conditions: Vec<Condition>,
    depths: RangeInclusive<u16>,
    names: &[&str],
    timed_runs: usize,
) -> Plan {
    Plan { conditions, depths: depths.collect(), methods: methods(names), timed_runs }
}

/// SCOUT on boards of 3 to 7 pits per row.
fn widths(seed: u64, depths: RangeInclusive<u16>) -> Plan {
    let boards = [3, 4, 5, 6, 7].map(|pits| board(pits, 4));
    let random = [Order::Random(seed)];
    let ensemble = Ensemble::Positions(100);
    let conditions = conditions(&boards, &[ExtraTurns::Compound], &random, &ensemble, seed);
    plan(conditions, depths, &["f3", "scout"], 0)
}

/// Alpha-beta without deep cutoffs: the baseline against which the claims of
/// 1980 come nearest to the truth.
pub const SHALLOW: Algorithm = Algorithm::F1;
/// Alpha-beta with deep cutoffs. F2 visits the same leaves.
pub const DEEP: Algorithm = Algorithm::F3;
