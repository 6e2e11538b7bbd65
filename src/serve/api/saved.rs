//! The games that `kalah play` and the page save. A request names a game by its file's name,
//! which is compared with the names in the folder: no path leads anywhere else.

use std::path;
use std::sync::Arc;

use axum::extract::rejection::{PathRejection, StringRejection};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;

use super::super::error::ApiError;
use super::super::shared::Shared;
use super::game::{GameData, recorded};
use crate::play::saved::{FileError, SavedGames, in_short};
use crate::record::Game;
use crate::sys::foreign::Foreign;

#[derive(Debug, Serialize)]
pub(super) struct List {
    /// Latest first.
    games: Vec<Listed>,
    /// Why files are not listed.
    damaged: Vec<String>,
}

/// A game in a list.
#[derive(Debug, Serialize)]
pub(super) struct Listed {
    name: String,
    players: [String; 2],
    date: Option<String>,
    result: String,
    moves: usize,
    unfinished: bool,
}

/// The file of a game; none if games are not saved.
#[derive(Debug, Serialize)]
pub(super) struct Saved {
    name: Option<String>,
}

impl Saved {
    fn of(path: Option<&path::Path>) -> Self {
        Self { name: path.and_then(|path| Some(path.file_name()?.to_str()?.to_owned())) }
    }
}

impl From<FileError> for ApiError {
    fn from(error: FileError) -> Self {
        let status = match error {
            FileError::NoSuchName(_) => StatusCode::NOT_FOUND,
            FileError::Finished | FileError::SeveralGames(_) => StatusCode::CONFLICT,
            FileError::Damaged(..) => StatusCode::UNPROCESSABLE_ENTITY,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, Foreign(&error.to_string()))
    }
}

impl Listed {
    pub(super) fn of(name: String, game: &Game) -> Self {
        Self {
            name,
            players: game.players.each_ref().map(|player| player.in_full()),
            date: game.date.as_deref().map(|date| Foreign(date).to_string()),
            result: in_short(game),
            moves: game.steps().len(),
            unfinished: game.ending().is_none(),
        }
    }
}

fn games(shared: &Shared) -> SavedGames {
    SavedGames::new(shared.content.games.clone())
}

fn listed(games: &SavedGames) -> List {
    let (games, damaged) = games.list();
    let games = games.into_iter().filter_map(|(path, game)| {
        // Another name could not be given back.
        Some(Listed::of(path.file_name()?.to_str()?.to_owned(), &game))
    });
    let damaged = damaged.iter().map(|error| Foreign(&error.to_string()).to_string());
    List { games: games.collect(), damaged: damaged.collect() }
}

pub(super) async fn list(State(shared): State<Arc<Shared>>) -> Result<Response, ApiError> {
    let games = games(&shared);
    shared.answer(move |_| Ok(listed(&games))).await
}

pub(super) async fn load(
    State(shared): State<Arc<Shared>>,
    name: Result<Path<String>, PathRejection>,
) -> Result<Response, ApiError> {
    let (Path(name), games) = (name?, games(&shared));
    shared.answer(move |_| GameData::of(games.named(&name)?.1.record)).await
}

pub(super) async fn save(
    State(shared): State<Arc<Shared>>,
    body: Result<String, StringRejection>,
) -> Result<Response, ApiError> {
    let mut games = games(&shared);
    shared.answer(move |_| Ok(Saved::of(games.save(&recorded(body)?)?))).await
}

pub(super) async fn replace(
    State(shared): State<Arc<Shared>>,
    name: Result<Path<String>, PathRejection>,
    body: Result<String, StringRejection>,
) -> Result<Response, ApiError> {
    let (Path(name), mut games) = (name?, games(&shared));
    shared.answer(move |_| Ok(Saved::of(games.save_as(&name, &recorded(body)?)?))).await
}
