//! Exact values: what a position is worth if both sides play perfectly.
//!
//! A [`Solver`] proves gains by null-window searches (`proof`, `search`) that
//! remember what they have proved (`memory`) and look up positions with few
//! seeds in the endgame tables. No step is heuristic: memory entries hold whole
//! positions (`number`), and bounds come from the rules alone (`bounds`).
//! Nothing here reads or prints text; progress is told to a closure.
//!
//! ```
//! use kalah::game::{Capture, Position, Rules};
//! use kalah::score::Gain;
//! use kalah::solve::{Settings, Solver};
//!
//! let start = Position::start(Rules::new(4, 3, Capture::Standard).unwrap());
//! let mut solver = Solver::new(&start, Settings::default()).unwrap();
//! let solution = solver.solve(&start, &mut |_| true).unwrap();
//! assert_eq!(solution.margin, Gain(6));
//! ```

mod bounds;
mod memory;
mod number;
pub mod openings;
mod plan;
mod proof;
mod search;

use std::collections::{HashMap, TryReserveError};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::endgame::{BuildError, Tables};
use crate::game::{Pit, Position, Side, Variant, Wide};
use crate::score::{Gain, Interval, Turn, Window};
use crate::sys::machine::available_memory;
pub use plan::Plan;
use proof::{Proof, Status};
pub use search::Order;

/// Memory to plan with where the system does not tell: 2 GiB.
const UNKNOWN_MEMORY: u64 = 2 << 30;

/// What a solver may use.
#[derive(Debug)]
pub struct Settings {
    /// Threads that search, at least 1.
    pub threads: usize,
    /// Bytes of memory for proved bounds; by default what the search seems to
    /// need.
    pub hash: Option<usize>,
    /// Endgame tables to look into.
    pub tables: TableChoice,
    /// What is searched first.
    pub order: Order,
    /// What a margin may be, as the mover sees it, before anything is proved:
    /// a good guess saves much of a long proof, a bad one costs time only.
    pub guess: fn(&Position) -> Option<Gain>,
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
    /// One thread, tables and memory as they pay, no guess.
    fn default() -> Self {
        Self {
            threads: 1,
            hash: None,
            tables: TableChoice::Automatic,
            order: Order::Usual,
            guess: |_| None,
        }
    }
}

/// Why a position cannot be solved.
#[derive(Debug, Error)]
pub enum SolveError {
    /// The tables asked for cannot be.
    #[error(transparent)]
    Tables(#[from] BuildError),
    /// The tables given are for other boards.
    #[error("expected tables for {expected}, got tables for {got}")]
    OtherTables {
        /// The variant of the position.
        expected: Variant,
        /// The variant of the tables.
        got: Variant,
    },
    /// Not enough memory.
    #[error(
        "needs {} MiB of memory ({} MiB for bounds, the rest for tables up to {} seeds), \
         {} MiB are available",
        plan.bytes(*pits) >> 20, plan.hash >> 20, plan.table_seeds, available >> 20
    )]
    Memory {
        /// What was asked for.
        plan: Plan,
        /// Pits a row.
        pits: usize,
        /// Bytes that there are.
        available: u64,
    },
    /// The system gives no memory.
    #[error("no memory for bounds: {0}")]
    Refused(#[from] TryReserveError),
    /// The solver was set up for other boards.
    #[error("expected a position of {variant}, with at most {seeds} seeds in play, got {got}")]
    Board {
        /// The variant that the solver was made for.
        variant: Variant,
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
    /// The position asked about, without its stores and with South to move.
    pub pits: Position,
    /// What is proved of its gain.
    pub gain: Interval<Gain>,
    /// The same of the margin, as the mover sees it.
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
    variant: Variant,
    seeds: u32,
    guess: fn(&Position) -> Option<Gain>,
    started: Instant,
    /// What is proved of gains, by position without stores.
    known: HashMap<Position, Interval<Gain>>,
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
    /// [`SolveError::Tables`] if the tables asked for cannot be,
    /// [`SolveError::Memory`] or [`SolveError::Refused`] if the memory does not
    /// suffice.
    pub fn new(position: &Position, settings: Settings) -> Result<Self, SolveError> {
        let started = Instant::now();
        let (variant, seeds) = (position.variant(), position.in_play());
        let pits = variant.pits();
        let Settings { threads, hash, tables, order, guess } = settings;
        let wanted = match &tables {
            TableChoice::Automatic => None,
            TableChoice::Seeds(seeds) => Some(*seeds),
            TableChoice::Given(tables) => Some(tables.seeds()),
        };
        let given = matches!(tables, TableChoice::Given(_));
        let available = available_memory().unwrap_or(UNKNOWN_MEMORY);
        let plan = Plan::new(variant, seeds, available, wanted, hash);
        if plan.bytes(pits) > available && !given {
            return Err(SolveError::Memory { plan, pits, available });
        }
        log::info!("tables up to {} seeds, {} MiB for bounds", plan.table_seeds, plan.hash >> 20);
        let tables = match tables {
            TableChoice::Given(tables) if tables.variant() != variant => {
                let got = tables.variant();
                return Err(SolveError::OtherTables { expected: variant, got });
            }
            TableChoice::Given(tables) => Some(tables),
            _ if plan.table_seeds == 0 => None,
            _ => Some(Tables::build(variant, plan.table_seeds, threads)?),
        };
        let hash = plan.hash;
        let proof = if position.fits::<u64>() {
            AnyWidth::Narrow(Proof::new(variant, seeds, hash, threads, tables, order)?)
        } else {
            AnyWidth::Wide(Proof::new(variant, seeds, hash, threads, tables, order)?)
        };
        Ok(Self { proof, variant, seeds, guess, started, known: HashMap::new() })
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
    /// `guess`, or else near that of [`Settings::guess`], is found sooner.
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
        let bare = without_stores(position);
        let mut proved = self.proved(&bare);
        // A gain has the parity of the seeds in play.
        let guess = guess.or_else(|| (self.guess)(position));
        let guess = guess.map_or(Gain::ZERO, |margin| margin - lead);
        let guess = Gain(guess.0 + (guess.0 + position.in_play() as i32).rem_euclid(2));
        let known = proved;
        let mut tell = self.teller(bare, lead, watch);
        let mut note = |status: Status| {
            proved = status.proved;
            tell(status)
        };
        let gain =
            with_proof!(self, proof => proof.gain(position.board(), known, guess, &mut note));
        drop(tell);
        self.known.insert(bare, gain.map_or(proved, Interval::exactly));
        Ok(lead + gain?)
    }

    /// What is proved of the gain of a position without stores.
    fn proved(&self, bare: &Position) -> Interval<Gain> {
        let all = bare.in_play() as i32;
        let all = Interval { lower: Gain(-all), upper: Gain(all) };
        self.known.get(bare).copied().unwrap_or(all)
    }

    /// Takes in what was proved of the gain of `position` before, as
    /// [`Progress::gain`] told it.
    pub fn learn(&mut self, position: &Position, gain: Interval<Gain>) {
        let bare = without_stores(position);
        let known = self.proved(&bare);
        let lower = known.lower.max(gain.lower);
        let upper = known.upper.min(gain.upper);
        self.known.insert(bare, Interval { lower, upper });
    }

    /// Whether `margin` is the exact margin of `position`, asked by two
    /// questions that owe nothing to how it was found: is there more, and is
    /// there as much?
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn confirm(
        &mut self,
        position: &Position,
        margin: Gain,
        watch: &mut Watch<'_>,
    ) -> Result<bool, SolveError> {
        self.check(position)?;
        let more = self.reaches(position, Turn::Keeps, Gain(margin.0 + 2), watch)?;
        Ok(!more && self.reaches(position, Turn::Keeps, margin, watch)?)
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
        // The best move has the position's own margin, and the others may not be
        // far from it.
        let best = self.margin(position, None, watch)?;
        let mut margins = Vec::new();
        for pit in position.moves().rev() {
            let (after, turn) = played(position, pit);
            let guess = (self.guess)(&after).unwrap_or(turn.from_child(best));
            margins.push((pit, turn.from_child(self.margin(&after, Some(guess), watch)?)));
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
            let moves = position.moves().rev().map(|pit| {
                let (after, turn) = played(&position, pit);
                (pit, after, turn)
            });
            // What proved the margin is mostly remembered.
            let mut best = moves
                .clone()
                .find(|(_, after, turn)| self.known(after, *turn, margin) == Some(true));
            for (pit, after, turn) in moves {
                if best.is_none() && self.reaches(&after, turn, margin, watch)? {
                    best = Some((pit, after, turn));
                }
            }
            let Some((pit, after, turn)) = best else {
                unreachable!("no move of {position} reaches its value {margin}");
            };
            line.push(pit);
            (position, margin) = (after, turn.from_child(margin));
        }
        Ok(line)
    }

    /// Whether the mover of before reaches `margin` in the position `after`, if
    /// that is known.
    fn known(&self, after: &Position, turn: Turn, margin: Gain) -> Option<bool> {
        let mover = after.side();
        if after.is_over() {
            return Some(turn.from_child(after.margin(mover)) >= margin);
        }
        let window = asked(after, turn, margin);
        let gain = with_proof!(self, proof => proof.known(after.board(), window))?;
        Some(answer(turn, window, gain))
    }

    /// Whether the mover of before reaches `margin` in the position `after`.
    fn reaches(
        &mut self,
        after: &Position,
        turn: Turn,
        margin: Gain,
        watch: &mut Watch<'_>,
    ) -> Result<bool, SolveError> {
        if let Some(known) = self.known(after, turn, margin) {
            return Ok(known);
        }
        let lead = after.lead(after.side());
        let window = asked(after, turn, margin);
        let bare = without_stores(after);
        let known = self.proved(&bare);
        let mut tell = self.teller(bare, lead, watch);
        let gain = with_proof!(self, proof => {
            let mut tell = |nodes| tell(Status { proved: known, nodes });
            proof.ask(after.board(), window, &mut tell)
        })?;
        Ok(answer(turn, window, gain))
    }

    /// Positions visited so far.
    pub fn nodes(&self) -> u64 {
        with_proof!(self, proof => proof.nodes())
    }

    fn check(&self, position: &Position) -> Result<(), SolveError> {
        if position.variant() == self.variant && position.in_play() <= self.seeds {
            return Ok(());
        }
        let Self { variant, seeds, .. } = *self;
        Err(SolveError::Board { variant, seeds, got: position.to_string() })
    }

    /// Tells `watch` of margins when it is told of gains.
    fn teller(
        &self,
        bare: Position,
        lead: Gain,
        watch: &mut Watch<'_>,
    ) -> impl FnMut(Status) -> bool {
        move |status: Status| {
            let proved = status.proved;
            watch(Progress {
                pits: bare,
                gain: proved,
                proved: Interval { lower: lead + proved.lower, upper: lead + proved.upper },
                nodes: status.nodes,
                elapsed: self.started.elapsed(),
                fill: with_proof!(self, proof => proof.fill()),
            })
        }
    }
}

/// The question for the mover of `after` whether the mover of before, who made
/// it by a move with that `turn`, reaches `margin`.
fn asked(after: &Position, turn: Turn, margin: Gain) -> Window<Gain> {
    Window::new(Gain(margin.0 - 2), margin).seen_by(turn).after(after.lead(after.side()))
}

/// What `gain` says to the mover of before, if it answers `window`.
fn answer(turn: Turn, window: Window<Gain>, gain: Gain) -> bool {
    match turn {
        Turn::Keeps => window.fails_high(gain),
        Turn::Passes => window.fails_low(gain),
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

/// The position without its stores and with South to move: all that a gain
/// depends on.
fn without_stores(position: &Position) -> Position {
    let row = |side| position.row(side).iter().map(|&n| u32::from(n)).collect::<Vec<_>>();
    let (own, opponent) = (row(position.side()), row(position.side().other()));
    Position::new([&own, &opponent], [0, 0], Side::South, position.capture())
        .expect("the rows of a position")
}
