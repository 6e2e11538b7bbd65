//! The requests that only a server answers: about saved games, and about the matches and files
//! named on its command line.

use std::sync::Arc;

use axum::response::{IntoResponse, Response};

use kalah_page::RequestMethod::{Get, Post, Put};
use kalah_page::{Answer, ApiError, Call, Request, RequestKind};

use crate::refusal::Refusal;
use crate::state::{ServedHost, ServerState, json_response};
use crate::{files, matches, saved};

type Respond = fn(&Call<'_>, &mut ServedHost) -> Result<Answer, ApiError>;

/// Every request, in the order of `protocol.md`.
static REQUESTS: [RequestKind<Respond>; 12] = [
    RequestKind::new(Get, "/api/saved", None, saved::list),
    RequestKind::new(Get, "/api/saved/NAME", None, saved::load),
    RequestKind::new(Post, "/api/saved", None, saved::save),
    RequestKind::new(Put, "/api/saved/NAME", None, saved::replace),
    RequestKind::new(Get, "/api/matches", None, matches::list),
    RequestKind::new(Get, "/api/matches/N", None, matches::show),
    RequestKind::new(Get, "/api/matches/N/games", None, matches::titles),
    RequestKind::new(Get, "/api/matches/N/games/M", None, matches::game),
    RequestKind::new(Get, "/api/matches/N/events", None, matches::watch),
    RequestKind::new(Get, "/api/files", None, files::list),
    RequestKind::new(Get, "/api/files/N", None, files::games),
    RequestKind::new(Get, "/api/files/N/M", None, files::game),
];

/// Whether the path of a request is in this table, whatever its method.
pub(crate) fn has_path(request: &Request) -> bool {
    REQUESTS.iter().any(|kind| kind.parts(&request.path).is_some())
}

/// Answers a request whose path is in this table.
pub(crate) async fn respond(state: &ServerState, request: Request) -> Result<Response, Refusal> {
    // A wrong method is refused before the request waits for its turn.
    request.kind(&REQUESTS)?;
    let mut host = ServedHost { content: Arc::clone(&state.content), watched: None };
    let answered = state.run(&state.jobs, move |_| {
        let (kind, call) = request.kind(&REQUESTS)?;
        Ok(((kind.respond)(&call, &mut host)?, host.watched))
    });
    Ok(match answered.await? {
        (Answer::Json(text), _) => json_response(text),
        (Answer::Events, Some(one)) => matches::events(state, &one)?.into_response(),
        (Answer::Events, None) => return Err(ApiError::failed("nothing is watched").into()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_specification_lists_every_request_about_files() {
        let mut specified = Vec::new();
        for row in include_str!("../../../protocol.md").lines() {
            let request = row.strip_prefix("- `").and_then(|row| row.split(['`', '?']).next());
            let about = ["/api/saved", "/api/matches", "/api/files"];
            specified.extend(request.filter(|row| about.iter().any(|path| row.contains(path))));
        }
        let listed = REQUESTS.iter().map(|kind| format!("{} {}", kind.method.name(), kind.path));
        assert_eq!(listed.collect::<Vec<_>>(), specified);
    }
}
