//! A file that only grows, a checked line at a time: what was appended survives a
//! crash, and what was altered is noticed.

use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::files;

/// What stands before the checksum of a line: its last field.
const CHECK: &str = r#","check":""#;

/// A journal, open for appending and locked.
#[derive(Debug)]
pub struct Journal {
    file: File,
    /// Bytes of whole lines.
    length: u64,
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
        if path.exists() {
            files::open(path)?;
        }
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        files::lock(&file, false)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let begin = with_checksum(header) + "\n";
        let is_foreign = !begin.as_bytes().starts_with(&bytes[..bytes.len().min(begin.len())]);
        if is_foreign {
            return Err(invalid(format!("expected a first line '{}'", begin.trim_end())));
        }
        let length = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let text = std::str::from_utf8(&bytes[..length]).map_err(invalid)?;
        let line = |(number, line): (usize, &str)| {
            let fields = line.rsplit_once(CHECK).filter(|_| has_checksum(line) == Ok(true));
            let fields = fields.ok_or_else(|| invalid(format!("line {number} is damaged")))?;
            Ok(format!("{}}}", fields.0))
        };
        let lines = (1..).zip(text.lines()).skip(1).map(line).collect::<io::Result<_>>()?;
        let mut journal = Self { file, length: length as u64 };
        journal.cut()?;
        if length == 0 {
            journal.append(header)?;
        }
        Ok((journal, lines))
    }

    /// Appends a line, a JSON object with some field. When this returns, it
    /// survives a crash.
    ///
    /// # Errors
    /// That of the system; the journal is then as before, as far as the system
    /// allows, and another line can be tried.
    pub fn append(&mut self, object: &str) -> io::Result<()> {
        // One write for the line and its end, so that a line without an end is
        // always a torn one.
        let line = with_checksum(object) + "\n";
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        match written {
            Ok(()) => self.length += line.len() as u64,
            Err(_) => drop(self.cut()),
        }
        written
    }

    /// Cuts off what is after the last whole line.
    fn cut(&mut self) -> io::Result<()> {
        self.file.set_len(self.length)?;
        self.file.seek(SeekFrom::Start(self.length)).map(drop)
    }
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
            assert!(open(&path).is_err(), "bit {bit}");
            assert_eq!(fs::read(&path).unwrap(), altered, "bit {bit}");
        }
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
    fn a_journal_is_open_once_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (_first, _) = Journal::open(&path, HEADER).unwrap();
        assert_eq!(open(&path).unwrap_err().kind(), io::ErrorKind::WouldBlock);
    }
}
