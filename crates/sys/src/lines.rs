//! Lines of bounded length from an untrusted source: a manager, an engine or a person. This
//! module knows no commands.

use std::io::{self, BufRead, Read};

use thiserror::Error;

/// Error for a refused line. The next line can still be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LineError {
    /// The line has more than this many bytes.
    #[error("line too long (limit {0} bytes)")]
    TooLong(usize),
    /// The first byte that is not UTF-8, counted from 1.
    #[error("expected UTF-8, got an invalid byte at position {0}")]
    NotUtf8(usize),
}

/// The lines of `input`, without their ends (LF or CRLF).
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    longest: usize,
    /// The part of the next line that has arrived.
    begun: Vec<u8>,
    /// Whether the rest of a line that was too long is still to be skipped.
    skipping: bool,
    /// Whether the next line is the first, which may begin with a byte order mark: PowerShell
    /// writes one into a pipe.
    is_first: bool,
}

impl<R> Lines<R> {
    /// The input, for writing if it is a connection.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.input
    }
}

impl<R: BufRead> Lines<R> {
    /// Refuses lines of more than `longest` bytes.
    pub fn new(input: R, longest: usize) -> Self {
        Self { input, longest, begun: Vec::new(), skipping: false, is_first: true }
    }

    /// The next line, which need not be text; `None` at the end or if the input fails.
    ///
    /// # Errors
    /// [`LineError::TooLong`], as soon as the limit is passed: the line may never end.
    pub fn next_bytes(&mut self) -> Option<Result<Vec<u8>, LineError>> {
        self.read().ok()?
    }

    /// The next line of text; `None` at the end.
    ///
    /// # Errors
    /// Errors of the input. A partly read line is kept, so that a non-blocking input can be
    /// tried again.
    pub fn try_next(&mut self) -> io::Result<Option<Result<String, LineError>>> {
        Ok(self.read()?.map(|line| line.and_then(text)))
    }

    fn read(&mut self) -> io::Result<Option<Result<Vec<u8>, LineError>>> {
        // The rest of a long line is skipped only now, not before the error was returned, because
        // the rest may never arrive.
        if self.skipping {
            self.input.skip_until(b'\n')?;
            self.skipping = false;
        }
        // One byte more than a line may have: either its end or the proof that it is too long.
        let with_end = (self.longest + 1 - self.begun.len()) as u64;
        self.input.by_ref().take(with_end).read_until(b'\n', &mut self.begun)?;
        if self.begun.is_empty() {
            return Ok(None);
        }
        let mut line = std::mem::take(&mut self.begun);
        if line.pop_if(|last| *last == b'\n').is_none() && line.len() > self.longest {
            self.skipping = true;
            return Ok(Some(Err(LineError::TooLong(self.longest))));
        }
        line.pop_if(|last| *last == b'\r');
        if std::mem::take(&mut self.is_first) && line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(Some(Ok(line)))
    }
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

fn text(bytes: Vec<u8>) -> Result<String, LineError> {
    String::from_utf8(bytes)
        .map_err(|error| LineError::NotUtf8(error.utf8_error().valid_up_to() + 1))
}

/// Lines of text: a line that is not UTF-8 is an error, too.
impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<String, LineError>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.next_bytes()?.and_then(text))
    }
}
