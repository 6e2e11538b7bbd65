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
