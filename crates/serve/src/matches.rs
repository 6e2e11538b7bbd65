//! The matches named on the command line, with their current tables, charts and games.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use serde::{Deserialize, Serialize};

use kalah_arena::html::{GameData, GameTitle, Legend};
use kalah_page::ApiError;
use kalah_text::names::{missing, shortened};

use crate::collection::{FollowedMatch, MAX_WATCHING};
use crate::refusal::{PageQuery, Refusal};
use crate::state::ServerState;

/// The maximum number of games in one response.
const MAX_TITLES: usize = 1000;

#[derive(Debug, Serialize)]
pub(crate) struct MatchList {
    matches: Vec<ListedMatch>,
}

#[derive(Debug, Serialize)]
struct ListedMatch {
    number: usize,
    name: String,
}

/// A match as it is now, without its games.
#[derive(Debug, Serialize)]
pub(crate) struct MatchOverview {
    /// Increases with each change to the file.
    version: u64,
    /// How often the file was replaced. After that, its games are different ones.
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
    legend: Legend,
}

#[derive(Debug, Serialize)]
struct SectionData {
    heading: String,
    html: String,
}

impl MatchOverview {
    fn new(one: &FollowedMatch) -> Self {
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
            legend: follower.legend(),
        }
    }
}

/// Which of the finished games are requested, in the order of the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SkippedGames {
    /// The number of games to skip.
    #[serde(default)]
    pub(crate) from: usize,
}

#[derive(Debug, Serialize)]
pub(crate) struct MatchTitles {
    generation: u32,
    games: Vec<GameTitle>,
}

impl MatchTitles {
    fn new(one: &FollowedMatch, from: usize) -> Self {
        let follower = one.follower();
        let games = follower.titles().skip(from).take(MAX_TITLES).cloned().collect();
        Self { generation: follower.generation(), games }
    }
}

/// The lines of a game: the main one and its variations.
#[derive(Serialize)]
pub(crate) struct GameLines {
    games: Vec<GameData>,
}

impl GameLines {
    fn new(one: &FollowedMatch, number: &str) -> Result<Self, ApiError> {
        match one.follower().game(number).map_err(ApiError::failed)? {
            Some(games) => Ok(Self { games }),
            None => Err(ApiError::not_found(format!("no finished game {}", shortened(number)))),
        }
    }
}

/// The match with a number, from 1.
fn numbered(state: &ServerState, number: usize) -> Result<Arc<FollowedMatch>, ApiError> {
    let matches = &state.content.collection.matches;
    let found = number.checked_sub(1).and_then(|index| matches.get(index));
    found.cloned().ok_or_else(|| {
        ApiError::not_found(match matches.len() {
            0 => format!("no match {number}: the server was started without match files"),
            count => missing("match", number, count),
        })
    })
}

pub(crate) async fn list(State(state): State<Arc<ServerState>>) -> Result<Response, Refusal> {
    let collection = Arc::clone(&state.content.collection);
    let list = state.answer(move || {
        let mut matches = Vec::new();
        for (number, one) in (1..).zip(&collection.matches) {
            matches.push(ListedMatch { number, name: one.name.clone() });
        }
        Ok(MatchList { matches })
    });
    list.await
}

pub(crate) async fn show(
    State(state): State<Arc<ServerState>>,
    number: Result<Path<usize>, PathRejection>,
) -> Result<Response, Refusal> {
    let one = numbered(&state, number?.0)?;
    state.answer(move || Ok(MatchOverview::new(&one))).await
}

pub(crate) async fn titles(
    State(state): State<Arc<ServerState>>,
    number: Result<Path<usize>, PathRejection>,
    range: Result<PageQuery<SkippedGames>, Refusal>,
) -> Result<Response, Refusal> {
    let one = numbered(&state, number?.0)?;
    let PageQuery(SkippedGames { from }) = range?;
    state.answer(move || Ok(MatchTitles::new(&one, from))).await
}

pub(crate) async fn game(
    State(state): State<Arc<ServerState>>,
    place: Result<Path<(usize, String)>, PathRejection>,
) -> Result<Response, Refusal> {
    let Path((number, game)) = place?;
    let one = numbered(&state, number)?;
    state.answer(move || GameLines::new(&one, &game)).await
}

/// An event now and after each change to the file.
pub(crate) async fn events(
    State(state): State<Arc<ServerState>>,
    number: Result<Path<usize>, PathRejection>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Refusal> {
    let one = numbered(&state, number?.0)?;
    let place = state.content.collection.place().ok_or_else(|| {
        let message = format!("too many watching pages (limit {MAX_WATCHING})");
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message)
    })?;
    let mut changes = one.changes();
    // The file may have changed since the client asked for the match, so one event comes
    // immediately.
    changes.mark_changed();
    // A client that has left is noticed only when the next event cannot be sent; the stream
    // then drops its permit.
    let events = stream::unfold((changes, place), |(mut changes, place)| async move {
        changes.changed().await.ok()?;
        let version = changes.borrow_and_update().to_string();
        Some((Ok(Event::default().event("changed").data(version)), (changes, place)))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}
