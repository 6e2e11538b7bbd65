//! Best-first search: SSS* in two forms, by null windows and with its OPEN list.
//!
//! [`mtd`], [`mt_sss`] and [`mt_dual`] are from Plaat, Schaeffer, Pijls and de
//! Bruin, "Best-first fixed-depth minimax algorithms", Artificial Intelligence
//! 87, 1996: alpha-beta (F3) with null windows, until the bounds meet. A
//! [`ReferenceTable`](super::ReferenceTable) lets a pass continue where
//! the one before stopped; without one the values are still correct, but most of the
//! work is repeated.
//!
//! [`sss`] is from Stockman, "A minimax algorithm better than alpha-beta?", Artificial
//! Intelligence 12, 1979, with the leftmost of equal states first (Campbell and
//! Marsland 1983). It serves as a reference for MT-SSS*, which is the same algorithm in one line;
//! it is slow, and stores every node that it has seen.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use kalah_game::{Interval, Score, Window};

use super::alpha_beta::f3;
use super::search::{TreeEvent, TreeSearch};
use super::tree::{ChildNode, MinimaxSide};

/// MTD(f): the value of `node` to the side to move there, by null windows that start at
/// `guess`. The nearer the guess, the fewer passes are needed.
pub fn mtd<S: TreeSearch>(search: &mut S, node: S::Node, guess: S::Value) -> S::Value {
    let mut proved = Interval::unknown();
    let mut value = guess;
    while proved.lower < proved.upper {
        // Every null window proves a bound beyond the last one, so that the two bounds meet at
        // the value.
        let window =
            if value == proved.lower { Window::null(value) } else { Window::null_under(value) };
        search.report(TreeEvent::Pass);
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

/// MT-SSS*: null windows from above. With a table that leaves the order of children alone it
/// visits the leaves of Stockman's SSS*.
pub fn mt_sss<S: TreeSearch>(search: &mut S, node: S::Node) -> S::Value {
    mtd(search, node, S::Value::MAX)
}

/// MT-DUAL*: null windows from below, which is the dual of SSS*.
pub fn mt_dual<S: TreeSearch>(search: &mut S, node: S::Node) -> S::Value {
    mtd(search, node, S::Value::MIN)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum NodeStatus {
    Live,
    Solved,
}

/// A state of the OPEN list. The greatest comes first: the highest merit, then
/// the leftmost.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct OpenState<V> {
    /// An upper bound on the value of every solution tree that the state stands for.
    merit: V,
    path: Reverse<Vec<u16>>,
    status: NodeStatus,
    index: usize,
}

/// A node that has been in OPEN.
struct OpenedNode<S: TreeSearch> {
    node: S::Node,
    side: MinimaxSide,
    parent: Option<usize>,
    path: Vec<u16>,
    /// Siblings still to be searched below a Min node.
    rest: Option<S::Children>,
    /// Solved by one of its children: the states below it are purged.
    closed: bool,
}

/// SSS*: the value of `root` from Max's point of view; `side` is to move there.
///
/// If a side may move twice in a row, a node and its parent may be of the same type. The
/// operator therefore depends on the type of the parent for a solved state, and on the
/// type of the node itself for a live one.
pub fn sss<S: TreeSearch>(search: &mut S, root: S::Node, side: MinimaxSide) -> S::Value {
    let root =
        OpenedNode { node: root, side, parent: None, path: Vec::new(), rest: None, closed: false };
    let mut list: OpenList<S> = OpenList { nodes: vec![root], open: BinaryHeap::new() };
    list.push(0, NodeStatus::Live, S::Value::MAX);
    loop {
        let OpenState { merit, status, index, .. } =
            list.pop().expect("OPEN holds a state until the root is solved");
        if search.is_stopped() {
            return merit;
        }
        match (status, list.nodes[index].parent) {
            (NodeStatus::Live, _) => list.expand(search, index, merit),
            (NodeStatus::Solved, None) => return merit,
            (NodeStatus::Solved, Some(parent)) => {
                if parent == 0 {
                    search.child_returned(list.nodes[index].path[0], merit);
                }
                list.solved_below(parent, merit);
            }
        }
    }
}

struct OpenList<S: TreeSearch> {
    nodes: Vec<OpenedNode<S>>,
    open: BinaryHeap<OpenState<S::Value>>,
}

impl<S: TreeSearch> OpenList<S> {
    fn push(&mut self, index: usize, status: NodeStatus, merit: S::Value) {
        let path = Reverse(self.nodes[index].path.clone());
        self.open.push(OpenState { merit, path, status, index });
    }

    /// The best state that has not been purged. An arbitrary entry cannot be removed from a heap,
    /// so states below a closed node stay in OPEN and are skipped here.
    fn pop(&mut self) -> Option<OpenState<S::Value>> {
        while let Some(state) = self.open.pop() {
            let parent = self.nodes[state.index].parent;
            let mut above = std::iter::successors(parent, |&index| self.nodes[index].parent);
            if above.all(|index| !self.nodes[index].closed) {
                return Some(state);
            }
        }
        None
    }

    fn push_child(&mut self, parent: usize, child: ChildNode<S::Node>, merit: S::Value) {
        let above = &self.nodes[parent];
        let mut path = above.path.clone();
        path.push(child.index);
        let side = above.side.after(child.turn);
        let parent = Some(parent);
        let node = OpenedNode { node: child.node, side, parent, path, rest: None, closed: false };
        self.nodes.push(node);
        self.push(self.nodes.len() - 1, NodeStatus::Live, merit);
    }

    /// Cases 4 to 6 of Stockman's operator.
    fn expand(&mut self, search: &mut S, index: usize, merit: S::Value) {
        let OpenedNode { node, side, .. } = self.nodes[index];
        match (search.children(node), side) {
            (None, _) => {
                let merit = merit.min(side.to_max(search.leaf(node)));
                self.push(index, NodeStatus::Solved, merit);
            }
            (Some(children), MinimaxSide::Max) => {
                for child in children {
                    self.push_child(index, child, merit);
                }
            }
            (Some(mut children), MinimaxSide::Min) => {
                let first = children.next().expect("a node with children has a first one");
                self.push_child(index, first, merit);
                self.nodes[index].rest = Some(children);
            }
        }
    }

    /// Cases 1 to 3: a child of `parent` is solved.
    fn solved_below(&mut self, parent: usize, merit: S::Value) {
        match self.nodes[parent].side {
            // OPEN yields the highest merit first, so the first solved child of a Max node is its
            // best one.
            MinimaxSide::Max => {
                self.nodes[parent].closed = true;
                self.push(parent, NodeStatus::Solved, merit);
            }
            // At a Min node each child is searched with the lowest merit of those before it.
            MinimaxSide::Min => match self.nodes[parent].rest.as_mut().and_then(Iterator::next) {
                Some(sibling) => self.push_child(parent, sibling, merit),
                None => self.push(parent, NodeStatus::Solved, merit),
            },
        }
    }
}
