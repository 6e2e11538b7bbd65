//! An algorithm combined with a transposition table, iterative deepening and an
//! aspiration window.
//!
//! Slate and Atkin, "CHESS 4.5", in Chess Skill in Man and Machine, 1977, use all
//! three. [`Method`] is the entry point of every comparison, and of the engine
//! if its option `Algorithm` selects an algorithm of the lab.

use std::fmt;
use std::str::FromStr;

use kalah_game::{Score, Window};
use kalah_sys::random::SplitMix64;
use kalah_text::names::{UnknownName, alternatives, shortened};
use thiserror::Error;

use super::algorithm::Algorithm;
use super::bandit::{bandit, uct};
use super::kalah_tree::ExtraTurns;
use super::reference_table::ReferenceTable;
use super::scout::{Relation, TestQuestion};
use super::search::{Observer, SearchRun, TreeSearch};
use super::tree::{Measure, Tree};

/// An algorithm with its table, iterative deepening, aspiration window and question.
///
/// Its text is the name of the algorithm with the suffixes of its form, then any of `+tt`, `+id`
/// and `+asp`: `negascout-depth3+tt+id`. `+asp4` widens the windows fourfold. A question may follow
/// `test` or `proof-number`: `test>5`, `test<=-2`. `test:5` means `test>5`, without a character
/// that shells interpret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Method {
    /// The algorithm of each search.
    pub algorithm: Algorithm,
    /// Store bounds, and search the stored best child first.
    pub table: bool,
    /// Search 1, 2, … moves deep until the tree ends. Algorithms that play random games
    /// play them without limit.
    pub deepening: bool,
    /// Start each search with a narrow window: the tree's margin, multiplied by this.
    pub aspiration: Option<u16>,
    /// Answer this question instead of finding the value.
    pub question: Option<TestQuestion<i32>>,
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodResult<V> {
    /// The value to the side to move at the root.
    pub value: V,
    /// The number of the root's best child, if one is known.
    pub best: Option<u16>,
    /// Depth of the search in moves; 0 if it was stopped before it had finished.
    pub depth: u16,
}

/// Number of random games if nothing else ends the search.
const PLAYOUTS: u64 = 10_000;

/// The algorithm alone, except that null-window drivers get the table that they need.
impl From<Algorithm> for Method {
    fn from(algorithm: Algorithm) -> Self {
        let table = algorithm.needs_table();
        Self { algorithm, table, deepening: false, aspiration: None, question: None }
    }
}

impl Method {
    /// The method for a search that runs until its observer stops it or the tree ends.
    #[must_use]
    pub fn until_stopped(self) -> Self {
        Self { deepening: true, ..self }
    }

    /// Whether it finds the minimax value, rather than an answer or an estimate.
    pub fn finds_value(self) -> bool {
        self.question.is_none() && self.algorithm.is_exact()
    }

    /// Checks that it finds correct values under this treatment of extra turns.
    ///
    /// # Errors
    /// A message if its depth < 3 rule is wrong because a side may move twice in a row.
    pub(crate) fn require_alternation(self, extra_turns: ExtraTurns) -> Result<(), String> {
        if self.algorithm.needs_alternation() && !extra_turns.alternates() {
            return Err(format!(
                "expected compound extra turns for {self}, whose depth < 3 rule needs sides that \
                 alternate, got {extra_turns}"
            ));
        }
        Ok(())
    }

    /// Whether its memory grows with the nodes that it visits.
    pub(crate) fn stores_nodes(self) -> bool {
        self.table
            || matches!(self.algorithm, Algorithm::Sss | Algorithm::ProofNumber | Algorithm::Uct(_))
    }

    /// The value of `tree` to the side to move at its root; for a question, the
    /// bound that its answer proves.
    ///
    /// `None` if `observer` stopped the search before it had one.
    pub fn value<T: Tree, O: Observer<T::Node> + ?Sized>(
        self,
        tree: &T,
        observer: &mut O,
    ) -> Option<T::Value> {
        let mut run = SearchRun::watched(tree, observer).with_table(self.table());
        self.run(&mut run, 0, |_| ()).map(|found| found.value)
    }

    /// The result of a search of `tree` within `window`, both from the point of view
    /// of the side to move at the root; `None` if the algorithm takes no window.
    pub(crate) fn value_within<T: Tree, O: Observer<T::Node> + ?Sized>(
        self,
        tree: &T,
        observer: &mut O,
        window: Window<T::Value>,
    ) -> Option<T::Value> {
        if !self.algorithm.has_window() {
            return None;
        }
        let mut run = SearchRun::watched(tree, observer).with_table(self.table());
        Some(self.algorithm.value_within(&mut run, tree.root(), window))
    }

    /// The value of `tree` and its best child; each finished search of
    /// the root is passed to `report`. `seed` is for random games.
    ///
    /// If `observer` stopped the search before it had a value, the value is the
    /// static evaluation, and the child the best so far, if there is one.
    pub fn play<T: Tree, O: Observer<T::Node> + ?Sized>(
        self,
        tree: &T,
        observer: &mut O,
        seed: u64,
        report: impl FnMut(&MethodResult<T::Value>),
    ) -> MethodResult<T::Value> {
        // Without a table of bounds, one that only records the root's best child.
        let table = self.table().or_else(|| Some(ReferenceTable::root_only()));
        let mut run = SearchRun::watched(tree, observer).with_table(table);
        self.run(&mut run, seed, report).unwrap_or_else(|| MethodResult {
            value: tree.value(tree.truncated(tree.root(), 0)),
            best: run.root_best(),
            depth: 0,
        })
    }

    /// Whether `value` is correct if the minimax value is `truth`. For a question, only the answer
    /// has to be correct.
    pub fn is_right<V: Measure>(self, value: V, truth: V) -> bool {
        match self.question {
            None => value == truth,
            Some(question) => {
                let question = question.measured();
                question.holds(value) == question.holds(truth)
            }
        }
    }

    fn table<T: Tree>(self) -> Option<ReferenceTable<T>> {
        // Only in the tree's own order do MT-SSS* and MT-DUAL* visit the leaves of SSS* and DUAL*.
        let is_best_first = matches!(self.algorithm, Algorithm::MtSss | Algorithm::MtDual);
        if !self.table {
            None
        } else if is_best_first && !self.deepening {
            Some(ReferenceTable::in_tree_order())
        } else {
            Some(ReferenceTable::default())
        }
    }

    /// Runs the method; the result is the last search of the root that was finished.
    fn run<T: Tree, O: Observer<T::Node> + ?Sized>(
        self,
        run: &mut SearchRun<'_, T, &mut O>,
        seed: u64,
        mut report: impl FnMut(&MethodResult<T::Value>),
    ) -> Option<MethodResult<T::Value>> {
        let root = run.tree.root();
        let depth = run.tree.depth(root);
        let mut last = None;
        if self.algorithm.samples() {
            let (best, value) = self.sample(run, root, &mut SplitMix64::new(seed))?;
            last = Some(MethodResult { value, best: Some(best), depth });
            last.iter().for_each(report);
            return last;
        }
        // Iterative deepening: a shallow search costs little, and leaves a guess of the value
        // and, in a table, the best child of each node for the next one.
        let first = if self.deepening { depth.min(1) } else { depth };
        for depth in first..=depth {
            run.reached_frontier = false;
            let guess = last.map(|found: MethodResult<T::Value>| found.value);
            let value = self.search(run, run.tree.truncated(root, depth), guess);
            if run.is_stopped() {
                break;
            }
            let found = MethodResult { value, best: run.root_best(), depth };
            report(&found);
            last = Some(found);
            // If no value that was used came from the frontier, a deeper search finds the same.
            if !run.reached_frontier {
                break;
            }
        }
        last
    }

    /// The best child of `root` and its value by random games; `None` if `root` is a leaf.
    fn sample<S: TreeSearch>(
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

    /// One search of `node` to its depth, from a guess of its value: `guess` or, if it is
    /// `None`, the static evaluation.
    fn search<S: TreeSearch>(
        self,
        search: &mut S,
        node: S::Node,
        guess: Option<S::Value>,
    ) -> S::Value {
        if let Some(question) = self.question {
            return self.algorithm.answer(search, node, question.measured());
        }
        let tree = search.tree();
        let guess = guess.unwrap_or_else(|| tree.value(tree.truncated(node, 0)));
        match self.aspiration {
            Some(factor) if self.algorithm.has_window() => {
                self.aspired(search, node, guess, factor)
            }
            _ => self.algorithm.value(search, node, guess),
        }
    }

    /// Aspiration: a window of `factor` times the tree's margin on either side of `guess`, and
    /// a second search with one side open if the value lies outside on that side.
    ///
    /// A narrow window prunes more, and a value inside it is exact. A value outside
    /// is a bound, which the second search starts from.
    fn aspired<S: TreeSearch>(
        self,
        search: &mut S,
        node: S::Node,
        guess: S::Value,
        factor: u16,
    ) -> S::Value {
        let seeds = search.tree().aspiration_margin().number() * f64::from(factor);
        let margin = S::Value::at_most(seeds);
        let window = Window::new(guess - margin, guess + margin);
        let value = self.algorithm.value_within(search, node, window);
        let wider = if window.fails_low(value) {
            Window::new(S::Value::MIN, value.successor())
        } else if window.fails_high(value) {
            // `value` itself must lie inside the window, because it is not known to be exact.
            Window::new(Window::null_under(value).alpha, S::Value::MAX)
        } else {
            return value;
        };
        self.algorithm.value_within(search, node, wider)
    }

    /// Every suffix that a name of `algorithm` may have.
    fn suffixes(algorithm: Algorithm) -> Vec<&'static str> {
        let forms = Algorithm::FORMS.map(|(suffix, _)| suffix).into_iter();
        let mut suffixes: Vec<&str> = forms.filter(|form| algorithm.form(form).is_some()).collect();
        if algorithm.can_have_table() {
            suffixes.push("+tt");
        }
        if !algorithm.samples() {
            suffixes.push("+id");
        }
        if algorithm.has_window() {
            suffixes.push("+asp");
        }
        suffixes
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = self.algorithm.to_string();
        name.extend(self.question.map(|question| question.to_string()));
        let table = self.table && !self.algorithm.needs_table();
        for (given, suffix) in [(table, "+tt"), (self.deepening, "+id")] {
            if given {
                name += suffix;
            }
        }
        match self.aspiration {
            None => {}
            Some(1) => name += "+asp",
            Some(factor) => name += &format!("+asp{factor}"),
        }
        f.pad(&name)
    }
}

/// Error for a text that does not name a method.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MethodError {
    /// It does not begin with the name of an algorithm.
    #[error(transparent)]
    Algorithm(#[from] UnknownName),
    /// The whole text, shortened: its question is malformed, or the algorithm answers none.
    #[error("expected a question such as 'test>5' or 'proof-number<=-2', got '{0}'")]
    Question(String),
    /// The algorithm takes other suffixes, or none.
    #[error("expected {expected} after {algorithm}, got '{got}'")]
    Suffix {
        /// The plain name of the algorithm.
        algorithm: &'static str,
        /// The suffixes that may follow, in words.
        expected: String,
        /// The first suffix that may not, shortened.
        got: String,
    },
}

impl FromStr for Method {
    type Err = MethodError;

    fn from_str(text: &str) -> Result<Self, MethodError> {
        // Some names are the beginnings of others, as `f2` is of `f2'`, so a name must be followed
        // by a suffix or by nothing.
        let named = Algorithm::NAMED.into_iter().find_map(|(name, algorithm, _)| {
            let rest = text.strip_prefix(name)?;
            let ends = rest.is_empty() || rest.starts_with(['-', '+', ':', '<', '>']);
            if ends { Some((name, algorithm, rest)) } else { None }
        });
        let Some((name, algorithm, mut rest)) = named else {
            let names = Algorithm::NAMED.map(|(name, ..)| name);
            return Err(UnknownName::new("algorithm", names, text).into());
        };
        let mut method = Method::from(algorithm);
        if rest.starts_with([':', '<', '>']) {
            let (asked, suffixes) = rest.split_at(rest.find('+').unwrap_or(rest.len()));
            rest = suffixes;
            method.question = question(asked).filter(|_| algorithm.answers());
            if method.question.is_none() {
                return Err(MethodError::Question(shortened(text)));
            }
        }
        let known = Self::suffixes(algorithm);
        while !rest.is_empty() {
            let end = rest[1..].find(['-', '+']).map_or(rest.len(), |end| end + 1);
            let (suffix, after) = rest.split_at(end);
            rest = after;
            let factor = aspiration_factor(suffix);
            match factor.map_or(suffix, |_| "+asp") {
                plain if !known.contains(&plain) => {
                    let expected =
                        if known.is_empty() { "nothing".to_owned() } else { alternatives(&known) };
                    let got = shortened(suffix);
                    return Err(MethodError::Suffix { algorithm: name, expected, got });
                }
                "+tt" => method.table = true,
                "+id" => method.deepening = true,
                "+asp" => method.aspiration = factor,
                form => {
                    method.algorithm = method.algorithm.form(form).unwrap_or(method.algorithm);
                }
            }
        }
        Ok(method)
    }
}

/// Parses `+asp`, or `+asp4` for windows of 4 times the width.
fn aspiration_factor(suffix: &str) -> Option<u16> {
    match suffix.strip_prefix("+asp")? {
        "" => Some(1),
        factor => factor.parse().ok().filter(|factor| (1..=1000).contains(factor)),
    }
}

/// Parses a question: `:5`, `>5`, `>=5`, `<5` or `<=5`.
fn question(text: &str) -> Option<TestQuestion<i32>> {
    let digits = text.find(|c: char| c == '-' || c.is_ascii_digit())?;
    let (sign, bound) = text.split_at(digits);
    let relation = if sign == ":" { Relation::Above } else { sign.parse().ok()? };
    // A change of the point of view negates the bound, which `i32::MIN` does not allow.
    let bound = bound.parse().ok().filter(|&bound| bound > i32::MIN)?;
    Some(TestQuestion { relation, bound })
}
