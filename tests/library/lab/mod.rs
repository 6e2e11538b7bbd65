#[cfg(feature = "cli")]
mod claims;
mod counts;
mod laws;
mod methods;
mod rivals;
