//! The algorithms by name, and what can be combined with each: a transposition
//! table, iterative deepening and an aspiration window.
//!
//! Slate and Atkin, "CHESS 4.5", in Chess Skill in Man and Machine, 1977, use all
//! three. [`Method`] is the entry point of every comparison, and of the engine
//! where it plays by an algorithm of the lab.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use crate::game::score::{Interval, Score, Window};
use crate::sys::names::{UnknownName, alternatives, shortened};
use crate::sys::random::SplitMix64;

use super::alpha_beta::{f1, f2, f2_prime, f3, minimax, negamax};
use super::best_first::{mt_dual, mt_sss, mtd, sss};
use super::measure::Measure;
use super::negascout::{Form, Options, f4_prime, negascout, pvs};
use super::observer::{Event, Observer};
use super::probcut::probcut;
use super::proof::proof_number;
use super::scout::{scout, test_above};
use super::search::{Run, Search};
use super::selective::{beam, epsilon_greedy, quiescence};
use super::table::TranspositionTable;
use super::tree::{Player, Tree};
use super::uct::{Policy, uct};

/// An algorithm that finds the value of a tree, or estimates it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "`NAMED` says what each is")]
pub enum Algorithm {
    Minimax,
    Negamax,
    F1,
    F2,
    F2Prime,
    F3,
    Test,
    Scout,
    NegaScout(Options),
    NegaScoutMinMax(Options),
    Pvs,
    MtdF,
    MtSss,
    MtDual,
    Sss,
    ProofNumber,
    Quiescence,
    Beam,
    ProbCut,
    Uct(Policy),
    EpsilonGreedy,
}

use Algorithm as A;

const CORRECTED: Options = Options::CORRECTED;
const LITERAL: Options = Options { form: Form::AsPrinted, ..CORRECTED };
const MAXIMUM: Options = Options { maximum_cut: true, ..CORRECTED };
const WIDE: Options = Options { whole_window: true, ..CORRECTED };

impl Algorithm {
    /// Every algorithm with its name in options and tables, and what it is.
    pub const NAMED: [(&'static str, Self, &'static str); 31] = [
        ("minimax", A::Minimax, "every leaf, a rule for each player"),
        ("negamax", A::Negamax, "F0: every leaf, one rule for both players"),
        ("f1", A::F1, "alpha-beta without deep cutoffs"),
        ("f2", A::F2, "alpha-beta, fail-hard"),
        ("f2'", A::F2Prime, "F2 and G2: the same, a rule for each player"),
        ("f3", A::F3, "alpha-beta, fail-soft"),
        ("test", A::Test, "TEST, repeated until the bounds meet"),
        ("scout", A::Scout, "SCOUT: EVAL and TEST"),
        ("negascout", A::NegaScout(CORRECTED), "F4 with the missing test added"),
        ("negascout-literal", A::NegaScout(LITERAL), "F4 with its test as printed"),
        (
            "negascout-depth3",
            A::NegaScout(Options::DEPTH_RULE),
            "F4, no second search at depth < 3",
        ),
        ("negascout-max", A::NegaScout(MAXIMUM), "F4 with a cut at the maximum"),
        ("negascout-printed", A::NegaScout(Options::AS_PRINTED), "F4 word for word: all three"),
        ("negascout-wide", A::NegaScout(WIDE), "F4, second search with (alpha, beta)"),
        ("f4'", A::NegaScoutMinMax(CORRECTED), "F4' and G4': F4, a rule for each player"),
        ("f4'-literal", A::NegaScoutMinMax(LITERAL), "F4' with its test as printed"),
        (
            "f4'-depth3",
            A::NegaScoutMinMax(Options::DEPTH_RULE),
            "F4', no second search at depth < 3",
        ),
        ("f4'-max", A::NegaScoutMinMax(MAXIMUM), "F4' with a cut at the maximum"),
        ("f4'-printed", A::NegaScoutMinMax(Options::AS_PRINTED), "F4' word for word: all three"),
        ("pvs", A::Pvs, "principal variation search, fail-hard"),
        ("mtd-f", A::MtdF, "null windows from a guess, with a table"),
        ("mt-sss", A::MtSss, "SSS* as null windows from above, with a table"),
        ("mt-dual", A::MtDual, "DUAL* as null windows from below, with a table"),
        ("sss", A::Sss, "SSS* with its OPEN list"),
        ("proof-number", A::ProofNumber, "proof-number search, repeated until the bounds meet"),
        ("quiescence", A::Quiescence, "f3 and beyond: extra turns and captures"),
        ("beam", A::Beam, "f3 over the 3 children that look best"),
        ("probcut", A::ProbCut, "f3 with cuts by shallow searches"),
        ("uct", A::Uct(Policy::Ucb1), "random games, UCB1"),
        ("uct-tuned", A::Uct(Policy::Ucb1Tuned), "random games, UCB1-tuned"),
        ("epsilon-greedy", A::EpsilonGreedy, "the child that looks best, or any in one of 10"),
    ];

    /// What it is, in a few words.
    pub fn about(self) -> &'static str {
        let named = Self::NAMED.iter().find(|(_, algorithm, _)| *algorithm == self);
        named.map_or("", |(.., about)| about)
    }

    /// Whether the value is minimax's, whatever the tree.
    pub fn is_exact(self) -> bool {
        !matches!(self, A::Quiescence | A::Beam | A::ProbCut) && !self.samples()
    }

    /// Whether values are right only if sides alternate.
    pub fn needs_alternation(self) -> bool {
        match self {
            A::NegaScout(options) | A::NegaScoutMinMax(options) => options.trusted_height > 1,
            _ => false,
        }
    }

    /// Whether it plays random games or none: it knows no height and no bounds.
    pub fn samples(self) -> bool {
        matches!(self, A::Uct(_) | A::EpsilonGreedy)
    }

    /// Whether it answers the question if a value is above a bound.
    fn asks(self) -> bool {
        matches!(self, A::Test | A::ProofNumber)
    }

    /// Whether it asks through [`Search::visit`] at every node, so that a table
    /// can answer.
    fn may_have_table(self) -> bool {
        !matches!(self, A::Sss | A::ProofNumber | A::Quiescence) && !self.samples()
    }

    /// Whether it takes a window.
    pub fn has_window(self) -> bool {
        let none = matches!(self, A::Minimax | A::Scout | A::Sss);
        !none && !self.asks() && !self.needs_table() && !self.samples()
    }

    /// Whether it repeats most of its work without a table.
    fn needs_table(self) -> bool {
        matches!(self, A::MtdF | A::MtSss | A::MtDual)
    }

    /// The value of `node`, where Max is to move, with a full window.
    fn search<S: Search>(self, search: &mut S, node: S::Node, guess: S::Value) -> S::Value {
        match self {
            A::MtdF => mtd(search, node, guess),
            A::MtSss => mt_sss(search, node),
            A::MtDual => mt_dual(search, node),
            A::Test | A::ProofNumber => self.by_questions(search, node, guess),
            _ => {
                search.report(Event::Pass);
                self.within(search, node, Window::full())
            }
        }
    }

    /// The value of `node`, where Max is to move, within `window`; algorithms
    /// without one ignore it.
    fn within<S: Search>(
        self,
        search: &mut S,
        node: S::Node,
        window: Window<S::Value>,
    ) -> S::Value {
        match self {
            A::Minimax => search.visit(|s: &mut S, n, _| minimax(s, n, Player::Max), node, window),
            A::Negamax => search.visit(negamax, node, window),
            A::F1 => search.visit(f1, node, window),
            A::F2 => search.visit(f2, node, window),
            A::F2Prime => {
                search.visit(|s: &mut S, n, w| f2_prime(s, n, Player::Max, w), node, window)
            }
            A::F3 => search.visit(f3, node, window),
            A::Scout => search.visit(|s: &mut S, n, _| scout(s, n, Player::Max), node, window),
            A::NegaScout(options) => {
                search.visit(|s: &mut S, n, w| negascout(s, n, w, options), node, window)
            }
            A::NegaScoutMinMax(options) => {
                search.visit(|s: &mut S, n, w| f4_prime(s, n, w, options), node, window)
            }
            A::Pvs => search.visit(pvs, node, window),
            A::Sss => search.visit(|s: &mut S, n, _| sss(s, n, Player::Max), node, window),
            A::Quiescence => search.visit(quiescence, node, window),
            A::Beam => search.visit(beam, node, window),
            A::ProbCut => search.visit(probcut, node, window),
            A::Test | A::ProofNumber | A::MtdF | A::MtSss | A::MtDual => {
                self.search(search, node, window.alpha)
            }
            A::Uct(_) | A::EpsilonGreedy => unreachable!("{self} samples"),
        }
    }

    /// Whether the value of `node`, where Max is to move, is above `bound`.
    fn is_above<S: Search>(self, search: &mut S, node: S::Node, bound: S::Value) -> bool {
        search.report(Event::Pass);
        let window = Window::null(bound);
        let answer = |search: &mut S, node, _| {
            let is_above = match self {
                A::ProofNumber => proof_number(search, node, Player::Max, bound),
                _ => test_above(search, node, Player::Max, bound),
            };
            if is_above { window.beta } else { window.alpha }
        };
        window.fails_high(search.visit(answer, node, window))
    }

    /// The value of `node` by questions: steps from `guess` that double until the
    /// value is passed, then halves, as in C* (Coplan, "A special-purpose machine
    /// for an improved search algorithm for deep chess combinations", Advances in
    /// Computer Chess 3, 1982).
    fn by_questions<S: Search>(self, search: &mut S, node: S::Node, guess: S::Value) -> S::Value {
        let mut proved: Interval<S::Value> = Interval::unknown();
        let mut bound = guess;
        let mut step = 1.0;
        while proved.lower < proved.upper && !search.is_stopped() {
            if self.is_above(search, node, bound) {
                proved.lower = bound.successor();
            } else {
                proved.upper = bound;
            }
            let Interval { lower, upper } = proved;
            bound = S::Value::at_most(if upper == S::Value::MAX {
                lower.number() + step - 1.0
            } else if lower == S::Value::MIN {
                upper.number() - step
            } else {
                (lower.number() + upper.number()) / 2.0
            });
            step *= 2.0;
        }
        proved.lower
    }
}

/// An algorithm and what is combined with it.
///
/// As text its name, then any of `+tt`, `+id` and `+asp`; or, for `test` and
/// `proof-number`, `:` and a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Method {
    /// What searches each time.
    pub algorithm: Algorithm,
    /// Store bounds, and search stored best children first.
    pub table: bool,
    /// Search 1, 2, … moves deep; random games without end.
    pub deepening: bool,
    /// Begin each search with a narrow window.
    pub aspiration: bool,
    /// Ask only whether the value is above this.
    pub question: Option<i32>,
}

/// What a search has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found<V> {
    /// The value to the player to move at the root.
    pub value: V,
    /// The number of the root's best child, if one is known.
    pub best: Option<u16>,
    /// Moves deep; 0 if the search was stopped before it had finished.
    pub height: u16,
}

/// Random games of [`uct`] where nothing else ends the search.
const PLAYOUTS: u64 = 10_000;

impl From<Algorithm> for Method {
    fn from(algorithm: Algorithm) -> Self {
        let table = algorithm.needs_table();
        Self { algorithm, table, deepening: false, aspiration: false, question: None }
    }
}

impl Method {
    /// Every algorithm, alone, with table and deepening, and with aspiration too.
    pub fn names() -> &'static [&'static str] {
        static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| {
            let forms = |(name, ..): &(&str, _, _)| {
                ["", "+tt+id", "+tt+id+asp"].map(|form| format!("{name}{form}"))
            };
            let parsed = |name: String| name.parse::<Method>().ok();
            let methods = Algorithm::NAMED.iter().flat_map(forms).filter_map(parsed);
            let mut names: Vec<String> = methods.map(|method| method.to_string()).collect();
            names.dedup();
            names.into_iter().map(|name| &*name.leak()).collect()
        });
        &NAMES
    }

    /// Whether it finds minimax's value: no question, no estimate.
    pub fn finds_value(self) -> bool {
        self.question.is_none() && self.algorithm.is_exact()
    }

    /// Whether its memory grows with the nodes that it visits.
    pub fn stores_nodes(self) -> bool {
        self.table || matches!(self.algorithm, A::Sss | A::ProofNumber | A::Uct(_))
    }

    /// The method for a search that only its observer ends.
    #[must_use]
    pub fn until_stopped(self) -> Self {
        Self { deepening: true, ..self }
    }

    /// The value of `tree` to the player to move at its root; for a question, a
    /// value on the right side of the bound.
    ///
    /// `None` if `observer` stopped the search before it had one.
    pub fn value<T: Tree, O: Observer<T::Node>>(
        self,
        tree: &T,
        observer: &mut O,
    ) -> Option<T::Value> {
        let mut run = Run { tree, observer, table: self.table() };
        self.run(&mut run, 0, |_, _| ()).map(|found| found.value)
    }

    /// What the algorithm says of the value within `window`, as the player to move
    /// at the root sees both; `None` if it takes no window.
    pub fn value_within<T: Tree, O: Observer<T::Node>>(
        self,
        tree: &T,
        observer: &mut O,
        window: Window<T::Value>,
    ) -> Option<T::Value> {
        let mut run = Run { tree, observer, table: self.table() };
        run.report(Event::Pass);
        let takes = self.algorithm.has_window();
        takes.then(|| self.algorithm.within(&mut run, tree.root(), window))
    }

    /// The value of `tree` and its best child; each search of the root that is
    /// finished goes to `report`. `seed` is for those that draw lots.
    ///
    /// If `observer` stopped the search before it had a value, the value is the
    /// static evaluation, and the child the best so far, if there is one.
    pub fn play<T: Tree, O: Observer<T::Node>>(
        self,
        tree: &T,
        observer: &mut O,
        seed: u64,
        report: impl FnMut(&Found<T::Value>, &O),
    ) -> Found<T::Value> {
        let table = self.table().or_else(|| Some(TranspositionTable::of_root()));
        let mut run = Run { tree, observer, table };
        self.run(&mut run, seed, report).unwrap_or_else(|| Found {
            value: tree.value(tree.truncated(tree.root(), 0)),
            best: run.table.and_then(|table| table.root_best()),
            height: 0,
        })
    }

    /// Whether `value` is right where minimax finds `truth`.
    pub fn is_right<V: Measure>(self, value: V, truth: V) -> bool {
        match self.question {
            None => value == truth,
            Some(bound) => {
                let bound = V::at_most(bound.into());
                (value > bound) == (truth > bound)
            }
        }
    }

    fn table<T: Tree>(self) -> Option<TranspositionTable<T>> {
        // SSS* and DUAL* are themselves only in the tree's own order.
        let in_order = matches!(self.algorithm, A::MtSss | A::MtDual) && !self.deepening;
        self.table.then(|| match in_order {
            true => TranspositionTable::in_tree_order(),
            false => TranspositionTable::default(),
        })
    }

    /// The last search of the root that was finished.
    fn run<T: Tree, O: Observer<T::Node>>(
        self,
        run: &mut Run<'_, T, &mut O>,
        seed: u64,
        mut report: impl FnMut(&Found<T::Value>, &O),
    ) -> Option<Found<T::Value>> {
        let root = run.tree.root();
        let height = run.tree.height(root);
        let mut last = None;
        let mut found = |value, best, height, observer: &O| {
            let found = Found { value, best, height };
            report(&found, observer);
            last = Some(found);
        };
        if self.algorithm.samples() {
            let mut random = SplitMix64::new(seed);
            let (best, value) = match self.algorithm {
                A::Uct(policy) => {
                    let playouts = if self.deepening { u64::MAX } else { PLAYOUTS };
                    uct(run, root, playouts, policy, &mut random)
                }
                _ => epsilon_greedy(run, root, &mut random),
            }?;
            found(value, Some(best), height, run.observer);
            return last;
        }
        let mut guess = None;
        for height in if self.deepening { 1.min(height)..=height } else { height..=height } {
            let value = self.once(run, run.tree.truncated(root, height), guess);
            if run.is_stopped() {
                break;
            }
            guess = Some(value);
            let best = run.table.as_ref().and_then(TranspositionTable::root_best);
            found(value, best, height, run.observer);
        }
        last
    }

    /// One search of `node` to its height, from a guess of its value if there is
    /// one. Without, the guess is the static evaluation.
    fn once<S: Search>(self, search: &mut S, node: S::Node, guess: Option<S::Value>) -> S::Value {
        if let Some(bound) = self.question {
            let window = Window::null(S::Value::at_most(bound.into()));
            let is_above = self.algorithm.is_above(search, node, window.alpha);
            return if is_above { window.beta } else { window.alpha };
        }
        let tree = search.tree();
        let guess = guess.unwrap_or_else(|| tree.value(tree.truncated(node, 0)));
        if self.aspiration {
            self.aspired(search, node, guess)
        } else {
            self.algorithm.search(search, node, guess)
        }
    }

    /// Aspiration: a window of the tree's margin on either side of `guess`, and
    /// another search with that side open if the value lies outside.
    fn aspired<S: Search>(self, search: &mut S, node: S::Node, guess: S::Value) -> S::Value {
        let margin = search.tree().aspiration_margin();
        let window = Window::new(guess - margin, guess + margin);
        search.report(Event::Pass);
        let value = self.algorithm.within(search, node, window);
        let wider = if window.fails_low(value) {
            Window::new(S::Value::MIN, value.successor())
        } else if window.fails_high(value) {
            // All above the predecessor of what is proved.
            Window::new(Window::null_under(value).alpha, S::Value::MAX)
        } else {
            return value;
        };
        search.report(Event::Pass);
        self.algorithm.within(search, node, wider)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Self::NAMED.iter().find(|(_, algorithm, _)| algorithm == self);
        f.pad(named.map_or("custom", |(name, ..)| name))
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = self.algorithm.to_string();
        if let Some(bound) = self.question {
            name += &format!(":{bound}");
        }
        let extra = self.table && !self.algorithm.needs_table();
        for (given, suffix) in [(extra, "+tt"), (self.deepening, "+id"), (self.aspiration, "+asp")]
        {
            if given {
                name += suffix;
            }
        }
        f.pad(&name)
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split('+');
        let first = parts.next().unwrap_or_default();
        let (name, question) = match first.split_once(':') {
            Some((name, bound)) => (name, Some(bound)),
            None => (first, None),
        };
        let names = || Algorithm::NAMED.map(|(name, ..)| name);
        let found = Algorithm::NAMED.iter().find(|(known, ..)| *known == name);
        let unknown = || UnknownName::new("algorithm", names(), name).to_string();
        let &(_, algorithm, _) = found.ok_or_else(unknown)?;
        let mut method = Method::from(algorithm);
        if let Some(bound) = question {
            let number = bound.parse().ok().filter(|_| algorithm.asks());
            method.question = Some(number.ok_or_else(|| {
                let got = shortened(first);
                format!("expected a number after 'test:' or 'proof-number:', got '{got}'")
            })?);
        }
        let mut fitting = Vec::new();
        for (suffix, fits, field) in [
            ("tt", algorithm.may_have_table(), &mut method.table),
            ("id", !algorithm.samples(), &mut method.deepening),
            ("asp", algorithm.has_window(), &mut method.aspiration),
        ] {
            if fits {
                fitting.push((suffix, field));
            }
        }
        for suffix in parts {
            let Some((_, field)) = fitting.iter_mut().find(|(known, _)| *known == suffix) else {
                let names: Vec<String> =
                    fitting.iter().map(|(name, _)| format!("+{name}")).collect();
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let what =
                    if names.is_empty() { "nothing".to_owned() } else { alternatives(&names) };
                return Err(format!("expected {what} after {name}, got '+{}'", shortened(suffix)));
            };
            **field = true;
        }
        Ok(method)
    }
}
