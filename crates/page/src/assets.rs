//! The files of the page, embedded in the program. They change only with the program.

use kalah_record::web;
use kalah_tables::{CONTENT_STYLE, LOGO, TOKENS_STYLE};

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Where the page expects it: the path from its first slash.
    pub path: &'static str,
    /// Its media type, with the encoding of its characters.
    pub content_type: &'static str,
    /// The whole file.
    pub text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SVG: &str = "image/svg+xml; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

const fn file(path: &'static str, content_type: &'static str, text: &'static str) -> Asset {
    Asset { path, content_type, text }
}

/// Every file, sorted by its path.
pub static ASSETS: &[Asset] = &[
    file("/", HTML, include_str!("assets/index.html")),
    file("/analyse.css", CSS, include_str!("assets/analyse.css")),
    file("/analyse.js", SCRIPT, include_str!("assets/analyse.js")),
    file("/api.js", SCRIPT, include_str!("assets/api.js")),
    file("/app.js", SCRIPT, include_str!("assets/app.js")),
    file("/board.css", CSS, web::STYLE),
    file("/board.js", SCRIPT, web::BOARD),
    file("/clock.js", SCRIPT, include_str!("assets/clock.js")),
    file("/coach.js", SCRIPT, include_str!("assets/coach.js")),
    file("/content.css", CSS, CONTENT_STYLE),
    file("/curve.js", SCRIPT, web::CURVE),
    file("/dialogs.js", SCRIPT, include_str!("assets/dialogs.js")),
    file("/editor.js", SCRIPT, include_str!("assets/editor.js")),
    file("/engine.js", SCRIPT, include_str!("assets/engine.js")),
    file("/evaluation.js", SCRIPT, include_str!("assets/evaluation.js")),
    file("/exact.js", SCRIPT, include_str!("assets/exact.js")),
    file("/explore.js", SCRIPT, include_str!("assets/explore.js")),
    file("/files.js", SCRIPT, include_str!("assets/files.js")),
    file("/first.js", SCRIPT, include_str!("assets/first.js")),
    file("/games.css", CSS, web::VIEWER_STYLE),
    file("/games.html", HTML, web::VIEWER),
    file("/games.js", SCRIPT, web::VIEWER_SCRIPT),
    file("/icons.js", SCRIPT, include_str!("assets/icons.js")),
    file("/inplay.js", SCRIPT, include_str!("assets/inplay.js")),
    file("/keys.js", SCRIPT, web::KEYS),
    file("/learn.css", CSS, include_str!("assets/learn.css")),
    file("/learn.js", SCRIPT, include_str!("assets/learn.js")),
    file("/logo.svg", SVG, LOGO),
    file("/margins.js", SCRIPT, include_str!("assets/margins.js")),
    file("/moves.css", CSS, web::MOVES_STYLE),
    file("/moves.js", SCRIPT, web::MOVES),
    file("/newgame.js", SCRIPT, include_str!("assets/newgame.js")),
    file("/page.js", SCRIPT, include_str!("assets/page.js")),
    file("/play.css", CSS, include_str!("assets/play.css")),
    file("/play.js", SCRIPT, include_str!("assets/play.js")),
    file("/review.js", SCRIPT, include_str!("assets/review.js")),
    file("/saved.js", SCRIPT, include_str!("assets/saved.js")),
    file("/seeds.js", SCRIPT, web::SEEDS),
    file("/settings.js", SCRIPT, include_str!("assets/settings.js")),
    file("/sound.js", SCRIPT, include_str!("assets/sound.js")),
    file("/sowing.js", SCRIPT, include_str!("assets/sowing.js")),
    file("/store.js", SCRIPT, include_str!("assets/store.js")),
    file("/style.css", CSS, include_str!("assets/style.css")),
    file("/theme.js", SCRIPT, include_str!("assets/theme.js")),
    file("/thinking.js", SCRIPT, include_str!("assets/thinking.js")),
    file("/tokens.css", CSS, TOKENS_STYLE),
    file("/transport.js", SCRIPT, include_str!("assets/transport.js")),
    file("/tree.js", SCRIPT, include_str!("assets/tree.js")),
    file("/watch.css", CSS, include_str!("assets/watch.css")),
    file("/watch.js", SCRIPT, include_str!("assets/watch.js")),
    file("/wholegame.js", SCRIPT, include_str!("assets/wholegame.js")),
];

/// The file at a path, if there is one.
pub fn asset(path: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.path == path)
}
