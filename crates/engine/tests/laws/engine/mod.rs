mod book;
mod options;
mod searches;
mod suites;
