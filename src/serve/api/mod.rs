//! JSON over HTTP, one file a subject. Each has pure functions from a request to a
//! response, and thin handlers that call them beside the thread of the connections
//! ([`Shared::run`]).

mod board;
mod game;
mod judge;
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
        .route("/game", post(game::show))
        .route("/hint", post(judge::hint))
        .route("/judge", post(judge::judge))
        .route("/levels", get(seats::list))
        .route("/new", post(game::begin))
        .route("/openings", get(openings::show))
        .route("/read", post(read::read))
        .route("/saved", get(saved::list).post(saved::save))
        .route("/saved/{name}", get(saved::load).put(saved::replace))
        .route("/solve", get(solve::solve))
        .fallback(unknown)
}

async fn unknown(uri: Uri) -> ApiError {
    ApiError::not_found(format!("there is nothing at /api{}", uri.path()))
}
