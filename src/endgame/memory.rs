//! Memory for tables: as much as needed, in huge pages where there are any.

use memmap2::MmapMut;

/// Zeroed memory of `len` bytes, more than none.
///
/// # Errors
/// If the system refuses.
pub(super) fn allocate(len: usize) -> std::io::Result<MmapMut> {
    let memory = MmapMut::map_anon(len)?;
    // Probes hit the tables anywhere: huge pages spare them most walks of the
    // page tables. Where there are none, small ones do.
    #[cfg(target_os = "linux")]
    if let Err(error) = memory.advise(memmap2::Advice::HugePage) {
        log::debug!("no huge pages: {error}");
    }
    Ok(memory)
}
