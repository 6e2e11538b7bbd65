mod book;
mod options;
mod searches;
mod suites;
#[cfg(feature = "cli")]
mod tune;
