//! Who plays: what the runner asks of a player, and the players that need no
//! process and no search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::spec::ClockAllowance;
use crate::depth::Depth;
use crate::game::{Pit, Position, Side};
use crate::record::{Evaluation, Game, Outcome, Reason};
use crate::score::Turn;
use crate::sys::random::SplitMix64;

/// What a player may use for the next move.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Positions to look at.
    pub nodes: Option<u64>,
    /// Sowings to look ahead.
    pub depth: Option<Depth>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// South's and North's clocks, where they have one.
    pub clocks: [Option<ClockState>; 2],
    /// Pits for the mover to play until its clock gets more time.
    pub moves_to_go: Option<u32>,
    /// After this time the player has hung.
    pub patience: Duration,
}

/// A running clock.
#[derive(Clone, Copy, Debug)]
pub struct ClockState {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each pit played.
    pub increment: Duration,
    /// Pits to play until the base is added again.
    pub moves_to_go: Option<u32>,
}

impl ClockState {
    /// The clock at the beginning of a game.
    pub fn start(allowance: ClockAllowance) -> Self {
        Self {
            remaining: Duration::from_millis(allowance.base),
            increment: Duration::from_millis(allowance.increment),
            moves_to_go: allowance.moves,
        }
    }

    /// Charges a move; false if it took longer than is left and `margin`.
    pub fn charge(&mut self, used: Duration, margin: Duration, allowance: ClockAllowance) -> bool {
        let in_time = used <= self.remaining + margin;
        self.remaining = self.remaining.saturating_sub(used) + self.increment;
        if let Some(moves) = &mut self.moves_to_go {
            *moves -= 1;
            if *moves == 0 {
                self.moves_to_go = allowance.moves;
                self.remaining += Duration::from_millis(allowance.base);
            }
        }
        in_time
    }
}

/// A move and what the player said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move; it may be illegal.
    pub pit: Pit,
    /// From the question to the answer, as the runner measured it.
    pub time: Duration,
    /// What the player expected.
    pub evaluation: Option<Evaluation>,
    /// How deep it looked.
    pub depth: Option<Depth>,
    /// How many positions it looked at.
    pub nodes: Option<u64>,
}

impl Answer {
    /// A move made at once.
    pub fn at_once(pit: Pit) -> Self {
        Self { pit, time: Duration::ZERO, evaluation: None, depth: None, nodes: None }
    }
}

/// Why a player gives no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It lost the game by this.
    Lost {
        /// The reason in records.
        reason: Reason,
        /// More, for people.
        detail: String,
    },
    /// The match was interrupted; nobody is to blame.
    Interrupted,
}

impl Failure {
    /// A loss with a reason.
    pub fn lost(reason: Reason, detail: impl Into<String>) -> Self {
        Self::Lost { reason, detail: detail.into() }
    }
}

/// Whether someone wants the match to end now.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// How long a waiting player may go without looking.
    pub const LOOK_EVERY: Duration = Duration::from_millis(50);

    /// Ends the match.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the match is to end.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// One that plays.
pub trait Player: Send {
    /// What it calls itself, once it has begun.
    fn version(&self) -> Option<String>;

    /// Gets ready for a game. `seed` is the game's, for those that are random.
    fn begin(&mut self, start: &Position, seed: u64) -> Result<(), Failure>;

    /// Chooses a move in a game that is not over.
    fn choose(&mut self, game: &Game, budget: &Budget) -> Result<Answer, Failure>;

    /// What the player takes for the result of a finished game; none if it
    /// cannot be asked.
    fn result(&mut self, game: &Game) -> Result<Option<Outcome>, Failure> {
        let _ = game;
        Ok(None)
    }

    /// What has gone wrong since the last call without losing the game.
    fn take_warnings(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// Plays any legal move.
#[derive(Debug)]
pub struct Random(SplitMix64);

impl Default for Random {
    fn default() -> Self {
        Self(SplitMix64::new(0))
    }
}

impl Player for Random {
    fn version(&self) -> Option<String> {
        Some(concat!("random ", env!("CARGO_PKG_VERSION")).to_owned())
    }

    fn begin(&mut self, start: &Position, seed: u64) -> Result<(), Failure> {
        // The two sides of a game draw different numbers.
        self.0 = SplitMix64::new(seed ^ u64::from(start.side() == Side::North));
        Ok(())
    }

    fn choose(&mut self, game: &Game, _: &Budget) -> Result<Answer, Failure> {
        let mut moves = game.position().moves();
        let chosen = self.0.below(moves.len().max(1));
        moves.nth(chosen).map(Answer::at_once).ok_or_else(no_move)
    }
}

/// Plays the move that banks most seeds at once. Of equal ones it prefers an
/// extra turn, then the pit nearest the store.
#[derive(Debug, Default)]
pub struct Greedy;

impl Player for Greedy {
    fn version(&self) -> Option<String> {
        Some(concat!("greedy ", env!("CARGO_PKG_VERSION")).to_owned())
    }

    fn begin(&mut self, _: &Position, _: u64) -> Result<(), Failure> {
        Ok(())
    }

    fn choose(&mut self, game: &Game, _: &Budget) -> Result<Answer, Failure> {
        let value = |&pit: &Pit| {
            let played = game.position().clone().play(pit).ok()?;
            let swept = played.swept[played.side.index()];
            Some((played.banked + swept, played.turn == Turn::Keeps, pit))
        };
        let best = game.position().moves().max_by_key(value);
        best.map(Answer::at_once).ok_or_else(no_move)
    }
}

fn no_move() -> Failure {
    Failure::lost(Reason::IllegalMove, "asked for a move in a finished game")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Capture;

    const MS: Duration = Duration::from_millis(1);

    fn game(text: &str) -> Game {
        Game::new(Position::parse(text, Capture::Standard).unwrap(), Default::default())
    }

    fn budget() -> Budget {
        Budget {
            nodes: None,
            depth: None,
            movetime: None,
            clocks: [None; 2],
            moves_to_go: None,
            patience: MS,
        }
    }

    #[test]
    fn greedy_banks_most_then_moves_again() {
        let choice = |text| Greedy.choose(&game(text), &budget()).unwrap().pit.index();
        assert_eq!(choice("<3,0,0,0,2,1,5,5,5> S"), 2, "both bank one, both move again");
        assert_eq!(choice("<3,0,0,1,0,1,5,5,5> S"), 0, "a capture of six");
        assert_eq!(choice("<3,0,0,1,1,3,0,0,1> S"), 2, "one seed, nearest the store");
    }

    #[test]
    fn random_players_repeat_themselves_by_the_seed_only() {
        let game = game("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S");
        let line = |seed| {
            let mut player = Random::default();
            player.begin(game.start(), seed).unwrap();
            (0..20).map(|_| player.choose(&game, &budget()).unwrap().pit).collect::<Vec<_>>()
        };
        assert_eq!(line(1), line(1));
        assert_ne!(line(1), line(2));
    }

    #[test]
    fn clocks_charge_add_and_begin_again() {
        let allowance = ClockAllowance { base: 100, increment: 10, moves: Some(2) };
        let mut clock = ClockState::start(allowance);
        assert!(clock.charge(MS * 50, MS, allowance));
        assert_eq!((clock.remaining, clock.moves_to_go), (MS * 60, Some(1)));
        assert!(clock.charge(MS * 61, MS, allowance), "within the margin");
        assert_eq!((clock.remaining, clock.moves_to_go), (MS * 110, Some(2)));
        assert!(!clock.charge(MS * 112, MS, allowance));
    }
}
