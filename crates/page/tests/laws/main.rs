//! Laws of the page: the answers to its requests, without a server.

mod openings;
mod requests;
mod small_host;
mod stopping;
