//! The lab's transposition table: proved bounds and the best child of nodes.
//!
//! The bounds are those of Plaat, Schaeffer, Pijls and de Bruin, "Best-first
//! fixed-depth minimax algorithms", Artificial Intelligence 87, 1996: one lower
//! and one upper bound a node, both stored, none ever replaced by another node's.
//! Bounds hold for the height at which they were proved; the best child orders
//! the children at any. Keys are compared whole, so that no hash collision can
//! make a value wrong; it is a reference, not fast.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::score::{Interval, Window};
use crate::sys::random::mix;

use super::tree::Tree;

#[derive(Clone, Copy, Debug)]
struct Entry<V> {
    height: u16,
    proved: Interval<V>,
    best: Option<u16>,
}

/// Every node that was searched.
#[derive(Debug)]
pub struct TranspositionTable<T: Tree> {
    entries: HashMap<T::Key, Entry<T::Value>, BuildHasherDefault<MixHasher>>,
    /// For each node being searched, root first: its best child so far.
    path: Vec<Option<(u16, T::Value)>>,
    best_first: bool,
}

impl<T: Tree> Default for TranspositionTable<T> {
    /// An empty table; the best child that it holds of a node is searched first.
    fn default() -> Self {
        Self { entries: HashMap::default(), path: Vec::new(), best_first: true }
    }
}

impl<T: Tree> TranspositionTable<T> {
    /// An empty table that leaves the order of children alone, as MT-SSS* and
    /// MT-DUAL* need it to follow their originals.
    pub fn in_tree_order() -> Self {
        Self { best_first: false, ..Self::default() }
    }

    /// What is proved of `node` at its height.
    pub(super) fn probe(&self, tree: &T, node: T::Node) -> Interval<T::Value> {
        let entry = self.entries.get(&tree.key(node));
        let entry = entry.filter(|entry| entry.height == tree.height(node));
        entry.map_or_else(Interval::unknown, |entry| entry.proved)
    }

    /// The search of a node begins; it ends with [`TranspositionTable::store`].
    pub(super) fn begin(&mut self) {
        self.path.push(None);
    }

    /// The child `index` of the node being searched returned `value`.
    pub(super) fn child_returned(&mut self, index: u16, value: T::Value) {
        if let Some(best) = self.path.last_mut()
            && best.is_none_or(|(_, most)| value > most)
        {
            *best = Some((index, value));
        }
    }

    /// The search of `node` with `window` ended with `value`.
    pub(super) fn store(
        &mut self,
        tree: &T,
        node: T::Node,
        window: Window<T::Value>,
        value: T::Value,
    ) {
        let best = self.path.pop().flatten().map(|(index, _)| index);
        let height = tree.height(node);
        let fresh = Entry { height, proved: Interval::unknown(), best: None };
        let entry = self.entries.entry(tree.key(node)).or_insert(fresh);
        if entry.height != height {
            *entry = Entry { best: entry.best, ..fresh };
        }
        // A leaf's value is exact whatever was asked.
        let exact = tree.is_leaf(node);
        if exact || !window.fails_low(value) {
            entry.proved.lower = entry.proved.lower.max(value);
        }
        if exact || !window.fails_high(value) {
            entry.proved.upper = entry.proved.upper.min(value);
        }
        // If all children are refuted, none of them is known to be the best.
        entry.best =
            if window.fails_low(value) { entry.best.or(best) } else { best.or(entry.best) };
    }

    /// The child of `node` to search first.
    pub(in crate::lab) fn best(&self, tree: &T, node: T::Node) -> Option<u16> {
        let entry = self.best_first.then(|| self.entries.get(&tree.key(node)));
        entry.flatten().and_then(|entry| entry.best)
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

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.0 = mix(self.0.rotate_left(5) ^ word);
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    #[inline]
    fn write_u16(&mut self, word: u16) {
        self.write_u64(word.into());
    }

    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}
