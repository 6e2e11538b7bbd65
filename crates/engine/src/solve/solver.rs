//! The solver: from a position to its exact margin, by a series of questions.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use std::{fs, io};

use thiserror::Error;

use super::order::Order;
use super::plan::TablePlan;
use super::proof::{AnyProof, Proof, STACK_BYTES, Unanswered};
use super::proof_table::ProofTable;
use super::search::{GainQuestion, ProofStatus};
use crate::endgame::{BuildError, Extent, FoundLayers, OtherTables, Tables};
use kalah_game::{Gain, Interval, Pit, Position, Turn, Variant, Window, with_row};
use kalah_sys::clock::Instant;
use kalah_sys::files::FileError;
use kalah_sys::log;
use kalah_sys::machine::available_memory;
use kalah_sys::memory::HEADER_BYTES;

/// The memory assumed if the system does not report any: 2 GiB.
const UNKNOWN_MEMORY: u64 = 2 << 30;

/// The resources and settings of a solver.
#[derive(Debug)]
#[non_exhaustive]
pub struct SolverSettings {
    /// Search threads, at least 1.
    pub threads: usize,
    /// Bytes for the transposition table; by default estimated from the seeds in
    /// play.
    pub hash: Option<usize>,
    /// A file to keep the transposition table in; an existing file determines its size.
    pub kept_table: Option<PathBuf>,
    /// The endgame tables to probe.
    pub tables: TableChoice,
    /// The order in which moves are searched.
    pub order: Order,
    /// Guesses the margin of a position, from its mover's point of view, before anything
    /// is proved. A good guess saves much of a long proof; a bad one only costs time.
    pub guess: fn(&Position) -> Option<Gain>,
    /// Called while endgame tables are being built, with the number of positions built since
    /// the last call and the total number.
    pub on_tables: fn(u64, u64),
}

/// Which endgame tables a solver uses.
#[derive(Debug)]
pub enum TableChoice {
    /// Tables of the size with the shortest estimated time, including building them. Layers
    /// found in the folder are read instead of being built.
    Automatic(Option<PathBuf>),
    /// Tables with up to this many seeds in play, built first; 0 for none.
    Seeds(u32),
    /// Tables built or read before.
    Given(Arc<Tables>),
}

impl Default for SolverSettings {
    /// One thread, both kinds of tables sized by estimate, no guess.
    fn default() -> Self {
        Self {
            threads: 1,
            hash: None,
            kept_table: None,
            tables: TableChoice::Automatic(None),
            order: Order::Standard,
            guess: |_| None,
            on_tables: |_, _| (),
        }
    }
}

/// Each setting can be changed on its own: `SolverSettings::default().threads(2).hash(1 << 30)`.
impl SolverSettings {
    /// With this number of search threads, at least 1.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// With this number of bytes for the transposition table, or `None` for an estimate.
    #[must_use]
    pub fn hash(self, bytes: impl Into<Option<usize>>) -> Self {
        Self { hash: bytes.into(), ..self }
    }

    /// With a file to keep the transposition table in, or `None`.
    #[must_use]
    pub fn kept_table(self, file: impl Into<Option<PathBuf>>) -> Self {
        Self { kept_table: file.into(), ..self }
    }

    /// With these endgame tables.
    #[must_use]
    pub fn tables(self, tables: TableChoice) -> Self {
        Self { tables, ..self }
    }

    /// With this order of moves.
    #[must_use]
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }
}

/// Error when setting up a solver, or when solving a position.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages describe the fields")]
#[non_exhaustive]
pub enum SolveError {
    /// The endgame tables cannot be built.
    #[error(transparent)]
    Tables(#[from] BuildError),
    /// The given tables are for a different variant.
    #[error(transparent)]
    OtherTables(#[from] OtherTables),
    /// The settings need more memory than is available.
    #[error(
        "the settings need {} MiB of memory ({} MiB for the transposition table, the rest for tables \
         of {table_seeds} seeds), and {} MiB are available",
        needed >> 20, hash >> 20, available >> 20
    )]
    Memory { needed: u64, hash: usize, table_seeds: u32, available: u64 },
    /// The system refuses to allocate the transposition table.
    #[error("cannot allocate the transposition table: {0}")]
    Refused(#[from] io::Error),
    /// The file of the transposition table cannot be used.
    #[error(transparent)]
    KeptTable(#[from] FileError),
    /// The position is of a different variant or has more seeds in play than the solver allows.
    #[error("expected a position of {variant}, with at most {seeds} seeds in play, got {got}")]
    Board { variant: Variant, seeds: u32, got: String },
    /// Bounds given to [`Solver::import_bounds`] are wrong.
    #[error("{0}: the imported bounds contradict the search")]
    Contradiction(Position),
    /// The system refuses to start a thread.
    #[error("cannot start a thread with a stack of {stack} MiB: {0}", stack = STACK_BYTES >> 20)]
    NoThread(#[source] io::Error),
    /// Cancelled by the caller.
    #[error("stopped before the value was proved")]
    Stopped,
}

impl From<Unanswered> for SolveError {
    fn from(reason: Unanswered) -> Self {
        match reason {
            Unanswered::NoThread(error) => SolveError::NoThread(error),
            Unanswered::Stopped | Unanswered::Limit => SolveError::Stopped,
        }
    }
}

/// The progress of a proof.
#[derive(Clone, Copy, Debug)]
pub struct SolveProgress {
    /// The position being searched, without its stores and with South to move.
    pub bare: Position,
    /// The proved bounds of its gain.
    pub gain: Interval<Gain>,
    /// The move of the given position that is being searched; none if the position itself is.
    pub pit: Option<Pit>,
    /// The proved bounds of the margin of that move, or else of the given position.
    pub margin: Interval<Gain>,
    /// Nodes visited since the solver was created.
    pub nodes: u64,
    /// The estimated fraction of the current question that is decided, from 0 to 1; 1 once it is
    /// answered. The question after it may take longer or shorter.
    pub decided: f64,
    /// Time since the current question was asked.
    pub asked: Duration,
    /// Time since the solver was created.
    pub elapsed: Duration,
    /// The fraction of the transposition table in use, in permille.
    pub hashfull: u32,
}

impl SolveProgress {
    /// The estimated time until the current question is answered; none if it is too early for
    /// an estimate.
    pub fn remaining(&self) -> Option<Duration> {
        if self.asked < MIN_ASKED || self.decided < MIN_DECIDED {
            return None;
        }
        Some(self.asked.mul_f64((1.0 / self.decided - 1.0).max(0.0)))
    }
}

/// The time and the decided fraction of a question from which the remaining time is estimated.
const MIN_ASKED: Duration = Duration::from_secs(5);
const MIN_DECIDED: f64 = 0.1;

/// Called about ten times a second while a solver runs; `false` stops it.
pub type OnProgress<'w> = dyn FnMut(SolveProgress) -> bool + 'w;

/// The value of a position with perfect play, and that play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The mover's store minus the opponent's at the end of the game.
    pub margin: Gain,
    /// Perfect play to the end of the game.
    pub pv: Vec<Pit>,
}

/// Everything that an answer depends on, except the rules, so that others can reproduce it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "files", derive(serde::Serialize, serde::Deserialize))]
pub struct Provenance {
    /// The version of the program.
    pub version: String,
    /// Threads of the worker. With one thread and an empty transposition table, the same
    /// program with the same endgame tables takes the same number of nodes each time.
    pub threads: usize,
    /// The maximum number of seeds in play that the endgame tables cover; 0 for none.
    pub table_seeds: u32,
    /// [`Tables::checksum`] in hexadecimal digits.
    #[cfg_attr(feature = "files", serde(skip_serializing_if = "Option::is_none"))]
    pub table_checksum: Option<String>,
    /// Whether the transposition table was kept in a file, in which case the answer may depend on
    /// earlier searches.
    pub kept_table: bool,
}

/// Solves positions of one variant, and reuses proved bounds from one position to the next.
pub struct Solver {
    proof: Box<dyn AnyProof>,
    variant: Variant,
    /// The maximum number of seeds in play.
    seeds: u32,
    tables: Option<Arc<Tables>>,
    threads: usize,
    keeps_table: bool,
    guess: fn(&Position) -> Option<Gain>,
    started: Instant,
    /// The proved bounds of gains, by position without stores.
    proved: HashMap<Position, Interval<Gain>>,
}

impl Solver {
    /// A solver for positions of the same variant as `position`, with at most as many seeds
    /// in play. Builds the endgame tables, which may take some seconds.
    ///
    /// # Errors
    /// [`SolveError::Tables`] or [`SolveError::OtherTables`] if the requested tables cannot be
    /// used, [`SolveError::Memory`] or [`SolveError::Refused`] if there is not enough memory,
    /// [`SolveError::KeptTable`] if the file of the transposition table cannot be used.
    pub fn new(position: &Position, settings: SolverSettings) -> Result<Self, SolveError> {
        let started = Instant::now();
        let variant = position.variant();
        let seeds = position.in_play();
        let SolverSettings { threads, hash, kept_table, tables, order, guess, on_tables } =
            settings;
        let kept_file = kept_table.as_ref().and_then(|path| fs::metadata(path).ok());
        let kept_bytes = kept_file.and_then(|file| file.len().checked_sub(HEADER_BYTES));
        // The header of a kept table holds its number of buckets, so its size cannot change.
        let hash = kept_bytes.map(|bytes| bytes as usize).or(hash);
        let (folder, wanted) = match &tables {
            TableChoice::Automatic(folder) => (folder.clone(), None),
            TableChoice::Seeds(seeds) => (None, Some(*seeds)),
            TableChoice::Given(tables) => (None, Some(tables.seeds())),
        };
        let found = folder.as_deref().map(|folder| FoundLayers::new(folder, variant));
        let cached = found.as_ref().and_then(FoundLayers::seeds);
        let given = match &tables {
            TableChoice::Given(tables) => tables.bytes_in_memory(),
            _ => 0,
        };
        // Tables given in memory, and perhaps the pages of a kept table, already take part of it.
        let unused = available_memory().unwrap_or(UNKNOWN_MEMORY);
        let available = unused + kept_bytes.unwrap_or(0) + given;
        let plan = TablePlan::new(variant, seeds, available, cached, wanted, hash);
        let TablePlan { table_seeds, hash } = plan;
        log::info!("tables of {table_seeds} seeds, transposition table of {} MiB", hash >> 20);
        if let Some(unused) = found.and_then(|found| found.unused) {
            log::warn!("{unused}");
        }
        let needed = match &tables {
            // Mapped tables may exceed the memory.
            TableChoice::Given(tables) => {
                tables.require_variant(variant)?;
                given + hash as u64
            }
            _ => plan.bytes(variant),
        };
        if needed > available {
            return Err(SolveError::Memory { needed, hash, table_seeds, available });
        }
        let tables = match tables {
            TableChoice::Given(tables) => Some(tables),
            _ if table_seeds == 0 => None,
            _ => {
                let extent = Extent::new(variant, table_seeds)?;
                let progress = |done| on_tables(done, extent.positions());
                let tables = Tables::read_or_build(folder.as_deref(), extent, threads, &progress)?;
                Some(Arc::new(tables))
            }
        };
        let keeps_table = kept_table.is_some();
        let table =
            ProofTable::new(variant, seeds, hash, kept_table.as_deref()).map_err(|error| {
                match kept_table {
                    Some(path) => FileError { path, error }.into(),
                    None => SolveError::Refused(error),
                }
            })?;
        let proof: Box<dyn AnyProof> = with_row!(position, R => {
            Box::new(Proof::<R>::new(position, table, tables.clone(), order, threads))
        });
        let proved = HashMap::new();
        Ok(Self { proof, variant, seeds, tables, threads, keeps_table, guess, started, proved })
    }

    /// The endgame tables that the solver probes.
    pub fn tables(&self) -> Option<&Tables> {
        self.tables.as_deref()
    }

    /// What the solver's answers depend on. The first call reads all of the endgame tables for their
    /// checksum.
    pub fn provenance(&self) -> Provenance {
        Provenance {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            threads: self.threads,
            table_seeds: self.tables().map(Tables::seeds).unwrap_or_default(),
            table_checksum: self.tables().map(|tables| format!("{:016x}", tables.checksum())),
            kept_table: self.keeps_table,
        }
    }

    /// Forgets all bounds, both those in the transposition table and imported ones.
    pub fn forget(&mut self) {
        self.proved.clear();
        self.proof.forget();
    }

    /// The exact margin of `position` and perfect play to the end.
    ///
    /// # Errors
    /// [`SolveError::Board`] if the solver is for other boards,
    /// [`SolveError::Contradiction`] if it imported a wrong bound,
    /// [`SolveError::Stopped`] if `watch` returned `false`.
    pub fn solve(
        &mut self,
        position: &Position,
        watch: &mut OnProgress<'_>,
    ) -> Result<Solution, SolveError> {
        let margin = self.margin(position, None, watch)?;
        let pv = self.pv(position, margin, watch)?;
        Ok(Solution { margin, pv })
    }

    /// The exact margin of `position` from its mover's point of view. A margin near
    /// `guess`, or else near that of [`SolverSettings::guess`], is found sooner.
    ///
    /// MTD(f) (Plaat, Schaeffer, Pijls and de Bruin, "Best-first fixed-depth minimax
    /// algorithms", Artificial Intelligence 87, 1996): a null-window search at the guess
    /// proves a bound, the next search starts from that bound, and so on until the lower
    /// and the upper bound meet. This is sound because each step proves one of them.
    pub fn margin(
        &mut self,
        position: &Position,
        guess: Option<Gain>,
        watch: &mut OnProgress<'_>,
    ) -> Result<Gain, SolveError> {
        self.check(position)?;
        let lead = position.lead(position.side());
        if position.is_over() {
            return Ok(position.margin(position.side()));
        }
        let margin = guess.or_else(|| (self.guess)(position)).unwrap_or(lead);
        let mut guess = self.variant.next_gain(margin - lead, position.in_play());
        let mut proved = self.proved(position);
        self.store(position, proved)?;
        while !proved.is_exact() {
            // Only bounds above the lower and up to the upper one are still open.
            let above = proved.lower + self.variant.gain_step();
            let beta = guess.clamp(above, proved.upper);
            let question = GainQuestion::new(beta, guess >= beta);
            guess = self.ask(position, question, watch)?;
            log::debug!("at least {beta}? {guess}, {} nodes", self.nodes());
            proved = proved.narrowed(question.window(self.variant), guess);
            self.store(position, proved)?;
            let answered = ProofStatus { nodes: self.nodes(), decided: 1.0 };
            if !watch(self.progress(position, Instant::now(), answered)) {
                return Err(SolveError::Stopped);
            }
        }
        Ok(lead + proved.lower)
    }

    /// Imports bounds of the gain of `position` that were proved before, as
    /// [`SolveProgress::gain`] reported them.
    pub fn import_bounds(&mut self, position: &Position, gain: Interval<Gain>) {
        let gain = gain.and(self.proved(position));
        self.proved.insert(position.without_stores(), gain);
        if !position.is_over() && self.accepts(position) {
            self.proof.import(position, gain);
        }
    }

    /// The bounds of the gain of `position` that the tables hold.
    pub fn bounds(&self, position: &Position) -> Interval<Gain> {
        let proved = if position.is_over() { None } else { self.proof.proved(position) };
        proved.unwrap_or(position.gains())
    }

    /// Bounds of the gain of `position` that answer `question`; none if that takes more nodes
    /// than its limit.
    ///
    /// # Errors
    /// [`SolveError::Board`], [`SolveError::Stopped`] or [`SolveError::NoThread`].
    pub fn prove_at_least(
        &mut self,
        position: &Position,
        question: GainQuestion,
        watch: &mut OnProgress<'_>,
    ) -> Result<Option<Interval<Gain>>, SolveError> {
        self.check(position)?;
        match self.ask(position, question, watch) {
            Ok(gain) => Ok(Some(position.gains().narrowed(question.window(self.variant), gain))),
            Err(Unanswered::Limit) => Ok(None),
            Err(other) => Err(other.into()),
        }
    }

    /// Whether `margin` is the exact margin of `position`, by two questions that do not
    /// depend on how it was found: is the true margin higher, and is it at least `margin`?
    pub fn confirm(
        &mut self,
        position: &Position,
        margin: Gain,
        watch: &mut OnProgress<'_>,
    ) -> Result<bool, SolveError> {
        self.check(position)?;
        let higher = margin + self.variant.gain_step();
        let is_higher = self.reaches(position, Turn::Keeps, higher, watch)?;
        Ok(!is_higher && self.reaches(position, Turn::Keeps, margin, watch)?)
    }

    /// Whether a solution and the margins of `moves`, which a different solver found, are correct:
    /// each margin is confirmed, and the principal variation, played under the plain rules, ends
    /// the game with the margin of the solution.
    ///
    /// # Errors
    /// [`SolveError::Stopped`] if `watch` returned `false`.
    pub fn confirm_solution(
        &mut self,
        position: &Position,
        Solution { margin, pv }: &Solution,
        moves: &[(Pit, Gain)],
        watch: &mut OnProgress<'_>,
    ) -> Result<bool, SolveError> {
        let mut end = *position;
        let is_legal = pv.iter().all(|&pit| end.play(pit).is_ok());
        if !is_legal || !end.is_over() || end.margin(position.side()) != *margin {
            return Ok(false);
        }
        let mut is_right = self.confirm(position, *margin, watch)?;
        for (played, after) in position.children() {
            if let Some((_, margin)) = moves.iter().find(|(pit, _)| *pit == played.pit) {
                is_right &= self.confirm(&after, played.turn.from_child(*margin), watch)?;
            }
        }
        Ok(is_right)
    }

    /// The exact margin of each move, from the mover's point of view; the pit nearest
    /// the store first.
    pub fn moves(
        &mut self,
        position: &Position,
        watch: &mut OnProgress<'_>,
    ) -> Result<Vec<(Pit, Gain)>, SolveError> {
        // The best move has the margin of the position itself, and the margins of the others
        // are probably close to it.
        let best = self.margin(position, None, watch)?;
        // All proofs use one transposition table, because they share positions.
        let mut margins = Vec::new();
        for (played, after) in position.children().rev() {
            let turn = played.turn;
            let guess = (self.guess)(&after).unwrap_or(turn.from_child(best));
            let margin = self.margin(&after, Some(guess), &mut |progress| {
                let margin = progress.margin.from_child(Gain::ZERO, turn);
                watch(SolveProgress { pit: Some(played.pit), margin, ..progress })
            })?;
            margins.push((played.pit, turn.from_child(margin)));
        }
        Ok(margins)
    }

    /// Perfect play from `position`, whose exact margin is `margin`.
    fn pv(
        &self,
        position: &Position,
        mut margin: Gain,
        watch: &mut OnProgress<'_>,
    ) -> Result<Vec<Pit>, SolveError> {
        let of_root = Interval::exactly(margin);
        let watch = &mut |progress| watch(SolveProgress { margin: of_root, ..progress });
        let mut pv = Vec::new();
        let mut position = *position;
        while !position.is_over() {
            // Usually, the proof of the margin has left the answer in the table.
            let mut best = position
                .children()
                .rev()
                .find(|(played, after)| self.known(after, played.turn, margin) == Some(true));
            for (played, after) in position.children().rev() {
                // Searched only if no move is known to keep the margin: searching every move
                // that came before the right one cost (6,5) 100 million nodes.
                if best.is_none() && self.reaches(&after, played.turn, margin, watch)? {
                    best = Some((played, after));
                }
            }
            let Some((played, after)) = best else {
                return Err(SolveError::Contradiction(position));
            };
            pv.push(played.pit);
            (position, margin) = (after, played.turn.from_child(margin));
        }
        if position.margin(position.side()) == margin {
            Ok(pv)
        } else {
            Err(SolveError::Contradiction(position))
        }
    }

    /// Whether the player who reached `after` by a move with this `turn` gets at least `margin`;
    /// `None` if that takes a search.
    fn known(&self, after: &Position, turn: Turn, margin: Gain) -> Option<bool> {
        if after.is_over() {
            return Some(turn.from_child(after.margin(after.side())) >= margin);
        }
        let bound = self.proof.proved(after)?.answer(child_window(after, turn, margin))?;
        Some(turn.from_child(after.lead(after.side()) + bound) >= margin)
    }

    /// Like [`Solver::known`], but searches if necessary.
    fn reaches(
        &self,
        after: &Position,
        turn: Turn,
        margin: Gain,
        watch: &mut OnProgress<'_>,
    ) -> Result<bool, SolveError> {
        if let Some(known) = self.known(after, turn, margin) {
            return Ok(known);
        }
        let at_least = child_window(after, turn, margin).beta;
        let bound = self.ask(after, GainQuestion::new(at_least, true), watch)?;
        Ok(turn.from_child(after.lead(after.side()) + bound) >= margin)
    }

    /// A bound of the gain of `position` that answers `question`.
    fn ask(
        &self,
        position: &Position,
        question: GainQuestion,
        watch: &mut OnProgress<'_>,
    ) -> Result<Gain, Unanswered> {
        let asked = Instant::now();
        self.proof.bound(position, question, &mut |status| {
            // The proved bounds of the position do not change until the search ends.
            watch(self.progress(position, asked, status))
        })
    }

    /// Nodes visited so far.
    pub fn nodes(&self) -> u64 {
        self.proof.nodes()
    }

    /// Whether `position` is of the solver's variant and has few enough seeds in play.
    pub fn accepts(&self, position: &Position) -> bool {
        position.variant() == self.variant && position.in_play() <= self.seeds
    }

    fn check(&self, position: &Position) -> Result<(), SolveError> {
        if self.accepts(position) {
            return Ok(());
        }
        let Self { variant, seeds, .. } = *self;
        Err(SolveError::Board { variant, seeds, got: position.to_string() })
    }

    fn proved(&self, position: &Position) -> Interval<Gain> {
        self.proved.get(&position.without_stores()).copied().unwrap_or(position.gains())
    }

    fn store(&mut self, position: &Position, proved: Interval<Gain>) -> Result<(), SolveError> {
        if proved.lower > proved.upper {
            return Err(SolveError::Contradiction(*position));
        }
        self.proved.insert(position.without_stores(), proved);
        Ok(())
    }

    fn progress(&self, position: &Position, asked: Instant, status: ProofStatus) -> SolveProgress {
        let gain = self.proved(position);
        SolveProgress {
            bare: position.without_stores(),
            gain,
            pit: None,
            margin: gain.from_child(position.lead(position.side()), Turn::Keeps),
            nodes: status.nodes,
            decided: status.decided,
            asked: asked.elapsed(),
            elapsed: self.started.elapsed(),
            hashfull: self.proof.hashfull(),
        }
    }
}

/// The window at `after` that decides whether the player who reached it by a move with
/// this `turn` gets at least `margin`.
fn child_window(after: &Position, turn: Turn, margin: Gain) -> Window<Gain> {
    after.variant().at_least(margin).for_child(turn).after(after.lead(after.side()))
}
