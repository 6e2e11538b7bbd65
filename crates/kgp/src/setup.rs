//! How a client introduces itself, what it offers, and its progress.

use std::{borrow::Cow, fmt, time::Duration};

use super::command::Quoted;

/// The secret by which a server recognises the client. It is never shown or logged.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(pub String);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::HIDDEN)
    }
}

impl Token {
    const HIDDEN: &'static str = "(hidden)";

    fn hidden_in(&self, line: &str) -> String {
        let quoted = Quoted(&self.0).to_string();
        let escaped = quoted.trim_matches('"');
        line.replace(escaped, Self::HIDDEN).replace(&self.0, Self::HIDDEN)
    }
}

/// How a client introduces itself and what it wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientSetup {
    /// Name in the server's tables.
    pub name: String,
    /// Authors in the server's tables; may be empty.
    pub authors: String,
    /// Sent to the server if present; not empty.
    pub token: Option<Token>,
    /// The time limit for a state, including [`Self::overhead`]. Without one, the server's
    /// clock applies, or else 5 s.
    pub time: Option<Duration>,
    /// Time lost between client and server for each state.
    pub overhead: Duration,
    /// Games to play before the client leaves; without a number it never leaves.
    pub games: Option<u64>,
}

impl ClientSetup {
    /// A line that may be shown, with the token replaced.
    pub fn shown<'a>(&self, line: &'a str) -> Cow<'a, str> {
        match &self.token {
            Some(token) => Cow::Owned(token.hidden_in(line)),
            None => Cow::Borrowed(line),
        }
    }

    /// Whether a client with this progress has finished its work.
    pub(super) fn is_done(&self, progress: &ClientProgress) -> bool {
        match self.games {
            Some(games) => progress.games >= games,
            None => false,
        }
    }
}

impl Default for ClientSetup {
    fn default() -> Self {
        Self {
            name: concat!("kalah ", env!("CARGO_PKG_VERSION")).to_owned(),
            authors: "the Kalah authors".to_owned(),
            token: None,
            time: None,
            overhead: Duration::from_millis(200),
            games: None,
        }
    }
}

/// What a client has done so far, in all its sessions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientProgress {
    /// Games that have ended.
    pub games: u64,
    /// Answered states.
    pub answers: u64,
    /// Started searches, which is also the number of the last one.
    pub searches: u64,
}
