//! Who watches a search: counters, lists of leaves, nobody.
//!
//! An observer changes nothing but its own records, with one exception: a
//! [`Budget`] that is spent makes every further node look like a leaf, so that
//! the search ends at once with a value that its caller must throw away.

/// Told what a search does. Every method does nothing unless it is written,
/// so that watching costs only what is watched.
pub trait Observer<N> {
    /// A leaf's value was asked for.
    #[inline]
    fn leaf(&mut self, _node: N) {}
    /// A node's children were asked for.
    #[inline]
    fn interior(&mut self, _node: N) {}
    /// Positions were evaluated only to put children into an order.
    #[inline]
    fn ordering(&mut self, _evaluations: u64) {}
    /// A node is searched again because its first answer was only a bound.
    #[inline]
    fn research(&mut self) {}
    /// The root is searched (again).
    #[inline]
    fn pass(&mut self) {}
    /// Whether the search should end, its value unused.
    #[inline]
    fn is_spent(&self) -> bool {
        false
    }
}

/// Nobody watches.
impl<N> Observer<N> for () {}

/// A borrowed observer watches for its owner.
impl<N: Copy, O: Observer<N>> Observer<N> for &mut O {
    #[inline]
    fn leaf(&mut self, node: N) {
        (**self).leaf(node);
    }
    #[inline]
    fn interior(&mut self, node: N) {
        (**self).interior(node);
    }
    #[inline]
    fn ordering(&mut self, evaluations: u64) {
        Observer::<N>::ordering(&mut **self, evaluations);
    }
    #[inline]
    fn research(&mut self) {
        Observer::<N>::research(&mut **self);
    }
    #[inline]
    fn pass(&mut self) {
        Observer::<N>::pass(&mut **self);
    }
    #[inline]
    fn is_spent(&self) -> bool {
        Observer::<N>::is_spent(&**self)
    }
}

/// How often each thing happened, repeats included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Leaves whose value was asked for.
    pub leaves: u64,
    /// Other nodes visited.
    pub interior: u64,
    /// Positions evaluated to order children.
    pub ordering: u64,
    /// Nodes searched again with a wider window.
    pub researches: u64,
    /// Searches of the root: 1, or more for drivers that repeat it.
    pub passes: u64,
}

impl Counts {
    /// All nodes visited.
    pub fn nodes(&self) -> u64 {
        self.leaves + self.interior
    }
}

impl<N> Observer<N> for Counts {
    #[inline]
    fn leaf(&mut self, _node: N) {
        self.leaves += 1;
    }
    #[inline]
    fn interior(&mut self, _node: N) {
        self.interior += 1;
    }
    #[inline]
    fn ordering(&mut self, evaluations: u64) {
        self.ordering += evaluations;
    }
    #[inline]
    fn research(&mut self) {
        self.researches += 1;
    }
    #[inline]
    fn pass(&mut self) {
        self.passes += 1;
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.leaves += other.leaves;
        self.interior += other.interior;
        self.ordering += other.ordering;
        self.researches += other.researches;
        self.passes += other.passes;
    }
}

/// Every leaf in the order in which it was visited, repeats included.
#[derive(Clone, Debug)]
pub struct Leaves<N>(pub Vec<N>);

impl<N> Default for Leaves<N> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<N> Observer<N> for Leaves<N> {
    #[inline]
    fn leaf(&mut self, node: N) {
        self.0.push(node);
    }
}

/// Ends a search after a number of leaves.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Leaves that may still be visited.
    pub left: u64,
}

impl<N> Observer<N> for Budget {
    #[inline]
    fn leaf(&mut self, _node: N) {
        self.left = self.left.saturating_sub(1);
    }
    #[inline]
    fn is_spent(&self) -> bool {
        self.left == 0
    }
}
