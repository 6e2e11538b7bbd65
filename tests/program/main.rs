//! The `kalah` program from the outside: commands, matches, terminals, servers and a
//! browser.

mod arena;
#[cfg(unix)]
mod browser;
mod cached_tables;
mod commands;
#[path = "../common/mod.rs"]
mod common;
mod compare;
mod cycles;
#[cfg(unix)]
mod foreign;
mod json;
#[cfg(feature = "kgp")]
mod kgp;
#[cfg(unix)]
mod page;
#[cfg(unix)]
mod pieces;
mod play;
mod protocol;
#[cfg(feature = "serve")]
mod serve;
mod table_files;
mod ugi_match;

/// How long tests wait for what must happen: a guard against hanging and not a measure of speed.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(300);

/// The program, kept from the user's cache of endgame tables, which would change its searches.
fn kalah() -> std::process::Command {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_kalah"));
    command.env("XDG_CACHE_HOME", "/dev/null");
    command
}
