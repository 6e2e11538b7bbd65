//! The error of a request: a status and `{"error": "what was expected, what came"}`.

use std::fmt;

use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection, StringRejection};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::sys::foreign::Foreign;

/// Error of a request, for its client to read.
#[derive(Debug)]
pub(super) struct ApiError {
    status: StatusCode,
    message: String,
}

impl ApiError {
    pub(super) fn new(status: StatusCode, message: impl fmt::Display) -> Self {
        Self { status, message: message.to_string() }
    }

    /// The request cannot be understood.
    pub(super) fn invalid(message: impl fmt::Display) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    /// What was asked for does not exist.
    pub(super) fn not_found(message: impl fmt::Display) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// The server cannot answer, which is not the client's fault.
    pub(super) fn failed(message: impl fmt::Display) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    /// Too many requests are being worked on.
    pub(super) fn busy() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "the server is busy; try again later")
    }
}

/// The rejections of axum's extractors, which say what was wrong.
macro_rules! from_rejections {
    ($($Rejection:ty),*) => {
        $(impl From<$Rejection> for ApiError {
            fn from(refused: $Rejection) -> Self {
                Self::new(refused.status(), refused.body_text())
            }
        })*
    };
}
from_rejections!(JsonRejection, PathRejection, QueryRejection, StringRejection);

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        // Some messages quote what the client has sent.
        let text = json!({ "error": self.message }).to_string();
        let text = Foreign(&text).to_string();
        (self.status, [(CONTENT_TYPE, "application/json")], text).into_response()
    }
}
