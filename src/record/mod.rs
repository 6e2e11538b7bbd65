//! A recorded game: who played, from where, every move, how it ended.
//!
//! A [`Game`] is legal by construction: moves enter it through [`Game::play`],
//! a swap of sides through [`Game::swap`] and an ending through
//! [`Game::finish`]. It is written as one line of JSON (module [`json`], for
//! programs) and as `.kgn` text (module [`kgn`], for people); neither loses
//! anything. Both are described in `doc/records.md`. [`format::read`] reads
//! either.
//!
//! This module opens no files and knows nothing of matches.

mod ending;
mod error;
pub mod format;
mod game;
pub mod json;
pub mod kgn;

pub use ending::{Ending, EndingError, Outcome, Reason};
pub use error::RecordError;
pub use game::{DELAY, Evaluation, Game, Move, Player, Step, Variation};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Pit, Position};

    #[test]
    fn a_swap_is_in_tags_and_one_against_the_rule_stays_a_tag() {
        let players = ["a", "b"].map(Player::named);
        let mut game = Game::new(Position::start(Default::default()), players);
        game.pie_rule = true;
        game.play(Move::new(Pit::new(0))).unwrap();
        assert!(game.swap());
        game.play(Move::new(Pit::new(3))).unwrap();
        let text = kgn::write(&game);
        assert!(text.contains("[PieRule \"yes\"]\n[SwappedAfter \"1\"]\n"), "{text}");
        let line = json::to_line(&game);
        assert!(line.ends_with(r#""tags":{"PieRule":"yes","SwappedAfter":"1"}}"#), "{line}");

        let wrong = text.replace("\"1\"]", "\"2\"]");
        let game = kgn::read(&wrong).unwrap().remove(0);
        assert_eq!((game.swapped_after(), kgn::write(&game)), (None, wrong));
    }
}
