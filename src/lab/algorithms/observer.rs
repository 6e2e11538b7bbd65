//! What a search reports, and to whom.
//!
//! An [`Observer`] changes nothing but its own records, with one exception: it
//! can stop the search. Every further node then looks like a leaf, so that the
//! search ends at once with a value that its caller must discard.

use derive_more::Add;

/// Something that a search does.
#[derive(Clone, Copy, Debug)]
pub enum Event<N> {
    /// A node is asked for.
    Visit {
        /// Whether no score lies strictly inside the window.
        null_window: bool,
    },
    /// A leaf's value is asked for.
    Leaf(N),
    /// A node's children are asked for.
    Interior(N),
    /// So many positions were evaluated only to order children.
    Ordering(u64),
    /// A node is searched again because its first result was only a bound.
    Research,
    /// The root is searched, for the first time or again.
    Pass,
}

/// What a search reports to. Both methods do nothing unless they are written, so
/// that only what is observed costs time.
pub trait Observer<N> {
    /// Something is about to happen.
    #[inline]
    fn observe(&mut self, _event: Event<N>) {}
    /// Whether the search should end, its value unused.
    #[inline]
    fn is_stopped(&self) -> bool {
        false
    }
}

impl<N> Observer<N> for () {}

impl<N, O: Observer<N>> Observer<N> for &mut O {
    #[inline]
    fn observe(&mut self, event: Event<N>) {
        (**self).observe(event);
    }
    #[inline]
    fn is_stopped(&self) -> bool {
        (**self).is_stopped()
    }
}

/// The leaves in the order in which they are visited, repeats included.
impl<N> Observer<N> for Vec<N> {
    #[inline]
    fn observe(&mut self, event: Event<N>) {
        if let Event::Leaf(node) = event {
            self.push(node);
        }
    }
}

/// How often each thing happened, repeats included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Add)]
pub struct Counts {
    /// Leaves whose value was asked for.
    pub leaves: u64,
    /// Nodes whose children were asked for.
    pub interior: u64,
    /// Positions evaluated to order children.
    pub ordering: u64,
    /// Nodes searched again with a wider window.
    pub researches: u64,
    /// Searches of the root: 1, or more for drivers that repeat it.
    pub passes: u64,
}

impl Counts {
    /// Leaves and interior nodes together.
    pub fn nodes(&self) -> u64 {
        self.leaves + self.interior
    }
}

impl<N> Observer<N> for Counts {
    #[inline]
    fn observe(&mut self, event: Event<N>) {
        match event {
            Event::Visit { .. } => {}
            Event::Leaf(_) => self.leaves += 1,
            Event::Interior(_) => self.interior += 1,
            Event::Ordering(evaluations) => self.ordering += evaluations,
            Event::Research => self.researches += 1,
            Event::Pass => self.passes += 1,
        }
    }
}
