//! The files of the page, embedded in the program. They change only with the program, so
//! browsers keep them and ask each time whether they are still the same.

use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use xxhash_rust::xxh3::xxh3_64;

use super::error::ApiError;
use crate::arena::page::viewer;
use crate::report::CONTENT_STYLE;
use crate::view::web;

/// A file of the page.
struct Asset {
    path: &'static str,
    content_type: &'static str,
    content: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

const fn asset(path: &'static str, content_type: &'static str, content: &'static str) -> Asset {
    Asset { path, content_type, content }
}

static ASSETS: &[Asset] = &[
    asset("/", HTML, include_str!("page/index.html")),
    asset("/analyse.css", CSS, include_str!("page/analyse.css")),
    asset("/analyse.js", SCRIPT, include_str!("page/analyse.js")),
    asset("/api.js", SCRIPT, include_str!("page/api.js")),
    asset("/app.js", SCRIPT, include_str!("page/app.js")),
    asset("/board.css", CSS, web::STYLE),
    asset("/board.js", SCRIPT, web::BOARD),
    asset("/clock.js", SCRIPT, include_str!("page/clock.js")),
    asset("/coach.js", SCRIPT, include_str!("page/coach.js")),
    asset("/content.css", CSS, CONTENT_STYLE),
    asset("/curve.js", SCRIPT, web::CURVE),
    asset("/editor.js", SCRIPT, include_str!("page/editor.js")),
    asset("/engine.js", SCRIPT, include_str!("page/engine.js")),
    asset("/exact.js", SCRIPT, include_str!("page/exact.js")),
    asset("/explore.js", SCRIPT, include_str!("page/explore.js")),
    asset("/files.js", SCRIPT, include_str!("page/files.js")),
    asset("/games.css", CSS, viewer::STYLE),
    asset("/games.html", HTML, viewer::TEMPLATE),
    asset("/games.js", SCRIPT, viewer::SCRIPT),
    asset("/learn.css", CSS, include_str!("page/learn.css")),
    asset("/learn.js", SCRIPT, include_str!("page/learn.js")),
    asset("/margins.js", SCRIPT, include_str!("page/margins.js")),
    asset("/match.js", SCRIPT, include_str!("page/match.js")),
    asset("/newgame.js", SCRIPT, include_str!("page/newgame.js")),
    asset("/page.js", SCRIPT, include_str!("page/page.js")),
    asset("/play.css", CSS, include_str!("page/play.css")),
    asset("/play.js", SCRIPT, include_str!("page/play.js")),
    asset("/review.js", SCRIPT, include_str!("page/review.js")),
    asset("/saved.js", SCRIPT, include_str!("page/saved.js")),
    asset("/settings.js", SCRIPT, include_str!("page/settings.js")),
    asset("/sowing.js", SCRIPT, include_str!("page/sowing.js")),
    asset("/style.css", CSS, include_str!("page/style.css")),
    asset("/thinking.js", SCRIPT, include_str!("page/thinking.js")),
    asset("/tree.js", SCRIPT, include_str!("page/tree.js")),
    asset("/watch.css", CSS, include_str!("page/watch.css")),
    asset("/watch.js", SCRIPT, include_str!("page/watch.js")),
];

/// Answers a request for a file of the page.
pub(super) async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if ![Method::GET, Method::HEAD].contains(&method) {
        let message = format!("expected GET for {}, got {method}", uri.path());
        return ApiError::new(StatusCode::METHOD_NOT_ALLOWED, message).into_response();
    }
    let Some(asset) = ASSETS.iter().find(|asset| asset.path == uri.path()) else {
        return ApiError::not_found(format!("there is nothing at {}", uri.path())).into_response();
    };
    // Weak, because it stands for the packed file, too.
    let tag = format!("W/\"{:016x}\"", xxh3_64(asset.content.as_bytes()));
    let is_kept = headers.get(IF_NONE_MATCH).is_some_and(|kept| kept.as_bytes() == tag.as_bytes());
    let varying = (VARY, ACCEPT_ENCODING.to_string());
    let caching = [(CACHE_CONTROL, "no-cache".to_owned()), (ETAG, tag), varying];
    if is_kept {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    let content_type = [(CONTENT_TYPE, asset.content_type)];
    match packed(asset.content, &headers) {
        Some(packed) => {
            (caching, content_type, [(CONTENT_ENCODING, "zstd")], packed).into_response()
        }
        None => (caching, content_type, asset.content).into_response(),
    }
}

/// A file compressed to a third, if the browser takes it: the first view is then on the
/// screen at once through a slow network, too.
fn packed(content: &str, headers: &HeaderMap) -> Option<Vec<u8>> {
    /// A fraction of a millisecond per file.
    const LEVEL: i32 = 3;
    let accepted = headers.get(ACCEPT_ENCODING)?.to_str().ok()?;
    let takes_zstd = accepted.split(',').any(|encoding| encoding.trim() == "zstd");
    takes_zstd.then(|| zstd::bulk::compress(content.as_bytes(), LEVEL).ok())?
}
