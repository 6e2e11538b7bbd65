//! The lab's transposition table: proved bounds and the best child of nodes.
//!
//! The bounds are those of Plaat, Schaeffer, Pijls and de Bruin, "Best-first
//! fixed-depth minimax algorithms", Artificial Intelligence 87, 1996: one lower
//! and one upper bound per node, both stored, none ever replaced by another node's.
//! Bounds hold for the depth at which they were proved; the best child orders
//! the children at any. Keys are compared whole, so that no hash collision can
//! make a value wrong. The table is a reference, and not fast.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use kalah_game::{Interval, Score, Window};
use kalah_sys::random::mix;

use super::tree::Tree;

#[derive(Clone, Copy, Debug)]
struct BoundsEntry<V> {
    depth: u16,
    known: Known<V>,
    best: Option<u16>,
}

/// The proved bounds of a node at one depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<V> {
    pub proved: Interval<V>,
    /// Whether it depends on a leaf that would have children at a greater depth.
    pub from_frontier: bool,
}

impl<V: Score> Known<V> {
    fn nothing() -> Self {
        Self { proved: Interval::unknown(), from_frontier: false }
    }
}

/// A node that is being searched.
#[derive(Clone, Copy, Debug)]
struct Searched<V> {
    /// The best child so far and its value.
    best: Option<(u16, V)>,
    /// The exact value, if the node is a leaf.
    leaf: Option<V>,
}

/// The role of a table in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TableRole {
    /// It answers from its bounds and puts its best children first.
    BestFirst,
    /// It answers from its bounds.
    InTreeOrder,
    /// It records the root's best child and stores nothing.
    RootOnly,
}

/// The bounds and the best child of every node that was searched.
#[derive(Debug)]
pub struct ReferenceTable<T: Tree> {
    entries: HashMap<T::Key, BoundsEntry<T::Value>, BuildHasherDefault<MixHasher>>,
    /// The nodes being searched, root first.
    path: Vec<Searched<T::Value>>,
    /// The best child of the last search of the root that found one.
    pub(super) root: Option<u16>,
    role: TableRole,
}

impl<T: Tree> Default for ReferenceTable<T> {
    /// An empty table; the child stored as a node's best is searched first.
    fn default() -> Self {
        Self::with_role(TableRole::BestFirst)
    }
}

impl<T: Tree> ReferenceTable<T> {
    /// An empty table that leaves the order of children alone, without which MT-SSS* and
    /// MT-DUAL* would not visit the leaves of SSS* and DUAL*.
    pub fn in_tree_order() -> Self {
        Self::with_role(TableRole::InTreeOrder)
    }

    /// A table that does not influence the search and only records the root's best child.
    pub(super) fn root_only() -> Self {
        Self::with_role(TableRole::RootOnly)
    }

    fn with_role(role: TableRole) -> Self {
        Self { entries: HashMap::default(), path: Vec::new(), root: None, role }
    }

    /// The proved bounds of `node` at its depth.
    pub(super) fn probe(&self, tree: &T, node: T::Node) -> Known<T::Value> {
        match self.entries.get(&tree.key(node)) {
            Some(entry) if entry.depth == tree.depth(node) => entry.known,
            _ => Known::nothing(),
        }
    }

    /// Begins the search of a node, which ends with [`ReferenceTable::store`].
    pub(super) fn begin(&mut self) {
        self.path.push(Searched { best: None, leaf: None });
    }

    /// Records that child `index` of the node being searched returned `value`.
    pub(super) fn child_returned(&mut self, index: u16, value: T::Value) {
        if let Some(Searched { best, .. }) = self.path.last_mut()
            && best.is_none_or(|(_, most)| value > most)
        {
            *best = Some((index, value));
        }
    }

    /// Records that the node being searched is a leaf, whose `value` is exact for any window.
    pub(super) fn is_leaf(&mut self, value: T::Value) {
        if let Some(Searched { leaf, .. }) = self.path.last_mut() {
            *leaf = Some(value);
        }
    }

    /// Ends the search of `node`, which returned `value` for `window`, and stores what that
    /// proves.
    pub(super) fn store(
        &mut self,
        tree: &T,
        node: T::Node,
        window: Window<T::Value>,
        value: T::Value,
        from_frontier: bool,
    ) {
        let Some(Searched { best, leaf }) = self.path.pop() else { return };
        let best = best.map(|(index, _)| index);
        let refuted = window.fails_low(value);
        if self.path.is_empty() {
            self.root = if refuted { self.root.or(best) } else { best.or(self.root) };
        }
        if self.role == TableRole::RootOnly {
            return;
        }
        let depth = tree.depth(node);
        let fresh = BoundsEntry { depth, known: Known::nothing(), best: None };
        let entry = self.entries.entry(tree.key(node)).or_insert(fresh);
        // Bounds hold at one depth only, but the best child is a good guess at any other.
        if entry.depth != depth {
            *entry = BoundsEntry { best: entry.best, ..fresh };
        }
        entry.known.from_frontier = from_frontier;
        let proved = &mut entry.known.proved;
        if let Some(value) = leaf {
            *proved = Interval::exactly(value);
        } else {
            if !refuted {
                proved.lower = proved.lower.max(value);
            }
            if !window.fails_high(value) {
                proved.upper = proved.upper.min(value);
            }
        }
        // If all children are refuted, none of them is known to be the best.
        entry.best = if refuted { entry.best.or(best) } else { best.or(entry.best) };
    }

    /// The child of `node` to search first.
    pub(super) fn best(&self, tree: &T, node: T::Node) -> Option<u16> {
        let entry = self.entries.get(&tree.key(node)).filter(|_| self.role == TableRole::BestFirst);
        entry.and_then(|entry| entry.best)
    }
}

/// Hashes a few words with [`mix`]: the same numbers on every machine.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct MixHasher(u64);

impl Hasher for MixHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = mix(self.0.rotate_left(5) ^ word);
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
