//! The replay of Noe's comparison: which plans it is made of.
//!
//! T. Noe, "A comparison of the Alpha-Beta and SCOUT algorithms using the game
//! of Kalah", UCLA-ENG-80-17, 1980. The report does not say on which board,
//! with which evaluation and order or how extra turns were counted; so each
//! claim that is cited from it is put to many conditions.

use std::time::Duration;

use crate::game::{Capture, Rules};

use super::super::{Algorithm, ExtraTurns, Method, Order};
use super::ensemble::Ensemble;
use super::estimate;
use super::kalah::{Condition, Outcomes, Plan};
use super::windows::{Windows, census};

/// Positions of the standard ensemble.
pub const POSITIONS: usize = 300;
/// Games of the standard ensemble.
pub const GAMES: usize = 40;

/// The plans of the replay. Empty plans are questions that are not asked.
#[derive(Clone, Debug)]
pub struct Noe {
    /// SCOUT and its family against alpha-beta.
    pub comparison: Vec<Plan>,
    /// What memory and iterative deepening add.
    pub memory: Option<Plan>,
    /// Boards of different widths at one depth.
    pub widths: Option<Plan>,
    /// The forms of NegaScout that are printed, beside the mended ones.
    pub texts: Option<Plan>,
    /// The "depth < 3" rule where sides alternate and where they don't.
    pub depth_rule: Option<Plan>,
    /// Where windows of alpha-beta are counted, and how deep.
    pub windows: Option<(Condition, u16)>,
}

/// What came out, question by question.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// SCOUT and its family against alpha-beta.
    pub comparison: Outcomes,
    /// What memory and iterative deepening add.
    pub memory: Outcomes,
    /// Boards of different widths at one depth.
    pub widths: Outcomes,
    /// The printed forms of NegaScout.
    pub texts: Outcomes,
    /// The "depth < 3" rule.
    pub depth_rule: Outcomes,
    /// Windows of alpha-beta.
    pub windows: Option<Windows>,
}

/// The methods with these names.
///
/// # Panics
/// If there is none of a name.
pub fn methods(names: &[&str]) -> Vec<Method> {
    names.iter().map(|name| name.parse().expect("the name of a method")).collect()
}

fn board(pits: u32, seeds: u32) -> Rules {
    Rules::new(pits, seeds, Capture::Standard).expect("a board that exists")
}

/// All combinations.
pub fn conditions(
    rules: &[Rules],
    extra_turns: &[ExtraTurns],
    orders: &[Order],
    ensemble: Ensemble,
    seed: u64,
) -> Vec<Condition> {
    let mut conditions = Vec::new();
    for &rules in rules {
        for &extra_turns in extra_turns {
            for &order in orders {
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
        let orders = [Order::Far, Order::Near, Order::Random(seed), Order::Static];
        let positions = Ensemble::Positions(POSITIONS);
        let compound = [ExtraTurns::Compound];
        let family = methods(&["f3", "f1", "scout", "negascout", "pvs"]);
        let plain = methods(&["f3", "f1", "scout"]);
        let plan = |conditions, depths: &[u16], methods, timed_runs| Plan {
            conditions,
            depths: depths.to_vec(),
            methods,
            timed_runs,
        };
        let games =
            conditions(&boards[1..], &compound, &[Order::Near], Ensemble::Games(GAMES), seed);
        let sowings = conditions(
            &boards,
            &[ExtraTurns::Ply, ExtraTurns::Free],
            &[Order::Far, Order::Static],
            positions,
            seed,
        );
        let widths =
            [(3, 4), (4, 4), (5, 4), (6, 4), (7, 4)].map(|(pits, seeds)| board(pits, seeds));
        let six_four = |extra_turns: &[ExtraTurns]| {
            conditions(&boards[..1], extra_turns, &orders[..3], positions, seed)
        };
        Self {
            comparison: vec![
                plan(
                    conditions(&boards, &compound, &orders, positions, seed),
                    &[1, 2, 3, 4, 5],
                    family,
                    3,
                ),
                plan(sowings, &[1, 2, 3, 4, 5], plain.clone(), 0),
                plan(games, &[2, 3, 4, 5, 6], plain, 0),
            ],
            memory: Some(plan(
                conditions(&boards[1..], &compound, &orders[..3], positions, seed),
                &[5],
                methods(&["f3", "f3+tt+id", "negascout+tt+id", "mtd-f+id", "mt-sss", "mt-dual"]),
                1,
            )),
            widths: Some(plan(
                conditions(&widths, &compound, &orders[2..3], Ensemble::Positions(100), seed),
                &[5],
                methods(&["f3", "scout"]),
                0,
            )),
            texts: Some(plan(
                six_four(&compound),
                &[5],
                methods(&["f3", "negascout", "negascout-literal", "f4'", "f4'-literal"]),
                0,
            )),
            depth_rule: Some(plan(
                six_four(&[ExtraTurns::Compound, ExtraTurns::Ply])
                    .into_iter()
                    .filter(|condition| condition.order == Order::Far)
                    .collect(),
                &[2, 3, 4],
                methods(&["f3", "negascout-depth3"]),
                0,
            )),
            windows: six_four(&compound).first().map(|&condition| (condition, 5)),
        }
    }

    /// Everything: both ensembles and the start position, all orders, all ways
    /// to count extra turns, all algorithms, one move deeper.
    pub fn full(seed: u64) -> Self {
        let boards = [board(6, 4), board(6, 6)];
        let orders = [Order::Far, Order::Near, Order::Random(seed), Order::Static];
        let all = |ensemble| conditions(&boards, &ExtraTurns::ALL, &orders, ensemble, seed);
        let bare = ["f3", "f1", "f2", "scout", "negascout", "negascout-max", "pvs", "f4'"];
        let remembering = [
            "f3",
            "f3+tt",
            "f3+tt+id",
            "f3+tt+id+asp",
            "negascout+tt+id",
            "pvs+tt+id",
            "mtd-f",
            "mtd-f+id",
            "mt-sss",
            "mt-dual",
        ];
        let standard = Self::standard(seed);
        let deeper = |plan: Option<Plan>, names: &[&str]| {
            plan.map(|plan| Plan { depths: vec![4, 5, 6], methods: methods(names), ..plan })
        };
        let memory = standard.memory.map(|plan| Plan {
            conditions: conditions(
                &boards,
                &[ExtraTurns::Compound],
                &orders,
                Ensemble::Positions(POSITIONS),
                seed,
            ),
            ..plan
        });
        Self {
            comparison: vec![
                Plan {
                    conditions: all(Ensemble::Positions(POSITIONS)),
                    depths: (1..=6).collect(),
                    methods: methods(&bare),
                    timed_runs: 3,
                },
                Plan {
                    conditions: all(Ensemble::Games(GAMES)),
                    depths: (2..=6).collect(),
                    methods: methods(&["f3", "f1", "scout", "negascout"]),
                    timed_runs: 0,
                },
                Plan {
                    conditions: all(Ensemble::Start),
                    depths: (1..=6).collect(),
                    methods: methods(&[&bare[..], &["minimax", "sss"]].concat()),
                    timed_runs: 1,
                },
            ],
            memory: deeper(memory, &remembering),
            widths: standard.widths.map(|plan| Plan { depths: vec![3, 4, 5, 6], ..plan }),
            ..standard
        }
    }

    /// One comparison of the caller's choice.
    pub fn only(plan: Plan) -> Self {
        Self {
            comparison: vec![plan],
            memory: None,
            widths: None,
            texts: None,
            depth_rule: None,
            windows: None,
        }
    }

    fn plans(&self) -> impl Iterator<Item = &Plan> {
        let others = [&self.memory, &self.widths, &self.texts, &self.depth_rule];
        self.comparison.iter().chain(others.into_iter().flatten())
    }

    /// Pieces of work, for a progress bar.
    pub fn pieces(&self) -> usize {
        let windows = self.windows.map_or(0, |(condition, _)| condition.ensemble.groups());
        self.plans().map(Plan::pieces).sum::<usize>() + windows
    }

    /// The time that everything will take, roughly.
    ///
    /// # Errors
    /// As [`estimate::duration`].
    pub fn duration(&self, threads: usize) -> Result<Duration, String> {
        self.plans().map(|plan| estimate::duration(plan, threads)).sum()
    }

    /// Runs everything; `done` is called once for each of [`Noe::pieces`].
    pub fn run(&self, threads: usize, done: &(dyn Fn() + Sync)) -> Results {
        let run = |plan: &Option<Plan>| {
            plan.as_ref().map_or_else(Outcomes::default, |plan| plan.run(threads, done))
        };
        let mut comparison = Outcomes::default();
        for plan in &self.comparison {
            comparison.0.extend(plan.run(threads, done).0);
        }
        let windows = self
            .windows
            .as_ref()
            .map(|(condition, depth)| census(condition, *depth, threads, done));
        Results {
            comparison,
            memory: run(&self.memory),
            widths: run(&self.widths),
            texts: run(&self.texts),
            depth_rule: run(&self.depth_rule),
            windows,
        }
    }
}

/// Alpha-beta without deep cutoffs: the baseline against which the claims of
/// 1980 come nearest to the truth.
pub const SHALLOW: Algorithm = Algorithm::F1;
/// Alpha-beta with deep cutoffs. F2 visits the same leaves.
pub const DEEP: Algorithm = Algorithm::F3;
