//! Positions and moves as text.
//!
//! A position is the board literal of the Kalah Game Protocol, the side to
//! move and, unless it is the standard one, the capture rule: `<pits,South's store,North's
//! store,South's row,North's row> S empty-capture`, each row in its owner's sowing order. A move is
//! a pit's letter, `A`… for South and `a`… for North; consecutive moves are written without spaces.
//! Parsers accept either case and spaces between the parts, and errors give the column.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::{fmt, str::FromStr};

use super::pit::{Pit, Side};
use super::position::{IllegalMove, MoveError, Played, Position};
use super::rules::{BoardError, Capture, MAX_PITS, MAX_SEEDS, Variant};
use kalah_text::names::{range, rest, shortened};

/// `<3,0,0,1,0,2,3,4,2> S`, followed by the capture rule unless it is the standard one.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.without_rule().fmt(f)?;
        match self.capture() {
            usual if usual == Capture::default() => Ok(()),
            other => write!(f, " {other}"),
        }
    }
}

/// Reads the text of a position, with the standard capture rule if it names none.
impl FromStr for Position {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        Self::parse_or(text, Capture::default())
    }
}

/// The text of a position without its capture rule, for files and protocols that state the rule
/// separately.
#[derive(Clone, Copy, Debug)]
pub struct WithoutRule<'a>(&'a Position);

impl fmt::Display for WithoutRule<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(position) = self;
        let [south, north] = Side::BOTH.map(|side| position.store(side));
        write!(f, "<{},{south},{north}", position.pits())?;
        for count in Side::BOTH.into_iter().flat_map(|side| position.row(side)) {
            write!(f, ",{count}")?;
        }
        write!(f, "> {}", position.side().initial())
    }
}

/// Reads the letter of a pit, in either case. A board need not have the pit: see
/// [`Position::parse_move`](crate::Position::parse_move).
impl FromStr for Pit {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Self, MoveError> {
        let letter = match text.as_bytes() {
            [letter] => letter.to_ascii_uppercase(),
            _ => 0,
        };
        let index = usize::from(letter.wrapping_sub(b'A'));
        if index < MAX_PITS {
            return Ok(Self::new(index));
        }
        let letters = range(Self::new(0), Self::new(MAX_PITS - 1));
        Err(MoveError::Letter { letters, got: shortened(text) })
    }
}

impl Played {
    /// The move as a letter.
    pub fn letter(self) -> char {
        self.pit.letter(self.side)
    }
}

impl Position {
    /// The text of the position without its capture rule.
    pub fn without_rule(&self) -> WithoutRule<'_> {
        WithoutRule(self)
    }

    /// Reads the text of a position whose rule, `capture`, is given separately. A missing side means
    /// South.
    ///
    /// # Errors
    /// [`BoardError`], with the column if the text is malformed; also if the text names a different
    /// rule.
    pub fn parse(text: &str, capture: Capture) -> Result<Self, BoardError> {
        let position = Self::parse_or(text, capture)?;
        match position.capture() {
            got if got == capture => Ok(position),
            got => Err(BoardError(format!("expected the rule {capture}, got {got}"))),
        }
    }

    /// Reads the text of a position, to which `capture` applies if it names no rule. A missing side
    /// means South.
    ///
    /// # Errors
    /// [`BoardError`], with the column if the text is malformed.
    pub fn parse_or(text: &str, capture: Capture) -> Result<Self, BoardError> {
        let mut cursor = Cursor::new(text);
        cursor.expect('<', "'<'")?;
        let mut numbers = vec![cursor.number()?];
        while cursor.accept(',') {
            numbers.push(cursor.number()?);
            // No board has more numbers, so a huge text is not read to its end.
            if numbers.len() > 3 + 2 * MAX_PITS {
                break;
            }
        }
        let pits = Variant::new(numbers[0] as usize, capture)?.pits();
        let expected = 3 + 2 * pits;
        if numbers.len() != expected {
            let got = numbers.len();
            let fault = format!("expected {expected} numbers for {pits} pits per row, got {got}");
            return Err(BoardError(fault));
        }
        cursor.expect('>', "',' or '>'")?;
        let side = cursor.side()?;
        let capture = cursor.capture()?.unwrap_or(capture);
        let rows = [&numbers[3..3 + pits], &numbers[3 + pits..]];
        Self::new(rows, [numbers[1], numbers[2]], side, capture)
    }

    /// Plays `moves` one after another from this position and yields the effects of each;
    /// ends before the first illegal one.
    pub fn replay(mut self, moves: &[Pit]) -> impl Iterator<Item = Played> {
        moves.iter().map_while(move |&pit| self.play(pit).ok())
    }

    /// The letters of `moves`, played from this position, each in the case of its side;
    /// ends before the first illegal one.
    pub fn letters(self, moves: &[Pit]) -> impl Iterator<Item = char> {
        self.replay(moves).map(Played::letter)
    }

    /// The range of the letters of `side`'s pits: `A to F`, or `A` if there is only one.
    pub fn pit_letters(&self, side: Side) -> String {
        let first = Pit::new(0).letter(side);
        let last = Pit::new(self.pits() - 1).letter(side);
        range(first, last)
    }

    /// The pit that a letter names, in either case; `None` if the board has no such pit.
    pub fn parse_pit(&self, text: &str) -> Option<Pit> {
        let letter = text.parse::<char>().ok().filter(char::is_ascii_alphabetic)?;
        let index = usize::from(letter.to_ascii_lowercase() as u8 - b'a');
        if index < self.pits() { Some(Pit::new(index)) } else { None }
    }

    /// Reads one move of the side to move, in either case.
    ///
    /// # Errors
    /// [`MoveError`] if `text` is not the letter of a pit or the move is illegal.
    pub fn parse_move(&self, text: &str) -> Result<Pit, MoveError> {
        let pit = self.parse_pit(text).ok_or_else(|| self.not_a_pit(text))?;
        self.check(pit).map(|()| pit)
    }

    /// Plays moves, each a letter in either case, and returns them.
    ///
    /// # Errors
    /// [`IllegalMove`] at the first illegal move, after those before it have been played.
    pub fn play_moves<'a>(
        &mut self,
        letters: impl IntoIterator<Item = &'a str>,
    ) -> Result<Vec<Pit>, IllegalMove> {
        let mut pits = Vec::new();
        for (number, letter) in (1..).zip(letters) {
            let pit = self.parse_move(letter).map_err(|error| IllegalMove { number, error })?;
            self.sow(pit);
            pits.push(pit);
        }
        Ok(pits)
    }
}

/// A parser of a position text.
struct Cursor<'a> {
    rest: &'a str,
    column: usize,
}

impl<'a> Cursor<'a> {
    fn new(text: &'a str) -> Self {
        Self { rest: text, column: 1 }
    }

    fn skip_spaces(&mut self) {
        while self.rest.starts_with([' ', '\t', '\r', '\n']) {
            self.advance(1);
        }
    }

    /// Skips `bytes` of ASCII, so that bytes are columns.
    fn advance(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
        self.column += bytes;
    }

    fn accept(&mut self, wanted: char) -> bool {
        self.skip_spaces();
        let found = self.rest.starts_with(wanted);
        if found {
            self.advance(wanted.len_utf8());
        }
        found
    }

    fn expect(&mut self, wanted: char, expected: &'static str) -> Result<(), BoardError> {
        if self.accept(wanted) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    fn number(&mut self) -> Result<u32, BoardError> {
        self.skip_spaces();
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        match self.rest[..digits].parse() {
            Ok(number) if number <= MAX_SEEDS => {
                self.advance(digits);
                Ok(number)
            }
            _ => Err(self.unexpected("a number from 0 to 32767")),
        }
    }

    /// The side to move; South if there is none.
    fn side(&mut self) -> Result<Side, BoardError> {
        let side = match self.word() {
            "" => return Ok(Side::South),
            "S" | "s" => Side::South,
            "N" | "n" => Side::North,
            word if word.parse::<Capture>().is_ok() => return Ok(Side::South),
            _ => return Err(self.unexpected("'S', 'N' or the end")),
        };
        self.advance(1);
        Ok(side)
    }

    /// The capture rule, if there is one; nothing may follow it.
    fn capture(&mut self) -> Result<Option<Capture>, BoardError> {
        let word = self.word();
        let capture = word.parse().ok();
        if capture.is_some() {
            self.advance(word.len());
        }
        match self.word() {
            "" => Ok(capture),
            _ if capture.is_some() => Err(self.unexpected("the end")),
            _ => Err(self.unexpected("a capture rule or the end")),
        }
    }

    /// The next word, which is not skipped; empty at the end.
    fn word(&mut self) -> &'a str {
        self.skip_spaces();
        self.rest.split([' ', '\t', '\r', '\n']).next().unwrap_or_default()
    }

    fn unexpected(&self, expected: &'static str) -> BoardError {
        let column = self.column;
        BoardError(format!("expected {expected} at column {column}, got {}", rest(self.rest)))
    }
}
