//! The part of a page that shows its games, one move at a time.
//!
//! The games go into the page as JSON with the position after each move, and a script,
//! `games.js`, shows them: the rules are applied here, not there. A game of 40 moves
//! takes about a kilobyte.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::arena::ledger::Games;
use crate::arena::schedule::Schedule;
use crate::game::{Capture, Position, Side};
use crate::record::{Game, Step, Variation};
use crate::report::format::counted;

/// The games of a page, as its script reads them.
#[derive(Serialize)]
struct GamesData<'a> {
    players: Vec<&'a str>,
    games: Vec<GameData<'a>>,
}

/// One line of moves of a game.
#[derive(Serialize)]
struct GameData<'a> {
    /// The number of the game, and of the variation: `3`, `3v1`.
    number: String,
    /// South and North at the end, as indices of players.
    players: [usize; 2],
    /// How many moves were made before the players swapped sides, if they did.
    #[serde(skip_serializing_if = "Option::is_none")]
    swapped: Option<usize>,
    #[serde(skip_serializing_if = "str::is_empty")]
    opening: &'a str,
    rules: String,
    result: String,
    moves: String,
    book: usize,
    /// Before and after each move: the letter of the side to move, and the seeds in
    /// the stores and pits in the order of a position's text, each as a character.
    positions: String,
    /// The margin that the mover of each move expected, in hundredths of a seed from
    /// South's point of view.
    values: Vec<Option<i32>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    comments: BTreeMap<usize, String>,
}

impl<'a> GameData<'a> {
    fn of(game: &'a Game, players: [usize; 2], number: String, line: &Variation) -> Self {
        let steps = line.steps();
        let positions = std::iter::once(game.start()).chain(steps.iter().map(|step| &step.after));
        let comments = (1..).zip(steps);
        let comments =
            comments.filter_map(|(number, step)| Some((number, step.r#move.comment.clone()?)));
        Self {
            number,
            players,
            swapped: line.swapped_after(),
            opening: game.opening.as_deref().unwrap_or_default(),
            rules: board(game.start()),
            result: game.ending().map_or("unfinished".to_owned(), ToString::to_string),
            moves: steps.iter().map(|step| step.played.letter()).collect(),
            book: steps.iter().take_while(|step| step.r#move.book).count(),
            positions: positions.map(characters).collect(),
            values: steps.iter().map(souths_value).collect(),
            comments: comments.collect(),
        }
    }
}

/// What the mover expected, in hundredths of a seed from South's point of view.
fn souths_value(step: &Step) -> Option<i32> {
    Some(step.played.side.view_of(step.r#move.evaluation?.margin.0))
}

/// A position in characters: the side to move, and a character for each count of
/// seeds, `0` for none. No board has enough seeds to reach the surrogates.
fn characters(position: &Position) -> String {
    let side = if position.side() == Side::South { 'S' } else { 'N' };
    let stores = Side::BOTH.map(|side| position.store(side));
    let rows = Side::BOTH.map(|side| position.row(side));
    let rows = rows.into_iter().flatten().map(|&seeds| u32::from(seeds));
    let counts = stores.into_iter().chain(rows);
    let counts = counts.filter_map(|seeds| char::from_u32(u32::from('0') + seeds));
    std::iter::once(side).chain(counts).collect()
}

/// The games and the script that shows them, as HTML.
pub(super) fn viewer(schedule: &Schedule, games: &Games) -> String {
    let mut lines = Vec::new();
    for (fixture, game) in schedule.played(games) {
        let (number, players) = (fixture.number(game), fixture.players);
        lines.push(GameData::of(game, players, number.to_string(), &game.main_line()));
        for (nth, line) in (1..).zip(game.variations()) {
            lines.push(GameData::of(game, players, format!("{number}v{nth}"), &line));
        }
    }
    let data = GamesData {
        players: (0..schedule.config.players.len()).map(|player| schedule.name(player)).collect(),
        games: lines,
    };
    let json = serde_json::to_string(&data)
        .unwrap_or_else(|error| unreachable!("strings and numbers: {error}"));
    // A '<' could begin the tag that ends the element.
    let json = json.replace('<', "\\u003c");
    format!(
        "<style>\n{}</style>\n{}<script type=\"application/json\" id=\"games-data\">{json}</script>\n\
         <script>\n{}</script>\n",
        include_str!("../games.css"),
        include_str!("../games.html"),
        include_str!("../games.js"),
    )
}

/// The size and the rules of a board.
pub(super) fn board(start: &Position) -> String {
    let captures = match start.capture() {
        Capture::Standard => "standard captures",
        Capture::EmptyCapture => "empty captures",
    };
    let (pits, seeds) =
        (counted(start.pits() as u64, "pit"), counted(start.total().into(), "seed"));
    format!("{pits} per row, {seeds}, {captures}")
}
