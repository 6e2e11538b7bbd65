#[cfg(feature = "cli")]
mod claims;
mod counts;
#[cfg(feature = "cli")]
mod experiments;
mod laws;
mod methods;
mod rivals;
