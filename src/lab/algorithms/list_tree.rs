//! Trees written by hand, as nested lists: `[[3,9],[5,6]]`.
//!
//! The worked trees of textbooks and slides can be searched as they are printed.
//! Sides alternate; leaf values are from Max's point of view, whichever side moves
//! first.

use std::str::FromStr;

use crate::game::score::{Score, Turn};
use crate::sys::names;

use super::tree::{Child, Player, Tree};

/// The most nodes of a tree, and the most lists in one another.
const MAX_NODES: usize = 100_000;
const MAX_HEIGHT: usize = 200;

/// A tree of nested lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListTree {
    /// In the order of the text: each node before its children.
    places: Vec<Place>,
    /// Who moves at the root.
    pub first: Player,
}

/// A list or a number of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// As Max counts; of a list, the value of its first leaf.
    pub number: i64,
    /// How many lists the node stands in; 0 for the root.
    pub depth: u16,
    /// Indices of its children; none of a leaf.
    pub children: Vec<u32>,
    /// Moves to the deepest leaf below.
    height: u16,
}

/// A place in a [`ListTree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node {
    /// Which place of the text it is, from 0.
    pub index: u32,
    /// Moves to the frontier.
    height: u16,
}

impl ListTree {
    /// Every list and number of the text, in its order.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// Who moves at a place.
    pub fn mover(&self, place: &Place) -> Player {
        match place.depth % 2 {
            0 => self.first,
            _ => self.first.after(Turn::Passes),
        }
    }

    fn place(&self, node: Node) -> &Place {
        &self.places[node.index as usize]
    }

    /// Reads what stands at the beginning of `rest`; its index.
    fn read(&mut self, rest: &mut &str, depth: usize) -> Result<u32, String> {
        let index = self.places.len();
        if index == MAX_NODES || depth == MAX_HEIGHT {
            return Err(format!("expected at most {MAX_NODES} nodes and {MAX_HEIGHT} moves"));
        }
        let leaf = Place { number: 0, depth: depth as u16, children: Vec::new(), height: 0 };
        self.places.push(leaf);
        if !take(rest, "[") {
            self.places[index].number = number(rest)?;
            return Ok(index as u32);
        }
        loop {
            let child = self.read(rest, depth + 1)?;
            let Place { number, height, .. } = self.places[child as usize];
            let place = &mut self.places[index];
            if place.children.is_empty() {
                place.number = number;
            }
            place.children.push(child);
            place.height = place.height.max(height + 1);
            if take(rest, "]") {
                return Ok(index as u32);
            }
            if !take(rest, ",") {
                return Err(format!("expected ',' or ']', got {}", names::rest(rest)));
            }
        }
    }
}

/// Takes `word` from the beginning of `rest`, if it stands there.
fn take(rest: &mut &str, word: &str) -> bool {
    let after = rest.trim_start().strip_prefix(word);
    *rest = after.unwrap_or(rest);
    after.is_some()
}

fn number(rest: &mut &str) -> Result<i64, String> {
    let text = rest.trim_start();
    let end = text.find([',', '[', ']']).unwrap_or(text.len());
    let number: Option<i32> = text[..end].trim().parse().ok();
    let number = number.ok_or_else(|| {
        format!("expected a whole number or a list as [3,9], got {}", names::rest(text))
    })?;
    *rest = &text[end..];
    Ok(number.into())
}

impl FromStr for ListTree {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut tree = Self { places: Vec::new(), first: Player::Max };
        let mut rest = text;
        tree.read(&mut rest, 0)?;
        match rest.trim() {
            "" => Ok(tree),
            more => Err(format!("expected the end after the tree, got {}", names::rest(more))),
        }
    }
}

impl Tree for ListTree {
    type Value = i64;
    type Node = Node;
    type Key = u32;
    type Children<'t> = std::vec::IntoIter<Child<Node>>;

    fn root(&self) -> Node {
        Node { index: 0, height: self.places[0].height }
    }

    fn is_leaf(&self, node: Node) -> bool {
        node.height == 0 || self.place(node).children.is_empty()
    }

    fn is_end(&self, node: Node) -> bool {
        self.place(node).children.is_empty()
    }

    fn value(&self, node: Node) -> i64 {
        let place = self.place(node);
        self.mover(place).to_max(place.number)
    }

    fn children(&self, node: Node) -> Self::Children<'_> {
        let children = (0..).zip(&self.place(node).children).map(|(number, &index)| {
            let node = Node { index, height: node.height - 1 };
            Child { turn: Turn::Passes, node, index: number }
        });
        children.collect::<Vec<_>>().into_iter()
    }

    fn height(&self, node: Node) -> u16 {
        node.height
    }

    fn truncated(&self, node: Node, height: u16) -> Node {
        Node { height, ..node }
    }

    fn ceiling(&self, node: Node) -> i64 {
        let mover = self.mover(self.place(node));
        let leaves = self.places.iter().filter(|place| place.children.is_empty());
        leaves.map(|leaf| mover.to_max(leaf.number)).max().unwrap_or(Score::MAX)
    }

    fn aspiration_margin(&self) -> i64 {
        2
    }

    fn key(&self, node: Node) -> u32 {
        node.index
    }
}
