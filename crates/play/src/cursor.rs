//! A game being played: a record, and the steps that were undone.
//!
//! A step is a move or a swap of sides. [`GameCursor`] adds to [`Game`] what only
//! interactive play needs: undo, redo, and going to any step. It is independent of
//! players, engines and files.

use kalah_game::{MoveError, Position, Side};
use kalah_record::{Ending, Game, Move, Outcome, Reason, Variation};

#[derive(Clone, Debug)]
enum UndoneStep {
    Move(Move),
    Swap,
}

/// A record with a cursor.
#[derive(Clone, Debug)]
pub struct GameCursor {
    /// The game up to the cursor. Its ending, if any, is normal, a resignation or a loss on time.
    record: Game,
    /// The undone steps after the cursor, the next one last.
    undone: Vec<UndoneStep>,
}

impl GameCursor {
    /// A game without moves; it is over if `start` is.
    pub fn new(start: Position, pie_rule: bool) -> Self {
        let mut record = Game::new(start, Default::default());
        record.pie_rule = pie_rule;
        let mut game = Self { record, undone: Vec::new() };
        game.record.finish_if_played_out();
        game
    }

    /// Takes over the main line, the variations, a resignation or loss on time, and the description
    /// of the game, such as its comment; but not the players or its identity in a match, because
    /// play may continue differently.
    pub fn from_record(record: &Game) -> Self {
        let mut game = Self::new(*record.start(), record.pie_rule);
        game.record.event.clone_from(&record.event);
        game.record.opening.clone_from(&record.opening);
        game.record.comment.clone_from(&record.comment);
        game.record.tags.clone_from(&record.tags);
        game.follow(&record.main_line());
        record.variations().into_iter().for_each(|line| game.record.add_variation(line));
        if let Some(Ending { outcome: Outcome::Won(winner), reason, .. }) = record.ending()
            && matches!(reason, Reason::Resignation | Reason::Time)
        {
            game.lose(winner.other(), *reason);
        }
        game
    }

    /// Goes to the end of a different line.
    fn follow(&mut self, line: &Variation) {
        self.record.truncate(0);
        self.undone.clear();
        for (index, step) in line.steps().iter().enumerate() {
            self.undone.push(UndoneStep::Move(step.r#move.clone()));
            if line.swapped_after() == Some(index + 1) {
                self.undone.push(UndoneStep::Swap);
            }
        }
        self.undone.reverse();
        self.step_to(usize::MAX);
    }

    /// The game including the steps that were undone.
    pub fn whole(&self) -> Game {
        let mut whole = self.clone();
        whole.step_to(usize::MAX);
        whole.record
    }

    /// Goes to the end of a variation of the [whole](Self::whole) game, numbered from 1; the
    /// line that it leaves becomes a variation. Returns false if there is no such variation.
    pub fn go_to_variation(&mut self, number: usize) -> bool {
        let whole = self.whole();
        let line =
            number.checked_sub(1).and_then(|index| whole.variations().into_iter().nth(index));
        if let Some(line) = &line {
            self.follow(line);
            self.record.add_variation(whole.main_line());
        }
        line.is_some()
    }

    /// The game up to the cursor.
    pub fn record(&self) -> &Game {
        &self.record
    }

    /// The position at the cursor.
    pub fn position(&self) -> &Position {
        self.record.position()
    }

    /// Whether the game has ended, by its moves, a resignation or on time.
    pub fn is_over(&self) -> bool {
        self.record.ending().is_some()
    }

    /// The number of steps up to the cursor.
    pub fn steps(&self) -> usize {
        self.record.steps().len() + usize::from(self.record.swapped_after().is_some())
    }

    /// The number of steps after the cursor.
    pub fn undone(&self) -> usize {
        self.undone.len()
    }

    /// Whether the last step made was a swap of sides.
    pub fn has_just_swapped(&self) -> bool {
        self.record.swapped_after() == Some(self.record.steps().len())
    }

    /// Plays a move. The undone steps become a variation, unless the move repeats the first of
    /// them, whose annotations are then kept if `played` has none.
    ///
    /// # Errors
    /// [`MoveError`]; the game is then unchanged.
    pub fn play(&mut self, played: Move) -> Result<(), MoveError> {
        let undone = match self.undone.last() {
            Some(UndoneStep::Move(undone)) if undone.pit == played.pit => Some(undone.clone()),
            _ => None,
        };
        let is_annotated = played != Move::new(played.pit);
        let again = undone.is_some();
        let before = self.whole().main_line();
        self.record.play(undone.filter(|_| !is_annotated).unwrap_or(played))?;
        if again {
            self.undone.pop();
        } else {
            self.branch_from(before);
        }
        self.record.finish_if_played_out();
        Ok(())
    }

    /// Swaps sides if the pie rule allows it; returns whether it did.
    pub fn swap(&mut self) -> bool {
        let before = self.whole().main_line();
        let swapped = self.record.swap();
        // Repeating an undone swap keeps the undone moves after it.
        if swapped && !matches!(self.undone.pop(), Some(UndoneStep::Swap)) {
            self.branch_from(before);
        }
        swapped
    }

    /// Drops the undone steps, and keeps `before`, the line with them, as a variation.
    fn branch_from(&mut self, before: Variation) {
        self.undone.clear();
        self.record.add_variation(before);
    }

    /// Ends an unfinished game before it is played out, by a resignation or on time.
    pub fn lose(&mut self, side: Side, reason: Reason) {
        if !self.is_over() {
            // The undone steps survive as a variation, because nothing can be redone in a game that
            // is over.
            self.branch_from(self.whole().main_line());
            self.finish(Ending::lost_by(side, reason, None));
        }
    }

    /// Goes back to the previous position in which a player for whom `decides` holds was to
    /// move, or takes back a resignation or loss on time. Returns the number of steps undone,
    /// which is 0 for a loss, or none if there is nothing to undo. The argument of `decides` is
    /// the side that the player had at the start.
    pub fn undo(&mut self, decides: impl Fn(Side) -> bool) -> Option<usize> {
        if self.take_loss().is_some() {
            return Some(0);
        }
        // Steps back on a copy: without an earlier decision, nothing may change.
        let mut earlier = self.clone();
        while earlier.back() {
            if earlier.is_decision(&decides) {
                let undone = self.steps() - earlier.steps();
                *self = earlier;
                return Some(undone);
            }
        }
        None
    }

    /// Goes forward to the next position in which a player for whom `decides` holds is to
    /// move, or to the last step. Returns the number of steps redone, or none if there is
    /// nothing to redo. A resignation or loss on time is kept.
    pub fn redo(&mut self, decides: impl Fn(Side) -> bool) -> Option<usize> {
        let before = self.steps();
        let loss = self.take_loss();
        while self.forward() && !self.is_decision(&decides) {}
        if let Some(ending) = loss {
            self.finish(ending);
        }
        let redone = self.steps() - before;
        if redone > 0 { Some(redone) } else { None }
    }

    /// Goes to the position after `steps` steps, or to the last one. Returns whether the
    /// position changed. A resignation or loss on time is kept.
    pub fn step_to(&mut self, steps: usize) -> bool {
        let before = self.steps();
        let loss = self.take_loss();
        while self.steps() > steps && self.back() {}
        while self.steps() < steps && self.forward() {}
        if let Some(ending) = loss {
            self.finish(ending);
        }
        self.steps() != before
    }

    fn back(&mut self) -> bool {
        let moves = self.record.steps().len();
        if self.has_just_swapped() {
            self.undone.push(UndoneStep::Swap);
            self.record.truncate(moves);
            return true;
        }
        let Some(last) = self.record.steps().last() else { return false };
        self.undone.push(UndoneStep::Move(last.r#move.clone()));
        let swapped = self.record.swapped_after().is_some();
        self.record.truncate(moves - 1);
        // `truncate` also takes back a swap made right before the move; an earlier swap is
        // still there, so this one is refused.
        if swapped {
            self.record.swap();
        }
        true
    }

    fn forward(&mut self) -> bool {
        let done = match self.undone.pop() {
            None => false,
            Some(UndoneStep::Swap) => self.record.swap(),
            Some(UndoneStep::Move(played)) => self.record.play(played).is_ok(),
        };
        self.record.finish_if_played_out();
        done
    }

    fn is_decision(&self, decides: impl Fn(Side) -> bool) -> bool {
        let position = self.position();
        !position.is_over() && decides(self.record.player_at(position.side()))
    }

    fn finish(&mut self, ending: Ending) {
        self.record.finish(ending).unwrap_or_else(|error| unreachable!("{error}"));
    }

    /// Removes and returns the ending, if it is a resignation or a loss on time.
    pub fn take_loss(&mut self) -> Option<Ending> {
        let played_out = self.record.ending()?.reason == Reason::Normal;
        if played_out { None } else { self.record.take_ending() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_game::{Pit, Rules};
    use kalah_record::kgn;

    fn game(letters: &str) -> GameCursor {
        let mut game = GameCursor::new(Position::start(Rules::default()), true);
        for letter in letters.chars() {
            let pit = game.position().parse_move(&letter.to_string()).expect("a move");
            game.play(Move::new(pit)).expect("a legal move");
        }
        game
    }

    fn letters(game: &GameCursor) -> String {
        game.record().steps().iter().map(|step| step.played.letter()).collect()
    }

    #[test]
    fn undo_goes_to_the_last_decision_across_extra_turns_of_both_sides() {
        // C and c earn extra turns.
        let mut game = game("CAcaB");
        let mut seen = vec![letters(&game)];
        while game.undo(|player| player == Side::South).is_some() {
            seen.push(letters(&game));
        }
        assert_eq!(seen, ["CAcaB", "CAca", "C", ""]);
        let mut forward = vec![];
        while game.redo(|player| player == Side::South).is_some() {
            forward.push(letters(&game));
        }
        assert_eq!(forward, ["C", "CAca", "CAcaB"]);
    }

    #[test]
    fn an_engine_that_began_leaves_its_opponent_nothing_to_undo() {
        let mut game = game("A");
        assert_eq!(game.undo(|player| player == Side::North), None);
        assert_eq!(letters(&game), "A");
    }

    #[test]
    fn only_a_different_step_turns_what_was_undone_into_a_variation() {
        let mut game = game("AaB");
        game.step_to(0);
        game.play(Move::new(Pit::new(0))).unwrap();
        assert_eq!(game.undone(), 2);
        game.play(Move::new(Pit::new(1))).unwrap();
        assert_eq!((letters(&game), game.undone()), ("Ab".to_owned(), 0));
        assert_eq!(game.whole().variations().len(), 1);
        assert!(game.go_to_variation(1) && !game.go_to_variation(2));
        assert_eq!((letters(&game), game.whole().variations().len()), ("AaB".to_owned(), 1));
        game.step_to(1);
        assert!(game.go_to_variation(1));
        assert_eq!(letters(&game), "Ab");
    }

    #[test]
    fn a_swap_is_a_step_that_is_undone_and_redone() {
        let mut game = game("CA");
        let before = *game.position();
        assert!(game.swap() && !game.swap());
        assert_eq!((*game.position(), game.steps()), (before, 3));
        assert_eq!(game.record().player_at(Side::North), Side::South);
        game.play(Move::new(Pit::new(2))).unwrap();
        game.step_to(3);
        assert_eq!((game.record().swapped_after(), game.undone()), (Some(2), 1));
        game.undo(|_| true);
        assert_eq!(game.record().player_at(Side::North), Side::North);
        assert_eq!(game.redo(|_| true), Some(1));
        assert!(game.has_just_swapped());
    }

    #[test]
    fn a_resignation_ends_the_game_and_can_be_taken_back() {
        let mut game = game("A");
        game.lose(Side::North, Reason::Resignation);
        game.step_to(0);
        assert!(game.is_over() && game.play(Move::new(Pit::new(0))).is_err());
        assert_eq!(game.redo(|_| true), Some(1));
        assert_eq!((game.is_over(), game.undone()), (true, 0));
        assert_eq!(game.redo(|_| true), None);
        game.step_to(0);
        assert_eq!(game.undo(|_| true), Some(0));
        assert_eq!((game.is_over(), game.undone()), (false, 1));
    }

    #[test]
    fn the_description_of_a_game_is_kept_when_it_continues() {
        let text =
            "[Event \"e\"]\n[Opening \"o\"]\n[Annotator \"kalah\"]\n[Coach \"yes\"]\n\n{c} 1. A";
        let before = &kgn::read(text).unwrap()[0];
        let mut game = GameCursor::from_record(before);
        game.play(Move::new(Pit::new(1))).unwrap();
        let after = game.whole();
        assert_eq!(
            (&after.event, &after.opening, &after.comment, &after.tags),
            (&before.event, &before.opening, &before.comment, &before.tags)
        );
    }

    #[test]
    fn a_swap_and_a_resignation_survive_writing_and_reading() {
        let mut game = game("C");
        game.play(Move::new(Pit::new(0))).unwrap();
        assert!(game.swap());
        game.play(Move::new(Pit::new(2))).unwrap();
        game.lose(Side::North, Reason::Resignation);
        let text = kgn::write(game.record());
        let mut again = GameCursor::from_record(&kgn::read(&text).unwrap()[0]);
        assert_eq!((again.steps(), kgn::write(again.record())), (4, text));
        assert_eq!(again.record().player_at(Side::South), Side::North);
        assert_eq!(again.undo(|_| true), Some(0));
        assert!(again.step_to(2) && !again.is_over());
        assert_eq!(again.record().swapped_after(), None);
    }
}
