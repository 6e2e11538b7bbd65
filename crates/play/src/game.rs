//! A game in play: one state machine, which every front end drives.
//!
//! [`GameInPlay`] takes what a player does (an [`Intent`]) and the reading of a clock, changes its
//! state, and returns what has happened (its [`Event`]s), as an update function of the Elm
//! architecture does. It never waits, reads a file or starts a thread. Two of the events ask the
//! host for work: [`Event::Ask`] for an answer of the engine, which comes back through
//! [`GameInPlay::hear`], and [`Event::Save`] to keep the [saved game](GameInPlay::saved).
//!
//! The state is the saved game: a game that is [loaded](GameInPlay::load) from it plays on as the
//! one that was saved. Only the question to the engine and the time of the current turn begin
//! afresh.
//!
//! Readings are times since any fixed moment. They must not grow while the machine is suspended
//! ([`AwakeClock`](kalah_sys::wakeup::AwakeClock)): what grows is charged to the player to move.

use std::time::Duration;

use kalah_coach::explain::Judgement;
use kalah_engine::book::Book;
use kalah_engine::search::{Clock, Info};
use kalah_game::score::{Gain, Value};
use kalah_game::{Pit, Played, Position, Side};
use kalah_record::{Game, Move, Outcome, Reason};

use crate::clock::{ClockRules, next_change};
use crate::cursor::GameCursor;
use crate::players;
use crate::question::{Answer, Question};
use crate::refusal::Refusal;
use crate::seat::Seat;

/// The tags of a saved game that hold the state of play.
const COACH: &str = "Coach";
const UNDONE: &str = "Undone";
const PAUSED: &str = "Paused";
const YES: &str = "yes";

/// A new game.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// The position from which it starts.
    pub start: Position,
    /// The players of South and North.
    pub seats: [Seat; 2],
    /// Whether the second player may swap sides.
    pub pie_rule: bool,
    /// None if time is unlimited.
    pub clock_rules: Option<ClockRules>,
    /// Whether the mistakes of people are pointed out immediately.
    pub has_coach: bool,
    /// Date and time at which it begins.
    pub date: String,
}

/// What a player does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Sow a pit of the side to move.
    Sow(Pit),
    /// Swap sides, under the pie rule.
    Swap,
    /// Take back everything since the last decision of a person, or a loss.
    TakeBack,
    /// Replay what was taken back, up to the next decision of a person.
    Redo,
    /// Look at the position after this many steps, or at the last one; the game pauses.
    GoTo(usize),
    /// Go to the end of the variation with this number, from 1; the game pauses.
    Variation(usize),
    /// Resume play from the position on the board.
    Continue,
    /// Resign for the only person, or for the side to move.
    Resign,
    /// Ask the engine about the game.
    Ask(Question),
    /// Withdraw the question that was asked.
    Withdraw,
    /// Have the engine answer immediately, with what it knows.
    Hurry,
    /// Have the engine play in this way.
    Engine(Seat),
    /// Turn the coach on or off.
    Coach(bool),
}

/// What has happened, in order.
#[derive(Clone, Debug)]
pub enum Event {
    /// A pit was sown.
    Sown {
        /// What was sown, and by whom.
        played: Played,
        /// The position before the move.
        before: Position,
    },
    /// The side to move has swapped sides.
    Swapped(Side),
    /// A person may swap sides instead of moving.
    MaySwap,
    /// The steps that had been undone are kept as the variation with this number.
    Branched(usize),
    /// The position is in the opening book: South's margin with best play.
    Opening(Gain),
    /// The engine has judged the last move, in the position before it.
    Coached(Position, Judgement),
    /// This many steps were taken back.
    TookBack(usize),
    /// A loss for this reason was taken back.
    TookBackLoss(Reason),
    /// This many steps were replayed.
    Redone(usize),
    /// The board shows a different position of the game, which is paused.
    WentTo,
    /// The variation with this number has become the game, which is paused.
    Switched(usize),
    /// Play was resumed.
    Continued,
    /// A side has lost before the game was played out.
    Lost(Side, Reason),
    /// A side has run out of time, and play continues.
    Late(Side),
    /// The engine plays in this way from now on.
    EngineChanged(Seat),
    /// Progress of a review: moves judged so far, and their total.
    Progress(usize, usize),
    /// The engine's move and why it is the best.
    Hint(Judgement),
    /// The values of the pits.
    Values(Vec<Info>),
    /// The judgement of each move.
    Reviewed(Vec<Judgement>),
    /// The engine has failed to answer.
    Failed(Question),
    /// The saved game has changed.
    Save,
    /// The engine must answer a question about this game, and drop any earlier one.
    Ask(Question, Box<Game>),
    /// The engine must answer at once.
    Hurry,
    /// The engine must drop its question.
    Drop,
}

/// The clock of the current turn.
#[derive(Clone, Copy, Debug, Default)]
struct TurnClock {
    /// The reading at the beginning of the turn; none while no clock runs.
    began: Option<Duration>,
}

impl TurnClock {
    fn time(self, now: Duration) -> Duration {
        match self.began {
            Some(began) => now.saturating_sub(began),
            None => Duration::ZERO,
        }
    }
}

/// A game in play.
#[derive(Clone, Debug)]
pub struct GameInPlay {
    cursor: GameCursor,
    /// Indexed by the sides that the players had at the start.
    seats: [Seat; 2],
    /// The names of the players in a game of a different program, until play resumes.
    names: Option<[String; 2]>,
    date: String,
    clock_rules: Option<ClockRules>,
    has_coach: bool,
    /// While true, the engine does not move and no clock runs.
    is_paused: bool,
    turn: TurnClock,
    /// Whose flag fall was reported, indexed like `seats`.
    is_late: [bool; 2],
    question: Option<Question>,
    /// The reading when the question was asked.
    asked: Duration,
    hinted: Option<Pit>,
    /// South's margin in the opening book, as last reported.
    named_margin: Option<Gain>,
    /// South's expected final margin in seeds, from the latest search.
    expected: Option<f64>,
    /// The events of the current transition.
    events: Vec<Event>,
}

/// Beginning and saving.
impl GameInPlay {
    /// A new game, which [`begin`](Self::begin) starts.
    pub fn new(new: NewGame) -> Self {
        Self {
            cursor: GameCursor::new(new.start, new.pie_rule),
            seats: new.seats,
            names: None,
            date: new.date,
            clock_rules: new.clock_rules,
            has_coach: new.has_coach,
            is_paused: false,
            turn: TurnClock::default(),
            is_late: [false; 2],
            question: None,
            asked: Duration::ZERO,
            hinted: None,
            named_margin: None,
            expected: None,
            events: Vec::new(),
        }
    }

    /// A saved game, which [`begin`](Self::begin) continues. A game of a different program has
    /// names instead of players; the players and the clocks of `new` take over when play resumes.
    pub fn load(record: &Game, new: NewGame) -> Self {
        let mut game = Self::new(new);
        game.cursor = GameCursor::from_record(record);
        game.has_coach |= has_tag(record, COACH);
        if let Some(date) = &record.date {
            game.date.clone_from(date);
        }
        match players::seats(record) {
            Some(seats) => {
                game.seats = Side::BOTH.map(|side| seats[record.player_at(side).index()]);
                game.clock_rules = ClockRules::read(record);
            }
            None => {
                game.names = Some(record.players.clone().map(|player| player.name));
            }
        }
        let undone = record.tags.get(UNDONE).and_then(|steps| steps.parse().ok()).unwrap_or(0);
        game.cursor.step_to(game.cursor.steps().saturating_sub(undone));
        game.is_paused = has_tag(record, PAUSED);
        game
    }

    /// Starts or continues the game.
    pub fn begin(&mut self, now: Duration) -> Vec<Event> {
        if self.cursor.steps() == 0 {
            self.name_opening();
        }
        self.continue_turn(now);
        self.take_events()
    }

    /// The game as it is saved, with all steps that were undone. [`load`](Self::load) restores the
    /// state from it.
    pub fn saved(&self) -> Game {
        let mut record = self.described(self.cursor.whole());
        let undone = match self.cursor.undone() {
            0 => None,
            steps => Some(steps.to_string()),
        };
        set_tag(&mut record, UNDONE, undone);
        set_tag(&mut record, PAUSED, yes_if(self.is_paused));
        record
    }

    /// The game up to the position on the board, with its players and clocks.
    pub fn shown(&self) -> Game {
        let mut record = self.described(self.cursor.record().clone());
        set_tag(&mut record, UNDONE, None);
        set_tag(&mut record, PAUSED, None);
        record
    }

    /// The game up to the cursor or its whole, with its players, its clocks and its coach.
    fn described(&self, mut record: Game) -> Game {
        record.date = Some(self.date.clone());
        // The whole game may have swapped sides after the position that is shown.
        let seats = Side::BOTH.map(|side| self.seats[record.player_at(side).index()]);
        let names = match &self.names {
            Some(names) => names.clone(),
            None => players::default_names(seats),
        };
        players::set(&mut record, seats, &names);
        match self.clock_rules {
            Some(rules) => rules.write(&mut record),
            None => ClockRules::clear(&mut record),
        }
        set_tag(&mut record, COACH, yes_if(self.has_coach));
        record
    }
}

fn has_tag(record: &Game, name: &str) -> bool {
    record.tags.get(name).map(String::as_str) == Some(YES)
}

fn yes_if(flag: bool) -> Option<String> {
    if flag { Some(YES.to_owned()) } else { None }
}

fn set_tag(record: &mut Game, name: &str, value: Option<String>) {
    match value {
        Some(value) => record.tags.insert(name.to_owned(), value),
        None => record.tags.remove(name),
    };
}

/// What a front end shows.
impl GameInPlay {
    /// The moves up to the position on the board, and those that were undone.
    pub fn cursor(&self) -> &GameCursor {
        &self.cursor
    }

    /// The game up to the position on the board.
    pub fn record(&self) -> &Game {
        self.cursor.record()
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        self.cursor.position()
    }

    /// Whether the game has ended, by its moves, a resignation or on time.
    pub fn is_over(&self) -> bool {
        self.cursor.is_over()
    }

    /// Whether the player looks at positions instead of playing.
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Whether mistakes are pointed out immediately.
    pub fn has_coach(&self) -> bool {
        self.has_coach
    }

    /// The time control, if the game has clocks.
    pub fn clock_rules(&self) -> Option<ClockRules> {
        self.clock_rules
    }

    /// The question that the engine is to answer.
    pub fn question(&self) -> Option<Question> {
        self.question
    }

    /// The side for which the engine is choosing a move, or will be once it has judged the
    /// previous one.
    pub fn thinking(&self) -> Option<Side> {
        let side = self.position().side();
        match self.question? {
            Question::Move(..) => Some(side),
            // The engine moves once the coach has judged the person's move, and counts as thinking
            // until then.
            Question::LastMove if !self.seat(side).is_person() => Some(side),
            _ => None,
        }
    }

    /// Who plays a side now.
    pub fn seat(&self, side: Side) -> Seat {
        self.seats[self.player(side)]
    }

    /// Whether a person plays.
    pub fn has_people(&self) -> bool {
        self.seats.iter().any(|seat| seat.is_person())
    }

    /// The side of the person, if there is exactly one.
    pub fn only_person(&self) -> Option<Side> {
        let south = self.seat(Side::South).is_person();
        let north = self.seat(Side::North).is_person();
        match (south, north) {
            (true, false) => Some(Side::South),
            (false, true) => Some(Side::North),
            _ => None,
        }
    }

    /// The name of the player of a side, empty if there is nothing to add to the side's own.
    pub fn name(&self, side: Side) -> String {
        if let Some(names) = &self.names {
            return names[side.index()].clone();
        }
        match self.seat(side) {
            Seat::Person if self.only_person().is_some() => "you".to_owned(),
            // Numbering the players makes a swap of sides visible.
            Seat::Person if self.record().pie_rule => format!("player {}", self.player(side) + 1),
            Seat::Person => String::new(),
            engine => engine.to_string(),
        }
    }

    /// Whether a person has decided something, or a game was lost, that can be taken back.
    pub fn may_take_back(&self) -> bool {
        self.has_people() && self.cursor.clone().undo(self.decides()).is_some()
    }

    /// The pit of the last hint, until a move is made.
    pub fn hinted(&self) -> Option<Pit> {
        self.hinted
    }

    /// South's final margin in seeds: the result, or the expectation of the latest search.
    pub fn expected(&self) -> Option<f64> {
        let result = self.record().ending().and_then(|ending| ending.margin);
        match result {
            Some(margin) => Some(f64::from(margin.0)),
            None => self.expected,
        }
    }

    /// Whether the only person has won; none for a draw, an unfinished game, and if there is not
    /// exactly one person.
    pub fn verdict(&self) -> Option<bool> {
        let person = self.only_person()?;
        match self.record().ending()?.outcome {
            Outcome::Won(winner) => Some(winner == person),
            Outcome::Draw => None,
        }
    }

    /// The time left to the player who has `side` now, less the time of the current turn; none
    /// without clocks.
    pub fn time_left(&self, side: Side, now: Duration) -> Option<Duration> {
        let left = self.clock(side)?.remaining;
        if side == self.position().side() {
            Some(left.saturating_sub(self.turn.time(now)))
        } else {
            Some(left)
        }
    }

    /// The time until [`tick`](Self::tick) has something to report or, if the clocks are `seen` on
    /// the screen, until the displayed second changes.
    pub fn next_tick(&self, now: Duration, seen: bool) -> Duration {
        let side = self.position().side();
        if self.turn.began.is_none() {
            return Duration::MAX;
        }
        match self.time_left(side, now) {
            // The flag fall has been reported, and the displayed time stays at zero.
            Some(Duration::ZERO) if self.is_late[self.player(side)] => Duration::MAX,
            Some(left) if seen => next_change(left),
            Some(left) => left,
            None => Duration::MAX,
        }
    }

    fn player(&self, side: Side) -> usize {
        self.record().player_at(side).index()
    }

    /// The clock of the player who has `side` now, as the last move left it.
    fn clock(&self, side: Side) -> Option<Clock> {
        let rules = self.clock_rules?;
        Some(rules.clocks(self.record())[self.player(side)])
    }
}

/// Transitions.
impl GameInPlay {
    /// Does what a player intends.
    ///
    /// # Errors
    /// [`Refusal`]; the game is then unchanged.
    pub fn act(&mut self, intent: Intent, now: Duration) -> Result<Vec<Event>, Refusal> {
        match intent {
            Intent::Sow(pit) => self.move_by_person(Some(pit), now)?,
            Intent::Swap => self.move_by_person(None, now)?,
            Intent::TakeBack => self.take_back(now)?,
            Intent::Redo => self.redo(now)?,
            Intent::GoTo(steps) => self.go_to(steps)?,
            Intent::Variation(number) => self.go_to_variation(number)?,
            Intent::Continue => self.resume(now)?,
            Intent::Resign => self.resign()?,
            Intent::Ask(question) => self.ask_for_person(question, now)?,
            Intent::Withdraw => self.drop_question(),
            Intent::Hurry if self.question.is_none() => return Err(Refusal::NotThinking),
            Intent::Hurry => self.events.push(Event::Hurry),
            Intent::Engine(seat) => self.change_engine(seat, now)?,
            Intent::Coach(has_coach) => {
                self.has_coach = has_coach;
                self.events.push(Event::Save);
            }
        }
        Ok(self.take_events())
    }

    /// Takes an answer to the latest question, unless it was dropped.
    pub fn hear(&mut self, answer: Answer, now: Duration) -> Vec<Event> {
        if let Answer::Progress(done, count) = answer {
            return vec![Event::Progress(done, count)];
        }
        let Some(question) = self.question.take() else { return Vec::new() };
        let side = self.position().side();
        match (question, answer) {
            (Question::Move(..), Answer::Best(result)) => {
                let time = self.time_of_move(now);
                self.move_by_engine(Move::from_search(&result, time), now);
            }
            (Question::Move(..), Answer::Move(best)) => {
                let time = Some(self.time_of_move(now));
                self.move_by_engine(Some(Move { time, ..best }), now);
            }
            (_, Answer::Best(result)) => {
                if let Some(info) = &result.info {
                    self.expect(side, info.margin);
                }
            }
            (_, Answer::LastMove(judgement)) => self.coach(judgement, now),
            (_, Answer::Hint(judgement)) => {
                self.expect(side, judgement.best.margin);
                self.hinted = Some(judgement.best.pit());
                self.events.push(Event::Hint(judgement));
            }
            (_, Answer::Values(values)) => {
                if let Some(best) = values.first() {
                    self.expect(side, best.margin);
                }
                self.events.push(Event::Values(values));
            }
            (_, Answer::Review(judgements)) => self.events.push(Event::Reviewed(judgements)),
            (question, Answer::Failed | Answer::Move(_) | Answer::Progress(..)) => {
                self.fail(question, now);
            }
        }
        self.take_events()
    }

    /// Looks at the clock. A flag fall is reported once; it loses the game if the rules say so.
    pub fn tick(&mut self, now: Duration) -> Vec<Event> {
        let side = self.position().side();
        let player = self.player(side);
        let is_late =
            self.turn.began.is_some() && self.time_left(side, now) == Some(Duration::ZERO);
        if !is_late || self.is_late[player] {
            return Vec::new();
        }
        self.is_late[player] = true;
        match self.clock_rules {
            Some(rules) if rules.flag => self.lose(side, Reason::Time),
            _ => self.events.push(Event::Late(side)),
        }
        self.take_events()
    }

    fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Sows a pit for a person; `None` swaps sides.
    fn move_by_person(&mut self, pit: Option<Pit>, now: Duration) -> Result<(), Refusal> {
        if let Some(side) = self.thinking() {
            return Err(Refusal::Thinking(side));
        }
        if let Some(ending) = self.record().ending() {
            return Err(Refusal::Over(Some(ending.clone())));
        }
        let before = *self.position();
        let seat = self.seat(before.side());
        if self.is_paused && !seat.is_person() {
            return Err(Refusal::Paused(before.side(), seat));
        }
        let variations = self.cursor.whole().variations().len();
        match pit {
            Some(pit) => {
                let time = self.clock_rules.map(|_| self.turn.time(now));
                self.cursor.play(Move { time, ..Move::new(pit) })?;
            }
            None if self.cursor.swap() => {}
            None => return Err(Refusal::NoSwap),
        }
        // Only now: a refused move must leave a running analysis alone.
        self.drop_question();
        self.is_paused = false;
        self.names = None;
        let kept = self.cursor.whole().variations().len();
        if kept > variations {
            self.events.push(Event::Branched(kept));
        }
        self.after_step(before, now);
        Ok(())
    }

    /// The time of the engine's move: that of its clock, or else of its search.
    fn time_of_move(&self, now: Duration) -> Duration {
        match self.clock_rules {
            Some(_) => self.turn.time(now),
            None => now.saturating_sub(self.asked),
        }
    }

    fn move_by_engine(&mut self, best: Option<Move>, now: Duration) {
        let before = *self.position();
        let margin = best.as_ref().and_then(|best| Some(best.evaluation?.margin));
        // Swapping sides negates the mover's margin.
        if let Some(margin) = margin
            && margin < Value::ZERO
            && self.cursor.swap()
        {
            return self.after_step(before, now);
        }
        let is_played = match best {
            Some(best) => self.cursor.play(best).is_ok(),
            None => false,
        };
        if !is_played {
            let seat = self.seat(before.side());
            return self.fail(Question::Move(seat, None), now);
        }
        if let Some(margin) = margin {
            self.expect(before.side(), margin);
        }
        self.after_step(before, now);
    }

    /// Reports the step just made, saves the game, and lets it continue.
    fn after_step(&mut self, before: Position, now: Duration) {
        let side = self.position().side();
        let has_swapped = self.cursor.has_just_swapped();
        if has_swapped {
            self.events.push(Event::Swapped(side));
        } else if let Some(step) = self.record().steps().last() {
            let played = step.played;
            self.events.push(Event::Sown { played, before });
        }
        if self.record().may_swap() && self.seat(side).is_person() {
            self.events.push(Event::MaySwap);
        }
        self.name_opening();
        self.events.push(Event::Save);
        let by_person = !has_swapped && self.seat(before.side()).is_person();
        // After the last move, the result is the message; a review judges that move, too.
        if self.has_coach && by_person && !self.is_over() {
            // No clock runs while the engine, which moves next, judges this move.
            self.turn.began = if self.seat(side).is_person() { Some(now) } else { None };
            self.ask(Question::LastMove, now);
        } else {
            self.continue_turn(now);
        }
    }

    /// Starts the turn of the side to move, unless the game is over or paused.
    fn continue_turn(&mut self, now: Duration) {
        self.turn.began = None;
        if self.is_paused || self.is_over() {
            return;
        }
        self.turn.began = Some(now);
        let side = self.position().side();
        let seat = self.seat(side);
        if !seat.is_person() {
            self.ask(Question::Move(seat, self.clock(side)), now);
        }
    }

    fn ask(&mut self, question: Question, now: Duration) {
        self.question = Some(question);
        self.asked = now;
        // A review includes the undone moves; all other questions are about the position shown.
        let game = match question {
            Question::Review => self.cursor.whole(),
            _ => self.record().clone(),
        };
        self.events.push(Event::Ask(question, Box::new(game)));
    }

    fn ask_for_person(&mut self, question: Question, now: Duration) -> Result<(), Refusal> {
        if let Some(side) = self.thinking() {
            return Err(Refusal::Thinking(side));
        }
        if question == Question::Review {
            if self.cursor.whole().steps().is_empty() {
                return Err(Refusal::NoMoves);
            }
        } else if self.position().is_over() {
            return Err(Refusal::Over(None));
        }
        self.ask(question, now);
        Ok(())
    }

    /// Drops the question to the engine, which belongs to the position that is being left.
    fn drop_question(&mut self) {
        self.hinted = None;
        if self.question.take().is_some() {
            self.events.push(Event::Drop);
        }
    }

    fn coach(&mut self, judgement: Judgement, now: Duration) {
        if let [before @ .., _] = self.record().steps() {
            let before = *self.record().position_after(before.len());
            self.events.push(Event::Coached(before, judgement));
        }
        self.after_judgement(now);
    }

    /// Lets the engine move that has waited for the coach. The clock of a person already runs.
    fn after_judgement(&mut self, now: Duration) {
        if !self.seat(self.position().side()).is_person() {
            self.continue_turn(now);
        }
    }

    fn fail(&mut self, question: Question, now: Duration) {
        match question {
            // The game does not depend on the coach: it continues without this judgement.
            Question::LastMove => return self.after_judgement(now),
            Question::Estimate => return,
            // Without the pause, the engine would fail at the same position again and again.
            Question::Move(..) => self.pause(),
            _ => {}
        }
        self.events.push(Event::Failed(question));
    }

    /// Reports the margin of the opening on the board, if the game has a coach, the book has the
    /// opening, and the margin differs from the one reported last.
    fn name_opening(&mut self) {
        let position = self.position();
        let margin = match Book::built_in().proved_margin(position) {
            Some(margin) if self.has_coach => Some(position.side().view_of(margin)),
            _ => None,
        };
        let before = std::mem::replace(&mut self.named_margin, margin);
        if let Some(margin) = margin
            && Some(margin) != before
        {
            self.events.push(Event::Opening(margin));
        }
    }

    fn expect(&mut self, side: Side, margin: Value) {
        self.expected = Some(side.view_of(margin.seeds()));
    }

    fn pause(&mut self) {
        self.is_paused = true;
        self.turn.began = None;
    }

    fn resign(&mut self) -> Result<(), Refusal> {
        if self.is_over() {
            return Err(Refusal::Over(None));
        }
        let side = match self.only_person() {
            Some(side) => side,
            None if self.has_people() => self.position().side(),
            None => return Err(Refusal::NoPerson),
        };
        self.lose(side, Reason::Resignation);
        Ok(())
    }

    fn lose(&mut self, side: Side, reason: Reason) {
        self.drop_question();
        self.turn.began = None;
        self.cursor.lose(side, reason);
        self.events.push(Event::Lost(side, reason));
        self.events.push(Event::Save);
    }

    fn take_back(&mut self, now: Duration) -> Result<(), Refusal> {
        // Read first, because undo removes the ending.
        let ending = self.record().ending().map(|ending| ending.reason);
        let event = match (self.cursor.undo(self.decides()), ending) {
            (None, _) => return Err(Refusal::NothingToUndo),
            (Some(0), Some(reason)) => Event::TookBackLoss(reason),
            (Some(steps), _) => Event::TookBack(steps),
        };
        self.arrive_at_decision(event, now);
        Ok(())
    }

    fn redo(&mut self, now: Duration) -> Result<(), Refusal> {
        match self.cursor.redo(self.decides()) {
            None => Err(Refusal::NothingToRedo),
            Some(steps) => {
                self.arrive_at_decision(Event::Redone(steps), now);
                Ok(())
            }
        }
    }

    /// Whether undo and redo stop at the turns of a player: they stop at people, or at both
    /// players if no person plays.
    fn decides(&self) -> impl Fn(Side) -> bool + use<> {
        let has_people = self.has_people();
        let seats = self.seats;
        move |player| !has_people || seats[player.index()].is_person()
    }

    fn arrive_at_decision(&mut self, event: Event, now: Duration) {
        self.drop_question();
        // Otherwise, two engines playing each other would move on immediately.
        self.is_paused |= !self.has_people();
        self.arrive(event, now);
    }

    /// Continues from the position that the player went to.
    fn arrive(&mut self, event: Event, now: Duration) {
        // The estimate belongs to the position that was left.
        self.expected = None;
        self.events.push(event);
        if !self.is_paused {
            self.events.push(Event::Save);
        }
        self.continue_turn(now);
    }

    fn go_to(&mut self, steps: usize) -> Result<(), Refusal> {
        if !self.cursor.step_to(steps) {
            return Err(Refusal::NoSuchStep(self.cursor.steps() == 0));
        }
        self.drop_question();
        self.pause();
        self.expected = None;
        self.events.push(Event::WentTo);
        Ok(())
    }

    fn go_to_variation(&mut self, number: usize) -> Result<(), Refusal> {
        if !self.cursor.go_to_variation(number) {
            return Err(Refusal::NoSuchVariation(self.cursor.whole().variations().len()));
        }
        self.drop_question();
        self.pause();
        self.expected = None;
        self.events.push(Event::Switched(number));
        Ok(())
    }

    fn resume(&mut self, now: Duration) -> Result<(), Refusal> {
        if self.position().is_over() {
            return Err(Refusal::Over(None));
        }
        if !self.is_paused {
            return Err(Refusal::InProgress);
        }
        self.drop_question();
        // A resignation or a loss on time does not keep the game from being continued.
        self.cursor.take_loss();
        self.is_paused = false;
        self.names = None;
        self.arrive(Event::Continued, now);
        Ok(())
    }

    fn change_engine(&mut self, engine: Seat, now: Duration) -> Result<(), Refusal> {
        if self.seats.iter().all(|seat| seat.is_person()) {
            return Err(Refusal::NoEngine);
        }
        for seat in self.seats.iter_mut().filter(|seat| !seat.is_person()) {
            *seat = engine;
        }
        self.events.push(Event::EngineChanged(engine));
        // The running search still has the strength of the old player.
        if self.thinking().is_some() {
            self.drop_question();
            self.continue_turn(now);
        }
        Ok(())
    }
}
