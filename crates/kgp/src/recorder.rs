//! Records of games: which states belong to one game, and which moves lie between them.
//!
//! A server shows the client only the positions in which it has a choice. The moves in
//! between (the opponent's, and forced ones) are reconstructed by the rules. Where that
//! fails, the record continues with a new part.

use kalah_game::{Pit, Position, Side};
use kalah_record::{Ending, Game, Move, Outcome, Player, Reason};

use super::{queue::Decision, verify::has_majority};

/// Maximum sowings tried to find the moves between two states, and maximum moves found. A
/// failure only leaves a gap in the record; a long search would delay the next answer.
const MAX_TRIES: u32 = 5_000;
const MAX_MOVES_BETWEEN: usize = 64;

/// Maximum sowings and parts of one game. A server that sends more is not playing.
const MAX_SOWINGS: usize = 2_000;
const MAX_PARTS: usize = 64;

/// The names of a game from the server's `set game:…`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Names {
    pub(super) id: Option<String>,
    pub(super) uri: Option<String>,
    pub(super) opponent: Option<String>,
}

/// The game that a server plays with the client. The client is always South.
#[derive(Debug)]
pub(super) struct GameRecorder {
    name: String,
    /// The names for the next states.
    pub(super) names: Names,
    /// The parts of the current game; a part has no gap.
    parts: Vec<Game>,
}

impl GameRecorder {
    pub(super) fn new(name: String) -> Self {
        Self { name, names: Names::default(), parts: Vec::new() }
    }

    pub(super) fn is_playing(&self) -> bool {
        !self.parts.is_empty()
    }

    /// Takes a state that must be answered. If it starts a new game, returns the previous
    /// one.
    pub(super) fn receive(&mut self, position: &Position) -> Option<Vec<Game>> {
        if let Some(part) = self.parts.last_mut() {
            take_back_if_resent(part, position);
        }
        let finished = if self.continues(position) { None } else { self.finish() };
        let is_connected = self.parts.last_mut().is_some_and(|part| play_to(part, position));
        if !is_connected {
            let opponent = self.names.opponent.as_deref().unwrap_or("opponent");
            let players = [Player::named(self.name.as_str()), Player::named(opponent)];
            let mut part = Game::new(*position, players);
            part.id.clone_from(&self.names.id);
            part.tags.extend(self.names.uri.iter().map(|uri| ("Uri".to_owned(), uri.clone())));
            self.parts.push(part);
        }
        finished
    }

    /// Whether a state may belong to the current game.
    fn continues(&self, position: &Position) -> bool {
        let sizes = self.parts.iter().map(|part| part.steps().len().saturating_add(1));
        let has_room = sizes.sum::<usize>() < MAX_SOWINGS && self.parts.len() < MAX_PARTS;
        has_room
            && self.parts.last().is_some_and(|part| {
                part.id == self.names.id && can_follow(part.position(), position)
            })
    }

    /// Plays the client's move; returns the game if the move ends it.
    pub(super) fn play(&mut self, decision: Decision) -> Option<Vec<Game>> {
        let part = self.parts.last_mut().filter(|part| *part.position() == decision.position)?;
        part.play(decision.r#move?).ok()?;
        let ending = ending(part.position())?;
        let finished = part.finish(ending);
        debug_assert!(finished.is_ok(), "the position has such an ending");
        self.finish()
    }

    /// Ends the game, if there is one, and returns it.
    pub(super) fn finish(&mut self) -> Option<Vec<Game>> {
        Some(std::mem::take(&mut self.parts)).filter(|parts| !parts.is_empty())
    }
}

/// How the server ends a game at `position`, if it does.
fn ending(position: &Position) -> Option<Ending> {
    // The rules would continue here, but the server ends the game.
    if has_majority(position) && !position.is_over() {
        let outcome = Outcome::from_margin(position.lead(Side::South));
        return Some(Ending { outcome, reason: Reason::Majority, margin: None, detail: None });
    }
    Ending::played_out(position)
}

/// Takes back the last move if the server has resent the state before it, which means that
/// it dropped the answer.
fn take_back_if_resent(part: &mut Game, position: &Position) {
    let before = part.steps().len().checked_sub(1);
    if let Some(before) = before.filter(|&before| part.position_after(before) == position) {
        part.truncate(before);
    }
}

/// Whether a game may lead from `last` to `next`. Seeds never leave a store, so neither store
/// may shrink.
fn can_follow(last: &Position, next: &Position) -> bool {
    last.pits() == next.pits()
        && last.total() == next.total()
        && Side::BOTH.iter().all(|&side| last.store(side) <= next.store(side))
}

/// Plays the moves that lead to `position`; returns whether they were found.
fn play_to(part: &mut Game, position: &Position) -> bool {
    let (mut moves, mut tries) = (Vec::new(), MAX_TRIES);
    find(*part.position(), position, &mut moves, &mut tries)
        && moves.into_iter().all(|pit| part.play(Move::new(pit)).is_ok())
}

/// Finds moves from one position to another by depth-first search. North may play any move,
/// but South only forced ones, because the client would have been asked for any other.
fn find(from: Position, to: &Position, moves: &mut Vec<Pit>, tries: &mut u32) -> bool {
    if from == *to {
        return true;
    }
    let is_choice = from.side() == Side::South && from.moves().len() != 1;
    if is_choice || !can_follow(&from, to) || moves.len() >= MAX_MOVES_BETWEEN {
        return false;
    }
    // A wrong branch soon fills a store beyond that of `to`, and `can_follow` ends it.
    for (played, after) in from.children() {
        let Some(left) = tries.checked_sub(1) else { return false };
        *tries = left;
        moves.push(played.pit);
        if find(after, to, moves, tries) {
            return true;
        }
        moves.pop();
    }
    false
}
