//! Reading regular files safely, and writing files that are complete at any moment.

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::time::Duration;

use tempfile::{Builder, NamedTempFile};
use thiserror::Error;

/// Error when a file is read or written.
#[derive(Debug, Error)]
#[error("cannot {action} {}: {error}", path.display())]
pub struct AccessError {
    action: &'static str,
    /// The file, or the folder where it was to be.
    pub path: PathBuf,
    /// The system's error, or a message about what is there instead of a file;
    /// [`io::ErrorKind::AlreadyExists`] by [`create`] only.
    pub error: io::Error,
}

impl AccessError {
    /// The error of reading `path`, for `map_err`.
    pub fn reading(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self { action: "read", path: path.to_owned(), error }
    }

    /// The error of writing `path`, for `map_err`.
    pub fn writing(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self { action: "write", path: path.to_owned(), error }
    }
}

/// Without the path, for errors that name it themselves.
impl From<AccessError> for io::Error {
    fn from(error: AccessError) -> Self {
        error.error
    }
}

/// Writes `parts`, one after the other, as the file at `path`, replacing any file there.
/// The file is complete at any moment: a new file `path.….tmp` is written, synced and
/// renamed. After an error nothing has changed.
///
/// # Errors
/// [`AccessError`] if that fails, or if `path` exists and is not a regular file.
pub fn replace(
    path: &Path,
    parts: impl IntoIterator<Item = impl AsRef<[u8]>>,
) -> Result<(), AccessError> {
    put(path, parts, |file, path| Ok(file.persist(path)?)).map_err(AccessError::writing(path))
}

/// As [`replace`], but never over an existing file.
///
/// # Errors
/// [`AccessError`] if that fails or the file exists.
pub fn create(
    path: &Path,
    parts: impl IntoIterator<Item = impl AsRef<[u8]>>,
) -> Result<(), AccessError> {
    put(path, parts, |file, path| Ok(file.persist_noclobber(path)?))
        .map_err(AccessError::writing(path))
}

fn put(
    path: &Path,
    parts: impl IntoIterator<Item = impl AsRef<[u8]>>,
    rename: impl FnOnce(NamedTempFile, &Path) -> io::Result<File>,
) -> io::Result<()> {
    // A link stays a link: its target is replaced.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    let folder = folder_of(path);
    let mut prefix = name.to_owned();
    prefix.push(".");
    let old = fs::metadata(path).ok();
    old.as_ref().map_or(Ok(()), check_is_regular)?;
    let mut new = Builder::new();
    // Errors of the library's own ways to create and write name the temporary file.
    let mut new =
        new.prefix(&prefix).suffix(".tmp").make_in(folder, |new| File::create_new(new))?;
    for part in parts {
        new.as_file_mut().write_all(part.as_ref())?;
    }
    if let Some(old) = old {
        new.as_file().set_permissions(old.permissions())?;
    }
    new.as_file().sync_all()?;
    rename(new, path)?;
    // The new name must last, too. Only some systems can sync a folder.
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    Ok(())
}

/// The folder that has the name of a file.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

/// Syncs the name of a new file: without that, a crash may lose the name although the
/// contents are synced. Not all systems can open a folder for that.
pub fn sync_name(path: &Path) {
    let synced = File::open(folder_of(path)).and_then(|folder| folder.sync_all());
    if let Err(error) = synced {
        log::debug!("cannot sync the folder of {}: {error}", path.display());
    }
}

/// Refuses folders, pipes and devices, which could block or never end.
///
/// # Errors
/// What is there instead of a file.
pub fn check_is_regular(metadata: &Metadata) -> io::Result<()> {
    let expected = match metadata {
        _ if metadata.is_file() => return Ok(()),
        _ if metadata.is_dir() => "expected a file, got a folder",
        _ => "expected a regular file",
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, expected))
}

/// Opens a regular file for reading.
///
/// # Errors
/// [`AccessError`] if there is none or it cannot be opened.
pub fn open(path: &Path) -> Result<File, AccessError> {
    // Before opening: to open a pipe may block.
    let metadata = fs::metadata(path);
    let checked = metadata.and_then(|metadata| check_is_regular(&metadata));
    checked.and_then(|()| File::open(path)).map_err(AccessError::reading(path))
}

/// Whether `path` still leads to the opened file, which may have been removed, moved or
/// replaced.
pub fn is_in_place(file: &File, path: &Path) -> bool {
    let (Ok(opened), Ok(named)) = (file.metadata(), fs::metadata(path)) else { return false };
    #[cfg(unix)]
    let is_same = {
        use std::os::unix::fs::MetadataExt;
        (opened.dev(), opened.ino()) == (named.dev(), named.ino())
    };
    #[cfg(not(unix))]
    let is_same = named.is_file() && opened.len() == named.len();
    is_same
}

/// As [`read_text`], of a regular file alone: nothing that could block or never end.
///
/// # Errors
/// As [`read_text`].
pub fn read_regular(path: &Path) -> Result<String, AccessError> {
    open(path)?;
    read_text(path)
}

/// The bytes of a file, a pipe or a device, all of them.
///
/// # Errors
/// [`AccessError`] if it cannot be read.
pub fn read(path: &Path) -> Result<Vec<u8>, AccessError> {
    if path.is_dir() {
        open(path)?;
    }
    fs::read(path).map_err(AccessError::reading(path))
}

/// As [`read`], as text.
///
/// # Errors
/// [`AccessError`], also if the bytes are not UTF-8.
pub fn read_text(path: &Path) -> Result<String, AccessError> {
    String::from_utf8(read(path)?).map_err(|error| {
        AccessError::reading(path)(io::Error::new(io::ErrorKind::InvalidData, error))
    })
}

/// Locks an open file or folder for this process until it is closed. Waits for up to a
/// second while another process holds it, because a killed process may hold it for a
/// moment. Does nothing where the system has no locks, as on some network file systems.
///
/// # Errors
/// [`io::ErrorKind::WouldBlock`] if another process has it.
pub fn lock(file: &File) -> io::Result<()> {
    #[cfg(unix)]
    {
        use rustix::fs::{FlockOperation, flock};
        const MAX_TRIES: u32 = 50;
        const PAUSE: Duration = Duration::from_millis(20);
        let operation = FlockOperation::NonBlockingLockExclusive;
        let mut tries = 0;
        while flock(file, operation) == Err(rustix::io::Errno::WOULDBLOCK) {
            if tries == MAX_TRIES {
                return Err(io::Error::new(io::ErrorKind::WouldBlock, "in use by another process"));
            }
            tries += 1;
            std::thread::sleep(PAUSE);
        }
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

/// Locks an open file or folder, waiting as long as another process holds it.
///
/// # Errors
/// If the system has no locks for it.
pub fn wait_for_lock(file: &File) -> io::Result<()> {
    #[cfg(unix)]
    {
        use rustix::fs::{FlockOperation, flock};
        Ok(rustix::io::retry_on_intr(|| flock(file, FlockOperation::LockExclusive))?)
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Releases a lock before the file is closed.
pub fn unlock(file: &File) {
    #[cfg(unix)]
    // Closing the file unlocks it in any case.
    let _ = rustix::fs::flock(file, rustix::fs::FlockOperation::Unlock);
    #[cfg(not(unix))]
    let _ = file;
}

/// The file and the number, from 1, of `FILE#2`. If a file has that whole name, it is
/// meant instead.
pub fn numbered(name: &str) -> (&Path, Option<usize>) {
    let number = name.rsplit_once('#').and_then(|(path, number)| {
        (!Path::new(name).exists()).then_some((path, number.parse().ok()?))
    });
    number.map_or((Path::new(name), None), |(path, number)| (Path::new(path), Some(number)))
}
