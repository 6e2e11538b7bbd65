//! Memory for random access: large zeroed allocations in the system's huge pages, mapped files,
//! and prefetching. With small pages nearly every probe of a large table would miss the TLB.

use std::fmt::Debug;
use std::io;
use std::ops::Deref;
use std::path::Path;
use std::sync::atomic::AtomicU64;

use bytemuck::Zeroable;
#[cfg(all(feature = "files", not(target_family = "wasm")))]
use memmap2::MmapMut;

#[cfg(all(feature = "files", not(target_family = "wasm")))]
use crate::log;
use crate::machine::MemoryError;
use crate::parallel;
use crate::stop::Flag;

#[cfg(feature = "files")]
mod mapped;
#[cfg(not(feature = "files"))]
#[path = "memory/unmapped.rs"]
mod mapped;

pub use mapped::{MappedFile, MappedLayer};

/// Half a cache line of words that threads share. Any bit pattern is valid.
#[derive(Debug, Zeroable)]
#[repr(align(32))]
pub struct Words(pub [AtomicU64; 4]);

/// The memory of a table: allocated, or mapped from a file.
#[derive(Debug)]
pub enum Memory {
    /// Lost when the process ends.
    Allocated(Box<[Words]>),
    /// Kept in the file.
    Mapped(MappedFile),
}

/// Bytes of a mapped file before its words: a page, so that the words are aligned.
pub const HEADER_BYTES: u64 = 4096;

impl Memory {
    /// Zeroed memory.
    ///
    /// # Errors
    /// If the system refuses the allocation.
    pub fn allocate(len: usize) -> Result<Self, MemoryError> {
        let reserved = Reserved::new(len)?;
        let words = reserved.zeroed_unless(&Flag::default(), 1).expect("no flag is raised");
        Ok(Self::Allocated(words))
    }

    /// The `len` words of the file at `path`, after a page that begins with `header`; a new file's
    /// are zero.
    ///
    /// # Errors
    /// System errors; [`io::ErrorKind::WouldBlock`] if another process has the file open;
    /// [`io::ErrorKind::InvalidData`] if its header or length differs.
    pub fn map(path: &Path, header: &str, len: usize) -> io::Result<Self> {
        Ok(Self::Mapped(MappedFile::new(path, header, len)?))
    }
}

impl Deref for Memory {
    type Target = [Words];

    #[inline]
    fn deref(&self) -> &[Words] {
        match self {
            Self::Allocated(words) => words,
            Self::Mapped(file) => file.words(),
        }
    }
}

/// The bytes of endgame tables. They are mapped, not in a `Vec`, because a mapping is zeroed as it is
/// used.
#[cfg(all(feature = "files", not(target_family = "wasm")))]
pub use memmap2::MmapMut as ZeroedBytes;

/// Zeroed memory of `len` bytes, at least one.
#[cfg(all(feature = "files", not(target_family = "wasm")))]
pub fn zeroed_bytes(len: usize) -> Result<ZeroedBytes, MemoryError> {
    let memory = MmapMut::map_anon(len).map_err(|_| MemoryError::new(len as u64))?;
    // Probes go to random places, so huge pages avoid most TLB misses. Where there are none, small
    // pages work as well.
    #[cfg(target_os = "linux")]
    if let Err(error) = memory.advise(memmap2::Advice::HugePage) {
        log::debug!("no huge pages: {error}");
    }
    Ok(memory)
}

/// WebAssembly maps no memory, and the smallest build has no crate for it.
#[cfg(not(all(feature = "files", not(target_family = "wasm"))))]
pub type ZeroedBytes = Vec<u8>;

/// Zeroed memory of `len` bytes.
#[cfg(not(all(feature = "files", not(target_family = "wasm"))))]
pub fn zeroed_bytes(len: usize) -> Result<ZeroedBytes, MemoryError> {
    let mut memory = Vec::new();
    memory.try_reserve_exact(len).map_err(|_| MemoryError::new(len as u64))?;
    memory.resize(len, 0);
    Ok(memory)
}

/// Bytes that a thread writes between two checks for a stop; this takes a few milliseconds.
const CHUNK: usize = 4 << 20;

/// Memory that is reserved but not written: the system has not provided its pages yet.
#[derive(Debug)]
pub struct Reserved<T> {
    memory: Vec<T>,
    len: usize,
}

impl<T: Zeroable + Send + Debug> Reserved<T> {
    /// Room for `len` values.
    ///
    /// # Errors
    /// If the system refuses the allocation.
    pub fn new(len: usize) -> Result<Self, MemoryError> {
        let mut memory = Vec::new();
        let bytes = len.saturating_mul(size_of::<T>()) as u64;
        memory.try_reserve_exact(len).map_err(|_| MemoryError::new(bytes))?;
        Ok(Self { memory, len })
    }

    /// Zeroed values, in huge pages where the system has them, written by up to `threads`
    /// threads.
    ///
    /// # Errors
    /// The reserved memory, if `stop` is raised before all of it is written.
    pub fn zeroed_unless(mut self, stop: &Flag, threads: usize) -> Result<Box<[T]>, Self> {
        let spare = &mut self.memory.spare_capacity_mut()[..self.len];
        // The advice must come before the first write: an allocator that zeroes
        // would have filled small pages already.
        prefer_huge(spare);
        let chunks = spare.chunks_mut((CHUNK / size_of::<T>()).max(1));
        let written = parallel::for_each_unless(stop, threads, chunks, |chunk| {
            for value in chunk {
                value.write(T::zeroed());
            }
        });
        if written.is_err() {
            return Err(self);
        }
        // SAFETY: the capacity is at least `len`, and each of the first `len` values
        // was written above.
        #[allow(unsafe_code)]
        unsafe {
            self.memory.set_len(self.len);
        }
        Ok(self.memory.into_boxed_slice())
    }
}

/// Advises the system to back `memory` with huge pages.
fn prefer_huge<T>(memory: &mut [T]) {
    // Miri does not support advice.
    #[cfg(all(target_os = "linux", feature = "memory", not(miri)))]
    {
        use rustix::mm::{Advice, madvise};
        const PAGE: usize = 4096;
        let begin = memory.as_ptr().addr().next_multiple_of(PAGE);
        let end = (memory.as_ptr().addr() + size_of_val(memory)) / PAGE * PAGE;
        if begin < end {
            let begin_offset = begin - memory.as_ptr().addr();
            // SAFETY: the range lies within `memory`, and the advice changes
            // neither contents nor access. A refusal does no harm.
            #[allow(unsafe_code)]
            unsafe {
                let begin = memory.as_mut_ptr().cast::<u8>().add(begin_offset);
                let _ = madvise(begin.cast(), end - begin.addr(), Advice::LinuxHugepage);
            }
        }
    }
    #[cfg(not(all(target_os = "linux", feature = "memory", not(miri))))]
    let _ = memory;
}

/// Starts to load the cache line of `place`; changes nothing else.
#[inline]
pub fn prefetch<T>(place: &T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch is a hint that reads nothing into the program and
    // faults on no address; this address is that of a live reference anyway.
    #[allow(unsafe_code)]
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = place;
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    #[test]
    fn memory_is_zeroed_whatever_the_number_of_threads() {
        // Three chunks of 4 MiB and a part of one.
        let len = (12 << 20) / size_of::<u64>() + 5;
        for threads in [1, 4] {
            let reserved = Reserved::<u64>::new(len).unwrap();
            let zeroed = reserved.zeroed_unless(&Flag::default(), threads).unwrap();
            assert_eq!(zeroed.len(), len);
            assert!(zeroed.iter().all(|&word| word == 0));
        }
    }

    #[test]
    fn memory_that_was_not_written_because_of_a_stop_can_be_written_later() {
        let stop = Flag::default();
        stop.raise();
        let reserved = Reserved::<u64>::new(1000).unwrap().zeroed_unless(&stop, 2).unwrap_err();
        assert_eq!(reserved.zeroed_unless(&Flag::default(), 2).unwrap(), [0; 1000].into());
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri maps no files")]
    fn a_mapped_layer_is_intact_until_its_file_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("layer");
        fs::write(&path, "header, bytes").unwrap();
        let map = || MappedLayer::new(fs::File::open(&path).unwrap(), 8).unwrap();
        assert_eq!((map().bytes(), map().is_intact()), (&b"bytes"[..], true));
        let longer = |file: fs::File| file.set_len(20);
        let older = |file: fs::File| file.set_modified(std::time::UNIX_EPOCH);
        for write in [longer, older] {
            let layer = map();
            write(fs::File::options().write(true).open(&path).unwrap()).unwrap();
            assert!(!layer.is_intact());
        }
        let mut bytes = zeroed_bytes(3).unwrap();
        bytes[1] = 5;
        assert_eq!(*bytes, [0, 5, 0]);
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri maps no files")]
    fn a_mapped_file_keeps_its_words_and_has_one_user() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        let map = |header, len| Memory::map(&path, header, len);
        let memory = map("a header", 8).unwrap();
        let bytes = HEADER_BYTES + 8 * size_of::<Words>() as u64;
        assert_eq!(fs::metadata(&path).unwrap().len(), bytes);
        memory[7].0[3].store(5, Relaxed);
        assert_eq!(map("a header", 8).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        drop(memory);
        assert_eq!(map("a header", 8).unwrap()[7].0[3].load(Relaxed), 5);
        for (header, len) in [("another", 8), ("a header", 9)] {
            assert_eq!(map(header, len).unwrap_err().kind(), io::ErrorKind::InvalidData);
        }
        for killed in [0, 100, 4000, HEADER_BYTES as usize + 256] {
            fs::write(&path, vec![0; killed]).unwrap();
            assert_eq!(map("a header", 8).unwrap()[7].0[3].load(Relaxed), 0, "{killed} bytes");
        }
        for precious in ["precious".to_owned(), "\0".repeat(9) + "precious"] {
            fs::write(&path, &precious).unwrap();
            assert!(map("a header", 8).is_err());
            assert_eq!(fs::read_to_string(&path).unwrap(), precious);
        }
    }
}
