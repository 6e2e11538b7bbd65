//! The errors of matches. A caller can distinguish a wrong configuration, a game of a different
//! match, and failures of a file, a program or the system.

use std::io;
use std::path::PathBuf;

use kalah_engine::OptionError;
use kalah_record::RecordError;
use kalah_sys::files::AccessError;
use kalah_sys::machine::MemoryError;
use kalah_text::format::counted;
use thiserror::Error;

/// Error when preparing or running a match.
#[derive(Debug, Error)]
pub enum MatchError {
    /// The players, openings or SPRT cannot form a match.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A game of a file is not in the schedule of its match.
    #[error("{}: game {id} does not belong to this match", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The game's id; empty if it has none.
        id: String,
    },
    /// The file of a match cannot be read or written, or is wrong.
    #[error(transparent)]
    File(#[from] MatchFileError),
    /// The system cannot start a player's program.
    #[error("{player}: {source}")]
    Program {
        /// The player's name.
        player: String,
        /// What the system refused.
        source: ProgramError,
    },
    /// A player was not ready for any of its games, so that they show nothing.
    #[error("{player} was never ready: {why}")]
    NeverReady {
        /// The player's name.
        player: String,
        /// The player's last failure, and the place of its log.
        why: String,
    },
    /// A player was not ready for this many games in a row.
    #[error("{player} was not ready for {games} games in a row: {why}")]
    NotReady {
        /// The player's name.
        player: String,
        /// The consecutive games.
        games: u32,
        /// The player's last failure, and the place of its log.
        why: String,
    },
    /// The system refuses a thread, a process, memory or a file.
    #[error("cannot start a {what}: {source}")]
    System {
        /// What could not be started.
        what: &'static str,
        /// The system's error.
        source: io::Error,
    },
}

impl From<AccessError> for MatchError {
    fn from(error: AccessError) -> Self {
        Self::File(error.into())
    }
}

/// Error of a configuration that cannot form a match on this machine.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// A match needs two players, and an SPRT exactly two.
    #[error("expected {expected}, got {got}")]
    Players {
        /// The number of players that are needed, in words.
        expected: &'static str,
        /// The number of players.
        got: usize,
    },
    /// Two players have this name.
    #[error("expected distinct names, got '{0}' twice: rename one player with name=")]
    Name(String),
    /// The openings are missing.
    #[error("expected at least one opening, got none")]
    NoOpening,
    /// Words that describe a part of the match.
    #[error(transparent)]
    Words(#[from] WordsError),
    /// The engine does not accept a player's option.
    #[error("{player}: {source}")]
    Option {
        /// The player's name.
        player: String,
        /// What is wrong with the option.
        source: OptionError,
    },
    /// An option was accepted for some of the concurrent games but not for all, for lack of memory.
    #[error("{player}: {source}: choose at most {} at a time", counted(*games as u64, "game"))]
    Games {
        /// The player's name.
        player: String,
        /// The refusal.
        source: OptionError,
        /// The number of games for which memory sufficed.
        games: usize,
    },
    /// There is not enough memory for the engine's tables.
    #[error(transparent)]
    Tables(#[from] MemoryError),
    /// The programs need more open files than this process may have.
    #[error(
        "{} at a time would need {needed} open files, and {available} are left: choose fewer \
         games, or raise 'ulimit -n'",
        counted(*games as u64, "game")
    )]
    Files {
        /// Files that the games need.
        needed: u64,
        /// Files that this process may still open.
        available: u64,
        /// The number of games at a time.
        games: usize,
    },
    /// The games would need more memory than there is.
    #[error(
        "expected at least {needed} MiB of {what} for {} at a time, got {available} MiB: choose \
         fewer games, or a smaller option.Hash{remedy}",
        counted(*games as u64, "game")
    )]
    Memory {
        /// MiB that the games need.
        needed: u64,
        /// MiB available.
        available: u64,
        /// The kind of memory.
        what: &'static str,
        /// The number of games at a time.
        games: usize,
        /// Further options to change.
        remedy: &'static str,
    },
}

/// Error of words that describe a player, an SPRT, an adjudication or a part of a schedule. Its
/// message states what was expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct WordsError(pub(crate) String);

/// Error of the file of a match.
#[derive(Debug, Error)]
pub enum MatchFileError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The file to create exists.
    #[error("{} already exists: choose another file, or continue it with --resume", .0.display())]
    Exists(PathBuf),
    /// The file to create exists and holds something else.
    #[error(
        "{} already exists and is not the file of a match: choose another file",
        .0.display()
    )]
    ExistsForeign(PathBuf),
    /// A running match holds the lock of the file.
    #[error("{} is in use by another match", .0.display())]
    InUse(PathBuf),
    /// The file is not that of a match, or damaged.
    #[error("{}: {source}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: io::Error,
    },
    /// The file has no configuration.
    #[error("{}: expected a {expected}, got none", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
        /// What is missing.
        expected: &'static str,
    },
    /// A line that begins like a configuration is not one.
    #[error("{}: line {line}: {source}", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with its JSON.
        source: serde_json::Error,
    },
    /// A line is not a game.
    #[error("{}: {source}", path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// What is wrong with the line, and where.
        source: RecordError,
    },
    /// A game has no ending.
    #[error(
        "{}: line {line}: expected a finished game, got one without a result",
        path.display()
    )]
    Unfinished {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// Two games have the same id, although they differ.
    #[error("{}: game {id} occurs twice with different moves or results", path.display())]
    Contradicted {
        /// The file of the second game.
        path: PathBuf,
        /// Their id.
        id: String,
    },
    /// The files belong to different matches.
    #[error("{} and {} belong to different matches", .0.display(), .1.display())]
    Different(PathBuf, PathBuf),
    /// The file is no longer the one that the match writes; its contents were saved.
    #[error(
        "{} was removed, moved or changed while the match ran: the remaining contents are in {}",
        path.display(),
        rescued.display()
    )]
    Rescued {
        /// The file.
        path: PathBuf,
        /// The new file with its contents.
        rescued: PathBuf,
    },
    /// The file is no longer the one that the match writes, and its contents cannot be saved.
    #[error(
        "{} was removed, moved or changed while the match ran, and {} cannot be written: {source}",
        path.display(),
        rescued.display()
    )]
    Lost {
        /// The file.
        path: PathBuf,
        /// The file that should have received its contents.
        rescued: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

/// Error when a program is started.
#[derive(Debug, Error)]
#[error("cannot {action}: {source}{hint}")]
pub struct ProgramError {
    pub(crate) action: String,
    /// The system's error.
    pub source: io::Error,
    /// What the user may have meant.
    pub(crate) hint: String,
}

impl ProgramError {
    /// The error of an action, for `map_err`.
    pub(crate) fn at(action: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        move |source| Self { action: action.into(), source, hint: String::new() }
    }
}
