//! Proof-number search: is the value above a bound?
//!
//! Allis, "Searching for solutions in games and artificial intelligence", 1994,
//! chapter 2; nodes are evaluated when they are chosen ("delayed evaluation").
//! It expands the leaf that is nearest to a proof and to a disproof, stores the whole
//! tree that it has seen, and answers one question only.

use kalah_game::Score;

use super::search::TreeSearch;
use super::tree::MinimaxSide;

/// The minimum number of leaves that must still turn out one way to prove the bound, or the
/// other way to disprove it; [`NEVER`] if that is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PnsNumbers {
    proof: u32,
    disproof: u32,
}

// Sums saturate here, so that a sum with an impossible term remains impossible.
const NEVER: u32 = u32::MAX;

struct PnsNode<N> {
    node: N,
    side: MinimaxSide,
    parent: Option<usize>,
    numbers: PnsNumbers,
    /// Index of the first child and number of children, once expanded.
    children: Option<(usize, usize)>,
}

impl<N> PnsNode<N> {
    fn new(node: N, side: MinimaxSide, parent: Option<usize>) -> Self {
        let unknown = PnsNumbers { proof: 1, disproof: 1 };
        Self { node, side, parent, numbers: unknown, children: None }
    }
}

/// Whether the value of `root`, from Max's point of view, is above `bound`; `side` is
/// to move at `root`.
pub fn proof_number<S: TreeSearch>(
    search: &mut S,
    root: S::Node,
    side: MinimaxSide,
    bound: S::Value,
) -> bool {
    let mut nodes = vec![PnsNode::new(root, side, None)];
    while nodes[0].numbers.proof > 0 && nodes[0].numbers.disproof > 0 && !search.is_stopped() {
        let chosen = most_proving(&nodes);
        let PnsNode { node, side, .. } = nodes[chosen];
        match search.children(node) {
            None => {
                let proved = side.to_max(search.leaf(node)) > bound;
                nodes[chosen].numbers = if proved {
                    PnsNumbers { proof: 0, disproof: NEVER }
                } else {
                    PnsNumbers { proof: NEVER, disproof: 0 }
                };
            }
            Some(children) => {
                let first = nodes.len();
                for child in children {
                    nodes.push(PnsNode::new(child.node, side.after(child.turn), Some(chosen)));
                }
                nodes[chosen].children = Some((first, nodes.len() - first));
            }
        }
        // Numbers change only on the way from the expanded leaf to the root.
        update(&mut nodes, chosen);
    }
    let proved = nodes[0].children.and_then(|(first, many)| {
        let proved = nodes[first..first + many].iter().position(|child| child.numbers.proof == 0);
        proved.map(|index| index as u16)
    });
    // At a Min root, a proof needs all children, so none of them is the best one.
    if let (MinimaxSide::Max, Some(index)) = (side, proved) {
        search.child_returned(index, bound.successor());
    }
    nodes[0].numbers.proof == 0
}

/// The most-proving leaf, which belongs to a smallest proof and to a smallest disproof.
fn most_proving<N>(nodes: &[PnsNode<N>]) -> usize {
    let mut at = 0;
    while let Some((first, many)) = nodes[at].children {
        // Down to the child from which the node's own number comes. The leaf at the end counts in
        // both numbers of the root, so any result there is progress.
        at = match nodes[at].side {
            MinimaxSide::Max => {
                (first..first + many).min_by_key(|&index| nodes[index].numbers.proof)
            }
            MinimaxSide::Min => {
                (first..first + many).min_by_key(|&index| nodes[index].numbers.disproof)
            }
        }
        .expect("a node with children has a best one");
    }
    at
}

/// Recomputes the numbers from `index` up to the root.
///
/// One proved child proves a Max node, and only the disproofs of all of them disprove it; at
/// a Min node it is the reverse.
fn update<N>(nodes: &mut [PnsNode<N>], index: usize) {
    let mut at = Some(index);
    while let Some(index) = at {
        if let Some((first, many)) = nodes[index].children {
            let below = nodes[first..first + many].iter().map(|child| child.numbers);
            let proofs = below.clone().map(|numbers| numbers.proof);
            let disproofs = below.map(|numbers| numbers.disproof);
            nodes[index].numbers = match nodes[index].side {
                MinimaxSide::Max => PnsNumbers {
                    proof: proofs.min().unwrap_or(NEVER),
                    disproof: disproofs.fold(0, u32::saturating_add),
                },
                MinimaxSide::Min => PnsNumbers {
                    proof: proofs.fold(0, u32::saturating_add),
                    disproof: disproofs.min().unwrap_or(NEVER),
                },
            };
        }
        at = nodes[index].parent;
    }
}
