//! Memory that is read at random: large zeroed allocations in huge pages, and files that
//! are mapped. With small pages nearly every probe of a large table would miss the TLB.
//! Endgame tables in memory are not allocated here.

use std::collections::TryReserveError;
use std::fmt::Debug;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::ops::Deref;
use std::path::Path;
use std::slice;
use std::sync::atomic::AtomicU64;

use bytemuck::Zeroable;
use memmap2::{Mmap, MmapMut, MmapOptions};

use super::foreign::Foreign;
use super::stop::Flag;
use super::{files, parallel};

/// Half a cache line of words that threads share. Any bits are valid.
#[derive(Debug, Zeroable)]
#[repr(align(32))]
pub struct Words(pub [AtomicU64; 4]);

/// The memory of a table: allocated, or a file's.
#[derive(Debug)]
pub enum Memory {
    /// Lost when the process ends.
    Allocated(Box<[Words]>),
    /// Kept in the file.
    Mapped(MappedFile),
}

/// Words of a file that only this process has open.
#[derive(Debug)]
pub struct MappedFile {
    map: MmapMut,
    /// Holds the lock.
    _file: File,
}

/// Bytes of a mapped file before its words: a page.
pub const HEADER_BYTES: u64 = 4096;

impl Memory {
    /// Zeroed memory.
    ///
    /// # Errors
    /// If the system refuses the allocation.
    pub fn allocate(len: usize) -> Result<Self, TryReserveError> {
        let reserved = Reserved::new(len)?;
        let words = reserved.zeroed_unless(&Flag::default(), 1).expect("nothing stops it");
        Ok(Self::Allocated(words))
    }

    /// The `len` words of the file at `path`, after a page that begins with
    /// `header`; a new file's are zero.
    ///
    /// # Errors
    /// That of the system, [`io::ErrorKind::WouldBlock`] if another process has the
    /// file, [`io::ErrorKind::InvalidData`] if it has another header or length.
    pub fn map(path: &Path, header: &str, len: usize) -> io::Result<Self> {
        let exists = path.exists();
        if exists {
            files::open(path)?;
        }
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        files::lock(&file)?;
        let bytes = len * size_of::<Words>();
        let all = HEADER_BYTES + bytes as u64;
        let mut found = Vec::new();
        (&file).take(header.len() as u64).read_to_end(&mut found)?;
        file.rewind()?;
        // A new file, or one whose process was killed before it wrote the header.
        if file.metadata()?.len() <= all && is_zero(&file)? {
            file.rewind()?;
            let begun = reserve(&file, all).and_then(|()| file.write_all(header.as_bytes()));
            if begun.is_err() && !exists {
                let _ = std::fs::remove_file(path);
            }
            begun?;
            found = header.as_bytes().to_vec();
        }
        let got = file.metadata()?.len();
        if found != header.as_bytes() || got != all {
            let (header, found) = (header.trim_end(), String::from_utf8_lossy(&found));
            let expected = format!("expected a transposition table of {all} bytes with '{header}'");
            let got = format!("{got} bytes with '{}'", Foreign(found.trim_end()));
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("{expected}, got {got}"),
            ));
        }
        // SAFETY: the lock keeps other processes of this program away; what any
        // process writes can only change the words, of which any bits are valid.
        #[allow(unsafe_code)]
        let map = unsafe { MmapOptions::new().offset(HEADER_BYTES).len(bytes).map_mut(&file)? };
        Ok(Self::Mapped(MappedFile { map, _file: file }))
    }
}

/// Whether there are only zeros from the current place in the file on.
fn is_zero(mut file: &File) -> io::Result<bool> {
    let mut chunk = [0; HEADER_BYTES as usize];
    loop {
        match file.read(&mut chunk)? {
            0 => return Ok(true),
            read if chunk[..read].iter().all(|&byte| byte == 0) => (),
            _ => return Ok(false),
        }
    }
}

/// Extends the file to `bytes`. The disk space is taken now: writing to a mapped page for
/// which there is none would end the process.
fn reserve(file: &File, bytes: u64) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::fs::fallocate(file, rustix::fs::FallocateFlags::empty(), 0, bytes)?;
    file.set_len(bytes)
}

impl Deref for Memory {
    type Target = [Words];

    #[inline]
    fn deref(&self) -> &[Words] {
        match self {
            Self::Allocated(words) => words,
            Self::Mapped(MappedFile { map, .. }) => {
                let len = map.len() / size_of::<Words>();
                // SAFETY: the mapping begins at a page and has `len` words, of which
                // any bits are valid; all accesses are atomic.
                #[allow(unsafe_code)]
                unsafe {
                    slice::from_raw_parts(map.as_ptr().cast(), len)
                }
            }
        }
    }
}

/// The bytes of `file` behind the first `skipped`, mapped: all processes that map them share
/// the memory.
///
/// # Errors
/// That of the system.
pub fn map_shared(file: &File, skipped: u64) -> io::Result<Mmap> {
    // SAFETY: such files are replaced as a whole, never written in place; whatever another
    // program may write there, every byte is valid.
    #[allow(unsafe_code)]
    let map = unsafe { MmapOptions::new().offset(skipped).map(file)? };
    // Before the first read: some file systems then provide huge pages, others none.
    #[cfg(all(target_os = "linux", not(miri)))]
    if let Err(error) = map.advise(memmap2::Advice::HugePage) {
        log::debug!("no huge pages for a file: {error}");
    }
    Ok(map)
}

/// Bytes that a thread writes between two checks for a stop, in some milliseconds.
const CHUNK: usize = 4 << 20;

/// Memory that is reserved and not written: the system has not provided a page yet.
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
    pub fn new(len: usize) -> Result<Self, TryReserveError> {
        let mut memory = Vec::new();
        memory.try_reserve_exact(len)?;
        Ok(Self { memory, len })
    }

    /// Zeroed values, in huge pages where the system has them, written by up to `threads`
    /// threads.
    ///
    /// # Errors
    /// The reserved memory, if `stop` is raised before all is written.
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
    #[cfg(all(target_os = "linux", not(miri)))]
    {
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
                libc::madvise(begin.cast(), end - begin.addr(), libc::MADV_HUGEPAGE);
            }
        }
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = memory;
}
