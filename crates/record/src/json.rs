//! Games as JSON, one per line.
//!
//! A [`Game`] survives the round trip unchanged. Empty fields are omitted; an unknown
//! field is an error, as it may be the damaged name of a known one. A line may end with a
//! checksum, which is verified.

use std::{collections::BTreeMap, error::Error, time::Duration};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::IgnoredAny};

use super::ending::Ending;
use super::error::RecordError;
use super::game::{Game, Move, MoveEvaluation, Player, Step, Variation, VariationBudget};
use kalah_game::{Capture, Depth, Gain, IllegalMove, Pit, Position, Value};
pub use kalah_sys::journal::{has_checksum, with_checksum};

/// The line of a game, without a line end.
pub fn to_line(game: &Game) -> String {
    serde_json::to_string(game).unwrap_or_else(|error| unreachable!("strings and numbers: {error}"))
}

/// Serialises the game as the object of its line.
impl Serialize for Game {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        GameLine::from(self).serialize(serializer)
    }
}

/// Reads the games of a text, up to and including the first one for which `goes_on` returns
/// `false`. Skips blank lines, headers, and a torn last line.
///
/// # Errors
/// [`RecordError`] at the first line that is wrong.
pub(super) fn read(
    text: &str,
    goes_on: &mut dyn FnMut(&Game) -> bool,
) -> Result<Vec<Game>, RecordError> {
    let (lines, last) = text.rsplit_once('\n').unwrap_or(("", text));
    let lines = lines.lines().chain(Some(last).filter(|_| !is_torn(text))).enumerate();
    let mut games = Vec::new();
    for (index, line) in lines.filter(|(_, line)| !line.trim().is_empty() && !is_header(line)) {
        let game = from_line(line, index + 1)?;
        let is_last = !goes_on(&game);
        games.push(game);
        if is_last {
            break;
        }
    }
    Ok(games)
}

/// Whether the last line of a text ends too early: it may not be completely written yet. Any other
/// fault is an error.
pub(super) fn is_torn(text: &str) -> bool {
    let last = text.rsplit('\n').next().unwrap_or_default().trim_start();
    last.starts_with('{')
        && serde_json::from_str::<IgnoredAny>(last).is_err_and(|error| error.is_eof())
}

/// Whether a line of a match's file is the match's configuration, not a game.
pub fn is_header(line: &str) -> bool {
    line.starts_with(r#"{"match":"#)
}

/// Reads a line. Errors identify it by `number`, its place in the file, from 1.
///
/// # Errors
/// [`RecordError`] if the line is not the JSON of a game, or the game is not legal.
pub fn from_line(text: &str, number: usize) -> Result<Game, RecordError> {
    let error_at = |column, message| RecordError { line: number, column, message };
    let has_checksum =
        has_checksum(text.trim_end()).map_err(|error| error_at(1, error.to_string()))?;
    let line: GameLine = serde_json::from_str(text)
        .map_err(|error| error_at(error.column().max(1), without_place(&error)))?;
    if line.is_checked && !has_checksum {
        let message = "expected a checksum of 16 hexadecimal digits as the last field 'check'";
        return Err(error_at(1, message.to_owned()));
    }
    line.game().map_err(|error| error_at(1, error.to_string()))
}

/// The message of a JSON error without its "at line 1 column 7", whose line counts within the
/// text of one game.
fn without_place(error: &serde_json::Error) -> String {
    let mut message = error.to_string();
    if let Some(end) = message.rfind(" at line ") {
        message.truncate(end);
    }
    message
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameLine {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    event: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    // Earlier versions called it `round`, which is a pair of games per pairing.
    #[serde(alias = "round", default, skip_serializing_if = "Option::is_none")]
    number: Option<u32>,
    south: Player,
    north: Player,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    opening: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    position: String,
    /// Written always; a record without it has the rule that its position names.
    capture: Option<Capture>,
    moves: Vec<MoveLine>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    margin: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    tags: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    variations: Vec<VariationLine>,
    /// Whether there is a checksum, which is verified on the text of the line.
    #[serde(default, skip_serializing, rename = "check", deserialize_with = "present")]
    is_checked: bool,
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    IgnoredAny::deserialize(deserializer).map(|_| true)
}

/// A variation: a line that leaves the main line after some moves.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct VariationLine {
    after: usize,
    /// The moves after the first `after`.
    moves: Vec<MoveLine>,
    /// The number of moves from the start before the sides are swapped, if they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    swapped_after: Option<usize>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveLine {
    /// A letter in the case of its side.
    pit: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    book: bool,
    /// Hundredths of a seed, from the mover's point of view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<i32>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    proved: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    depth: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    leaves: Option<u64>,
    /// Time of the move in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    us: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
}

impl From<&Game> for GameLine {
    fn from(game: &Game) -> Self {
        let [south, north] = game.players.clone();
        let ending = game.ending();
        Self {
            id: game.id.clone(),
            event: game.event.clone(),
            date: game.date.clone(),
            number: game.number,
            south,
            north,
            opening: game.opening.clone(),
            comment: game.comment.clone(),
            position: game.start().without_rule().to_string(),
            capture: Some(game.start().capture()),
            moves: moves(game.steps()),
            result: ending.map(|ending| ending.outcome.to_string()),
            reason: ending.map(|ending| ending.reason.to_string()),
            margin: ending.and_then(|ending| ending.margin).map(|margin| margin.0),
            detail: ending.and_then(|ending| ending.detail.clone()),
            warnings: game.warnings.clone(),
            tags: game.tags_in_files(),
            variations: game.variations().iter().map(|line| variation(game, line)).collect(),
            is_checked: false,
        }
    }
}

impl GameLine {
    fn game(self) -> Result<Game, Box<dyn Error>> {
        let parsed = match self.capture {
            Some(capture) => Position::parse(&self.position, capture),
            None => self.position.parse(),
        };
        let start = parsed.map_err(|error| format!("start position: {error}"))?;
        let mut game = Game::new(start, [self.south, self.north]);
        play(&mut game, self.moves)?;
        let mut budget = VariationBudget::default();
        for (number, VariationLine { after, moves, swapped_after }) in (1..).zip(self.variations) {
            let main = game.steps.get(..after).ok_or_else(|| {
                let moves = game.steps.len();
                format!("variation {number}: expected 'after' to be at most {moves}, got {after}")
            })?;
            budget.add(after)?;
            // A game of its own, so that the moves of a variation are checked like all others.
            let mut line = Game { steps: main.to_vec(), ..Game::new(start, Default::default()) };
            play(&mut line, moves).map_err(|error| format!("variation {number}: {error}"))?;
            game.variations.push(Variation { steps: line.steps, swapped_after });
        }
        game.set_tags_of_file(self.tags);
        if let Some(result) = self.result {
            game.finish(Ending {
                outcome: result.parse()?,
                reason: self.reason.as_deref().unwrap_or("normal").parse()?,
                margin: self.margin.map(Gain),
                detail: self.detail,
            })?;
        }
        game.finish_if_played_out();
        Ok(Game {
            id: self.id,
            event: self.event,
            date: self.date,
            number: self.number,
            opening: self.opening,
            comment: self.comment,
            warnings: self.warnings,
            ..game
        })
    }
}

fn play(game: &mut Game, moves: Vec<MoveLine>) -> Result<(), IllegalMove> {
    moves.into_iter().try_for_each(|mut line| {
        let letter = std::mem::take(&mut line.pit);
        game.play_letter(&letter, |pit| line.with_pit(pit)).map(drop)
    })
}

fn variation(game: &Game, line: &Variation) -> VariationLine {
    let after = game.shared_moves(line);
    let swapped_after = line.swapped_after;
    VariationLine { after, moves: moves(&line.steps[after..]), swapped_after }
}

fn moves(steps: &[Step]) -> Vec<MoveLine> {
    steps.iter().map(|step| MoveLine::new(&step.r#move, step.played.letter())).collect()
}

impl MoveLine {
    fn new(r#move: &Move, letter: char) -> Self {
        Self {
            pit: letter.to_string(),
            book: r#move.book,
            value: r#move.evaluation.map(|evaluation| evaluation.margin.0),
            proved: matches!(r#move.evaluation, Some(MoveEvaluation { proved: true, .. })),
            depth: r#move.depth.map(|depth| depth.0),
            nodes: r#move.nodes,
            leaves: r#move.leaves,
            us: r#move.time.map(|time| time.as_micros() as u64),
            comment: r#move.comment.clone(),
        }
    }

    fn with_pit(self, pit: Pit) -> Move {
        let proved = self.proved;
        Move {
            pit,
            book: self.book,
            evaluation: self.value.map(|value| MoveEvaluation { margin: Value(value), proved }),
            depth: self.depth.map(Depth),
            nodes: self.nodes,
            leaves: self.leaves,
            time: self.us.map(Duration::from_micros),
            comment: self.comment,
        }
    }
}
