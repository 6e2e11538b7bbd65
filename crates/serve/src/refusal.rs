//! The error for a request as a response.

use std::fmt;

use axum::http::header::{ALLOW, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use kalah_page::ApiError;

/// An error that is answered as JSON with its status.
#[derive(Debug)]
pub(crate) struct Refusal(pub(crate) ApiError);

impl Refusal {
    pub(crate) fn new(status: StatusCode, message: impl fmt::Display) -> Self {
        Self(ApiError::new(status.as_u16(), message))
    }
}

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Self {
        Self(error)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let Self(error) = self;
        let status =
            StatusCode::from_u16(error.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let headers = [(CONTENT_TYPE, "application/json")];
        let mut response = (status, headers, error.to_json()).into_response();
        if let Some(methods) = error.allowed()
            && let Ok(methods) = HeaderValue::from_str(methods)
        {
            response.headers_mut().insert(ALLOW, methods);
        }
        response
    }
}
