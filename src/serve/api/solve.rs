//! The exact margin of each move of a position, proved while the page watches: events that
//! the server sends as soon as it knows more.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::sse::{Event, Sse};
use futures_util::stream::{self, Stream};
use serde::Serialize;
use tokio::sync::mpsc::{self, Sender};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::super::error::ApiError;
use super::super::shared::Shared;
use super::board::PositionText;
use super::openings::Bounds;
use crate::endgame::{Extent, Tables, file};
use crate::engine::Engine;
use crate::engine::book::{self, Book};
use crate::game::score::{Gain, Interval, Turn};
use crate::game::{MAX_PITS, Pit, Position};
use crate::search::{Info, Limits, Stopper};
use crate::solve::{Progress, Settings, SolveError, Solver, TableChoice};
use crate::sys::machine::processors;

/// The time of one answer.
const MAX_TIME: Duration = Duration::from_secs(300);

/// How long a request waits for the solver of the one before, which stops when its client
/// leaves.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// Bytes of the transposition table.
const HASH: usize = 128 << 20;

/// Positions with fewer seeds in play are solved faster than tables are built.
const WORTH_TABLES: u32 = 20;

/// Seeds in play, on 6 pits, of the endgame tables, which are built in a moment. The user's
/// cache may have larger ones.
const TABLE_SEEDS: u32 = 16;

/// The time between events about a move whose bounds do not change.
const PULSE: Duration = Duration::from_secs(1);

/// What is proved of a move.
#[derive(Clone, Copy, Debug, Serialize)]
struct MoveEvent {
    pit: char,
    #[serde(flatten)]
    bounds: Bounds,
    proved: bool,
    #[serde(flatten)]
    cost: Cost,
}

/// What is proved of the position in the end.
#[derive(Clone, Debug, Serialize)]
struct DoneEvent {
    #[serde(flatten)]
    bounds: Bounds,
    proved: bool,
    /// Why the proof ended early.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(flatten)]
    cost: Cost,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Cost {
    nodes: u64,
    seconds: f64,
}

/// A move and what is known about it.
struct Candidate {
    pit: Pit,
    after: Position,
    turn: Turn,
    /// From the point of view of the mover of the position before.
    margin: Interval<Gain>,
    /// What the rules alone say of it.
    possible: Interval<Gain>,
    guess: Gain,
}

/// The solver of one request.
struct Task {
    position: Position,
    events: Sender<Event>,
    started: Instant,
    /// When the last event was sent.
    sent: Instant,
    /// The moves, the best guess first.
    moves: Vec<Candidate>,
}

impl Task {
    fn new(position: Position, events: Sender<Event>) -> Self {
        let guesses = guesses(position);
        let moves = position.children().map(|(played, after)| {
            let [margin, possible] =
                [Book::built_in().margin(&after), book::possible_margin(&after)]
                    .map(|margin| margin.from_child(Gain::ZERO, played.turn));
            let guess = guesses.iter().find(|info| info.pv.first() == Some(&played.pit));
            let guess = guess.map_or(Gain::ZERO, |info| info.margin.rounded());
            Candidate { pit: played.pit, after, turn: played.turn, margin, possible, guess }
        });
        let mut moves: Vec<_> = moves.collect();
        moves.sort_by_key(|candidate| -candidate.guess);
        let started = Instant::now();
        Self { position, events, started, sent: started, moves }
    }

    fn run(mut self) {
        let (mut nodes, mut reason) = (0, None);
        for index in 0..self.moves.len() {
            self.report(index, 0);
        }
        if let Err(error) = self.solve(&mut nodes) {
            reason = Some(match error {
                SolveError::Stopped => "time".to_owned(),
                error => error.to_string(),
            });
        }
        let margin = self.moves.iter().map(|candidate| candidate.margin).reduce(Interval::max);
        let margin = margin.unwrap_or_else(Interval::unknown);
        let bounds = Bounds::of(margin, book::possible_margin(&self.position));
        let done = DoneEvent { bounds, proved: margin.is_exact(), reason, cost: self.cost(nodes) };
        self.send("done", &done);
    }

    /// Proves the margin of one move after another.
    fn solve(&mut self, nodes: &mut u64) -> Result<(), SolveError> {
        let open = self.moves.iter().enumerate().filter(|(_, one)| !one.margin.is_exact());
        let open: Vec<usize> = open.map(|(index, _)| index).collect();
        if open.is_empty() {
            return Ok(());
        }
        let mut solver = solver(&self.position)?;
        for (bare, gain) in Book::built_in().gains() {
            solver.import_bounds(bare, gain);
        }
        for index in open {
            let Candidate { after, turn, guess, .. } = self.moves[index];
            let guess = Some(turn.from_child(guess));
            let exact = solver.margin(&after, guess, &mut |progress| {
                *nodes = progress.nodes;
                self.watch(index, &progress)
            })?;
            self.moves[index].margin = Interval::exactly(turn.from_child(exact));
            *nodes = solver.nodes();
            self.report(index, *nodes);
        }
        Ok(())
    }

    /// Reports new bounds of a move; false if the proof is to end.
    fn watch(&mut self, index: usize, progress: &Progress) -> bool {
        let candidate = &mut self.moves[index];
        let margin = progress.margin.from_child(Gain::ZERO, candidate.turn).and(candidate.margin);
        let is_news = margin != candidate.margin;
        candidate.margin = margin;
        if is_news || self.sent.elapsed() > PULSE {
            self.report(index, progress.nodes);
        }
        self.started.elapsed() < MAX_TIME && !self.events.is_closed()
    }

    fn report(&mut self, index: usize, nodes: u64) {
        let Candidate { pit, margin, possible, .. } = self.moves[index];
        let event = MoveEvent {
            pit: pit.letter(self.position.side()),
            bounds: Bounds::of(margin, possible),
            proved: margin.is_exact(),
            cost: self.cost(nodes),
        };
        self.send("move", &event);
        self.sent = Instant::now();
    }

    fn cost(&self, nodes: u64) -> Cost {
        Cost { nodes, seconds: self.started.elapsed().as_secs_f64() }
    }

    fn send(&self, name: &str, data: &impl Serialize) {
        let data = serde_json::to_string(data)
            .unwrap_or_else(|error| unreachable!("strings and numbers: {error}"));
        // Fails if the client has left, which the next look at the channel notices.
        let _ = self.events.blocking_send(Event::default().event(name).data(data));
    }
}

/// A short search of each move: where the proofs begin.
fn guesses(position: Position) -> Vec<Info> {
    const NODES: u64 = 100_000;
    /// A large board takes longer.
    const TIME: Duration = Duration::from_millis(300);
    const MEBIBYTES: usize = 8;
    let Ok(mut engine) = Engine::without_tables(MEBIBYTES) else { return Vec::new() };
    engine.settings_mut().multipv = MAX_PITS;
    engine.set_position(position);
    let mut guesses: Vec<Info> = Vec::new();
    let limits = Limits { nodes: Some(NODES), ..Limits::time(TIME) };
    engine.search(limits, &Stopper::new(), &mut |info| {
        guesses.retain(|known| known.pv.first() != info.pv.first());
        guesses.push(info.clone());
    });
    guesses
}

fn solver(position: &Position) -> Result<Solver, SolveError> {
    // The page's engine is to get its share.
    let threads = processors().div_ceil(2);
    let tables = match position.in_play() {
        ..WORTH_TABLES => TableChoice::Seeds(0),
        _ => {
            let built = Extent::like_six_pits(position.variant(), TABLE_SEEDS);
            let cache = file::cache();
            let extent = file::extent_in(cache.as_deref(), built);
            let tables = Tables::read_or_build(cache.as_deref(), extent, threads, &|_| ())?;
            TableChoice::Given(Arc::new(tables))
        }
    };
    let settings = Settings { threads, hash: Some(HASH), tables, ..Settings::default() };
    Solver::new(position, settings)
}

pub(super) async fn solve(
    State(shared): State<Arc<Shared>>,
    asked: Result<Query<PositionText>, QueryRejection>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let Query(asked) = asked?;
    let position = asked.unfinished()?;
    let place = timeout(MAX_WAIT, Arc::clone(&shared.solving).acquire_owned()).await;
    let Ok(Ok(place)) = place else { return Err(ApiError::busy()) };
    let (events, received) = mpsc::channel(64);
    spawn_blocking(move || {
        Task::new(position, events).run();
        drop(place);
    });
    Ok(Sse::new(stream::unfold(received, |mut received| async move {
        let event = received.recv().await?;
        Some((Ok(event), received))
    })))
}
