//! A session with a manager: [`Session::take`] turns each [`Input`] into [`SessionAction`]s.
//!
//! While something is running in the background, `isready`, `stop`, `ponderhit`, `debug`
//! and `quit` are served immediately; every other command waits, in order, until it has ended.
//! There are no threads, clocks or streams here: the caller carries out the actions.

use std::collections::VecDeque;
use std::time::Duration;

use kalah_engine::evaluation::{Evaluation, Term, terms};
use kalah_engine::search::{Info, Limits, SearchResult};
use kalah_engine::{Engine, EngineOption, OptionError, SearchEvent};
use kalah_game::depth::Depth;
use kalah_game::score::Value;
use kalah_game::{IllegalMove, Pit, Position, Row, Side, with_row};
use kalah_sys::lines::LineError;
use kalah_text::names::shortened;
use kalah_view::board::{Annotations, Glyphs, View, board};

use super::command::{COMMANDS, EngineCommand};
use super::dialect::{self, Dialect};
use super::go::Go;
use super::restrictions::Restrictions;

/// An event for a session to handle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// The command of the next line, and how many unknown words were skipped
    /// before it.
    Command(EngineCommand, usize),
    /// The error message for a line that is not a command.
    Wrong(String),
    /// The end of the input: no line follows.
    End,
    /// An event from the running search.
    Search(SearchEvent),
    /// A line of output of the running count or bench.
    Text(String),
    /// The count or the bench has ended.
    Done,
    /// The background work has panicked or could not be started, for this reason.
    Failed(String),
    /// The background work has reached the time limit of the [`Restrictions`].
    Overtime,
}

impl Input {
    /// The input for the next line; none if it is blank.
    pub fn from_line(line: Result<String, LineError>) -> Option<Self> {
        let line = match line {
            Ok(line) => line,
            Err(error) => return Some(Self::Wrong(error.to_string())),
        };
        match EngineCommand::parse(&line) {
            Ok(command) => command.map(|(command, skipped)| Self::Command(command, skipped)),
            Err(error) => Some(Self::Wrong(error.to_string())),
        }
    }

    /// Approximate memory that a line takes until it is served, in bytes.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Command(command, _) => command.size(),
            Self::Wrong(error) => size_of::<Self>().saturating_add(error.len()),
            _ => 0,
        }
    }
}

/// An action for the caller of a session to carry out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionAction {
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
    running: Option<BackgroundWork>,
    waiting: VecDeque<EngineCommand>,
    /// Approximate memory of the waiting commands and their answers, in bytes.
    waiting_size: usize,
    /// The last report on endgame tables.
    reported_tables: Option<String>,
    /// Whether the input has ended or `quit` was received.
    ended: bool,
    actions: Vec<SessionAction>,
}

/// The background work: at most one job at a time.
#[derive(Clone, Copy, Debug)]
struct BackgroundWork {
    /// The position when it began.
    root: Position,
    multipv: usize,
    work: WorkKind,
    /// Whether an `info` with a score has been written.
    has_score: bool,
    is_stopping: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WorkKind {
    /// Ends with a `bestmove`; `unattended` if no `stop` is needed for that.
    Search { unattended: bool },
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
            reported_tables: None,
            ended: false,
            actions: Vec::new(),
        }
    }

    /// A session whose manager is subject to `restrictions`.
    pub fn restricted(engine: Engine, restrictions: Restrictions) -> Self {
        Self { restrictions: Some(restrictions), ..Self::new(engine) }
    }

    /// The time limit of background work, if there is one.
    pub(crate) fn max_time(&self) -> Option<Duration> {
        self.restrictions.as_ref().map(|restrictions| restrictions.time)
    }

    /// The engine, to carry out an action.
    pub fn engine_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// Approximate memory of the waiting commands and their answers, in bytes.
    pub fn waiting_size(&self) -> usize {
        self.waiting_size
    }

    /// Handles one event; returns the actions to carry out, in order.
    pub fn take(&mut self, input: Input) -> Vec<SessionAction> {
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
            Input::Search(SearchEvent::Info(info)) => self.write_info(&info),
            Input::Search(SearchEvent::RootMove(root_move)) => {
                if let Some(BackgroundWork { root, .. }) = &self.running {
                    self.say(dialect::root_move(root, &root_move));
                }
            }
            Input::Search(SearchEvent::Finished(result)) => self.finish_search(&result),
            Input::Text(line) => self.say(line),
            Input::Done => self.finish(),
            Input::Failed(reason) => self.fail(&reason),
            Input::Overtime => self.end_overtime(),
        }
        self.report_tables();
        std::mem::take(&mut self.actions)
    }

    /// Reports why endgame tables are smaller than wanted, before the answers to the command that
    /// revealed it. A remote manager is not shown the paths on this machine.
    fn report_tables(&mut self) {
        let fault = self.engine.resources().table_fault().map(|fault| fault.to_string());
        if fault != self.reported_tables {
            if let Some(fault) = fault.as_ref().filter(|_| self.restrictions.is_none()) {
                self.actions.insert(0, SessionAction::Say(dialect::remark(fault)));
            }
            self.reported_tables = fault;
        }
    }

    fn say(&mut self, line: impl Into<String>) {
        self.actions.push(SessionAction::Say(line.into()));
    }

    /// Reports what was skipped, if `debug` is on.
    fn remark(&mut self, text: impl std::fmt::Display) {
        if self.debug {
            self.say(dialect::remark(text));
        }
    }

    fn receive(&mut self, command: EngineCommand) {
        let at_once = match command {
            EngineCommand::Quit | EngineCommand::IsReady | EngineCommand::Debug(_) => true,
            // A second stop is meant for a waiting search, and so is a stop during the
            // preparation for it: acting on it now would leave that search without its stop.
            EngineCommand::Stop => self.waiting.is_empty() || self.can_be_stopped(),
            // A ponderhit behind a waiting command is also meant for a later search.
            EngineCommand::PonderHit => self.waiting.is_empty(),
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
        let Some(running) = self.running else { return false };
        !running.is_stopping && !matches!(running.work, WorkKind::Preparation(_))
    }

    fn serve(&mut self, command: EngineCommand) {
        match command {
            EngineCommand::Uci => self.introduce(Dialect::Uci),
            EngineCommand::Ugi => self.introduce(Dialect::Ugi),
            EngineCommand::Debug(on) => self.debug = on,
            EngineCommand::IsReady => self.prepare(),
            EngineCommand::SetOption { name, value } => self.set_option(&name, &value),
            EngineCommand::NewGame => self.engine.new_game(),
            EngineCommand::Position { text, moves } => match self.set_up(text.as_deref(), &moves) {
                Ok(position) => self.engine.set_position(position),
                Err(error) => self.say(dialect::error(error)),
            },
            EngineCommand::Go(go) => self.go(&go),
            EngineCommand::Stop => self.stop(),
            EngineCommand::PonderHit if self.running.is_some() => {
                self.actions.push(SessionAction::PonderHit)
            }
            EngineCommand::PonderHit => (),
            EngineCommand::Quit => self.quit(),
            EngineCommand::Query(query) => {
                self.say(dialect::response(self.engine.position(), query))
            }
            EngineCommand::Board => self.show_board(),
            EngineCommand::Eval => self.show_evaluation(),
            EngineCommand::Bench => self.start(SessionAction::Bench),
            EngineCommand::Help => self.help(),
        }
    }

    /// Answers `isready` when the engine is prepared, or immediately if a search, a count or a
    /// bench is running.
    fn prepare(&mut self) {
        match &mut self.running {
            Some(BackgroundWork { work: WorkKind::Preparation(waiting), .. }) => {
                *waiting = waiting.saturating_add(1);
                self.waiting_size = self.waiting_size.saturating_add(EngineCommand::IsReady.size());
            }
            None if !self.engine.is_prepared() => self.start(SessionAction::Prepare),
            _ => {
                // This is quick: it only reads the book and adopts the tables of other engines.
                if self.running.is_none() {
                    self.engine.prepare();
                }
                self.say("readyok");
            }
        }
    }

    fn introduce(&mut self, dialect: Dialect) {
        self.dialect = dialect;
        let mut lines =
            dialect.introduction(self.engine.options().filter_map(|each| self.allowed(each)));
        if let Some(time) = self.max_time() {
            // Before the `uciok` or `ugiok` that ends the introduction.
            let note = format!("searches, counts and benchmarks end after {} s", time.as_secs());
            lines.insert(lines.len().saturating_sub(1), dialect::remark(note));
        }
        lines.into_iter().for_each(|line| self.say(line));
    }

    /// The option restricted to the allowed values; none if it cannot be set.
    fn allowed(&self, option: &EngineOption) -> Option<EngineOption> {
        match &self.restrictions {
            Some(restrictions) => restrictions.apply(option),
            None => Some(option.clone()),
        }
    }

    fn set_option(&mut self, name: &str, value: &str) {
        let set = self.engine.option(name).and_then(|option| match self.allowed(option) {
            Some(option) => option.set(&mut self.engine, value),
            None => Err(OptionError::Refused {
                option: option.name,
                refusal: "cannot be set in this session".into(),
            }),
        });
        match set {
            Ok(()) => (),
            // UGI managers set some options that were never declared.
            Err(error @ OptionError::Unknown(_)) if self.dialect == Dialect::Ugi => {
                self.remark(error);
            }
            Err(error) => self.say(dialect::error(error)),
        }
    }

    fn set_up(&self, text: Option<&str>, moves: &str) -> Result<Position, String> {
        let rules = self.engine.rules();
        let mut position = match text {
            // The option applies if the text names no capture rule.
            Some(text) => Position::parse_or(text, rules.capture())
                .map_err(|error| format!("position: {error}"))?,
            None => Position::start(rules),
        };
        let words = moves.split_whitespace();
        position.play_moves(words.clone()).map_err(|IllegalMove { number, error, .. }| {
            let count = words.clone().count();
            let word = words.clone().nth(number.saturating_sub(1)).unwrap_or_default();
            format!("position: move {number} of {count}, '{}': {error}", shortened(word))
        })?;
        Ok(position)
    }

    fn go(&mut self, go: &Go) {
        if let Some(depth) = go.perft {
            for error in &go.errors {
                self.say(dialect::error(error));
            }
            return self.start(SessionAction::Perft(depth));
        }
        let (limits, errors) = go.limits(self.engine.position());
        for error in errors {
            self.say(dialect::error(error));
        }
        self.start(SessionAction::Search(limits));
        // A `go` that waited may start after the end of the input, when no `stop` can follow.
        if self.ended {
            self.stop_attended_search();
        }
    }

    fn start(&mut self, action: SessionAction) {
        self.running = Some(BackgroundWork {
            root: *self.engine.position(),
            multipv: self.engine.settings().multipv,
            work: match action {
                SessionAction::Search(limits) => {
                    WorkKind::Search { unattended: limits.ends_unattended() }
                }
                SessionAction::Prepare => WorkKind::Preparation(1),
                _ => WorkKind::Count,
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
            self.actions.push(SessionAction::Stop);
        }
    }

    fn stop_attended_search(&mut self) {
        if let Some(BackgroundWork {
            work: WorkKind::Search { unattended: false },
            is_stopping: false,
            ..
        }) = self.running
        {
            // A result cut short must not look like a complete one.
            self.say(dialect::remark("the input has ended; the search is stopped"));
            self.stop();
        }
    }

    fn end_overtime(&mut self) {
        // The deadline may be that of work that has ended in the meantime.
        if let Some(time) = self.max_time().filter(|_| self.can_be_stopped()) {
            let note = format!("stopped after {} s, the limit of this session", time.as_secs());
            self.say(dialect::remark(note));
            self.stop();
        }
    }

    fn quit(&mut self) {
        self.waiting.clear();
        self.waiting_size = 0;
        self.ended = true;
        if let Some(BackgroundWork { work: WorkKind::Preparation(_), .. }) = self.running {
            // A preparation cannot be stopped, and its result is not needed.
            self.running = None;
        }
        self.stop();
        self.quit_when_idle();
    }

    /// The end of the input stops a search that would need a `stop`, because no more can come.
    /// Everything else finishes: scripts pipe commands and rely on the answers.
    fn end(&mut self) {
        self.ended = true;
        self.stop_attended_search();
        self.quit_when_idle();
    }

    fn quit_when_idle(&mut self) {
        if self.ended && self.running.is_none() {
            self.actions.push(SessionAction::Quit);
        }
    }

    fn write_info(&mut self, info: &Info) {
        // Below full strength, more pvs are searched than the manager has asked for.
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

    /// Writes the `bestmove`, and an `info` with a score before it unless there was one:
    /// managers treat a `bestmove` without a score as a fault.
    fn finish_search(&mut self, result: &SearchResult) {
        if let Some(BackgroundWork { root, has_score, .. }) = self.running {
            match &result.info {
                _ if has_score => (),
                Some(info) => self.write_info(info),
                None => self.say(dialect::no_info(&root)),
            }
            self.say(self.dialect.best_move(&root, result));
        }
        self.finish();
    }

    /// Ends the background work and serves the commands that have waited for it.
    fn finish(&mut self) {
        if let Some(BackgroundWork { work: WorkKind::Preparation(waiting), .. }) =
            self.running.take()
        {
            // A clone of the engine has built the tables; this adopts them.
            self.engine.prepare();
            // The first `isready` started the preparation and was not counted as waiting.
            let size = EngineCommand::IsReady.size().saturating_mul(waiting.saturating_sub(1));
            self.waiting_size = self.waiting_size.saturating_sub(size);
            (0..waiting).for_each(|_| self.say("readyok"));
        }
        while let Some(command) = self.waiting.front() {
            // These are meant for the search that the queue has just started, if any.
            let at_once = matches!(command, EngineCommand::Stop | EngineCommand::PonderHit);
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

    fn fail(&mut self, reason: &str) {
        match self.running {
            Some(BackgroundWork { root, work: WorkKind::Search { .. }, .. }) => {
                let error = format!("the search failed: {reason}; playing an arbitrary legal move");
                self.say(dialect::error(error));
                // Without a `bestmove`, the manager would wait until it counts the engine as hung.
                let best = root.moves().nearest();
                self.finish_search(&SearchResult { best, ..SearchResult::default() });
            }
            _ => {
                self.say(dialect::error(format!("the background work failed: {reason}")));
                self.finish();
            }
        }
    }

    fn show_board(&mut self) {
        let position = *self.engine.position();
        // The manager's screen is unknown.
        let view = View { width: 80, height: None, glyphs: Glyphs::Ascii, bottom: Side::South };
        for line in board(&position, &Annotations::new(&position), &view) {
            self.say(line.text());
        }
        self.say(format!("position: {}", position.without_rule()));
        self.say(format!("capture: {}", position.capture()));
        let mut moves = String::new();
        for pit in position.moves() {
            moves += &format!(" {}", pit.letter(position.side()));
        }
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

    /// Shows the parts of the static evaluation of the pits; returns the evaluation itself.
    fn show_terms<R: Row>(&mut self, position: &Position) -> Value {
        let board = position.board::<R>();
        if board.is_over(position.variant()) {
            return board.final_gain(position.variant()).into();
        }
        let evaluation = self.engine.evaluation();
        let gain = evaluation.evaluate(board, position.pits());
        let side = position.side();
        let (heading, lines): (_, Vec<String>) = match evaluation {
            Evaluation::Linear(weights) => {
                let terms = terms(board, position.pits(), weights).into_iter();
                let heading = format!("{:<12}{:>14}{:>15}", "feature", side, side.other());
                (heading, terms.map(term_line).collect())
            }
            Evaluation::Network(network) => {
                // A network is not linear: what two pits are worth together is not the sum of
                // what each is worth alone.
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
        self.say("See protocol.md for the specification.");
    }
}

/// The line for a feature of the linear evaluation, for the mover and for the opponent.
fn term_line((name, counts): Term) -> String {
    let [(own, gain), (other, loss)] = counts.map(|(count, weight)| (count, Value(weight).seeds()));
    format!("{name:<12}{own:>5} x {gain:+6.2}{other:>6} x {loss:+6.2}")
}

fn worth_line((side, pit, worth): (Side, Pit, Value)) -> String {
    format!("{}  {:+6.2}", pit.letter(side), worth.seeds())
}
