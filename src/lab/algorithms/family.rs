//! The algorithms by name, for those who compare them.

use std::fmt;
use std::str::FromStr;

use crate::score::Window;

use super::memory::{Memory, Table};
use super::negascout::{Form, Options};
use super::observer::Observer;
use super::search::{Run, Search};
use super::tree::{Player, Tree};
use super::wrappers::{aspiration, deepening};
use super::{
    f1, f2, f3, f4_prime, minimax, mt_dual, mt_sss, mtd, negamax, negascout, pvs, scout, sss,
};
use crate::sys::names::UnknownName;

/// An algorithm that finds the value of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Every leaf.
    Minimax,
    /// Every leaf, one rule for both players.
    Negamax,
    /// Alpha-beta without deep cutoffs.
    F1,
    /// Alpha-beta, fail-hard.
    F2,
    /// Alpha-beta, fail-soft.
    F3,
    /// SCOUT.
    Scout,
    /// NegaScout F4.
    NegaScout(Options),
    /// NegaScout F4' and G4'.
    NegaScoutMinMax(Options),
    /// Principal variation search.
    Pvs,
    /// MTD(f).
    MtdF,
    /// MT-SSS*.
    MtSss,
    /// MT-DUAL*.
    MtDual,
    /// SSS* with its OPEN list.
    Sss,
}

use Algorithm as A;

const LITERAL: Options = Options { form: Form::Literal, trusted_height: 0, maximum_cut: false };
const MAXIMUM: Options = Options { form: Form::Mended, trusted_height: 0, maximum_cut: true };
const MENDED: Options = Options { form: Form::Mended, trusted_height: 0, maximum_cut: false };

impl Algorithm {
    /// Every algorithm with its name in options and tables.
    pub const NAMED: [(&'static str, Self); 19] = [
        ("minimax", A::Minimax),
        ("negamax", A::Negamax),
        ("f1", A::F1),
        ("f2", A::F2),
        ("f3", A::F3),
        ("scout", A::Scout),
        ("negascout", A::NegaScout(MENDED)),
        ("negascout-literal", A::NegaScout(LITERAL)),
        ("negascout-depth3", A::NegaScout(Options::DEPTH_RULE)),
        ("negascout-max", A::NegaScout(MAXIMUM)),
        ("f4'", A::NegaScoutMinMax(MENDED)),
        ("f4'-literal", A::NegaScoutMinMax(LITERAL)),
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

    /// Whether it asks through [`Search::visit`], so that a memory can answer
    /// and a window can be given.
    fn has_window(self) -> bool {
        !matches!(self, A::Minimax | A::Scout | A::Sss | A::NegaScoutMinMax(_))
    }

    /// Whether it is hardly worth running without a memory.
    fn needs_memory(self) -> bool {
        matches!(self, A::MtdF | A::MtSss | A::MtDual)
    }

    /// The value of `node`, where Max is to move, with a full window.
    fn search<S: Search>(self, search: &mut S, node: S::Node, guess: S::Value) -> S::Value {
        match self {
            A::MtdF => mtd(search, node, guess),
            A::MtSss => mt_sss(search, node),
            A::MtDual => mt_dual(search, node),
            _ => {
                search.pass();
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

/// An algorithm and what is wrapped around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Method {
    /// What is wrapped.
    pub algorithm: Algorithm,
    /// Remember bounds, and look at remembered best children first.
    pub memory: bool,
    /// Search 1, 2, … moves deep.
    pub deepening: bool,
    /// Begin each search with a narrow window.
    pub aspiration: bool,
}

impl From<Algorithm> for Method {
    fn from(algorithm: Algorithm) -> Self {
        let memory = algorithm.needs_memory();
        Self { algorithm, memory, deepening: false, aspiration: false }
    }
}

impl Method {
    /// The value of the tree to the player to move at its root.
    ///
    /// `None` if `observer` ended the search before it had one.
    pub fn value<T: Tree, O: Observer<T::Node>>(
        self,
        tree: &T,
        observer: &mut O,
    ) -> Option<T::Value> {
        if !self.memory {
            return self.run(&mut Run { tree, observer, memory: () }, tree);
        }
        // SSS* and DUAL* are themselves only in the tree's own order.
        let alone = matches!(self.algorithm, A::MtSss | A::MtDual) && !self.deepening;
        let memory = if alone { Table::<T>::in_tree_order() } else { Table::<T>::ordering() };
        self.run(&mut Run { tree, observer, memory }, tree)
    }

    fn run<T: Tree, O: Observer<T::Node>, M: Memory<T>>(
        self,
        run: &mut Run<'_, T, O, M>,
        tree: &T,
    ) -> Option<T::Value> {
        let root = tree.root();
        if self.deepening {
            return deepening(run, root, |run, node, guess| self.once(run, node, guess));
        }
        let value = self.once(run, root, None);
        (!run.is_spent()).then_some(value)
    }

    /// One search of `node` to its height, from a guess of its value if there is
    /// one. Without, the guess is what the node is worth if nothing happens.
    pub fn once<T: Tree, O: Observer<T::Node>, M: Memory<T>>(
        self,
        run: &mut Run<'_, T, O, M>,
        node: T::Node,
        guess: Option<T::Value>,
    ) -> T::Value {
        let tree = run.tree;
        let guess = guess.unwrap_or_else(|| tree.value(tree.truncated(node, 0)));
        if !self.aspiration {
            return self.algorithm.search(run, node, guess);
        }
        let margin = tree.aspiration_margin();
        aspiration(run, node, guess, margin, |run: &mut Run<'_, T, O, M>, node, window| {
            self.algorithm.within(run, node, window)
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
        let extra = self.memory && !self.algorithm.needs_memory();
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
                "tt" if algorithm.has_window() => method.memory = true,
                "id" => method.deepening = true,
                "asp" if algorithm.has_window() && !algorithm.needs_memory() => {
                    method.aspiration = true;
                }
                _ => {
                    let (what, names): (_, &[_]) = match algorithm.has_window() {
                        true => ("addition", &["+tt", "+id", "+asp"]),
                        false => ("addition to an algorithm without a window", &["+id"]),
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
