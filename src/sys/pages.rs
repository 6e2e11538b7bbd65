//! Large zeroed allocations in huge pages. A hash table is read at random, and
//! with small pages nearly every probe would miss the TLB. Endgame tables are
//! mapped and not allocated here.

use std::collections::TryReserveError;

use bytemuck::Zeroable;

/// `len` zeroed values, in huge pages where the system has them.
///
/// # Errors
/// If the system refuses the allocation.
pub fn zeroed<T: Zeroable>(len: usize) -> Result<Box<[T]>, TryReserveError> {
    let mut memory = Vec::new();
    memory.try_reserve_exact(len)?;
    // The advice must come before the first write: an allocator that zeroes
    // would have filled small pages already.
    prefer_huge(memory.spare_capacity_mut());
    memory.resize_with(len, T::zeroed);
    Ok(memory.into_boxed_slice())
}

/// Advises the system to back `memory` with huge pages.
fn prefer_huge<T>(memory: &mut [T]) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 4096;
        let begin = memory.as_ptr().addr().next_multiple_of(PAGE);
        let end = (memory.as_ptr().addr() + size_of_val(memory)) / PAGE * PAGE;
        if begin < end {
            let begin_offset = begin - memory.as_ptr().addr();
            // SAFETY: the range lies within `memory`, and the advice changes
            // neither contents nor access. A refusal is no fault.
            #[allow(unsafe_code)]
            unsafe {
                let begin = memory.as_mut_ptr().cast::<u8>().add(begin_offset);
                libc::madvise(begin.cast(), end - begin.addr(), libc::MADV_HUGEPAGE);
            }
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}
