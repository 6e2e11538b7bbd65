//! The engine for commands that can set any option, and a check of the memory that it needs.

use kalah_engine::Engine;
use kalah_lab::LabSearcher;
use kalah_sys::machine::{MemoryError, require_address_space};

/// An engine with the user's cached endgame tables and the algorithms of the lab, and a
/// transposition table of `mebibytes` MiB.
///
/// # Errors
/// If the system refuses the allocation.
pub(super) fn engine(mebibytes: usize) -> Result<Engine, MemoryError> {
    Ok(Engine::with_cached_tables(mebibytes)?.with_searcher(LabSearcher::default()))
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
