//! Games from pasted text: positions, lists of moves, `.kgn` text or JSON lines.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use serde::{Deserialize, Serialize};

use super::super::error::ApiError;
use super::super::shared::Shared;
use super::game::GameData;
use crate::arena::opening::{self, Opening};
use crate::game::{Capture, Position, Rules};
use crate::record::format;
use crate::record::{Game, Move};

/// Games in a text.
const MAX_GAMES: usize = 100;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pasted {
    text: String,
    /// Where the text does not name the rule.
    #[serde(default)]
    capture: Capture,
}

#[derive(Debug, Serialize)]
pub(super) struct Games {
    games: Vec<GameData>,
}

impl Pasted {
    /// # Errors
    /// What is wrong with the text, and where.
    fn games(&self) -> Result<Vec<Game>, ApiError> {
        let text = self.text.trim();
        let start = Position::start(Rules::usual(self.capture));
        let is_letters = |c: char| c.is_ascii_alphabetic() || c.is_whitespace();
        let games: Vec<Game> = if text.starts_with('<') {
            let lines = (1..).zip(text.lines());
            let openings = lines
                .filter_map(|(number, line)| opening::read_line(number, line, start).transpose());
            let games = openings.map(|opening| opening.map_err(ApiError::invalid).map(of_opening));
            games.take(MAX_GAMES + 1).collect::<Result<_, _>>()?
        } else if !text.is_empty() && text.chars().all(is_letters) {
            let opening = Opening::new(String::new(), start, text);
            vec![of_opening(opening.map_err(|(column, error)| {
                ApiError::invalid(format!("column {column}: {error}"))
            })?)]
        } else {
            let (_, games) = format::read_first(text, MAX_GAMES + 1).map_err(ApiError::invalid)?;
            games
        };
        if games.len() > MAX_GAMES {
            return Err(ApiError::invalid(format!("expected at most {MAX_GAMES} games, got more")));
        }
        Ok(games)
    }
}

fn of_opening(opening: Opening) -> Game {
    let mut game = Game::new(opening.start, Default::default());
    game.opening = Some(opening.name).filter(|name| !name.is_empty());
    for pit in opening.moves {
        game.play(Move::new(pit)).expect("the moves of an opening are legal");
    }
    game
}

pub(super) async fn read(
    State(shared): State<Arc<Shared>>,
    pasted: Result<Json<Pasted>, JsonRejection>,
) -> Result<Json<Games>, ApiError> {
    let Json(pasted) = pasted?;
    let games = shared.run(move |_| {
        let games = pasted.games()?.into_iter().map(GameData::of);
        Ok(Games { games: games.collect::<Result<_, _>>()? })
    });
    games.await.map(Json)
}
