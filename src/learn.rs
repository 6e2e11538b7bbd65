//! `kalah learn`: the tutorial.

use std::io::Write;

use clap::Args;

use super::arguments::ScreenArgs;
use super::failure::Failure;
use kalah_coach::history::PuzzleHistory;
use kalah_coach::lessons;
use kalah_play::saved;
use kalah_terminal::event;
use kalah_terminal::game::TerminalGame;
use kalah_terminal::line_mode;
use kalah_terminal::tutor::Tutor;
use kalah_text::names::missing;
use kalah_text::typed::number;

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
    let channel = event::channel();
    let glyphs = terminal.glyphs;
    let (mut game, first) = TerminalGame::for_lessons(tutor, channel.0.clone(), glyphs)?;
    game.set_width(terminal.width());
    Ok(line_mode::play(&mut game, &first, terminal, channel, out)?)
}
