//! SCOUT with two bounds: a window for the first child, a null window for the
//! others, and a second search for those that beat it.
//!
//! [`negascout`] is F4 of Hsu's slides "Scout and NegaScout", after Reinefeld, "An improvement to
//! the Scout tree search algorithm", ICCA Journal 6(4), 1983. Their pair F4' and G4' of rules for
//! Max and Min is the same if the side to move always takes the role of Max.
//! [`pvs`] is the fail-hard relative of Campbell and Marsland, "A comparison of
//! minimax tree search algorithms", Artificial Intelligence 20, 1983. The
//! slides have a mistake in both F4 and F4': [`printed_f4`](super::printed_f4) follows them word
//! for word.

use kalah_game::Window;

use super::alpha_beta::f3;
use super::search::{TreeEvent, TreeSearch};
use super::tree::ChildNode;

/// How NegaScout finds the exact value of a child that beats the null window, which is worth at
/// least the value that the null window found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Research {
    /// By itself from that value up: (value, beta), as in F4.
    #[default]
    FromValue,
    /// By itself in the whole window: (alpha, beta), as in PVS.
    WholeWindow,
    /// By alpha-beta (F3) from that value up, which Hsu's slides suggest.
    AlphaBeta,
}

impl Research {
    /// Searches `child` again by `algorithm` or alpha-beta: `alpha` is the bound that the null
    /// window tested, and `value` what it found.
    pub(super) fn search<S: TreeSearch>(
        self,
        search: &mut S,
        algorithm: impl Fn(&mut S, S::Node, Window<S::Value>) -> S::Value,
        child: ChildNode<S::Node>,
        value: S::Value,
        window: Window<S::Value>,
    ) -> S::Value {
        search.report(TreeEvent::Research);
        match self {
            Research::FromValue => search.below(algorithm, child, Window::new(value, window.beta)),
            Research::WholeWindow => search.below(algorithm, child, window),
            Research::AlphaBeta => search.below(f3, child, Window::new(value, window.beta)),
        }
    }
}

/// F4: the value of `node` to the side to move there if it lies in `window`; an
/// upper bound of at most `alpha` or a lower bound of at least `beta` if not.
///
/// On a tree without transpositions it never visits a leaf that alpha-beta (F3) with the same
/// window does not.
pub fn negascout<S: TreeSearch>(
    search: &mut S,
    node: S::Node,
    window: Window<S::Value>,
    research: Research,
) -> S::Value {
    // Decided once and not at every node, so that no form costs more than another.
    match research {
        Research::FromValue => negascout_by::<S, false, false>(search, node, window),
        Research::WholeWindow => negascout_by::<S, true, false>(search, node, window),
        Research::AlphaBeta => negascout_by::<S, false, true>(search, node, window),
    }
}

/// F4 that searches again in the whole window if `WHOLE` is set, and by F3 if `F3` is.
fn negascout_by<S: TreeSearch, const WHOLE: bool, const F3: bool>(
    search: &mut S,
    node: S::Node,
    window: Window<S::Value>,
) -> S::Value {
    let research = match (WHOLE, F3) {
        (true, _) => Research::WholeWindow,
        (false, true) => Research::AlphaBeta,
        (false, false) => Research::FromValue,
    };
    let below = negascout_by::<S, WHOLE, F3>;
    let Some(mut children) = search.children(node) else { return search.leaf(node) };
    let first = children.next().expect("a node with children has a first one");
    let mut best = search.below(below, first, window);
    if window.fails_high(best) {
        return best;
    }
    for child in children {
        // Proving that no other child is better costs less than finding its value.
        let null = Window::null(window.alpha.max(best));
        let mut value = search.below(below, child, null);
        // A child that failed high is searched again for its exact value, unless it causes a
        // cutoff.
        if null.fails_high(value) && !window.fails_high(value) {
            let rest = Window::new(null.alpha, window.beta);
            value = research.search(search, below, child, value, rest);
        }
        best = best.max(value);
        if window.fails_high(best) {
            break;
        }
    }
    best
}

/// PVS, fail-hard: the value of `node` to the side to move there if it lies in
/// `window`; at most `alpha` if the value is, at least `beta` if the value is.
///
/// A child that beats the null window is searched again with the whole window
/// `(alpha, beta)`.
pub fn pvs<S: TreeSearch>(search: &mut S, node: S::Node, window: Window<S::Value>) -> S::Value {
    let Some(mut children) = search.children(node) else { return search.leaf(node) };
    let first = children.next().expect("a node with children has a first one");
    let mut best = window.alpha.max(search.below(pvs, first, window));
    if window.fails_high(best) {
        return best;
    }
    for child in children {
        let null = Window::null(best);
        let mut value = search.below(pvs, child, null);
        if null.fails_high(value) && !window.fails_high(value) {
            search.report(TreeEvent::Research);
            value = search.below(pvs, child, Window::new(best, window.beta));
        }
        best = best.max(value);
        if window.fails_high(best) {
            break;
        }
    }
    best
}
