//! `kalah play --tui`: its options, and playing in full-screen mode. Only this file uses the crate
//! `kalah_tui`.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender};

use clap::Args;

use kalah_play::saved::Loaded;
use kalah_terminal::command::CommandInput;
use kalah_terminal::event::TerminalEvent;
use kalah_terminal::game::TerminalGame;
use kalah_terminal::message::GameMessage;
use kalah_terminal::terminal::Terminal;
use kalah_text::foreign::Escaping;
use kalah_tui::{self as tui, SowingSpeed};

/// Whether and how to play in full-screen mode.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct FullScreenArgs {
    /// Play in full-screen mode, with keys and mouse
    #[arg(long, conflicts_with = "plain")]
    pub(super) tui: bool,
    /// Speed of sowing in full-screen mode: fast (ten seeds per second), slow (two or three), or
    /// off (the board changes immediately)
    #[arg(long, requires = "tui", conflicts_with = "plain", default_value_t)]
    sowing: SowingSpeed,
}

impl FullScreenArgs {
    /// Plays, and then writes the last messages to `out`.
    pub(super) fn play(
        self,
        game: &mut TerminalGame,
        loaded: Option<Loaded>,
        terminal: Terminal,
        channel: (Sender<TerminalEvent>, Receiver<TerminalEvent>),
        out: &mut dyn Write,
    ) -> io::Result<()> {
        game.set_width(terminal.width().saturating_sub(4));
        let Terminal { palette, glyphs, .. } = terminal;
        let style = tui::ScreenStyle { palette, glyphs, speed: self.sowing };
        game.set_input(CommandInput::Keys);
        let first = game.begin(loaded);
        let last_messages = tui::play(game, first, style, channel)?;
        last_messages.iter().try_for_each(|message| match message {
            GameMessage::Text(text) => writeln!(Escaping(&mut *out), "{text}"),
            _ => Ok(()),
        })
    }
}
