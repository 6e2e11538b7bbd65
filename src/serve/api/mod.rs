//! JSON over HTTP, one file a subject. Each has pure functions from a request to a
//! response, and thin handlers that call them beside the thread of the connections
//! ([`Shared::run`]).

mod board;
mod exercises;
mod files;
mod game;
mod judge;
mod matches;
mod openings;
mod read;
mod saved;
mod seats;
mod solve;

use std::sync::Arc;

use axum::Router;
use axum::http::Uri;
use axum::routing::{get, post};

use super::error::ApiError;
use super::shared::Shared;

/// Everything under `/api`.
pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/boards", get(openings::boards))
        .route("/files", get(files::list))
        .route("/files/{number}", get(files::games))
        .route("/files/{number}/{game}", get(files::game))
        .route("/game", post(game::show))
        .route("/hint", post(judge::hint))
        .route("/judge", post(judge::judge))
        .route("/lessons", get(exercises::lessons))
        .route("/lessons/{number}", get(exercises::lesson).post(exercises::answer_lesson))
        .route("/levels", get(seats::list))
        .route("/matches", get(matches::list))
        .route("/matches/{number}", get(matches::show))
        .route("/matches/{number}/events", get(matches::events))
        .route("/matches/{number}/games", get(matches::titles))
        .route("/matches/{number}/games/{game}", get(matches::game))
        .route("/new", post(game::begin))
        .route("/openings", get(openings::show))
        .route("/puzzles", get(exercises::puzzles))
        .route("/puzzles/{number}", get(exercises::puzzle).post(exercises::answer_puzzle))
        .route("/read", post(read::read))
        .route("/saved", get(saved::list).post(saved::save))
        .route("/saved/{name}", get(saved::load).put(saved::replace))
        .route("/solve", get(solve::solve))
        .fallback(unknown)
}

async fn unknown(uri: Uri) -> ApiError {
    ApiError::not_found(format!("there is nothing at /api{}", uri.path()))
}
