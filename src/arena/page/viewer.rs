//! The part of a page that shows its games, one move at a time.
//!
//! The games go into the page as JSON with the position after each move and the marks of
//! the moves, and a module, `games.js`, shows them: the rules and the judgement are applied
//! here, not there. A game of 40 moves takes two to three kilobytes.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::arena::ledger::Games;
use crate::arena::schedule::{Fixture, Schedule};
use crate::game::{Capture, Position, Side};
use crate::record::mark::{self, Mark, Source};
use crate::record::{Game, Step, Variation, kgn};
use crate::sys::foreign::Foreign;
use crate::sys::format::counted;
use crate::view::web;

/// The elements in which games are shown.
pub(crate) const TEMPLATE: &str = include_str!("games.html");
/// The module that shows games in them.
pub(crate) const SCRIPT: &str = include_str!("games.js");
/// Their style, apart from that of the board.
pub(crate) const STYLE: &str = include_str!("games.css");

/// The games of a page, as its script reads them.
#[derive(Serialize)]
struct GamesData {
    #[serde(flatten)]
    meanings: Meanings,
    games: Vec<GameData>,
}

/// What the numbers and marks of games mean.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Meanings {
    players: Vec<String>,
    /// The mildest first.
    marks: [MarkData; Mark::ALL.len()],
}

impl Meanings {
    pub(crate) fn of(schedule: &Schedule) -> Self {
        let marks = Mark::ALL.map(|mark| MarkData {
            mark: mark.to_string(),
            name: mark.name(),
            from: mark.threshold().0,
        });
        let players = schedule.config.players.iter();
        Self { players: players.map(|player| shown(&player.name)).collect(), marks }
    }
}

/// The meaning of a mark.
#[derive(Clone, Debug, Serialize)]
struct MarkData {
    mark: String,
    name: &'static str,
    /// The smallest loss, in hundredths of a seed.
    from: i32,
}

/// A line of moves of a game in a list of them.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct GameTitle {
    /// The number of the game, and of the variation: `3`, `3v1`.
    number: String,
    /// South and North at the end, as indices of players.
    players: [usize; 2],
    result: String,
}

impl GameTitle {
    /// `variation` is the number of a variation; the main line has none.
    pub(crate) fn of(fixture: &Fixture, game: &Game, variation: Option<usize>) -> Self {
        let number = fixture.number(game);
        Self {
            number: match variation {
                Some(nth) => format!("{number}v{nth}"),
                None => number.to_string(),
            },
            players: fixture.players,
            result: game.ending().map_or("unfinished".to_owned(), ToString::to_string),
        }
    }

    pub(crate) fn number(&self) -> &str {
        &self.number
    }
}

/// One line of moves of a game.
#[derive(Serialize)]
pub(crate) struct GameData {
    #[serde(flatten)]
    title: GameTitle,
    /// How many moves were made before the players swapped sides, if they did.
    #[serde(skip_serializing_if = "Option::is_none")]
    swapped: Option<usize>,
    #[serde(skip_serializing_if = "String::is_empty")]
    opening: String,
    rules: String,
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
    #[serde(flatten)]
    judged: Option<JudgedData>,
    /// The whole game as `.kgn` text; empty for a variation.
    #[serde(skip_serializing_if = "String::is_empty")]
    kgn: String,
}

/// The judgement of a line of moves.
#[derive(Serialize)]
pub(crate) struct JudgedData {
    /// The marks and the losses in hundredths of a seed, by the number of the move.
    pub(crate) marks: BTreeMap<usize, (String, i32)>,
    /// The marks of South's and North's moves in words.
    pub(crate) counts: [String; 2],
    /// The number of the move that decided the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) decisive: Option<usize>,
}

impl JudgedData {
    /// None if no move can be judged.
    pub(crate) fn of(game: &Game, line: &Variation, is_main: bool) -> Option<Self> {
        let ending = game.ending().filter(|_| is_main);
        let moves = mark::judgements(line, ending, Source::of(game));
        if moves.iter().all(Option::is_none) {
            return None;
        }
        let marked = (1..).zip(&moves).filter_map(|(number, judged)| {
            let judged = (*judged)?;
            Some((number, (judged.mark()?.to_string(), judged.lost().0)))
        });
        let counts = Side::BOTH.map(|side| {
            let ours = moves.iter().flatten().filter(|judged| judged.side == side);
            let (count, marks) = (ours.clone().count(), ours.filter_map(|judged| judged.mark()));
            let marks: Vec<Mark> = marks.collect();
            let words = Mark::ALL.into_iter().filter_map(|mark| {
                let count = marks.iter().filter(|&&other| other == mark).count();
                (count > 0).then(|| mark.counted(count))
            });
            let words: Vec<_> = words.collect();
            let words = if words.is_empty() { "no marks".to_owned() } else { words.join(", ") };
            format!("{words} in {}", counted(count as u64, "judged move"))
        });
        let decisive = ending.and_then(|ending| mark::decisive(&moves, ending.outcome));
        Some(Self { marks: marked.collect(), counts, decisive: decisive.map(|index| index + 1) })
    }
}

impl GameData {
    /// The main line and the variations of a game.
    pub(crate) fn all_of(fixture: &Fixture, game: &Game) -> Vec<Self> {
        let main = Self::of(fixture, game, &game.main_line(), None);
        let variations = (1..).zip(game.variations());
        let variations = variations.map(|(nth, line)| Self::of(fixture, game, &line, Some(nth)));
        [main].into_iter().chain(variations).collect()
    }

    fn of(fixture: &Fixture, game: &Game, line: &Variation, variation: Option<usize>) -> Self {
        let steps = line.steps();
        let positions = std::iter::once(game.start()).chain(steps.iter().map(|step| &step.after));
        let comments = (1..).zip(steps);
        let comments = comments
            .filter_map(|(number, step)| Some((number, shown(step.r#move.comment.as_ref()?))));
        Self {
            title: GameTitle::of(fixture, game, variation),
            swapped: line.swapped_after(),
            opening: shown(game.opening.as_deref().unwrap_or_default()),
            rules: board(game.start()),
            moves: steps.iter().map(|step| step.played.letter()).collect(),
            book: steps.iter().take_while(|step| step.r#move.book).count(),
            positions: positions.map(characters).collect(),
            values: steps.iter().map(souths_value).collect(),
            comments: comments.collect(),
            judged: JudgedData::of(game, line, variation.is_none()),
            kgn: if variation.is_none() { kgn::write(game) } else { String::new() },
        }
    }
}

fn shown(text: &str) -> String {
    Foreign(text).to_string()
}

/// What the mover expected, in hundredths of a seed from South's point of view.
fn souths_value(step: &Step) -> Option<i32> {
    Some(step.played.side.view_of(step.r#move.evaluation?.margin.0))
}

/// A position in characters: the side to move, and a character for each count of
/// seeds, `0` for none. No board has enough seeds to reach the surrogates.
fn characters(position: &Position) -> String {
    let stores = Side::BOTH.map(|side| position.store(side));
    let rows = Side::BOTH.map(|side| position.row(side));
    let rows = rows.into_iter().flatten().map(|&seeds| u32::from(seeds));
    let counts = stores.into_iter().chain(rows);
    let counts = counts.filter_map(|seeds| char::from_u32(u32::from('0') + seeds));
    std::iter::once(position.side().initial()).chain(counts).collect()
}

/// The games and what shows them, as HTML. The page needs [`style`] and [`script`], too.
pub(super) fn viewer(schedule: &Schedule, games: &Games) -> String {
    let games = schedule.played(games);
    let games = games.flat_map(|(fixture, game)| GameData::all_of(fixture, game));
    let data = GamesData { meanings: Meanings::of(schedule), games: games.collect() };
    let json = serde_json::to_string(&data)
        .unwrap_or_else(|error| unreachable!("strings and numbers: {error}"));
    // A '<' could begin the tag that ends the element.
    let json = json.replace('<', "\\u003c");
    format!("{TEMPLATE}<script type=\"application/json\" id=\"games-data\">{json}</script>\n",)
}

/// The style of the board and of what is around it.
pub(super) fn style() -> String {
    format!("{}{STYLE}", web::STYLE)
}

/// The board, the curve and the script of the games in one module: a page that is one file has
/// nothing to import.
pub(super) fn script() -> String {
    let modules = [web::BOARD, web::CURVE, SCRIPT, include_str!("single.js")];
    let lines = modules.into_iter().flat_map(str::lines);
    lines.filter(|line| !line.starts_with("import ")).flat_map(|line| [line, "\n"]).collect()
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
