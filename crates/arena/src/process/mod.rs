//! Programs as contestants: `Process` speaks UCI or UGI over the pipes of a child.
//!
//! The runner does not trust any program. Its guards:
//! - *Deadline*: every request ends with an answer, or with a named failure.
//! - *Flood limits*: the output for one request is counted and bounded.
//! - *Drain*: `isready` and `readyok` clear the pipes before each `go`, so that a late
//!   `bestmove` is not mistaken for the next answer.
//! - *Starvation*: a program that is late because other processes have kept it from running is
//!   reported, so that its game is replayed.
//! - *Quiet time*: before each `go`, the runner waits for stray answers from a program that has
//!   answered late before.
//! - *Reaper*: a second process terminates the programs if the match is killed; on Windows, the
//!   system does.

mod child;
mod input;
#[cfg(not(windows))]
pub mod reaper;
#[cfg(windows)]
#[path = "job.rs"]
pub mod reaper;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use self::child::{ChildProcess, OutputLine};
use self::reaper::Reaper;
use crate::ProgramError;
use crate::config::{PlayerConfig, Program, Timing};
use crate::contestant::{Contestant, MoveLimits, POLL_INTERVAL, PlayerError};
use kalah_game::{Capture, MoveError, Position, Side};
use kalah_protocol::dialect::{self, Dialect, EngineMessage, Fields};
use kalah_protocol::{command, go};
use kalah_record::{Game, Move, MoveEvaluation, Outcome, Reason};
use kalah_sys::machine::{ProcessorUse, is_exhausted};
use kalah_sys::stop::Flag;
use kalah_text::format::counted;
use kalah_text::names::shortened;

/// Flood limits: the maximum output for one request. A program that writes endlessly
/// would otherwise fill the memory or occupy a worker until the deadline. A search of
/// 500 plies writes less than a hundredth of this.
const MAX_BYTES: usize = 16 << 20;
const MAX_LINES: usize = 200_000;

/// A program that missed its deadline after more lines than this was busy writing: the
/// failure is a flood, not a hang.
const FLOOD_AT_DEADLINE: usize = 10_000;

/// Maximum length of a name, in characters: names are copied into records and messages.
const MAX_NAME: usize = 100;
/// Maximum number of declared options that are remembered.
const MAX_OPTIONS: usize = 1000;

/// Quiet time: a surplus `bestmove` that arrives after `readyok` is indistinguishable from
/// the answer to the next `go`. Once a program has sent one, the runner listens to it for
/// this long before each `go`, and doubles the time whenever that was too short. Other
/// programs lose no time.
const MIN_QUIET: Duration = Duration::from_millis(20);
const MAX_QUIET: Duration = Duration::from_millis(320);

/// A program as a player. [`Contestant::begin`] starts it, and restarts it for the next game
/// after a failure.
#[derive(Debug)]
pub(crate) struct Process {
    program: Program,
    options: BTreeMap<String, String>,
    /// The file for its stderr; named after the player and the worker.
    log: PathBuf,
    reaper: Option<Arc<Reaper>>,
    timing: Timing,
    interrupt: Flag,
    /// None before the first game and after a failure.
    connection: Option<ChildProcess>,
    /// Whether the running program has answered `uci` or `ugi`.
    is_introduced: bool,
    identity: Identity,
    /// The program's output since the last request.
    output: OutputCount,
    /// The program's use of the processors when it was first found not to have answered the last
    /// request.
    waiting: Option<ProcessorUse>,
    /// Since then, zero unless it had to wait for a processor most of the time.
    starved: Duration,
    /// The quiet time before each `go`; zero until the program sends a late `bestmove`.
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
    /// A program that has not been started yet.
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
            output: OutputCount::default(),
            waiting: None,
            starved: Duration::ZERO,
            quiet: Duration::ZERO,
            warnings: Warnings::default(),
        }
    }

    pub(super) fn open(&mut self) -> Result<(), ProgramError> {
        self.connection = Some(ChildProcess::open(&self.program, &self.log, self.reaper.clone())?);
        self.is_introduced = false;
        Ok(())
    }

    fn dialect(&self) -> Dialect {
        self.program.protocol
    }

    /// Starts the program unless it is running, and prepares it for a game.
    fn get_ready(&mut self, start: &Position) -> Result<(), PlayerError> {
        if self.connection.is_none() {
            self.open().map_err(|error| {
                if is_exhausted(&error.source) {
                    PlayerError::Refused { what: "program", source: error.source }
                } else {
                    PlayerError::lost(Reason::NoStart, error.to_string())
                }
            })?;
        }
        if !self.is_introduced {
            self.shake_hands()?;
        }
        self.set_rules(start)?;
        self.send(self.dialect().new_game())?;
        // Lets the program prepare for this board before its clock runs.
        self.send(&command::position(start, std::iter::empty()))?;
        self.drain(Instant::now() + self.timing.start)
    }

    /// Asks a newly started program for its name and options, and sets the player's options.
    fn shake_hands(&mut self) -> Result<(), PlayerError> {
        self.identity = Identity::default();
        let deadline = Instant::now() + self.timing.start;
        self.request(self.dialect().hello())?;
        let end = self.dialect().hello_end();
        loop {
            let line = self.receive(deadline)?;
            match dialect::parse(&line.text) {
                EngineMessage::Name(name) => self.identity.name = Some(truncated(name)),
                EngineMessage::Option(name) if self.identity.options.len() < MAX_OPTIONS => {
                    self.identity.options.push(truncated(name));
                }
                EngineMessage::Other(word) if word == end => break,
                _ => {}
            }
        }
        for (name, value) in self.options.clone() {
            // An undeclared option is sent anyway, with a warning in the record.
            if !self.identity.has(&name) {
                self.warnings.others.push(format!("does not declare option {name}"));
            }
            self.send(&format!("setoption name {name} value {value}"))?;
        }
        self.is_introduced = true;
        self.drain(deadline)
    }

    /// Sets the capture rule; a program without it loses the game.
    fn set_rules(&mut self, start: &Position) -> Result<(), PlayerError> {
        const OPTION: &str = "Capture";
        let capture = start.capture();
        if self.identity.has(OPTION) {
            self.send(&format!("setoption name {OPTION} value {capture}"))
        // A program without the option can be expected to know the standard rule.
        } else if capture == Capture::Standard {
            Ok(())
        } else {
            let detail =
                format!("expected option {OPTION}: the match uses the capture rule {capture}");
            Err(PlayerError::lost(Reason::NoStart, detail))
        }
    }

    fn send(&mut self, line: &str) -> Result<(), PlayerError> {
        log::debug!("{} > {line}", self.log.display());
        self.connection.as_mut().ok_or_else(not_running)?.send(line)
    }

    /// Sends a line that must be answered, and restarts the count of the output.
    fn request(&mut self, line: &str) -> Result<(), PlayerError> {
        self.output = OutputCount::default();
        self.waiting = None;
        self.send(line)
    }

    /// The next line.
    fn receive(&mut self, deadline: Instant) -> Result<OutputLine, PlayerError> {
        loop {
            if self.interrupt.is_raised() {
                return Err(PlayerError::Interrupted);
            }
            let connection = self.connection.as_mut().ok_or_else(not_running)?;
            // Short waits, so that an interrupt is noticed promptly.
            let left = deadline.saturating_duration_since(Instant::now());
            let line = connection.receive(left.min(POLL_INTERVAL))?;
            if line.is_none() {
                self.waiting.get_or_insert_with(|| connection.processor_use());
            }
            // The time of arrival decides, not the time of this check: on a loaded machine the
            // answer may have waited in the queue.
            let arrived = match &line {
                Some(line) => line.received,
                None => Instant::now(),
            };
            if arrived > deadline {
                return Err(self.output.overdue());
            }
            if let Some(line) = line {
                log::debug!("{} < {}", self.log.display(), line.text);
                self.output.add(&line)?;
                return Ok(line);
            }
        }
    }

    /// Drains the pipes: whatever arrives before `readyok` belongs to an earlier request.
    fn drain(&mut self, deadline: Instant) -> Result<(), PlayerError> {
        self.request("isready")?;
        loop {
            let line = self.receive(deadline)?;
            match dialect::parse(&line.text) {
                EngineMessage::Other("readyok") => return Ok(()),
                EngineMessage::BestMove(_) => {
                    self.warnings.late_moves += 1;
                    self.quiet = (2 * self.quiet).clamp(MIN_QUIET, MAX_QUIET);
                }
                _ => {}
            }
        }
    }

    /// Discards late answers to an earlier `go`.
    fn keep_quiet_for(&mut self, time: Duration) -> Result<(), PlayerError> {
        let end = Instant::now() + time;
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            let connection = self.connection.as_mut().ok_or_else(not_running)?;
            if let Some(line) = connection.receive(left)? {
                self.output.add(&line)?;
                let is_late = matches!(dialect::parse(&line.text), EngineMessage::BestMove(_));
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
        // The clock runs from here to the arrival of the line with the move: time spent
        // reading the position is charged to the program, time in our queue is not.
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
        // Annotations from the best line so far; `bestmove` itself has none.
        let mut latest = Move::default();
        let mut unknown = None;
        loop {
            let line = match self.receive(deadline) {
                Ok(line) => line,
                Err(failure) => return Err(with_unknown_line(failure, unknown)),
            };
            match dialect::parse(&line.text) {
                EngineMessage::Info(fields) => {
                    annotate(&mut latest, &fields);
                    // An illegal pv shows a bug in the engine, but costs it nothing.
                    if let Err(error) = { *game.position() }.play_moves(fields.pv) {
                        self.warnings.illegal_pvs += 1;
                        self.warnings.first_illegal_pv.get_or_insert(error.to_string());
                    }
                }
                EngineMessage::BestMove(text) => {
                    let pit = game.position().parse_move(text).map_err(bad_move)?;
                    let time = line.received.saturating_duration_since(started);
                    return Ok(Move { pit, time: Some(time), ..latest });
                }
                EngineMessage::Empty => {}
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
            if let EngineMessage::Response(answer) = dialect::parse(&line.text) {
                return Ok(truncated(answer));
            }
        }
    }

    fn ask_result(&mut self, game: &Game) -> Result<Option<Outcome>, PlayerError> {
        let deadline = Instant::now() + self.timing.start;
        // A `response` does not identify its query, so earlier output must be gone.
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

    /// Ends the program if it has failed, so that the next game starts a new one. Measures first
    /// how long it had to wait for a processor, unless it failed for another reason than lateness.
    fn end_if_failed<T>(&mut self, result: Result<T, PlayerError>) -> Result<T, PlayerError> {
        let may_be_late =
            matches!(result, Ok(_) | Err(PlayerError::Lost { reason: Reason::Hang, .. }));
        self.starved = match (&self.connection, self.waiting) {
            (Some(child), Some(then)) if may_be_late => child.processor_use().starved_since(then),
            _ => Duration::ZERO,
        };
        if result.is_err() {
            self.connection = None;
        }
        result
    }
}

impl Contestant for Process {
    fn version(&self) -> Option<String> {
        self.identity.name.clone()
    }

    fn begin(&mut self, start: &Position, _: u64) -> Result<(), PlayerError> {
        self.waiting = None;
        let begun = self.get_ready(start);
        // Any failure before the first move counts as not getting ready; the detail keeps its
        // reason.
        self.end_if_failed(begun).map_err(|failure| match failure {
            PlayerError::Lost { reason, detail } => {
                PlayerError::lost(Reason::NoStart, format!("{reason}: {detail}"))
            }
            other => other,
        })
    }

    fn choose(&mut self, game: &Game, limits: &MoveLimits) -> Result<Move, PlayerError> {
        let chosen = self.search(game, limits);
        self.end_if_failed(chosen)
    }

    fn result(&mut self, game: &Game) -> Result<Option<Outcome>, PlayerError> {
        // UCI has no query for the result of a game.
        if self.dialect() != Dialect::Ugi || self.connection.is_none() {
            return Ok(None);
        }
        let result = self.ask_result(game);
        self.end_if_failed(result)
    }

    fn starved(&self) -> Duration {
        self.starved
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

/// Adds the fields of an `info` message, unless `multipv` shows that it is not the best line.
fn annotate(latest: &mut Move, fields: &Fields<'_>) {
    if fields.multipv.unwrap_or(1) != 1 {
        return;
    }
    latest.depth = fields.depth.or(latest.depth);
    latest.nodes = fields.nodes.or(latest.nodes);
    latest.leaves = fields.leaves.or(latest.leaves);
    if let Some(margin) = fields.value {
        latest.evaluation = Some(MoveEvaluation { margin, proved: false });
    }
    // `info string proved` follows the `info` whose score it is about.
    if let Some(evaluation) = &mut latest.evaluation {
        evaluation.proved |= fields.proved;
    }
}

/// The amount of output for one request.
#[derive(Debug)]
struct OutputCount {
    since: Instant,
    bytes: usize,
    lines: usize,
}

impl Default for OutputCount {
    fn default() -> Self {
        Self { since: Instant::now(), bytes: 0, lines: 0 }
    }
}

impl OutputCount {
    fn add(&mut self, line: &OutputLine) -> Result<(), PlayerError> {
        self.bytes += line.text.len() + 1;
        self.lines += 1;
        if self.bytes > MAX_BYTES || self.lines > MAX_LINES {
            return Err(self.flood());
        }
        Ok(())
    }

    /// The failure of a program that has not answered by the deadline.
    fn overdue(&self) -> PlayerError {
        if self.lines > FLOOD_AT_DEADLINE {
            return self.flood();
        }
        PlayerError::hang(self.since.elapsed())
    }

    fn flood(&self) -> PlayerError {
        let Self { bytes, lines, .. } = self;
        let detail = format!("output flood: {lines} lines, {bytes} bytes for one request");
        PlayerError::lost(Reason::Garbage, detail)
    }
}

/// A name or an answer, cut to [`MAX_NAME`] characters.
fn truncated(name: &str) -> String {
    name.chars().take(MAX_NAME).collect()
}

fn not_running() -> PlayerError {
    PlayerError::lost(Reason::Crash, "the process is not running")
}

fn bad_move(error: MoveError) -> PlayerError {
    let reason = match &error {
        // A single letter may be a pit of a larger board; anything else is not a move.
        MoveError::Letter { got, .. } if !is_letter(got) => Reason::Garbage,
        _ => Reason::IllegalMove,
    };
    PlayerError::lost(reason, error.to_string())
}

fn is_letter(text: &str) -> bool {
    text.len() == 1 && text.starts_with(|letter: char| letter.is_ascii_alphabetic())
}

/// A program that wrote an unknown line instead of an answer did not hang: the line shows the
/// engine's author what went wrong.
fn with_unknown_line(failure: PlayerError, unknown: Option<String>) -> PlayerError {
    match (failure, unknown) {
        (PlayerError::Lost { reason: Reason::Hang, detail }, Some(line)) => {
            let detail = format!("{detail}, but wrote '{}'", shortened(&line));
            PlayerError::lost(Reason::Garbage, detail)
        }
        (failure, _) => failure,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::config::PlayerKind;

    #[test]
    fn moves_that_come_in_the_quiet_time_are_late() {
        let folder = tempfile::tempdir().unwrap();
        let words = "cmd=sh arg=-c 'arg=echo bestmove A; echo info; echo bestmove B'";
        let config = PlayerConfig::parse(words, "").unwrap();
        let PlayerKind::Process(program) = &config.kind else { panic!("a program") };
        let log = folder.path().join("log");
        let interrupt = Flag::default();
        let mut process = Process::new(&config, program, log, None, Timing::default(), interrupt);
        process.open().unwrap();
        // The program ends after its lines.
        let ended = process.keep_quiet_for(Duration::from_secs(300));
        assert!(matches!(ended, Err(PlayerError::Lost { reason: Reason::Crash, .. })), "{ended:?}");
        assert_eq!(process.output.lines, 3);
        assert_eq!(process.take_warnings(), ["2 late bestmoves drained"]);
    }
}
