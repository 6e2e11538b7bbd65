mod bench;
mod book;
mod options;
mod searches;
