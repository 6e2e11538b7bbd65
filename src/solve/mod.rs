//! Exact values: what a position is worth if both sides play perfectly.
//!
//! A [`Solver`] proves gains by null-window searches (`proof`, `search`) that
//! remember what they have proved (`memory`) and look up positions with few
//! seeds in the endgame tables. No step is heuristic: memory entries hold whole
//! positions (`number`), and bounds come from the rules alone (`bounds`).
//! Nothing here reads or prints text; progress is told to a closure.
//!
//! ```
//! use kalah::kalah::{Capture, Position, Rules};
//! use kalah::score::Gain;
//! use kalah::solve::{Settings, Solver};
//!
//! let start = Position::start(Rules::new(4, 3, Capture::Standard).unwrap());
//! let mut solver = Solver::new(&start, Settings::default()).unwrap();
//! let solution = solver.solve(&start, &mut |_| true).unwrap();
//! assert_eq!(solution.margin, Gain(6));
//! ```

mod bounds;
mod busy;
mod memory;
mod number;
mod proof;
mod search;

use std::time::{Duration, Instant};

use thiserror::Error;

use crate::endgame::{BuildError, Tables, bytes};
use crate::kalah::{Capture, Pit, Position, Wide};
use crate::score::{Gain, Interval, Turn, Window};
use proof::{Proof, Status};

/// What a solver may use.
#[derive(Debug)]
pub struct Settings {
    /// Threads that search, at least 1.
    pub threads: usize,
    /// Bytes of memory for proved bounds.
    pub hash: usize,
    /// Endgame tables to look into.
    pub tables: TableChoice,
}

/// Which endgame tables a solver uses.
#[derive(Debug)]
pub enum TableChoice {
    /// Those that promise the shortest time, their building included.
    Automatic,
    /// Those with up to so many seeds in play, built first; 0 for none.
    Seeds(u32),
    /// These.
    Given(Tables),
}

impl Default for Settings {
    /// One thread, 64 MiB, tables as they pay.
    fn default() -> Self {
        Self { threads: 1, hash: 64 << 20, tables: TableChoice::Automatic }
    }
}

/// Why a position cannot be solved.
#[derive(Debug, Error)]
pub enum SolveError {
    /// The tables asked for cannot be.
    #[error(transparent)]
    Tables(#[from] BuildError),
    /// The solver was set up for other boards.
    #[error(
        "expected a position with {pits} pits a row, {capture} and at most {seeds} seeds in play, got {got}"
    )]
    Board {
        /// Pits a row.
        pits: usize,
        /// The capture rule.
        capture: Capture,
        /// The most seeds in play.
        seeds: u32,
        /// The position that came.
        got: String,
    },
    /// Whoever watched said so.
    #[error("stopped before the value was proved")]
    Stopped,
}

impl From<search::Stopped> for SolveError {
    fn from(search::Stopped: search::Stopped) -> Self {
        SolveError::Stopped
    }
}

/// What a solver under way has come to.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// What is proved of the margin asked about, as the mover sees it.
    pub proved: Interval<Gain>,
    /// Positions visited since the solver was made.
    pub nodes: u64,
    /// Time since the solver was made.
    pub elapsed: Duration,
    /// The part of the memory in use, in permille.
    pub fill: u32,
}

/// Called about ten times a second while a solver works; `false` stops it.
pub type Watch<'w> = dyn FnMut(Progress) -> bool + 'w;

/// The value of a position, and how it comes about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The mover's store minus the other's at the end, with perfect play.
    pub margin: Gain,
    /// Perfect play to the end of the game.
    pub pv: Vec<Pit>,
}

/// Solves positions of one width and capture rule, and remembers what it
/// proved from one to the next.
pub struct Solver {
    proof: AnyWidth,
    pits: usize,
    capture: Capture,
    seeds: u32,
    started: Instant,
}

/// Narrow boards are packed more tightly.
enum AnyWidth {
    Narrow(Proof<u64>),
    Wide(Proof<Wide>),
}

macro_rules! with_proof {
    ($solver:expr, $proof:ident => $body:expr) => {
        match &$solver.proof {
            AnyWidth::Narrow($proof) => $body,
            AnyWidth::Wide($proof) => $body,
        }
    };
}

impl Solver {
    /// A solver for the boards of `position` with no more seeds in play. Builds
    /// the endgame tables, which may take some seconds.
    ///
    /// # Errors
    /// [`SolveError::Tables`] if the tables asked for cannot be.
    pub fn new(position: &Position, settings: Settings) -> Result<Self, SolveError> {
        let started = Instant::now();
        let (pits, capture, seeds) = (position.pits(), position.capture(), position.in_play());
        let Settings { threads, hash, tables } = settings;
        let tables = match tables {
            TableChoice::Given(tables) => Some(tables),
            TableChoice::Seeds(0) => None,
            TableChoice::Seeds(seeds) => Some(Tables::build(pits, seeds, capture, threads)?),
            TableChoice::Automatic => match table_seeds(pits, seeds) {
                0 => None,
                seeds => Some(Tables::build(pits, seeds, capture, threads)?),
            },
        };
        let proof = if position.fits::<u64>() {
            AnyWidth::Narrow(Proof::new(pits, capture, seeds, hash, threads, tables))
        } else {
            AnyWidth::Wide(Proof::new(pits, capture, seeds, hash, threads, tables))
        };
        Ok(Self { proof, pits, capture, seeds, started })
    }

    /// The exact margin of `position` and perfect play to the end.
    ///
    /// # Errors
    /// [`SolveError::Board`] if the solver is for other boards,
    /// [`SolveError::Stopped`] if `watch` said so.
    pub fn solve(
        &mut self,
        position: &Position,
        watch: &mut Watch<'_>,
    ) -> Result<Solution, SolveError> {
        let margin = self.margin(position, None, watch)?;
        let pv = self.line(position, margin, watch)?;
        Ok(Solution { margin, pv })
    }

    /// The exact margin of `position`, as its mover sees it. A margin near
    /// `guess` is found sooner.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn margin(
        &mut self,
        position: &Position,
        guess: Option<Gain>,
        watch: &mut Watch<'_>,
    ) -> Result<Gain, SolveError> {
        self.check(position)?;
        let lead = position.lead(position.side());
        if position.is_over() {
            return Ok(position.margin(position.side()));
        }
        let in_play = position.in_play() as i32;
        let all = Interval { lower: Gain(-in_play), upper: Gain(in_play) };
        // A gain has the parity of the seeds in play.
        let guess = guess.map_or(Gain::ZERO, |margin| margin - lead);
        let guess = Gain(guess.0 + (guess.0 + in_play).rem_euclid(2));
        let mut tell = self.teller(lead, watch);
        let gain = with_proof!(self, proof => proof.gain(position.board(), all, guess, &mut tell))?;
        Ok(lead + gain)
    }

    /// The exact margin of each move, as the mover sees it; the pit nearest the
    /// store first.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn moves(
        &mut self,
        position: &Position,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<(Pit, Gain)>, SolveError> {
        self.check(position)?;
        let mut margins = Vec::new();
        for pit in position.moves().rev() {
            let (after, turn) = played(position, pit);
            margins.push((pit, turn.up(self.margin(&after, None, watch)?)));
        }
        Ok(margins)
    }

    /// Perfect play from `position`, whose exact margin is `margin`.
    fn line(
        &mut self,
        position: &Position,
        margin: Gain,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<Pit>, SolveError> {
        let mut line = Vec::new();
        let (mut position, mut margin) = (*position, margin);
        while !position.is_over() {
            let mut best = None;
            for pit in position.moves().rev() {
                let (after, turn) = played(&position, pit);
                if self.reaches(&after, turn, margin, watch)? {
                    best = Some((pit, after, turn));
                    break;
                }
            }
            let Some((pit, after, turn)) = best else {
                unreachable!("no move of {position} reaches its value {margin}");
            };
            line.push(pit);
            (position, margin) = (after, turn.up(margin));
        }
        Ok(line)
    }

    /// Whether the mover of before reaches `margin` in the position `after`.
    fn reaches(
        &mut self,
        after: &Position,
        turn: Turn,
        margin: Gain,
        watch: &mut Watch<'_>,
    ) -> Result<bool, SolveError> {
        let mover = after.side();
        let lead = after.lead(mover);
        if after.is_over() {
            return Ok(turn.up(after.margin(mover)) >= margin);
        }
        let window = Window::new(Gain(margin.0 - 2), margin).seen_by(turn).after(lead);
        let mut tell = self.teller(lead, watch);
        let unknown = Interval::unknown();
        let gain = with_proof!(self, proof => {
            let mut tell = |nodes| tell(Status { proved: unknown, nodes });
            proof.ask(after.board(), window, &mut tell)
        })?;
        Ok(match turn {
            Turn::Keeps => window.fails_high(gain),
            Turn::Passes => window.fails_low(gain),
        })
    }

    /// Positions visited so far.
    pub fn nodes(&self) -> u64 {
        with_proof!(self, proof => proof.nodes())
    }

    fn check(&self, position: &Position) -> Result<(), SolveError> {
        let same = position.pits() == self.pits && position.capture() == self.capture;
        if same && position.in_play() <= self.seeds {
            return Ok(());
        }
        let Self { pits, capture, seeds, .. } = *self;
        Err(SolveError::Board { pits, capture, seeds, got: position.to_string() })
    }

    /// Tells `watch` of margins when it is told of gains.
    fn teller(&self, lead: Gain, watch: &mut Watch<'_>) -> impl FnMut(Status) -> bool {
        move |status: Status| {
            let proved = status.proved;
            watch(Progress {
                proved: Interval { lower: lead + proved.lower, upper: lead + proved.upper },
                nodes: status.nodes,
                elapsed: self.started.elapsed(),
                fill: with_proof!(self, proof => proof.fill()),
            })
        }
    }
}

/// The position after a legal move, and whose turn it is then as its `side`
/// tells, also when the game is over.
fn played(position: &Position, pit: Pit) -> (Position, Turn) {
    let mut after = *position;
    after.play(pit).expect("a move of the position");
    let turn = if after.side() == position.side() { Turn::Keeps } else { Turn::Passes };
    (after, turn)
}

/// The seeds in play up to which a table is worth building for a search from
/// `in_play` seeds.
fn table_seeds(pits: usize, in_play: u32) -> u32 {
    let worth = |seeds: u32| bytes(pits, seeds).is_some_and(|bytes| bytes <= 100_000_000);
    (0..=in_play.saturating_sub(8)).take_while(|&seeds| worth(seeds)).last().unwrap_or(0)
}
