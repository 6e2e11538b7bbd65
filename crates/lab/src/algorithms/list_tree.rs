//! Trees written by hand, as nested lists: `[[3,9],[5,6]]`.
//!
//! The worked examples of textbooks and slides can be searched as they are printed.
//! Sides alternate; leaf values are from Max's point of view, whichever side moves
//! first.

use std::str::FromStr;

use kalah_game::{Score, Turn};
use kalah_text::names;
use thiserror::Error;

use super::tree::{ChildNode, MinimaxSide, Tree};

/// Limits on the nodes of a tree and on the nesting of its lists.
const MAX_NODES: usize = 100_000;
const MAX_HEIGHT: usize = 200;

/// The worked trees of the sources: name, text, and where each is drawn. The trees of the slides
/// are those whose numbers can be recovered.
pub const NAMED: [(&str, &str, &str); 5] = [
    (
        "hsu-less",
        "[5,[15,[10,8],0]]",
        "Hsu's slides of 2015, slide 10: SCOUT cuts the 8, alpha-beta does not",
    ),
    (
        "hsu-more",
        "[10,[25,[0,[8,5],20]]]",
        "Hsu's slides of 2015, slide 11: alpha-beta cuts the 5, SCOUT visits it three times",
    ),
    (
        "yu-null",
        "[5,[[6,3],4]]",
        "Yu's slides, slides 22 and 23: NegaScout prunes the 3, alpha-beta does not",
    ),
    (
        "russell-norvig",
        "[[3,12,8],[2,4,6],[14,5,2]]",
        "Russell and Norvig, Artificial Intelligence: A Modern Approach, figure 5.2",
    ),
    (
        "wikipedia",
        "[[[[5,6],[7,4,5]],[[3]]],[[[6],[6,9]],[[7]]],[[[5]],[[9,8],[6]]]]",
        "the illustration of Wikipedia's article on alpha-beta pruning",
    ),
];

/// A tree of nested lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListTree {
    /// In the order of the text: each node before its children.
    items: Vec<ListItem>,
    /// Who moves at the root.
    pub first: MinimaxSide,
}

/// A list or a number of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListItem {
    /// The value from Max's point of view; for a list, that of its first leaf.
    pub number: i64,
    /// Number of lists that enclose the node; 0 for the root.
    pub depth: u16,
    /// Indices of its children; empty for a leaf.
    pub children: Vec<u32>,
    /// Moves to the deepest leaf below.
    height: u16,
}

/// A node of a [`ListTree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ListNode {
    /// Index of its place in the text, from 0.
    pub index: u32,
    /// Moves to the frontier.
    height: u16,
}

/// Error for a text that is not a tree.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ListTreeError {
    /// It has too many nodes, or its lists are nested too deeply.
    #[error("expected at most {MAX_NODES} nodes and {MAX_HEIGHT} levels")]
    TooLarge,
    /// It is not a list of lists and whole numbers.
    #[error("expected {expected}, got {got}")]
    Unexpected {
        /// The text that may stand there.
        expected: &'static str,
        /// The rest of the text, quoted and shortened, or `the end`.
        got: String,
    },
}

fn unexpected(expected: &'static str, got: &str) -> ListTreeError {
    ListTreeError::Unexpected { expected, got: names::rest(got) }
}

impl ListTree {
    /// Every list and number of the text, in its order.
    pub fn items(&self) -> &[ListItem] {
        &self.items
    }

    /// Who moves at a place.
    pub fn mover(&self, item: &ListItem) -> MinimaxSide {
        match item.depth % 2 {
            0 => self.first,
            _ => self.first.after(Turn::Passes),
        }
    }

    fn item(&self, node: ListNode) -> &ListItem {
        &self.items[node.index as usize]
    }

    /// Parses the list or number at the beginning of `rest`, and returns its index.
    fn read(&mut self, rest: &mut &str, depth: usize) -> Result<u32, ListTreeError> {
        let index = self.items.len();
        // The text may come from anyone, and each level takes space on the stack.
        if index == MAX_NODES || depth == MAX_HEIGHT {
            return Err(ListTreeError::TooLarge);
        }
        let leaf = ListItem { number: 0, depth: depth as u16, children: Vec::new(), height: 0 };
        self.items.push(leaf);
        if !take(rest, "[") {
            self.items[index].number = number(rest)?;
            return Ok(index as u32);
        }
        loop {
            let child = self.read(rest, depth + 1)?;
            let ListItem { number, height, .. } = self.items[child as usize];
            let item = &mut self.items[index];
            if item.children.is_empty() {
                item.number = number;
            }
            item.children.push(child);
            item.height = item.height.max(height + 1);
            if take(rest, "]") {
                return Ok(index as u32);
            }
            if !take(rest, ",") {
                return Err(unexpected("',' or ']'", rest));
            }
        }
    }
}

/// Removes `word` from the beginning of `rest`; false if `rest` begins differently.
fn take(rest: &mut &str, word: &str) -> bool {
    let after = rest.trim_start().strip_prefix(word);
    *rest = after.unwrap_or(rest);
    after.is_some()
}

fn number(rest: &mut &str) -> Result<i64, ListTreeError> {
    let text = rest.trim_start();
    let end = text.find([',', '[', ']']).unwrap_or(text.len());
    // An `i32`, so that every value lies well inside the range of scores.
    let Ok(number) = text[..end].trim().parse::<i32>() else {
        return Err(unexpected("a whole number or a list such as [3,9]", text));
    };
    *rest = &text[end..];
    Ok(number.into())
}

/// Parses nested lists, or one of the names in [`NAMED`].
impl FromStr for ListTree {
    type Err = ListTreeError;

    fn from_str(text: &str) -> Result<Self, ListTreeError> {
        let mut tree = Self { items: Vec::new(), first: MinimaxSide::Max };
        let mut rest = match NAMED.iter().find(|(name, ..)| *name == text) {
            Some((_, lists, _)) => lists,
            None => text,
        };
        tree.read(&mut rest, 0)?;
        match rest.trim() {
            "" => Ok(tree),
            more => Err(unexpected("nothing after the tree", more)),
        }
    }
}

impl Tree for ListTree {
    type Value = i64;
    type Node = ListNode;
    type Key = u32;
    type Children<'t> = std::vec::IntoIter<ChildNode<ListNode>>;

    fn root(&self) -> ListNode {
        ListNode { index: 0, height: self.items[0].height }
    }

    fn is_leaf(&self, node: ListNode) -> bool {
        node.height == 0 || self.item(node).children.is_empty()
    }

    fn is_end(&self, node: ListNode) -> bool {
        self.item(node).children.is_empty()
    }

    fn value(&self, node: ListNode) -> i64 {
        let item = self.item(node);
        self.mover(item).to_max(item.number)
    }

    fn children(&self, node: ListNode) -> Self::Children<'_> {
        let children = (0..).zip(&self.item(node).children).map(|(number, &index)| {
            let node = ListNode { index, height: node.height - 1 };
            ChildNode { turn: Turn::Passes, node, index: number }
        });
        children.collect::<Vec<_>>().into_iter()
    }

    fn height(&self, node: ListNode) -> u16 {
        node.height
    }

    fn truncated(&self, node: ListNode, height: u16) -> ListNode {
        ListNode { height, ..node }
    }

    fn ceiling(&self, node: ListNode) -> i64 {
        let mover = self.mover(self.item(node));
        // Of the whole tree: any upper bound will do, and this one needs no search.
        let leaves = self.items.iter().filter(|item| item.children.is_empty());
        leaves.map(|leaf| mover.to_max(leaf.number)).max().unwrap_or(Score::MAX)
    }

    fn aspiration_margin(&self) -> i64 {
        2
    }

    fn key(&self, node: ListNode) -> u32 {
        node.index
    }
}
