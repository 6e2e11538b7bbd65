//! The table of requests.

use serde::Serialize;
use serde::de::DeserializeOwned;

use kalah_coach::settings::SettingsError;
use kalah_text::foreign::Foreign;

use crate::answer::{Answer, json};
use crate::error::ApiError;
use crate::game::{ShownGame, read_record};
use crate::host::{Exclusive, PageHost};
use crate::listed::ListedGame;
use crate::request::{Request, RequestMethod, number};
use crate::{exercises, judge, levels, openings, pasted, play, solve};

/// A kind of request.
pub struct RequestKind {
    /// What it does with its path.
    pub method: RequestMethod,
    /// The path, in which a last part `N` stands for a number.
    pub path: &'static str,
    /// What it uses exclusively.
    pub exclusive: Option<Exclusive>,
    respond: fn(&mut Call<'_>) -> Result<Answer, ApiError>,
}

/// A request that is being answered.
struct Call<'a> {
    request: &'a Request,
    /// The number in the path; 0 if the path has none.
    number: usize,
    host: &'a mut dyn PageHost,
}

impl Call<'_> {
    fn json<T: DeserializeOwned>(&self) -> Result<T, ApiError> {
        self.request.from_json()
    }
}

const fn get(
    path: &'static str,
    exclusive: Option<Exclusive>,
    respond: fn(&mut Call<'_>) -> Result<Answer, ApiError>,
) -> RequestKind {
    RequestKind { method: RequestMethod::Get, path, exclusive, respond }
}

const fn post(
    path: &'static str,
    exclusive: Option<Exclusive>,
    respond: fn(&mut Call<'_>) -> Result<Answer, ApiError>,
) -> RequestKind {
    RequestKind { method: RequestMethod::Post, path, exclusive, respond }
}

/// Every request, in the order of `protocol.md`.
pub static REQUESTS: [RequestKind; 19] = [
    post("/api/new", None, |call| answer(&ShownGame::new(call.json()?)?)),
    post("/api/game", None, |call| {
        answer(&ShownGame::from_record(read_record(&call.request.body)?)?)
    }),
    post("/api/play", None, |call| answer(&play::play(&call.json()?)?)),
    post("/api/read", None, |call| answer(&pasted::read(&call.json()?)?)),
    post("/api/listed", None, |call| {
        answer(&ListedGame::new(String::new(), &read_record(&call.request.body)?))
    }),
    post("/api/hint", Some(Exclusive::Judge), |call| {
        answer(&judge::hint(&call.json()?, call.host)?)
    }),
    post("/api/judge", Some(Exclusive::Judge), |call| {
        answer(&judge::judgement(&call.json()?, call.host)?)
    }),
    get("/api/openings", None, |call| {
        answer(&openings::explore(&call.request.from_query()?, call.host)?)
    }),
    get("/api/boards", None, |_| answer(&openings::boards())),
    get("/api/levels", None, |_| answer(&levels::levels())),
    get("/api/solve", Some(Exclusive::Solver), |call| {
        solve::solve(&call.request.from_query()?, call.host)?;
        Ok(Answer::Events)
    }),
    get("/api/lessons", Some(Exclusive::History), |call| {
        answer(&exercises::lessons(call.host.history()?))
    }),
    get("/api/puzzles", Some(Exclusive::History), |call| {
        answer(&exercises::puzzles(call.host.history()?))
    }),
    get("/api/lessons/N", None, |call| answer(&exercises::lesson(call.number)?)),
    get("/api/puzzles/N", Some(Exclusive::History), |call| {
        answer(&exercises::puzzle(call.number, call.host.history()?)?)
    }),
    post("/api/lessons/N", Some(Exclusive::History), |call| {
        answer(&exercises::answer_lesson(call.number, &call.json()?, call.host.history()?)?)
    }),
    post("/api/puzzles/N", Some(Exclusive::History), |call| {
        answer(&exercises::answer_puzzle(call.number, &call.json()?, call.host.history()?)?)
    }),
    get("/api/settings", Some(Exclusive::Settings), |call| {
        answer(call.host.settings()?.values().map_err(settings_refused)?)
    }),
    post("/api/settings", Some(Exclusive::Settings), |call| {
        let patch = call.json()?;
        let settings = call.host.settings()?;
        settings.change(patch).map_err(settings_refused)?;
        answer(settings.values().map_err(settings_refused)?)
    }),
];

impl RequestKind {
    /// Whether the path of a request is of this kind.
    fn has_path(&self, path: &str) -> bool {
        match self.path.strip_suffix("/N") {
            Some(folder) => matches!(path.rsplit_once('/'), Some((start, _)) if start == folder),
            None => path == self.path,
        }
    }

    /// The number in the path of a request of this kind; 0 if the path has none.
    fn number(&self, path: &str) -> Result<usize, ApiError> {
        match path.rsplit_once('/') {
            Some((_, last)) if self.path.ends_with("/N") => number(last),
            _ => Ok(0),
        }
    }
}

impl Request {
    /// The kinds with the path of this request, whatever their methods.
    fn kinds_at_path(&self) -> impl Iterator<Item = &'static RequestKind> {
        REQUESTS.iter().filter(|kind| kind.has_path(&self.path))
    }

    fn kind(&self) -> Option<&'static RequestKind> {
        self.kinds_at_path().find(|kind| kind.method == self.method)
    }

    /// What the request uses exclusively, so that a host that serves several requests at a time
    /// can make it wait its turn first.
    pub fn exclusive(&self) -> Option<Exclusive> {
        self.kind()?.exclusive
    }
}

/// Answers a request. It blocks: a hint takes a second, and a proof up to five minutes.
///
/// # Errors
/// [`ApiError`] with 404 or 405 if nothing is there, with 400 or 422 if the request is wrong;
/// otherwise an error from the host.
pub fn respond(request: &Request, host: &mut dyn PageHost) -> Result<Answer, ApiError> {
    let Some(kind) = request.kind() else { return Err(refusal(request)) };
    let number = kind.number(&request.path)?;
    (kind.respond)(&mut Call { request, number, host })
}

fn settings_refused(error: SettingsError) -> ApiError {
    match error {
        SettingsError::Size(_) => ApiError::invalid(error),
        _ => ApiError::failed(error),
    }
}

fn answer(document: &impl Serialize) -> Result<Answer, ApiError> {
    json(document).map(Answer::Json)
}

/// The error for a request that is not in the table.
fn refusal(request: &Request) -> ApiError {
    let path = Foreign(&request.path);
    let methods: Vec<&str> = request.kinds_at_path().map(|kind| kind.method.name()).collect();
    if methods.is_empty() {
        return ApiError::not_found(format!("there is nothing at {path}"));
    }
    ApiError::new(405, format!("method not allowed: {path} accepts {}", methods.join(" or ")))
}
