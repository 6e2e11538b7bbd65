//! The substitute for `full_screen` in a program without the feature `tui`: it has no options.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender};

use clap::Args;

use kalah_play::saved::Loaded;
use kalah_terminal::{event::TerminalEvent, game::TerminalGame, terminal::Terminal};

#[derive(Clone, Copy, Debug, Args)]
pub(super) struct FullScreenArgs {}

impl FullScreenArgs {
    pub(super) fn is_wanted(self) -> bool {
        false
    }

    pub(super) fn play(
        self,
        _: &mut TerminalGame,
        _: Option<Loaded>,
        _: Terminal,
        _: (Sender<TerminalEvent>, Receiver<TerminalEvent>),
        _: &mut dyn Write,
    ) -> io::Result<()> {
        unreachable!("it is never wanted")
    }
}
