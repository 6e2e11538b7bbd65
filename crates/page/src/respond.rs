//! The table of requests.

use serde::de::DeserializeOwned;

use kalah_coach::settings::SettingsError;
use kalah_text::foreign::Foreign;
use kalah_text::names::shortened;

use crate::RequestMethod::{self, Get, Post};
use crate::answer::{Answer, answer, list};
use crate::error::ApiError;
use crate::game::{ShownGame, read_record};
use crate::listed::ListedGame;
use crate::page_host::{Exclusive, PageHost};
use crate::request::Request;
use crate::{exercises, judge, levels, openings, pasted, play, solve};

/// A kind of request, which a function of the type `R` answers.
#[derive(Debug)]
pub struct RequestKind<R> {
    /// What it does with its path.
    pub method: RequestMethod,
    /// The path, in which a part in capitals stands for any text.
    pub path: &'static str,
    /// What it uses exclusively.
    pub exclusive: Option<Exclusive>,
    /// Answers it.
    pub respond: R,
}

/// A request of a known kind.
#[derive(Debug)]
pub struct Call<'a> {
    /// The request.
    pub request: &'a Request,
    /// What the parts of the path in capitals stand for, not decoded.
    pub parts: Vec<&'a str>,
}

type Respond = fn(&Call<'_>, &mut dyn PageHost) -> Result<Answer, ApiError>;

/// Every request that needs no files, in the order of `protocol.md`.
pub static REQUESTS: [RequestKind<Respond>; 19] = [
    RequestKind::new(Post, "/api/new", None, |call, _| answer(&play::begin(&call.json()?)?)),
    RequestKind::new(Post, "/api/game", None, |call, _| {
        answer(&ShownGame::from_record(read_record(&call.request.body)?)?)
    }),
    RequestKind::new(Post, "/api/play", Some(Exclusive::Judge), |call, host| {
        answer(&play::play(call.json()?, host)?)
    }),
    RequestKind::new(Post, "/api/read", None, |call, _| {
        list("games", pasted::read(&call.json()?)?)
    }),
    RequestKind::new(Post, "/api/listed", None, |call, _| {
        answer(&ListedGame::new(String::new(), &read_record(&call.request.body)?))
    }),
    RequestKind::new(Post, "/api/hint", Some(Exclusive::Judge), |call, host| {
        answer(&judge::hint(&call.json()?, host)?)
    }),
    RequestKind::new(Post, "/api/judge", Some(Exclusive::Judge), |call, host| {
        answer(&judge::judgement(&call.json()?, host)?)
    }),
    RequestKind::new(Get, "/api/openings", None, |call, host| {
        answer(&openings::explore(&call.request.from_query()?, host)?)
    }),
    RequestKind::new(Get, "/api/boards", None, |_, _| list("boards", openings::boards())),
    RequestKind::new(Get, "/api/levels", None, |_, _| answer(&levels::levels())),
    RequestKind::new(Get, "/api/solve", Some(Exclusive::Solver), |call, host| {
        solve::solve(&call.request.from_query()?, host)?;
        Ok(Answer::Events)
    }),
    RequestKind::new(Get, "/api/lessons", Some(Exclusive::History), |_, host| {
        list("lessons", exercises::lessons(host.history()?))
    }),
    RequestKind::new(Get, "/api/puzzles", Some(Exclusive::History), |_, host| {
        answer(&exercises::puzzles(host.history()?))
    }),
    RequestKind::new(Get, "/api/lessons/N", None, |call, _| {
        answer(&exercises::lesson(call.number(0)?)?)
    }),
    RequestKind::new(Get, "/api/puzzles/N", Some(Exclusive::History), |call, host| {
        answer(&exercises::puzzle(call.number(0)?, host.history()?)?)
    }),
    RequestKind::new(Post, "/api/lessons/N", Some(Exclusive::History), |call, host| {
        answer(&exercises::answer_lesson(call.number(0)?, &call.json()?, host.history()?)?)
    }),
    RequestKind::new(Post, "/api/puzzles/N", Some(Exclusive::History), |call, host| {
        answer(&exercises::answer_puzzle(call.number(0)?, &call.json()?, host.history()?)?)
    }),
    RequestKind::new(Get, "/api/settings", Some(Exclusive::Settings), |_, host| {
        answer(host.settings()?.values().map_err(settings_refused)?)
    }),
    RequestKind::new(Post, "/api/settings", Some(Exclusive::Settings), |call, host| {
        let patch = call.json()?;
        let settings = host.settings()?;
        settings.change(patch).map_err(settings_refused)?;
        answer(settings.values().map_err(settings_refused)?)
    }),
];

impl<R> RequestKind<R> {
    /// A row of a table.
    pub const fn new(
        method: RequestMethod,
        path: &'static str,
        exclusive: Option<Exclusive>,
        respond: R,
    ) -> Self {
        Self { method, path, exclusive, respond }
    }

    /// What the parts in capitals stand for in `path`; none if it is not a path of this kind.
    pub fn parts<'a>(&self, path: &'a str) -> Option<Vec<&'a str>> {
        let expected: Vec<&str> = self.path.split('/').collect();
        let given: Vec<&str> = path.split('/').collect();
        if expected.len() != given.len() {
            return None;
        }
        let mut parts = Vec::new();
        for (expected, given) in expected.into_iter().zip(given) {
            if expected.starts_with(|letter: char| letter.is_ascii_uppercase()) {
                parts.push(given);
            } else if given != expected {
                return None;
            }
        }
        Some(parts)
    }
}

impl Call<'_> {
    /// The number that a part of the path stands for.
    ///
    /// # Errors
    /// [`ApiError::malformed`] if it is not a number.
    pub fn number(&self, part: usize) -> Result<usize, ApiError> {
        self.parts[part].parse().map_err(|_| {
            let got = shortened(self.parts[part]);
            ApiError::malformed(format!("expected a number in the path, got '{got}'"))
        })
    }

    fn json<T: DeserializeOwned>(&self) -> Result<T, ApiError> {
        self.request.from_json()
    }
}

impl Request {
    /// The kind of the request, in a table.
    ///
    /// # Errors
    /// [`ApiError`] with 404 or 405 if nothing is there.
    pub fn kind<'a, R>(
        &'a self,
        table: &'a [RequestKind<R>],
    ) -> Result<(&'a RequestKind<R>, Call<'a>), ApiError> {
        let mut methods = Vec::new();
        for kind in table {
            if let Some(parts) = kind.parts(&self.path) {
                if kind.method == self.method {
                    return Ok((kind, Call { request: self, parts }));
                }
                methods.push(kind.method.name());
            }
        }
        Err(if methods.is_empty() {
            ApiError::not_found(format!("there is nothing at {}", Foreign(&self.path)))
        } else {
            ApiError::method_not_allowed(&self.path, &methods)
        })
    }
}

/// Answers a request. It blocks: a hint takes a second, and a proof up to five minutes.
///
/// # Errors
/// [`ApiError`] with 404 or 405 if nothing is there, with 400 or 422 if the request is wrong;
/// otherwise an error from the host.
pub fn respond(request: &Request, host: &mut dyn PageHost) -> Result<Answer, ApiError> {
    let (kind, call) = request.kind(&REQUESTS)?;
    (kind.respond)(&call, host)
}

fn settings_refused(error: SettingsError) -> ApiError {
    match error {
        SettingsError::Size(_) => ApiError::invalid(error),
        _ => ApiError::failed(error),
    }
}
