//! Bytes to lines. Knows no command.

use std::io::{self, BufRead, ErrorKind};

use thiserror::Error;

/// The longest line that is read, in bytes. A game of ten thousand sowings
/// needs a fiftieth of it.
pub const LONGEST_LINE: usize = 1 << 20;

/// Why a line was not read. The next one can be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LineError {
    /// The line has more than [`LONGEST_LINE`] bytes.
    #[error("expected at most {LONGEST_LINE} bytes a line, got {0}")]
    TooLong(usize),
    /// The line is no UTF-8 from this byte on, counted from 1.
    #[error("expected UTF-8, got something else at byte {0}")]
    NotUtf8(usize),
}

/// Reads the next line, without its end (LF or CRLF); none at the end of the
/// input. Of a line that is too long no more is kept than may be.
///
/// # Errors
/// Those of `input`.
pub fn read_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, LineError>>> {
    let mut line = Vec::new();
    let mut length = 0usize;
    loop {
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if buffer.is_empty() {
            let nothing_came = length == 0;
            return Ok((!nothing_came).then(|| text(line, length)));
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = buffer.get(..end.unwrap_or(buffer.len())).unwrap_or(buffer);
        length = length.saturating_add(part.len());
        let room = LONGEST_LINE.saturating_sub(line.len());
        line.extend(part.iter().take(room));
        let used = part.len().saturating_add(usize::from(end.is_some()));
        input.consume(used);
        if end.is_some() {
            return Ok(Some(text(line, length)));
        }
    }
}

fn text(line: Vec<u8>, length: usize) -> Result<String, LineError> {
    if length > line.len() {
        return Err(LineError::TooLong(length));
    }
    let mut text = String::from_utf8(line)
        .map_err(|error| LineError::NotUtf8(error.utf8_error().valid_up_to().saturating_add(1)))?;
    if text.ends_with('\r') {
        text.pop();
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn lines(bytes: &[u8]) -> Vec<Result<String, LineError>> {
        let mut input = BufReader::with_capacity(7, bytes);
        std::iter::from_fn(|| read_line(&mut input).unwrap()).collect()
    }

    fn ok(line: &str) -> Result<String, LineError> {
        Ok(line.to_owned())
    }

    #[test]
    fn lines_end_with_lf_or_crlf_or_the_input() {
        let expected = [ok("uci"), ok(""), ok("isready"), ok(" a\rb"), ok("quit")];
        assert_eq!(lines(b"uci\n\nisready\r\n a\rb\nquit"), expected);
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn a_line_that_is_no_utf8_is_refused_alone() {
        let expected = [Err(LineError::NotUtf8(3)), ok("uci\0")];
        assert_eq!(lines(b"ab\xff\xfe\nuci\0\n"), expected);
    }

    #[test]
    fn a_line_that_is_too_long_is_refused_alone() {
        let mut bytes = vec![b'x'; LONGEST_LINE];
        bytes.extend(b"\nuci\n");
        assert_eq!(lines(&bytes)[0].as_ref().map(String::len), Ok(LONGEST_LINE));
        bytes.insert(0, b'x');
        assert_eq!(lines(&bytes), [Err(LineError::TooLong(LONGEST_LINE + 1)), ok("uci")]);
    }
}
