//! The `kalah` program from the outside: commands, matches, terminals, servers and a
//! browser.

#![cfg_attr(not(unix), allow(unused_imports, reason = "some tests need Unix"))]

use std::fs;
use std::path::Path;

use kalah_testing::{PATIENCE, wait_for};

mod arena;
#[cfg(unix)]
mod browser;
mod cached_tables;
mod commands;
mod compare;
mod documents;
mod folder;
#[cfg(unix)]
mod foreign;
mod json;
#[cfg(feature = "kgp")]
mod kgp;
mod line_ends;
#[cfg(unix)]
mod page;
mod pieces;
mod play;
mod protocol;
#[cfg(feature = "serve")]
mod serve;
mod shared_tables;
mod table_files;
mod ugi_match;

/// Waits until a file, which need not exist yet, has this many lines.
#[track_caller]
fn wait_for_lines(file: &Path, count: usize) {
    wait_for(&format!("{count} lines in {}", file.display()), || {
        let text = fs::read_to_string(file).ok()?;
        if text.lines().count() >= count { Some(()) } else { None }
    });
}

/// A path below which no system can create a folder, because it is a file.
const NO_FOLDER: &str = env!("CARGO_BIN_EXE_kalah");

/// The program, with the tests' own cache of endgame tables: the user's may hold larger ones, which
/// would change its searches.
fn kalah() -> std::process::Command {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_kalah"));
    command.env("XDG_CACHE_HOME", &*shared_tables::CACHE);
    command
}
