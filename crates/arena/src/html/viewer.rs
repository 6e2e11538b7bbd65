//! The part of a document that shows its games, one move at a time.
//!
//! The games are embedded in it as JSON, with the position after each move and the marks
//! of the moves. The module `games.js` shows them: the rules and the judgement of moves are
//! applied here, so that they exist in Rust alone. A game of 40 moves takes two to three
//! kilobytes.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use crate::schedule::{Fixture, PlacedGames, Schedule};
use kalah_game::{Position, Side};
use kalah_record::mark::{JudgedLine, Mark};
use kalah_record::{Game, Step, Variation, kgn, sentence};
use kalah_text::foreign::Foreign;
use kalah_text::format::counted;
use kalah_view::viewer::ELEMENTS;

/// The games of a document in the form that its script reads.
#[derive(Serialize)]
struct GamesData {
    #[serde(flatten)]
    legend: Legend,
    games: Vec<GameData>,
}

/// The meaning of the player numbers and marks in [`GameData`].
#[derive(Clone, Debug, Serialize)]
pub struct Legend {
    players: Vec<String>,
    /// From the mildest mark to the worst, each with the smallest loss that gets it, in hundredths
    /// of a seed.
    marks: [Value; Mark::ALL.len()],
}

impl Legend {
    pub(crate) fn new(schedule: &Schedule) -> Self {
        let marks = Mark::ALL.map(|mark| {
            json!({ "mark": mark.to_string(), "name": mark.name(), "from": mark.threshold().0 })
        });
        let players = schedule.config.players.iter();
        Self { players: players.map(|player| shown(&player.name)).collect(), marks }
    }
}

/// The entry of a game, or of one of its variations, in a list.
#[derive(Clone, Debug, Serialize)]
pub struct GameTitle {
    /// The number of the game, followed by that of the variation: `3`, `3v1`.
    pub(crate) number: String,
    /// South and North at the end, as indices of players.
    pub(crate) players: [usize; 2],
    pub(crate) result: String,
}

/// One line of a game: its main line or a variation.
#[derive(Serialize)]
pub struct GameData {
    #[serde(flatten)]
    title: GameTitle,
    /// The number of moves before the players swapped sides, if they did.
    #[serde(skip_serializing_if = "Option::is_none")]
    swapped: Option<usize>,
    #[serde(skip_serializing_if = "String::is_empty")]
    opening: String,
    rules: String,
    moves: String,
    book: usize,
    /// The positions before the first and after each move: the letter of the side to move,
    /// then one character for the seeds in each store and pit, in the order of a position's
    /// text.
    positions: String,
    /// The margin that the player of each move expected, in hundredths of a seed from
    /// South's point of view.
    values: Vec<Option<i32>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    comments: BTreeMap<usize, String>,
    #[serde(flatten)]
    judged: Option<JudgedLine>,
    /// The whole game in `.kgn` format; empty for a variation.
    #[serde(skip_serializing_if = "String::is_empty")]
    kgn: String,
}

impl GameData {
    /// The main line and the variations of a game.
    pub(crate) fn lines_of(fixture: &Fixture, game: &Game) -> Vec<Self> {
        let mut lines = vec![Self::new(fixture, game, &game.main_line(), None)];
        for (nth, line) in (1..).zip(game.variations()) {
            lines.push(Self::new(fixture, game, &line, Some(nth)));
        }
        lines
    }

    /// `variation` is the number of the variation, from 1; none for the main line.
    fn new(fixture: &Fixture, game: &Game, line: &Variation, variation: Option<usize>) -> Self {
        let number = fixture.number(game);
        let number = match variation {
            Some(nth) => format!("{number}v{nth}"),
            None => number.to_string(),
        };
        let result = sentence::result(game);
        let steps = line.steps();
        let positions = std::iter::once(game.start()).chain(steps.iter().map(|step| &step.after));
        let comments = (1..)
            .zip(steps)
            .filter_map(|(number, step)| Some((number, shown(step.r#move.comment.as_ref()?))));
        Self {
            title: GameTitle { number, players: fixture.players, result },
            swapped: line.swapped_after(),
            opening: shown(game.opening.as_deref().unwrap_or_default()),
            rules: board(game.start()),
            moves: steps.iter().map(|step| step.played.letter()).collect(),
            book: steps.iter().take_while(|step| step.r#move.book).count(),
            positions: positions.map(characters).collect(),
            values: steps.iter().map(souths_value).collect(),
            comments: comments.collect(),
            judged: JudgedLine::new(game, line, variation.is_none()),
            kgn: if variation.is_none() { kgn::write(game) } else { String::new() },
        }
    }
}

fn shown(text: &str) -> String {
    Foreign(text).to_string()
}

/// The margin that the mover expected, in hundredths of a seed from South's point of view.
fn souths_value(step: &Step) -> Option<i32> {
    Some(step.played.side.view_of(step.r#move.evaluation?.margin.0))
}

/// A position in characters: the side to move, and one character per store and pit, `0` for
/// no seeds and the next code points for more. No board has enough seeds to reach the
/// surrogates, which are not characters.
fn characters(position: &Position) -> String {
    let stores = Side::BOTH.map(|side| position.store(side));
    let pits = Side::BOTH.map(|side| position.row(side)).into_iter().flatten();
    let counts = stores.into_iter().chain(pits.map(|&seeds| u32::from(seeds)));
    let mut characters = String::from(position.side().initial());
    characters.extend(counts.filter_map(|seeds| char::from_u32(u32::from('0') + seeds)));
    characters
}

/// The games and the elements that show them, as HTML. The document also needs [`style`] and
/// [`script`].
pub(super) fn viewer(schedule: &Schedule, games: &PlacedGames) -> String {
    let lines = schedule
        .played(games)
        .flat_map(|(fixture, game)| GameData::lines_of(fixture, game))
        .collect();
    let data = GamesData { legend: Legend::new(schedule), games: lines };
    let json = serde_json::to_string(&data)
        .unwrap_or_else(|error| unreachable!("strings and numbers: {error}"))
        // A `</script>` in a name or comment would end the element.
        .replace('<', "\\u003c");
    format!("{ELEMENTS}<script type=\"application/json\" id=\"games-data\">{json}</script>\n")
}

/// The size and the rules of a board.
pub(super) fn board(start: &Position) -> String {
    let captures = start.capture().in_words();
    let pits = counted(start.pits() as u64, "pit");
    let seeds = counted(start.total().into(), "seed");
    format!("{pits} per row, {seeds}, {captures}")
}
