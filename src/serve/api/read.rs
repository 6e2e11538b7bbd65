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
use super::game::{GameData, check_size};
use crate::game::Capture;

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
        let games = text::games(pasted.text.trim(), pasted.capture, MAX_GAMES + 1);
        let games = games.map_err(ApiError::invalid)?;
        if games.len() > MAX_GAMES {
            return Err(ApiError::invalid(format!("expected at most {MAX_GAMES} games, got more")));
        }
        check_size(&games)?;
        let games = games.into_iter().map(GameData::of);
        Ok(Games { games: games.collect::<Result<_, _>>()? })
    });
    games.await
}
