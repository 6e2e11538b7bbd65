//! What a session requests from its caller.

use std::fmt::{self, Write};

use kalah_engine::search::Limits;
use kalah_game::Position;

use super::games::PlayedGame;

/// A request from a session to its caller.
#[derive(Clone, derive_more::Debug, PartialEq, Eq)]
pub enum KgpAction {
    /// Write a line to the server. `Debug` hides it, because it may contain the token.
    #[debug("Send")]
    Send(String),
    /// Search a position in the background.
    Search {
        /// Number of the search, which its events must carry.
        number: u64,
        /// A position that is not over.
        position: Position,
        /// The limits that end the search.
        limits: Limits,
    },
    /// Stop the most recent search.
    StopSearch,
    /// A game has ended.
    GameOver(PlayedGame),
    /// Close the connection; nothing follows.
    Close(KgpEnd),
}

/// Why a session has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KgpEnd {
    /// All games have been played, or the user has left.
    Done,
    /// The connection is lost for this reason; the client may reconnect.
    Lost(String),
    /// The server refuses the client for this reason; reconnecting is useless.
    Refused(String),
}

/// Collects actions, and numbers the commands to the server.
#[derive(Debug)]
pub(super) struct Outbox {
    /// Number of the next command. A client uses the odd ones, a server the even ones.
    id: u64,
    actions: Vec<KgpAction>,
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
        self.push(KgpAction::Send(line));
        id
    }

    pub(super) fn push(&mut self, action: KgpAction) {
        self.actions.push(action);
    }

    pub(super) fn take(&mut self) -> Vec<KgpAction> {
        std::mem::take(&mut self.actions)
    }
}
