//! The algorithms as published: laws, counts and verdicts.

mod claims;
mod counts;
mod experiments;
mod findings;
mod laws;
mod methods;
mod printed;
mod rivals;
mod searcher;
