//! Compresses responses with gzip. Browsers accept it everywhere, but zstd and Brotli only over
//! HTTPS or from their own machine.

use std::io::{self, Write};

use axum::body::{Bytes, HttpBody, to_bytes};
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
    // Uncompressed responses need it, too: a cache must not pass one client's form on to another.
    response.headers_mut().insert(VARY, HeaderValue::from_static("accept-encoding"));
    let size = response.body().size_hint().exact();
    if !accepts || response.status() != StatusCode::OK || size.is_none_or(|size| size < MIN_BYTES) {
        return response;
    }
    let (mut head, body) = response.into_parts();
    let Ok(body) = to_bytes(body, usize::MAX).await else {
        return Refusal(ApiError::failed("the answer was lost")).into_response();
    };
    let Some(packed) = packed(&body).await else { return (head, body).into_response() };
    // The length was that of the uncompressed body.
    head.headers.remove(CONTENT_LENGTH);
    head.headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    (head, packed).into_response()
}

fn accepts_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|encoding| encoding.trim() == "gzip")
}

/// The compressed body; none if it is long and the system refuses a thread for compressing it.
/// Without its own thread, a long body would hold up all connections.
async fn packed(body: &Bytes) -> Option<Vec<u8>> {
    /// Compressing this many bytes takes a few milliseconds.
    const MAX_AT_ONCE: usize = 1 << 16;
    if body.len() <= MAX_AT_ONCE {
        return gzip(body).ok();
    }
    let body = body.clone();
    job::start(move || gzip(&body)).ok()?.await.ok()?.ok()
}

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}
