//! Contestants, which choose a player's moves: their interface, and those that run in this process:
//! the engine, a random and a greedy one. Programs are in `process`.

use std::io;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::config::PlayerConfig;
use kalah_engine::search::{Clock, Limits};
use kalah_engine::{Engine, OptionError, SearchEvent};
use kalah_game::score::Turn;
use kalah_game::{Pit, Position};
use kalah_record::{Game, Move, Outcome, Reason};
use kalah_sys::random::SplitMix64;
use kalah_sys::stop::Flag;

/// Why a player gives no move.
#[derive(Debug)]
pub(crate) enum PlayerError {
    /// The player loses the game.
    Lost { reason: Reason, detail: String },
    /// The match was interrupted; the game does not count.
    Interrupted,
    /// The system refuses a thread, a process, memory or a file. The match ends, as no player is at
    /// fault.
    Refused {
        /// What could not be started.
        what: &'static str,
        source: io::Error,
    },
}

impl PlayerError {
    pub(super) fn lost(reason: Reason, detail: impl Into<String>) -> Self {
        Self::Lost { reason, detail: detail.into() }
    }

    /// The failure of a player that did not answer within `time`.
    pub(super) fn hang(time: Duration) -> Self {
        Self::lost(Reason::Hang, format!("no answer after {:.3} s", time.as_secs_f64()))
    }
}

/// The interval at which a waiting thread polls for an interrupt.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(50);

#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveLimits {
    /// The player's limits, its clock included.
    pub(crate) search: Limits,
    pub(crate) opponent_clock: Option<Clock>,
    /// A player without an answer after this time has hung.
    pub(crate) timeout: Duration,
}

/// Chooses the moves of one player of a match. A worker keeps it for all of its games.
pub(crate) trait Contestant: Send {
    /// Name and version, known once the first game has begun.
    fn version(&self) -> Option<String>;

    /// Gets ready for a game. `seed` determines the moves of random players.
    fn begin(&mut self, start: &Position, seed: u64) -> Result<(), PlayerError>;

    /// Chooses a move in a game that is not over. The move may be illegal; its time is
    /// measured on the runner's side.
    fn choose(&mut self, game: &Game, limits: &MoveLimits) -> Result<Move, PlayerError>;

    /// The result of a finished game according to the player; none if it reports none.
    fn result(&mut self, game: &Game) -> Result<Option<Outcome>, PlayerError> {
        let _ = game;
        Ok(None)
    }

    /// How long the player had to wait for a processor before it last answered or failed, if that
    /// was most of the time. Zero if that is unknown.
    fn starved(&self) -> Duration {
        Duration::ZERO
    }

    /// Incidents since the last call that did not cost the game.
    fn take_warnings(&mut self) -> Vec<String> {
        Vec::new()
    }
}

fn at_once(pit: Pit) -> Move {
    Move { time: Some(Duration::ZERO), ..Move::new(pit) }
}

/// Plays random moves; reseeded for each game.
#[derive(Debug)]
pub(crate) struct Random(pub(super) SplitMix64);

impl Contestant for Random {
    fn version(&self) -> Option<String> {
        Some(concat!("random ", env!("CARGO_PKG_VERSION")).to_owned())
    }

    fn begin(&mut self, _: &Position, seed: u64) -> Result<(), PlayerError> {
        self.0 = SplitMix64::new(seed);
        Ok(())
    }

    fn choose(&mut self, game: &Game, _: &MoveLimits) -> Result<Move, PlayerError> {
        let mut moves = game.position().moves().iter();
        // `below` needs a bound of at least 1; without moves, `nth` then finds none.
        let chosen = self.0.below(moves.len().max(1));
        moves.nth(chosen).map(at_once).ok_or_else(no_move)
    }
}

/// Plays the move that banks the most seeds immediately. Ties are broken in favour of an
/// extra turn, then of the pit nearest the store.
#[derive(Debug, Default)]
pub(crate) struct Greedy;

impl Contestant for Greedy {
    fn version(&self) -> Option<String> {
        Some(concat!("greedy ", env!("CARGO_PKG_VERSION")).to_owned())
    }

    fn begin(&mut self, _: &Position, _: u64) -> Result<(), PlayerError> {
        Ok(())
    }

    fn choose(&mut self, game: &Game, _: &MoveLimits) -> Result<Move, PlayerError> {
        let best = game.position().moves().iter().max_by_key(|&pit| greed(game.position(), pit));
        best.map(at_once).ok_or_else(no_move)
    }
}

/// What [`Greedy`] maximises, in this order: seeds banked immediately, extra turn, pit.
fn greed(position: &Position, pit: Pit) -> Option<(u32, bool, Pit)> {
    let played = { *position }.play(pit).ok()?;
    // A move that ends the game also wins the seeds left in the mover's row.
    let swept = played.swept[played.side.index()];
    Some((played.banked + swept, played.turn == Turn::Keeps, pit))
}

fn no_move() -> PlayerError {
    PlayerError::lost(Reason::IllegalMove, "asked for a move in a finished game")
}

/// The default `Hash` of a player, in MiB: games are short, and every game clears the
/// table of each of its players.
const DEFAULT_HASH: usize = 16;

/// This engine. It searches on a thread of its own, so that the worker can end the game if
/// the search hangs.
#[derive(Debug)]
pub(crate) struct InProcess {
    engine: Engine,
    interrupt: Flag,
}

impl InProcess {
    /// A player with the options of `config`, from a clone of the common engine.
    pub(super) fn new(
        mut engine: Engine,
        config: &PlayerConfig,
        interrupt: Flag,
    ) -> Result<Self, OptionError> {
        engine
            .resources_mut()
            .set_hash(DEFAULT_HASH)
            .map_err(|error| OptionError::Refused { option: "Hash", refusal: error.into() })?;
        for (name, value) in &config.options {
            engine.set_option(name, value)?;
        }
        Ok(Self { engine, interrupt })
    }

    /// The size of its transposition table in MiB.
    pub(super) fn hash(&self) -> usize {
        self.engine.resources().hash()
    }
}

impl Contestant for InProcess {
    fn version(&self) -> Option<String> {
        Some(concat!("kalah ", env!("CARGO_PKG_VERSION")).to_owned())
    }

    fn begin(&mut self, start: &Position, seed: u64) -> Result<(), PlayerError> {
        self.engine.set_position(*start);
        self.engine.new_game();
        // Builds endgame tables and clears the transposition table before a clock runs.
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
                // Each message wakes the worker, so only the one that counts is sent.
                if let SearchEvent::Finished(result) = event {
                    // The receiver is gone if the player has hung.
                    let _ = sender.send((result, Instant::now()));
                }
            })
            .map_err(|source| PlayerError::Refused { what: "search", source })?;
        loop {
            match events.recv_timeout(POLL_INTERVAL) {
                Ok((result, at)) => {
                    running.wait();
                    return Move::from_search(&result, at - started).ok_or_else(|| {
                        PlayerError::lost(Reason::Garbage, "no move from the engine")
                    });
                }
                // A search that ends without a result has panicked.
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PlayerError::lost(Reason::Crash, "the search panicked"));
                }
                Err(RecvTimeoutError::Timeout) => {
                    let waited = started.elapsed();
                    // The interrupt comes first: a player must not lose a game that the user has
                    // ended.
                    let failure = if self.interrupt.is_raised() {
                        PlayerError::Interrupted
                    } else if waited > limits.timeout {
                        PlayerError::hang(waited)
                    } else {
                        continue;
                    };
                    running.stopper().stop();
                    return Err(failure);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_game::Rules;

    #[test]
    fn a_search_has_hung_after_its_timeout_and_no_earlier() {
        let config = PlayerConfig::parse("kalah option.OwnBook=false", "").unwrap();
        let engine = Engine::without_tables(1).unwrap();
        let interrupt = Flag::default();
        let mut player = InProcess::new(engine, &config, interrupt.clone()).unwrap();
        let game = Game::new(Position::start(Rules::default()), Default::default());
        let mut choose = |search, timeout| {
            player.choose(&game, &MoveLimits { search, opponent_clock: None, timeout })
        };
        // Longer than the pause between two polls.
        let timely = choose(Limits::time(3 * POLL_INTERVAL), Duration::from_secs(300));
        assert!(timely.is_ok(), "{timely:?}");
        let endless = Limits { infinite: true, ..Limits::default() };
        let hung = choose(endless, Duration::ZERO);
        assert!(matches!(hung, Err(PlayerError::Lost { reason: Reason::Hang, .. })), "{hung:?}");
        interrupt.raise();
        let interrupted = choose(endless, Duration::ZERO);
        assert!(matches!(interrupted, Err(PlayerError::Interrupted)), "{interrupted:?}");
    }
}
