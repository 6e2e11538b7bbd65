//! What is said and done at each input: the state of a session with a manager.
//!
//! While something runs, `isready`, `stop`, `ponderhit`, `debug` and `quit` are
//! served at once; every other command waits, in order, until it has ended.
//! No threads, no clocks and no streams here: [`Action`]s say what is to be
//! done.

use std::collections::VecDeque;

use thiserror::Error;

use crate::depth::Depth;
use crate::engine::options::OptionError;
use crate::engine::{Engine, Event};
use crate::game::notation::{MoveError, PositionError};
use crate::game::{Position, Row, Side, with_row};
use crate::score::Value;
use crate::search::eval::{evaluate, terms};
use crate::search::{Info, Limits, RootMove, SearchResult};
use crate::sys::names::shortened;
use crate::view::board::{Annotations, Glyphs, View, board};

use super::command::{COMMANDS, Command};
use super::dialect::{self, Dialect};
use super::go::Go;
use crate::sys::lines::LineError;

/// What happens to a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A line came, or something that is none.
    Line(Result<String, LineError>),
    /// No line will come any more.
    End,
    /// The search has something to tell.
    Search(Event),
    /// The count or the bench has something to tell.
    Text(String),
    /// The count or the bench has ended.
    Done,
    /// What was running has ended by a fault, without a result.
    Failed,
}

/// What a session wants done, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Write a line.
    Say(String),
    /// Search the engine's position.
    Search(Limits),
    /// Count the move sequences from the engine's position.
    Perft(Depth),
    /// Measure the search.
    Bench,
    /// Stop what runs.
    Stop,
    /// Tell the search that its pondering hit.
    PonderHit,
    /// End the process.
    Quit,
}

/// Why a position was not set up. The old one stays.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
enum CannotSetUp {
    #[error("position: {0}")]
    Text(#[from] PositionError),
    #[error("position: move {index} of {count}, '{word}': {error}")]
    Move { index: usize, count: usize, word: String, error: MoveError },
}

/// Commands that may wait until a search ends; a flood is not kept.
const MOST_WAITING: usize = 10_000;

/// A session with a manager or a person.
#[derive(Debug)]
pub struct Session {
    engine: Engine,
    dialect: Dialect,
    debug: bool,
    running: Option<Running>,
    waiting: VecDeque<Command>,
    /// Whether no line will come any more.
    ended: bool,
    actions: Vec<Action>,
}

/// What is known of the search, count or bench that runs.
#[derive(Clone, Copy, Debug)]
struct Running {
    /// Where it started.
    root: Position,
    /// Lines to show.
    lines: usize,
    /// Whether it ends with a `bestmove`.
    answers: bool,
    /// Whether an `info` with a score has been said.
    told: bool,
    /// Whether it has been told to stop.
    stopping: bool,
}

impl Session {
    /// A session that speaks UCI until it is asked for UGI.
    pub fn new(engine: Engine) -> Self {
        Self {
            engine,
            dialect: Dialect::default(),
            debug: false,
            running: None,
            waiting: VecDeque::new(),
            ended: false,
            actions: Vec::new(),
        }
    }

    /// The engine, to start what an action asks for.
    pub fn engine_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// What is to be done about `input`.
    pub fn take(&mut self, input: Input) -> Vec<Action> {
        match input {
            Input::Line(Ok(line)) => self.take_line(&line),
            Input::Line(Err(error)) => self.say(dialect::error(error)),
            Input::End => self.end(),
            Input::Search(Event::Info(info)) => self.tell(&info),
            Input::Search(Event::RootMove(turned_to)) => self.tell_turn(&turned_to),
            Input::Search(Event::Finished(report)) => self.answer(&report),
            Input::Text(line) => self.say(line),
            Input::Done => self.finish(),
            Input::Failed => self.fail(),
        }
        std::mem::take(&mut self.actions)
    }

    fn say(&mut self, line: impl Into<String>) {
        self.actions.push(Action::Say(line.into()));
    }

    /// Says what went unheeded, if that is wanted.
    fn remark(&mut self, text: impl std::fmt::Display) {
        if self.debug {
            self.say(dialect::remark(text));
        }
    }

    fn take_line(&mut self, line: &str) {
        match Command::read(line) {
            Ok(None) => (),
            Ok(Some((command, skipped))) => {
                if skipped > 0 {
                    self.remark(format_args!("skipped {skipped} unknown words"));
                }
                self.receive(command);
            }
            Err(error) => self.say(dialect::error(error)),
        }
    }

    fn receive(&mut self, command: Command) {
        let at_once = match command {
            Command::Quit | Command::IsReady | Command::Debug(_) => true,
            // What waits comes first, unless it waits for this.
            Command::Stop => self.waiting.is_empty() || !self.is_stopping(),
            Command::PonderHit => self.waiting.is_empty(),
            _ => self.running.is_none(),
        };
        if at_once {
            self.serve(command);
        } else if self.waiting.len() < MOST_WAITING {
            self.waiting.push_back(command);
        } else {
            self.say(dialect::error("too many commands wait for the search to end"));
        }
    }

    fn is_stopping(&self) -> bool {
        self.running.is_some_and(|running| running.stopping)
    }

    fn serve(&mut self, command: Command) {
        match command {
            Command::Uci => self.introduce(Dialect::Uci),
            Command::Ugi => self.introduce(Dialect::Ugi),
            Command::Debug(on) => self.debug = on,
            Command::IsReady => self.say("readyok"),
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::NewGame => self.engine.new_game(),
            Command::Position { text, moves } => match self.set_up(text.as_deref(), &moves) {
                Ok(position) => self.engine.set_position(position),
                Err(error) => self.say(dialect::error(error)),
            },
            Command::Go(go) => self.go(&go),
            Command::Stop => self.stop(),
            Command::PonderHit if self.running.is_some() => self.actions.push(Action::PonderHit),
            Command::PonderHit => (),
            Command::Quit => self.quit(),
            Command::Query(query) => self.say(dialect::response(self.engine.position(), query)),
            Command::Board => self.show_board(),
            Command::Eval => self.show_evaluation(),
            Command::Bench => self.start(Action::Bench, false),
            Command::Help => self.help(),
        }
    }

    fn introduce(&mut self, dialect: Dialect) {
        self.dialect = dialect;
        for line in dialect.introduction() {
            self.say(line);
        }
    }

    fn set_option(&mut self, name: &str, value: &str) {
        match self.engine.set_option(name, value) {
            Ok(()) => (),
            Err(error @ OptionError::Unknown { .. }) if self.dialect.ignores_unknown_options() => {
                self.remark(error);
            }
            Err(error) => self.say(dialect::error(error)),
        }
    }

    fn set_up(&self, text: Option<&str>, moves: &[String]) -> Result<Position, CannotSetUp> {
        let rules = self.engine.rules();
        let mut position = match text {
            Some(text) => Position::parse(text, rules.capture())?,
            None => Position::start(rules),
        };
        for (index, word) in (1..).zip(moves) {
            let played = position.parse_move(word).and_then(|pit| Ok(position.play(pit)?));
            played.map_err(|error| CannotSetUp::Move {
                index,
                count: moves.len(),
                word: shortened(word),
                error,
            })?;
        }
        Ok(position)
    }

    fn go(&mut self, go: &Go) {
        for word in &go.skipped {
            self.remark(format_args!("go: skipped '{word}'"));
        }
        if let Some(depth) = go.perft {
            for error in &go.errors {
                self.say(dialect::error(error));
            }
            return self.start(Action::Perft(depth), false);
        }
        let (limits, errors) = go.limits(self.engine.position());
        for error in errors {
            self.say(dialect::error(error));
        }
        self.start(Action::Search(limits), true);
        if self.ended {
            self.stop();
        }
    }

    /// Notes that something runs from now on; only a search `answers`.
    fn start(&mut self, action: Action, answers: bool) {
        let root = *self.engine.position();
        let lines = self.engine.settings().multipv;
        self.running = Some(Running { root, lines, answers, told: false, stopping: false });
        self.actions.push(action);
    }

    fn stop(&mut self) {
        if let Some(running) = &mut self.running
            && !running.stopping
        {
            running.stopping = true;
            self.actions.push(Action::Stop);
        }
    }

    fn quit(&mut self) {
        self.waiting.clear();
        self.stop();
        self.ended = true;
        self.quit_when_idle();
    }

    /// The end of the input stops searches, for a manager that is gone cannot.
    /// What it does not reach is done as if it were: scripts end so.
    fn end(&mut self) {
        self.ended = true;
        if self.running.is_some_and(|running| running.answers) {
            self.stop();
        }
        self.quit_when_idle();
    }

    fn quit_when_idle(&mut self) {
        if self.ended && self.running.is_none() {
            self.actions.push(Action::Quit);
        }
    }

    fn tell(&mut self, info: &Info) {
        // A weaker level judges more lines than are asked for.
        if let Some(running) = &mut self.running
            && info.multipv <= running.lines
        {
            running.told = true;
            let root = running.root;
            for line in dialect::info(&root, info) {
                self.say(line);
            }
        }
    }

    fn tell_turn(&mut self, turned_to: &RootMove) {
        if let Some(running) = &self.running {
            let line = dialect::root_move(&running.root, turned_to);
            self.say(line);
        }
    }

    /// The end of a search: an `info` with a score unless there was one, and
    /// the one `bestmove`.
    fn answer(&mut self, report: &SearchResult) {
        if let Some(Running { root, told, .. }) = self.running {
            match &report.info {
                _ if told => (),
                Some(info) => self.tell(info),
                None => self.say(dialect::no_info(&root)),
            }
            self.say(self.dialect.best_move(&root, report));
        }
        self.finish();
    }

    /// What was running has ended: goes on with what waits.
    fn finish(&mut self) {
        self.running = None;
        while let Some(command) = self.waiting.front() {
            let at_once = matches!(command, Command::Stop | Command::PonderHit);
            if self.running.is_some() && !at_once {
                break;
            }
            if let Some(command) = self.waiting.pop_front() {
                self.serve(command);
            }
        }
        self.quit_when_idle();
    }

    fn fail(&mut self) {
        self.say(dialect::error("the search ended by a fault; playing any move"));
        match self.running {
            Some(Running { root, answers: true, .. }) => {
                let best = root.moves().nearest();
                self.answer(&SearchResult { best, ..SearchResult::default() });
            }
            _ => self.finish(),
        }
    }

    fn show_board(&mut self) {
        let position = *self.engine.position();
        let view = View { width: 80, glyphs: Glyphs::Ascii, bottom: Side::South };
        for line in board(&position, &Annotations::of(&position), &view) {
            let text: String = line.0.iter().map(|span| span.text.as_str()).collect();
            self.say(text.trim_end());
        }
        let moves = position.moves().map(|pit| format!(" {}", pit.letter(position.side())));
        let moves: String = moves.collect();
        self.say(format!("position: {position}"));
        self.say(format!("capture: {}", position.capture()));
        self.say(format!("moves:{}", if moves.is_empty() { " none" } else { &moves }));
    }

    fn show_evaluation(&mut self) {
        let position = *self.engine.position();
        let gain = with_row!(position, R => self.show_pits::<R>(&position));
        let lead = Value::from(position.lead(position.side()));
        self.say(format!("stores: {lead}"));
        self.say(format!("pits: {gain}"));
        self.say(format!(
            "evaluation: {} seeds for {}",
            Value(lead.0.saturating_add(gain.0)),
            position.side()
        ));
    }

    /// Tells what the pits promise, feature by feature, and returns the sum.
    fn show_pits<R: Row>(&mut self, position: &Position) -> Value {
        let board = position.board::<R>();
        if board.is_over() {
            return board.final_gain().into();
        }
        let weights = self.engine.settings().weights;
        let side = position.side();
        self.say(format!("{:<12}{:>14}{:>15}", "feature", side, side.other()));
        for (name, counts) in terms(board, position.pits(), &weights) {
            let counts = counts.map(|(count, weight)| (count, Value(weight).seeds()));
            let [(own, gain), (other, loss)] = counts;
            self.say(format!("{name:<12}{own:>5} x {gain:+6.2}{other:>6} x {loss:+6.2}"));
        }
        evaluate(board, position.pits(), &weights)
    }

    fn help(&mut self) {
        for spec in &COMMANDS {
            let call = format!("{} {}", spec.name, spec.usage);
            self.say(format!("{call:<45} {}", spec.doc));
        }
        self.say("protocol.md is the specification.");
    }
}
