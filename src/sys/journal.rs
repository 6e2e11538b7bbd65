//! A file that only grows, a checked line at a time: what was appended survives a
//! crash, and what was altered is noticed.

use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::files;

/// What stands before the checksum of a line: its last field.
const CHECK: &str = r#","check":""#;

/// A journal, open for appending and locked.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// Bytes of whole lines that were read or appended.
    length: u64,
    /// The number of those lines.
    lines: usize,
}

impl Journal {
    /// Opens the journal at `path`, or begins one with the line `header` if there
    /// is no file or no whole line in it. Returns its other lines as they were
    /// appended; a torn line at the end is cut off.
    ///
    /// # Errors
    /// That of the system, [`io::ErrorKind::WouldBlock`] if another process has it
    /// open, [`io::ErrorKind::InvalidData`] if it is no journal with this header or
    /// a line is not as it was written.
    pub fn open(path: &Path, header: &str) -> io::Result<(Self, Vec<String>)> {
        Self::open_with(path, header, files::lock)
    }

    /// As [`Journal::open`], however long another process has it locked.
    ///
    /// # Errors
    /// Also if the system has no locks for it.
    pub fn open_shared(path: &Path, header: &str) -> io::Result<(Self, Vec<String>)> {
        Self::open_with(path, header, files::wait_for_lock)
    }

    fn open_with(
        path: &Path,
        header: &str,
        lock: impl FnOnce(&File) -> io::Result<()>,
    ) -> io::Result<(Self, Vec<String>)> {
        if path.exists() {
            files::open(path)?;
        }
        let mut options = OpenOptions::new();
        // Where locks do not reach other machines, appending overwrites no line of theirs.
        let file = options.read(true).append(true).create(true).open(path)?;
        lock(&file)?;
        let mut journal = Self { path: path.to_owned(), file, length: 0, lines: 0 };
        let bytes = journal.bytes()?;
        check_header(&bytes, header)?;
        let mut lines = journal.take_in(&bytes)?;
        match lines.is_empty() {
            true => journal.append(header)?,
            false => drop(lines.remove(0)),
        }
        Ok((journal, lines))
    }

    /// Lets other processes append, until [`Journal::resume`].
    pub fn pause(&mut self) {
        files::unlock(&self.file);
    }

    /// Locks a journal that was paused, waiting for others. Returns the lines that
    /// they have appended.
    ///
    /// # Errors
    /// As [`Journal::open_shared`].
    pub fn resume(&mut self) -> io::Result<Vec<String>> {
        files::wait_for_lock(&self.file)?;
        self.check_place()?;
        if self.file.metadata()?.len() < self.length {
            return Err(invalid("expected a longer file: another program has cut it"));
        }
        let bytes = self.bytes()?;
        self.take_in(&bytes)
    }

    /// Appends a line, a JSON object with some field. When this returns, it
    /// survives a crash.
    ///
    /// # Errors
    /// That of the system; the journal is then as before, as far as the system
    /// allows, and another line can be tried.
    pub fn append(&mut self, object: &str) -> io::Result<()> {
        self.append_all(&[object])
    }

    /// As [`Journal::append`], several lines at once.
    ///
    /// # Errors
    /// As [`Journal::append`]. After a crash, some of the lines may be there.
    pub fn append_all(&mut self, objects: &[impl AsRef<str>]) -> io::Result<()> {
        self.check_place()?;
        // One write for the lines and their ends, so that a line without an end is
        // always a torn one.
        let line = |object: &_| with_checksum(AsRef::<str>::as_ref(object)) + "\n";
        let lines: String = objects.iter().map(line).collect();
        let written = self.file.write_all(lines.as_bytes()).and_then(|()| self.file.sync_data());
        match written {
            Ok(()) => {
                self.length += lines.len() as u64;
                self.lines += objects.len();
            }
            Err(_) => drop(self.file.set_len(self.length)),
        }
        written
    }

    /// What is written to a file that has lost its name is lost, too.
    fn check_place(&self) -> io::Result<()> {
        match files::is_in_place(&self.file, &self.path) {
            true => Ok(()),
            false => Err(io::Error::other("it was removed, moved or replaced meanwhile")),
        }
    }

    /// What is in the file after the lines that are known.
    fn bytes(&mut self) -> io::Result<Vec<u8>> {
        self.file.seek(SeekFrom::Start(self.length))?;
        let mut bytes = Vec::new();
        self.file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The lines in `bytes`, which follow the known ones; a torn one is cut off.
    fn take_in(&mut self, bytes: &[u8]) -> io::Result<Vec<String>> {
        let (length, lines) = whole_lines(bytes, self.lines)?;
        if length < bytes.len() {
            self.file.set_len(self.length + length as u64)?;
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
/// As [`Journal::open`]; also if there is no whole line.
pub fn read(path: &Path, header: &str) -> io::Result<Vec<String>> {
    let mut bytes = Vec::new();
    files::open(path)?.read_to_end(&mut bytes)?;
    check_header(&bytes, header)?;
    let (_, lines) = whole_lines(&bytes, 0)?;
    match lines.is_empty() {
        true => Err(invalid("expected a whole line, got none")),
        false => Ok(lines.into_iter().skip(1).collect()),
    }
}

fn check_header(bytes: &[u8], header: &str) -> io::Result<()> {
    let begin = with_checksum(header) + "\n";
    match begin.as_bytes().starts_with(&bytes[..bytes.len().min(begin.len())]) {
        true => Ok(()),
        false => Err(invalid(format!("expected a first line '{}'", begin.trim_end()))),
    }
}

/// The bytes up to the last end of a line, and their lines without checksums;
/// `before` lines come before them.
fn whole_lines(bytes: &[u8], before: usize) -> io::Result<(usize, Vec<String>)> {
    let length = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let line = |(number, line): (usize, &[u8])| {
        let damaged = |fault: String| invalid(format!("line {number} is damaged: {fault}"));
        let line = str::from_utf8(line).map_err(|error| damaged(error.to_string()))?;
        let fields = line.rsplit_once(CHECK).filter(|_| has_checksum(line) != Ok(false));
        let fields = fields.ok_or_else(|| damaged("expected a checksum at its end".to_owned()))?;
        has_checksum(line).map_err(damaged)?;
        Ok(format!("{}}}", fields.0))
    };
    let lines = bytes[..length].split_inclusive(|&byte| byte == b'\n');
    let lines = lines.map(|line| &line[..line.len() - 1]);
    Ok((length, (before + 1..).zip(lines).map(line).collect::<io::Result<_>>()?))
}

/// The line of a JSON object with a checksum of what stands in it, by [`xxh3_64`].
pub fn with_checksum(line: &str) -> String {
    let body = line.strip_suffix('}').unwrap_or(line);
    format!("{body}{CHECK}{:016x}\"}}", xxh3_64(body.as_bytes()))
}

/// Whether a line has a checksum, which is then right.
///
/// # Errors
/// A message if it is wrong.
pub fn has_checksum(line: &str) -> Result<bool, String> {
    let parts = line.strip_suffix("\"}").and_then(|rest| rest.rsplit_once(CHECK));
    // A tag may have the name, too.
    let is_sum = |sum: &str| sum.len() == 16 && sum.bytes().all(|byte| byte.is_ascii_hexdigit());
    let Some((body, sum)) = parts.filter(|(_, sum)| is_sum(sum)) else { return Ok(false) };
    match format!("{:016x}", xxh3_64(body.as_bytes())) {
        expected if sum == expected => Ok(true),
        expected => Err(format!("expected checksum {expected}, got {sum}: the line was changed")),
    }
}

fn invalid(fault: impl Into<Box<dyn Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, fault)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const HEADER: &str = r#"{"journal":"a test"}"#;

    fn open(path: &Path) -> io::Result<Vec<String>> {
        Journal::open(path, HEADER).map(|(_, lines)| lines)
    }

    #[test]
    fn what_was_appended_is_read_and_a_torn_line_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let lines = [r#"{"a":1}"#, r#"{"a":"\",\"check\":\""}"#];
        for line in lines {
            Journal::open(&path, HEADER).unwrap().0.append(line).unwrap();
        }
        let whole = fs::read(&path).unwrap();
        for torn in 0..whole.len() {
            fs::write(&path, &whole[..torn]).unwrap();
            let ends = whole[..torn].iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!(open(&path).unwrap(), lines[..ends.saturating_sub(1)], "{torn} bytes");
        }
    }

    #[test]
    fn every_altered_bit_is_noticed_and_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        Journal::open(&path, HEADER).unwrap().0.append(r#"{"a":1}"#).unwrap();
        let whole = fs::read(&path).unwrap();
        for bit in 0..8 * (whole.len() - 1) {
            let mut altered = whole.clone();
            altered[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &altered).unwrap();
            let error = open(&path).unwrap_err().to_string();
            assert!(error.contains("expected a first line") || error.contains("line 2"), "{error}");
            assert_eq!(fs::read(&path).unwrap(), altered, "bit {bit}");
        }
    }

    #[test]
    fn nothing_is_appended_to_a_file_that_was_removed_or_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let [path, other] = ["journal", "other"].map(|name| folder.path().join(name));
        let (mut journal, _) = Journal::open(&path, HEADER).unwrap();
        journal.append(r#"{"a":1}"#).unwrap();
        fs::copy(&path, &other).unwrap();
        fs::rename(&other, &path).unwrap();
        let error = journal.append(r#"{"a":2}"#).unwrap_err().to_string();
        assert!(error.contains("removed, moved or replaced"), "{error}");
        fs::remove_file(&path).unwrap();
        journal.append(r#"{"a":2}"#).unwrap_err();
        journal.resume().unwrap_err();
    }

    #[test]
    fn another_file_is_refused_and_stays_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes");
        for text in ["precious", "precious\n", "{\n"] {
            fs::write(&path, text).unwrap();
            assert_eq!(open(&path).unwrap_err().kind(), io::ErrorKind::InvalidData);
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_paused_journal_is_written_by_others_and_resumed_with_their_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let open = || Journal::open_shared(&path, HEADER).unwrap();
        let (mut one, _) = open();
        one.append(r#"{"a":1}"#).unwrap();
        one.pause();
        let (mut other, lines) = open();
        assert_eq!(lines, [r#"{"a":1}"#]);
        other.append(r#"{"a":2}"#).unwrap();
        // As another process leaves it that is killed while it writes.
        other.file.write_all(b"{\"a\":").unwrap();
        assert_eq!(read(&path, HEADER).unwrap().len(), 2);
        drop(other);
        assert_eq!(one.resume().unwrap(), [r#"{"a":2}"#]);
        one.append(r#"{"a":3}"#).unwrap();
        drop(one);
        assert_eq!(open().1.len(), 3);
    }

    #[cfg(unix)]
    #[test]
    fn lines_of_others_stay_where_locks_do_not_reach_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let open = || Journal::open_shared(&path, HEADER).unwrap().0;
        let mut one = open();
        one.pause();
        open().append(r#"{"a":1}"#).unwrap();
        one.append(r#"{"a":2}"#).unwrap();
        assert_eq!(read(&path, HEADER).unwrap(), [r#"{"a":1}"#, r#"{"a":2}"#]);
    }

    #[cfg(unix)]
    #[test]
    fn a_journal_is_open_once_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (_first, _) = Journal::open(&path, HEADER).unwrap();
        assert_eq!(open(&path).unwrap_err().kind(), io::ErrorKind::WouldBlock);
    }
}
