//! What reaches a front end while a game is played, over one channel.

use std::io;
use std::sync::mpsc::Sender;
use std::thread;

use crate::game::Pit;
use crate::game::score::Value;
use crate::search::{Info, SearchResult};
use crate::sys::lines::LineError;

/// Input, or a result of the engine.
#[derive(Debug)]
pub(crate) enum Event {
    /// A typed line, or why it was refused.
    Line(Result<String, LineError>),
    /// A key, the mouse, or a new size of the screen.
    Screen(crossterm::event::Event),
    /// The input has ended.
    End,
    /// Ctrl-C, or the process is asked to end.
    Interrupt,
    /// A result of the task with this number.
    Engine(u64, Update),
}

/// Sends keys, clicks and new sizes of a terminal that is read key by key, from a thread.
pub(crate) fn read_keys(events: Sender<Event>) -> io::Result<()> {
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        loop {
            let event = crossterm::event::read().map_or(Event::End, Event::Screen);
            let ended = matches!(event, Event::End);
            if events.send(event).is_err() || ended {
                break;
            }
        }
    })?;
    Ok(())
}

/// What a task of the engine has come to.
#[derive(Debug)]
pub(crate) enum Update {
    /// Moves of a game analysed so far, of how many; others follow.
    Progress(usize, usize),
    Best(SearchResult),
    /// The values of the pits, the best first.
    Values(Vec<Info>),
    /// What was lost by each move of the game.
    Losses(Vec<MoveLoss>),
    /// What was lost by the last move.
    Loss(MoveLoss),
    /// The search failed; the game goes on without this result.
    Failed,
}

/// A move of a game as the full engine judges it. The margins are the
/// mover's at the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MoveLoss {
    pub(crate) pit: Pit,
    pub(crate) best: Pit,
    pub(crate) margin: Value,
    pub(crate) best_margin: Value,
    /// Whether both margins are proved.
    pub(crate) proved: bool,
}

impl MoveLoss {
    /// What the move gave away; never negative.
    pub(crate) fn loss(&self) -> Value {
        self.best_margin - self.margin
    }
}
