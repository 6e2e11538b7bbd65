//! Moves, positions and results in words.

use kalah_game::{Capture, Gain, Landing, Pit, Played, Position, Side, Turn};
use kalah_text::format::{counted, signed};

use crate::{Ending, Game, Outcome, Reason};

/// `1 seed`, `5 seeds`.
pub fn seeds(count: u32) -> String {
    counted(count.into(), "seed")
}

/// The effects of a move, and whose turn it is next; `after` is the position after the move.
pub fn of_move(played: &Played, after: &Position) -> String {
    let Played { side, pit, sown, last, banked, captured, turn, swept } = *played;
    let mut text = format!("{side} sowed {} ({})", pit.letter(side), seeds(sown));
    // `captured` includes the capturing seed, so 1 is the capture of an empty pit.
    if let (Landing::Own(last), 1..) = (last, captured) {
        let opposite = last.opposite(after.pits()).letter(side.other());
        let at = last.letter(side);
        text += &match captured - 1 {
            0 => format!(", ended in empty {at} with nothing opposite in {opposite}"),
            prey => format!(", ended in empty {at} and captured {prey} from {opposite}"),
        };
        text += &format!(": {banked} to its store");
    } else if turn == Turn::Keeps {
        text += " and ended in its store";
    } else if banked > 0 {
        text += &format!(": {banked} to its store");
    }
    if after.is_over() {
        text += ". ";
        text += &of_end(swept, after);
    } else if turn == Turn::Keeps {
        text += &format!(". {side} moves again.");
    } else {
        text += &format!(". {} to move.", after.side());
    }
    text
}

/// Why the game ended, who keeps the remaining seeds, and the result.
fn of_end(swept: [u32; 2], after: &Position) -> String {
    // The game ends when one row is empty, so at most one side has seeds to sweep.
    let sweeps = Side::BOTH.into_iter().zip(swept).find(|&(_, seeds)| seeds > 0);
    let why = match sweeps {
        Some((side, left)) => {
            format!("{} has no seeds left; {side} keeps its last {left}.", side.other())
        }
        None => "No seeds are left.".to_owned(),
    };
    format!("{why} {}", of_result(after))
}

/// Who won a finished game, and by how much.
pub fn of_result(position: &Position) -> String {
    let [south, north] = Side::BOTH.map(|side| {
        let row: u32 = position.row(side).iter().map(|&seeds| u32::from(seeds)).sum();
        position.store(side) + row
    });
    match position.margin(Side::South) {
        Gain(0) => format!("The game is a draw, {south} to {north}."),
        Gain(1..) => format!("South wins {south} to {north}."),
        Gain(_) => format!("North wins {north} to {south}."),
    }
}

/// A whole position in sentences, for readers who cannot see a drawing.
pub fn of_position(position: &Position) -> Vec<String> {
    let [south, north] = Side::BOTH.map(|side| {
        let pits: Vec<String> = (0..position.pits())
            .map(|index| format!("{} {}", Pit::new(index).letter(side), position.row(side)[index]))
            .collect();
        format!("{side}: {}, store {}.", pits.join(", "), position.store(side))
    });
    let to_move = if position.is_over() {
        of_result(position)
    } else {
        format!("{} to move.", position.side())
    };
    vec![south, north, to_move]
}

/// What a capture rule demands, to complete a sentence that begins with "captures".
pub fn captures(rule: Capture) -> &'static str {
    match rule {
        Capture::Standard => "need seeds in the pit opposite",
        Capture::EmptyCapture => "work with an empty pit opposite, too",
    }
}

/// The rules of the game in a few sentences, for this board.
pub fn rules(position: &Position) -> Vec<String> {
    let pits = position.pits();
    let [last_south, last_north] = Side::BOTH.map(|side| Pit::new(pits - 1).letter(side));
    let capture = match position.capture() {
        Capture::Standard => "If the opposite pit is empty, there is no capture.",
        Capture::EmptyCapture => {
            "If the opposite pit is empty, the last seed alone goes to your store."
        }
    };
    vec![
        format!(
            "Each player has a row of {} and a store. South's pits are A to {last_south}, \
             North's a to {last_north}, in the direction of sowing: A and a are farthest from \
             their owner's store.",
            counted(pits as u64, "pit"),
        ),
        "On your turn you lift all seeds from one of your pits and sow them one by one: along \
         your row, into your store, along the opponent's row, past the opponent's store, and \
         round again."
            .to_owned(),
        "If the last seed falls into your store, you move again.".to_owned(),
        format!(
            "If the last seed falls into an empty pit of yours, you capture: that seed and all \
             seeds in the opposite pit go to your store. {capture}"
        ),
        "The game ends when either row is empty. The seeds left in the other row go to their \
         owner's store, and the player with more seeds wins."
            .to_owned(),
    ]
}

/// How a finished game ended: `South wins 40 to 8.`, `North resigned; South wins.`
pub fn ending(game: &Game) -> Option<String> {
    let ending = game.ending()?;
    Some(match (cause(ending), ending.outcome, ending.reason) {
        (Some(cause), Outcome::Won(winner), _) => format!("{cause}; {winner} wins."),
        (_, _, Reason::Normal) => of_result(game.position()),
        _ => recorded(ending),
    })
}

/// A result as a heading for the player of the side `reader`: `You win by 8`, `North wins`, `A draw`.
pub fn heading(ending: &Ending, reader: Option<Side>) -> String {
    let Outcome::Won(winner) = ending.outcome else { return "A draw".to_owned() };
    let who = match reader {
        Some(reader) if reader == winner => "You win".to_owned(),
        Some(_) => "You lose".to_owned(),
        None => format!("{winner} wins"),
    };
    match ending.margin {
        Some(margin) => format!("{who} by {}", margin.0.abs()),
        None => who,
    }
}

/// The reason why a game ended before it was played out: `North ran out of time`.
pub fn cause(ending: &Ending) -> Option<String> {
    let Outcome::Won(winner) = ending.outcome else { return None };
    match ending.reason {
        Reason::Resignation => Some(format!("{} resigned", winner.other())),
        Reason::Time => Some(format!("{} ran out of time", winner.other())),
        _ => None,
    }
}

/// How a recorded game ended, with any reason: `South won (crash).`
pub fn recorded(ending: &Ending) -> String {
    let reason = match ending.reason {
        Reason::Normal => String::new(),
        reason => format!(" ({reason})"),
    };
    match ending.outcome {
        Outcome::Won(side) => format!("{side} won{reason}."),
        Outcome::Draw => format!("It was a draw{reason}."),
    }
}

/// The result for a list of games: `1-0, by 12 seeds`, `0-1 (time)`, `unfinished`.
pub fn result(game: &Game) -> String {
    match game.ending() {
        Some(ending) => ending.to_string(),
        None => UNFINISHED.to_owned(),
    }
}

/// The winner for a narrow list of games: `South by 12`, `North (time)`, `draw`, `unfinished`.
pub fn winner(game: &Game) -> String {
    let Some(ending) = game.ending() else { return UNFINISHED.to_owned() };
    match (ending.outcome, ending.margin) {
        (Outcome::Draw, _) => "draw".to_owned(),
        (Outcome::Won(side), Some(margin)) => format!("{side} by {}", margin.0.abs()),
        (Outcome::Won(side), None) => format!("{side} ({})", ending.reason),
    }
}

/// The result from the point of view of `side`: `+12`, `lost (time)`, `unfinished`.
pub fn result_for(game: &Game, side: Side) -> String {
    let Some(ending) = game.ending() else { return UNFINISHED.to_owned() };
    let result = match (ending.margin, ending.outcome) {
        (Some(margin), _) => return signed(side.view_of(f64::from(margin.0)), 0),
        (None, Outcome::Draw) => "drawn",
        (None, Outcome::Won(winner)) if winner == side => "won",
        (None, Outcome::Won(_)) => "lost",
    };
    format!("{result} ({})", ending.reason)
}

const UNFINISHED: &str = "unfinished";
