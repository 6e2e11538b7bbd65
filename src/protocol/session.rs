//! A session with a manager: [`Session::take`] turns each [`Input`] into [`Action`]s.
//!
//! While something is running in the background, `isready`, `stop`, `ponderhit`, `debug`
//! and `quit` are served at once; every other command waits, in order, until it has ended.
//! There are no threads, clocks or streams here: the caller acts.

use std::collections::VecDeque;
use std::time::Duration;

use crate::engine::options::{EngineOption, OPTIONS, OptionError};
use crate::engine::restrictions::Restrictions;
use crate::engine::{Engine, Event};
use crate::evaluation::{Evaluation, Term, terms};
use crate::game::depth::Depth;
use crate::game::score::Value;
use crate::game::{IllegalMove, Pit, Position, Row, Side, with_row};
use crate::search::{Info, Limits, RootMove, SearchResult};
use crate::sys::lines::LineError;
use crate::sys::names::shortened;
use crate::view::board::{Annotations, Glyphs, View, board};

use super::command::{COMMANDS, Command};
use super::dialect::{self, Dialect};
use super::go::Go;

/// An event that a session answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// The command of the next line, and how many unknown words were skipped
    /// before it.
    Command(Command, usize),
    /// The error of a line that is not a command.
    Wrong(String),
    /// The end of the input: no line follows.
    End,
    /// An event of the running search.
    Search(Event),
    /// A line of output of the running count or bench.
    Text(String),
    /// The count or the bench has ended.
    Done,
    /// The work in the background has panicked or could not be started.
    Failed,
    /// The work in the background has taken the longest time that [`Restrictions`] allow.
    Overtime,
}

impl Input {
    /// The input of the next line, none if it is blank.
    pub fn of_line(line: Result<String, LineError>) -> Option<Self> {
        let line = line.map_err(|error| error.to_string());
        match line.and_then(|line| Command::parse(&line)) {
            Ok(command) => command.map(|(command, skipped)| Self::Command(command, skipped)),
            Err(error) => Some(Self::Wrong(error)),
        }
    }

    /// Approximate bytes of memory that a line takes until it is served.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Command(command, _) => command.size(),
            Self::Wrong(error) => size_of::<Self>().saturating_add(error.len()),
            _ => 0,
        }
    }
}

/// What the caller of a session has to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Write one line, without its line break, to the output.
    Say(String),
    /// Search the engine's position in the background.
    Search(Limits),
    /// Count the move sequences from the engine's position in the background.
    Perft(Depth),
    /// Run the benchmark in the background.
    Bench,
    /// Prepare the engine in the background.
    Prepare,
    /// Stop whatever is running in the background. The session continues.
    Stop,
    /// Forward the ponderhit to the search.
    PonderHit,
    /// End the process without waiting for the background.
    Quit,
}

/// A session with a manager or a person.
#[derive(Debug)]
pub struct Session {
    engine: Engine,
    restrictions: Option<Restrictions>,
    dialect: Dialect,
    debug: bool,
    running: Option<Running>,
    waiting: VecDeque<Command>,
    /// Approximate bytes of the waiting commands and their answers.
    waiting_size: usize,
    /// Whether the input has ended, or `quit` has come.
    ended: bool,
    actions: Vec<Action>,
}

/// The work in the background: at most one thing at a time.
#[derive(Clone, Copy, Debug)]
struct Running {
    /// The position when it began.
    root: Position,
    multipv: usize,
    work: Work,
    /// Whether an `info` with a score has been written.
    has_score: bool,
    is_stopping: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    /// Ends with a `bestmove`.
    Search,
    /// A count or a bench.
    Count,
    /// Answers this many `isready` when it ends.
    Preparation(usize),
}

impl Session {
    /// A session that speaks UCI until the first `ugi`.
    pub fn new(engine: Engine) -> Self {
        Self {
            engine,
            restrictions: None,
            dialect: Dialect::default(),
            debug: false,
            running: None,
            waiting: VecDeque::new(),
            waiting_size: 0,
            ended: false,
            actions: Vec::new(),
        }
    }

    /// The same with a manager that may not ask for everything.
    pub fn restricted(engine: Engine, restrictions: Restrictions) -> Self {
        Self { restrictions: Some(restrictions), ..Self::new(engine) }
    }

    /// The longest work in the background, if it is restricted.
    pub fn max_time(&self) -> Option<Duration> {
        self.restrictions.as_ref().map(|restrictions| restrictions.time)
    }

    /// The engine, to carry out an action.
    pub fn engine_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// Approximate bytes of memory of the commands that wait, and of their answers.
    pub fn waiting_size(&self) -> usize {
        self.waiting_size
    }

    /// Takes one event; returns what has to be done about it, in this order.
    pub fn take(&mut self, input: Input) -> Vec<Action> {
        match input {
            Input::Command(command, skipped) => {
                if skipped > 0 {
                    let words = if skipped == 1 { "word" } else { "words" };
                    self.remark(format_args!("skipped {skipped} unknown {words}"));
                }
                self.receive(command);
            }
            Input::Wrong(error) => self.say(dialect::error(error)),
            Input::End => self.end(),
            Input::Search(Event::Info(info)) => self.write_info(&info),
            Input::Search(Event::RootMove(root_move)) => self.write_root_move(&root_move),
            Input::Search(Event::Finished(result)) => self.finish_search(&result),
            Input::Text(line) => self.say(line),
            Input::Done => self.finish(),
            Input::Failed => self.fail(),
            Input::Overtime => self.end_overtime(),
        }
        std::mem::take(&mut self.actions)
    }

    fn say(&mut self, line: impl Into<String>) {
        self.actions.push(Action::Say(line.into()));
    }

    /// Reports what was skipped, if `debug` is on.
    fn remark(&mut self, text: impl std::fmt::Display) {
        if self.debug {
            self.say(dialect::remark(text));
        }
    }

    fn receive(&mut self, command: Command) {
        let at_once = match command {
            Command::Quit | Command::IsReady | Command::Debug(_) => true,
            // A second stop is meant for a waiting search, and so is a stop during the
            // preparation for it: stopping anything now would lose it.
            Command::Stop => self.waiting.is_empty() || self.can_be_stopped(),
            Command::PonderHit => self.waiting.is_empty(),
            _ => self.running.is_none(),
        };
        if at_once {
            self.serve(command);
        } else {
            self.waiting_size = self.waiting_size.saturating_add(command.size());
            self.waiting.push_back(command);
        }
    }

    fn can_be_stopped(&self) -> bool {
        self.running.is_some_and(|running| {
            !running.is_stopping && !matches!(running.work, Work::Preparation(_))
        })
    }

    fn serve(&mut self, command: Command) {
        match command {
            Command::Uci => self.introduce(Dialect::Uci),
            Command::Ugi => self.introduce(Dialect::Ugi),
            Command::Debug(on) => self.debug = on,
            Command::IsReady => self.prepare(),
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
            Command::Bench => self.start(Action::Bench),
            Command::Help => self.help(),
        }
    }

    /// Answers `isready` when the engine is prepared, or at once if something that needs
    /// it prepared is already running.
    fn prepare(&mut self) {
        match &mut self.running {
            Some(Running { work: Work::Preparation(waiting), .. }) => {
                *waiting = waiting.saturating_add(1);
                self.waiting_size = self.waiting_size.saturating_add(Command::IsReady.size());
            }
            None if !self.engine.is_prepared() => self.start(Action::Prepare),
            _ => {
                // This only reads the book and adopts the tables of other engines.
                if self.running.is_none() {
                    self.engine.prepare();
                }
                self.say("readyok");
            }
        }
    }

    fn introduce(&mut self, dialect: Dialect) {
        self.dialect = dialect;
        let mut lines = dialect.introduction(OPTIONS.iter().filter_map(|each| self.allowed(each)));
        if let Some(time) = self.max_time() {
            let note = format!("searches, counts and benchmarks end after {} s", time.as_secs());
            lines.insert(lines.len().saturating_sub(1), dialect::remark(note));
        }
        lines.into_iter().for_each(|line| self.say(line));
    }

    /// An option as far as it may be set.
    fn allowed(&self, option: &EngineOption) -> Option<EngineOption> {
        match &self.restrictions {
            Some(restrictions) => restrictions.apply(option),
            None => Some(option.clone()),
        }
    }

    fn set_option(&mut self, name: &str, value: &str) {
        let set = EngineOption::named(name).and_then(|option| match self.allowed(option) {
            Some(option) => option.set(&mut self.engine, value),
            None => {
                let message = format!("{}: cannot be set in this session", option.name);
                Err(OptionError::Value(message))
            }
        });
        match set {
            Ok(()) => (),
            Err(error @ OptionError::Unknown(_)) if self.dialect.ignores_unknown_options() => {
                self.remark(error);
            }
            Err(error) => self.say(dialect::error(error)),
        }
    }

    fn set_up(&self, text: Option<&str>, moves: &str) -> Result<Position, String> {
        let rules = self.engine.rules();
        let mut position = match text {
            Some(text) => Position::parse(text, rules.capture())
                .map_err(|error| format!("position: {error}"))?,
            None => Position::start(rules),
        };
        let words = moves.split_whitespace();
        position.play_moves(words.clone()).map_err(|IllegalMove { number, error }| {
            let count = words.clone().count();
            let word = words.clone().nth(number.saturating_sub(1)).map(shortened);
            let word = word.unwrap_or_default();
            format!("position: move {number} of {count}, '{word}': {error}")
        })?;
        Ok(position)
    }

    fn go(&mut self, go: &Go) {
        if let Some(depth) = go.perft {
            for error in &go.errors {
                self.say(dialect::error(error));
            }
            return self.start(Action::Perft(depth));
        }
        let (limits, errors) = go.limits(self.engine.position());
        for error in errors {
            self.say(dialect::error(error));
        }
        self.start(Action::Search(limits));
        if self.ended {
            self.stop();
        }
    }

    fn start(&mut self, action: Action) {
        self.running = Some(Running {
            root: *self.engine.position(),
            multipv: self.engine.settings().multipv,
            work: match action {
                Action::Search(_) => Work::Search,
                Action::Prepare => Work::Preparation(1),
                _ => Work::Count,
            },
            has_score: false,
            is_stopping: false,
        });
        self.actions.push(action);
    }

    fn stop(&mut self) {
        if let Some(running) = &mut self.running
            && !running.is_stopping
        {
            running.is_stopping = true;
            self.actions.push(Action::Stop);
        }
    }

    fn end_overtime(&mut self) {
        if let Some(time) = self.max_time().filter(|_| self.can_be_stopped()) {
            let note = format!("stopped after {} s, the maximum of this session", time.as_secs());
            self.say(dialect::remark(note));
            self.stop();
        }
    }

    fn quit(&mut self) {
        self.waiting.clear();
        self.waiting_size = 0;
        self.ended = true;
        if let Some(Running { work: Work::Preparation(_), .. }) = self.running {
            // A preparation cannot be stopped, and its result is not needed.
            self.running = None;
        }
        self.stop();
        self.quit_when_idle();
    }

    /// The end of the input stops a search, because a manager that is gone cannot. Counts
    /// and benchmarks finish: scripts pipe commands and rely on the answers.
    fn end(&mut self) {
        self.ended = true;
        if self.running.is_some_and(|running| running.work == Work::Search) {
            self.stop();
        }
        self.quit_when_idle();
    }

    fn quit_when_idle(&mut self) {
        if self.ended && self.running.is_none() {
            self.actions.push(Action::Quit);
        }
    }

    fn write_info(&mut self, info: &Info) {
        // Below full strength, more pvs are searched than the manager wants.
        if let Some(running) = &mut self.running
            && info.multipv <= running.multipv
        {
            running.has_score = true;
            let root = running.root;
            for line in dialect::info(&root, info) {
                self.say(line);
            }
        }
    }

    fn write_root_move(&mut self, root_move: &RootMove) {
        if let Some(running) = &self.running {
            let line = dialect::root_move(&running.root, root_move);
            self.say(line);
        }
    }

    /// Writes the `bestmove`, and an `info` with a score before it unless there was one:
    /// managers take a `bestmove` without a score for a fault.
    fn finish_search(&mut self, result: &SearchResult) {
        if let Some(Running { root, has_score, .. }) = self.running {
            match &result.info {
                _ if has_score => (),
                Some(info) => self.write_info(info),
                None => self.say(dialect::no_info(&root)),
            }
            self.say(self.dialect.best_move(&root, result));
        }
        self.finish();
    }

    /// Serves the commands that have waited for the background.
    fn finish(&mut self) {
        if let Some(Running { work: Work::Preparation(waiting), .. }) = self.running.take() {
            // A clone of the engine has built the tables; this adopts them.
            self.engine.prepare();
            // The first `isready` started the preparation and was not counted as waiting.
            let size = Command::IsReady.size().saturating_mul(waiting.saturating_sub(1));
            self.waiting_size = self.waiting_size.saturating_sub(size);
            (0..waiting).for_each(|_| self.say("readyok"));
        }
        while let Some(command) = self.waiting.front() {
            let at_once = matches!(command, Command::Stop | Command::PonderHit);
            if self.running.is_some() && !at_once {
                break;
            }
            if let Some(command) = self.waiting.pop_front() {
                self.waiting_size = self.waiting_size.saturating_sub(command.size());
                self.serve(command);
            }
        }
        self.quit_when_idle();
    }

    fn fail(&mut self) {
        match self.running {
            Some(Running { root, work: Work::Search, .. }) => {
                self.say(dialect::error("the search failed; playing any move"));
                let best = root.moves().nearest();
                self.finish_search(&SearchResult { best, ..SearchResult::default() });
            }
            _ => {
                self.say(dialect::error("the work in the background failed"));
                self.finish();
            }
        }
    }

    fn show_board(&mut self) {
        let position = *self.engine.position();
        let view = View { width: 80, height: None, glyphs: Glyphs::Ascii, bottom: Side::South };
        for line in board(&position, &Annotations::of(&position), &view) {
            self.say(line.text());
        }
        let moves = position.moves().map(|pit| format!(" {}", pit.letter(position.side())));
        let moves: String = moves.collect();
        self.say(format!("position: {position}"));
        self.say(format!("capture: {}", position.capture()));
        self.say(format!("moves:{}", if moves.is_empty() { " none" } else { &moves }));
    }

    fn show_evaluation(&mut self) {
        let position = *self.engine.position();
        let gain = with_row!(position, R => self.show_terms::<R>(&position));
        let lead = Value::from(position.lead(position.side()));
        self.say(format!("stores: {lead}"));
        self.say(format!("pits: {gain}"));
        self.say(format!(
            "evaluation: {} seeds for {}",
            Value(lead.0.saturating_add(gain.0)),
            position.side()
        ));
    }

    /// Shows the parts of the static evaluation of the pits; returns the whole.
    fn show_terms<R: Row>(&mut self, position: &Position) -> Value {
        let board = position.board::<R>();
        if board.is_over() {
            return board.final_gain().into();
        }
        let evaluation = self.engine.evaluation();
        let gain = evaluation.of(board, position.pits());
        let side = position.side();
        let (heading, lines): (_, Vec<String>) = match evaluation {
            Evaluation::Linear(weights) => {
                let terms = terms(board, position.pits(), weights).into_iter();
                let heading = format!("{:<12}{:>14}{:>15}", "feature", side, side.other());
                (heading, terms.map(term_line).collect())
            }
            Evaluation::Network(network) => {
                // A network is not linear: the value without two pits is not the sum of the
                // differences that each of them makes.
                let heading = "pit  value lost without its seeds (not additive)".to_owned();
                (heading, network.worths(board, side).into_iter().map(worth_line).collect())
            }
        };
        self.say(heading);
        lines.into_iter().for_each(|line| self.say(line));
        gain
    }

    fn help(&mut self) {
        for spec in &COMMANDS {
            let call = format!("{} {}", spec.name, spec.usage);
            self.say(format!("{call:<45} {}", spec.doc));
        }
        self.say("protocol.md is the specification.");
    }
}

/// A feature of the linear evaluation, for the mover and for the opponent.
fn term_line((name, counts): Term) -> String {
    let [(own, gain), (other, loss)] = counts.map(|(count, weight)| (count, Value(weight).seeds()));
    format!("{name:<12}{own:>5} x {gain:+6.2}{other:>6} x {loss:+6.2}")
}

fn worth_line((side, pit, worth): (Side, Pit, Value)) -> String {
    format!("{}  {:+6.2}", pit.letter(side), worth.seeds())
}
