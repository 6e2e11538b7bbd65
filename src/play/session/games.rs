//! Beginning, saving and leaving games.

use super::{Message, Refused, Session};
use crate::game::{Capture, Side};
use crate::play::clock::ClockRules;
use crate::play::game::Game;
use crate::play::pages;
use crate::play::saved::{self, Loaded};
use crate::record::{self, Ending, Outcome, Reason};
use crate::report::format::counted;
use crate::sys::clock::now;
use crate::view::sentence;

impl Session {
    pub(super) fn announce(&mut self) {
        let position = self.game.position();
        let capture = match position.capture() {
            Capture::Standard => "",
            Capture::EmptyCapture => ", empty captures",
        };
        let pie_rule = if self.setup.pie_rule { ", pie rule" } else { "" };
        let clocks = self.clock_rules.map(|rules| format!(", clocks of {rules}"));
        let clocks = clocks.unwrap_or_default();
        let seeds = sentence::seeds(position.total());
        let (pits, names) = (counted(position.pits() as u64, "pit"), self.names_against());
        let result = match self.game.is_over() {
            true => format!(" {}", sentence::of_result(position)),
            false => String::new(),
        };
        self.text(format!("Kalah, {pits}, {seeds}{capture}{pie_rule}{clocks}. {names}.{result}"));
        self.name_opening();
        self.messages.push(Message::Board);
        self.let_engine_move();
    }

    pub(super) fn start_again(&mut self) {
        self.cancel();
        self.saved_games.begin_game();
        self.game = Game::new(self.setup.start, self.setup.pie_rule);
        self.seats = self.setup.seats();
        self.names = None;
        self.clock_rules = self.setup.clock_rules;
        self.is_over_time = [false; 2];
        self.named_margin = None;
        self.date = now();
        self.paused = false;
        self.expected = None;
        self.announce();
    }

    pub(super) fn continue_game(&mut self, Loaded { record, number, count }: Loaded) {
        self.cancel();
        self.game = Game::from_record(&record);
        match saved::seats_of(&record) {
            Some(seats) => {
                self.seats = Side::BOTH.map(|side| seats[record.player_at(side).index()]);
                self.names = None;
                self.clock_rules = ClockRules::read(&record);
            }
            None => self.names = Some(record.players.clone().map(|player| player.name)),
        }
        self.is_over_time = [false; 2];
        self.expected = None;
        let mut text = match count {
            1 => "The game".to_owned(),
            _ => format!("Game {number} of {count}"),
        };
        text += &format!(
            " of {}, {}.",
            self.names_against(),
            pages::number_of_moves(self.game.steps())
        );
        self.paused = record.ending().is_some();
        if let Some(ending) = record.ending() {
            let ending = result_of(ending);
            text += &format!(
                " {ending} next and back step through it, last shows the end, go plays on."
            );
            self.game.step_to(0);
        }
        self.date = record.date.unwrap_or_else(now);
        self.text(text);
        self.messages.push(Message::Board);
        self.let_engine_move();
    }

    /// The record as files have it.
    pub(super) fn record(&self) -> record::Game {
        let mut record = self.game.whole();
        record.date = Some(self.date.clone());
        let seats = Side::BOTH.map(|side| self.seat(side));
        let names = self.names.clone().unwrap_or_else(|| {
            seats.map(|seat| if seat.is_person() { "human" } else { "kalah" }.to_owned())
        });
        saved::set_players(&mut record, seats, &names);
        self.clock_rules.iter().for_each(|rules| rules.write(&mut record));
        record
    }

    pub(super) fn save(&mut self, name: Option<String>) -> Result<(), Refused> {
        let record = self.record();
        let text = match name {
            Some(name) => {
                let path = self.saved_games.save_copy(&name, &record)?;
                format!("Saved as {}.", path.display())
            }
            None => {
                let file =
                    self.saved_games.save(&record)?.ok_or("save needs the name of a file")?;
                format!("The game is saved in {}.", file.display())
            }
        };
        self.text(text);
        Ok(())
    }

    /// Saves which line of a game in play was gone to; finished games stay as they are.
    pub(super) fn save_line(&mut self) {
        if self.saved_games.is_in_play() && !self.game.is_over() {
            self.autosave();
        }
    }

    /// Saves after a step, and offers a finished game's page. A failure is reported
    /// once.
    pub(super) fn autosave(&mut self) {
        let record = self.record();
        match self.saved_games.save(&record) {
            Ok(Some(_)) if record.ending().is_some() => {
                // The game that was saved last is the first of the list.
                let command = self.saved_games.command("games 1 --report DIR");
                self.text(format!("The game as a page: {command}"));
            }
            Ok(_) => {}
            Err(error) => {
                self.saved_games.disable();
                self.messages.push(Message::Error(format!(
                    "{error}; this game is not saved any more, save FILE still works"
                )));
            }
        }
    }
}

/// How a recorded game ended, in a sentence.
fn result_of(ending: &Ending) -> String {
    let reason = match ending.reason {
        Reason::Normal => String::new(),
        reason => format!(" ({reason})"),
    };
    match ending.outcome {
        Outcome::Won(side) => format!("{side} won{reason}."),
        Outcome::Draw => format!("It was a draw{reason}."),
    }
}
