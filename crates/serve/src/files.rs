//! The game files named on the command line, without the matches.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::Response;
use serde::Serialize;

use kalah_page::{ApiError, ListedGame, ShownGame};
use kalah_text::names::missing;

use crate::collection::{Collection, GamesFile};
use crate::matches::SkippedGames;
use crate::refusal::{PageQuery, Refusal};
use crate::state::ServerState;

/// The maximum number of games in one response.
const MAX_LISTED: usize = 1000;

#[derive(Debug, Serialize)]
pub(crate) struct FileList {
    files: Vec<ListedFile>,
}

#[derive(Debug, Serialize)]
struct ListedFile {
    number: usize,
    name: String,
    games: usize,
}

/// Games of a file by their numbers, from 1.
#[derive(Debug, Serialize)]
pub(crate) struct FileGames {
    games: Vec<ListedGame>,
}

/// The file with a number, from 1.
fn numbered(collection: &Collection, number: usize) -> Result<&GamesFile, ApiError> {
    let found = number.checked_sub(1).and_then(|index| collection.files.get(index));
    found.ok_or_else(|| {
        ApiError::not_found(match collection.files.len() {
            0 => format!("no file {number}: the server was started without files of games"),
            count => missing("file", number, count),
        })
    })
}

pub(crate) async fn list(State(state): State<Arc<ServerState>>) -> Result<Response, Refusal> {
    let collection = Arc::clone(&state.content.collection);
    let list = state.answer(move || {
        let files = (1..).zip(&collection.files).map(|(number, file)| ListedFile {
            number,
            name: file.name.clone(),
            games: file.games.len(),
        });
        Ok(FileList { files: files.collect() })
    });
    list.await
}

pub(crate) async fn games(
    State(state): State<Arc<ServerState>>,
    number: Result<Path<usize>, PathRejection>,
    range: Result<PageQuery<SkippedGames>, Refusal>,
) -> Result<Response, Refusal> {
    let (Path(number), PageQuery(SkippedGames { from })) = (number?, range?);
    let collection = Arc::clone(&state.content.collection);
    let listed = state.answer(move || {
        let games = &numbered(&collection, number)?.games;
        let mut listed = Vec::new();
        for (index, game) in games.iter().enumerate().skip(from).take(MAX_LISTED) {
            listed.push(ListedGame::new((index + 1).to_string(), game));
        }
        Ok(FileGames { games: listed })
    });
    listed.await
}

pub(crate) async fn game(
    State(state): State<Arc<ServerState>>,
    place: Result<Path<(usize, usize)>, PathRejection>,
) -> Result<Response, Refusal> {
    let Path((number, game)) = place?;
    let collection = Arc::clone(&state.content.collection);
    let game = state.answer(move || {
        let games = &numbered(&collection, number)?.games;
        let found = game.checked_sub(1).and_then(|index| games.get(index));
        let Some(found) = found else {
            return Err(ApiError::not_found(missing("game", game, games.len())));
        };
        ShownGame::from_record(found.clone())
    });
    game.await
}
