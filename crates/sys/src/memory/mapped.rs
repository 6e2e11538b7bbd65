//! Files that are mapped into memory.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::slice;
use std::time::SystemTime;

use memmap2::{Mmap, MmapMut, MmapOptions};

use super::{HEADER_BYTES, Words};
use crate::files;
use crate::files::invalid;
use crate::lock::FileLock;
#[cfg(target_os = "linux")]
use crate::log;
use kalah_text::foreign::Foreign;

/// Words of a file that only this process has open.
#[derive(Debug)]
pub struct MappedFile {
    map: MmapMut,
    _lock: FileLock,
}

impl MappedFile {
    /// See [`Memory::map`](super::Memory::map).
    pub(super) fn new(path: &Path, header: &str, len: usize) -> io::Result<Self> {
        let exists = path.exists();
        if exists {
            files::open(path)?;
        }
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        let lock = FileLock::new(path)?;
        lock.try_lock()?;
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
            let header = header.trim_end();
            let found = String::from_utf8_lossy(&found);
            let expected = format!("expected a transposition table of {all} bytes with '{header}'");
            let got = format!("{got} bytes with '{}'", Foreign(found.trim_end()));
            return Err(invalid(format!("{expected}, got {got}")));
        }
        // SAFETY: the lock keeps other processes of this program away; what any
        // process writes can only change the words, in which any bits are valid.
        #[allow(unsafe_code)]
        let map = unsafe { MmapOptions::new().offset(HEADER_BYTES).len(bytes).map_mut(&file)? };
        Ok(Self { map, _lock: lock })
    }

    #[inline]
    pub(super) fn words(&self) -> &[Words] {
        let len = self.map.len() / size_of::<Words>();
        // SAFETY: the mapping begins at a page and has `len` words, in which any bits are
        // valid; all accesses are atomic.
        #[allow(unsafe_code)]
        unsafe {
            slice::from_raw_parts(self.map.as_ptr().cast(), len)
        }
    }
}

/// Whether the file holds only zeros from its current position to its end.
fn is_zero(mut file: &File) -> io::Result<bool> {
    let mut chunk = [0; HEADER_BYTES as usize];
    loop {
        match file.read(&mut chunk) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            Err(error) => return Err(error),
            Ok(0) => return Ok(true),
            Ok(read) if chunk[..read].iter().all(|&byte| byte == 0) => (),
            Ok(_) => return Ok(false),
        }
    }
}

/// Extends the file to `bytes`. The disk space is allocated now: writing to a mapped page for which
/// there is none would kill the process (SIGBUS). Windows always allocates it.
fn reserve(file: &File, bytes: u64) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    rustix::fs::fallocate(file, rustix::fs::FallocateFlags::empty(), 0, bytes)?;
    file.set_len(bytes)
}

/// The positions of a layer in a file: all processes that map it share the memory.
#[derive(Debug)]
pub struct MappedLayer {
    map: Mmap,
    file: File,
    stamp: FileStamp,
}

/// What changes when a file is written in place: its length and modification time.
type FileStamp = (u64, Option<SystemTime>);

impl MappedLayer {
    /// Maps the bytes of `file` after the first `skipped`.
    pub fn new(file: File, skipped: u64) -> io::Result<Self> {
        let stamp = stamp(&file)?;
        // SAFETY: such files are replaced as a whole, never written in place; whatever another
        // program may write there, every byte is valid.
        #[allow(unsafe_code)]
        let map = unsafe { MmapOptions::new().offset(skipped).map(&file)? };
        // This must come before the first read. Some file systems then provide huge pages; others
        // do not.
        #[cfg(all(target_os = "linux", not(miri)))]
        if let Err(error) = map.advise(memmap2::Advice::HugePage) {
            log::debug!("no huge pages for a file: {error}");
        }
        Ok(Self { map, file, stamp })
    }

    /// The mapped bytes.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// Whether the file is unchanged since it was mapped. Copies in memory would make this
    /// unnecessary, but each process would need its own: 519 MB for the usual cache.
    pub fn is_intact(&self) -> bool {
        match stamp(&self.file) {
            Ok(stamp) => stamp == self.stamp,
            Err(_) => false,
        }
    }
}

fn stamp(file: &File) -> io::Result<FileStamp> {
    let data = file.metadata()?;
    Ok((data.len(), data.modified().ok()))
}
