//! `kalah learn`: the tutorial.

use std::io::Write;

use clap::Args as ClapArgs;

use super::arguments::{Screen, number};
use super::failure::Failure;
use super::play::events_and_signals;
use crate::engine::Engine;
use crate::game::{Position, Rules};
use crate::play::background::BackgroundEngine;
use crate::play::line_mode;
use crate::play::saved::SavedGames;
use crate::play::seat::Seat;
use crate::play::session::{Session, Setup};
use crate::play::tutor::Tutor;
use crate::play::typing::History;

/// Learn the game in eight lessons, each with a position to solve
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  kalah learn      begin with the first lesson
  kalah learn 8    begin with the eighth: a chain of extra turns

Answer with a pit's letter; 'hint' helps, 'solution' shows the answer, 'next' skips a lesson and
'quit' leaves.")]
pub(super) struct Args {
    /// Begin with lesson N
    #[arg(value_name = "N", default_value_t = 1, value_parser = number::<usize>(1..))]
    number: usize,
    #[command(flatten)]
    screen: Screen,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let tutor = Tutor::of_lessons(self.number).map_err(Failure::Usage)?;
        teach(tutor, self.screen, out)
    }
}

/// Lets a tutor set its exercises in the terminal.
pub(super) fn teach(tutor: Tutor, screen: Screen, out: &mut dyn Write) -> Result<(), Failure> {
    let terminal = screen.terminal();
    let (sender, events) = events_and_signals();
    let setup = Setup {
        start: Position::start(Rules::default()),
        seats: [Seat::Person; 2],
        random_sides: false,
        pie_rule: false,
        clock_rules: None,
        coach: false,
        pause: Default::default(),
    };
    let engine = BackgroundEngine::new(Engine::without_tables(1)?, sender.clone());
    let mut session = Session::new(setup, engine, SavedGames::new(None), terminal.glyphs);
    session.set_width(terminal.width());
    let first = session.begin_lessons(tutor);
    let channel = (sender, events);
    Ok(line_mode::play(&mut session, &first, terminal, History::default(), channel, out)?)
}
