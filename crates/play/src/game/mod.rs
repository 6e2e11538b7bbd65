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

mod intents;
mod shown;
mod turn;

use std::time::Duration;

use kalah_coach::explain::Judgement;
use kalah_engine::search::Info;
use kalah_game::score::Gain;
use kalah_game::{Pit, Played, Position, Side};
use kalah_record::{Game, Reason};

use crate::clock::ClockRules;
use crate::cursor::GameCursor;
use crate::players;
use crate::question::Question;
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

impl NewGame {
    /// A game of two people from `start`, without a date, a clock, a swap or a coach.
    pub fn for_people(start: Position) -> Self {
        Self {
            start,
            seats: [Seat::Person; 2],
            pie_rule: false,
            clock_rules: None,
            has_coach: false,
            date: String::new(),
        }
    }
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
    /// The reading of the clock at the beginning of the turn; none while no clock runs.
    began: Option<Duration>,
    /// Whose flag fall was reported, indexed like `seats`.
    is_late: [bool; 2],
    question: Option<Question>,
    /// The reading when the question was asked.
    asked: Duration,
    hinted: Option<Pit>,
    /// South's margin in the opening book, as last reported.
    named_margin: Option<Gain>,
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
            began: None,
            is_late: [false; 2],
            question: None,
            asked: Duration::ZERO,
            hinted: None,
            named_margin: None,
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
