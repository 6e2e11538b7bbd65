//! The exact margin of each move of a position, proved while the page watches: events that
//! are sent as soon as more is known.

use std::time::Duration;

use serde::Serialize;

use kalah_coach::judge::Judge;
use kalah_engine::Engine;
use kalah_engine::book::{self, Book};
use kalah_engine::search::{Info, Limits, Stopper};
use kalah_engine::solve::{SolveError, SolveProgress};
use kalah_game::score::{Gain, Interval, Turn};
use kalah_game::{Pit, Position};

use crate::answer::json;
use crate::board::AskedPosition;
use crate::error::ApiError;
use crate::openings::MarginBounds;
use crate::page_host::PageHost;

/// The maximum time of one response.
const MAX_TIME: Duration = Duration::from_secs(300);

/// The time between events about a move whose bounds do not change.
const PULSE: Duration = Duration::from_secs(1);

/// What is proved about a move or, at the end, about the position.
#[derive(Clone, Debug, Serialize)]
struct ProofEvent {
    #[serde(skip_serializing_if = "Option::is_none")]
    pit: Option<char>,
    #[serde(flatten)]
    bounds: MarginBounds,
    proved: bool,
    /// Why the proof ended early.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The cost so far.
    nodes: u64,
    seconds: f64,
}

/// A move and what is known about it.
struct ProvedMove {
    pit: Pit,
    after: Position,
    turn: Turn,
    /// From the point of view of the mover of the position before.
    margin: Interval<Gain>,
    /// The bounds that follow from the rules alone.
    possible: Interval<Gain>,
    guess: Gain,
}

/// The proofs of one request.
struct MoveProofs<'h> {
    position: Position,
    host: &'h mut dyn PageHost,
    /// When the last event was sent.
    sent: Duration,
    /// Visited by all threads of the solver so far.
    nodes: u64,
    /// The moves, the best guess first.
    moves: Vec<ProvedMove>,
}

/// Proves the margin of each move in a position that is not over, and sends an event for each
/// step.
pub(crate) fn solve(asked: &AskedPosition, host: &mut dyn PageHost) -> Result<(), ApiError> {
    MoveProofs::new(asked.unfinished()?, host).run()
}

impl<'h> MoveProofs<'h> {
    fn new(position: Position, host: &'h mut dyn PageHost) -> Self {
        let guesses = guesses(position, Stopper::with_flag(host.stop().clone()));
        let moves = position.children().map(|(played, after)| {
            let margin = Book::built_in().margin(&after).from_child(Gain::ZERO, played.turn);
            let possible = book::possible_margin(&after).from_child(Gain::ZERO, played.turn);
            let guess = match guesses.iter().find(|info| info.pv.first() == Some(&played.pit)) {
                Some(info) => info.margin.rounded(),
                None => Gain::ZERO,
            };
            ProvedMove { pit: played.pit, after, turn: played.turn, margin, possible, guess }
        });
        let mut moves: Vec<_> = moves.collect();
        moves.sort_by_key(|proved| -proved.guess);
        let sent = host.elapsed();
        Self { position, host, sent, nodes: 0, moves }
    }

    fn run(mut self) -> Result<(), ApiError> {
        // One event for each move comes first, so that a client knows all moves before any is
        // proved.
        for index in 0..self.moves.len() {
            self.report(index)?;
        }
        let reason = self.prove().err().map(|error| match error {
            // A client that has left reads no reason, so the time limit is the only reason to
            // report.
            SolveError::Stopped => "time".to_owned(),
            error => error.to_string(),
        });
        // A position is worth as much as its best move, so its bounds follow from those of the
        // moves.
        let margins = self.moves.iter().map(|proved| proved.margin);
        let margin = margins.reduce(Interval::max).unwrap_or_else(Interval::unknown);
        let bounds = MarginBounds::new(margin, book::possible_margin(&self.position));
        self.send("done", self.event(bounds, margin.is_exact(), reason))
    }

    /// Proves the margin of one move after another.
    fn prove(&mut self) -> Result<(), SolveError> {
        let open: Vec<usize> =
            (0..self.moves.len()).filter(|&index| !self.moves[index].margin.is_exact()).collect();
        // If the book has all margins, no time is spent on a solver and its endgame tables.
        if open.is_empty() {
            return Ok(());
        }
        let mut solver = self.host.solver(&self.position)?;
        for (bare, gain) in Book::built_in().gains() {
            solver.import_bounds(bare, gain);
        }
        for index in open {
            let ProvedMove { after, turn, guess, .. } = self.moves[index];
            let guess = Some(turn.from_child(guess));
            let exact =
                solver.margin(&after, guess, &mut |progress| self.watch(index, &progress))?;
            self.moves[index].margin = Interval::exactly(turn.from_child(exact));
            self.nodes = solver.nodes();
            self.report(index).map_err(|_| SolveError::Stopped)?;
        }
        Ok(())
    }

    /// Reports new bounds of a move; returns false to end the proof.
    fn watch(&mut self, index: usize, progress: &SolveProgress) -> bool {
        self.nodes = progress.nodes;
        let proved = &mut self.moves[index];
        // The bounds of the solver and those of the book are both proved, so both hold.
        let margin = progress.margin.from_child(Gain::ZERO, proved.turn).and(proved.margin);
        let is_news = margin != proved.margin;
        proved.margin = margin;
        let now = self.host.elapsed();
        let is_due = is_news || now > self.sent + PULSE;
        let is_sent = !is_due || self.report(index).is_ok();
        is_sent && now < MAX_TIME && !self.host.stop().poll()
    }

    fn report(&mut self, index: usize) -> Result<(), ApiError> {
        let ProvedMove { pit, margin, possible, .. } = self.moves[index];
        let bounds = MarginBounds::new(margin, possible);
        self.sent = self.host.elapsed();
        let pit = Some(pit.letter(self.position.side()));
        self.send("move", ProofEvent { pit, ..self.event(bounds, margin.is_exact(), None) })
    }

    fn event(&self, bounds: MarginBounds, proved: bool, reason: Option<String>) -> ProofEvent {
        let seconds = self.host.elapsed().as_secs_f64();
        ProofEvent { pit: None, bounds, proved, reason, nodes: self.nodes, seconds }
    }

    fn send(&mut self, name: &'static str, event: ProofEvent) -> Result<(), ApiError> {
        self.host.send(name, json(&event)?);
        Ok(())
    }
}

/// A short search of each move. The proof of a move starts from its margin, and the best moves
/// are proved first.
fn guesses(position: Position, stopper: Stopper) -> Vec<Info> {
    const NODES: u64 = 100_000;
    /// On a large board, the nodes alone would take longer.
    const TIME: Duration = Duration::from_millis(300);
    const MEBIBYTES: usize = 8;
    // A wrong guess costs time but changes no margin, so a small engine without tables will do.
    let Ok(engine) = Engine::without_tables(MEBIBYTES) else { return Vec::new() };
    let limits = Limits { nodes: Some(NODES), ..Limits::time(TIME) };
    Judge { engine, stopper }.values(position, limits)
}
