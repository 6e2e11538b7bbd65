//! Laws of the page: the answers to its requests, without a server.

mod host;
mod openings;
mod requests;
mod stopping;
