//! The games that `kalah play` and the page save. A request names a game by its file name, which
//! is only compared with the names in the folder, so that no request can reach files elsewhere.

use axum::http::StatusCode;
use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};

use kalah_page::{Answer, ApiError, Call, ListedGame, SavedPlace, ShownGame, answer, read_record};
use kalah_play::saved::{SavedFile, SavedGameError, SavedGames};
use kalah_record::Game;
use kalah_text::foreign::Foreign;

use crate::state::ServedHost;

#[derive(Debug, Serialize)]
struct SavedList {
    /// Latest first.
    games: Vec<ListedGame>,
    /// Why other files are not listed.
    damaged: Vec<String>,
}

/// A game and the version of its file.
#[derive(Debug, Serialize)]
struct OpenedGame {
    #[serde(flatten)]
    game: ShownGame,
    version: String,
}

fn place(file: Option<&SavedFile>) -> SavedPlace {
    let name = file.and_then(|file| file.path.file_name()?.to_str());
    let version = file.map(|file| file.version.to_string());
    SavedPlace { name: name.map(str::to_owned), version, fault: None }
}

/// The query of a request that replaces a game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SeenVersion {
    /// The version of the file that the game continues; none if there is no file yet.
    seen: Option<String>,
}

/// The error for a request about a file.
fn refused(error: SavedGameError) -> ApiError {
    let status = match error {
        SavedGameError::NoSuchName(_) => StatusCode::NOT_FOUND,
        SavedGameError::Conflict(_) | SavedGameError::Finished | SavedGameError::SeveralGames => {
            StatusCode::CONFLICT
        }
        SavedGameError::Damaged { .. } => StatusCode::UNPROCESSABLE_ENTITY,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    // The message may quote the name of a file.
    ApiError::new(status.as_u16(), Foreign(&error.to_string()))
}

/// The name of a file in a path.
fn name(call: &Call<'_>) -> Result<String, ApiError> {
    let name = percent_decode_str(call.parts[0]).decode_utf8();
    Ok(name.map_err(|_| ApiError::malformed("the name of a file: not UTF-8"))?.into_owned())
}

pub(crate) fn list(_: &Call<'_>, host: &mut ServedHost) -> Result<Answer, ApiError> {
    let (games, damaged) = host.content.saved_games().list();
    let games = games.into_iter().filter_map(|(path, game)| {
        // A name that is not UTF-8 could not be sent back in a request.
        Some(ListedGame::new(path.file_name()?.to_str()?.to_owned(), &game))
    });
    let damaged = damaged.iter().map(|error| Foreign(&error.to_string()).to_string());
    answer(&SavedList { games: games.collect(), damaged: damaged.collect() })
}

pub(crate) fn load(call: &Call<'_>, host: &mut ServedHost) -> Result<Answer, ApiError> {
    let (record, version) = named(&host.content.saved_games(), &name(call)?)?;
    answer(&OpenedGame { game: ShownGame::from_record(record)?, version })
}

/// The game in the file with this name, and the version of the file.
pub(crate) fn named(games: &SavedGames, name: &str) -> Result<(Game, String), ApiError> {
    let (_, loaded) = games.named(name).map_err(refused)?;
    Ok((loaded.record, loaded.version.to_string()))
}

pub(crate) fn save(call: &Call<'_>, host: &mut ServedHost) -> Result<Answer, ApiError> {
    let record = read_record(&call.request.body)?;
    answer(&place(host.content.saved_games().save(&record).map_err(refused)?))
}

pub(crate) fn replace(call: &Call<'_>, host: &mut ServedHost) -> Result<Answer, ApiError> {
    let SeenVersion { seen } = call.request.from_query()?;
    let record = read_record(&call.request.body)?;
    let games = host.content.saved_games();
    answer(&save_as(games, &name(call)?, &record, seen.as_deref())?)
}

/// Saves a game in place of the version `seen` of its file.
pub(crate) fn save_as(
    mut games: SavedGames,
    name: &str,
    record: &Game,
    seen: Option<&str>,
) -> Result<SavedPlace, ApiError> {
    let version = seen.map(str::parse).transpose();
    let version =
        version.map_err(|_| ApiError::malformed("seen: expected the version of a saved game"))?;
    Ok(place(games.save_as(name, record, version).map_err(refused)?))
}
