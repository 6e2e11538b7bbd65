//! Games for the laws, and an engine that answers at once.

use std::time::Duration;

use kalah_coach::judge::Judge;
use kalah_engine::Engine;
use kalah_engine::search::Stopper;
use kalah_game::{Capture, Pit, Position, Rules};
use kalah_play::clock::ClockRules;
use kalah_play::game::{Event, GameInPlay, Intent, NewGame};
use kalah_play::question::{Answer, Question};
use kalah_play::refusal::Refusal;
use kalah_play::seat::Seat;
use kalah_record::kgn;

pub(crate) fn seat(text: &str) -> Seat {
    text.parse().expect("a seat")
}

pub(crate) fn new_game(south: &str, north: &str) -> NewGame {
    NewGame {
        start: Position::start(Rules::new(4, 3, Capture::Standard).expect("rules")),
        seats: [seat(south), seat(north)],
        pie_rule: true,
        clock_rules: None,
        has_coach: false,
        date: "2026-11-20T11:05:00Z".to_owned(),
    }
}

pub(crate) fn with_clock(new: NewGame, text: &str, flag: bool) -> NewGame {
    let rules: ClockRules = text.parse().expect("a clock");
    NewGame { clock_rules: Some(ClockRules { flag, ..rules }), ..new }
}

/// A game with its engine and its time.
pub(crate) struct Table {
    pub(crate) game: GameInPlay,
    pub(crate) now: Duration,
    /// What the game has asked the engine, unless it was dropped.
    pub(crate) asked: Option<(Question, kalah_record::Game)>,
    /// Everything that has happened.
    pub(crate) events: Vec<Event>,
    judge: Judge,
}

impl Table {
    pub(crate) fn new(game: GameInPlay) -> Self {
        Self::beginning(game, Duration::ZERO)
    }

    fn beginning(game: GameInPlay, now: Duration) -> Self {
        let engine = Engine::without_tables(1).expect("memory");
        let judge = Judge { engine, stopper: Stopper::new() };
        let mut table = Self { game, now, asked: None, events: Vec::new(), judge };
        let events = table.game.begin(table.now);
        table.note(events);
        table
    }

    fn note(&mut self, events: Vec<Event>) {
        for event in events {
            match &event {
                Event::Ask(question, game) => self.asked = Some((*question, (**game).clone())),
                Event::Drop => self.asked = None,
                _ => {}
            }
            self.events.push(event);
        }
    }

    pub(crate) fn act(&mut self, intent: Intent) -> Result<(), Refusal> {
        let before = self.events.len();
        let events = self.game.act(intent, self.now)?;
        self.note(events);
        assert!(self.events.len() >= before);
        Ok(())
    }

    /// Sows the legal pit at this place.
    pub(crate) fn sow(&mut self, place: usize) -> Result<(), Refusal> {
        let pits: Vec<Pit> = self.game.position().moves().iter().collect();
        match pits.get(place % pits.len().max(1)) {
            Some(&pit) => self.act(Intent::Sow(pit)),
            None => self.act(Intent::Sow(Pit::new(0))),
        }
    }

    pub(crate) fn wait(&mut self, milliseconds: u64) {
        self.now += Duration::from_millis(milliseconds);
        let events = self.game.tick(self.now);
        self.note(events);
    }

    /// Has the engine answer its question; returns whether there was one.
    pub(crate) fn answer(&mut self) -> bool {
        let Some((question, record)) = self.asked.take() else { return false };
        let answer = match question {
            // A move costs little, and its strength does not matter.
            Question::Move(..) => {
                let move_of = Question::Move(seat("nodes=20"), None);
                move_of.answer(&mut self.judge, &record, &|_, _| ())
            }
            _ => Answer::Failed,
        };
        let events = self.game.hear(answer, self.now);
        self.note(events);
        true
    }

    /// Answers until a person is to move, the game is paused, or it is over.
    pub(crate) fn settle(&mut self) {
        while self.answer() {}
    }

    pub(crate) fn letters(&self) -> String {
        self.game.record().steps().iter().map(|step| step.played.letter()).collect()
    }

    pub(crate) fn saved(&self) -> String {
        kgn::write(&self.game.saved())
    }

    /// The table at which a second host takes up the saved game.
    pub(crate) fn reloaded(&self) -> Self {
        let text = self.saved();
        let records = kgn::read(&text).expect("a saved game");
        let game = GameInPlay::load(&records[0], new_game("human", "human"));
        Self::beginning(game, self.now)
    }
}
