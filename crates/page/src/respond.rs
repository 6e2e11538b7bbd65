//! The table of requests.

use serde::Serialize;

use kalah_coach::settings::SettingsError;
use kalah_text::foreign::Foreign;

use crate::answer::{Answer, json};
use crate::error::ApiError;
use crate::game::{ShownGame, read_record};
use crate::host::PageHost;
use crate::listed::ListedGame;
use crate::request::{Request, RequestMethod, number};
use crate::{exercises, judge, levels, openings, pasted, play, solve};

/// Answers a request. It blocks: a hint takes a second, and a proof up to five minutes.
///
/// # Errors
/// [`ApiError`] with 404 or 405 if nothing is there, with 400 or 422 if the request is wrong;
/// otherwise an error from the host.
pub fn respond(request: &Request, host: &mut dyn PageHost) -> Result<Answer, ApiError> {
    use RequestMethod::{Get, Post};
    match (request.method, &request.segments()[..]) {
        (Get, ["boards"]) => answer(&openings::boards()),
        (Post, ["game"]) => answer(&ShownGame::from_record(read_record(&request.body)?)?),
        (Post, ["hint"]) => answer(&judge::hint(&request.from_json()?, host)?),
        (Post, ["judge"]) => answer(&judge::judgement(&request.from_json()?, host)?),
        (Get, ["lessons"]) => answer(&exercises::lessons(host.history()?)),
        (Get, ["lessons", lesson]) => answer(&exercises::lesson(number(lesson)?)?),
        (Post, ["lessons", lesson]) => {
            let lesson = number(lesson)?;
            answer(&exercises::answer_lesson(lesson, &request.from_json()?, host.history()?)?)
        }
        (Post, ["listed"]) => answer(&ListedGame::new(String::new(), &read_record(&request.body)?)),
        (Get, ["levels"]) => answer(&levels::levels()),
        (Post, ["new"]) => answer(&ShownGame::new(request.from_json()?)?),
        (Get, ["openings"]) => answer(&openings::explore(&request.from_query()?, host)?),
        (Post, ["play"]) => answer(&play::play(&request.from_json()?)?),
        (Get, ["puzzles"]) => answer(&exercises::puzzles(host.history()?)),
        (Get, ["puzzles", puzzle]) => answer(&exercises::puzzle(number(puzzle)?, host.history()?)?),
        (Post, ["puzzles", puzzle]) => {
            let puzzle = number(puzzle)?;
            answer(&exercises::answer_puzzle(puzzle, &request.from_json()?, host.history()?)?)
        }
        (Post, ["read"]) => answer(&pasted::read(&request.from_json()?)?),
        (Get, ["settings"]) => answer(host.settings()?.values().map_err(settings_refused)?),
        (Post, ["settings"]) => {
            let settings = host.settings()?;
            settings.change(request.from_json()?).map_err(settings_refused)?;
            answer(settings.values().map_err(settings_refused)?)
        }
        (Get, ["solve"]) => {
            solve::solve(&request.from_query()?, host)?;
            Ok(Answer::Events)
        }
        (_, segments) => Err(refusal(request, segments)),
    }
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
fn refusal(request: &Request, segments: &[&str]) -> ApiError {
    let path = Foreign(&request.path);
    match segments {
        ["boards" | "lessons" | "levels" | "openings" | "puzzles" | "solve"] => {
            ApiError::new(405, format!("expected GET for {path}"))
        }
        ["game" | "hint" | "judge" | "listed" | "new" | "play" | "read"] => {
            ApiError::new(405, format!("expected POST for {path}"))
        }
        ["settings"] | ["lessons" | "puzzles", _] => {
            ApiError::new(405, format!("expected GET or POST for {path}"))
        }
        _ => ApiError::not_found(format!("there is nothing at {path}")),
    }
}
