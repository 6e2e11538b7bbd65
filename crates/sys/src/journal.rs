//! An append-only file of checked lines: what was appended survives a crash, and an altered
//! line is detected. This module does not know what the lines mean.
//!
//! A journal is a file of JSON objects, one per line, each ending with its checksum. A line
//! without a line end is *torn*: a process died while writing it. It is cut off when the
//! journal is opened. [`Journal`] appends; [`read`], [`read_kind`] and [`Tail`] only read.
//! Lines are written with LF; CRLF, into which Git on Windows may convert it, is read as well.

use std::error;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use crate::{files, lock::FileLock};

/// Bytes that a [`Tail`] reads at once, and so the maximum length of its lines.
const MAX_READ: usize = 8 << 20;

/// Who else may open a journal on Windows: readers, and other writers of a shared one.
#[cfg(windows)]
const FILE_SHARE_READ_AND_WRITE: u32 = 3;

/// The text before the checksum of a line, which is its last field.
const CHECK: &str = r#","check":""#;

/// How to recognise and check one kind of journal.
#[derive(Clone, Copy, Debug)]
pub struct JournalKind<'a> {
    /// How its first line begins.
    pub begin: &'a str,
    /// Whether lines before the first one with a checksum may lack it: earlier versions
    /// wrote none.
    pub may_lack_checksums: bool,
}

/// How long to wait while another process has a shared journal locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockWait {
    /// Up to a second; then the error is [`io::ErrorKind::WouldBlock`].
    Briefly,
    /// For as long as it takes, even if the other process has been suspended.
    Forever,
}

/// A journal, open for appending and locked.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    lock: FileLock,
    may_lack_checksums: bool,
    /// Whether other processes may append to it while it is paused, and how long to wait for them.
    shared: Option<LockWait>,
    /// Bytes of whole lines that were read or appended.
    length: u64,
    /// The number of those lines.
    lines: usize,
}

impl Journal {
    /// Opens the journal at `path`, or starts one with the line `header` if there is
    /// no file or no whole line in it. Returns the lines after the header as they
    /// were appended; a torn line at the end is cut off. A journal that is `shared` is appended to
    /// by several processes in turn.
    ///
    /// # Errors
    /// System errors; [`io::ErrorKind::WouldBlock`] if another process has it open and this one does
    /// not wait for it; [`io::ErrorKind::InvalidData`] if it is not a journal with this header or a
    /// line has been altered.
    pub fn open(
        path: &Path,
        header: &str,
        shared: Option<LockWait>,
    ) -> io::Result<(Self, Vec<String>)> {
        let begin = with_checksum(header) + "\n";
        let kind = JournalKind { begin: &begin, may_lack_checksums: false };
        let (mut journal, bytes) = Self::lock_and_read(path, kind, shared)?;
        let mut lines = journal.import(&bytes)?;
        if lines.is_empty() {
            journal.append(header)?;
        } else {
            lines.remove(0);
        }
        Ok((journal, lines))
    }

    /// Starts a journal with the line `header`. A file without a whole line, left behind by
    /// a process that died while starting a journal, is taken over.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if the file has a whole line;
    /// [`io::ErrorKind::WouldBlock`] if another process has it open; system errors. No new
    /// file is left behind.
    pub fn create(path: &Path, kind: JournalKind<'_>, header: &str) -> io::Result<Self> {
        let is_new = !path.exists();
        let (mut journal, bytes) = Self::lock_and_read(path, kind, None)?;
        if bytes.contains(&b'\n') {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let started = journal.import(&bytes).and_then(|_| journal.append(header));
        if started.is_err() && is_new {
            let _ = fs::remove_file(path);
        }
        started?;
        files::sync_name(path);
        Ok(journal)
    }

    /// Opens an existing journal. Returns all its lines, the first included; a torn
    /// line at the end is cut off.
    pub fn reopen(path: &Path, kind: JournalKind<'_>) -> io::Result<(Self, Vec<String>)> {
        let (mut journal, bytes) = Self::lock_and_read(path, kind, None)?;
        let lines = journal.import(&bytes)?;
        Ok((journal, lines))
    }

    /// Opens and locks a file, and reads its contents. Changes nothing, so that a file that
    /// is not a journal of this kind stays as it is.
    fn lock_and_read(
        path: &Path,
        kind: JournalKind<'_>,
        shared: Option<LockWait>,
    ) -> io::Result<(Self, Vec<u8>)> {
        // `files::open` refuses folders, devices and pipes, on which opening with `create` could
        // block.
        if path.exists() {
            files::open(path)?;
        }
        let mut options = OpenOptions::new();
        // While the file is open, no other process can remove, move or replace it.
        #[cfg(windows)]
        std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, FILE_SHARE_READ_AND_WRITE);
        // Locks may not reach other machines; append mode never overwrites the lines of another
        // writer.
        let file = options.read(true).append(true).create(true).open(path)?;
        let lock = FileLock::new(path)?;
        take(&lock, shared)?;
        let may_lack_checksums = kind.may_lack_checksums;
        let path = path.to_owned();
        let journal = Self { path, file, lock, may_lack_checksums, shared, length: 0, lines: 0 };
        let bytes = journal.bytes_from(0)?;
        check_begin(&bytes, kind.begin)?;
        Ok((journal, bytes))
    }

    /// Lets other processes append, until [`Journal::resume`].
    pub fn pause(&mut self) {
        self.lock.unlock();
    }

    /// Locks a paused journal again, waiting for other processes. Returns the lines that
    /// they have appended.
    pub fn resume(&mut self) -> io::Result<Vec<String>> {
        take(&self.lock, self.shared)?;
        // The file may have been replaced while it was unlocked.
        self.check_place()?;
        let bytes = self.bytes_from(self.length)?;
        self.import(&bytes)
    }

    /// Appends a line, a JSON object with at least one field. Once this returns, the line
    /// survives a crash.
    ///
    /// # Errors
    /// System errors. If the system allows it, the journal is then unchanged, and a line can
    /// be appended again.
    pub fn append(&mut self, object: &str) -> io::Result<()> {
        self.append_all(&[object])
    }

    /// Appends several lines as [`Journal::append`] does. After a crash, only some of them may be
    /// present.
    pub fn append_all(&mut self, objects: &[impl AsRef<str>]) -> io::Result<()> {
        self.check_place()?;
        // Lines and line ends are written in one call, so a line without an end is always a torn
        // one. Only the data is synced: that includes the length of the file, and its timestamps do
        // not matter.
        let lines: String =
            objects.iter().map(|object| with_checksum(object.as_ref()) + "\n").collect();
        let written = self.file.write_all(lines.as_bytes()).and_then(|()| self.file.sync_data());
        match written {
            Ok(()) => {
                self.length += lines.len() as u64;
                self.lines += objects.len();
            }
            // If this fails too, the torn line is cut off when the journal is next opened.
            Err(_) => drop(files::shorten(&self.path, self.length)),
        }
        written
    }

    /// Whether the path still leads to the file that was opened, and that file is as long
    /// as its known lines, or longer if others may have appended. Lines written to a file
    /// that has lost its name would be lost with it.
    pub fn is_in_place(&self) -> bool {
        let Ok(opened) = self.file.metadata() else { return false };
        let has_grown = opened.len() > self.length;
        files::is_in_place(&self.file, &self.path)
            && (opened.len() == self.length || self.shared.is_some() && has_grown)
    }

    fn check_place(&self) -> io::Result<()> {
        if self.is_in_place() {
            return Ok(());
        }
        Err(io::Error::other(
            "the file was removed, moved or replaced, or another program has changed its length",
        ))
    }

    /// The known lines that can still be read and are unaltered, with their checksums and
    /// without line ends.
    pub fn intact_lines(&self) -> io::Result<Vec<String>> {
        let mut bytes = self.bytes_from(0)?;
        bytes.truncate(self.length as usize);
        let mut must_have_checksum = !self.may_lack_checksums;
        let intact = split_lines(&bytes).filter_map(|line| {
            checked(line, &mut must_have_checksum).ok().map(|line| line.to_owned())
        });
        Ok(intact.collect())
    }

    /// Whether every known line is still in the file, unaltered.
    pub fn is_intact(&self) -> bool {
        let Ok(intact) = self.intact_lines() else { return false };
        self.is_in_place() && intact.len() == self.lines
    }

    fn bytes_from(&self, start: u64) -> io::Result<Vec<u8>> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Adds the lines in `bytes`, which follow the known ones, to these; cuts off a torn one.
    fn import(&mut self, bytes: &[u8]) -> io::Result<Vec<String>> {
        let (length, lines) = whole_lines(bytes, self.lines, &mut !self.may_lack_checksums)?;
        if length < bytes.len() {
            files::shorten(&self.path, self.length + length as u64)?;
        }
        self.length += length as u64;
        self.lines += lines.len();
        Ok(lines)
    }
}

/// The lines of a journal without its header, as [`Journal::open`] returns them;
/// takes no lock and changes nothing.
///
/// # Errors
/// System errors; [`io::ErrorKind::InvalidData`] if the file is not a journal with this
/// header, has no whole line, or a line has been altered.
pub fn read(path: &Path, header: &str) -> io::Result<Vec<String>> {
    let begin = with_checksum(header) + "\n";
    let mut lines = read_kind(path, JournalKind { begin: &begin, may_lack_checksums: false })?;
    lines.remove(0);
    Ok(lines)
}

/// All lines of a journal, the first included, as [`Journal::reopen`] returns them;
/// takes no lock and changes nothing.
///
/// # Errors
/// System errors; [`io::ErrorKind::InvalidData`] if the file is not a journal of this
/// kind, has no whole line, or a line has been altered.
pub fn read_kind(path: &Path, kind: JournalKind<'_>) -> io::Result<Vec<String>> {
    let mut bytes = Vec::new();
    files::open(path)?.read_to_end(&mut bytes)?;
    check_begin(&bytes, kind.begin)?;
    let (_, lines) = whole_lines(&bytes, 0, &mut !kind.may_lack_checksums)?;
    if lines.is_empty() {
        return Err(invalid("expected a whole line, got none"));
    }
    Ok(lines)
}

/// A journal that another process may be appending to: its lines are read as they arrive,
/// without a lock.
#[derive(Debug)]
pub struct Tail {
    path: PathBuf,
    file: File,
    begin: String,
    must_have_checksum: bool,
    /// Bytes of the lines that were read.
    length: u64,
    lines: usize,
    /// The hash of the last line that was read, and where it is.
    last: Option<(u64, Span)>,
}

/// Where a line of a journal is, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    start: u64,
    length: usize,
}

impl Tail {
    /// Opens the journal at `path`, before its first line.
    pub fn open(path: &Path, kind: JournalKind<'_>) -> io::Result<Self> {
        Ok(Self {
            file: files::open(path)?,
            path: path.to_owned(),
            begin: kind.begin.to_owned(),
            must_have_checksum: !kind.may_lack_checksums,
            length: 0,
            lines: 0,
            last: None,
        })
    }

    /// The whole lines after those already read, without checksums: at most 8 MiB of them,
    /// and none at the end of the file. A torn line is returned once it has its end.
    ///
    /// # Errors
    /// System errors, or [`io::ErrorKind::InvalidData`] for a damaged line. Nothing
    /// is skipped: the next call tries the same line.
    pub fn next_lines(&mut self) -> io::Result<Vec<(Span, String)>> {
        let mut bytes = Vec::new();
        (&self.file).seek(SeekFrom::Start(self.length))?;
        (&self.file).take(MAX_READ as u64).read_to_end(&mut bytes)?;
        if self.length == 0 {
            check_begin(&bytes, &self.begin)?;
        }
        // A line that exceeds the buffer would never become complete.
        if bytes.len() == MAX_READ && !bytes.contains(&b'\n') {
            let number = self.lines + 1;
            return Err(invalid(format!("line {number} has more than {MAX_READ} bytes")));
        }
        let mut must_have_checksum = self.must_have_checksum;
        let (length, lines) = whole_lines(&bytes, self.lines, &mut must_have_checksum)?;
        self.must_have_checksum = must_have_checksum;
        let mut start = self.length;
        let mut spans = Vec::with_capacity(lines.len());
        for line in split_lines(&bytes) {
            let text = without_return(line);
            let span = Span { start, length: text.len() };
            start += line.len() as u64 + 1;
            self.last = Some((xxh3_64(text), span));
            spans.push(span);
        }
        self.length += length as u64;
        self.lines += lines.len();
        Ok(spans.into_iter().zip(lines).collect())
    }

    /// A line that was returned before, with its checksum; if the file was changed, what is
    /// there now.
    pub fn line(&self, span: Span) -> io::Result<String> {
        let mut bytes = Vec::new();
        (&self.file).seek(SeekFrom::Start(span.start))?;
        (&self.file).take(span.length as u64).read_to_end(&mut bytes)?;
        String::from_utf8(bytes).map_err(invalid)
    }

    /// Whether the path still leads to the file, and the file still seems to begin with the
    /// lines that were read: only the last of them is compared.
    pub fn is_in_place(&self) -> bool {
        let Ok(opened) = self.file.metadata() else { return false };
        if opened.len() < self.length || !files::is_in_place(&self.file, &self.path) {
            return false;
        }
        let Some((hash, span)) = self.last else { return true };
        match self.line(span) {
            Ok(line) => xxh3_64(line.as_bytes()) == hash,
            Err(_) => false,
        }
    }
}

fn take(lock: &FileLock, shared: Option<LockWait>) -> io::Result<()> {
    match shared {
        Some(LockWait::Forever) => lock.lock(),
        Some(LockWait::Briefly) | None => lock.try_lock(),
    }
}

fn check_begin(bytes: &[u8], begin: &str) -> io::Result<()> {
    let found = bytes.iter().filter(|&&byte| byte != b'\r');
    if found.zip(begin.as_bytes()).all(|(found, expected)| found == expected) {
        return Ok(());
    }
    Err(invalid(format!("expected a first line that begins with '{}'", begin.trim_end())))
}

/// The number of bytes up to the last line end, and their lines without checksums; `before`
/// lines precede them.
fn whole_lines(
    bytes: &[u8],
    before: usize,
    must_have_checksum: &mut bool,
) -> io::Result<(usize, Vec<String>)> {
    let mut lines = Vec::new();
    let mut length = 0;
    for line in split_lines(bytes) {
        let number = before + lines.len() + 1;
        let text = checked(line, must_have_checksum)
            .map_err(|fault| invalid(format!("line {number} is damaged: {fault}")))?;
        // `checked` has set the flag to whether this line has a checksum.
        lines.push(match text.rsplit_once(CHECK).filter(|_| *must_have_checksum) {
            Some((fields, _)) => format!("{fields}}}"),
            None => text.to_owned(),
        });
        length += line.len() + 1;
    }
    Ok((length, lines))
}

/// The whole lines in `bytes`, without LF.
fn split_lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n').filter_map(|line| line.strip_suffix(b"\n"))
}

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// A line as it was written, or what is wrong with it. Once a line has had a checksum, all
/// later ones must have one.
fn checked<'a>(line: &'a [u8], must_have_checksum: &mut bool) -> Result<&'a str, String> {
    let line = str::from_utf8(without_return(line)).map_err(|error| error.to_string())?;
    let has_checksum = has_checksum(line).map_err(|error| error.to_string())?;
    if *must_have_checksum && !has_checksum {
        return Err("expected a checksum at its end".to_owned());
    }
    *must_have_checksum = has_checksum;
    Ok(line)
}

/// A JSON object with the checksum of its text, by [`xxh3_64`], as its last field.
pub fn with_checksum(line: &str) -> String {
    let body = line.strip_suffix('}').unwrap_or(line);
    format!("{body}{CHECK}{:016x}\"}}", xxh3_64(body.as_bytes()))
}

/// Error for a line that differs from the one that was written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected checksum {expected}, got {got}: the line was changed")]
pub struct WrongChecksum {
    /// The checksum of the line as it is.
    expected: String,
    /// The checksum at its end.
    got: String,
}

/// Whether a line has a checksum, which is then correct.
///
/// # Errors
/// [`WrongChecksum`] if it has one that is not.
pub fn has_checksum(line: &str) -> Result<bool, WrongChecksum> {
    let parts = line.strip_suffix("\"}").and_then(|rest| rest.rsplit_once(CHECK));
    let Some((body, sum)) = parts else { return Ok(false) };
    // A tag of a game may have the same name, but then other fields or braces follow. A damaged
    // checksum of any other form must not count as none.
    if sum.contains('"') {
        return Ok(false);
    }
    let expected = format!("{:016x}", xxh3_64(body.as_bytes()));
    if sum == expected {
        return Ok(true);
    }
    Err(WrongChecksum { expected, got: sum.to_owned() })
}

fn invalid(fault: impl Into<Box<dyn error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, fault)
}
