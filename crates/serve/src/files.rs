//! The game files named on the command line, without the matches.

use serde_json::json;

use kalah_page::{Answer, ApiError, Call, ListedGame, ShownGame, answer, numbered};

use crate::matches::SkippedGames;
use crate::state::ServedHost;

/// The maximum number of games in one response.
const MAX_LISTED: usize = 1000;

pub(crate) fn list(_: &Call<'_>, host: &mut ServedHost) -> Result<Answer, ApiError> {
    let mut files = Vec::new();
    for (number, file) in (1..).zip(&host.content.collection.files) {
        files.push(json!({ "number": number, "name": file.name, "games": file.games.len() }));
    }
    kalah_page::list("files", files)
}

pub(crate) fn games(call: &Call<'_>, host: &mut ServedHost) -> Result<Answer, ApiError> {
    let SkippedGames { from } = call.request.from_query()?;
    let games = &numbered(&host.content.collection.files, "file", call.number(0)?)?.games;
    let mut listed = Vec::new();
    for (index, game) in games.iter().enumerate().skip(from).take(MAX_LISTED) {
        listed.push(ListedGame::new((index + 1).to_string(), game));
    }
    kalah_page::list("games", listed)
}

pub(crate) fn game(call: &Call<'_>, host: &mut ServedHost) -> Result<Answer, ApiError> {
    let games = &numbered(&host.content.collection.files, "file", call.number(0)?)?.games;
    let game = numbered(games, "game", call.number(1)?)?;
    answer(&ShownGame::from_record(game.clone())?)
}
