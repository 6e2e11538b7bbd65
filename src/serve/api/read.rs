//! Games from pasted text: positions, lists of moves, `.kgn` text or JSON lines.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::response::Response;
use serde::{Deserialize, Serialize};

use super::super::error::ApiError;
use super::super::shared::Shared;
use super::super::text;
use super::game::{GameData, Size};
use crate::game::Capture;
use crate::record::Game;

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

pub(super) async fn read(
    State(shared): State<Arc<Shared>>,
    pasted: Result<Json<Pasted>, JsonRejection>,
) -> Result<Response, ApiError> {
    let Json(pasted) = pasted?;
    let games = shared.answer(move |_| {
        let (mut count, mut size, mut fits) = (0, Size::default(), Ok(()));
        let mut goes_on = |game: &Game| {
            count += 1;
            fits = size.add(game);
            fits.is_ok() && count <= MAX_GAMES
        };
        let games = text::games(pasted.text.trim(), pasted.capture, &mut goes_on);
        let games = games.map_err(ApiError::invalid)?;
        fits?;
        if games.len() > MAX_GAMES {
            return Err(ApiError::invalid(format!("expected at most {MAX_GAMES} games, got more")));
        }
        let games = games.into_iter().map(GameData::of);
        Ok(Games { games: games.collect::<Result<_, _>>()? })
    });
    games.await
}
