//! The matches named on the command line, with their current tables, charts and games.

use std::convert::Infallible;
use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use kalah_arena::html::Legend;
use kalah_page::{Answer, ApiError, Call, answer, numbered};
use kalah_text::names::shortened;

use crate::collection::{FollowedMatch, MAX_WATCHING};
use crate::refusal::Refusal;
use crate::state::{ServedHost, ServerState};

/// The maximum number of games in one response.
const MAX_TITLES: usize = 1000;

/// A match as it is now, without its games.
#[derive(Debug, Serialize)]
struct MatchOverview {
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
    sections: Vec<Value>,
    #[serde(flatten)]
    legend: Legend,
}

impl MatchOverview {
    fn new(one: &FollowedMatch) -> Self {
        let follower = one.follower();
        let sections = follower
            .overview()
            .into_iter()
            .map(|section| json!({ "heading": section.heading, "html": section.to_html() }));
        Self {
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

/// The match that a path names.
fn named<'a>(call: &Call<'_>, host: &'a ServedHost) -> Result<&'a Arc<FollowedMatch>, ApiError> {
    numbered(&host.content.collection.matches, "match", call.number(0)?)
}

pub(crate) fn list(_: &Call<'_>, host: &mut ServedHost) -> Result<Answer, ApiError> {
    let mut matches = Vec::new();
    for (number, one) in (1..).zip(&host.content.collection.matches) {
        matches.push(json!({ "number": number, "name": one.name }));
    }
    kalah_page::list("matches", matches)
}

pub(crate) fn show(call: &Call<'_>, host: &mut ServedHost) -> Result<Answer, ApiError> {
    answer(&MatchOverview::new(named(call, host)?))
}

pub(crate) fn titles(call: &Call<'_>, host: &mut ServedHost) -> Result<Answer, ApiError> {
    let SkippedGames { from } = call.request.from_query()?;
    let one = named(call, host)?;
    let follower = one.follower();
    let games: Vec<_> = follower.titles().skip(from).take(MAX_TITLES).collect();
    answer(&json!({ "generation": follower.generation(), "games": games }))
}

/// The lines of a game: the main one and its variations.
pub(crate) fn game(call: &Call<'_>, host: &mut ServedHost) -> Result<Answer, ApiError> {
    let number = call.parts[1];
    match named(call, host)?.follower().game(number).map_err(ApiError::failed)? {
        Some(games) => kalah_page::list("games", games),
        None => Err(ApiError::not_found(format!("no finished game {}", shortened(number)))),
    }
}

pub(crate) fn watch(call: &Call<'_>, host: &mut ServedHost) -> Result<Answer, ApiError> {
    host.watched = Some(Arc::clone(named(call, host)?));
    Ok(Answer::Events)
}

/// An event now and after each change to the file.
pub(crate) fn events(
    state: &ServerState,
    one: &FollowedMatch,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>> + use<>>, Refusal> {
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
