//! The model of a game: its players, its moves with their annotations, and its variations.

use std::{collections::BTreeMap, time::Duration};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::ending::{Ending, EndingError};
use kalah_engine::SearchResult;
use kalah_game::{Depth, IllegalMove, MoveError, Pit, Played, Position, Side, Value};
use kalah_text::foreign::Foreign;

/// One game, finished or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Game {
    /// A hash that identifies the game in its match, the same on every machine.
    pub id: Option<String>,
    /// The match or occasion.
    pub event: Option<String>,
    /// When it began, in ISO 8601: `2026-11-20` or `2026-11-20T11:05:00Z`.
    pub date: Option<String>,
    /// Its number in the match, from 1.
    pub number: Option<u32>,
    /// The name of the opening that was played.
    pub opening: Option<String>,
    /// A comment before the first move, for people.
    pub comment: Option<String>,
    /// The players of South and North, as they are after a swap of sides.
    pub players: [Player; 2],
    /// Incidents that did not end the game, such as illegal principal variations.
    pub warnings: Vec<String>,
    /// Further data by name, written as tags in `.kgn`.
    pub tags: BTreeMap<String, String>,
    /// Whether the second player may swap sides in place of its first move.
    pub pie_rule: bool,
    pub(super) start: Position,
    pub(super) steps: Vec<Step>,
    pub(super) swapped_after: Option<usize>,
    pub(super) ending: Option<Ending>,
    pub(super) variations: Vec<Variation>,
}

/// A line of a game that differs from its main line: moves that were taken back, or tried from
/// an earlier position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    pub(super) steps: Vec<Step>,
    pub(super) swapped_after: Option<usize>,
}

impl Variation {
    /// The moves from the start of the game.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The number of moves made before the players swapped sides, if they did.
    pub fn swapped_after(&self) -> Option<usize> {
        self.swapped_after
    }

    /// The number of moves from the start that both lines share.
    fn shared(&self, other: &Self) -> usize {
        let pairs = self.steps.iter().zip(&other.steps);
        let same = pairs.take_while(|(one, other)| one.r#move.pit == other.r#move.pit).count();
        // A swap of sides is part of a line: lines that swap at different times share only the
        // moves before the earlier swap.
        if self.swapped_after == other.swapped_after {
            return same;
        }
        let swaps = [self.swapped_after, other.swapped_after];
        swaps.into_iter().flatten().fold(same, usize::min)
    }

    /// This line with the moves that it shares with `main` taken from there, with their comments.
    fn branching_from(mut self, main: &Self) -> Self {
        let shared = main.shared(&self);
        self.steps[..shared].clone_from_slice(&main.steps[..shared]);
        self
    }

    /// Whether this line begins with all of `other`.
    fn contains(&self, other: &Self) -> bool {
        let is_swap_shared =
            other.swapped_after.is_none() || other.swapped_after == self.swapped_after;
        self.shared(other) == other.steps.len() && is_swap_shared
    }
}

/// How much of their limits the variations of a game have used up while it is being read. Each
/// variation has a copy of the moves that it shares, so without limits a file of a megabyte could
/// use up all memory.
#[derive(Clone, Debug, Default)]
pub(super) struct VariationBudget {
    variations: usize,
    /// Moves that variations share with other lines.
    shared: usize,
}

/// Error of a game with too many or too long variations.
#[derive(Debug, Error)]
#[error("too many variations (limit {MAX_VARIATIONS}, sharing {MAX_SHARED} moves in total)")]
pub(super) struct TooLarge;

const MAX_VARIATIONS: usize = 2000;
const MAX_SHARED: usize = 100_000;

impl VariationBudget {
    /// Counts a variation that shares `moves` with the line that it leaves.
    pub(super) fn add(&mut self, moves: usize) -> Result<(), TooLarge> {
        self.variations += 1;
        self.shared += moves;
        let fits = self.variations <= MAX_VARIATIONS && self.shared <= MAX_SHARED;
        if fits { Ok(()) } else { Err(TooLarge) }
    }
}

/// The player of one side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Player {
    /// The name, as shown in tables.
    pub name: String,
    /// The name and version that the program gives itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Its limit on time, nodes or depth, as in `0.1s+0.01s` or `nodes=1000`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// Options that were set, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
}

impl Player {
    /// A player with only the name known.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// The name and the limit, as in `kalah, casual`, or only the name if there is no limit;
    /// for display.
    pub fn in_full(&self) -> String {
        let limit = self.limit.as_ref().map(|limit| format!(", {limit}"));
        Foreign(&(self.name.clone() + &limit.unwrap_or_default())).to_string()
    }
}

/// A move with its annotations; the default has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Move {
    /// The pit that was sown.
    pub pit: Pit,
    /// Whether it belongs to the opening, which the player did not choose.
    pub book: bool,
    /// The margin that the mover expected.
    pub evaluation: Option<MoveEvaluation>,
    /// The depth of the search, in plies.
    pub depth: Option<Depth>,
    /// Nodes that were searched.
    pub nodes: Option<u64>,
    /// Leaves that were evaluated, counting repeats.
    pub leaves: Option<u64>,
    /// Time used; records have whole microseconds.
    pub time: Option<Duration>,
    /// A comment for people.
    pub comment: Option<String>,
}

impl Move {
    /// A move without annotations.
    pub fn new(pit: Pit) -> Self {
        Self { pit, ..Self::default() }
    }

    /// The move that a search found best, chosen in `time`; none if the game was over.
    pub fn from_search(result: &SearchResult, time: Duration) -> Option<Self> {
        let info = result.info.as_ref();
        Some(Self {
            evaluation: info
                .map(|info| MoveEvaluation { margin: info.margin, proved: info.proved }),
            depth: info.map(|info| info.depth),
            nodes: info.map(|info| info.nodes),
            leaves: info.and_then(|info| info.leaves),
            time: Some(time),
            ..Self::new(result.best?)
        })
    }

    /// A move of the opening.
    pub fn book(pit: Pit) -> Self {
        Self { book: true, ..Self::new(pit) }
    }
}

/// The margin that the mover expected at the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveEvaluation {
    /// The mover's final store minus the opponent's.
    pub margin: Value,
    /// Whether the mover claimed a proof.
    pub proved: bool,
}

/// A move of a game, with its effects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The move as it was recorded.
    pub r#move: Move,
    /// Its effects under the rules.
    pub played: Played,
    /// The position after it.
    pub after: Position,
}

/// The turn number of each step: a turn is all that a side sows until the other side moves.
pub fn turn_numbers(steps: &[Step]) -> impl Iterator<Item = usize> {
    let mut last_side = None;
    steps.iter().scan(0, move |number, step| {
        let side = step.played.side;
        *number += usize::from(last_side.replace(side) != Some(side));
        Some(*number)
    })
}

/// Tags of the pie rule in files; never among [`Game::tags`].
const PIE_RULE: &str = "PieRule";
const PIE_RULE_ON: &str = "yes";
pub(super) const SWAPPED_AFTER: &str = "SwappedAfter";

impl Game {
    /// A game before its first move, without the pie rule.
    pub fn new(start: Position, players: [Player; 2]) -> Self {
        Self { players, start, ..Self::default() }
    }

    /// The position before the first move.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The position after the last move.
    pub fn position(&self) -> &Position {
        self.position_after(self.steps.len())
    }

    /// The position after the first `moves` moves.
    ///
    /// # Panics
    /// If there are fewer moves.
    pub fn position_after(&self, moves: usize) -> &Position {
        match moves {
            0 => &self.start,
            _ => &self.steps[moves - 1].after,
        }
    }

    /// The move that was made in `position`, and the half points that its player finally scored;
    /// none if the game is unfinished or no move was made there.
    pub fn played_from(&self, position: &Position) -> Option<(Pit, u32)> {
        let outcome = self.ending.as_ref()?.outcome;
        let moves = (0..self.steps.len()).find(|&moves| self.position_after(moves) == position)?;
        Some((self.steps[moves].r#move.pit, outcome.half_points(position.side())))
    }

    /// The moves so far, each with its effect.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The moves so far, as they were recorded.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = &Move> + DoubleEndedIterator {
        self.steps.iter().map(|step| &step.r#move)
    }

    /// How the game ended; none if it is unfinished.
    pub fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// Plays and records a move of the side to move.
    ///
    /// # Errors
    /// [`MoveError`] if the move is illegal, as every move is after an ending. The game is then
    /// unchanged.
    pub fn play(&mut self, r#move: Move) -> Result<Played, MoveError> {
        // A game may have ended with seeds on the board, by resignation for example, so the
        // position alone does not show it.
        if self.ending.is_some() {
            return Err(MoveError::Over);
        }
        let mut after = *self.position();
        let played = after.play(r#move.pit)?;
        self.steps.push(Step { r#move, played, after });
        Ok(played)
    }

    /// Plays the move named by a letter in either case; `annotated` adds annotations.
    pub(super) fn play_letter(
        &mut self,
        letter: &str,
        annotated: impl FnOnce(Pit) -> Move,
    ) -> Result<Played, IllegalMove> {
        let pit = self.position().parse_move(letter);
        let played = pit.and_then(|pit| self.play(annotated(pit)));
        played.map_err(|error| IllegalMove::new(self.steps.len() + 1, error))
    }

    /// Removes the ending and everything after the first `moves` moves: later moves and
    /// a swap of sides.
    pub fn truncate(&mut self, moves: usize) {
        self.steps.truncate(moves);
        // The players return to the sides that they had before the swap.
        // A swap after exactly this many moves is undone, too: it took the place of the next move.
        if let Some(swapped) = self.swapped_after
            && swapped >= moves
        {
            self.swapped_after = None;
            self.players.swap(0, 1);
        }
        self.ending = None;
    }

    /// Records how the game ended. A normal ending is given its margin.
    ///
    /// # Errors
    /// [`EndingError`] if `ending` contradicts the position or itself.
    pub fn finish(&mut self, ending: Ending) -> Result<(), EndingError> {
        self.ending = Some(ending.checked(self.position())?);
        Ok(())
    }

    /// Replaces the values of the moves with those of `annotator`, one for the position before each
    /// move.
    pub fn annotate(&mut self, annotator: &str, values: impl Iterator<Item = MoveEvaluation>) {
        self.tags.insert("Annotator".to_owned(), annotator.to_owned());
        for (step, value) in self.steps.iter_mut().zip(values) {
            let r#move = Move { evaluation: Some(value), ..Move::new(step.r#move.pit) };
            let comment = step.r#move.comment.take();
            step.r#move =
                Move { comment, book: step.r#move.book, time: step.r#move.time, ..r#move };
        }
    }

    /// Records the result of an unfinished game whose last position is the end of a game.
    pub fn finish_if_played_out(&mut self) {
        if self.ending.is_none() {
            self.ending = Ending::played_out(self.position());
        }
    }

    /// Removes the ending: the game is unfinished again.
    pub fn take_ending(&mut self) -> Option<Ending> {
        self.ending.take()
    }

    /// The number of moves made before the players swapped sides, if they did.
    pub fn swapped_after(&self) -> Option<usize> {
        self.swapped_after
    }

    /// The side that the player of `side` had at the start of the game.
    pub fn player_at(&self, side: Side) -> Side {
        if self.swapped_after.is_some() { side.other() } else { side }
    }

    /// Whether the side to move may swap sides now.
    pub fn may_swap(&self) -> bool {
        self.ending.is_none() && self.swapped_after.is_none() && self.may_swap_after(&self.steps)
    }

    /// The pie rule: the turn has just passed to the second player for the
    /// first time. Extra turns of the first player belong to its first turn.
    fn may_swap_after(&self, steps: &[Step]) -> bool {
        let first = self.start.side();
        let Some(Step { after: position, .. }) = steps.last() else { return false };
        self.pie_rule
            && !position.is_over()
            && position.side() != first
            && steps.iter().all(|step| step.played.side == first)
    }

    /// Swaps sides in place of a move, and with them `players`. The position
    /// and the side to move stay the same. Returns `false`, and changes nothing, if the
    /// pie rule does not allow it ([`Self::may_swap`]).
    pub fn swap(&mut self) -> bool {
        let allowed = self.may_swap();
        if allowed {
            self.swapped_after = Some(self.steps.len());
            self.players.swap(0, 1);
        }
        allowed
    }

    /// The main line: the moves of the game itself.
    pub fn main_line(&self) -> Variation {
        Variation { steps: self.steps.clone(), swapped_after: self.swapped_after }
    }

    /// The lines that are not part of the main line, in the order in which they
    /// were added. The moves that they share with the main line are taken from there, with their
    /// comments.
    pub fn variations(&self) -> Vec<Variation> {
        let main = self.main_line();
        let lines = self.variations.iter().filter(|line| !main.contains(line));
        lines.map(|line| line.clone().branching_from(&main)).collect()
    }

    /// Adds a line of this game, unless another line contains it.
    pub fn add_variation(&mut self, line: Variation) {
        let main = self.main_line();
        let line = line.branching_from(&main);
        if !self.variations.iter().chain([&main]).any(|other| other.contains(&line)) {
            // Lines that the new one continues.
            self.variations.retain(|other| !line.contains(other));
            self.variations.push(line);
        }
    }

    /// The number of moves from the start that the main line and `line` share.
    pub fn shared_moves(&self, line: &Variation) -> usize {
        self.main_line().shared(line)
    }

    /// The tags as written to files, including those of the pie rule.
    pub(super) fn tags_in_files(&self) -> BTreeMap<String, String> {
        let mut tags = self.tags.clone();
        if self.pie_rule {
            tags.insert(PIE_RULE.to_owned(), PIE_RULE_ON.to_owned());
        }
        if let Some(moves) = self.swapped_after {
            tags.insert(SWAPPED_AFTER.to_owned(), moves.to_string());
        }
        tags
    }

    /// Sets the tags from a file, after the moves have been played. A swap that the pie rule
    /// does not allow remains a tag without meaning.
    pub(super) fn set_tags_of_file(&mut self, tags: BTreeMap<String, String>) {
        self.tags = tags;
        self.pie_rule = self.tags.get(PIE_RULE).map(String::as_str) == Some(PIE_RULE_ON);
        if self.pie_rule {
            self.tags.remove(PIE_RULE);
        }
        // Files already name the players by their sides after the swap.
        let swapped = self.tags.get(SWAPPED_AFTER).and_then(|moves| moves.parse().ok());
        self.swapped_after = self.possible_swap(&self.steps, swapped);
        if self.swapped_after.is_some() {
            self.tags.remove(SWAPPED_AFTER);
        }
        for Variation { steps, swapped_after } in std::mem::take(&mut self.variations) {
            let swapped_after = self.possible_swap(&steps, swapped_after);
            self.add_variation(Variation { steps, swapped_after });
        }
    }

    /// The swap in a line of moves, if the pie rule allows it.
    fn possible_swap(&self, steps: &[Step], swapped_after: Option<usize>) -> Option<usize> {
        let before_swap = steps.get(..swapped_after?)?;
        if self.may_swap_after(before_swap) { swapped_after } else { None }
    }
}
