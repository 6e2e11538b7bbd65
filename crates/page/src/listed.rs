//! A game as an entry of a list.

use serde::Serialize;

use kalah_play::{players, saved};
use kalah_record::{Game, sentence};
use kalah_text::foreign::Foreign;

/// A game in a list.
#[derive(Debug, Serialize)]
pub struct ListedGame {
    /// Left out if it is empty, because the game has none yet.
    #[serde(skip_serializing_if = "String::is_empty")]
    name: String,
    players: [String; 2],
    date: Option<String>,
    result: String,
    moves: usize,
    unfinished: bool,
    /// Whether a list can leave it out.
    abandoned: bool,
}

impl ListedGame {
    /// The entry of a game, by the name under which the page can ask for it.
    pub fn new(name: String, game: &Game) -> Self {
        Self {
            name,
            players: players::shown_names(game),
            date: game.date.as_deref().map(|date| Foreign(date).to_string()),
            result: sentence::winner(game),
            moves: game.steps().len(),
            unfinished: game.ending().is_none(),
            abandoned: saved::is_abandoned(game),
        }
    }
}
