//! A game with its history: what was played, what was undone, who sits where.
//!
//! It knows the rules and nothing of people, engines or files.

use thiserror::Error;

use crate::game::{IllegalMove, Pit, Played, Position, Side};
use crate::record::Move;
use crate::score::Gain;

/// One of the two players, by the side that player had at the start: the pie
/// rule may give a player the other side later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Player(pub Side);

impl Player {
    /// 0 for the one that was South at the start: the index into pairs.
    pub fn index(self) -> usize {
        self.0.index()
    }
}

/// What a player can do in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Sow a pit.
    Sow(Pit),
    /// Exchange the sides: the pie rule.
    Swap,
}

/// A step that was made.
#[derive(Clone, Debug)]
pub struct Made {
    /// The step.
    pub step: Step,
    /// The side that made it.
    pub side: Side,
    /// What the sowing did; none if the sides were swapped.
    pub played: Option<Played>,
    /// The position that it led to.
    pub after: Position,
    /// What its player thought of it, if that is known.
    pub remark: Option<Move>,
}

/// Why a step cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum StepError {
    /// The rules forbid the move.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The pie rule does not allow it now.
    #[error(
        "the sides can be swapped only under the pie rule, by the second player, in place of its \
         first move"
    )]
    NoSwap,
    /// A player has given up.
    #[error("the game is over: {0} resigned")]
    Resigned(Side),
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Played to the end; South's margin.
    Finished(Gain),
    /// A side gave up.
    Resigned(Side),
}

/// A game: the start, the steps made, and steps undone that can be made again.
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    steps: Vec<Made>,
    done: usize,
    pie: bool,
    resigned: Option<Side>,
}

impl Game {
    /// A game from this position, with the pie rule or without.
    pub fn new(start: Position, pie: bool) -> Self {
        Self { start, steps: Vec::new(), done: 0, pie, resigned: None }
    }

    /// The position of the beginning.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        self.after(self.done)
    }

    /// The position after so many steps, undone ones included.
    pub fn after(&self, steps: usize) -> &Position {
        match steps {
            0 => &self.start,
            _ => &self.steps[steps - 1].after,
        }
    }

    /// The steps made, undone ones left out.
    pub fn steps(&self) -> &[Made] {
        &self.steps[..self.done]
    }

    /// The steps that were undone.
    pub fn undone(&self) -> &[Made] {
        &self.steps[self.done..]
    }

    /// The last step made.
    pub fn last(&self) -> Option<&Made> {
        self.steps().last()
    }

    /// Whether the second player may swap sides in place of its first move.
    pub fn has_pie_rule(&self) -> bool {
        self.pie
    }

    /// Whether the player to move may swap sides now: the turn has passed to
    /// the second player for the first time. Extra turns of the first player
    /// belong to its first turn.
    pub fn may_swap(&self) -> bool {
        let first = self.start.side();
        self.pie
            && self.outcome().is_none()
            && self.done > 0
            && self.steps().iter().all(|made| made.side == first && made.step != Step::Swap)
            && self.position().side() != first
    }

    /// Who has this side now.
    pub fn player_at(&self, side: Side) -> Player {
        self.player_after(self.done, side)
    }

    fn player_after(&self, steps: usize, side: Side) -> Player {
        let swapped = self.steps[..steps].iter().any(|made| made.step == Step::Swap);
        Player(if swapped { side.other() } else { side })
    }

    /// The side that this player has now.
    pub fn side_of(&self, player: Player) -> Side {
        // Swapping twice is the way back.
        self.player_at(player.0).0
    }

    /// How the game ended; none if it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        if let Some(side) = self.resigned {
            return Some(Outcome::Resigned(side));
        }
        let position = self.position();
        position.is_over().then(|| Outcome::Finished(position.margin(Side::South)))
    }

    /// Makes a step; steps undone before are forgotten, unless it is the first
    /// of them again.
    ///
    /// # Errors
    /// [`StepError`] if it cannot be made; the game is then as it was.
    pub fn make(&mut self, step: Step) -> Result<Made, StepError> {
        if let Some(side) = self.resigned {
            return Err(StepError::Resigned(side));
        }
        let mut after = *self.position();
        let side = after.side();
        let played = match step {
            Step::Sow(pit) => Some(after.play(pit)?),
            Step::Swap if self.may_swap() => None,
            Step::Swap => return Err(StepError::NoSwap),
        };
        let made = Made { step, side, played, after, remark: None };
        if self.undone().first().is_none_or(|undone| undone.step != step) {
            self.steps.truncate(self.done);
            self.steps.push(made.clone());
        }
        self.done += 1;
        Ok(made)
    }

    /// Adds to the last sowing what its player thought of it.
    pub fn remark(&mut self, remark: Move) {
        if let Some(made) = self.done.checked_sub(1).and_then(|last| self.steps.get_mut(last)) {
            made.remark = Some(remark);
        }
    }

    /// Ends the game: `side` gives up. Nothing happens if it is over.
    pub fn resign(&mut self, side: Side) {
        if self.outcome().is_none() {
            self.steps.truncate(self.done);
            self.resigned = Some(side);
        }
    }

    /// Goes back to the last position before this one in which a player who
    /// `decides` was to move, or takes a resignation back. Gives the number of
    /// steps undone; none if there is nothing to undo.
    pub fn undo(&mut self, decides: impl Fn(Player) -> bool) -> Option<usize> {
        if self.resigned.take().is_some() {
            return Some(0);
        }
        let target = (0..self.done).rev().find(|&steps| self.is_decision(steps, &decides))?;
        let undone = self.done - target;
        self.done = target;
        Some(undone)
    }

    /// Goes forward to the next position in which a player who `decides` is to
    /// move, or to the end of what was undone. Gives the number of steps made
    /// again; none if nothing was undone.
    pub fn redo(&mut self, decides: impl Fn(Player) -> bool) -> Option<usize> {
        let end = self.steps.len();
        let next = (self.done + 1..=end).find(|&steps| self.is_decision(steps, &decides));
        let target = next.unwrap_or(end);
        (target > self.done).then(|| {
            let redone = target - self.done;
            self.done = target;
            redone
        })
    }

    fn is_decision(&self, steps: usize, decides: impl Fn(Player) -> bool) -> bool {
        let position = self.after(steps);
        !position.is_over() && decides(self.player_after(steps, position.side()))
    }

    /// Goes to the position after so many steps, or to the last one. Gives
    /// whether that is another position than before. A resignation stays.
    pub fn step_to(&mut self, steps: usize) -> bool {
        let target = steps.min(self.steps.len());
        std::mem::replace(&mut self.done, target) != target
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;

    const HUMAN: Player = Player(Side::South);

    fn game(letters: &str) -> Game {
        let mut game = Game::new(Position::start(Rules::default()), true);
        for letter in letters.chars() {
            let pit = game.position().parse_move(&letter.to_string()).expect("a move");
            game.make(Step::Sow(pit)).expect("a legal move");
        }
        game
    }

    fn letters(game: &Game) -> String {
        let letter = |made: &Made| match made.step {
            Step::Sow(pit) => pit.letter(made.side),
            Step::Swap => '%',
        };
        game.steps().iter().map(letter).collect()
    }

    #[test]
    fn undo_goes_to_the_last_decision_across_extra_turns_of_both_sides() {
        // C and c earn extra turns.
        let mut game = game("CAcaB");
        let human = |player| player == HUMAN;
        let mut seen = vec![letters(&game)];
        while game.undo(human).is_some() {
            seen.push(letters(&game));
        }
        assert_eq!(seen, ["CAcaB", "CAca", "C", ""]);
        let mut forward = vec![];
        while game.redo(human).is_some() {
            forward.push(letters(&game));
        }
        assert_eq!(forward, ["C", "CAca", "CAcaB"]);
    }

    #[test]
    fn an_engine_that_began_leaves_its_opponent_nothing_to_undo() {
        let mut game = game("A");
        let north = |player| player == Player(Side::North);
        assert_eq!(game.undo(north), None);
        assert_eq!(letters(&game), "A");
    }

    #[test]
    fn another_step_forgets_what_was_undone_and_the_same_step_does_not() {
        let mut game = game("AaB");
        game.step_to(0);
        game.make(Step::Sow(Pit::new(0))).unwrap();
        assert_eq!(game.undone().len(), 2);
        game.make(Step::Sow(Pit::new(1))).unwrap();
        assert_eq!((letters(&game), game.undone().len()), ("Ab".to_owned(), 0));
    }

    #[test]
    fn the_second_player_may_swap_once_when_first_to_move() {
        assert!(!game("").may_swap());
        assert!(!game("C").may_swap(), "the first player is still in its first turn");
        let mut game = game("CA");
        let before = *game.position();
        game.make(Step::Swap).unwrap();
        assert_eq!(*game.position(), before);
        assert_eq!(game.player_at(Side::North), Player(Side::South));
        assert_eq!(game.side_of(Player(Side::South)), Side::North);
        assert_eq!(game.make(Step::Swap).unwrap_err(), StepError::NoSwap);
        game.undo(|_| true);
        assert_eq!(game.player_at(Side::North), Player(Side::North));
    }

    #[test]
    fn a_resignation_ends_the_game_and_can_be_taken_back() {
        let mut game = game("A");
        game.resign(Side::North);
        assert_eq!(game.outcome(), Some(Outcome::Resigned(Side::North)));
        assert_eq!(
            game.make(Step::Sow(Pit::new(0))).unwrap_err(),
            StepError::Resigned(Side::North)
        );
        assert_eq!(game.undo(|_| true), Some(0));
        assert_eq!((game.outcome(), letters(&game)), (None, "A".to_owned()));
    }
}
