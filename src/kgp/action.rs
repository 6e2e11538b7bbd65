//! What a session has its caller do.

use std::fmt::{self, Write};

use crate::game::Position;
use crate::record::Game;
use crate::search::Limits;

/// What the caller of a session has to do.
#[derive(Clone, derive_more::Debug, PartialEq, Eq)]
pub enum Action {
    /// Write a line to the server. It is not shown, because the token may be in it.
    #[debug("Send")]
    Send(String),
    /// Search a position in the background.
    Search {
        /// Number of the search, to be given with its events.
        number: u64,
        /// A position that is not over, unless it is only to be evaluated.
        position: Position,
        /// When the search ends.
        limits: Limits,
    },
    /// Stop the search that was started last.
    StopSearch,
    /// Record a game that has ended: one part or more, with unknown moves between them.
    GameOver(Vec<Game>),
    /// Close the connection; nothing follows.
    Close(End),
}

/// Why a session has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// All games are played, or the user has left.
    Done,
    /// The connection is lost, for this reason: another one may be tried.
    Lost(String),
    /// The server refuses the client, for this reason: another attempt is useless.
    Refused(String),
}

/// The actions to be done, with the commands to the server numbered.
#[derive(Debug)]
pub(super) struct Outbox {
    /// Number of the next command. A client uses the odd ones, a server the even ones.
    id: u64,
    actions: Vec<Action>,
}

impl Outbox {
    pub(super) fn new() -> Self {
        Self { id: 1, actions: Vec::new() }
    }

    /// Sends a command, as a reply if there is a reference; returns its number.
    pub(super) fn send(&mut self, reference: Option<u64>, command: impl fmt::Display) -> u64 {
        let id = self.id;
        let mut line = id.to_string();
        self.id = self.id.wrapping_add(2);
        if let Some(reference) = reference {
            // Writing to a string cannot fail.
            let _ = write!(line, "@{reference}");
        }
        let _ = write!(line, " {command}");
        self.push(Action::Send(line));
        id
    }

    pub(super) fn push(&mut self, action: Action) {
        self.actions.push(action);
    }

    pub(super) fn take(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.actions)
    }
}
