//! From minimax to alpha-beta, in five steps.
//!
//! [`minimax`] is the definition that every other algorithm must agree with
//! (Shannon, "Programming a computer for playing chess", Philosophical Magazine
//! 41, 1950). [`negamax`], [`f1`] and [`f2`] are F0, F1 and F2 of Knuth and
//! Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6, 1975,
//! section 2, except that the sign follows the side to move and not the parity
//! of the depth: in Kalah a side may move again. [`f3`] is F3 of Fishburn, "Another optimization of
//! alpha-beta search", SIGART Newsletter 84, 1983. [`alpha_beta_by_sides`] is F2 or F3 with a rule
//! for each side.

use kalah_game::{Score, Turn, Window};

use super::search::TreeSearch;
use super::tree::{ChildNode, MinimaxSide};

/// Minimax: the value of `node` from Max's point of view. Max takes the highest child,
/// Min the lowest; every leaf is visited. `side` is to move at `node`.
pub fn minimax<S: TreeSearch>(search: &mut S, node: S::Node, side: MinimaxSide) -> S::Value {
    let Some(children) = search.children(node) else {
        return side.to_max(search.leaf(node));
    };
    let values = children.map(|child| {
        let minimax = |s: &mut S, node, side, _| minimax(s, node, side);
        search.below_side(minimax, child, side, Window::full())
    });
    match side {
        MinimaxSide::Max => values.max(),
        MinimaxSide::Min => values.min(),
    }
    .expect("a node with children has a best one")
}

/// F0, negamax: minimax with one rule for both sides. The value of `node` to
/// the side to move there.
///
/// The window does not affect the search; it only lets a transposition table answer.
pub fn negamax<S: TreeSearch>(search: &mut S, node: S::Node, window: Window<S::Value>) -> S::Value {
    let Some(children) = search.children(node) else { return search.leaf(node) };
    let mut best = S::Value::MIN;
    for child in children {
        best = best.max(search.below(negamax, child, window));
    }
    best
}

/// Which bounds F1 passes on where the mover moves again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ExtraTurnBounds {
    /// Both, as in the tree whose moves are whole turns: there, a turn that goes on is compared
    /// with the mover's best turn so far.
    #[default]
    Both,
    /// The opponent's bound, but not the mover's best value, with which each extra turn starts
    /// afresh. No less correct than [`ExtraTurnBounds::Both`], but prunes less.
    Opponent,
    /// None.
    Neither,
}

/// When a value cuts off the children after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Cutoff {
    /// If it reaches beta, as in Knuth and Moore.
    #[default]
    AtBeta,
    /// Only if it exceeds beta, as in many early programs. Never cuts off at a value that equals
    /// the bound, which is frequent where values are few.
    AboveBeta,
}

/// A form of F1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct F1Form {
    /// What it passes on along an extra turn.
    pub extra_turns: ExtraTurnBounds,
    /// When it cuts off.
    pub cutoff: Cutoff,
}

impl From<ExtraTurnBounds> for F1Form {
    fn from(extra_turns: ExtraTurnBounds) -> Self {
        Self { extra_turns, cutoff: Cutoff::default() }
    }
}

/// F1, branch and bound: alpha-beta without deep cutoffs. The value of `node` to
/// the side to move there if that is below `window.beta`, otherwise a value
/// of at least `window.beta`.
///
/// F1(p, bound) has one bound: the opponent of the mover at p avoids p if its value reaches that
/// bound. A reply gets the best value of its earlier siblings; no bound comes from farther up.
/// Where the mover moves again, the definition says nothing, because its players alternate; see
/// [`ExtraTurnBounds`]. Many early programs, perhaps Noe's as well, had no deep cutoffs.
pub fn f1<S: TreeSearch>(
    search: &mut S,
    node: S::Node,
    window: Window<S::Value>,
    form: F1Form,
) -> S::Value {
    use Cutoff::{AboveBeta, AtBeta};
    use ExtraTurnBounds::{Both, Neither, Opponent};
    // Decided once and not at every node, so that no form costs more than another.
    match (form.extra_turns, form.cutoff) {
        (Both, AtBeta) => f1_by::<S, true, true, false>(search, node, window),
        (Both, AboveBeta) => f1_by::<S, true, true, true>(search, node, window),
        (Opponent, AtBeta) => f1_by::<S, false, true, false>(search, node, window),
        (Opponent, AboveBeta) => f1_by::<S, false, true, true>(search, node, window),
        (Neither, AtBeta) => f1_by::<S, false, false, false>(search, node, window),
        (Neither, AboveBeta) => f1_by::<S, false, false, true>(search, node, window),
    }
}

/// F1 that passes on the mover's best value along an extra turn if `OWN` is set, the opponent's
/// bound if `OPPONENTS` is, and that cuts off only above beta if `STRICT` is.
fn f1_by<S: TreeSearch, const OWN: bool, const OPPONENTS: bool, const STRICT: bool>(
    search: &mut S,
    node: S::Node,
    window: Window<S::Value>,
) -> S::Value {
    let Some(children) = search.children(node) else { return search.leaf(node) };
    // A reply starts without the mover's bound, so `window.alpha` is only set along extra turns.
    let mut best = window.alpha;
    for child in children {
        let bounds = match child.turn {
            Turn::Keeps => Window {
                alpha: if OWN { best } else { S::Value::MIN },
                beta: if OPPONENTS { window.beta } else { S::Value::MAX },
            },
            Turn::Passes => Window { alpha: best, beta: S::Value::MAX },
        };
        best = best.max(search.below(f1_by::<S, OWN, OPPONENTS, STRICT>, child, bounds));
        // A shallow cutoff: at the parent the opponent has a move that is at least as good, and
        // so avoids this node.
        let cuts = if STRICT { best > window.beta } else { window.fails_high(best) };
        if cuts {
            break;
        }
    }
    best
}

/// F2, alpha-beta with deep cutoffs, fail-hard: the value of `node` to the
/// side to move there if it lies in `window`; at most `alpha` if the value
/// is, at least `beta` if the value is.
///
/// At an interior node, a search that fails low returns exactly `alpha`.
pub fn f2<S: TreeSearch>(search: &mut S, node: S::Node, window: Window<S::Value>) -> S::Value {
    let Some(children) = search.children(node) else { return search.leaf(node) };
    best_child(search, f2, children, window.alpha, window)
}

/// [`f2`] that cuts off only above beta. It is fail-soft: a value that is clamped to the window
/// never exceeds beta.
pub fn f2_strict<S: TreeSearch>(
    search: &mut S,
    node: S::Node,
    window: Window<S::Value>,
) -> S::Value {
    let Some(children) = search.children(node) else { return search.leaf(node) };
    let mut best = S::Value::MIN;
    for child in children {
        best = best.max(search.below(f2_strict, child, window.raised(best)));
        if best > window.beta {
            break;
        }
    }
    best
}

/// F2 for Max and G2 for Min, fail-hard, or F3 with a rule for each side, fail-soft: alpha-beta
/// with deep cutoffs. Values and window are from Max's point of view; `side` is to move at `node`.
pub fn alpha_beta_by_sides<S: TreeSearch>(
    search: &mut S,
    node: S::Node,
    side: MinimaxSide,
    window: Window<S::Value>,
    soft: bool,
) -> S::Value {
    let Some(children) = search.children(node) else {
        return side.to_max(search.leaf(node));
    };
    let below = move |search: &mut S, node, side, window| {
        alpha_beta_by_sides(search, node, side, window, soft)
    };
    let mut left = window;
    let mut best = match (soft, side) {
        (true, side) => side.to_max(S::Value::MIN),
        (false, MinimaxSide::Max) => window.alpha,
        (false, MinimaxSide::Min) => window.beta,
    };
    for child in children {
        let value = search.below_side(below, child, side, left);
        match side {
            MinimaxSide::Max => {
                best = best.max(value);
                left.alpha = left.alpha.max(best);
            }
            MinimaxSide::Min => {
                best = best.min(value);
                left.beta = left.beta.min(best);
            }
        }
        if left.alpha >= left.beta {
            break;
        }
    }
    best
}

/// F3, alpha-beta with deep cutoffs, fail-soft: the value of `node` to the side
/// to move there if it lies in `window`; an upper bound of at most `alpha` or a
/// lower bound of at least `beta` if not.
///
/// It visits the same nodes as F2. The only difference is that `best` starts below
/// every score, so that a result outside the window is a bound, too.
pub fn f3<S: TreeSearch>(search: &mut S, node: S::Node, window: Window<S::Value>) -> S::Value {
    let Some(children) = search.children(node) else { return search.leaf(node) };
    best_child(search, f3, children, S::Value::MIN, window)
}

/// The loop of F2 and F3 over `children`, each searched by `algorithm`: the value of the best one,
/// for a mover who is sure of `best` without them.
pub(super) fn best_child<S: TreeSearch>(
    search: &mut S,
    algorithm: impl Fn(&mut S, S::Node, Window<S::Value>) -> S::Value,
    children: impl IntoIterator<Item = ChildNode<S::Node>>,
    mut best: S::Value,
    window: Window<S::Value>,
) -> S::Value {
    for child in children {
        best = best.max(search.below(&algorithm, child, window.raised(best)));
        // A cutoff, shallow or deep: at an ancestor the opponent has an alternative that is at
        // least as good, and so never lets the game reach this node.
        if window.fails_high(best) {
            break;
        }
    }
    best
}
