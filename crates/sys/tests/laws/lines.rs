use std::io::{self, BufReader, Read};

use kalah_sys::lines::{LineError, Lines};

fn lines(bytes: &[u8]) -> Vec<Result<String, LineError>> {
    Lines::new(BufReader::with_capacity(7, bytes), 10).collect()
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
fn only_the_first_line_may_begin_with_a_byte_order_mark() {
    let expected = [ok("uci"), ok("\u{feff}uci")];
    assert_eq!(lines("\u{feff}uci\r\n\u{feff}uci".as_bytes()), expected);
}

#[test]
fn only_a_line_that_is_not_utf8_is_refused() {
    let expected = [Err(LineError::NotUtf8(3)), ok("uci\0")];
    assert_eq!(lines(b"ab\xff\xfe\nuci\0\n"), expected);
}

#[test]
fn only_an_overlong_line_is_refused_and_before_it_ends() {
    let too_long: Result<String, _> = Err(LineError::TooLong(10));
    assert_eq!(lines(b"0123456789\nuci"), [ok("0123456789"), ok("uci")]);
    assert_eq!(lines(b"0123456789x\nuci"), [too_long.clone(), ok("uci")]);
    assert_eq!(lines(b"0123456789 and more\n\nuci"), [too_long.clone(), ok(""), ok("uci")]);
    let mut endless = Lines::new(BufReader::new(std::io::repeat(b'x')), 10);
    assert_eq!(endless.next(), Some(too_long));
}

#[test]
fn an_input_that_would_block_loses_no_part_of_a_line() {
    /// Blocks before every other byte.
    struct Slow(&'static [u8], bool);
    impl Read for Slow {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 { Err(io::ErrorKind::WouldBlock.into()) } else { self.0.read(&mut to[..1]) }
        }
    }
    let mut lines = Lines::new(BufReader::new(Slow(b"ab\r\n0123456789 and more\nc\n", false)), 10);
    let mut read = Vec::new();
    loop {
        match lines.try_next() {
            Ok(Some(line)) => read.push(line),
            Ok(None) => break,
            Err(error) => assert_eq!(error.kind(), io::ErrorKind::WouldBlock),
        }
    }
    assert_eq!(read, [ok("ab"), Err(LineError::TooLong(10)), ok("c")]);
}
