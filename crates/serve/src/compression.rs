//! Compresses responses with gzip. Browsers accept it everywhere, but zstd and Brotli only over
//! HTTPS or from their own machine.

use std::io::{self, Write};

use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::Request;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::job;
use crate::refusal::Refusal;
use kalah_page::ApiError;

/// Shorter bodies would hardly shrink.
const MIN_BYTES: u64 = 256;

/// Compresses the body of a response, if the client accepts that. Events have no size yet and stay
/// as they are.
pub(crate) async fn compress(request: Request, next: Next) -> Response {
    let accepts = accepts_gzip(request.headers());
    let mut response = next.run(request).await;
    response.headers_mut().insert(VARY, HeaderValue::from_static("accept-encoding"));
    let size = response.body().size_hint().exact();
    if !accepts || response.status() != StatusCode::OK || size.is_none_or(|size| size < MIN_BYTES) {
        return response;
    }
    let (mut head, body) = response.into_parts();
    match compressed(body).await {
        Ok(body) => {
            head.headers.remove(CONTENT_LENGTH);
            head.headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            (head, body).into_response()
        }
        Err(error) => Refusal(error).into_response(),
    }
}

fn accepts_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|encoding| encoding.trim() == "gzip")
}

/// A body compressed on a thread of its own, because a long game takes megabytes.
async fn compressed(body: Body) -> Result<Vec<u8>, ApiError> {
    let bytes = to_bytes(body, usize::MAX).await.map_err(ApiError::failed)?;
    let packed = job::start(move || gzip(&bytes))?;
    packed.await.map_err(ApiError::failed)?.map_err(ApiError::failed)
}

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}
