//! Which states belong to one game, and what was played between them.
//!
//! A server shows the client's own decisions alone: the opponent's moves, and moves
//! that are the only ones, are found by the rules. Where they are not found, the
//! record goes on with another part.

use crate::game::{Pit, Position, Side};
use crate::record::{Ending, Game, Outcome, Player, Reason};

use super::states::Decision;
use super::verify::has_majority;

/// Sowings tried to find the moves between two states, and the most in a row.
const TRIES: u32 = 5_000;
const LONGEST: usize = 64;

/// The most moves and parts of a game: a server that sends more plays none.
const MOST: usize = 2_000;
const MAX_PARTS: usize = 64;

/// What a server says about a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Names {
    pub(super) id: Option<String>,
    pub(super) uri: Option<String>,
    pub(super) opponent: Option<String>,
}

/// The game that a server plays with the client, who is South.
#[derive(Debug)]
pub(super) struct Games {
    name: String,
    /// For states to come.
    pub(super) names: Names,
    /// The game, in parts without a gap.
    parts: Vec<Game>,
}

impl Games {
    pub(super) fn new(name: String) -> Self {
        Self { name, names: Names::default(), parts: Vec::new() }
    }

    pub(super) fn is_playing(&self) -> bool {
        !self.parts.is_empty()
    }

    /// A state to be answered; the game before it if it begins another one.
    pub(super) fn receive(&mut self, position: &Position) -> Option<Vec<Game>> {
        let size: usize = self.parts.iter().map(|game| game.steps().len().saturating_add(1)).sum();
        let has_room = size < MOST && self.parts.len() < MAX_PARTS;
        let is_same = self.parts.last_mut().is_some_and(|game| {
            is_asked_again(game, position);
            game.id == self.names.id && follows(game.position(), position) && has_room
        });
        let finished = if is_same { None } else { self.finish() };
        let found = self.parts.last_mut().is_some_and(|game| reaches(game, position));
        if !found {
            let opponent = self.names.opponent.as_deref().unwrap_or("opponent");
            let players = [Player::named(self.name.as_str()), Player::named(opponent)];
            let mut game = Game::new(*position, players);
            game.id.clone_from(&self.names.id);
            game.tags.extend(self.names.uri.iter().map(|uri| ("Uri".to_owned(), uri.clone())));
            self.parts.push(game);
        }
        finished
    }

    /// A move of the client; the game if it has ended by it.
    pub(super) fn play(&mut self, decision: Decision) -> Option<Vec<Game>> {
        let game = self.parts.last_mut().filter(|game| *game.position() == decision.position)?;
        game.play(decision.r#move?).ok()?;
        let ending = ending(game.position())?;
        let finished = game.finish(ending);
        debug_assert!(finished.is_ok(), "an ending by the seeds");
        self.finish()
    }

    /// The game, if there is one: it does not go on.
    pub(super) fn finish(&mut self) -> Option<Vec<Game>> {
        Some(std::mem::take(&mut self.parts)).filter(|parts| !parts.is_empty())
    }
}

/// How the server ends a game at `position`, if it does.
fn ending(position: &Position) -> Option<Ending> {
    let lead = position.lead(Side::South);
    let by_majority = || Ending {
        outcome: Outcome::of_margin(lead),
        reason: Reason::Majority,
        margin: None,
        detail: None,
    };
    Ending::of(position).or_else(|| has_majority(position).then(by_majority))
}

/// Takes back the last move if its state is asked for once more.
fn is_asked_again(game: &mut Game, position: &Position) {
    let before = game.steps().len().checked_sub(1);
    if let Some(before) = before.filter(|&before| game.position_after(before) == position) {
        game.truncate(before);
    }
}

/// Whether a game may go on from `last` to `next`: seeds never leave a store.
fn follows(last: &Position, next: &Position) -> bool {
    last.pits() == next.pits()
        && last.total() == next.total()
        && Side::BOTH.iter().all(|&side| last.store(side) <= next.store(side))
}

/// Plays the moves that lead to `position`, if they are found.
fn reaches(game: &mut Game, position: &Position) -> bool {
    let (mut moves, mut tries) = (Vec::new(), TRIES);
    let found = find(*game.position(), position, &mut moves, &mut tries);
    let played = |pit| game.play(crate::record::Move::new(pit)).is_ok();
    found && moves.into_iter().all(played)
}

/// Finds moves of North, and only moves of South, from one position to another.
fn find(from: Position, to: &Position, moves: &mut Vec<Pit>, tries: &mut u32) -> bool {
    if from == *to {
        return true;
    }
    let is_asked = from.side() == Side::South && from.moves().len() != 1;
    if is_asked || !follows(&from, to) || moves.len() >= LONGEST {
        return false;
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Capture, Rules};
    use crate::record::Move;
    use crate::record::json;
    use crate::sys::random::SplitMix64;

    fn decision(position: Position, pit: Pit) -> Decision {
        Decision { position, r#move: Some(Move::new(pit)) }
    }

    /// Plays random games as a server does, and gives the client's states and moves.
    fn play(random: &mut SplitMix64, rules: Rules, games: &mut Games) -> (Vec<Vec<Game>>, usize) {
        let mut position = Position::start(rules);
        let mut finished = Vec::new();
        let mut moves = 0;
        while !position.is_over() && !has_majority(&position) {
            let legal: Vec<Pit> = position.moves().collect();
            let pit = legal[random.below(legal.len())];
            if legal.len() > 1 && position.side() == Side::South {
                finished.extend(games.receive(&position));
                finished.extend(games.play(decision(position, pit)));
                moves += 1;
            }
            position.play(pit).unwrap();
        }
        (finished, moves)
    }

    #[test]
    fn games_are_told_apart_and_have_no_gap() {
        let mut random = SplitMix64::new(1);
        let mut games = Games::new("kalah".to_owned());
        let (mut finished, mut asked) = (Vec::new(), 0);
        for number in 0..60 {
            let rules = Rules::new(6 + number % 7, 6, Capture::Standard).unwrap();
            let (ended, moves) = play(&mut random, rules, &mut games);
            finished.extend(ended);
            asked += moves;
        }
        finished.extend(games.finish());
        assert_eq!(finished.len(), 60);
        for parts in &finished {
            assert_eq!(parts.len(), 1, "all moves between the states were found");
            let line = json::to_line(&parts[0]);
            assert_eq!(json::from_line(&line, 1).as_ref(), Ok(&parts[0]));
        }
        let own = |game: &Game| {
            game.steps().iter().filter(|step| step.played.side == Side::South).count()
        };
        assert!(finished.iter().map(|parts| own(&parts[0])).sum::<usize>() >= asked);
    }

    #[test]
    fn a_state_that_cannot_be_reached_begins_another_part_and_a_smaller_store_another_game() {
        let state = |text| Position::parse(text, Capture::Standard).unwrap();
        let mut games = Games::new("kalah".to_owned());
        assert_eq!(games.receive(&state("<3,1,0,3,3,2,3,3,3>")), None);
        assert_eq!(games.receive(&state("<3,9,2,1,1,1,1,1,2>")), None);
        let parts = games.receive(&state("<3,9,1,1,1,1,2,1,2>")).unwrap();
        assert_eq!(parts.len(), 2);
        assert!(games.is_playing());
        games.names.id = Some("another".to_owned());
        assert!(games.receive(&state("<3,9,1,1,1,1,2,1,2>")).is_some());
    }

    #[test]
    fn a_state_that_comes_again_takes_its_move_back() {
        let state = Position::start(Rules::default());
        let mut games = Games::new("kalah".to_owned());
        for pit in [2, 3] {
            assert_eq!(games.receive(&state), None);
            assert_eq!(games.play(decision(state, Pit::new(pit))), None);
        }
        assert_eq!(games.receive(&state), None);
        assert_eq!(games.finish().unwrap()[0].steps().len(), 0);
    }
}
