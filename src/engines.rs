//! The engine for commands that can set any option.

use kalah_engine::Engine;
use kalah_lab::LabSearcher;
use kalah_sys::machine::{MemoryError, available_memory};

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
