//! The files of games on the command line, apart from those of matches.

use std::sync::Arc;

use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use serde::Serialize;

use super::super::collection::{Collection, File};
use super::super::error::ApiError;
use super::super::shared::Shared;
use super::game::GameData;
use super::matches::Range;
use super::saved::Listed;
use crate::sys::names::choice;

/// Games in one answer.
const MAX_LISTED: usize = 1000;

#[derive(Debug, Serialize)]
pub(super) struct Files {
    files: Vec<FileData>,
}

#[derive(Debug, Serialize)]
struct FileData {
    number: usize,
    name: String,
    games: usize,
}

/// Games of a file by their numbers, from 1.
#[derive(Debug, Serialize)]
pub(super) struct Games {
    games: Vec<Listed>,
}

/// The file with a number, from 1.
fn numbered(collection: &Collection, number: usize) -> Result<&File, ApiError> {
    let found = number.checked_sub(1).and_then(|index| collection.files.get(index));
    found.ok_or_else(|| {
        let files = choice("file", collection.files.len());
        ApiError::not_found(format!("expected {files}, got {number}"))
    })
}

pub(super) async fn list(State(shared): State<Arc<Shared>>) -> Result<Response, ApiError> {
    let collection = Arc::clone(&shared.content.collection);
    let list = shared.answer(move |_| {
        let files = (1..).zip(&collection.files).map(|(number, file)| FileData {
            number,
            name: file.name.clone(),
            games: file.games.len(),
        });
        Ok(Files { files: files.collect() })
    });
    list.await
}

pub(super) async fn games(
    State(shared): State<Arc<Shared>>,
    number: Result<Path<usize>, PathRejection>,
    range: Result<Query<Range>, QueryRejection>,
) -> Result<Response, ApiError> {
    let (Path(number), Query(Range { from })) = (number?, range?);
    let collection = Arc::clone(&shared.content.collection);
    let listed = shared.answer(move |_| {
        let games = (1..).zip(&numbered(&collection, number)?.games).skip(from).take(MAX_LISTED);
        let games = games.map(|(number, game): (usize, _)| Listed::of(number.to_string(), game));
        Ok(Games { games: games.collect() })
    });
    listed.await
}

pub(super) async fn game(
    State(shared): State<Arc<Shared>>,
    place: Result<Path<(usize, usize)>, PathRejection>,
) -> Result<Response, ApiError> {
    let Path((number, game)) = place?;
    let collection = Arc::clone(&shared.content.collection);
    let game = shared.answer(move |_| {
        let games = &numbered(&collection, number)?.games;
        let found = game.checked_sub(1).and_then(|index| games.get(index));
        let found = found.ok_or_else(|| {
            ApiError::not_found(format!("expected {}, got {game}", choice("game", games.len())))
        })?;
        GameData::of(found.clone())
    });
    game.await
}
