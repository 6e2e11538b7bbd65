//! The algorithms as published: laws, counts and verdicts.

mod claims;
mod counts;
mod experiments;
mod findings;
mod laws;
mod methods;
mod printed;
mod reports;
mod rivals;
mod searcher;
mod trees;

use kalah_lab::Observer;

/// A dynamic observer: with it, the library has already compiled the methods for most trees.
fn dynamic<N>(observer: &mut impl Observer<N>) -> &mut dyn Observer<N> {
    observer
}
