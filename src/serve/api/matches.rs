//! The matches of the command line with their tables, charts and games, as they are at the
//! moment.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use serde::{Deserialize, Serialize};

use super::super::collection::{MAX_WATCHING, Match};
use super::super::error::ApiError;
use super::super::shared::Shared;
use crate::arena::page::viewer::{GameData, GameTitle, Meanings};
use crate::sys::names::choice;

/// Games in one answer.
const MAX_TITLES: usize = 1000;

#[derive(Debug, Serialize)]
pub(super) struct Matches {
    matches: Vec<Named>,
}

#[derive(Debug, Serialize)]
struct Named {
    number: usize,
    name: String,
}

/// A match as it is now, without its games.
#[derive(Debug, Serialize)]
pub(super) struct Overview {
    /// Grows with each change of the file.
    version: u64,
    /// How often the file was replaced: its games are then others.
    generation: u32,
    name: String,
    title: String,
    finished: usize,
    scheduled: usize,
    /// Why the file could not be read to its end.
    fault: Option<String>,
    summary: Vec<String>,
    /// Tables and charts, as HTML without styles and scripts.
    sections: Vec<SectionData>,
    #[serde(flatten)]
    meanings: Meanings,
}

#[derive(Debug, Serialize)]
struct SectionData {
    heading: String,
    html: String,
}

impl Overview {
    fn of(one: &Match) -> Self {
        let follower = one.follower();
        let sections = follower.overview().into_iter().map(|section| {
            let html = section.to_html();
            SectionData { heading: section.heading, html }
        });
        Self {
            version: one.version(),
            generation: follower.generation(),
            name: one.name.clone(),
            title: follower.title(),
            finished: follower.titles().len(),
            scheduled: follower.scheduled(),
            fault: follower.fault().map(str::to_owned),
            summary: follower.sentences(),
            sections: sections.collect(),
            meanings: follower.meanings(),
        }
    }
}

/// Which of the finished games, in the order of the file, are asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Range {
    /// How many are left out.
    #[serde(default)]
    pub(super) from: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct Titles {
    generation: u32,
    games: Vec<GameTitle>,
}

impl Titles {
    fn of(one: &Match, from: usize) -> Self {
        let follower = one.follower();
        let games = follower.titles().skip(from).take(MAX_TITLES).cloned().collect();
        Self { generation: follower.generation(), games }
    }
}

/// The lines of a game: the main one and its variations.
#[derive(Serialize)]
pub(super) struct Lines {
    games: Vec<GameData>,
}

impl Lines {
    fn of(one: &Match, number: &str) -> Result<Self, ApiError> {
        let games = one.follower().game(number).map_err(ApiError::failed)?;
        let games = games.ok_or_else(|| {
            ApiError::not_found(format!("expected the number of a finished game, got {number}"))
        })?;
        Ok(Self { games })
    }
}

/// The match with a number, from 1.
fn numbered(shared: &Shared, number: usize) -> Result<Arc<Match>, ApiError> {
    let matches = &shared.content.collection.matches;
    let found = number.checked_sub(1).and_then(|index| matches.get(index));
    found.cloned().ok_or_else(|| {
        ApiError::not_found(match matches.len() {
            0 => format!("expected a match, got {number}: no match was given"),
            count => format!("expected {}, got {number}", choice("match", count)),
        })
    })
}

pub(super) async fn list(State(shared): State<Arc<Shared>>) -> Result<Response, ApiError> {
    let collection = Arc::clone(&shared.content.collection);
    let list = shared.answer(move |_| {
        let matches = (1..).zip(&collection.matches);
        let matches = matches.map(|(number, one)| Named { number, name: one.name.clone() });
        Ok(Matches { matches: matches.collect() })
    });
    list.await
}

pub(super) async fn show(
    State(shared): State<Arc<Shared>>,
    number: Result<Path<usize>, PathRejection>,
) -> Result<Response, ApiError> {
    let one = numbered(&shared, number?.0)?;
    shared.answer(move |_| Ok(Overview::of(&one))).await
}

pub(super) async fn titles(
    State(shared): State<Arc<Shared>>,
    number: Result<Path<usize>, PathRejection>,
    range: Result<Query<Range>, QueryRejection>,
) -> Result<Response, ApiError> {
    let one = numbered(&shared, number?.0)?;
    let Query(Range { from }) = range?;
    shared.answer(move |_| Ok(Titles::of(&one, from))).await
}

pub(super) async fn game(
    State(shared): State<Arc<Shared>>,
    place: Result<Path<(usize, String)>, PathRejection>,
) -> Result<Response, ApiError> {
    let Path((number, game)) = place?;
    let one = numbered(&shared, number)?;
    shared.answer(move |_| Lines::of(&one, &game)).await
}

/// An event now and after each change of the file.
pub(super) async fn events(
    State(shared): State<Arc<Shared>>,
    number: Result<Path<usize>, PathRejection>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let one = numbered(&shared, number?.0)?;
    let place = shared.content.collection.place().ok_or_else(|| {
        let message = format!("expected at most {MAX_WATCHING} pages that watch, got more");
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message)
    })?;
    let mut changes = one.changes();
    changes.mark_changed();
    // A client that has left is noticed when it does not take the next event.
    let events = stream::unfold((changes, place), |(mut changes, place)| async move {
        changes.changed().await.ok()?;
        let version = changes.borrow_and_update().to_string();
        Some((Ok(Event::default().event("changed").data(version)), (changes, place)))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}
