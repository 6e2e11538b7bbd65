//! The games that `kalah play` and the page save. A request names a game by its file name, which
//! is only compared with the names in the folder, so that no request can reach files elsewhere.

use std::sync::Arc;

use axum::extract::rejection::{PathRejection, StringRejection};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};

use kalah_page::{ApiError, ListedGame, ShownGame, read_record};
use kalah_play::saved::{SavedFile, SavedGameError, SavedGames};
use kalah_sys::files::ContentHash;
use kalah_text::foreign::Foreign;

use crate::refusal::{PageQuery, Refusal};
use crate::state::ServerState;

#[derive(Debug, Serialize)]
pub(crate) struct SavedList {
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

/// Where a game was saved; empty if games are not saved.
#[derive(Debug, Default, Serialize)]
struct SavedPlace {
    /// The name of the file.
    name: Option<String>,
    /// The version of the file, which the next save replaces.
    version: Option<String>,
}

impl SavedPlace {
    fn new(file: Option<&SavedFile>) -> Self {
        let Some(SavedFile { path, version }) = file else { return Self::default() };
        let name = path.file_name().and_then(|name| Some(name.to_str()?.to_owned()));
        Self { name, version: Some(version.to_string()) }
    }
}

/// The query of a request that replaces a game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SeenVersion {
    /// The version of the file that the game continues; none if there is no file yet.
    seen: Option<String>,
}

impl SeenVersion {
    fn hash(&self) -> Result<Option<ContentHash>, ApiError> {
        let hash = self.seen.as_deref().map(str::parse).transpose();
        hash.map_err(|_| ApiError::malformed("seen: expected the version of a saved game"))
    }
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

fn games(state: &ServerState) -> SavedGames {
    // Each request has its own value, which remembers the file of the current game.
    SavedGames::new(state.content.games.clone())
}

fn listed(games: &SavedGames) -> SavedList {
    let (games, damaged) = games.list();
    let games = games.into_iter().filter_map(|(path, game)| {
        // A name that is not UTF-8 could not be sent back in a request.
        Some(ListedGame::new(path.file_name()?.to_str()?.to_owned(), &game))
    });
    let damaged = damaged.iter().map(|error| Foreign(&error.to_string()).to_string());
    SavedList { games: games.collect(), damaged: damaged.collect() }
}

pub(crate) async fn list(State(state): State<Arc<ServerState>>) -> Result<Response, Refusal> {
    let games = games(&state);
    state.answer(move || Ok(listed(&games))).await
}

pub(crate) async fn load(
    State(state): State<Arc<ServerState>>,
    name: Result<Path<String>, PathRejection>,
) -> Result<Response, Refusal> {
    let (Path(name), games) = (name?, games(&state));
    let game = state.answer(move || {
        let (_, loaded) = games.named(&name).map_err(refused)?;
        let version = loaded.version.to_string();
        Ok(OpenedGame { game: ShownGame::from_record(loaded.record)?, version })
    });
    game.await
}

pub(crate) async fn save(
    State(state): State<Arc<ServerState>>,
    body: Result<String, StringRejection>,
) -> Result<Response, Refusal> {
    let body = body?;
    let mut games = games(&state);
    let saved = state.answer(move || {
        let file = games.save(&read_record(&body)?).map_err(refused)?;
        Ok(SavedPlace::new(file))
    });
    saved.await
}

pub(crate) async fn replace(
    State(state): State<Arc<ServerState>>,
    name: Result<Path<String>, PathRejection>,
    seen: Result<PageQuery<SeenVersion>, Refusal>,
    body: Result<String, StringRejection>,
) -> Result<Response, Refusal> {
    let (Path(name), PageQuery(seen), body, mut games) = (name?, seen?, body?, games(&state));
    let saved = state.answer(move || {
        let record = read_record(&body)?;
        let seen = seen.hash()?;
        let file = games.save_as(&name, &record, seen).map_err(refused)?;
        Ok(SavedPlace::new(file))
    });
    saved.await
}
