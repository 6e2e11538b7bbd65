//! Programs as players: a process that speaks UCI or UGI over its pipes.
//!
//! Whatever the program does, a question to it ends: with an answer, or with a
//! named failure by the deadline. Before each question the pipes are cleared
//! by `isready` and `readyok`, so that a late `bestmove` is never taken for the
//! next answer.

mod channel;
mod words;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use self::channel::{Channel, Heard};
use super::inprocess::silent_for;
use super::player::{Answer, Budget, Failure, Interrupt, Player};
use super::schedule::Timing;
use super::spec::{Program, Protocol, Spec};
use crate::game::notation::MoveError;
use crate::game::{Capture, Position, Side};
use crate::record::{Game, Outcome, Reason};
use words::Said;

/// A program's output for one move may be this long, in bytes.
const FLOOD: usize = 16 << 20;

/// A program that plays. It is started by [`Player::begin`], and again after
/// it has failed.
#[derive(Debug)]
pub struct Process {
    program: Program,
    options: Vec<(String, String)>,
    /// Where its stderr goes.
    log: PathBuf,
    timing: Timing,
    interrupt: Interrupt,
    channel: Option<Channel>,
    identity: Identity,
    warnings: Warnings,
}

/// What a program says of itself.
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
    late_answers: u32,
    illegal_variations: u32,
    first_illegal_variation: Option<String>,
    others: Vec<String>,
}

impl Process {
    /// A program that is not started yet.
    pub fn new(
        spec: &Spec,
        program: &Program,
        log: PathBuf,
        timing: Timing,
        interrupt: Interrupt,
    ) -> Self {
        let options = spec.options.iter().map(|(name, value)| (name.clone(), value.clone()));
        Self {
            program: program.clone(),
            options: options.collect(),
            log,
            timing,
            interrupt,
            channel: None,
            identity: Identity::default(),
            warnings: Warnings::default(),
        }
    }

    /// Starts a program and ends it again.
    ///
    /// # Errors
    /// [`Failure::Lost`] with [`Reason::NoStart`] if the system cannot start it.
    pub fn try_start(program: &Program, log: &Path) -> Result<(), Failure> {
        let opened = Channel::open(program, log);
        opened.map(drop).map_err(|error| Failure::lost(Reason::NoStart, error))
    }

    fn is_ugi(&self) -> bool {
        self.program.protocol == Protocol::Ugi
    }

    fn start(&mut self) -> Result<(), Failure> {
        let channel = Channel::open(&self.program, &self.log)
            .map_err(|error| Failure::lost(Reason::NoStart, error))?;
        self.channel = Some(channel);
        self.identity = Identity::default();
        let deadline = Instant::now() + Duration::from_millis(self.timing.start);
        let (hello, end) = if self.is_ugi() { ("ugi", "ugiok") } else { ("uci", "uciok") };
        self.say(hello)?;
        loop {
            let line = self.hear(deadline)?;
            match words::said(&line) {
                Said::Name(name) => self.identity.name = Some(name.to_owned()),
                Said::Option(name) => self.identity.options.push(name.to_owned()),
                Said::Other(word) if word == end => break,
                _ => {}
            }
        }
        for (name, value) in self.options.clone() {
            if !self.identity.has(&name) {
                self.warnings.others.push(format!("does not declare option {name}"));
            }
            self.say(&format!("setoption name {name} value {value}"))?;
        }
        self.wait_until_ready(deadline)
    }

    /// Makes sure that the program plays by the rules of the match.
    fn set_rules(&mut self, start: &Position) -> Result<(), Failure> {
        const OPTION: &str = "Capture";
        let capture = start.capture();
        if self.identity.has(OPTION) {
            self.say(&format!("setoption name {OPTION} value {capture}"))
        } else if capture == Capture::Standard {
            Ok(())
        } else {
            let detail = format!("knows no option {OPTION}, the match is played by {capture}");
            Err(Failure::lost(Reason::NoStart, detail))
        }
    }

    fn say(&mut self, line: &str) -> Result<(), Failure> {
        let channel = self.channel.as_mut().ok_or_else(not_running)?;
        channel.say(line)
    }

    /// The next line, by the deadline.
    fn hear(&mut self, deadline: Instant) -> Result<String, Failure> {
        self.hear_at(deadline).map(|heard| heard.line)
    }

    fn hear_at(&mut self, deadline: Instant) -> Result<Heard, Failure> {
        let asked = Instant::now();
        let channel = self.channel.as_mut().ok_or_else(not_running)?;
        loop {
            if self.interrupt.is_raised() {
                return Err(Failure::Interrupted);
            }
            let now = Instant::now();
            let wait = deadline.saturating_duration_since(now).min(Interrupt::LOOK_EVERY);
            if let Some(heard) = channel.hear(wait)? {
                return Ok(heard);
            }
            if Instant::now() >= deadline {
                return Err(silent_for(asked.elapsed()));
            }
        }
    }

    /// Clears the pipes: whatever comes before `readyok` is an answer to
    /// nothing.
    fn wait_until_ready(&mut self, deadline: Instant) -> Result<(), Failure> {
        self.say("isready")?;
        let mut bytes = 0;
        loop {
            let line = self.hear(deadline)?;
            bytes += line.len() + 1;
            if bytes > FLOOD {
                return Err(flood());
            }
            match words::said(&line) {
                Said::Other("readyok") => return Ok(()),
                Said::BestMove(_) => self.warnings.late_answers += 1,
                _ => {}
            }
        }
    }

    fn send_position(&mut self, game: &Game) -> Result<(), Failure> {
        self.say(&words::position(game))
    }

    /// Reads lines until the answer to `go`.
    fn wait_for_answer(
        &mut self,
        game: &Game,
        asked: Instant,
        patience: Duration,
    ) -> Result<Answer, Failure> {
        let mut thought = words::Thought::default();
        let (mut bytes, mut strange) = (0, None);
        loop {
            let heard = match self.hear_at(asked + patience) {
                Ok(heard) => heard,
                Err(failure) => return Err(blame_garbage(failure, strange)),
            };
            bytes += heard.line.len() + 1;
            if bytes > FLOOD {
                return Err(flood());
            }
            match words::said(&heard.line) {
                Said::Info(info) => {
                    thought.update(&info);
                    if let Some(why) = words::illegal_variation(game, &info) {
                        self.warnings.illegal_variations += 1;
                        self.warnings.first_illegal_variation.get_or_insert(why);
                    }
                }
                Said::BestMove(text) => {
                    let pit = game.position().parse_move(text).map_err(refuse)?;
                    let time = heard.at.saturating_duration_since(asked);
                    return Ok(thought.answer(pit, time));
                }
                Said::Nothing => {}
                _ => {
                    strange.get_or_insert(heard.line);
                }
            }
        }
    }

    fn ask(&mut self, game: &Game, budget: &Budget) -> Result<Answer, Failure> {
        self.wait_until_ready(Instant::now() + budget.patience)?;
        self.send_position(game)?;
        let asked = Instant::now();
        self.say(&words::go(budget, self.program.protocol))?;
        self.wait_for_answer(game, asked, budget.patience)
    }

    /// UGI: what the program answers to a query.
    fn query(&mut self, what: &str, deadline: Instant) -> Result<String, Failure> {
        self.say(&format!("query {what}"))?;
        loop {
            let line = self.hear(deadline)?;
            if let Said::Response(answer) = words::said(&line) {
                return Ok(answer.to_owned());
            }
        }
    }

    fn ask_result(&mut self, game: &Game) -> Result<Option<Outcome>, Failure> {
        let deadline = Instant::now() + Duration::from_millis(self.timing.start);
        self.wait_until_ready(deadline)?;
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
            self.warnings.others.push(format!("takes the finished game for: {answer}"));
        }
        Ok(outcome)
    }

    /// After a failure the program is not to be trusted any more.
    fn unless_failed<T>(&mut self, result: Result<T, Failure>) -> Result<T, Failure> {
        if result.is_err() {
            self.channel = None;
        }
        result
    }
}

impl Player for Process {
    fn version(&self) -> Option<String> {
        self.identity.name.clone()
    }

    fn begin(&mut self, start: &Position, _: u64) -> Result<(), Failure> {
        let begun = (|| {
            if self.channel.is_none() {
                self.start()?;
            }
            self.set_rules(start)?;
            self.say(if self.is_ugi() { "uginewgame" } else { "ucinewgame" })?;
            self.wait_until_ready(Instant::now() + Duration::from_millis(self.timing.start))
        })();
        let begun = begun.map_err(|failure| match failure {
            Failure::Lost { reason, detail } => {
                Failure::lost(Reason::NoStart, format!("{reason}: {detail}"))
            }
            Failure::Interrupted => Failure::Interrupted,
        });
        self.unless_failed(begun)
    }

    fn choose(&mut self, game: &Game, budget: &Budget) -> Result<Answer, Failure> {
        let answer = self.ask(game, budget);
        self.unless_failed(answer)
    }

    fn result(&mut self, game: &Game) -> Result<Option<Outcome>, Failure> {
        if !self.is_ugi() || self.channel.is_none() {
            return Ok(None);
        }
        let result = self.ask_result(game);
        self.unless_failed(result)
    }

    fn take_warnings(&mut self) -> Vec<String> {
        let warnings = std::mem::take(&mut self.warnings);
        let mut texts = warnings.others;
        if warnings.late_answers > 0 {
            texts.push(format!("{} late bestmove drained", warnings.late_answers));
        }
        if let Some(first) = warnings.first_illegal_variation {
            let count = warnings.illegal_variations;
            texts.push(format!("{count} illegal variation, the first: {first}"));
        }
        texts
    }
}

fn not_running() -> Failure {
    Failure::lost(Reason::Crash, "the process is not running")
}

fn flood() -> Failure {
    let detail = format!("more than {} MiB of output for one move", FLOOD >> 20);
    Failure::lost(Reason::Garbage, detail)
}

fn refuse(error: MoveError) -> Failure {
    let reason = match &error {
        MoveError::Letter { got, .. } if got.chars().count() != 1 => Reason::Garbage,
        _ => Reason::IllegalMove,
    };
    Failure::lost(reason, error.to_string())
}

/// A player that said something, only not what was asked, did not hang.
fn blame_garbage(failure: Failure, strange: Option<String>) -> Failure {
    match (failure, strange) {
        (Failure::Lost { reason: Reason::Hang, detail }, Some(line)) => {
            let line = crate::sys::names::shortened(&line);
            Failure::lost(Reason::Garbage, format!("{detail}, but '{line}'"))
        }
        (failure, _) => failure,
    }
}
