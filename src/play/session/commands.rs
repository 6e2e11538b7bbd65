//! What a person can ask for besides sowing.

use std::path::PathBuf;

use super::note::{said, trouble};
use super::{Note, Session, Task, at_home, moves};
use crate::game::Side;
use crate::play::game::{Game, Player, Step};
use crate::play::keep::{self, Keeper};
use crate::play::levels::Level;
use crate::play::pages;
use crate::play::seat::{Seat, Strength};
use crate::play::thinker::Question;
use crate::record;
use crate::sys::clock::now;
use crate::view::sentence;

impl Session {
    pub(super) fn undo(&mut self) -> Vec<Note> {
        let (people, seats) = (self.has_people(), self.seats);
        let decides = |player: Player| !people || seats[player.index()].is_person();
        match self.game.undo(decides) {
            None => vec![trouble("nothing to undo: this is your first decision of the game")],
            Some(undone) => {
                self.rest();
                self.paused |= !people;
                let text = match undone {
                    0 => "The resignation is taken back.".to_owned(),
                    _ => format!("Took back {}.", moves(undone)),
                };
                self.moved(text)
            }
        }
    }

    pub(super) fn redo(&mut self) -> Vec<Note> {
        let (people, seats) = (self.has_people(), self.seats);
        let decides = |player: Player| !people || seats[player.index()].is_person();
        match self.game.redo(decides) {
            None => vec![trouble("nothing to redo: no move was undone")],
            Some(redone) => {
                self.rest();
                self.paused |= !people;
                self.moved(format!("Made {} again.", moves(redone)))
            }
        }
    }

    /// The game was moved to another of its positions by its player.
    pub(super) fn moved(&mut self, mut text: String) -> Vec<Note> {
        self.expected = None;
        text += &match self.game.outcome() {
            None => format!(" {} to move.", self.game.position().side()),
            Some(_) => format!(" {}", sentence::of_result(self.game.position())),
        };
        let mut notes = vec![said(text), Note::Board];
        if !self.paused {
            notes.extend(self.keep());
        }
        notes.extend(self.go_on());
        notes
    }

    pub(super) fn step_to(&mut self, steps: Option<usize>) -> Vec<Note> {
        if !steps.is_some_and(|steps| self.game.step_to(steps)) {
            let end = if self.game.steps().is_empty() { "start" } else { "last move" };
            return vec![trouble(format!("this is the {end} of the game"))];
        }
        self.rest();
        self.paused = true;
        self.expected = None;
        let count = self.game.steps().len();
        let all = count + self.game.undone().len();
        let told = match self.game.last() {
            None => format!("{} to move.", self.game.position().side()),
            Some(made) => match &made.played {
                Some(played) => sentence::of_move(played, &made.after),
                None => format!("{} swapped the sides.", made.side),
            },
        };
        let remark = self.game.last().and_then(|made| made.remark.as_ref()).and_then(of_remark);
        let remark = remark.map(|remark| format!(" ({remark})")).unwrap_or_default();
        vec![said(format!("Move {count} of {all}: {told}{remark}")), Note::Board]
    }

    pub(super) fn go(&mut self) -> Vec<Note> {
        if self.game.outcome().is_some() {
            return vec![trouble("the game is over; back goes back into it")];
        }
        if !self.paused {
            return vec![trouble("the game is going on")];
        }
        self.paused = false;
        self.names = None;
        self.moved("The game goes on from here.".to_owned())
    }

    pub(super) fn now(&mut self) -> Vec<Note> {
        if self.task.is_none() {
            return vec![trouble("the engine is not thinking")];
        }
        self.thinker.hurry();
        Vec::new()
    }

    pub(super) fn analyse(&mut self) -> Vec<Note> {
        if let Some(side) = self.thinking() {
            return vec![trouble(format!(
                "the engine thinks about {side}'s move; ask in your turn"
            ))];
        }
        let steps = self.game.steps();
        let sowings = steps.iter().enumerate().filter_map(|(index, made)| match made.step {
            Step::Sow(pit) => Some((*self.game.after(index), pit)),
            Step::Swap => None,
        });
        let sowings: Vec<_> = sowings.collect();
        if sowings.is_empty() {
            return vec![trouble("there are no moves to analyse yet")];
        }
        let mut notes =
            vec![said(format!("Judging {}; this takes some seconds.", moves(sowings.len())))];
        notes.extend(self.put(Task::Losses, Question::Losses(sowings)));
        notes
    }

    pub(super) fn save(&mut self, name: Option<String>) -> Note {
        let record = self.record();
        match (name, &mut self.keeper) {
            (Some(name), keeper) => {
                let path = PathBuf::from(at_home(&name));
                let mut nowhere = Keeper::new(PathBuf::new());
                match keeper.as_mut().unwrap_or(&mut nowhere).save(&path, &record) {
                    Ok(()) => said(format!("Saved as {}.", path.display())),
                    Err(error) => trouble(error),
                }
            }
            (None, Some(keeper)) => match keeper.keep(&record) {
                Ok(()) => said(format!(
                    "The game is kept in {}.",
                    keeper.file().map(|file| file.display().to_string()).unwrap_or_default()
                )),
                Err(error) => trouble(error),
            },
            (None, None) => trouble("save needs the name of a file"),
        }
    }

    pub(super) fn record(&self) -> record::Game {
        let names = match &self.names {
            Some(names) => names.clone(),
            None => Side::BOTH.map(|side| match self.seat(side) {
                Seat::Person => "human".to_owned(),
                Seat::Engine(_) => "kalah".to_owned(),
            }),
        };
        keep::to_record(&self.game, &self.seats, &names, &self.date)
    }

    /// Writes the game to its file; a failure is told once.
    pub(super) fn keep(&mut self) -> Option<Note> {
        let record = self.record();
        let error = self.keeper.as_mut()?.keep(&record).err()?;
        self.keeper = None;
        Some(trouble(format!("{error}; this game is not kept any more, save FILE still works")))
    }

    /// The next game is another one.
    pub(super) fn leave_file(&mut self) {
        if let Some(keeper) = &mut self.keeper {
            keeper.forget();
        }
    }

    pub(super) fn level(&mut self, name: Option<String>) -> Vec<Note> {
        let engine = self.seats.iter().find_map(|seat| match seat {
            Seat::Engine(Strength::Level(level)) => Some(*level),
            _ => None,
        });
        let Some(name) = name else {
            return vec![self.page("Levels", pages::levels(engine))];
        };
        let level: Level = match name.parse() {
            Ok(level) => level,
            Err(error) => return vec![trouble(error)],
        };
        if self.seats.iter().all(|seat| seat.is_person()) {
            return vec![trouble(
                "nobody here is the engine; start with --level to play against it",
            )];
        }
        let seat = Seat::Engine(Strength::Level(level));
        self.seats = self.seats.map(|old| if old.is_person() { old } else { seat });
        self.setup.seats = self.setup.seats.map(|old| if old.is_person() { old } else { seat });
        let mut notes = vec![said(format!("The engine plays as {level}: {}.", level.about))];
        if self.thinking().is_some() {
            self.rest();
            notes.extend(self.go_on());
        }
        notes
    }

    pub(super) fn resign(&mut self) -> Vec<Note> {
        if self.game.outcome().is_some() {
            return vec![trouble("the game is over")];
        }
        let side = match self.only_person() {
            Some(side) => side,
            None if self.has_people() => self.game.position().side(),
            None => return vec![trouble("nobody here can resign: the engine plays both sides")],
        };
        self.rest();
        self.game.resign(side);
        let mut notes =
            vec![said(format!("{side} resigns, {} wins.{}", side.other(), self.verdict()))];
        notes.extend(self.keep());
        notes
    }

    pub(super) fn start_again(&mut self) -> Vec<Note> {
        self.rest();
        self.leave_file();
        self.game = Game::new(self.setup.start, self.setup.pie);
        self.seats = self.setup.seats();
        self.names = None;
        self.date = now();
        self.paused = false;
        self.expected = None;
        self.begin()
    }

    /// Ends the session; the game is in its file already.
    pub fn leave(&mut self) -> Vec<Note> {
        self.rest();
        self.left = true;
        match self.file() {
            Some(file) if self.game.outcome().is_none() => vec![said(format!(
                "The game is kept in {}; kalah play --resume goes on.",
                file.display()
            ))],
            _ => Vec::new(),
        }
    }
}

/// What a player thought of its move, if anything is known.
fn of_remark(remark: &record::Move) -> Option<String> {
    let value = remark.evaluation.map(|evaluation| {
        let exact = if evaluation.proved { "exactly" } else { "about" };
        format!(
            "the mover expected {exact} {}",
            pages::in_seeds(evaluation.margin, evaluation.proved)
        )
    });
    let parts: Vec<String> = value.into_iter().chain(remark.comment.clone()).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}
