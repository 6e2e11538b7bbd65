//! `kalah learn`: the tutorial.

use std::io::Write;
use std::time::Duration;

use clap::Args;

use super::arguments::{ScreenArgs, number};
use super::failure::Failure;
use super::play::events_and_signals;
use kalah_coach::history::PuzzleHistory;
use kalah_coach::lessons;
use kalah_engine::Engine;
use kalah_game::{Position, Rules};
use kalah_play::game::NewGame;
use kalah_play::saved::{self, SavedGames};
use kalah_terminal::background::BackgroundEngine;
use kalah_terminal::game::{GameSetup, TerminalGame};
use kalah_terminal::line_mode;
use kalah_terminal::tutor::Tutor;
use kalah_text::names::missing;

/// Learn the game in eight lessons, each with a position to solve
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalah learn      begin with the first lesson
  kalah learn 8    begin with the eighth: a chain of extra turns

Answer with a pit's letter; 'hint' gives a hint, 'solution' shows the answer, 'next' skips a lesson
and 'quit' leaves.")]
pub(super) struct LearnArgs {
    /// Begin with lesson N
    #[arg(value_name = "N", default_value_t = 1, value_parser = number::<usize>(1..))]
    number: usize,
    #[command(flatten)]
    screen: ScreenArgs,
}

impl LearnArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let history = PuzzleHistory::load(saved::folder().ok().as_deref());
        let count = lessons::all().len();
        if self.number > count {
            return Err(Failure::Usage(missing("lesson", self.number, count)));
        }
        teach(Tutor::for_lessons(self.number - 1, history), self.screen, out)
    }
}

/// Runs the exercises of a tutor in the terminal.
pub(super) fn teach(tutor: Tutor, screen: ScreenArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let terminal = screen.terminal();
    // A course reuses the front end for games, with its commands and signals.
    let (sender, events) = events_and_signals();
    let game = NewGame::for_people(Position::start(Rules::default()));
    let setup = GameSetup { game, random_sides: false, pause: Duration::ZERO };
    // The game needs an engine, but this one never searches, because the solver judges exercises.
    let engine = BackgroundEngine::new(Engine::without_tables(1)?, sender.clone());
    let mut game = TerminalGame::new(setup, engine, SavedGames::new(None), terminal.glyphs);
    game.set_width(terminal.width());
    let first = game.begin_lessons(tutor);
    let channel = (sender, events);
    Ok(line_mode::play(&mut game, &first, terminal, channel, out)?)
}
