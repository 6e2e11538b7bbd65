//! What a search remembers of nodes: proved bounds and the best child.
//!
//! The bounds are those of Plaat, Schaeffer, Pijls and de Bruin, "Best-first
//! fixed-depth minimax algorithms", Artificial Intelligence 87, 1996: one lower
//! and one upper bound a node, both kept, none ever thrown away. Bounds hold
//! for the height at which they were proved; the best child is a hint for any.
//! Keys are compared whole: a memory cannot be wrong.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::score::{Interval, Window};
use crate::sys::random::mix;

use super::tree::Tree;

/// What is known before a node is searched.
#[derive(Clone, Copy, Debug)]
pub enum Recollection<V> {
    /// Enough.
    Answer(V),
    /// What is left to ask.
    Question(Window<V>),
}

/// Something that remembers nodes of `T`.
pub trait Memory<T: Tree> {
    /// What is known of `node`; if that is not enough, the search begins.
    fn recall(
        &mut self,
        tree: &T,
        node: T::Node,
        window: Window<T::Value>,
    ) -> Recollection<T::Value>;
    /// The child `index` of the node being searched returned `value`.
    fn returned(&mut self, index: u16, value: T::Value);
    /// The search that [`Memory::recall`] began ended with `value`.
    fn store(&mut self, tree: &T, node: T::Node, window: Window<T::Value>, value: T::Value);
    /// The child of `node` to look at first.
    fn best(&self, tree: &T, node: T::Node) -> Option<u16>;
}

/// Nothing is remembered.
impl<T: Tree> Memory<T> for () {
    #[inline]
    fn recall(&mut self, _: &T, _: T::Node, window: Window<T::Value>) -> Recollection<T::Value> {
        Recollection::Question(window)
    }
    #[inline]
    fn returned(&mut self, _: u16, _: T::Value) {}
    #[inline]
    fn store(&mut self, _: &T, _: T::Node, _: Window<T::Value>, _: T::Value) {}
    #[inline]
    fn best(&self, _: &T, _: T::Node) -> Option<u16> {
        None
    }
}

/// A borrowed memory remembers for its owner.
impl<T: Tree, M: Memory<T>> Memory<T> for &mut M {
    #[inline]
    fn recall(
        &mut self,
        tree: &T,
        node: T::Node,
        window: Window<T::Value>,
    ) -> Recollection<T::Value> {
        (**self).recall(tree, node, window)
    }
    #[inline]
    fn returned(&mut self, index: u16, value: T::Value) {
        (**self).returned(index, value);
    }
    #[inline]
    fn store(&mut self, tree: &T, node: T::Node, window: Window<T::Value>, value: T::Value) {
        (**self).store(tree, node, window, value);
    }
    #[inline]
    fn best(&self, tree: &T, node: T::Node) -> Option<u16> {
        (**self).best(tree, node)
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry<V> {
    height: u16,
    proved: Interval<V>,
    best: Option<u16>,
}

/// Every node that was visited.
#[derive(Debug)]
pub struct Table<T: Tree> {
    entries: HashMap<T::Key, Entry<T::Value>, BuildHasherDefault<MixHasher>>,
    /// For each node being searched, root first: its best child so far.
    path: Vec<Option<(u16, T::Value)>>,
    best_first: bool,
}

impl<T: Tree> Table<T> {
    /// An empty memory that also puts the remembered best child first.
    pub fn ordering() -> Self {
        Self { entries: HashMap::default(), path: Vec::new(), best_first: true }
    }

    /// An empty memory that leaves the order of children alone, as MT-SSS* and
    /// MT-DUAL* need it to follow their originals.
    pub fn in_tree_order() -> Self {
        Self { best_first: false, ..Self::ordering() }
    }

    /// Nodes remembered.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing is remembered.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl<T: Tree> Memory<T> for Table<T> {
    fn recall(
        &mut self,
        tree: &T,
        node: T::Node,
        window: Window<T::Value>,
    ) -> Recollection<T::Value> {
        let mut left = window;
        if let Some(entry) = self.entries.get(&tree.key(node))
            && entry.height == tree.height(node)
        {
            let Interval { lower, upper } = entry.proved;
            if window.fails_high(lower) || lower == upper {
                return Recollection::Answer(lower);
            }
            if window.fails_low(upper) {
                return Recollection::Answer(upper);
            }
            left = Window::new(window.alpha.max(lower), window.beta.min(upper));
        }
        self.path.push(None);
        Recollection::Question(left)
    }

    fn returned(&mut self, index: u16, value: T::Value) {
        if let Some(best) = self.path.last_mut()
            && best.is_none_or(|(_, most)| value > most)
        {
            *best = Some((index, value));
        }
    }

    fn store(&mut self, tree: &T, node: T::Node, window: Window<T::Value>, value: T::Value) {
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

    fn best(&self, tree: &T, node: T::Node) -> Option<u16> {
        if !self.best_first {
            return None;
        }
        self.entries.get(&tree.key(node)).and_then(|entry| entry.best)
    }
}

/// Hashes a few words with [`mix`].
#[derive(Debug, Default, Clone, Copy)]
pub struct MixHasher(u64);

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
