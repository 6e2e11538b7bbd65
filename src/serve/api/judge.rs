//! The full engine's judgement of moves: a hint, and what a move gave away. One engine
//! serves all pages, a request at a time.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::response::Response;
use serde::{Deserialize, Serialize};

use super::super::error::ApiError;
use super::super::shared::Shared;
use super::board::PositionText;
use crate::engine::Engine;
use crate::game::Position;
use crate::play::explain::{Judgement, comparison};
use crate::play::judge::{Judge, LOSS_TIME};
use crate::play::pages;
use crate::record::mark::Mark;
use crate::search::Stopper;

#[derive(Debug, Serialize)]
pub(super) struct HintData {
    pit: char,
    margin: f64,
    proved: bool,
    pv: Vec<char>,
    sentence: String,
}

impl HintData {
    fn of(position: &Position, judgement: &Judgement) -> Self {
        let best = &judgement.best;
        Self {
            pit: best.pit().letter(position.side()),
            margin: best.margin.seeds(),
            proved: best.proved,
            pv: position.letters(&best.pv).collect(),
            sentence: pages::hint(position, judgement).join(" "),
        }
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Played {
    #[serde(flatten)]
    position: PositionText,
    pit: String,
}

#[derive(Debug, Serialize)]
pub(super) struct JudgementData {
    pit: char,
    margin: f64,
    best: char,
    best_margin: f64,
    lost: f64,
    mark: Option<String>,
    proved: bool,
    /// Why it was a mistake, if it has a mark.
    sentence: Option<String>,
}

impl JudgementData {
    fn of(position: &Position, judgement: &Judgement) -> Self {
        let [(pit, margin), (best, best_margin)] = [&judgement.played, &judgement.best]
            .map(|line| (line.pit().letter(position.side()), line.margin.seeds()));
        let mark = Mark::of(judgement.loss());
        Self {
            pit,
            margin,
            best,
            best_margin,
            lost: judgement.loss().seeds(),
            mark: mark.map(|mark| mark.to_string()),
            proved: judgement.is_proved(),
            sentence: mark.map(|_| comparison(position, judgement) + "."),
        }
    }
}

/// Answers with the help of the engine, after the requests before.
///
/// # Errors
/// [`ApiError::busy`] if too many wait, or if there is no memory for an engine.
async fn with_judge<T: Serialize>(
    shared: &Shared,
    work: impl FnOnce(&mut Judge) -> T + Send + 'static,
) -> Result<Response, ApiError> {
    let Ok(_place) = shared.judging.try_acquire() else { return Err(ApiError::busy()) };
    let mut judge = Arc::clone(&shared.judge).lock_owned().await;
    let answer = shared.answer(move |_| {
        if judge.is_none() {
            let engine = Engine::with_cached_tables(Engine::DEFAULT_HASH);
            let engine = engine.map_err(ApiError::failed)?;
            *judge = Some(Judge { engine, stopper: Stopper::new() });
        }
        judge.as_mut().map(work).ok_or_else(|| ApiError::failed("there is no engine"))
    });
    answer.await
}

pub(super) async fn hint(
    State(shared): State<Arc<Shared>>,
    asked: Result<Json<PositionText>, JsonRejection>,
) -> Result<Response, ApiError> {
    let position = asked?.unfinished()?;
    with_judge(&shared, move |judge| HintData::of(&position, &judge.hint(position))).await
}

pub(super) async fn judge(
    State(shared): State<Arc<Shared>>,
    asked: Result<Json<Played>, JsonRejection>,
) -> Result<Response, ApiError> {
    let Json(Played { position, pit }) = asked?;
    let position = position.unfinished()?;
    let pit = position.parse_move(&pit).map_err(ApiError::invalid)?;
    let judged = with_judge(&shared, move |judge| {
        JudgementData::of(&position, &judge.judgement(position, pit, LOSS_TIME))
    });
    judged.await
}
