//! Programs as players: [`Process`] speaks UCI or UGI over the pipes of a child.
//!
//! The runner does not trust any program. Its guards:
//! - *Deadline*: every request ends with an answer, or with a named failure.
//! - *Flood limits*: the output for one request is counted and bounded.
//! - *Drain*: `isready` and `readyok` clear the pipes before each `go`, so that a late
//!   `bestmove` is not mistaken for the next answer.
//! - *Quiet time*: before each `go`, the runner listens to a program that has answered late.
//! - *Reaper*: a second process terminates the programs if the match is killed.

mod connection;
pub(crate) mod reaper;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use self::connection::{Connection, Line};
use self::reaper::Reaper;
use super::config::{PlayerConfig, Program, Timing};
use super::player::{MoveLimits, POLL_INTERVAL, Player, PlayerError};
use crate::game::{Capture, MoveError, Position, Side};
use crate::protocol::dialect::{self, Dialect, Fields, Message};
use crate::protocol::{command, go};
use crate::record::{Evaluation, Game, Move, Outcome, Reason};
use crate::sys::format::counted;
use crate::sys::names::shortened;
use crate::sys::stop::Flag;

/// Flood limits: the most output for one request. A program that writes without end
/// would otherwise fill the memory, or occupy a worker until the deadline. A search of
/// 500 plies writes less than a hundredth of this.
const MAX_BYTES: usize = 16 << 20;
const MAX_LINES: usize = 200_000;

/// A program that missed its deadline after more lines than this was busy writing: it
/// lost by a flood, not by hanging.
const FLOOD_AT_DEADLINE: usize = 10_000;

/// Longer names are cut, in characters: they are copied into records and messages.
const MAX_NAME: usize = 100;
/// Further options that a program declares are ignored.
const MAX_OPTIONS: usize = 1000;

/// Quiet time: a surplus `bestmove` that arrives after `readyok` cannot be told from the
/// answer to the next `go`. A program that has once sent one is listened to for this
/// long before each `go`, and for twice as long whenever that was too short. The others
/// lose no time by it.
const MIN_QUIET: Duration = Duration::from_millis(20);
const MAX_QUIET: Duration = Duration::from_millis(320);

/// A program that plays. [`Player::begin`] starts it, and restarts it for the next game
/// after a failure.
#[derive(Debug)]
pub(crate) struct Process {
    program: Program,
    options: BTreeMap<String, String>,
    /// The file for its stderr; named by the player and the worker.
    log: PathBuf,
    reaper: Option<Arc<Reaper>>,
    timing: Timing,
    interrupt: Flag,
    /// None before the first game and after a failure.
    connection: Option<Connection>,
    /// Whether the running program has answered `uci` or `ugi`.
    is_introduced: bool,
    identity: Identity,
    /// Its output since the last request.
    output: Output,
    /// How long to listen before each `go`; zero until it sends a late `bestmove`.
    quiet: Duration,
    warnings: Warnings,
}

/// The answer to `uci` or `ugi`.
#[derive(Debug, Default)]
struct Identity {
    name: Option<String>,
    options: Vec<String>,
}

impl Identity {
    fn has(&self, option: &str) -> bool {
        self.options.iter().any(|known| known.eq_ignore_ascii_case(option))
    }
}

#[derive(Debug, Default)]
struct Warnings {
    late_moves: u32,
    illegal_pvs: u32,
    first_illegal_pv: Option<String>,
    others: Vec<String>,
}

impl Process {
    /// A program that is not started yet.
    pub(crate) fn new(
        config: &PlayerConfig,
        program: &Program,
        log: PathBuf,
        reaper: Option<Arc<Reaper>>,
        timing: Timing,
        interrupt: Flag,
    ) -> Self {
        Self {
            program: program.clone(),
            options: config.options.clone(),
            log,
            reaper,
            timing,
            interrupt,
            connection: None,
            is_introduced: false,
            identity: Identity::default(),
            output: Output::default(),
            quiet: Duration::ZERO,
            warnings: Warnings::default(),
        }
    }

    pub(super) fn open(&mut self) -> Result<(), String> {
        self.connection = Some(Connection::open(&self.program, &self.log, self.reaper.clone())?);
        self.is_introduced = false;
        Ok(())
    }

    fn dialect(&self) -> Dialect {
        self.program.protocol
    }

    /// Starts the program unless it runs, and prepares it for a game.
    fn get_ready(&mut self, start: &Position) -> Result<(), PlayerError> {
        if self.connection.is_none() {
            self.open().map_err(|error| PlayerError::lost(Reason::NoStart, error))?;
        }
        if !self.is_introduced {
            self.shake_hands()?;
        }
        self.set_rules(start)?;
        self.send(self.dialect().new_game())?;
        self.drain(Instant::now() + self.timing.start)
    }

    /// Asks a fresh program for its name and options, and sets the player's options.
    fn shake_hands(&mut self) -> Result<(), PlayerError> {
        self.identity = Identity::default();
        let deadline = Instant::now() + self.timing.start;
        self.request(self.dialect().hello())?;
        let end = self.dialect().hello_end();
        loop {
            let line = self.receive(deadline)?;
            match dialect::parse(&line.text) {
                Message::Name(name) => self.identity.name = Some(truncated(name)),
                Message::Option(name) if self.identity.options.len() < MAX_OPTIONS => {
                    self.identity.options.push(truncated(name));
                }
                Message::Other(word) if word == end => break,
                _ => {}
            }
        }
        for (name, value) in self.options.clone() {
            if !self.identity.has(&name) {
                self.warnings.others.push(format!("does not declare option {name}"));
            }
            self.send(&format!("setoption name {name} value {value}"))?;
        }
        self.is_introduced = true;
        self.drain(deadline)
    }

    /// Sets the capture rule; a program that cannot play by it loses.
    fn set_rules(&mut self, start: &Position) -> Result<(), PlayerError> {
        const OPTION: &str = "Capture";
        let capture = start.capture();
        if self.identity.has(OPTION) {
            self.send(&format!("setoption name {OPTION} value {capture}"))
        } else if capture == Capture::Standard {
            Ok(())
        } else {
            let detail = format!("expected an option {OPTION}: the match is played by {capture}");
            Err(PlayerError::lost(Reason::NoStart, detail))
        }
    }

    fn send(&mut self, line: &str) -> Result<(), PlayerError> {
        log::debug!("{} > {line}", self.log.display());
        self.connection.as_mut().ok_or_else(not_running)?.send(line)
    }

    /// Sends a line that is to be answered, and counts the output from now on.
    fn request(&mut self, line: &str) -> Result<(), PlayerError> {
        self.output = Output::default();
        self.send(line)
    }

    fn receive(&mut self, deadline: Instant) -> Result<Line, PlayerError> {
        let connection = self.connection.as_mut().ok_or_else(not_running)?;
        loop {
            if self.interrupt.is_raised() {
                return Err(PlayerError::Interrupted);
            }
            // Short waits, so that an interrupt is noticed.
            let left = deadline.saturating_duration_since(Instant::now());
            match connection.receive(left.min(POLL_INTERVAL))? {
                Some(line) if line.received <= deadline => {
                    log::debug!("{} < {}", self.log.display(), line.text);
                    self.output.add(&line)?;
                    return Ok(line);
                }
                None if Instant::now() < deadline => {}
                _ => return Err(self.output.overdue()),
            }
        }
    }

    /// Drains the pipes: lines before `readyok` answer an earlier request.
    fn drain(&mut self, deadline: Instant) -> Result<(), PlayerError> {
        self.request("isready")?;
        loop {
            let line = self.receive(deadline)?;
            match dialect::parse(&line.text) {
                Message::Other("readyok") => return Ok(()),
                Message::BestMove(_) => {
                    self.warnings.late_moves += 1;
                    self.quiet = (2 * self.quiet).clamp(MIN_QUIET, MAX_QUIET);
                }
                _ => {}
            }
        }
    }

    /// Listens for answers to an earlier `go`, which are late.
    fn keep_quiet_for(&mut self, time: Duration) -> Result<(), PlayerError> {
        let end = Instant::now() + time;
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            let connection = self.connection.as_mut().ok_or_else(not_running)?;
            if let Some(line) = connection.receive(left)? {
                self.output.add(&line)?;
                let is_late = matches!(dialect::parse(&line.text), Message::BestMove(_));
                self.warnings.late_moves += u32::from(is_late);
            }
        }
        Ok(())
    }

    fn send_position(&mut self, game: &Game) -> Result<(), PlayerError> {
        let letters = game.steps().iter().map(|step| step.played.letter());
        self.send(&command::position(game.start(), letters))
    }

    fn search(&mut self, game: &Game, limits: &MoveLimits) -> Result<Move, PlayerError> {
        self.drain(Instant::now() + limits.timeout)?;
        self.keep_quiet_for(self.quiet)?;
        self.send_position(game)?;
        // The clock runs from here to the arrival of the line with the move: reading
        // the position is the program's own time, waiting in our queue is not.
        let started = Instant::now();
        let side = game.position().side();
        self.request(&go::text(&limits.search, limits.opponent_clock, side, self.dialect()))?;
        self.wait_for_move(game, started, started + limits.timeout)
    }

    /// Reads lines up to the answer to `go`.
    fn wait_for_move(
        &mut self,
        game: &Game,
        started: Instant,
        deadline: Instant,
    ) -> Result<Move, PlayerError> {
        // Annotations of the best line so far, for the move to come.
        let mut latest = Move::default();
        let mut unknown = None;
        loop {
            let line = match self.receive(deadline) {
                Ok(line) => line,
                Err(failure) => return Err(with_unknown_line(failure, unknown)),
            };
            match dialect::parse(&line.text) {
                Message::Info(fields) => {
                    annotate(&mut latest, &fields);
                    if let Err(error) = { *game.position() }.play_moves(fields.pv) {
                        self.warnings.illegal_pvs += 1;
                        self.warnings.first_illegal_pv.get_or_insert(error.to_string());
                    }
                }
                Message::BestMove(text) => {
                    let pit = game.position().parse_move(text).map_err(bad_move)?;
                    let time = line.received.saturating_duration_since(started);
                    return Ok(Move { pit, time: Some(time), ..latest });
                }
                Message::Empty => {}
                _ => {
                    unknown.get_or_insert(line.text);
                }
            }
        }
    }

    fn query(&mut self, what: &str, deadline: Instant) -> Result<String, PlayerError> {
        self.request(&format!("query {what}"))?;
        loop {
            let line = self.receive(deadline)?;
            if let Message::Response(answer) = dialect::parse(&line.text) {
                return Ok(truncated(answer));
            }
        }
    }

    fn ask_result(&mut self, game: &Game) -> Result<Option<Outcome>, PlayerError> {
        let deadline = Instant::now() + self.timing.start;
        self.drain(deadline)?;
        self.send_position(game)?;
        let over = self.query("gameover", deadline)?;
        let result = self.query("result", deadline)?;
        let outcome = match (over.as_str(), result.as_str()) {
            ("true", "p1win") => Some(Outcome::Won(Side::South)),
            ("true", "p2win") => Some(Outcome::Won(Side::North)),
            ("true", "draw") => Some(Outcome::Draw),
            _ => None,
        };
        if outcome.is_none() {
            let answer = format!("gameover {over}, result {result}");
            self.warnings.others.push(format!("expected a finished game, got {answer}"));
        }
        Ok(outcome)
    }

    /// Ends the program if it has failed, so that the next game starts a fresh one.
    fn end_if_failed<T>(&mut self, result: Result<T, PlayerError>) -> Result<T, PlayerError> {
        if result.is_err() {
            self.connection = None;
        }
        result
    }
}

impl Player for Process {
    fn version(&self) -> Option<String> {
        self.identity.name.clone()
    }

    fn begin(&mut self, start: &Position, _: u64) -> Result<(), PlayerError> {
        let begun = self.get_ready(start).map_err(|failure| match failure {
            PlayerError::Lost { reason, detail } => {
                PlayerError::lost(Reason::NoStart, format!("{reason}: {detail}"))
            }
            other => other,
        });
        self.end_if_failed(begun)
    }

    fn choose(&mut self, game: &Game, limits: &MoveLimits) -> Result<Move, PlayerError> {
        let chosen = self.search(game, limits);
        self.end_if_failed(chosen)
    }

    fn result(&mut self, game: &Game) -> Result<Option<Outcome>, PlayerError> {
        if self.dialect() != Dialect::Ugi || self.connection.is_none() {
            return Ok(None);
        }
        let result = self.ask_result(game);
        self.end_if_failed(result)
    }

    fn take_warnings(&mut self) -> Vec<String> {
        let warnings = std::mem::take(&mut self.warnings);
        let mut texts = warnings.others;
        if warnings.late_moves > 0 {
            texts.push(counted(warnings.late_moves.into(), "late bestmove") + " drained");
        }
        if let Some(first) = warnings.first_illegal_pv {
            let count = counted(warnings.illegal_pvs.into(), "illegal pv");
            texts.push(format!("{count}, the first: {first}"));
        }
        texts
    }
}

/// Adds the fields of an `info` message, unless it is about another line than the best.
fn annotate(latest: &mut Move, fields: &Fields<'_>) {
    if fields.multipv.is_some_and(|multipv| multipv != 1) {
        return;
    }
    latest.depth = fields.depth.or(latest.depth);
    latest.nodes = fields.nodes.or(latest.nodes);
    latest.leaves = fields.leaves.or(latest.leaves);
    if let Some(margin) = fields.value {
        latest.evaluation = Some(Evaluation { margin, proved: false });
    }
    if let Some(evaluation) = &mut latest.evaluation {
        evaluation.proved |= fields.proved;
    }
}

/// A program's output for one request.
#[derive(Debug)]
struct Output {
    since: Instant,
    bytes: usize,
    lines: usize,
}

impl Default for Output {
    fn default() -> Self {
        Self { since: Instant::now(), bytes: 0, lines: 0 }
    }
}

impl Output {
    fn add(&mut self, line: &Line) -> Result<(), PlayerError> {
        self.bytes += line.text.len() + 1;
        self.lines += 1;
        if self.bytes > MAX_BYTES || self.lines > MAX_LINES {
            return Err(self.flood());
        }
        Ok(())
    }

    /// The error of a program that has not answered by the deadline.
    fn overdue(&self) -> PlayerError {
        if self.lines > FLOOD_AT_DEADLINE {
            return self.flood();
        }
        PlayerError::hang(self.since.elapsed())
    }

    fn flood(&self) -> PlayerError {
        let Self { bytes, lines, .. } = self;
        let detail = format!("a flood: {lines} lines, {bytes} bytes for one request");
        PlayerError::lost(Reason::Garbage, detail)
    }
}

/// A name or an answer of bounded length.
fn truncated(name: &str) -> String {
    name.chars().take(MAX_NAME).collect()
}

fn not_running() -> PlayerError {
    PlayerError::lost(Reason::Crash, "the process is not running")
}

fn bad_move(error: MoveError) -> PlayerError {
    let reason = match &error {
        // A single letter may be a pit of another board; anything else is not a move.
        MoveError::Letter { got, .. } if !is_letter(got) => Reason::Garbage,
        _ => Reason::IllegalMove,
    };
    PlayerError::lost(reason, error.to_string())
}

fn is_letter(text: &str) -> bool {
    text.len() == 1 && text.starts_with(|letter: char| letter.is_ascii_alphabetic())
}

/// A program that wrote an unknown line instead of an answer did not hang.
fn with_unknown_line(failure: PlayerError, unknown: Option<String>) -> PlayerError {
    match (failure, unknown) {
        (PlayerError::Lost { reason: Reason::Hang, detail }, Some(line)) => {
            let detail = format!("{detail}, but '{}'", shortened(&line));
            PlayerError::lost(Reason::Garbage, detail)
        }
        (failure, _) => failure,
    }
}
