//! Games from pasted text: positions, lists of moves, `.kgn` text or JSON lines.

use serde::Deserialize;

use kalah_game::{Capture, Rules};
use kalah_record::{Game, format};

use crate::error::ApiError;
use crate::game::{AnswerSize, ShownGame};

/// The maximum number of games in a text.
const MAX_GAMES: usize = 100;

/// A text of any kind.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PastedText {
    text: String,
    /// The capture rule that applies where the text does not name one.
    #[serde(default)]
    capture: Capture,
}

/// Reads the games in a text, unless there are more than a page can show.
pub(crate) fn read(pasted: &PastedText) -> Result<Vec<ShownGame>, ApiError> {
    let mut count = 0;
    let mut size = AnswerSize::default();
    let mut fits = Ok(());
    // The bounds are checked after each game. When they were checked at the end, a hostile
    // text of 290 kB took two minutes and 1.8 GB.
    let mut continues = |game: &Game| {
        count += 1;
        fits = size.add(game);
        fits.is_ok() && count <= MAX_GAMES
    };
    let games = format::read_any(pasted.text.trim(), Rules::usual(pasted.capture), &mut continues);
    let (_, games) = games.map_err(ApiError::invalid)?;
    fits?;
    // Nothing will be added to a text that was pasted, so the game would be lost for good.
    if format::is_torn(&pasted.text) {
        let line = pasted.text.lines().count();
        return Err(ApiError::invalid(format!("line {line}: the game is incomplete")));
    }
    // Reading stopped after the first game beyond the maximum, so their number is not known.
    if games.len() > MAX_GAMES {
        return Err(ApiError::invalid(format!("too many games (limit {MAX_GAMES})")));
    }
    games.into_iter().map(ShownGame::from_record).collect()
}
