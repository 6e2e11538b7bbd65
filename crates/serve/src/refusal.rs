//! The error of a request as a response.

use std::fmt;

use axum::extract::rejection::{PathRejection, QueryRejection, StringRejection};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
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

/// The rejections of axum's extractors, which say what was wrong.
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

/// Without the words of serde, which name its types.
impl From<QueryRejection> for Refusal {
    fn from(refused: QueryRejection) -> Self {
        Self::new(refused.status(), "expected a query as in protocol.md, got something else")
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let Self(error) = self;
        let status = StatusCode::from_u16(error.status());
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        (status, [(CONTENT_TYPE, "application/json")], error.to_json()).into_response()
    }
}
