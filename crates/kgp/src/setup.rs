//! How a client introduces itself, what it offers, and its progress.

use std::path::Path;
use std::{borrow::Cow, fmt, time::Duration};

use super::command::Quoted;
use kalah_sys::files;

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

    /// The token in a file, trimmed.
    ///
    /// # Errors
    /// A message if the file cannot be read, or if its text is empty or too long.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = files::read_text(path).map_err(|error| error.to_string())?;
        match short_text(text.trim()) {
            Ok(token) => Ok(Self(token)),
            Err(fault) => Err(format!("{}: {fault}", path.display())),
        }
    }

    fn hidden_in(&self, line: &str) -> String {
        let quoted = Quoted(&self.0).to_string();
        let escaped = quoted.trim_matches('"');
        line.replace(escaped, Self::HIDDEN).replace(&self.0, Self::HIDDEN)
    }
}

/// Checks the length of a name, a list of authors or a token.
///
/// # Errors
/// A message if it is empty or longer than 1000 characters.
pub fn short_text(text: &str) -> Result<String, String> {
    const MAX: usize = 1000;
    match text.chars().count() {
        1..=MAX => Ok(text.to_owned()),
        got => Err(format!("expected 1 to {MAX} characters, got {got}")),
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
