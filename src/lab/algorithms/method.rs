//! The algorithms by name, and what can be combined with each: a transposition
//! table, iterative deepening and an aspiration window.
//!
//! Slate and Atkin, "CHESS 4.5", in Chess Skill in Man and Machine, 1977, use all
//! three. [`Method`] is the entry point of every comparison.

use std::fmt;
use std::str::FromStr;

use crate::score::{Score, Window};
use crate::sys::names::UnknownName;

use super::alpha_beta::{f1, f2, f3, minimax, negamax};
use super::best_first::{mt_dual, mt_sss, mtd, sss};
use super::negascout::{Form, Options, f4_prime, negascout, pvs};
use super::observer::{Event, Observer};
use super::scout::scout;
use super::search::{Run, Search};
use super::table::TranspositionTable;
use super::tree::{Player, Tree};

/// An algorithm that finds the value of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Minimax over two players, which visits every leaf.
    Minimax,
    /// F0: minimax with one rule for both players.
    Negamax,
    /// Alpha-beta without deep cutoffs.
    F1,
    /// Alpha-beta with deep cutoffs, fail-hard.
    F2,
    /// Alpha-beta with deep cutoffs, fail-soft.
    F3,
    /// SCOUT: EVAL and TEST.
    Scout,
    /// NegaScout with one function for both players, F4.
    NegaScout(Options),
    /// NegaScout with a function for each player, F4' and G4'.
    NegaScoutMinMax(Options),
    /// Principal variation search, fail-hard.
    Pvs,
    /// MTD(f), from the static evaluation or the last iteration's value.
    MtdF,
    /// MTD from above every value.
    MtSss,
    /// MTD from below every value.
    MtDual,
    /// SSS* as Stockman wrote it, with its OPEN list.
    Sss,
}

use Algorithm as A;

const CORRECTED: Options = Options::CORRECTED;
const AS_PRINTED: Options = Options { form: Form::AsPrinted, ..CORRECTED };
const MAXIMUM: Options = Options { maximum_cut: true, ..CORRECTED };

impl Algorithm {
    /// Every algorithm with its name in options and tables.
    pub const NAMED: [(&'static str, Self); 19] = [
        ("minimax", A::Minimax),
        ("negamax", A::Negamax),
        ("f1", A::F1),
        ("f2", A::F2),
        ("f3", A::F3),
        ("scout", A::Scout),
        ("negascout", A::NegaScout(CORRECTED)),
        ("negascout-literal", A::NegaScout(AS_PRINTED)),
        ("negascout-depth3", A::NegaScout(Options::DEPTH_RULE)),
        ("negascout-max", A::NegaScout(MAXIMUM)),
        ("f4'", A::NegaScoutMinMax(CORRECTED)),
        ("f4'-literal", A::NegaScoutMinMax(AS_PRINTED)),
        ("f4'-depth3", A::NegaScoutMinMax(Options::DEPTH_RULE)),
        ("f4'-max", A::NegaScoutMinMax(MAXIMUM)),
        ("pvs", A::Pvs),
        ("mtd-f", A::MtdF),
        ("mt-sss", A::MtSss),
        ("mt-dual", A::MtDual),
        ("sss", A::Sss),
    ];

    /// Whether values are right only if sides alternate.
    pub fn needs_alternation(self) -> bool {
        match self {
            A::NegaScout(options) | A::NegaScoutMinMax(options) => options.trusted_height > 1,
            _ => false,
        }
    }

    /// Whether it asks through [`Search::visit`], so that a table can answer
    /// and a window can be given.
    fn has_window(self) -> bool {
        !matches!(self, A::Minimax | A::Scout | A::Sss | A::NegaScoutMinMax(_))
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
            _ => {
                search.report(Event::Pass);
                match self {
                    A::Minimax => minimax(search, node, Player::Max),
                    A::Scout => scout(search, node, Player::Max),
                    A::Sss => sss(search, node, Player::Max),
                    _ => self.within(search, node, Window::full()),
                }
            }
        }
    }

    /// The value of `node` within `window`; algorithms without one ignore it.
    fn within<S: Search>(
        self,
        search: &mut S,
        node: S::Node,
        window: Window<S::Value>,
    ) -> S::Value {
        match self {
            A::Negamax => search.visit(negamax, node, window),
            A::F1 => search.visit(f1, node, window),
            A::F2 => search.visit(f2, node, window),
            A::F3 => search.visit(f3, node, window),
            A::Pvs => search.visit(pvs, node, window),
            A::NegaScout(options) => {
                search.visit(|s: &mut S, n, w| negascout(s, n, w, options), node, window)
            }
            A::NegaScoutMinMax(options) => f4_prime(search, node, window, options),
            A::Minimax | A::Scout | A::Sss | A::MtdF | A::MtSss | A::MtDual => {
                self.search(search, node, window.alpha)
            }
        }
    }
}

/// An algorithm and what is combined with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Method {
    /// What searches each time.
    pub algorithm: Algorithm,
    /// Store bounds, and search stored best children first.
    pub table: bool,
    /// Search 1, 2, … moves deep.
    pub deepening: bool,
    /// Begin each search with a narrow window.
    pub aspiration: bool,
}

impl From<Algorithm> for Method {
    fn from(algorithm: Algorithm) -> Self {
        let table = algorithm.needs_table();
        Self { algorithm, table, deepening: false, aspiration: false }
    }
}

impl Method {
    /// The value of `tree` to the player to move at its root.
    ///
    /// `None` if `observer` stopped the search before it had one.
    pub fn value<T: Tree, O: Observer<T::Node>>(
        self,
        tree: &T,
        observer: &mut O,
    ) -> Option<T::Value> {
        // SSS* and DUAL* are themselves only in the tree's own order.
        let in_order = matches!(self.algorithm, A::MtSss | A::MtDual) && !self.deepening;
        let table = self.table.then(|| match in_order {
            true => TranspositionTable::in_tree_order(),
            false => TranspositionTable::default(),
        });
        let mut run = Run { tree, observer, table };
        if self.deepening {
            return deepening(&mut run, tree.root(), |run, node, guess| {
                self.once(run, node, guess)
            });
        }
        let value = self.once(&mut run, tree.root(), None);
        (!run.is_stopped()).then_some(value)
    }

    /// One search of `node` to its height, from a guess of its value if there is
    /// one. Without, the guess is the static evaluation.
    pub(in crate::lab) fn once<S: Search>(
        self,
        search: &mut S,
        node: S::Node,
        guess: Option<S::Value>,
    ) -> S::Value {
        let tree = search.tree();
        let guess = guess.unwrap_or_else(|| tree.value(tree.truncated(node, 0)));
        if !self.aspiration {
            return self.algorithm.search(search, node, guess);
        }
        let margin = tree.aspiration_margin();
        aspiration(search, node, guess, margin, |search: &mut S, node, window| {
            self.algorithm.within(search, node, window)
        })
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Self::NAMED.iter().find(|(_, algorithm)| algorithm == self);
        f.pad(named.map_or("custom", |(name, _)| name))
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = self.algorithm.to_string();
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
    type Err = UnknownName;

    /// Reads a name of [`Algorithm::NAMED`], followed by any of `+tt`, `+id`
    /// and `+asp`.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let mut parts = text.split('+');
        let name = parts.next().unwrap_or_default();
        let names = || Algorithm::NAMED.map(|(name, _)| name);
        let found = Algorithm::NAMED.iter().find(|(known, _)| *known == name);
        let &(_, algorithm) = found.ok_or_else(|| UnknownName::new("algorithm", names(), name))?;
        let mut method = Method::from(algorithm);
        for suffix in parts {
            match suffix {
                "tt" if algorithm.has_window() => method.table = true,
                "id" => method.deepening = true,
                "asp" if algorithm.has_window() && !algorithm.needs_table() => {
                    method.aspiration = true;
                }
                _ => {
                    let (what, names): (_, &[_]) = match algorithm.has_window() {
                        true => ("addition", &["+tt", "+id", "+asp"]),
                        false => ("addition to an algorithm that has no window", &["+id"]),
                    };
                    return Err(UnknownName::new(
                        what,
                        names.iter().copied(),
                        &format!("+{suffix}"),
                    ));
                }
            }
        }
        Ok(method)
    }
}

/// Iterative deepening: searches `root` 1, 2, … moves deep up to its height.
/// `algorithm` gets the value of the iteration before, if there was one. `None`
/// if the search was stopped before the first iteration was finished; the value
/// of a stopped iteration is not used.
///
/// It pays with a table that puts the best child of the last iteration first.
pub fn deepening<S: Search>(
    search: &mut S,
    root: S::Node,
    algorithm: impl Fn(&mut S, S::Node, Option<S::Value>) -> S::Value,
) -> Option<S::Value> {
    let mut value = None;
    for height in 1..=search.tree().height(root) {
        let next = algorithm(search, search.tree().truncated(root, height), value);
        if search.is_stopped() {
            break;
        }
        value = Some(next);
    }
    value
}

/// Aspiration: searches `node` with a window of `margin` on either side of `guess`, and
/// again with that side open if the value lies outside.
pub fn aspiration<S: Search>(
    search: &mut S,
    node: S::Node,
    guess: S::Value,
    margin: S::Value,
    algorithm: impl Fn(&mut S, S::Node, Window<S::Value>) -> S::Value,
) -> S::Value {
    let window = Window::new(guess - margin, guess + margin);
    search.report(Event::Pass);
    let value = search.visit(&algorithm, node, window);
    let wider = if window.fails_low(value) {
        Window::new(S::Value::MIN, value.successor())
    } else if window.fails_high(value) {
        // All above the predecessor of what is proved.
        Window::new(Window::null_under(value).alpha, S::Value::MAX)
    } else {
        return value;
    };
    search.report(Event::Pass);
    search.visit(&algorithm, node, wider)
}
