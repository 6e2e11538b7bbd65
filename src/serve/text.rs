//! Games from a text of any kind: positions, a list of moves, `.kgn` text or JSON lines.

use crate::arena::opening::{self, Opening};
use crate::game::{Capture, Position, Rules};
use crate::record::{Game, Move, format};

/// The games of a text, up to the first one for which `goes_on` does not hold. `capture` holds
/// where the text does not name the rule.
///
/// # Errors
/// What is wrong with the text, and where.
pub(super) fn games(
    text: &str,
    capture: Capture,
    goes_on: &mut dyn FnMut(&Game) -> bool,
) -> Result<Vec<Game>, String> {
    let start = Position::start(Rules::usual(capture));
    if text.starts_with('<') {
        let lines = (1..).zip(text.lines());
        let openings =
            lines.filter_map(|(number, line)| opening::read_line(number, line, start).transpose());
        let mut games = Vec::new();
        for opening in openings {
            games.push(of_opening(opening.map_err(|error| error.to_string())?));
            if !games.last().is_none_or(&mut *goes_on) {
                break;
            }
        }
        // The only line needs no name to be told from others.
        if let [game] = &mut games[..] {
            game.opening = None;
        }
        return Ok(games);
    }
    if !text.is_empty() && text.chars().all(|c| c.is_ascii_alphabetic() || c.is_whitespace()) {
        let opening = Opening::new(String::new(), start, text);
        let opening = opening.map_err(|(column, error)| format!("column {column}: {error}"))?;
        return Ok(vec![of_opening(opening)]);
    }
    let (_, games) = format::read_while(text, goes_on).map_err(|error| error.to_string())?;
    Ok(games)
}

fn of_opening(opening: Opening) -> Game {
    let mut game = Game::new(opening.start, Default::default());
    game.opening = Some(opening.name).filter(|name| !name.is_empty());
    for pit in opening.moves {
        game.play(Move::new(pit)).expect("the moves of an opening are legal");
    }
    game
}
