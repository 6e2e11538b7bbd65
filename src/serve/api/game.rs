//! A game as the page shows it: its positions, legal moves, sentences, marks and `.kgn`
//! text, from its record.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::{JsonRejection, StringRejection};
use axum::response::Response;
use serde::{Deserialize, Serialize};

use super::super::error::ApiError;
use super::super::shared::Shared;
use super::board::{BySide, MoveData, PositionData};
use super::seats::SeatData;
use crate::arena::page::viewer::JudgedData;
use crate::game::score::Value;
use crate::game::{Capture, Position, Rules, Side};
use crate::play::clock::ClockRules;
use crate::play::pages;
use crate::play::saved;
use crate::play::seat::{Level, Seat};
use crate::record::{Ending, Game, Step, Variation, json, kgn};
use crate::sys::clock::now;
use crate::sys::foreign::Foreign;
use crate::sys::names::shortened;
use crate::view::sentence;

/// Moves in one answer, all lines together.
const MAX_MOVES: usize = 10_000;

/// Seeds sown in all moves of an answer, each of which is listed.
const MAX_SOWN: u64 = 1_000_000;

/// Everything about a game. `record` is data, unchanged; all other texts are to be shown.
#[derive(Debug, Serialize)]
pub(super) struct GameData {
    kgn: String,
    names: BySide<String>,
    seats: Option<BySide<SeatData>>,
    clock: Option<ClockData>,
    start: PositionData,
    steps: Vec<StepData>,
    position: PositionData,
    legal: Vec<MoveData>,
    sentences: Vec<String>,
    over: bool,
    result: Option<String>,
    may_swap: bool,
    /// The record after the swap that is allowed now.
    swapped: Option<Game>,
    swapped_after: Option<usize>,
    variations: Vec<VariationData>,
    judged: Option<SummaryData>,
    record: Game,
}

/// A move of a game with what is known about it.
#[derive(Debug, Serialize)]
struct StepData {
    #[serde(flatten)]
    sowing: MoveData,
    /// Hundredths of a seed, from the mover's point of view, as in a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<i32>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    proved: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    book: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<String>,
    /// Seeds.
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<f64>,
}

#[derive(Debug, Serialize)]
struct VariationData {
    /// The moves that it shares with the game.
    after: usize,
    swapped_after: Option<usize>,
    steps: Vec<StepData>,
}

/// The judgement of a game: the marks of each side in words, South's first, and the number
/// of the move that decided it.
#[derive(Debug, Serialize)]
struct SummaryData {
    counts: [String; 2],
    decisive: Option<usize>,
}

/// The time control in seconds, and the seconds that are left.
#[derive(Debug, Serialize)]
struct ClockData {
    base: f64,
    increment: f64,
    flag: bool,
    left: BySide<f64>,
}

impl GameData {
    /// Adds the ending to the record of a game that was played to its end.
    ///
    /// # Errors
    /// If the game is longer than a page could show.
    pub(super) fn of(mut game: Game) -> Result<Self, ApiError> {
        Size::default().add(&game)?;
        if let (None, Some(ending)) = (game.ending(), Ending::of(game.position())) {
            game.finish(ending).map_err(ApiError::invalid)?;
        }
        let main = game.main_line();
        let judged = JudgedData::of(&game, &main, true);
        let position = game.position();
        let seats = saved::seats_of(&game);
        let is_over = game.ending().is_some();
        let legal = position.children().filter(|_| !is_over);
        Ok(Self {
            kgn: kgn::write(&game),
            names: BySide::of(|side| name_of(&game, seats, side)),
            seats: seats.map(|seats| BySide::of(|side| SeatData::of(seats[side.index()]))),
            clock: ClockData::of(&game),
            start: PositionData::of(game.start()),
            steps: steps(&main, 0, judged.as_ref()),
            position: PositionData::of(position),
            legal: legal.map(|(played, after)| MoveData::of(&played, &after)).collect(),
            sentences: sentence::of_position(position),
            over: is_over,
            result: pages::ending(&game),
            may_swap: game.may_swap(),
            swapped: swapped(&game),
            swapped_after: game.swapped_after(),
            variations: variations(&game),
            judged: judged
                .map(|JudgedData { counts, decisive, .. }| SummaryData { counts, decisive }),
            record: game,
        })
    }
}

/// What an answer shows.
#[derive(Debug, Default)]
pub(super) struct Size {
    moves: usize,
    sown: u64,
}

impl Size {
    /// Adds a game.
    ///
    /// # Errors
    /// If the games together are longer than a page could show.
    pub(super) fn add(&mut self, game: &Game) -> Result<(), ApiError> {
        let variations = game.variations();
        let lines = variations.iter().map(|line| &line.steps()[game.shared_moves(line)..]);
        for step in game.steps().iter().chain(lines.flatten()) {
            self.moves += 1;
            self.sown += u64::from(step.played.sown);
        }
        let Self { moves, sown } = *self;
        if moves > MAX_MOVES {
            let message = format!("expected at most {MAX_MOVES} moves, got {moves} or more");
            return Err(ApiError::invalid(message));
        }
        if sown > MAX_SOWN {
            let message =
                format!("expected moves that sow at most {MAX_SOWN} seeds, got {sown} or more");
            return Err(ApiError::invalid(message));
        }
        Ok(())
    }
}

/// The moves of a line after the first `from`.
fn steps(line: &Variation, from: usize, judged: Option<&JudgedData>) -> Vec<StepData> {
    let steps = (1..).zip(line.steps()).skip(from);
    steps
        .map(|(number, step)| {
            StepData::of(step, judged.and_then(|judged| judged.marks.get(&number)))
        })
        .collect()
}

impl StepData {
    fn of(step: &Step, marked: Option<&(String, i32)>) -> Self {
        let evaluation = step.r#move.evaluation;
        Self {
            sowing: MoveData::of(&step.played, &step.after),
            value: evaluation.map(|evaluation| evaluation.margin.0),
            proved: evaluation.is_some_and(|evaluation| evaluation.proved),
            book: step.r#move.book,
            comment: step.r#move.comment.as_deref().map(|comment| Foreign(comment).to_string()),
            mark: marked.map(|(mark, _)| mark.clone()),
            lost: marked.map(|&(_, lost)| Value(lost).seeds()),
        }
    }
}

fn variations(game: &Game) -> Vec<VariationData> {
    let lines = game.variations();
    let lines = lines.iter().map(|line| {
        let after = game.shared_moves(line);
        let judged = JudgedData::of(game, line, false);
        VariationData {
            after,
            swapped_after: line.swapped_after(),
            steps: steps(line, after, judged.as_ref()),
        }
    });
    lines.collect()
}

/// Who plays a side now: `you` for the only person, if the record does not name it.
fn name_of(game: &Game, seats: Option<[Seat; 2]>, side: Side) -> String {
    let player = &game.players[side.index()];
    let is_only_person = seats.is_some_and(|seats| {
        seats[side.index()].is_person() && !seats[side.other().index()].is_person()
    });
    if is_only_person && player.name == saved::PERSON { "you".to_owned() } else { player.in_full() }
}

fn swapped(game: &Game) -> Option<Game> {
    let mut swapped = game.clone();
    saved::swap(&mut swapped).then_some(swapped)
}

impl ClockData {
    fn of(game: &Game) -> Option<Self> {
        let rules = ClockRules::read(game)?;
        let clocks = rules.clocks(game);
        let [base, increment] = rules.seconds();
        Some(Self {
            base,
            increment,
            flag: rules.flag,
            left: BySide::of(|side| clocks[game.player_at(side).index()].remaining.as_secs_f64()),
        })
    }
}

/// A request for a new game; the default is that of `kalah play`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Wanted {
    /// As after `--south` of `kalah play`.
    south: Option<String>,
    north: Option<String>,
    pits: Option<u32>,
    seeds: Option<u32>,
    capture: Capture,
    /// In place of `pits` and `seeds`.
    position: Option<String>,
    pie_rule: bool,
    /// As after `--clock`.
    clock: Option<String>,
    flag: bool,
}

impl Wanted {
    /// # Errors
    /// If there are no such players, boards or clocks.
    fn game(self) -> Result<Game, ApiError> {
        let start = match &self.position {
            Some(text) => Position::parse(text, self.capture).map_err(ApiError::invalid)?,
            None => {
                let usual = Rules::default();
                let pits = self.pits.unwrap_or(usual.pits() as u32);
                let rules = Rules::new(pits, self.seeds.unwrap_or(usual.seeds()), self.capture);
                Position::start(rules.map_err(ApiError::invalid)?)
            }
        };
        let [south, north] =
            [(self.south, Seat::Person), (self.north, Seat::Level(Level::default()))]
                .map(|(text, usual)| text.map_or(Ok(usual), |text| text.parse()));
        let seats = [south.map_err(ApiError::invalid)?, north.map_err(ApiError::invalid)?];
        let mut game = Game::new(start, Default::default());
        saved::set_players(&mut game, seats, &saved::names(seats));
        game.pie_rule = self.pie_rule;
        game.date = Some(now());
        if let Some(clock) = self.clock {
            let rules: ClockRules = clock.parse().map_err(|expected| {
                ApiError::invalid(format!("clock: {expected}, got '{}'", shortened(&clock)))
            })?;
            ClockRules { flag: self.flag, ..rules }.write(&mut game);
        }
        Ok(game)
    }
}

/// The game in the body of a request.
///
/// # Errors
/// If the body is not text or not the JSON of a game.
pub(super) fn recorded(body: Result<String, StringRejection>) -> Result<Game, ApiError> {
    json::from_line(&body?, 1).map_err(ApiError::invalid)
}

pub(super) async fn show(
    State(shared): State<Arc<Shared>>,
    body: Result<String, StringRejection>,
) -> Result<Response, ApiError> {
    shared.answer(|_| GameData::of(recorded(body)?)).await
}

pub(super) async fn begin(
    State(shared): State<Arc<Shared>>,
    wanted: Result<Json<Wanted>, JsonRejection>,
) -> Result<Response, ApiError> {
    let Json(wanted) = wanted?;
    shared.answer(|_| GameData::of(wanted.game()?)).await
}
