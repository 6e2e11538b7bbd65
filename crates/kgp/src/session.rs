//! A session with a server: [`KgpSession::take`] turns each [`KgpInput`] into [`KgpAction`]s.
//!
//! There are no threads, clocks or streams here: the caller passes the time since the
//! connection was opened, and calls again at [`KgpSession::wakes_at`].

use std::time::Duration;

use kalah_engine::search::SearchEvent;
use kalah_game::{Capture, Position, Side};
use kalah_sys::lines::LineError;
use kalah_text::{foreign::Foreign, names::shortened};

use super::action::{KgpAction, KgpEnd, Outbox};
use super::clock::ServerClock;
use super::command::{Quoted, ServerCommand, south_row, unquoted};
use super::games::{GameTracker, PlayedGame};
use super::queue::Queue;
use super::setup::{ClientProgress, ClientSetup, Token};

/// Maximum length of a line in the protocol, in bytes, including its line end.
pub const MAX_LINE: usize = 16_384;

/// The client's description in the server's tables.
const DESCRIPTION: &str = "NegaScout with a transposition table and endgame tables";

/// Maximum length of a ping argument that is echoed, in bytes.
const MAX_ECHO: usize = 1000;

/// Maximum number of server errors logged as warnings; a server may send any number.
const MAX_WARNINGS: u32 = 20;

/// Maximum length of a name in the server's `set game:…`, in characters; the rest is cut off.
const MAX_NAME: usize = 200;

/// How long a server may take for its greeting, and how long it may be silent afterwards.
const GREETING: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_secs(600);

/// The protocol does not announce the end of a game, but the server pings between games,
/// about 20 s before the next one. A game has ended if no state follows such a ping within
/// this time.
const BETWEEN_GAMES: Duration = Duration::from_secs(15);

/// An event that a session handles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KgpInput {
    /// The next line from the server.
    Line(Result<String, LineError>),
    /// An event from the search with this number.
    Search(u64, SearchEvent),
    /// Time has passed without any other event: something may be due.
    Tick,
    /// The user wants to leave.
    Leave,
}

/// A connection to a server.
#[derive(Debug)]
pub struct KgpSession {
    setup: ClientSetup,
    progress: ClientProgress,
    out: Outbox,
    queue: Queue,
    games: GameTracker,
    clock: ServerClock,
    /// The number of the `mode` command, which answers the greeting.
    mode_id: Option<u64>,
    /// When the last line arrived.
    heard: Duration,
    /// When a ping arrived that may mark the end of the game.
    idle_since: Option<Duration>,
    /// Number of errors that the server has sent.
    errors: u32,
    is_closed: bool,
}

impl KgpSession {
    /// A session on a new connection, for a client with this progress.
    pub fn new(setup: ClientSetup, progress: ClientProgress) -> Self {
        Self {
            progress,
            out: Outbox::new(),
            queue: Queue::new(progress.searches),
            games: GameTracker::default(),
            clock: ServerClock::default(),
            mode_id: None,
            heard: Duration::ZERO,
            idle_since: None,
            errors: 0,
            is_closed: false,
            setup,
        }
    }

    /// The client's progress so far.
    pub fn progress(&self) -> ClientProgress {
        ClientProgress { searches: self.queue.searches(), ..self.progress }
    }

    /// When a [`KgpInput::Tick`] is due if no other input arrives first.
    pub fn wakes_at(&self) -> Duration {
        let due = self.queue.wakes_at().into_iter().chain(self.game_ends_at());
        due.fold(self.gives_up_at(), Duration::min)
    }

    /// When the client gives up on a silent server.
    fn gives_up_at(&self) -> Duration {
        if self.mode_id.is_some() { self.heard.saturating_add(SILENCE) } else { GREETING }
    }

    /// When the game counts as ended if no state arrives first.
    fn game_ends_at(&self) -> Option<Duration> {
        self.idle_since.map(|since| since.saturating_add(BETWEEN_GAMES))
    }

    /// Handles one input; returns the actions that it requires, in order.
    pub fn take(&mut self, now: Duration, input: KgpInput) -> Vec<KgpAction> {
        if self.is_closed {
            return Vec::new();
        }
        match input {
            KgpInput::Line(Ok(line)) => {
                self.heard = now;
                self.read(now, &line);
            }
            // A line that is too long or not UTF-8 is skipped.
            KgpInput::Line(Err(error)) => log::debug!("{error}"),
            KgpInput::Search(number, event) => self.queue.hear(number, event),
            KgpInput::Tick => (),
            KgpInput::Leave => self.leave(),
        }
        self.answer_due(now);
        if let Some(end) = self.game_ends_at()
            && now >= end
        {
            self.idle_since = None;
            let finished = self.games.finish();
            self.finish(finished);
        }
        // The last answer may still be refused and need repetition.
        if self.setup.is_done(&self.progress) && self.queue.is_settled() && !self.is_closed {
            self.leave();
        }
        if now >= self.gives_up_at() {
            self.close(KgpEnd::Lost("the server is silent".to_owned()));
        }
        self.out.take()
    }

    /// Sends the answers that are due.
    fn answer_due(&mut self, now: Duration) {
        for decision in self.queue.advance(now, &mut self.out) {
            self.count_answer();
            self.clock.charge(decision.time);
            let finished = self.games.answer(decision.position, decision.pit, decision.margin);
            self.finish(finished);
        }
    }

    /// Reads a line. The token is hidden in free text, which may be logged, but
    /// not in boards and numbers, which may contain a short token by coincidence.
    fn read(&mut self, now: Duration, line: &str) {
        const NOT_SHOWN: [&str; 5] = ["kgp", "ping", "state", "stop", "goodbye"];
        let shown = self.setup.shown(line).into_owned();
        let message =
            ServerCommand::parse(line).filter(|message| NOT_SHOWN.contains(&message.name));
        match message.or_else(|| ServerCommand::parse(&shown)) {
            Some(message) => self.receive(now, message),
            None => log::debug!("not a command: {}", shortened(&shown)),
        }
    }

    fn receive(&mut self, now: Duration, message: ServerCommand<'_>) {
        let ServerCommand { id, reference, name, arguments } = message;
        match name {
            "kgp" if self.mode_id.is_none() => self.introduce(id, arguments),
            "ping" => self.pong(now, id, arguments),
            // An answer would begin a game that the client, which is about to leave, would lose.
            "state" if self.setup.is_done(&self.progress) => (),
            "state" => self.state(now, id, arguments),
            // A server confirms an answer with `stop`, so its `ok` adds nothing.
            "stop" => self.queue.stop(reference, &mut self.out),
            "error" if reference.is_some() && reference == self.mode_id => {
                self.out.send(None, "goodbye");
                let text = unquoted(arguments);
                let reason = Foreign(&self.setup.shown(&text)).to_string();
                self.close(KgpEnd::Refused(format!("the server refuses the mode: {reason}")));
            }
            "error" => {
                self.log_error(arguments);
                self.queue.refuse(now);
            }
            "set" => self.set(&message),
            "goodbye" => self.close(KgpEnd::Lost("the server said goodbye".to_owned())),
            _ => log::debug!("skipped '{}'", shortened(name)),
        }
    }

    fn log_error(&mut self, text: &str) {
        self.errors = self.errors.saturating_add(1);
        let is_warning = self.errors <= MAX_WARNINGS;
        let level = if is_warning { log::Level::Warn } else { log::Level::Debug };
        let text = unquoted(text);
        log::log!(level, "the server reports: {}", Foreign(&self.setup.shown(&text)));
    }

    /// Answers the server's greeting `kgp VERSION` with the introduction and the mode.
    fn introduce(&mut self, id: Option<u64>, version: &str) {
        let major = version.split_whitespace().next().unwrap_or_default();
        if major != "1" {
            self.out.send(id, "error \"expected version 1\"");
            self.out.send(None, "goodbye");
            let got = shortened(&self.setup.shown(major));
            return self.close(KgpEnd::Refused(format!("expected KGP version 1, got '{got}'")));
        }
        let ClientSetup { name, authors, token, .. } = &self.setup;
        let about = [
            ("info:name", name.as_str()),
            ("info:authors", authors),
            ("info:description", DESCRIPTION),
        ];
        let token = token.as_ref().map(|Token(token)| ("auth:token", token.as_str()));
        for (option, value) in about.into_iter().chain(token) {
            self.out.send(None, format_args!("set {option} {}", Quoted(value)));
        }
        self.mode_id = Some(self.out.send(None, "mode freeplay"));
    }

    fn pong(&mut self, now: Duration, id: Option<u64>, arguments: &str) {
        // A longer argument is not repeated, so that the answer always fits in a line.
        match arguments.len() {
            1..=MAX_ECHO => self.out.send(id, format_args!("pong {arguments}")),
            _ => self.out.send(id, "pong"),
        };
        // While a state is waiting, a ping only checks that the client is still there.
        if self.queue.is_empty() && self.games.is_playing() {
            self.idle_since = Some(now);
        }
    }

    fn state(&mut self, now: Duration, id: Option<u64>, board: &str) {
        self.idle_since = None;
        // Errors quote the board, so the token must be hidden in it.
        let board = &*self.setup.shown(board);
        let error = match Position::parse(board, Capture::Standard) {
            Ok(position) if position.side() == Side::South && !position.is_over() => {
                return self.search(now, id, position);
            }
            Ok(_) => "expected a state with a legal move".to_owned(),
            Err(error) => error.to_string(),
        };
        // The board may be too large for the engine, or the game may not be over under the
        // server's rules. Any move is better than none: the server would choose one at random.
        let row = south_row(board);
        match row.and_then(|row| row.iter().rposition(|&seeds| seeds > 0)) {
            Some(pit) => {
                self.count_answer();
                if let Some(id) = id {
                    self.queue.answer(now, id, format!("move {}", pit.saturating_add(1)));
                }
            }
            None => {
                self.out.send(id, format_args!("error {}", Quoted(&error)));
            }
        }
    }

    fn search(&mut self, now: Duration, id: Option<u64>, position: Position) {
        if let Some(id) = id
            && self.queue.is_resent(now, id, &position)
        {
            return;
        }
        let finished = self.games.receive(position);
        self.finish(finished);
        let limits = self.clock.limits(&self.setup);
        self.queue.receive(now, id, position, limits, &mut self.out);
    }

    fn set(&mut self, message: &ServerCommand<'_>) {
        let Some((option, value)) = message.option() else { return };
        match option {
            "time:mode" => self.clock.set_mode(&value),
            "time:clock" => self.clock.set_left(&value),
            "game:id" => self.games.id = Some(value.chars().take(MAX_NAME).collect()),
            _ => log::debug!("skipped option '{}'", shortened(option)),
        }
    }

    fn count_answer(&mut self) {
        self.progress.answers = self.progress.answers.saturating_add(1);
    }

    /// Counts a game that has ended, if any.
    fn finish(&mut self, game: Option<PlayedGame>) {
        let Some(game) = game else { return };
        self.progress.games = self.progress.games.saturating_add(1);
        self.out.push(KgpAction::GameOver(game));
    }

    fn leave(&mut self) {
        self.out.send(None, "goodbye");
        self.close(KgpEnd::Done);
    }

    fn close(&mut self, end: KgpEnd) {
        if !std::mem::replace(&mut self.is_closed, true) {
            let finished = self.games.finish();
            self.finish(finished);
            // A connection lost after the last game is no reason to reconnect.
            let end = if self.setup.is_done(&self.progress) { KgpEnd::Done } else { end };
            self.out.push(KgpAction::Close(end));
        }
    }
}
