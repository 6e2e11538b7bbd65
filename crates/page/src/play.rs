//! A game in play: what a player or the engine does to a saved game. The saved game is the state:
//! a request needs nothing but its file or, until there is one, the record from the last answer.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use kalah_coach::judge::LOSS_TIME;
use kalah_engine::search::Limits;
use kalah_play::game::{GameInPlay, Intent, NewGame};
use kalah_play::players;
use kalah_play::question::{Answer, Question};
use kalah_play::seat::Seat;
use kalah_record::{Game, Move};
use kalah_sys::clock::now;

use crate::error::ApiError;
use crate::game::{ShownGame, read_record};
use crate::judge::{ShownJudgement, judge};
use crate::new_game::AskedGame;
use crate::page_host::{PageHost, SavedPlace};

/// The longest search for a move of the engine.
const MAX_REPLY: Duration = Duration::from_secs(600);

/// The maximum time of a turn, in microseconds: a year. A record cannot hold much more.
const MAX_TURN: u64 = 31_536_000_000_000;

/// What somebody does in a game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskedPlay {
    /// The game, if it is in no file yet: the `saved` record of the last answer.
    record: Option<serde_json::Value>,
    /// The name of the file: the one of the game or, with a `record`, a new one.
    name: Option<String>,
    /// The version of the file in the last answer.
    seen: Option<String>,
    /// Without one, the game is only shown.
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
    /// The engine moves.
    Reply,
    Swap,
    TakeBack,
    Redo,
    Resign,
    /// The side to move has run out of time.
    Flag,
    Continue,
    Coach(bool),
}

/// A game in play as the page shows it.
#[derive(Debug, Serialize)]
pub(crate) struct ShownPlay {
    /// Up to the position on the board.
    #[serde(flatten)]
    game: ShownGame,
    /// The whole game.
    saved: Game,
    /// The number of steps that were taken back.
    undone: usize,
    may_take_back: bool,
    paused: bool,
    /// The side of the only person.
    person: Option<char>,
    /// Where the game is saved; absent if the request names no file.
    #[serde(flatten)]
    place: Option<SavedPlace>,
    /// The coach's judgement of the move just made.
    judgement: Option<ShownJudgement>,
}

impl ShownPlay {
    fn new(game: &GameInPlay) -> Result<Self, ApiError> {
        Ok(Self {
            game: ShownGame::from_record(game.shown())?,
            saved: game.saved(),
            undone: game.cursor().undone(),
            may_take_back: game.may_take_back(),
            paused: game.is_paused(),
            person: game.only_person().map(|side| side.initial()),
            place: None,
            judgement: None,
        })
    }

    fn version(&self) -> Option<&String> {
        self.place.as_ref()?.version.as_ref()
    }
}

/// Begins a game, if its players, its board and its clock exist.
pub(crate) fn begin(asked: &AskedGame) -> Result<ShownPlay, ApiError> {
    ShownPlay::new(&GameInPlay::new(asked.new_game()?))
}

/// Does what was asked, if the game allows it, and saves the game.
pub(crate) fn play(asked: AskedPlay, host: &mut dyn PageHost) -> Result<ShownPlay, ApiError> {
    let refused = match (carry_out(&asked, host), &asked.intent) {
        (Err(error), Some(AskedIntent::Reply)) if error.status() == 409 => error,
        (answer, _) => return answer,
    };
    let seen = asked.seen.clone();
    let shown = carry_out(&AskedPlay { record: None, intent: None, ..asked }, host)?;
    // The engine has already moved, for a different tab or in an answer that was lost. Any other
    // conflict, such as a file with several games, would only be repeated.
    if seen.is_some() && shown.version() == seen.as_ref() { Err(refused) } else { Ok(shown) }
}

fn carry_out(asked: &AskedPlay, host: &mut dyn PageHost) -> Result<ShownPlay, ApiError> {
    let (record, seen) = opened(asked, host)?;
    let mut game = GameInPlay::load(&record, new_game(&record));
    game.begin(Duration::ZERO);
    let before = *game.position();
    if let Some(intent) = &asked.intent {
        act(&mut game, intent, Duration::from_micros(asked.us.min(MAX_TURN)), host)?;
    }
    let mut shown = ShownPlay::new(&game)?;
    shown.place = match &asked.name {
        None => None,
        // The coach may take longer than the client waits, so the move is saved before.
        Some(name) if asked.intent.is_some() => {
            Some(save(host, name, &shown.saved, seen.as_deref())?)
        }
        Some(_) if seen.is_none() => None,
        Some(name) => Some(SavedPlace { name: Some(name.clone()), version: seen, fault: None }),
    };
    if let (Some(Question::LastMove), [.., last]) = (game.question(), game.record().steps()) {
        let pit = last.played.pit;
        let judgement = ShownJudgement::of_move(before, pit, LOSS_TIME, game.only_person(), host);
        // A failure of the coach is not one of the move.
        shown.judgement = judgement.ok();
    }
    Ok(shown)
}

/// Saves the game. If the file cannot be written, the answer says so, and play continues.
fn save(
    host: &mut dyn PageHost,
    name: &str,
    record: &Game,
    seen: Option<&str>,
) -> Result<SavedPlace, ApiError> {
    match host.save_game(name, record, seen) {
        Err(error) if error.status() == 500 => {
            Ok(SavedPlace { fault: Some(error.to_string()), ..SavedPlace::default() })
        }
        saved => saved,
    }
}

/// The game that is asked about, and the version of its file, if it has one.
fn opened(asked: &AskedPlay, host: &mut dyn PageHost) -> Result<(Game, Option<String>), ApiError> {
    match (&asked.record, &asked.name) {
        (Some(record), _) => Ok((read_record(&record.to_string())?, None)),
        (None, Some(name)) => {
            let (record, version) = host.saved_game(name)?;
            if asked.intent.is_none() {
                return Ok((record, Some(version)));
            }
            if asked.seen.as_ref() != Some(&version) {
                return Err(ApiError::new(409, "another page or program has changed this game"));
            }
            // Saving the game would drop the names of its players.
            if players::seats(&record).is_none() {
                return Err(ApiError::new(409, "another program has written this file"));
            }
            Ok((record, Some(version)))
        }
        (None, None) => Err(ApiError::invalid("expected a record or a name")),
    }
}

/// Defaults for a record of a different program: two people continue it.
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

fn act(
    game: &mut GameInPlay,
    asked: &AskedIntent,
    now: Duration,
    host: &mut dyn PageHost,
) -> Result<(), ApiError> {
    let intent = match asked {
        AskedIntent::Sow(pit) => {
            Intent::Sow(game.position().parse_move(pit).map_err(ApiError::invalid)?)
        }
        AskedIntent::Reply => return reply(game, now, host),
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

/// The engine moves, `now` after the beginning of its turn.
fn reply(game: &mut GameInPlay, now: Duration, host: &mut dyn PageHost) -> Result<(), ApiError> {
    let Some(Question::Move(seat, clock)) = game.question() else {
        return Err(ApiError::invalid("the engine is not to move"));
    };
    let position = *game.position();
    let limits = seat.limits(clock);
    let movetime = limits.movetime.unwrap_or(MAX_REPLY).min(MAX_REPLY);
    let began = host.elapsed();
    let found = judge(host, seat)?.search(position, Limits { movetime: Some(movetime), ..limits });
    if host.stop().is_raised() {
        // If the server shuts down, its client repeats the request.
        return Err(ApiError::new(503, "the search was stopped"));
    }
    let spent = host.elapsed().saturating_sub(began);
    game.hear(Answer::Move(Move::from_search(&found, Duration::ZERO)), now + spent);
    Ok(())
}
