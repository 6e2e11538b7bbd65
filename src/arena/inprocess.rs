//! This engine as a player, without a process between.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::player::{Answer, Budget, Failure, Interrupt, Player};
use super::spec::Spec;
use crate::engine::options::OptionError;
use crate::engine::{Engine, Event};
use crate::game::{Position, Side};
use crate::record::{Evaluation, Game, Reason};
use crate::search::{Clock, Info, Limits};

/// Memory of a player that was given no `Hash`, in MiB: games are short, and a
/// match has many players that clear it for each.
const HASH: usize = 16;

/// An engine that searches in a separate thread, so that it can be left alone
/// when it hangs.
#[derive(Debug)]
pub struct InProcess {
    engine: Engine,
    interrupt: Interrupt,
}

impl InProcess {
    /// The engine with the options of a player.
    ///
    /// # Errors
    /// [`OptionError`] if it has no such option, or no memory for it.
    pub fn new(spec: &Spec, interrupt: Interrupt) -> Result<Self, OptionError> {
        let mut engine = Engine::with_hash(HASH)?;
        for (name, value) in &spec.options {
            engine.set_option(name, value)?;
        }
        Ok(Self { engine, interrupt })
    }
}

impl Player for InProcess {
    fn version(&self) -> Option<String> {
        Some(concat!("kalah ", env!("CARGO_PKG_VERSION")).to_owned())
    }

    fn begin(&mut self, _: &Position, seed: u64) -> Result<(), Failure> {
        self.engine.new_game();
        self.engine.set_seed(seed);
        Ok(())
    }

    fn choose(&mut self, game: &Game, budget: &Budget) -> Result<Answer, Failure> {
        let position = *game.position();
        self.engine.set_position(position);
        let (sender, events) = mpsc::channel();
        let started = Instant::now();
        let running = self
            .engine
            .go(limits(budget, position.side()), move |event| {
                // An error: the receiver has given the game up.
                let _ = sender.send((event, Instant::now()));
            })
            .map_err(|error| Failure::lost(Reason::NoStart, error.to_string()))?;
        let mut last: Option<Info> = None;
        loop {
            match events.recv_timeout(Interrupt::LOOK_EVERY) {
                Ok((Event::Info(info), _)) if info.multipv == 1 => last = Some(info),
                Ok((Event::Info(_) | Event::RootMove(_), _)) => {}
                Ok((Event::Finished(report), at)) => {
                    running.wait();
                    let pit = report
                        .best
                        .ok_or_else(|| Failure::lost(Reason::Garbage, "no move from the engine"))?;
                    let info = report.info.or(last);
                    return Ok(answer(pit, info, at - started));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Failure::lost(Reason::Crash, "the search ended by a fault"));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if self.interrupt.is_raised() {
                        running.stopper().stop();
                        return Err(Failure::Interrupted);
                    }
                    if started.elapsed() > budget.patience {
                        running.stopper().stop();
                        return Err(silent_for(started.elapsed()));
                    }
                }
            }
        }
    }
}

/// The loss of a player that does not answer.
pub(super) fn silent_for(time: Duration) -> Failure {
    Failure::lost(Reason::Hang, format!("no answer after {:.3} s", time.as_secs_f64()))
}

fn limits(budget: &Budget, side: Side) -> Limits {
    Limits {
        depth: budget.depth,
        nodes: budget.nodes,
        movetime: budget.movetime,
        clock: budget.clocks[side.index()].map(|clock| Clock {
            remaining: clock.remaining,
            increment: clock.increment,
            moves_to_go: clock.moves_to_go,
        }),
        ..Limits::default()
    }
}

fn answer(pit: crate::game::Pit, info: Option<Info>, time: Duration) -> Answer {
    let evaluation =
        info.as_ref().map(|info| Evaluation { margin: info.margin, proved: info.proved });
    Answer {
        pit,
        time,
        evaluation,
        depth: info.as_ref().map(|info| info.depth),
        nodes: info.as_ref().map(|info| info.nodes),
    }
}
