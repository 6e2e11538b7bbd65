//! What the runner asks of a player, and the players in this process: the
//! engine, a random one and a greedy one. Programs are in `process`.

use std::io;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::MatchError;
use super::config::PlayerConfig;
use super::schedule::Schedule;
use crate::engine::options::OptionError;
use crate::engine::{Engine, Event};
use crate::game::score::Turn;
use crate::game::{Pit, Position, Side};
use crate::record::{Game, Move, Outcome, Reason};
use crate::search::{Clock, Limits};
use crate::sys::random::SplitMix64;
use crate::sys::stop::Flag;

/// Why a player gives no move.
#[derive(Debug)]
pub(crate) enum PlayerError {
    /// It loses the game.
    Lost { reason: Reason, detail: String },
    /// The match was interrupted; the game does not count.
    Interrupted,
    /// The system refuses what a player needs, who is not to blame: the match ends.
    Refused(io::Error),
}

impl PlayerError {
    pub(super) fn lost(reason: Reason, detail: impl Into<String>) -> Self {
        Self::Lost { reason, detail: detail.into() }
    }

    /// The loss of a player that has not answered for `time`.
    pub(super) fn hang(time: Duration) -> Self {
        Self::lost(Reason::Hang, format!("no answer after {:.3} s", time.as_secs_f64()))
    }
}

/// How often a waiting thread looks whether the match is interrupted.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// What a player may use for one move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveLimits {
    /// Its limits, its own clock included.
    pub(crate) search: Limits,
    pub(crate) opponent_clock: Option<Clock>,
    /// After this time without an answer the player has hung.
    pub(crate) timeout: Duration,
}

/// A player of a match.
pub(crate) trait Player: Send {
    /// Its name and version, once it has begun a game.
    fn version(&self) -> Option<String>;

    /// Gets ready for a game. `seed` is the game's, for players that are random.
    fn begin(&mut self, start: &Position, seed: u64) -> Result<(), PlayerError>;

    /// Chooses a move, which may be illegal, in a game that is not over. Its
    /// time is what the runner's side measured.
    fn choose(&mut self, game: &Game, limits: &MoveLimits) -> Result<Move, PlayerError>;

    /// The player's view of the result of a finished game; none if it cannot be
    /// asked.
    fn result(&mut self, game: &Game) -> Result<Option<Outcome>, PlayerError> {
        let _ = game;
        Ok(None)
    }

    /// Incidents since the last call that did not lose the game.
    fn take_warnings(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// A move that took no time.
fn at_once(pit: Pit) -> Move {
    Move { time: Some(Duration::ZERO), ..Move::new(pit) }
}

/// Plays any legal move.
#[derive(Debug)]
pub(crate) struct Random(SplitMix64);

impl Default for Random {
    fn default() -> Self {
        Self(SplitMix64::new(0))
    }
}

impl Player for Random {
    fn version(&self) -> Option<String> {
        Some(concat!("random ", env!("CARGO_PKG_VERSION")).to_owned())
    }

    fn begin(&mut self, start: &Position, seed: u64) -> Result<(), PlayerError> {
        // Both players of a game get its seed, and must not mirror each other.
        self.0 = SplitMix64::new(seed ^ u64::from(start.side() == Side::North));
        Ok(())
    }

    fn choose(&mut self, game: &Game, _: &MoveLimits) -> Result<Move, PlayerError> {
        let mut moves = game.position().moves();
        let chosen = self.0.below(moves.len().max(1));
        moves.nth(chosen).map(at_once).ok_or_else(no_move)
    }
}

/// Plays the move that banks most seeds at once. Of equal ones it prefers an
/// extra turn, then the pit nearest the store.
#[derive(Debug, Default)]
pub(crate) struct Greedy;

impl Player for Greedy {
    fn version(&self) -> Option<String> {
        Some(concat!("greedy ", env!("CARGO_PKG_VERSION")).to_owned())
    }

    fn begin(&mut self, _: &Position, _: u64) -> Result<(), PlayerError> {
        Ok(())
    }

    fn choose(&mut self, game: &Game, _: &MoveLimits) -> Result<Move, PlayerError> {
        let value = |&pit: &Pit| {
            let played = game.position().clone().play(pit).ok()?;
            let swept = played.swept[played.side.index()];
            Some((played.banked + swept, played.turn == Turn::Keeps, pit))
        };
        let best = game.position().moves().max_by_key(value);
        best.map(at_once).ok_or_else(no_move)
    }
}

fn no_move() -> PlayerError {
    PlayerError::lost(Reason::IllegalMove, "asked for a move in a finished game")
}

/// The transposition table of a player that was given no `Hash`, in MiB: games
/// are short, and a match has many players that clear theirs for each.
const HASH: usize = 16;

/// This engine. It searches in its own thread, so that it can be abandoned when
/// it hangs.
#[derive(Debug)]
pub(crate) struct InProcess {
    engine: Engine,
    interrupt: Flag,
}

impl InProcess {
    /// The engine that players are copies of: they share its endgame tables.
    ///
    /// # Errors
    /// [`MatchError::Config`] if there is no memory for it.
    pub(super) fn engine(schedule: &Schedule) -> Result<Engine, MatchError> {
        let mut engine = Engine::with_hash(1).map_err(MatchError::config)?;
        engine.set_position(schedule.config.openings[0].start);
        Ok(engine)
    }

    /// A copy of `engine` with the options of a player.
    ///
    /// # Errors
    /// [`OptionError`] if it has no such option, or no memory for it.
    pub(super) fn new(
        mut engine: Engine,
        config: &PlayerConfig,
        interrupt: Flag,
    ) -> Result<Self, OptionError> {
        engine.set_hash(HASH)?;
        for (name, value) in &config.options {
            engine.set_option(name, value)?;
        }
        Ok(Self { engine, interrupt })
    }

    /// The size of its transposition table.
    pub(super) fn mebibytes(&self) -> usize {
        self.engine.hash()
    }
}

impl Player for InProcess {
    fn version(&self) -> Option<String> {
        Some(concat!("kalah ", env!("CARGO_PKG_VERSION")).to_owned())
    }

    fn begin(&mut self, start: &Position, seed: u64) -> Result<(), PlayerError> {
        self.engine.set_position(*start);
        self.engine.new_game();
        self.engine.prepare();
        self.engine.set_seed(seed);
        Ok(())
    }

    fn choose(&mut self, game: &Game, limits: &MoveLimits) -> Result<Move, PlayerError> {
        self.engine.set_position(*game.position());
        let (sender, events) = mpsc::channel();
        let started = Instant::now();
        let running = self
            .engine
            .go(limits.search, move |event| {
                // The receiver is gone if the player has hung.
                let _ = sender.send((event, Instant::now()));
            })
            .map_err(PlayerError::Refused)?;
        loop {
            match events.recv_timeout(POLL_INTERVAL) {
                Ok((Event::Info(_) | Event::RootMove(_), _)) => {}
                Ok((Event::Finished(result), at)) => {
                    running.wait();
                    let chosen = result.recorded(at - started);
                    let none = || PlayerError::lost(Reason::Garbage, "no move from the engine");
                    return chosen.ok_or_else(none);
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PlayerError::lost(Reason::Crash, "the search panicked"));
                }
                Err(RecvTimeoutError::Timeout) => {
                    let waited = started.elapsed();
                    if self.interrupt.is_raised() || waited > limits.timeout {
                        running.stopper().stop();
                        return Err(match self.interrupt.is_raised() {
                            true => PlayerError::Interrupted,
                            false => PlayerError::hang(waited),
                        });
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Capture;

    fn game(text: &str) -> Game {
        Game::new(Position::parse(text, Capture::Standard).unwrap(), Default::default())
    }

    fn limits() -> MoveLimits {
        MoveLimits { search: Limits::default(), opponent_clock: None, timeout: Duration::ZERO }
    }

    #[test]
    fn greedy_banks_most_then_moves_again() {
        let choice = |text| Greedy.choose(&game(text), &limits()).unwrap().pit.index();
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
            (0..20).map(|_| player.choose(&game, &limits()).unwrap().pit).collect::<Vec<_>>()
        };
        assert_eq!(line(1), line(1));
        assert_ne!(line(1), line(2));
    }
}
