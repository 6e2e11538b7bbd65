//! JSON over HTTP, one file a subject. Each has pure functions from a request to a
//! response, and thin handlers that call them beside the thread of the connections
//! ([`Shared::run`]).

mod levels;

use std::sync::Arc;

use axum::Router;
use axum::http::Uri;
use axum::routing::get;

use super::error::ApiError;
use super::shared::Shared;

/// Everything under `/api`.
pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new().route("/levels", get(levels::list)).fallback(unknown)
}

async fn unknown(uri: Uri) -> ApiError {
    ApiError::not_found(format!("there is nothing at /api{}", uri.path()))
}
