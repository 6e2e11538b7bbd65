//! Trees written by hand, as nested lists: `[[3,9],[5,6]]`.
//!
//! The worked examples of textbooks and slides can be searched as they are printed.
//! Sides alternate; leaf values are from Max's point of view, whichever side moves
//! first.

use std::str::FromStr;

use kalah_game::{Score, Turn};
use kalah_text::names::{alternatives, shortened};
use once_cell::sync::Lazy;
use serde_json::Value;
use thiserror::Error;

use super::tree::{ChildNode, MinimaxSide, Tree};

/// Limit on the nodes of a tree.
const MAX_NODES: usize = 100_000;

/// The worked trees of the sources: name, text, and where each is drawn.
pub static NAMED: Lazy<Vec<[&str; 3]>> = Lazy::new(|| {
    let rows = include_str!("trees.tsv").lines().filter(|row| !row.starts_with('#'));
    let fields = rows.map(|row| row.split('\t').collect::<Vec<_>>());
    fields.map(|fields| fields.try_into().expect("a name, a text and a source")).collect()
});

/// The names of [`NAMED`], in words.
fn names() -> String {
    let names: Vec<&str> = NAMED.iter().map(|[name, ..]| *name).collect();
    alternatives(&names)
}

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
    depth: u16,
}

/// Error for a text that is not a tree.
#[derive(Debug, Error)]
pub enum ListTreeError {
    /// It has too many nodes.
    #[error("expected at most {MAX_NODES} nodes")]
    TooLarge,
    /// It is not JSON.
    #[error("expected nested lists of whole numbers such as [[3,9],[5,6]]: {0}")]
    Syntax(#[from] serde_json::Error),
    /// It is a word, shortened, but no name of [`NAMED`].
    #[error(
        "unknown tree '{0}': expected {names}, or nested lists such as [[3,9],[5,6]]",
        names = names()
    )]
    Unknown(String),
    /// It contains something else, shortened.
    #[error("expected a whole number or a list such as [3,9], got '{0}'")]
    Unexpected(String),
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

    /// Adds a list or number, and returns its index.
    fn add(&mut self, lists: &Value, depth: u16) -> Result<u32, ListTreeError> {
        let index = self.items.len();
        if index == MAX_NODES {
            return Err(ListTreeError::TooLarge);
        }
        // An `i32`, so that every value lies well inside the range of scores.
        let number = lists.as_i64().and_then(|number| i32::try_from(number).ok());
        self.items.push(ListItem {
            number: number.unwrap_or_default().into(),
            depth,
            children: Vec::new(),
            height: 0,
        });
        let children = lists.as_array().map(Vec::as_slice).unwrap_or_default();
        if number.is_none() && children.is_empty() {
            return Err(ListTreeError::Unexpected(shortened(&lists.to_string())));
        }
        for child in children {
            let child = self.add(child, depth + 1)?;
            let ListItem { number, height, .. } = self.items[child as usize];
            let item = &mut self.items[index];
            if item.children.is_empty() {
                item.number = number;
            }
            item.children.push(child);
            item.height = item.height.max(height + 1);
        }
        Ok(index as u32)
    }
}

/// Parses nested lists, or one of the names in [`NAMED`].
impl FromStr for ListTree {
    type Err = ListTreeError;

    fn from_str(text: &str) -> Result<Self, ListTreeError> {
        let lists = match NAMED.iter().find(|[name, ..]| *name == text) {
            Some([_, lists, _]) => lists,
            None if text.starts_with(char::is_alphabetic) => {
                return Err(ListTreeError::Unknown(shortened(text)));
            }
            None => text,
        };
        let mut tree = Self { items: Vec::new(), first: MinimaxSide::Max };
        // The text may come from anyone, and each level takes space on the stack: JSON allows 127.
        tree.add(&serde_json::from_str(lists)?, 0)?;
        Ok(tree)
    }
}

impl Tree for ListTree {
    type Value = i64;
    type Node = ListNode;
    type Key = u32;
    type Children<'t> = std::vec::IntoIter<ChildNode<ListNode>>;

    fn root(&self) -> ListNode {
        ListNode { index: 0, depth: self.items[0].height }
    }

    fn is_leaf(&self, node: ListNode) -> bool {
        node.depth == 0 || self.item(node).children.is_empty()
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
            let node = ListNode { index, depth: node.depth - 1 };
            ChildNode { turn: Turn::Passes, node, index: number }
        });
        children.collect::<Vec<_>>().into_iter()
    }

    fn depth(&self, node: ListNode) -> u16 {
        node.depth
    }

    fn truncated(&self, node: ListNode, depth: u16) -> ListNode {
        ListNode { depth, ..node }
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
