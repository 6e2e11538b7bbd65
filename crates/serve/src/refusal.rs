//! The error for a request as a response.

use std::fmt;

use axum::extract::FromRequestParts;
use axum::extract::rejection::{PathRejection, StringRejection};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;

use kalah_page::{ApiError, parse_query};

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

/// The rejections of axum's extractors, which state what was wrong.
macro_rules! from_rejections {
    ($($Rejection:ty),*) => {
        $(impl From<$Rejection> for Refusal {
            fn from(refused: $Rejection) -> Self {
                Self::new(refused.status(), refused.body_text())
            }
        })*
    };
}
from_rejections!(PathRejection, StringRejection);

/// The fields of a query, which is refused with the page's own message.
pub(crate) struct PageQuery<T>(pub(crate) T);

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for PageQuery<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        Ok(Self(parse_query(parts.uri.query().unwrap_or_default())?))
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let Self(error) = self;
        let status =
            StatusCode::from_u16(error.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        (status, [(CONTENT_TYPE, "application/json")], error.to_json()).into_response()
    }
}
