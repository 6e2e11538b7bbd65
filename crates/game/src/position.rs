//! The rules on plain arrays, as the reference for packed boards.
//!
//! A [`Position`] is everything that players see: both rows, both stores, the side to
//! move and the capture rule. Front ends play on it, and packed [`Board`]s are made from
//! it. It is too slow to search on.

use alloc::format;
use alloc::string::{String, ToString};
use core::{array, error, fmt, mem, str::FromStr};

use crate::score::{Gain, Interval, Turn};
use kalah_text::names::{UnknownName, named, quoted, shortened};

use super::board::Board;
use super::pit::{Landing, Pit, PitSet, Side};
use super::row::Row;
use super::rules::{BoardError, Capture, MAX_PITS, MAX_SEEDS, Rules, Variant};

/// A position of a game, with its stores.
///
/// A finished position may still hold seeds in a row if it was set up that way; a move
/// that ends the game sweeps them into their owner's store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    variant: Variant,
    side: Side,
    rows: [[u16; MAX_PITS]; 2],
    stores: [u16; 2],
}

/// The start of the usual game.
impl Default for Position {
    fn default() -> Self {
        Self::start(Rules::default())
    }
}

/// Error when a pit, given directly or as text, cannot be sown.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoveError {
    /// Not a pit of the board.
    Letter {
        /// The letters of the mover's pits: `A to F`.
        letters: String,
        /// The letter of the pit, or the text, shortened.
        got: String,
    },
    /// The pit with this letter holds no seeds.
    Empty(char),
    /// The game has ended.
    Over,
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Letter { letters, got } => {
                write!(f, "expected a pit's letter, {letters}, got {}", quoted(got))
            }
            Self::Empty(letter) => write!(f, "pit {letter} is empty"),
            Self::Over => f.write_str("the game is over"),
        }
    }
}

impl error::Error for MoveError {}

/// Error in a list of moves: the first one that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IllegalMove {
    /// The number of this move in the list, from 1.
    pub number: usize,
    /// Why this move cannot be played.
    pub error: MoveError,
}

impl IllegalMove {
    /// The move with this number in a list, from 1, cannot be played.
    pub fn new(number: usize, error: MoveError) -> Self {
        Self { number, error }
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {}: {}", self.number, self.error)
    }
}

impl error::Error for IllegalMove {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        Some(&self.error)
    }
}

/// The result of a game, written as in chess, South first: `1-0`, `0-1`, `1/2-1/2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Won by the side with more seeds, or whose opponent failed.
    Won(Side),
    /// Equal stores, or adjudicated as a draw.
    Draw,
}

impl Outcome {
    /// The outcome of a game that ends with this margin for South.
    pub fn from_margin(margin: Gain) -> Self {
        match margin.0.signum() {
            1 => Outcome::Won(Side::South),
            -1 => Outcome::Won(Side::North),
            _ => Outcome::Draw,
        }
    }

    /// The result in records: `1-0`, `0-1` or `1/2-1/2`.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Won(Side::South) => "1-0",
            Outcome::Won(Side::North) => "0-1",
            Outcome::Draw => "1/2-1/2",
        }
    }

    /// The half points of `side`: 2, 1 or 0.
    pub fn half_points(self, side: Side) -> u32 {
        // In halves, so that the points of a draw are a whole number.
        match self {
            Outcome::Won(winner) if winner == side => 2,
            Outcome::Won(_) => 0,
            Outcome::Draw => 1,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Outcome {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let all = [Outcome::Won(Side::South), Outcome::Won(Side::North), Outcome::Draw];
        named("result", &all, Self::name, text)
    }
}

/// The effects of a move, in enough detail to describe it without the positions before and
/// after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// The side whose turn it was.
    pub side: Side,
    /// The pit that was sown.
    pub pit: Pit,
    /// Seeds sown: the content of the pit.
    pub sown: u32,
    /// Where the last seed fell, even if a capture then banked it.
    pub last: Landing,
    /// Seeds that went to the mover's store, including captures but not sweeps.
    pub banked: u32,
    /// Seeds captured, including the capturing one; 0 without a capture.
    pub captured: u32,
    /// Whether the mover moves again. It is [`Turn::Keeps`] whenever the last seed fell
    /// into the store, even if that ended the game.
    pub turn: Turn,
    /// Seeds that each side swept into its store at the end of the game.
    pub swept: [u32; 2],
}

impl Position {
    /// The start of a game.
    pub fn start(rules: Rules) -> Self {
        let mut row = [0; MAX_PITS];
        row[..rules.pits()].fill(rules.seeds() as u16);
        Self { variant: rules.variant(), side: Side::South, rows: [row; 2], stores: [0; 2] }
    }

    /// A position with these rows and stores, South's first.
    ///
    /// # Errors
    /// [`BoardError`] if the rows differ in length, have none or more than
    /// [`MAX_PITS`] pits, or if there are more than [`MAX_SEEDS`] seeds in all.
    pub fn new(
        rows: [&[u32]; 2],
        stores: [u32; 2],
        side: Side,
        capture: Capture,
    ) -> Result<Self, BoardError> {
        let [south, north] = rows.map(<[u32]>::len);
        if south != north {
            return Err(BoardError(format!(
                "expected two rows of the same length, got {south} pits for South and {north} for \
                 North"
            )));
        }
        let variant = Variant::new(south, capture)?;
        // The sum has 64 bits, because callers may pass any numbers.
        let seeds: u64 = rows.iter().copied().flatten().chain(&stores).map(|&n| u64::from(n)).sum();
        if seeds > MAX_SEEDS.into() {
            return Err(BoardError(format!(
                "expected at most {MAX_SEEDS} seeds in all, got {seeds}"
            )));
        }
        let rows = rows.map(|counts| {
            array::from_fn(|index| counts.get(index).map_or(0, |&count| count as u16))
        });
        Ok(Self { variant, side, rows, stores: stores.map(|seeds| seeds as u16) })
    }

    /// The width of the board and the capture rule.
    #[inline]
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Pits per row.
    #[inline]
    pub fn pits(&self) -> usize {
        self.variant.pits()
    }

    /// When the seeds of the opposite pit are captured.
    #[inline]
    pub fn capture(&self) -> Capture {
        self.variant.capture()
    }

    /// The side to move; meaningless if the game is over.
    #[inline]
    pub fn side(&self) -> Side {
        self.side
    }

    /// The seeds in each pit of `side`, in its sowing order.
    #[inline]
    pub fn row(&self, side: Side) -> &[u16] {
        &self.rows[side.index()][..self.pits()]
    }

    /// The seeds in `side`'s store.
    #[inline]
    pub fn store(&self, side: Side) -> u32 {
        self.stores[side.index()].into()
    }

    /// Seeds in the pits of both sides.
    #[inline]
    pub fn in_play(&self) -> u32 {
        self.rows.iter().flatten().map(|&n| u32::from(n)).sum()
    }

    /// All seeds, stores included.
    #[inline]
    pub fn total(&self) -> u32 {
        self.in_play() + self.store(Side::South) + self.store(Side::North)
    }

    /// Whether either row is empty.
    #[inline]
    pub fn is_over(&self) -> bool {
        let is_empty = |side| self.row(side).iter().all(|&seeds| seeds == 0);
        self.variant.is_over(is_empty(self.side), is_empty(self.side.other()))
    }

    /// `side`'s store minus the other's.
    #[inline]
    pub fn lead(&self, side: Side) -> Gain {
        Gain(self.store(side) as i32 - self.store(side.other()) as i32)
    }

    /// The margin of a finished game from `side`'s point of view, including seeds left in
    /// the rows; of any other position, the margin if the game ended now.
    pub fn margin(&self, side: Side) -> Gain {
        let [south, north] = self.swept().map(|seeds| seeds as i32);
        self.lead(side) + side.view_of(Gain(south - north))
    }

    /// The seeds that would go to South's and to North's store if the game ended now.
    fn swept(&self) -> [u32; 2] {
        let sides = [self.side, self.side.other()];
        let mut swept = [0; 2];
        for (side, seeds) in sides.into_iter().zip(self.variant.swept(sides.map(|s| self.left(s))))
        {
            swept[side.index()] = seeds;
        }
        swept
    }

    /// Whether a game from here can end with this margin for the mover.
    pub fn has_margin(&self, margin: Gain) -> bool {
        if self.is_over() {
            return margin == self.margin(self.side);
        }
        self.variant.has_gain(margin - self.lead(self.side), self.in_play())
    }

    /// The outcome of a finished game; `None` if it is not over.
    pub fn outcome(&self) -> Option<Outcome> {
        if self.is_over() { Some(Outcome::from_margin(self.margin(Side::South))) } else { None }
    }

    /// The seeds in `side`'s row.
    fn left(&self, side: Side) -> u32 {
        self.row(side).iter().map(|&seeds| u32::from(seeds)).sum()
    }

    /// The bounds of the mover's gain that follow from the seeds in play.
    pub fn gains(&self) -> Interval<Gain> {
        self.variant.gains(self.in_play())
    }

    /// The bounds of the mover's margin that follow from the stores and the seeds in play; the
    /// margin if the game is over.
    pub fn margins(&self) -> Interval<Gain> {
        if self.is_over() {
            return Interval::exactly(self.margin(self.side));
        }
        self.gains().from_child(self.lead(self.side), Turn::Keeps)
    }

    /// The player who wins whatever is played: with the rules so far, one whose store holds more than
    /// half of all seeds.
    pub fn certain_winner(&self) -> Option<Side> {
        let Interval { lower, upper } = self.margins();
        if lower > Gain::ZERO {
            Some(self.side)
        } else if upper < Gain::ZERO {
            Some(self.side.other())
        } else {
            None
        }
    }

    /// The pits that may be sown; none if the game is over.
    pub fn moves(&self) -> PitSet {
        if self.is_over() {
            return PitSet::default();
        }
        let row = self.row(self.side);
        (0..self.pits()).filter(|&index| row[index] > 0).map(Pit::new).collect()
    }

    /// Each move with the position after it, the pit farthest from the store
    /// first.
    pub fn children(&self) -> impl DoubleEndedIterator<Item = (Played, Self)> {
        let position = *self;
        self.moves().iter().map(move |pit| {
            let mut after = position;
            (after.sow(pit), after)
        })
    }

    /// Sows `pit` for the side to move.
    ///
    /// # Errors
    /// [`MoveError`] if the pit does not exist or is empty, or if the game is over. The
    /// position is then unchanged.
    pub fn play(&mut self, pit: Pit) -> Result<Played, MoveError> {
        self.check(pit)?;
        Ok(self.sow(pit))
    }

    /// Whether `pit` can be sown.
    pub(super) fn check(&self, pit: Pit) -> Result<(), MoveError> {
        let letter = pit.letter(self.side);
        if self.is_over() {
            Err(MoveError::Over)
        } else if pit.index() >= self.pits() {
            Err(self.not_a_pit(&letter.to_string()))
        } else if self.row(self.side)[pit.index()] == 0 {
            Err(MoveError::Empty(letter))
        } else {
            Ok(())
        }
    }

    pub(super) fn not_a_pit(&self, text: &str) -> MoveError {
        MoveError::Letter { letters: self.pit_letters(self.side), got: shortened(text) }
    }

    /// Sows a pit, which must hold seeds.
    pub(super) fn sow(&mut self, from: Pit) -> Played {
        let pits = self.pits();
        let own = self.side.index();
        let other = self.side.other().index();
        let banked_before = self.stores[own];

        let sown = mem::take(&mut self.rows[own][from.index()]);
        for seed in 1..=sown.into() {
            match from.landing(seed, pits) {
                Landing::Own(pit) => self.rows[own][pit.index()] += 1,
                Landing::Store => self.stores[own] += 1,
                Landing::Opponent(pit) => self.rows[other][pit.index()] += 1,
            }
        }

        let last = from.landing(sown.into(), pits);
        let mut captured = 0;
        // One seed means that the pit was empty, or that a whole lap ended where it began.
        if let Landing::Own(pit) = last
            && self.rows[own][pit.index()] == 1
        {
            let opposite = pit.opposite(pits).index();
            if self.variant.captures(self.rows[other][opposite].into()) {
                captured = 1 + mem::take(&mut self.rows[other][opposite]);
                self.rows[own][pit.index()] = 0;
                self.stores[own] += captured;
            }
        }

        let played = Played {
            side: self.side,
            pit: from,
            sown: sown.into(),
            last,
            banked: (self.stores[own] - banked_before).into(),
            captured: captured.into(),
            turn: if last == Landing::Store { Turn::Keeps } else { Turn::Passes },
            swept: [0; 2],
        };
        if played.turn == Turn::Passes {
            self.side = self.side.other();
        }
        // Either row may be the empty one, regardless of who would move next. Only the plain rules
        // sweep; the packed ones leave that to `final_gain`, because no search continues here.
        if self.is_over() {
            return Played { swept: self.sweep(), ..played };
        }
        played
    }

    /// Ends the game: moves the seeds left in the rows to the stores.
    pub fn sweep(&mut self) -> [u32; 2] {
        let swept = self.swept();
        self.rows = [[0; MAX_PITS]; 2];
        for (store, seeds) in self.stores.iter_mut().zip(swept) {
            *store += seeds as u16;
        }
        swept
    }

    /// The pits as a packed board, from the point of view of the side to move.
    pub fn board<R: Row>(&self) -> Board<R> {
        debug_assert!(self.fits::<R>());
        Board {
            own: R::from_counts(self.row(self.side)),
            opponent: R::from_counts(self.row(self.side.other())),
        }
    }

    /// Whether this position, and therefore every one after it, fits on packed rows of
    /// type `R`.
    pub fn fits<R: Row>(&self) -> bool {
        self.pits() <= R::LANES && self.in_play() <= R::CAPACITY
    }

    /// The position without its stores and with South to move, which is all that a gain
    /// depends on.
    #[must_use]
    pub fn without_stores(&self) -> Self {
        let south = if self.side == Side::South { *self } else { self.mirrored() };
        Self { stores: [0; 2], ..south }
    }

    /// The same position with the sides exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut mirrored = *self;
        mirrored.rows.swap(0, 1);
        mirrored.stores.swap(0, 1);
        mirrored.side = self.side.other();
        mirrored
    }
}
