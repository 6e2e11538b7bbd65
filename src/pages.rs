//! Asking for huge pages: big tables read at random miss fewer translations.

/// Lets the system back `memory` with huge pages where it can; changes nothing
/// else. Best called before the memory is first written.
pub fn prefer_huge<T>(memory: &[T]) {
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
                let begin = memory.as_ptr().cast::<u8>().add(begin_offset).cast_mut();
                libc::madvise(begin.cast(), end - begin.addr(), libc::MADV_HUGEPAGE);
            }
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}
