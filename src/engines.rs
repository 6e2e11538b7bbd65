//! The engine for commands that can set any option, and checks of the memory and the open files that
//! commands need.

use kalah_engine::Engine;
use kalah_lab::LabSearcher;
use kalah_sys::machine::{MemoryError, available_memory, open_files_left, require_address_space};

use super::failure::Failure;

/// An engine with the user's cached endgame tables and the algorithms of the lab, and a
/// transposition table of `mebibytes` MiB.
///
/// # Errors
/// If the system refuses the allocation.
pub(super) fn engine(mebibytes: usize) -> Result<Engine, MemoryError> {
    Ok(Engine::with_cached_tables(mebibytes)?.with_searcher(LabSearcher::default()))
}

/// Such an engine for people, whose endgame tables grow while they think: in an eighth of the memory
/// that is available now.
///
/// # Errors
/// If the system refuses the allocation.
pub(super) fn growing_engine() -> Result<Engine, MemoryError> {
    let mut engine = engine(Engine::DEFAULT_HASH)?;
    engine.grow_tables(available_memory().unwrap_or(0) / 8);
    Ok(engine)
}

/// Refuses searches that would fail halfway because of a limit (`ulimit -v`).
///
/// # Errors
/// If the limit leaves too little address space for a search and the endgame tables that are
/// still to be built.
pub(super) fn check_address_space(engine: &Engine) -> Result<(), MemoryError> {
    let tables: u64 = engine.resources().missing_tables().map(|(_, bytes)| bytes).sum();
    require_address_space(engine.search_bytes() + tables)
}

/// Refuses a command that would fail later, at a file or a connection, because of a limit
/// (`ulimit -n`).
///
/// # Errors
/// If this process may open fewer than `needed` more files.
pub(super) fn check_open_files(needed: u64) -> Result<(), Failure> {
    match open_files_left() {
        Some(left) if left < needed => Err(Failure::work(format!(
            "too few open files: this command needs {needed} more, and 'ulimit -n' leaves {left}; \
             raise it, for example with 'ulimit -n 256'"
        ))),
        _ => Ok(()),
    }
}
