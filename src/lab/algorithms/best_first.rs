//! Best-first search: SSS* twice, by null windows and with its OPEN list.
//!
//! [`mtd`], [`mt_sss`] and [`mt_dual`] are of Plaat, Schaeffer, Pijls and de
//! Bruin, "Best-first fixed-depth minimax algorithms", Artificial Intelligence
//! 87, 1996: alpha-beta (F3) with null windows, until the bounds meet. A
//! [`TranspositionTable`](super::TranspositionTable) lets a pass continue where
//! the one before stopped; without it values are right and most work is repeated.
//!
//! [`sss`] is Stockman, "A minimax algorithm better than alpha-beta?", Artificial
//! Intelligence 12, 1979, with the leftmost of equal states first (Campbell and
//! Marsland 1983). It is here as a witness for MT-SSS*, which says the same in
//! three lines; it is slow and stores every node it has seen.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::game::score::{Interval, Score, Window};

use super::alpha_beta::f3;
use super::search::{Event, Search};
use super::tree::{Child, Player};

/// The value of `node` to the player to move there, found from `guess`: the
/// nearer the guess, the fewer passes.
pub fn mtd<S: Search>(search: &mut S, node: S::Node, guess: S::Value) -> S::Value {
    let mut proved = Interval::unknown();
    let mut value = guess;
    while proved.lower < proved.upper {
        // Every null window proves a bound beyond the last one, so that the two bounds meet in
        // the value.
        let window =
            if value == proved.lower { Window::null(value) } else { Window::null_under(value) };
        search.report(Event::Pass);
        value = search.visit(f3, node, window);
        if window.fails_low(value) {
            proved.upper = value;
        } else {
            proved.lower = value;
        }
        if search.is_stopped() {
            break;
        }
    }
    value
}

/// MT-SSS*: from above. With a table that leaves the order of children alone it
/// visits the leaves of Stockman's SSS*.
pub fn mt_sss<S: Search>(search: &mut S, node: S::Node) -> S::Value {
    mtd(search, node, S::Value::MAX)
}

/// MT-DUAL*: from below, as the dual of SSS*.
pub fn mt_dual<S: Search>(search: &mut S, node: S::Node) -> S::Value {
    mtd(search, node, S::Value::MIN)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    Live,
    Solved,
}

/// A state of the OPEN list. The greatest comes first: the highest merit, then
/// the leftmost.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State<V> {
    merit: V,
    path: Reverse<Vec<u16>>,
    status: Status,
    index: usize,
}

/// A node that has been in OPEN.
struct TreeNode<S: Search> {
    node: S::Node,
    player: Player,
    parent: Option<usize>,
    path: Vec<u16>,
    /// Siblings still to be searched below a Min node.
    rest: Option<S::Children>,
    /// Solved by one of its children: the states below it are purged.
    closed: bool,
}

/// The value of `root` as Max counts it; `player` is to move there.
///
/// Where a side moves again after a move, a child's kind and its parent's may
/// be the same: what a solved state does depends on its parent, what a live one
/// does on itself.
pub fn sss<S: Search>(search: &mut S, root: S::Node, player: Player) -> S::Value {
    let root =
        TreeNode { node: root, player, parent: None, path: Vec::new(), rest: None, closed: false };
    let mut list: OpenList<S> = OpenList { nodes: vec![root], open: BinaryHeap::new() };
    list.push(0, Status::Live, S::Value::MAX);
    loop {
        let State { merit, status, index, .. } =
            list.pop().expect("OPEN holds a state until the root is solved");
        match (status, list.nodes[index].parent) {
            (Status::Live, _) => list.expand(search, index, merit),
            (Status::Solved, None) => return merit,
            (Status::Solved, Some(parent)) => {
                if parent == 0 {
                    search.child_returned(list.nodes[index].path[0], merit);
                }
                list.solved_below(parent, merit);
            }
        }
    }
}

struct OpenList<S: Search> {
    nodes: Vec<TreeNode<S>>,
    open: BinaryHeap<State<S::Value>>,
}

impl<S: Search> OpenList<S> {
    fn push(&mut self, index: usize, status: Status, merit: S::Value) {
        let path = Reverse(self.nodes[index].path.clone());
        self.open.push(State { merit, path, status, index });
    }

    /// The best state that has not been purged.
    fn pop(&mut self) -> Option<State<S::Value>> {
        while let Some(state) = self.open.pop() {
            let parent = self.nodes[state.index].parent;
            let mut above = std::iter::successors(parent, |&index| self.nodes[index].parent);
            if above.all(|index| !self.nodes[index].closed) {
                return Some(state);
            }
        }
        None
    }

    fn push_child(&mut self, parent: usize, child: Child<S::Node>, merit: S::Value) {
        let above = &self.nodes[parent];
        let mut path = above.path.clone();
        path.push(child.index);
        let player = above.player.after(child.turn);
        let parent = Some(parent);
        let node = TreeNode { node: child.node, player, parent, path, rest: None, closed: false };
        self.nodes.push(node);
        self.push(self.nodes.len() - 1, Status::Live, merit);
    }

    /// Cases 4 to 6 of Stockman's operator.
    fn expand(&mut self, search: &mut S, index: usize, merit: S::Value) {
        let TreeNode { node, player, .. } = self.nodes[index];
        match (search.children(node), player) {
            (None, _) => {
                let merit = merit.min(player.to_max(search.leaf(node)));
                self.push(index, Status::Solved, merit);
            }
            (Some(children), Player::Max) => {
                for child in children {
                    self.push_child(index, child, merit);
                }
            }
            (Some(mut children), Player::Min) => {
                let first = children.next().expect("a node with children has a first one");
                self.push_child(index, first, merit);
                self.nodes[index].rest = Some(children);
            }
        }
    }

    /// Cases 1 to 3: a child of `parent` is solved.
    fn solved_below(&mut self, parent: usize, merit: S::Value) {
        match self.nodes[parent].player {
            Player::Max => {
                self.nodes[parent].closed = true;
                self.push(parent, Status::Solved, merit);
            }
            Player::Min => match self.nodes[parent].rest.as_mut().and_then(Iterator::next) {
                Some(sibling) => self.push_child(parent, sibling, merit),
                None => self.push(parent, Status::Solved, merit),
            },
        }
    }
}
