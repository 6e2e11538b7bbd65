//! Proof-number search: is the value above a bound?
//!
//! Allis, "Searching for solutions in games and artificial intelligence", 1994,
//! chapter 2; nodes are evaluated when they are chosen ("delayed evaluation").
//! It expands where the fewest leaves are missing to a proof, stores the whole tree
//! it has seen and answers one question only.

use crate::game::score::Score;

use super::search::Search;
use super::tree::Player;

/// How many leaves must still fall one way. `u32::MAX` is never.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

const NEVER: u32 = u32::MAX;

struct TreeNode<N> {
    node: N,
    player: Player,
    parent: Option<usize>,
    numbers: Numbers,
    /// The first child's index and how many follow it.
    children: Option<(usize, usize)>,
}

/// Whether the value of `root`, as Max counts it, is above `bound`; `player` is
/// to move at `root`.
pub fn proof_number<S: Search>(
    search: &mut S,
    root: S::Node,
    player: Player,
    bound: S::Value,
) -> bool {
    let unknown = Numbers { proof: 1, disproof: 1 };
    let fresh =
        |node, player, parent| TreeNode { node, player, parent, numbers: unknown, children: None };
    let mut nodes = vec![fresh(root, player, None)];
    while nodes[0].numbers.proof > 0 && nodes[0].numbers.disproof > 0 {
        let chosen = most_proving(&nodes);
        let TreeNode { node, player, .. } = nodes[chosen];
        match search.children(node) {
            None => {
                let proved = player.to_max(search.leaf(node)) > bound;
                nodes[chosen].numbers = if proved {
                    Numbers { proof: 0, disproof: NEVER }
                } else {
                    Numbers { proof: NEVER, disproof: 0 }
                };
            }
            Some(children) => {
                let first = nodes.len();
                for child in children {
                    nodes.push(fresh(child.node, player.after(child.turn), Some(chosen)));
                }
                nodes[chosen].children = Some((first, nodes.len() - first));
            }
        }
        update(&mut nodes, chosen);
    }
    let proved = nodes[0].children.and_then(|(first, many)| {
        let proved = nodes[first..first + many].iter().position(|child| child.numbers.proof == 0);
        proved.map(|index| index as u16)
    });
    if let (Player::Max, Some(index)) = (player, proved) {
        search.child_returned(index, bound.successor());
    }
    nodes[0].numbers.proof == 0
}

/// The leaf that counts in the smallest proof and in the smallest disproof.
fn most_proving<N>(nodes: &[TreeNode<N>]) -> usize {
    let mut at = 0;
    while let Some((first, many)) = nodes[at].children {
        at = match nodes[at].player {
            Player::Max => (first..first + many).min_by_key(|&index| nodes[index].numbers.proof),
            Player::Min => (first..first + many).min_by_key(|&index| nodes[index].numbers.disproof),
        }
        .expect("a node with children has a best one");
    }
    at
}

/// Counts anew from `index` up to the root.
fn update<N>(nodes: &mut [TreeNode<N>], index: usize) {
    let mut at = Some(index);
    while let Some(index) = at {
        if let Some((first, many)) = nodes[index].children {
            let below = nodes[first..first + many].iter().map(|child| child.numbers);
            let proofs = below.clone().map(|numbers| numbers.proof);
            let disproofs = below.map(|numbers| numbers.disproof);
            nodes[index].numbers = match nodes[index].player {
                Player::Max => Numbers {
                    proof: proofs.min().unwrap_or(NEVER),
                    disproof: disproofs.fold(0, u32::saturating_add),
                },
                Player::Min => Numbers {
                    proof: proofs.fold(0, u32::saturating_add),
                    disproof: disproofs.min().unwrap_or(NEVER),
                },
            };
        }
        at = nodes[index].parent;
    }
}
