//! The algorithms as published: laws, counts and verdicts.

mod claims;
#[path = "../../../../tests/common/mod.rs"]
mod common;
mod counts;
mod experiments;
mod laws;
mod methods;
mod printed;
mod rivals;
mod searcher;
