//! What a session has its caller do, and what it is for.

use std::fmt::{self, Write};

use crate::game::Position;
use crate::record::Game;
use crate::search::Limits;
use crate::sys::names::named_enum;

named_enum! {
    /// What a client does on a server.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Mode: "mode" {
        /// Plays games against other clients of the server.
        #[default]
        Freeplay = "freeplay",
        /// Computes boards after moves.
        Verify = "verify",
        /// Evaluates positions, without choosing moves.
        Eval = "eval",
    }
}

/// What the caller of a session has to do.
#[derive(Clone, derive_more::Debug, PartialEq, Eq)]
pub enum Action {
    /// Write a line to the server. The token may be in it, so that it is not shown.
    #[debug("Send")]
    Send(String),
    /// Search a position in the background.
    Search {
        /// To be given with the events of this search.
        number: u64,
        /// A position that is not over, unless it is only to be evaluated.
        position: Position,
        /// When the search ends.
        limits: Limits,
    },
    /// Stop the search that was started last.
    StopSearch,
    /// A game has ended: its parts between which moves are unknown, at least one.
    GameOver(Vec<Game>),
    /// Close the connection; nothing follows.
    Close(End),
}

/// Why a session has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Its games are played, or the user has left.
    Done,
    /// The connection is lost, for this reason: another one may be tried.
    Lost(String),
    /// The server refuses the client, for this reason: another attempt is useless.
    Refused(String),
}

/// The commands to a server, numbered as they are written.
#[derive(Debug)]
pub(super) struct Outbox {
    id: u64,
    actions: Vec<Action>,
}

impl Outbox {
    pub(super) fn new() -> Self {
        Self { id: 1, actions: Vec::new() }
    }

    /// Writes a command and returns its number. A client has the odd ones.
    pub(super) fn send(&mut self, reference: Option<u64>, command: impl fmt::Display) -> u64 {
        let id = self.id;
        let mut line = id.to_string();
        self.id = self.id.wrapping_add(2);
        let reference = reference.map(|reference| format!("@{reference}"));
        line.extend([reference.as_deref().unwrap_or_default(), " "]);
        // A string takes whatever is written.
        let _ = write!(line, "{command}");
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
