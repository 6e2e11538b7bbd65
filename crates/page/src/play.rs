//! A game in play: what a player or the engine does to a saved game. The saved game is the state,
//! so that a request needs nothing but the record from the answer to the previous one.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use kalah_game::{Depth, Pit, Value};
use kalah_play::game::{GameInPlay, Intent, NewGame};
use kalah_play::question::Answer;
use kalah_play::seat::Seat;
use kalah_record::{Game, Move, MoveEvaluation};
use kalah_sys::clock::now;

use crate::error::ApiError;
use crate::game::{ShownGame, read_record};

/// What somebody does in a game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskedPlay {
    /// The `saved` record of the previous answer.
    record: serde_json::Value,
    /// Without one, the game is only shown.
    #[serde(default)]
    intent: Option<AskedIntent>,
    /// The time used in the current turn, in microseconds.
    #[serde(default)]
    us: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum AskedIntent {
    /// A pit, by its letter.
    Sow(String),
    /// The engine's move.
    Reply(EngineMove),
    Swap,
    TakeBack,
    Redo,
    Resign,
    /// The side to move has run out of time.
    Flag,
    Continue,
    Coach(bool),
}

/// A move of the engine with the units of a record.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EngineMove {
    pit: String,
    value: Option<i32>,
    #[serde(default)]
    proved: bool,
    depth: Option<u16>,
    nodes: Option<u64>,
}

/// A game in play as the page shows it.
#[derive(Debug, Serialize)]
pub(crate) struct ShownPlay {
    /// Up to the position on the board.
    #[serde(flatten)]
    game: ShownGame,
    /// The record to save, and to send with what happens next.
    saved: Game,
    /// The number of steps that were taken back.
    undone: usize,
    may_take_back: bool,
    paused: bool,
}

/// Does what was asked, if the game allows it.
pub(crate) fn play(asked: &AskedPlay) -> Result<ShownPlay, ApiError> {
    let record = read_record(&asked.record.to_string())?;
    let mut game = GameInPlay::load(&record, new_game(&record));
    game.begin(Duration::ZERO);
    if let Some(intent) = &asked.intent {
        act(&mut game, intent, Duration::from_micros(asked.us))?;
    }
    Ok(ShownPlay {
        game: ShownGame::from_record(game.shown())?,
        saved: game.saved(),
        undone: game.cursor().undone(),
        may_take_back: game.may_take_back(),
        paused: game.is_paused(),
    })
}

/// What a record of a different program lacks: people continue it.
fn new_game(record: &Game) -> NewGame {
    NewGame {
        start: *record.start(),
        seats: [Seat::Person; 2],
        pie_rule: record.pie_rule,
        clock_rules: None,
        has_coach: false,
        date: now(),
    }
}

fn act(game: &mut GameInPlay, asked: &AskedIntent, now: Duration) -> Result<(), ApiError> {
    let intent = match asked {
        AskedIntent::Sow(pit) => Intent::Sow(parse_pit(game, pit)?),
        AskedIntent::Reply(best) => return reply(game, best, now),
        AskedIntent::Flag => {
            game.tick(now);
            return Ok(());
        }
        AskedIntent::Swap => Intent::Swap,
        AskedIntent::TakeBack => Intent::TakeBack,
        AskedIntent::Redo => Intent::Redo,
        AskedIntent::Resign => Intent::Resign,
        AskedIntent::Continue => Intent::Continue,
        AskedIntent::Coach(has_coach) => Intent::Coach(*has_coach),
    };
    game.act(intent, now).map_err(ApiError::invalid)?;
    Ok(())
}

fn parse_pit(game: &GameInPlay, letter: &str) -> Result<Pit, ApiError> {
    game.position().parse_move(letter).map_err(ApiError::invalid)
}

fn reply(game: &mut GameInPlay, best: &EngineMove, now: Duration) -> Result<(), ApiError> {
    if game.thinking().is_none() {
        return Err(ApiError::invalid("the engine is not to move"));
    }
    let proved = best.proved;
    let evaluation = best.value.map(|value| MoveEvaluation { margin: Value(value), proved });
    let best = Move {
        evaluation,
        depth: best.depth.map(Depth),
        nodes: best.nodes,
        ..Move::new(parse_pit(game, &best.pit)?)
    };
    game.hear(Answer::Move(Some(best)), now);
    Ok(())
}
