//! An algorithm and what is combined with it: a transposition table, iterative
//! deepening and an aspiration window.
//!
//! Slate and Atkin, "CHESS 4.5", in Chess Skill in Man and Machine, 1977, use all
//! three. [`Method`] is the entry point of every comparison, and of the engine
//! where it plays by an algorithm of the lab.

use std::fmt;
use std::str::FromStr;

use crate::game::score::{Score, Window};
use crate::sys::names::{UnknownName, alternatives, shortened};
use crate::sys::random::SplitMix64;

use super::algorithm::Algorithm;
use super::bandit::{bandit, uct};
use super::scout::{Question, Relation};
use super::search::{Observer, Run, Search};
use super::table::TranspositionTable;
use super::tree::{Measure, Tree};

/// An algorithm and what is combined with it.
///
/// As text it is the algorithm's name with the suffixes of a form, then any of
/// `+tt`, `+id` and `+asp`: `negascout-depth3+tt+id`. After `test` and
/// `proof-number` may come a question: `test>5`, `test<=-2`; `test:5` is `test>5`
/// without a sign that shells interpret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Method {
    /// What searches each time.
    pub algorithm: Algorithm,
    /// Store bounds, and search stored best children first.
    pub table: bool,
    /// Search 1, 2, … moves deep until the tree ends; random games without end.
    pub deepening: bool,
    /// Begin each search with a narrow window.
    pub aspiration: bool,
    /// Answer only this.
    pub question: Option<Question<i32>>,
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

/// Random games where nothing else ends the search.
const PLAYOUTS: u64 = 10_000;

/// The algorithm alone; the drivers of null windows with the table that they need.
impl From<Algorithm> for Method {
    fn from(algorithm: Algorithm) -> Self {
        let table = algorithm.needs_table();
        Self { algorithm, table, deepening: false, aspiration: false, question: None }
    }
}

impl Method {
    /// The method for a search that only its observer or the end of the tree ends.
    #[must_use]
    pub fn until_stopped(self) -> Self {
        Self { deepening: true, ..self }
    }

    /// Whether it finds minimax's value: no question, no estimate.
    pub fn finds_value(self) -> bool {
        self.question.is_none() && self.algorithm.is_exact()
    }

    /// Whether its memory grows with the nodes that it visits.
    pub fn stores_nodes(self) -> bool {
        self.table
            || matches!(self.algorithm, Algorithm::Sss | Algorithm::ProofNumber | Algorithm::Uct(_))
    }

    /// The value of `tree` to the player to move at its root; for a question, the
    /// bound that its answer proves.
    ///
    /// `None` if `observer` stopped the search before it had one.
    pub fn value<T: Tree, O: Observer<T::Node> + ?Sized>(
        self,
        tree: &T,
        observer: &mut O,
    ) -> Option<T::Value> {
        let mut run = Run::watched(tree, observer).with_table(self.table());
        self.run(&mut run, 0, |_, _| ()).map(|found| found.value)
    }

    /// The result of a search of `tree` within `window`, both from the point of view
    /// of the player to move at the root; `None` if the algorithm takes no window.
    pub fn value_within<T: Tree, O: Observer<T::Node> + ?Sized>(
        self,
        tree: &T,
        observer: &mut O,
        window: Window<T::Value>,
    ) -> Option<T::Value> {
        let mut run = Run::watched(tree, observer).with_table(self.table());
        self.algorithm
            .has_window()
            .then(|| self.algorithm.value_within(&mut run, tree.root(), window))
    }

    /// The value of `tree` and its best child; each search of the root that is
    /// finished goes to `report`. `seed` is for random games.
    ///
    /// If `observer` stopped the search before it had a value, the value is the
    /// static evaluation, and the child the best so far, if there is one.
    pub fn play<T: Tree, O: Observer<T::Node> + ?Sized>(
        self,
        tree: &T,
        observer: &mut O,
        seed: u64,
        report: impl FnMut(&Found<T::Value>, &O),
    ) -> Found<T::Value> {
        let table = self.table().or_else(|| Some(TranspositionTable::of_root()));
        let mut run = Run::watched(tree, observer).with_table(table);
        self.run(&mut run, seed, report).unwrap_or_else(|| Found {
            value: tree.value(tree.truncated(tree.root(), 0)),
            best: run.root_best(),
            height: 0,
        })
    }

    /// Whether `value` is right where minimax finds `truth`.
    pub fn is_right<V: Measure>(self, value: V, truth: V) -> bool {
        match self.question {
            None => value == truth,
            Some(question) => {
                let question = question.measured();
                question.holds(value) == question.holds(truth)
            }
        }
    }

    fn table<T: Tree>(self) -> Option<TranspositionTable<T>> {
        // SSS* and DUAL* are themselves only in the tree's own order.
        let is_best_first = matches!(self.algorithm, Algorithm::MtSss | Algorithm::MtDual);
        if !self.table {
            None
        } else if is_best_first && !self.deepening {
            Some(TranspositionTable::in_tree_order())
        } else {
            Some(TranspositionTable::default())
        }
    }

    /// The last search of the root that was finished.
    fn run<T: Tree, O: Observer<T::Node> + ?Sized>(
        self,
        run: &mut Run<'_, T, &mut O>,
        seed: u64,
        mut report: impl FnMut(&Found<T::Value>, &O),
    ) -> Option<Found<T::Value>> {
        let root = run.tree.root();
        let height = run.tree.height(root);
        let mut last = None;
        if self.algorithm.samples() {
            let (best, value) = self.sample(run, root, &mut SplitMix64::new(seed))?;
            last = Some(Found { value, best: Some(best), height });
            last.iter().for_each(|found| report(found, run.observer));
            return last;
        }
        // Iterative deepening: a shallow search costs little, and leaves a guess of the value
        // and, in a table, the best child of each node for the next one.
        let first = if self.deepening { height.min(1) } else { height };
        for height in first..=height {
            run.reached_frontier = false;
            let guess = last.map(|found: Found<T::Value>| found.value);
            let value = self.search(run, run.tree.truncated(root, height), guess);
            if run.is_stopped() {
                break;
            }
            let found = Found { value, best: run.root_best(), height };
            report(&found, run.observer);
            last = Some(found);
            // If every line that counts ends the game, a deeper search finds the same.
            if !run.reached_frontier {
                break;
            }
        }
        last
    }

    /// A child of `root` and its value by random games; `None` if `root` is a leaf.
    fn sample<S: Search>(
        self,
        search: &mut S,
        root: S::Node,
        random: &mut SplitMix64,
    ) -> Option<(u16, S::Value)> {
        let playouts = if self.deepening { u64::MAX } else { PLAYOUTS };
        match self.algorithm {
            Algorithm::Uct(policy) => uct(search, root, playouts, policy, random),
            Algorithm::Bandit(strategy) => bandit(search, root, playouts, strategy, random),
            other => unreachable!("{other} does not sample"),
        }
    }

    /// One search of `node` to its height, from a guess of its value if there is
    /// one. Without, the guess is the static evaluation.
    fn search<S: Search>(self, search: &mut S, node: S::Node, guess: Option<S::Value>) -> S::Value {
        if let Some(question) = self.question {
            return self.algorithm.answer(search, node, question.measured());
        }
        let tree = search.tree();
        let guess = guess.unwrap_or_else(|| tree.value(tree.truncated(node, 0)));
        if self.aspiration && self.algorithm.has_window() {
            self.aspired(search, node, guess)
        } else {
            self.algorithm.value(search, node, guess)
        }
    }

    /// Aspiration: a window of the tree's margin on either side of `guess`, and
    /// another search with that side open if the value lies outside.
    ///
    /// A narrow window prunes more, and a value inside it is exact. A value outside
    /// is a bound, which the second search starts from.
    fn aspired<S: Search>(self, search: &mut S, node: S::Node, guess: S::Value) -> S::Value {
        let margin = search.tree().aspiration_margin();
        let window = Window::new(guess - margin, guess + margin);
        let value = self.algorithm.value_within(search, node, window);
        let wider = if window.fails_low(value) {
            Window::new(S::Value::MIN, value.successor())
        } else if window.fails_high(value) {
            // `value` itself must lie inside, for it is not known to be exact.
            Window::new(Window::null_under(value).alpha, S::Value::MAX)
        } else {
            return value;
        };
        self.algorithm.value_within(search, node, wider)
    }

    /// Every suffix that a name of `algorithm` may have.
    fn suffixes(algorithm: Algorithm) -> Vec<&'static str> {
        let mut suffixes = algorithm.forms();
        let combined = [
            ("+tt", algorithm.can_have_table()),
            ("+id", !algorithm.samples()),
            ("+asp", algorithm.has_window()),
        ];
        suffixes.extend(combined.into_iter().filter_map(|(suffix, fits)| fits.then_some(suffix)));
        suffixes
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = self.algorithm.to_string();
        name.extend(self.question.map(|question| question.to_string()));
        let table = self.table && !self.algorithm.needs_table();
        for (given, suffix) in [(table, "+tt"), (self.deepening, "+id"), (self.aspiration, "+asp")]
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
        let named = Algorithm::NAMED.into_iter().find_map(|(name, algorithm, _)| {
            let rest = text.strip_prefix(name)?;
            let ends = rest.is_empty() || rest.starts_with(['-', '+', ':', '<', '>']);
            ends.then_some((name, algorithm, rest))
        });
        let Some((name, algorithm, mut rest)) = named else {
            let names = Algorithm::NAMED.map(|(name, ..)| name);
            return Err(UnknownName::new("algorithm", names, text).to_string());
        };
        let mut method = Method::from(algorithm);
        if rest.starts_with([':', '<', '>']) {
            let (asked, suffixes) = rest.split_at(rest.find('+').unwrap_or(rest.len()));
            rest = suffixes;
            method.question = question(asked).filter(|_| algorithm.answers());
            if method.question.is_none() {
                let expected = "expected a question as 'test>5' or 'proof-number<=-2'";
                return Err(format!("{expected}, got '{}'", shortened(text)));
            }
        }
        let known = Self::suffixes(algorithm);
        while !rest.is_empty() {
            let end = rest[1..].find(['-', '+']).map_or(rest.len(), |end| end + 1);
            let (suffix, after) = rest.split_at(end);
            rest = after;
            match suffix {
                _ if !known.contains(&suffix) => {
                    let expected =
                        if known.is_empty() { "nothing".to_owned() } else { alternatives(&known) };
                    let got = shortened(suffix);
                    return Err(format!("expected {expected} after {name}, got '{got}'"));
                }
                "+tt" => method.table = true,
                "+id" => method.deepening = true,
                "+asp" => method.aspiration = true,
                form => method.algorithm = method.algorithm.with_form(form),
            }
        }
        Ok(method)
    }
}

/// The question of `:5`, `>5`, `>=5`, `<5` or `<=5`.
fn question(text: &str) -> Option<Question<i32>> {
    let digits = text.find(|c: char| c == '-' || c.is_ascii_digit())?;
    let (sign, bound) = text.split_at(digits);
    let relation = if sign == ":" { Relation::Above } else { sign.parse().ok()? };
    // Every bound has a negation.
    let bound = bound.parse().ok().filter(|&bound| bound > i32::MIN)?;
    Some(Question { relation, bound })
}
