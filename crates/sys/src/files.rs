//! Reading regular files safely, and writing files so that they are complete at all times.

use std::ffi::OsStr;
use std::fmt;
#[cfg(feature = "files")]
use std::fs::TryLockError;
use std::fs::{self, File, Metadata};
#[cfg(feature = "files")]
use std::io::Write;
use std::io::{self, Read};
use std::num::ParseIntError;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::string::FromUtf8Error;
use std::time::Duration;

#[cfg(feature = "files")]
use tempfile::{Builder, NamedTempFile};
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use crate::lock::FileLock;

/// Error when a file is read or written.
#[derive(Debug, Error)]
#[error("cannot {action} {}: {error}", path.display())]
pub struct AccessError {
    action: &'static str,
    /// The file, or the folder that should hold it.
    pub path: PathBuf,
    /// The system's error, or a message about what is there instead of a file;
    /// [`io::ErrorKind::AlreadyExists`] only from [`create`].
    #[source]
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
/// The file is complete at all times: a new file `path.….tmp` is written, synced and renamed. After
/// an error nothing has changed.
///
/// # Errors
/// [`AccessError`] if that fails, or if `path` exists and is not a regular file.
#[cfg(feature = "files")]
pub fn replace(
    path: &Path,
    parts: impl IntoIterator<Item = impl AsRef<[u8]>>,
) -> Result<(), AccessError> {
    put(path, parts, |file, path| Ok(file.persist(path)?)).map_err(AccessError::writing(path))
}

/// Fails: without the feature `files`, nothing is written.
#[cfg(not(feature = "files"))]
pub fn replace(
    path: &Path,
    _: impl IntoIterator<Item = impl AsRef<[u8]>>,
) -> Result<(), AccessError> {
    Err(AccessError::writing(path)(io::ErrorKind::Unsupported.into()))
}

/// Like [`replace`], but never replaces an existing file.
///
/// # Errors
/// [`AccessError`] if that fails or the file exists.
#[cfg(feature = "files")]
pub fn create(
    path: &Path,
    parts: impl IntoIterator<Item = impl AsRef<[u8]>>,
) -> Result<(), AccessError> {
    put(path, parts, |file, path| Ok(file.persist_noclobber(path)?))
        .map_err(AccessError::writing(path))
}

/// A hash of a file's contents, by which a writer recognises that the file is still the one it
/// last read or wrote. Its text is opaque to others: 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContentHash(u64);

impl ContentHash {
    /// The hash of these bytes.
    pub fn new(contents: impl AsRef<[u8]>) -> Self {
        Self(xxh3_64(contents.as_ref()))
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for ContentHash {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, ParseIntError> {
        u64::from_str_radix(text, 16).map(Self)
    }
}

/// The text of a regular file of at most 64 MiB, and the hash of its bytes for
/// [`replace_unchanged`]: a byte order mark is not part of the text.
///
/// # Errors
/// [`AccessError`] if it cannot be read, is longer or is not text.
pub fn read_version(path: &Path) -> Result<(String, ContentHash), AccessError> {
    // Less than `MAX_SIZE`: such a file, a saved game or settings, is rewritten as a whole after each
    // change, and its owner has written all of it.
    const MAX_REWRITTEN: u64 = 64 << 20;
    let file = open(path)?;
    let bytes = read_limited(file, MAX_REWRITTEN).map_err(AccessError::reading(path))?;
    let version = ContentHash::new(&bytes);
    Ok((decoded(bytes, path)?, version))
}

/// Replaces the file at `path` like [`replace`], but only if it still has the contents that the
/// caller has `seen`, the new ones, or none because it was removed. Returns `false` if another
/// program has changed it: it is then left as it is. Programs that replace files in this way wait
/// for each other.
///
/// # Errors
/// [`AccessError`] if the file cannot be read or written.
pub fn replace_unchanged(
    path: &Path,
    seen: ContentHash,
    contents: &str,
) -> Result<bool, AccessError> {
    // The folder is locked instead of the file, because replacing a file gives its name to a new
    // file without a lock. If the folder cannot be locked, only a change at this very moment is
    // missed.
    let folder = FileLock::new(folder_of(path));
    if let Ok(folder) = &folder {
        // A busy disk may take seconds to store the file, but a process may also have been suspended
        // while it wrote.
        const MAX_WAIT: Duration = Duration::from_secs(30);
        folder.try_lock_for(MAX_WAIT).map_err(AccessError::writing(path))?;
    }
    match fs::read(path) {
        Ok(found) if found == contents.as_bytes() => return Ok(true),
        Ok(found) if ContentHash::new(&found) != seen => return Ok(false),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(AccessError::reading(path)(error)),
    }
    replace(path, [contents])?;
    Ok(true)
}

/// Creates a folder, and checks that a file can be written in it: before work whose results would
/// otherwise be lost.
///
/// # Errors
/// [`AccessError`] if that fails.
#[cfg(feature = "files")]
pub fn prepare_folder(folder: &Path) -> Result<(), AccessError> {
    let created = fs::create_dir_all(folder).and_then(|()| {
        // The file is removed at once.
        NamedTempFile::new_in(folder).map(drop)
    });
    created.map_err(AccessError::writing(folder))
}

/// Truncates a file. Windows refuses to do this through a handle that can only append, so the file
/// is opened for it.
pub fn shorten(path: &Path, length: u64) -> io::Result<()> {
    File::options().write(true).open(path)?.set_len(length)
}

/// Removes the temporary files that killed processes left in `folder` while they wrote files
/// with this extension. Files being written are locked, or open on Windows, so they stay.
pub fn remove_abandoned(folder: &Path, extension: &str) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if is_temporary(&entry.file_name().to_string_lossy(), extension) {
            remove_if_abandoned(&entry.path()).unwrap_or_else(|error| {
                crate::log::debug!("{} stays: {error}", entry.path().display());
            });
        }
    }
}

/// Whether a file was named by [`put`] for one with this extension.
fn is_temporary(name: &str, extension: &str) -> bool {
    let parts = name.strip_suffix(TEMPORARY).and_then(|name| name.rsplit_once('.'));
    let Some((target, random)) = parts else { return false };
    random.len() == RANDOM_LENGTH
        && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && Path::new(target).extension() == Some(OsStr::new(extension))
}

#[cfg(not(windows))]
fn remove_if_abandoned(path: &Path) -> io::Result<()> {
    let file = File::open(path)?;
    file.try_lock()?;
    fs::remove_file(path)
}

/// A lock would block readers of the finished file on Windows. But there, a file can be opened on
/// the condition that no process has it open.
#[cfg(windows)]
fn remove_if_abandoned(path: &Path) -> io::Result<()> {
    use std::os::windows::fs::OpenOptionsExt;
    const DELETE: u32 = 0x1_0000;
    const FILE_FLAG_DELETE_ON_CLOSE: u32 = 0x400_0000;
    let mut options = File::options();
    options.access_mode(DELETE).share_mode(0).custom_flags(FILE_FLAG_DELETE_ON_CLOSE);
    options.open(path).map(drop)
}

/// The end of a temporary file's name, after [`RANDOM_LENGTH`] random characters.
const TEMPORARY: &str = ".tmp";
const RANDOM_LENGTH: usize = 6;

/// A new file in `folder`, locked so that [`remove_abandoned`] can tell it from one that a killed
/// process left.
#[cfg(feature = "files")]
fn temporary(folder: &Path, prefix: &OsStr) -> io::Result<NamedTempFile> {
    loop {
        // The library's own functions to create and write would name the temporary file in errors.
        let file = Builder::new()
            .prefix(prefix)
            .rand_bytes(RANDOM_LENGTH)
            .suffix(TEMPORARY)
            .make_in(folder, |path| File::create_new(path))?;
        // Until it is locked, the file looks abandoned, and another process may remove it.
        let locked = if cfg!(unix) { file.as_file().try_lock() } else { Ok(()) };
        // Without locks, temporary files are never removed, so any other error is harmless.
        let is_ours = !matches!(locked, Err(TryLockError::WouldBlock));
        if is_ours && is_in_place(file.as_file(), file.path()) {
            return Ok(file);
        }
    }
}

#[cfg(feature = "files")]
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
    // Named after the target, so that `remove_abandoned` recognises the file by the extension.
    prefix.push(".");
    let old = fs::metadata(path).ok();
    if let Some(old) = &old {
        check_is_regular(old)?;
    }
    let mut new = temporary(folder, &prefix)?;
    for part in parts {
        new.as_file_mut().write_all(part.as_ref())?;
    }
    // Replacing a file must not change who may read it.
    if let Some(old) = old {
        new.as_file().set_permissions(old.permissions())?;
    }
    // The contents come before the name: a crash in between must not leave an empty file.
    new.as_file().sync_all()?;
    rename(new, path)?;
    sync_name(path);
    Ok(())
}

/// The folder that holds a file; `.` for a bare name.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

/// Syncs the name of a new file, which its folder holds: without that, a crash may lose the name
/// although the contents are synced. Not an error, because the file is in place: Windows cannot
/// sync a folder, and macOS cannot where the folder is on an SMB server.
pub(crate) fn sync_name(path: &Path) {
    let synced = File::open(folder_of(path)).and_then(|folder| folder.sync_all());
    if let Err(error) = synced {
        crate::log::debug!("cannot sync the folder of {}: {error}", path.display());
    }
}

/// Refuses folders, pipes and devices, which could block or never end.
///
/// # Errors
/// [`io::ErrorKind::InvalidInput`], saying what is there instead of a regular file.
pub(crate) fn check_is_regular(metadata: &Metadata) -> io::Result<()> {
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
    // Checked before opening, because opening a pipe may block.
    let metadata = fs::metadata(path);
    let checked = metadata.and_then(|metadata| check_is_regular(&metadata));
    checked.and_then(|()| File::open(path)).map_err(AccessError::reading(path))
}

/// Checks that a folder exists and can be read.
///
/// # Errors
/// [`AccessError`] if not.
pub fn check_folder(path: &Path) -> Result<(), AccessError> {
    fs::read_dir(path).map(drop).map_err(AccessError::reading(path))
}

/// Whether `path` still leads to the opened file, which may have been removed, moved or
/// replaced.
pub(crate) fn is_in_place(file: &File, path: &Path) -> bool {
    let (Ok(opened), Ok(named)) = (file.metadata(), fs::metadata(path)) else { return false };
    #[cfg(unix)]
    let is_same = {
        use std::os::unix::fs::MetadataExt;
        (opened.dev(), opened.ino()) == (named.dev(), named.ino())
    };
    #[cfg(not(unix))]
    // The standard library does not identify files here; a different length shows most
    // replacements.
    let is_same = named.is_file() && opened.len() == named.len();
    is_same
}

/// Like [`read_text`], but only for a regular file, which can neither block nor be endless.
pub fn read_regular(path: &Path) -> Result<String, AccessError> {
    open(path)?;
    read_text(path)
}

/// The most that is read at once: a device may never end. The games of a long match take some
/// hundred megabytes.
const MAX_SIZE: u64 = 1 << 30;

/// All bytes of a file, a pipe or a device, at most 1 GiB.
///
/// # Errors
/// [`AccessError`] if it cannot be read or is longer.
pub fn read(path: &Path) -> Result<Vec<u8>, AccessError> {
    // `open` reports a folder in the same words everywhere; the system's message depends on the
    // platform.
    if path.is_dir() {
        open(path)?;
    }
    let read = File::open(path).and_then(|file| {
        // Known at once for a file; nothing needs to be read.
        if file.metadata()?.len() > MAX_SIZE {
            Err(too_large(MAX_SIZE))
        } else {
            read_limited(file, MAX_SIZE)
        }
    });
    read.map_err(AccessError::reading(path))
}

/// Like [`read`], but `-` stands for standard input.
pub fn read_input(path: &Path) -> Result<Vec<u8>, AccessError> {
    if path == Path::new("-") {
        read_limited(io::stdin().lock(), MAX_SIZE).map_err(AccessError::reading(path))
    } else {
        read(path)
    }
}

fn read_limited(input: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let length = input.take(limit + 1).read_to_end(&mut bytes)?;
    // Part of a text must not pass for all of it.
    if length as u64 > limit { Err(too_large(limit)) } else { Ok(bytes) }
}

fn too_large(limit: u64) -> io::Error {
    let message = format!("file too large (limit {} MiB)", limit >> 20);
    io::Error::new(io::ErrorKind::FileTooLarge, message)
}

/// Like [`read`], but as text.
///
/// # Errors
/// [`AccessError`], also if the bytes are not UTF-8.
pub fn read_text(path: &Path) -> Result<String, AccessError> {
    decoded(read(path)?, path)
}

fn decoded(bytes: Vec<u8>, path: &Path) -> Result<String, AccessError> {
    text_from_bytes(bytes).map_err(|error| {
        AccessError::reading(path)(io::Error::new(io::ErrorKind::InvalidData, error))
    })
}

/// The text of a file's bytes: UTF-8, or UTF-16 with a byte order mark, which Windows PowerShell
/// writes. The mark is left out.
///
/// # Errors
/// [`NotText`] if the bytes are neither.
pub fn text_from_bytes(bytes: Vec<u8>) -> Result<String, NotText> {
    let decode: fn([u8; 2]) -> u16 = match bytes[..] {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => {
            let mut text = String::from_utf8(bytes).map_err(NotText)?;
            if text.starts_with(BYTE_ORDER_MARK) {
                text.remove(0);
            }
            return Ok(text);
        }
    };
    let units: Vec<u16> =
        bytes[2..].chunks_exact(2).map(|pair| decode([pair[0], pair[1]])).collect();
    // A wrong unit becomes U+FFFD, which no reader accepts outside of names.
    Ok(String::from_utf16_lossy(&units))
}

/// Error of bytes that are not text, with the place of the first wrong one.
#[derive(Debug)]
pub struct NotText(FromUtf8Error);

impl NotText {
    /// The text before a character that the end of the bytes cuts off; none if anything else is
    /// wrong.
    pub fn before_cut(&self) -> Option<String> {
        match self.0.utf8_error().error_len() {
            None => Some(self.before()),
            Some(_) => None,
        }
    }

    /// The text in the encoding of older Windows programs, which Latin-1 shares for all letters. None
    /// if the bytes may be something else: a control character, or a character in UTF-8, shows binary
    /// data or damaged text.
    pub fn as_windows_1252(&self) -> Option<String> {
        /// What 0x80 to 0x9f mean; `\0` stands for nothing.
        const BETWEEN: &str = "€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ";
        let bytes = self.0.as_bytes();
        if bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii()) {
            return None;
        }
        let decode = |&byte: &u8| match byte {
            0x80..=0x9f => BETWEEN.chars().nth(usize::from(byte - 0x80)),
            _ => Some(char::from(byte)),
        };
        let is_text = |&letter: &char| !letter.is_control() || matches!(letter, '\t' | '\r' | '\n');
        bytes.iter().map(|byte| decode(byte).filter(is_text)).collect()
    }

    fn before(&self) -> String {
        let valid = &self.0.as_bytes()[..self.0.utf8_error().valid_up_to()];
        String::from_utf8_lossy(valid).into_owned()
    }
}

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = self.before();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let byte = self.0.as_bytes()[before.len()];
        write!(
            f,
            "line {line}, column {column}: expected UTF-8 text, got byte 0x{byte:02x}: the file may \
             have a different encoding"
        )
    }
}

impl std::error::Error for NotText {}

/// The mark with which some editors begin a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Splits `FILE#2` into the file and the number, from 1. A file with that whole name takes
/// precedence.
pub fn numbered(name: &str) -> (&Path, Option<usize>) {
    if let Some((path, number)) = name.rsplit_once('#')
        && let Ok(number) = number.parse()
        && !Path::new(name).exists()
    {
        return (Path::new(path), Some(number));
    }
    (Path::new(name), None)
}

/// A file that cannot be read or written, or is damaged.
#[derive(Debug, Error)]
#[error("{}: {error}", path.display())]
pub struct FileError {
    /// The file, or its folder.
    pub path: PathBuf,
    /// Its fault.
    #[source]
    pub error: io::Error,
}

/// The fault of a file with these contents.
pub fn invalid(fault: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, fault.into())
}
