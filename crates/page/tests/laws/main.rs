//! Laws of the page: what its requests are answered, without a server.

mod host;
mod requests;
mod stopping;
