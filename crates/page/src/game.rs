//! A game as the page shows it: its positions, legal moves, sentences, marks and `.kgn`
//! text, from its record.

use serde::Serialize;

use kalah_game::Side;
use kalah_game::score::Value;
use kalah_play::clock::ClockRules;
use kalah_play::players;
use kalah_record::mark::JudgedLine;
use kalah_record::{Ending, Game, Outcome, Step, Variation, json, kgn, sentence};
use kalah_text::foreign::Foreign;

use crate::board::{BySide, ShownMove, ShownPosition};
use crate::error::ApiError;
use crate::levels::ShownSeat;

/// The maximum number of moves in one response, all lines together.
const MAX_MOVES: usize = 10_000;

/// The maximum number of seeds sown by all moves in a response, which lists each of them.
const MAX_SOWN: u64 = 1_000_000;

/// Everything about a game. `record` is data and stays as it is; all other texts are meant for
/// display.
#[derive(Debug, Serialize)]
pub struct ShownGame {
    kgn: String,
    names: BySide<String>,
    seats: Option<BySide<ShownSeat>>,
    clock: Option<ShownClock>,
    start: ShownPosition,
    steps: Vec<ShownStep>,
    position: ShownPosition,
    legal: Vec<ShownMove>,
    sentences: Vec<String>,
    over: bool,
    result: Option<String>,
    ending: Option<ShownEnding>,
    may_swap: bool,
    swapped_after: Option<usize>,
    variations: Vec<ShownVariation>,
    judged: Option<GameVerdict>,
    /// The comment before the first move.
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    record: Game,
}

/// A result for the only person; without one, a game that is not a draw is won.
#[derive(Debug, Serialize)]
struct ShownEnding {
    title: String,
    kind: &'static str,
    winner: Option<char>,
}

impl ShownEnding {
    fn new(ending: &Ending, person: Option<Side>) -> Self {
        let title = sentence::heading(ending, person);
        match ending.outcome {
            Outcome::Draw => Self { title, kind: "draw", winner: None },
            Outcome::Won(winner) => {
                let kind = if person == Some(winner.other()) { "loss" } else { "win" };
                Self { title, kind, winner: Some(winner.initial()) }
            }
        }
    }
}

/// A move of a game with what is known about it.
#[derive(Debug, Serialize)]
struct ShownStep {
    #[serde(flatten)]
    sowing: ShownMove,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<String>,
    /// Seeds.
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<f64>,
}

#[derive(Debug, Serialize)]
struct ShownVariation {
    /// The number of moves that it shares with the game.
    after: usize,
    swapped_after: Option<usize>,
    steps: Vec<ShownStep>,
}

/// The judgement of a game: the marks of each side in words, South's first, and the number
/// of the move that decided it.
#[derive(Debug, Serialize)]
struct GameVerdict {
    counts: [String; 2],
    decisive: Option<usize>,
}

/// The time control in seconds, and the seconds that are left.
#[derive(Debug, Serialize)]
struct ShownClock {
    base: f64,
    increment: f64,
    flag: bool,
    left: BySide<f64>,
}

impl ShownGame {
    /// Shows a record. If the game was played to its end, the record gets its ending.
    ///
    /// # Errors
    /// [`ApiError`] if the game is longer than a page can show.
    pub fn from_record(mut record: Game) -> Result<Self, ApiError> {
        // A small record can have a huge answer, so the size is checked before any of it is built.
        AnswerSize::default().add(&record)?;
        // A client plays by appending moves, so the record of a game that has just ended lacks its
        // ending.
        record.finish_if_played_out();
        let main = record.main_line();
        let judged = JudgedLine::new(&record, &main, true);
        let position = record.position();
        let seats = players::seats(&record);
        let names = players::shown_names(&record);
        let over = record.ending().is_some();
        // A game can be over even though pits can be sown, for example by resignation.
        let legal = position.children().filter(|_| !over);
        Ok(Self {
            kgn: kgn::write(&record),
            names: BySide::from_fn(|side| names[side.index()].clone()),
            seats: seats.map(|seats| BySide::from_fn(|side| ShownSeat::new(seats[side.index()]))),
            clock: ShownClock::from_record(&record),
            start: ShownPosition::new(record.start()),
            steps: steps(&main, 0, judged.as_ref()),
            position: ShownPosition::new(position),
            legal: legal.map(|(played, after)| ShownMove::new(&played, &after)).collect(),
            sentences: sentence::of_position(position),
            over,
            result: sentence::ending(&record),
            ending: record
                .ending()
                .map(|ending| ShownEnding::new(ending, seats.and_then(players::only_person))),
            may_swap: record.may_swap(),
            swapped_after: record.swapped_after(),
            variations: variations(&record),
            judged: judged
                .map(|JudgedLine { counts, decisive, .. }| GameVerdict { counts, decisive }),
            comment: record.comment.as_deref().map(|comment| Foreign(comment).to_string()),
            record,
        })
    }
}

/// The record in the body of a request.
///
/// # Errors
/// [`ApiError`] if the body is not the JSON of a game.
pub fn read_record(body: &str) -> Result<Game, ApiError> {
    json::from_line(body, 1).map_err(ApiError::invalid)
}

/// The size of a response.
#[derive(Debug, Default)]
pub(crate) struct AnswerSize {
    moves: usize,
    sown: u64,
}

impl AnswerSize {
    /// Adds a game, unless the games together are longer than a page can show.
    pub(crate) fn add(&mut self, game: &Game) -> Result<(), ApiError> {
        let variations = game.variations();
        // The answer does not repeat the moves that a variation shares with the game.
        let lines = variations.iter().map(|line| &line.steps()[game.shared_moves(line)..]);
        for step in game.steps().iter().chain(lines.flatten()) {
            self.moves += 1;
            self.sown += u64::from(step.played.sown);
        }
        let Self { moves, sown } = *self;
        if moves > MAX_MOVES {
            return Err(ApiError::invalid(format!("too many moves (limit {MAX_MOVES})")));
        }
        if sown > MAX_SOWN {
            return Err(ApiError::invalid(format!("too many seeds sown (limit {MAX_SOWN})")));
        }
        Ok(())
    }
}

/// The moves of a line after the first `from`.
fn steps(line: &Variation, from: usize, judged: Option<&JudgedLine>) -> Vec<ShownStep> {
    let steps = (1..).zip(line.steps()).skip(from);
    steps
        .map(|(number, step)| {
            ShownStep::new(step, judged.and_then(|judged| judged.marks.get(&number)))
        })
        .collect()
}

impl ShownStep {
    fn new(step: &Step, marked: Option<&(String, i32)>) -> Self {
        Self {
            sowing: ShownMove::new(&step.played, &step.after),
            comment: step.r#move.comment.as_deref().map(|comment| Foreign(comment).to_string()),
            mark: marked.map(|(mark, _)| mark.clone()),
            lost: marked.map(|&(_, lost)| Value(lost).seeds()),
        }
    }
}

fn variations(game: &Game) -> Vec<ShownVariation> {
    let mut shown = Vec::new();
    for line in game.variations() {
        let after = game.shared_moves(&line);
        let judged = JudgedLine::new(game, &line, false);
        shown.push(ShownVariation {
            after,
            swapped_after: line.swapped_after(),
            steps: steps(&line, after, judged.as_ref()),
        });
    }
    shown
}

impl ShownClock {
    fn from_record(game: &Game) -> Option<Self> {
        let rules = ClockRules::read(game)?;
        let clocks = rules.clocks(game);
        let [base, increment] = rules.seconds();
        Some(Self {
            base,
            increment,
            flag: rules.flag,
            left: BySide::from_fn(|side| {
                clocks[game.player_at(side).index()].remaining.as_secs_f64()
            }),
        })
    }
}
