//! How a client introduces itself, what it offers, and its progress.

use std::{borrow::Cow, fmt, time::Duration};

use kalah_text::named_enum;

use super::command::Quoted;

named_enum! {
    /// What a client does on a server.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Mode: "mode" {
        /// Plays games against other clients of the server.
        #[default]
        Freeplay = "freeplay",
        /// Computes the boards after given moves.
        Verify = "verify",
        /// Evaluates positions, without choosing moves.
        Eval = "eval",
    }
}

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
    /// What the client offers to do.
    pub mode: Mode,
    /// The time limit for a state, including [`Self::overhead`]. Without one, the server's
    /// clock applies, or else 5 s.
    pub time: Option<Duration>,
    /// Time lost between client and server for each state.
    pub overhead: Duration,
    /// Games to play, or problems or evaluations to answer, before the client leaves; without
    /// a number it never leaves.
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
        let done = match self.mode {
            Mode::Freeplay => progress.games,
            Mode::Verify | Mode::Eval => progress.answers,
        };
        match self.games {
            Some(games) => done >= games,
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
            mode: Mode::default(),
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
    /// Answered states and problems.
    pub answers: u64,
    /// Solutions that servers have confirmed.
    pub accepted: u64,
    /// Solutions that servers have refused.
    pub refused: u64,
    /// Started searches, which is also the number of the last one.
    pub searches: u64,
}
