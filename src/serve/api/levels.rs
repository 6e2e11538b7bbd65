//! The engine's levels of play.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;

use super::super::error::ApiError;
use super::super::shared::Shared;
use crate::play::seat::LEVELS;
use crate::search::Skill;

#[derive(Serialize)]
pub(super) struct Levels {
    levels: Vec<Level>,
    /// The smallest and the largest Elo that the engine can play at.
    elo: [u32; 2],
}

#[derive(Serialize)]
struct Level {
    name: &'static str,
    about: &'static str,
}

fn levels() -> Levels {
    let levels = LEVELS.iter().map(|level| Level { name: level.name, about: level.about });
    Levels { levels: levels.collect(), elo: Skill::ELO }
}

pub(super) async fn list(State(shared): State<Arc<Shared>>) -> Result<Json<Levels>, ApiError> {
    shared.run(|_| Ok(levels())).await.map(Json)
}
