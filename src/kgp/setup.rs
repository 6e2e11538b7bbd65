//! How a client presents itself, what it offers, and how far it has come.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use crate::sys::names::named_enum;

use super::message::Quoted;

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

/// A secret by which a server recognises the client. It is never shown or logged.
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
        let quoted = quoted.trim_matches('"');
        line.replace(quoted, Self::HIDDEN).replace(&self.0, Self::HIDDEN)
    }
}

/// How a client presents itself and what it wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Its name in the server's tables.
    pub name: String,
    /// Its authors in the server's tables; may be empty.
    pub authors: String,
    /// Sent to the server if there is one; not empty.
    pub token: Option<Token>,
    /// What the client offers to do.
    pub mode: Mode,
    /// The time limit for a state, [`Self::overhead`] included. Without one, the server's
    /// clock applies, or [`DEFAULT_TIME`](super::clock::DEFAULT_TIME).
    pub time: Option<Duration>,
    /// Time lost between client and server for each state.
    pub overhead: Duration,
    /// Games to play, or problems or evaluations to answer, before the client leaves;
    /// without a number it stays.
    pub games: Option<u64>,
}

impl Setup {
    /// A line without the token, as it may be shown.
    pub fn shown<'a>(&self, line: &'a str) -> Cow<'a, str> {
        self.token.as_ref().map_or(Cow::Borrowed(line), |token| token.hidden_in(line).into())
    }

    /// Whether a client that has come this far has done all it should.
    pub fn is_done(&self, progress: &Progress) -> bool {
        let done = match self.mode {
            Mode::Freeplay => progress.games,
            Mode::Verify | Mode::Eval => progress.answers,
        };
        self.games.is_some_and(|games| done >= games)
    }
}

impl Default for Setup {
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

/// What a client has done in all its sessions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Games that have ended.
    pub games: u64,
    /// States and problems that were answered.
    pub answers: u64,
    /// Solutions that servers have confirmed.
    pub accepted: u64,
    /// Solutions that servers have refused.
    pub refused: u64,
    /// Searches that were started; the number of the last one.
    pub searches: u64,
}
