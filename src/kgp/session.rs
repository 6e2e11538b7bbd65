//! A session with a server: [`Session::take`] turns each [`Input`] into [`Action`]s.
//!
//! There are no threads, clocks or streams here: the caller says what time it is,
//! as the time since the connection was made, and calls again at
//! [`Session::wakes_at`].

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use crate::game::{Capture, Position, Side};
use crate::record::Game;
use crate::search::{Clock, Event, Limits};
use crate::sys::lines::LineError;
use crate::sys::names::shortened;

use super::action::Outbox;
pub use super::action::{Action, End, Mode};
use super::games::Games;
use super::message::{Message, Quoted, south_row, unquoted};
use super::states::States;
use super::verify::Verifier;

/// The longest line, with its end.
pub const MAX_LINE: usize = 16_384;

/// What a server gives for a move if it does not say.
pub const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// The most bytes of a ping that are sent back.
const MAX_ECHO: usize = 1000;

/// The number of a server's errors that are logged as warnings.
const REPORTED: u32 = 20;

/// The most characters of what a server says about a game.
const MAX_NAME: usize = 200;

/// The longest time that a server's clock may show.
const MAX_TIME: f64 = 86_400.0;

/// How long a server may take for its greeting, and how long it may be silent.
const GREETING: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_secs(600);

/// A server pings between games, about 20 s before the next: a game is over if no
/// state has come for so long after a ping that did not concern one.
const BETWEEN_GAMES: Duration = Duration::from_secs(15);

/// A text that is written to a server and nowhere else.
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
    /// Who wrote the client, as the server lists it; may be empty.
    pub authors: String,
    /// What the server knows it again by; not empty.
    pub token: Option<Token>,
    /// What the client offers the server to do.
    pub mode: Mode,
    /// The most time for a state, [`Self::overhead`] included. Without one, what the
    /// server says, or [`DEFAULT_TIME`].
    pub time: Option<Duration>,
    /// Time lost between client and server for each state.
    pub overhead: Duration,
    /// Games to play, or problems to solve, before it leaves; none: no end.
    pub games: Option<u64>,
}

impl Setup {
    /// A line as it may be shown: without the token.
    pub fn shown<'a>(&self, line: &'a str) -> Cow<'a, str> {
        self.token.as_ref().map_or(Cow::Borrowed(line), |token| token.hidden_in(line).into())
    }

    /// Whether a client that has come so far has done all it should.
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

/// An event that a session answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// The next line of the server.
    Line(Result<String, LineError>),
    /// An event of the search with this number.
    Search(u64, Event),
    /// Time has passed without another event: deadlines are looked at.
    Tick,
    /// The user wants to leave.
    Leave,
}

/// How far a client has come with all its servers.
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
}

/// What a server says of its clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct ServerClock {
    /// `time:mode`: whether time that was not used is left for later, and none if
    /// no time is tracked.
    is_absolute: Option<bool>,
    /// What the server's `time:clock` has left for this client.
    left: Option<Duration>,
}

/// A connection to a server.
#[derive(Debug)]
pub struct Session {
    setup: Setup,
    progress: Progress,
    out: Outbox,
    states: States,
    verifier: Verifier,
    games: Games,
    clock: ServerClock,
    /// The number of the `mode`, from the greeting on.
    mode_id: Option<u64>,
    /// When the last line came.
    heard: Duration,
    /// When a ping came that concerns no state, the last thing that has come.
    idle_since: Option<Duration>,
    /// Errors that the server has sent.
    errors: u32,
    is_closed: bool,
}

impl Session {
    /// A session on a new connection, of a client that has come so far.
    pub fn new(setup: Setup, progress: Progress) -> Self {
        Self {
            progress,
            out: Outbox::new(),
            states: States::new(setup.mode),
            verifier: Verifier::default(),
            games: Games::new(setup.name.clone()),
            clock: ServerClock { is_absolute: Some(true), left: None },
            mode_id: None,
            heard: Duration::ZERO,
            idle_since: None,
            errors: 0,
            is_closed: false,
            setup,
        }
    }

    /// How far the client has come.
    pub fn progress(&self) -> Progress {
        let Verifier { accepted, refused, .. } = self.verifier;
        Progress {
            accepted: self.progress.accepted.saturating_add(accepted),
            refused: self.progress.refused.saturating_add(refused),
            ..self.progress
        }
    }

    /// When a [`Input::Tick`] is due if nothing else comes before.
    pub fn wakes_at(&self) -> Duration {
        let silent = self.gives_up_at();
        let idle = self.idle_since.map(|since| since.saturating_add(BETWEEN_GAMES));
        idle.into_iter().chain(self.states.wakes_at()).fold(silent, Duration::min)
    }

    /// When the server is given up as silent.
    fn gives_up_at(&self) -> Duration {
        if self.mode_id.is_some() { self.heard.saturating_add(SILENCE) } else { GREETING }
    }

    /// Takes an event at a time; what is to be done about it, in this order.
    pub fn take(&mut self, now: Duration, input: Input) -> Vec<Action> {
        if self.is_closed {
            return Vec::new();
        }
        match input {
            Input::Line(Ok(line)) => {
                self.heard = now;
                self.read(now, &line);
            }
            Input::Line(Err(error)) => log::debug!("{error}"),
            Input::Search(number, event) => self.states.search(number, event),
            Input::Tick => (),
            Input::Leave => self.leave(),
        }
        for decision in self.states.advance(now, &mut self.out) {
            self.count_answer();
            let time = decision.r#move.as_ref().and_then(|played| played.time);
            if let Some(left) =
                self.clock.left.as_mut().filter(|_| self.clock.is_absolute == Some(true))
            {
                *left = left.saturating_sub(time.unwrap_or_default());
            }
            if self.setup.mode == Mode::Freeplay {
                let finished = self.games.play(decision);
                self.finish(finished);
            }
        }
        if self.idle_since.is_some_and(|since| now >= since.saturating_add(BETWEEN_GAMES)) {
            self.idle_since = None;
            let finished = self.games.finish();
            self.finish(finished);
        }
        // The last answer may still be refused.
        let is_done = self.setup.mode != Mode::Verify && self.setup.is_done(&self.progress);
        if is_done && self.states.is_settled() && !self.is_closed {
            self.leave();
        }
        if now >= self.gives_up_at() {
            self.close(End::Lost("the server is silent".to_owned()));
        }
        self.out.take()
    }

    /// Reads a line; free text in it without the token, as it may be logged or
    /// recorded. A board or a number may have a short token in it by chance.
    fn read(&mut self, now: Duration, line: &str) {
        const NOT_SHOWN: [&str; 7] = ["kgp", "ping", "state", "stop", "problem", "ok", "goodbye"];
        let shown = self.setup.shown(line).into_owned();
        let message = Message::parse(line).filter(|message| NOT_SHOWN.contains(&message.name));
        match message.or_else(|| Message::parse(&shown)) {
            Some(message) => self.receive(now, message),
            None => log::debug!("no command: {}", shortened(&shown)),
        }
    }

    fn receive(&mut self, now: Duration, message: Message<'_>) {
        let Message { id, reference, name, arguments } = message;
        match (name, self.setup.mode) {
            ("kgp", _) if self.mode_id.is_none() => self.introduce(id, arguments),
            ("ping", _) => self.pong(now, id, arguments),
            ("state", _) if self.setup.is_done(&self.progress) => (),
            ("state", Mode::Freeplay | Mode::Eval) => self.state(now, id, arguments),
            ("stop", Mode::Freeplay | Mode::Eval) => self.states.stop(reference, &mut self.out),
            ("problem", Mode::Verify) => self.problem(id, arguments),
            ("ok", Mode::Verify) => {
                if let Some(solution) = self.after_mode(reference) {
                    self.verifier.accept(solution);
                }
            }
            ("error", _) if reference.is_some() && reference == self.mode_id => {
                self.out.send(None, "goodbye");
                let text = unquoted(arguments);
                let text = self.setup.shown(&text).escape_debug().to_string();
                self.close(End::Refused(format!("the server refuses the mode: {text}")));
            }
            ("error", mode) => {
                self.report_error(arguments);
                match (mode, self.after_mode(reference)) {
                    (Mode::Verify, Some(solution)) => self.verifier.refuse(solution),
                    (Mode::Verify, None) => (),
                    (Mode::Freeplay | Mode::Eval, _) => self.states.refuse(now),
                }
            }
            ("set", _) => self.set(&message),
            ("goodbye", _) => self.close(End::Lost("the server said goodbye".to_owned())),
            _ => log::debug!("skipped '{}'", shortened(name)),
        }
    }

    /// The number of a command that was sent after the greeting.
    fn after_mode(&self, reference: Option<u64>) -> Option<u64> {
        reference.filter(|&reference| self.mode_id.is_some_and(|mode| reference > mode))
    }

    /// Logs an error; the first ones as warnings, as a server may send any number.
    fn report_error(&mut self, text: &str) {
        self.errors = self.errors.saturating_add(1);
        let level = if self.errors <= REPORTED { log::Level::Warn } else { log::Level::Debug };
        let text = unquoted(text);
        log::log!(level, "the server reports: {}", self.setup.shown(&text).escape_debug());
    }

    /// Answers the server's greeting `kgp VERSION` with names and the mode.
    fn introduce(&mut self, id: Option<u64>, version: &str) {
        let major = version.split_whitespace().next().unwrap_or_default();
        if major != "1" {
            self.out.send(id, "error \"expected version 1\"");
            self.out.send(None, "goodbye");
            let got = shortened(&self.setup.shown(major));
            return self.close(End::Refused(format!("expected a server of KGP 1, got '{got}'")));
        }
        let Setup { name, authors, token, mode, .. } = &self.setup;
        const DESCRIPTION: &str = "NegaScout with a transposition table and endgame tables";
        let token = token.as_ref().map(|Token(token)| ("auth:token", token.as_str()));
        let about = [("info:name", name.as_str()), ("info:authors", authors)];
        for (option, value) in
            about.into_iter().chain([("info:description", DESCRIPTION)]).chain(token)
        {
            self.out.send(None, format_args!("set {option} {}", Quoted(value)));
        }
        self.mode_id = Some(self.out.send(None, format_args!("mode {mode}")));
    }

    fn pong(&mut self, now: Duration, id: Option<u64>, arguments: &str) {
        match arguments.len() {
            1..=MAX_ECHO => self.out.send(id, format_args!("pong {arguments}")),
            _ => self.out.send(id, "pong"),
        };
        if self.states.is_empty() && self.games.is_playing() {
            self.idle_since = Some(now);
        }
    }

    fn state(&mut self, now: Duration, id: Option<u64>, board: &str) {
        self.idle_since = None;
        // An error quotes the board.
        let board = &*self.setup.shown(board);
        let position = Position::parse(board, Capture::Standard);
        let is_eval = self.setup.mode == Mode::Eval;
        match position {
            Ok(position) if position.side() == Side::South && (is_eval || !position.is_over()) => {
                if self.states.knows(now, id, &position) {
                    return;
                }
                if !is_eval {
                    let finished = self.games.receive(&position);
                    self.finish(finished);
                }
                let limits = self.limits();
                self.states.receive(now, id, position, limits, &mut self.out);
            }
            // A board that is too large, or that some server's rules go on from:
            // any move is better than the server's random one.
            position => match south_row(board).and_then(|row| row.iter().rposition(|&n| n > 0)) {
                Some(pit) if !is_eval => {
                    self.count_answer();
                    self.states.answer(now, id, format!("move {}", pit.saturating_add(1)));
                }
                _ => {
                    let error = position.err().map(|error| error.to_string());
                    let error = error.unwrap_or_else(|| "expected a state with a move".to_owned());
                    self.out.send(id, format_args!("error {}", Quoted(&error)));
                }
            },
        }
    }

    /// The time for the next state, and for the rest of the game if the server keeps a
    /// clock.
    fn limits(&self) -> Limits {
        let Setup { time, overhead, .. } = self.setup;
        let ServerClock { is_absolute, left } = self.clock;
        let given = left.filter(|_| is_absolute.is_some());
        let time = time.into_iter().chain(given).min().unwrap_or(DEFAULT_TIME);
        let net = |time: Duration| time.saturating_sub(overhead);
        let clock = given.filter(|_| is_absolute == Some(true)).map(|left| Clock {
            remaining: net(left),
            increment: Duration::ZERO,
            moves_to_go: None,
        });
        Limits { clock, ..Limits::time(net(time)) }
    }

    fn problem(&mut self, id: Option<u64>, arguments: &str) {
        if self.setup.is_done(&self.progress) {
            return self.leave();
        }
        // An error quotes the problem.
        match self.verifier.solve(&self.setup.shown(arguments)) {
            Ok(solution) => {
                let id = self.out.send(id, solution);
                self.verifier.sent(id);
                self.count_answer();
            }
            Err(error) => {
                self.out.send(id, format_args!("error {}", Quoted(&error)));
            }
        }
    }

    fn set(&mut self, message: &Message<'_>) {
        let Some((option, value)) = message.option() else { return };
        let name = || {
            let shown = self.setup.shown(&value);
            Some(shown.chars().take(MAX_NAME).collect()).filter(|name: &String| !name.is_empty())
        };
        match option {
            "time:mode" => {
                self.clock.is_absolute = match value.as_str() {
                    "absolute" => Some(true),
                    "relative" => Some(false),
                    _ => None,
                }
            }
            "time:clock" => {
                let seconds = value.parse().ok().filter(|seconds: &f64| !seconds.is_nan());
                let time = |seconds: f64| Duration::from_secs_f64(seconds.clamp(0.0, MAX_TIME));
                self.clock.left = seconds.map(time);
            }
            "game:id" => self.games.names.id = name(),
            "game:uri" => self.games.names.uri = name(),
            "game:opponent" => self.games.names.opponent = name(),
            _ => log::debug!("skipped option '{}'", shortened(option)),
        }
    }

    fn count_answer(&mut self) {
        self.progress.answers = self.progress.answers.saturating_add(1);
    }

    /// A game has ended, if there was one.
    fn finish(&mut self, game: Option<Vec<Game>>) {
        let Some(parts) = game else { return };
        self.progress.games = self.progress.games.saturating_add(1);
        self.out.push(Action::GameOver(parts));
    }

    fn leave(&mut self) {
        self.out.send(None, "goodbye");
        self.close(End::Done);
    }

    fn close(&mut self, end: End) {
        if !std::mem::replace(&mut self.is_closed, true) {
            let finished = self.games.finish();
            self.finish(finished);
            let end = if self.setup.is_done(&self.progress) { End::Done } else { end };
            self.out.push(Action::Close(end));
        }
    }
}
