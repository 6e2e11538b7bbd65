//! The files of the page as responses. They change only with the program, so browsers cache them
//! and revalidate them each time.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use xxhash_rust::xxh3::xxh3_64;

use kalah_page::ApiError;
use kalah_view::assets::Asset;

use crate::refusal::Refusal;

/// Answers a request for a file of the page.
pub(crate) async fn serve(
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    if ![Method::GET, Method::HEAD].contains(&method) {
        return Err(ApiError::method_not_allowed(uri.path(), &["GET"]).into());
    }
    let missing = || ApiError::not_found(format!("there is nothing at {}", uri.path()));
    let asset = Asset::at(uri.path()).ok_or_else(missing)?;
    // Weak, because it also stands for the compressed file.
    let tag = format!("W/\"{:016x}\"", xxh3_64(asset.text.as_bytes()));
    let is_kept = headers.get(IF_NONE_MATCH).is_some_and(|kept| kept.as_bytes() == tag.as_bytes());
    let caching = [(CACHE_CONTROL, "no-cache".to_owned()), (ETAG, tag)];
    if is_kept {
        return Ok((StatusCode::NOT_MODIFIED, caching).into_response());
    }
    Ok((caching, [(CONTENT_TYPE, asset.content_type())], asset.text).into_response())
}
