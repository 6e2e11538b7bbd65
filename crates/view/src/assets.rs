//! The files of the page, embedded in the program. They change only with the program.

use kalah_tables::{CONTENT_STYLE, LOGO, TOKENS_STYLE};

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Where the page expects it: the path from its first slash.
    pub path: &'static str,
    /// The whole file.
    pub text: &'static str,
}

/// A list of files in the folder `assets`, after files with other paths.
macro_rules! files {
    ([$($path:literal: $text:expr),*], $($name:literal),* $(,)?) => {
        &[
            $(Asset { path: $path, text: $text },)*
            $(Asset {
                path: concat!("/", $name),
                text: include_str!(concat!("../assets/", $name)),
            }),*
        ]
    };
}

/// Every file.
#[rustfmt::skip]
pub static ASSETS: &[Asset] = files![
    [
        "/": include_str!("../assets/index.html"),
        "/content.css": CONTENT_STYLE, "/logo.svg": LOGO, "/tokens.css": TOKENS_STYLE
    ],
    "analyse.css", "analyse.js", "api.js", "app.js", "board.css", "board.js", "clock.js", "coach.js",
    "curve.js", "dialogs.js", "editor.js", "engine.js", "evaluation.js", "exact.js", "files.js",
    "first.js", "games.css", "games.html", "games.js", "icons.js", "inplay.js", "keys.js",
    "learn.css", "learn.js", "margins.js", "moves.css", "moves.js", "newgame.js", "openings.js",
    "page.js", "play.css", "play.js", "review.js", "saved.js", "seeds.js", "settings.js",
    "sound.js", "sowing.js", "store.js", "style.css", "theme.js", "thinking.js", "transport.js",
    "tree.js", "watch.css", "watch.js", "wholegame.js",
];

/// The files that only the page without a server has; the first one replaces the file of the same
/// name.
#[rustfmt::skip]
pub const SITE_ASSETS: &[Asset] = files![[
    "/transport.js": include_str!("../assets/site/transport.js"),
    "/worker.js": include_str!("../assets/site/worker.js"),
    "/app.webmanifest": include_str!("../assets/site/app.webmanifest")
],];

/// The service worker of the page without a server, which uses the constants VERSION and FILES.
pub const SERVICE_WORKER: &str = include_str!("../assets/site/sw.js");

impl Asset {
    /// The file at a path, if there is one.
    pub fn at(path: &str) -> Option<&'static Self> {
        ASSETS.iter().find(|asset| asset.path == path)
    }

    /// Its media type, with the encoding of its characters.
    pub fn content_type(&self) -> &'static str {
        match self.path.rsplit_once('.') {
            Some((_, "css")) => "text/css; charset=utf-8",
            Some((_, "js")) => "text/javascript; charset=utf-8",
            Some((_, "svg")) => "image/svg+xml; charset=utf-8",
            _ => "text/html; charset=utf-8",
        }
    }
}
