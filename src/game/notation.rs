//! Positions and moves as text.
//!
//! A position is the board literal of the Kalah Game Protocol and the side to
//! move: `<pits,South's store,North's store,South's row,North's row> S`, each
//! row in its owner's sowing order. A move is a pit's letter, `A`… for South
//! and `a`… for North; consecutive moves are written without spaces. Parsers
//! accept either case and spaces between the parts, and errors name the column.

use std::fmt;

use super::pit::{Pit, Side};
use super::position::{IllegalMove, MoveError, Played, Position, PositionError};
use super::rules::{Capture, MAX_PITS, MAX_SEEDS, Variant};
use crate::sys::names::{range, shortened};

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{},{},{}", self.pits(), self.store(Side::South), self.store(Side::North))?;
        for count in Side::BOTH.into_iter().flat_map(|side| self.row(side)) {
            write!(f, ",{count}")?;
        }
        let side = match self.side() {
            Side::South => 'S',
            Side::North => 'N',
        };
        write!(f, "> {side}")
    }
}

impl Played {
    /// The move as a letter.
    pub fn letter(self) -> char {
        self.pit.letter(self.side)
    }
}

impl Position {
    /// Reads a position text; a missing side means South.
    ///
    /// # Errors
    /// [`PositionError`], with the column if the text is malformed.
    pub fn parse(text: &str, capture: Capture) -> Result<Self, PositionError> {
        let mut cursor = Cursor::new(text);
        cursor.expect('<', "'<'")?;
        let mut numbers = vec![cursor.number()?];
        while cursor.accept(',') {
            numbers.push(cursor.number()?);
            // More than any board has: a huge text need not be read to its end.
            if numbers.len() > 3 + 2 * MAX_PITS {
                break;
            }
        }
        let pits = Variant::new(numbers[0] as usize, capture)?.pits();
        let expected = 3 + 2 * pits;
        if numbers.len() != expected {
            return Err(PositionError::Count { pits, expected, got: numbers.len() });
        }
        cursor.expect('>', "',' or '>'")?;
        let side = cursor.side()?;
        let rows = [&numbers[3..3 + pits], &numbers[3 + pits..]];
        Self::new(rows, [numbers[1], numbers[2]], side, capture)
    }

    /// What each of `moves` does, played one after another from here; ends before the
    /// first illegal one.
    pub fn replay(mut self, moves: &[Pit]) -> impl Iterator<Item = Played> {
        moves.iter().map_while(move |&pit| self.play(pit).ok())
    }

    /// The letters of `moves`, played from here, each in the case of its side; ends
    /// before the first illegal one.
    pub fn letters(self, moves: &[Pit]) -> impl Iterator<Item = char> {
        self.replay(moves).map(Played::letter)
    }

    /// The range of the letters of `side`'s pits: `A to F`, or `A` if there is only one.
    pub fn pit_letters(&self, side: Side) -> String {
        let [first, last] = [0, self.pits() - 1].map(|index| Pit::new(index).letter(side));
        range(first, last)
    }

    /// The pit of the board that a letter names, in either case.
    pub fn parse_pit(&self, text: &str) -> Option<Pit> {
        let letter = text.parse::<char>().ok().filter(char::is_ascii_alphabetic)?;
        let index = usize::from(letter.to_ascii_lowercase() as u8 - b'a');
        (index < self.pits()).then(|| Pit::new(index))
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

    /// Skips `bytes` of ASCII.
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

    fn expect(&mut self, wanted: char, expected: &'static str) -> Result<(), PositionError> {
        if self.accept(wanted) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    fn number(&mut self) -> Result<u32, PositionError> {
        self.skip_spaces();
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let number = self.rest[..digits].parse().ok().filter(|&n: &u32| n <= MAX_SEEDS);
        let number = number.ok_or_else(|| self.unexpected("a number from 0 to 32767"))?;
        self.advance(digits);
        Ok(number)
    }

    fn side(&mut self) -> Result<Side, PositionError> {
        self.skip_spaces();
        let side = match self.rest.trim_end() {
            "" | "S" | "s" => Side::South,
            "N" | "n" => Side::North,
            _ => return Err(self.unexpected("'S', 'N' or the end")),
        };
        Ok(side)
    }

    fn unexpected(&self, expected: &'static str) -> PositionError {
        let got = match self.rest {
            "" => "the end".to_owned(),
            rest => format!("'{}'", shortened(rest)),
        };
        PositionError::Unexpected { expected, column: self.column, got }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;

    fn error(text: &str) -> String {
        Position::parse(text, Capture::Standard).unwrap_err().to_string()
    }

    #[test]
    fn the_start_position_reads_back_with_and_without_its_side() {
        let text = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S";
        let start = Position::start(Rules::default());
        assert_eq!(start.to_string(), text);
        assert_eq!(Position::parse(text, Capture::Standard), Ok(start));
        assert_eq!(Position::parse(&text[..text.len() - 2], Capture::Standard), Ok(start));
    }

    #[test]
    fn spaces_and_case_are_ignored() {
        let north = Position::parse("<1,0,0,4,4> N", Capture::Standard);
        assert!(north.is_ok());
        assert_eq!(Position::parse(" < 1, 0,0 ,4 ,4 >n \r\n", Capture::Standard), north);
    }

    #[test]
    fn errors_say_what_was_expected_and_where() {
        assert_eq!(error(""), "expected '<' at column 1, got the end");
        assert_eq!(error("startpos"), "expected '<' at column 1, got 'startpos'");
        assert_eq!(error("<1,0,0,4,4"), "expected ',' or '>' at column 11, got the end");
        assert_eq!(
            error("<1,0,0,4,x>"),
            "expected a number from 0 to 32767 at column 10, got 'x>'"
        );
        assert_eq!(
            error("<1,0,0,4,-1>"),
            "expected a number from 0 to 32767 at column 10, got '-1>'"
        );
        assert_eq!(error("<2,0,0,4,4> S"), "expected 7 numbers for 2 pits per row, got 5");
        assert_eq!(error("<0,0,0> S"), "expected 1 to 16 pits per row, got 0");
        assert_eq!(error("<1,0,0,4,4> W"), "expected 'S', 'N' or the end at column 13, got 'W'");
        assert_eq!(error("<1,0,0,20000,20000>"), "expected at most 32767 seeds in all, got 40000");
        assert_eq!(
            error("<1,99999999999,0,4,4>"),
            "expected a number from 0 to 32767 at column 4, got '99999999999,0,4,4>'"
        );
    }

    #[test]
    fn letters_change_case_with_the_side_and_end_at_an_illegal_move() {
        let moves = [2, 0, 2, 2, 1].map(Pit::new);
        let letters = Position::start(Rules::default()).letters(&moves);
        assert_eq!(String::from_iter(letters), "CAc");
    }

    #[test]
    fn the_first_illegal_of_several_moves_is_named_by_its_number() {
        let mut position = Position::start(Rules::default());
        assert_eq!(position.play_moves(["c", "A", "b"]).map(|moves| moves.len()), Ok(3));
        let error = position.play_moves(["B", "x", "q"]).unwrap_err();
        assert_eq!(error.to_string(), "move 2: expected a pit's letter, A to F, got 'x'");
    }

    #[test]
    fn moves_are_letters_of_the_side_to_move_in_either_case() {
        let mut position = Position::start(Rules::default());
        assert_eq!(position.parse_move("c"), Ok(Pit::new(2)));
        assert_eq!(position.parse_move("C"), Ok(Pit::new(2)));
        position.play(Pit::new(2)).unwrap();
        let error = |text| position.parse_move(text).unwrap_err().to_string();
        assert_eq!(error("c"), "pit C is empty");
        assert_eq!(error("g"), "expected a pit's letter, A to F, got 'g'");
        assert_eq!(error("AB"), "expected a pit's letter, A to F, got 'AB'");
        assert_eq!(error(""), "expected a pit's letter, A to F, got ''");
        assert_eq!(error("ä"), "expected a pit's letter, A to F, got 'ä'");
    }
}
