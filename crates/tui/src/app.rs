//! The state of full-screen mode: a game, and how it is displayed.

use std::{collections::VecDeque, time::Duration};

use ratatui::crossterm::event::{
    Event as Input, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};
use ratatui::layout::Rect;

use super::animation::{Animation, SowingSpeed};
use super::keys::{self, KeyMeaning};
use kalah_game::{Pit, Side};
use kalah_play::game::Intent;
use kalah_play::question::Question;
use kalah_terminal::command::{self, UserAction};
use kalah_terminal::event::TerminalEvent;
use kalah_terminal::game::TerminalGame;
use kalah_terminal::listings;
use kalah_terminal::message::{self, GameMessage};
use kalah_terminal::palette::Palette;
use kalah_terminal::typing::{Typed, Typing};
use kalah_view::board::{Glyphs, View, is_upright, pit_at};
use kalah_view::styled::{Role, StyledLine};

/// How the screen is drawn.
#[derive(Clone, Copy, Debug)]
pub struct ScreenStyle {
    /// The styles that the terminal supports.
    pub palette: Palette,
    /// The characters of drawings.
    pub glyphs: Glyphs,
    /// How fast moves are shown at first.
    pub speed: SowingSpeed,
}

/// Lines over the board.
pub(super) struct Popup {
    pub(super) title: &'static str,
    pub(super) lines: Vec<StyledLine>,
    /// The index of the line at its top.
    pub(super) first_line: usize,
    /// Whether it shows the result of the game, in which case it mentions keys for what to do next.
    is_result: bool,
}

impl Popup {
    fn new(title: &'static str, lines: Vec<StyledLine>) -> Self {
        Self { title, lines, first_line: 0, is_result: false }
    }
}

/// Where the board is drawn.
pub(super) struct BoardLayout {
    pub(super) area: Rect,
    pub(super) view: View,
}

pub(super) struct App<'a> {
    pub(super) game: &'a mut TerminalGame,
    pub(super) style: ScreenStyle,
    /// The pit chosen with the arrows; see [`App::chosen`].
    choice: Option<Pit>,
    /// Sentences, latest last.
    pub(super) texts: VecDeque<(Role, String)>,
    pub(super) popup: Option<Popup>,
    /// The command after `:`, while one is being typed.
    pub(super) typing: Typing,
    pub(super) is_typing: bool,
    pub(super) animation: Animation,
    /// None if the window is too small for a board.
    pub(super) layout: Option<BoardLayout>,
    /// The messages to print once the player has left and the terminal is restored.
    pub(super) last_messages: Vec<GameMessage>,
    /// Moves of the game analysed so far, and their total.
    pub(super) progress: Option<(usize, usize)>,
    /// Whether to return to the shell until the process is continued.
    pub(super) suspends: bool,
    /// Sentences about moves whose animation is still running.
    waiting: Vec<(Role, String)>,
    /// Whether the result of the game has been shown.
    result_shown: bool,
}

impl<'a> App<'a> {
    pub(super) fn new(game: &'a mut TerminalGame, style: ScreenStyle) -> Self {
        Self {
            game,
            style,
            choice: None,
            texts: VecDeque::new(),
            popup: None,
            typing: Typing::default(),
            is_typing: false,
            animation: Animation::new(style.speed),
            layout: None,
            last_messages: Vec::new(),
            progress: None,
            suspends: false,
            waiting: Vec::new(),
            result_shown: false,
        }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.game.has_ended()
    }

    pub(super) fn handle(&mut self, event: TerminalEvent) {
        match event {
            TerminalEvent::Engine(number, update) => {
                self.progress = None;
                let messages = self.game.update(number, update);
                self.show(messages);
            }
            TerminalEvent::End => self.act(UserAction::Quit),
            TerminalEvent::Interrupt => self.interrupt(),
            TerminalEvent::Screen(Input::Key(key)) if key.kind != KeyEventKind::Release => {
                if self.is_typing {
                    self.type_command(key);
                } else {
                    let game = self.game.current();
                    self.press(keys::meaning(key, game.position().pits(), game.is_over()));
                }
            }
            TerminalEvent::Screen(Input::Paste(text)) => self.paste(&text),
            TerminalEvent::Screen(Input::Mouse(mouse))
                if mouse.kind == MouseEventKind::Down(MouseButton::Left) =>
            {
                self.click(mouse.column.into(), mouse.row.into());
            }
            TerminalEvent::Screen(_) | TerminalEvent::Line(_) => {}
        }
    }

    fn type_command(&mut self, key: KeyEvent) {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Esc => self.stop_typing(),
            KeyCode::Char('c') if is_control => self.stop_typing(),
            KeyCode::Backspace if self.typing.is_empty() => self.stop_typing(),
            _ => match self.typing.press(key, self.game.current().position()) {
                Typed::Nothing => {}
                Typed::Choices(choices) => self.show_text(Role::Plain, choices.join(", ")),
                Typed::Line(line) => {
                    self.stop_typing();
                    match command::parse(&line, self.game.current().position()) {
                        _ if line.trim().is_empty() => {}
                        Ok(action) => self.act(action),
                        Err(error) => self.show(vec![GameMessage::Error(error.to_string())]),
                    }
                }
            },
        }
    }

    /// Types a pasted text as a command, which Enter executes: its letters are not keys.
    fn paste(&mut self, text: &str) {
        self.popup = None;
        self.is_typing = true;
        if let Err(error) = self.typing.paste(text) {
            self.is_typing = !self.typing.is_empty();
            self.show(vec![GameMessage::Error(error)]);
        }
    }

    fn stop_typing(&mut self) {
        self.typing.clear();
        self.is_typing = false;
    }

    fn press(&mut self, key: KeyMeaning) {
        if let Some(popup) = &mut self.popup {
            // All other keys are ignored: a key pressed by mistake must not sow a pit.
            match key {
                KeyMeaning::Up => popup.first_line = popup.first_line.saturating_sub(1),
                KeyMeaning::Down => popup.first_line += 1,
                KeyMeaning::Close | KeyMeaning::SowChosen | KeyMeaning::Interrupt => {
                    self.popup = None
                }
                KeyMeaning::Act(UserAction::Help | UserAction::Quit) => self.popup = None,
                KeyMeaning::Act(UserAction::Sow(_)) => {}
                // No move can be made by mistake once the game is over, and the text names these
                // keys.
                KeyMeaning::Act(action) if popup.is_result => {
                    self.popup = None;
                    self.act(action);
                }
                // The list of keys includes commands; this starts typing one.
                KeyMeaning::Command => (self.popup, self.is_typing) = (None, true),
                KeyMeaning::Suspend => self.suspends = true,
                _ => {}
            }
            return;
        }
        // On an upright board the near row runs downwards.
        let position = self.game.current().position();
        let upright = match &self.layout {
            Some(layout) => is_upright(position, &layout.view),
            None => false,
        };
        match key {
            KeyMeaning::Act(action) => self.act(action),
            KeyMeaning::Left => self.choose(false),
            KeyMeaning::Right => self.choose(true),
            KeyMeaning::Up if upright => self.choose(false),
            KeyMeaning::Down if upright => self.choose(true),
            KeyMeaning::SowChosen => match self.chosen() {
                Some(pit) => self.act(UserAction::Sow(vec![pit])),
                None => self.choose(true),
            },
            KeyMeaning::Command => self.is_typing = true,
            KeyMeaning::Interrupt => self.interrupt(),
            KeyMeaning::Suspend => self.suspends = true,
            KeyMeaning::Up | KeyMeaning::Down | KeyMeaning::Close | KeyMeaning::Nothing => {}
        }
    }

    /// The pit that Enter sows: the one chosen with the arrows, or else the hint.
    pub(super) fn chosen(&self) -> Option<Pit> {
        self.choice.or_else(|| self.game.current().hinted())
    }

    /// Chooses the next pit to the right or left that can be sown.
    fn choose(&mut self, right: bool) {
        let position = self.game.current().position();
        let pits: Vec<Pit> = position.moves().iter().collect();
        if pits.is_empty() || self.game.current().thinking().is_some() {
            return;
        }
        // The far row runs from right to left.
        let forward = right == (position.side() == self.game.bottom());
        let place = self.chosen().and_then(|chosen| pits.iter().position(|&pit| pit == chosen));
        let next = match (place, forward) {
            (None, true) => 0,
            (Some(place), true) => (place + 1) % pits.len(),
            (None | Some(0), false) => pits.len() - 1,
            (Some(place), false) => place - 1,
        };
        self.choice = Some(pits[next]);
    }

    fn click(&mut self, column: usize, row: usize) {
        // The click was meant for the popup, or for a pit that it hides.
        if self.popup.take().is_some() {
            return;
        }
        let Some((side, pit)) = self.pit_at(column, row) else { return };
        let mover = self.game.current().position().side();
        if side == mover {
            self.act(UserAction::Sow(vec![pit]));
        } else {
            let letter = pit.letter(side);
            let error = format!("pit {letter} is not yours: {mover} is to move");
            self.show(vec![GameMessage::Error(error)]);
        }
    }

    /// The pit at this column and row of the screen.
    fn pit_at(&self, column: usize, row: usize) -> Option<(Side, Pit)> {
        let BoardLayout { area, view, .. } = self.layout.as_ref()?;
        let column = column.checked_sub(area.x.into())?;
        let line = row.checked_sub(area.y.into())?;
        pit_at(self.game.current().position(), view, column, line)
    }

    fn interrupt(&mut self) {
        self.progress = None;
        let messages = self.game.interrupt();
        self.show(messages);
    }

    fn act(&mut self, action: UserAction) {
        self.progress = None;
        if action == UserAction::Intend(Intent::Ask(Question::Hint)) {
            self.choice = None;
        }
        self.finish_animation();
        let messages = self.game.act(action);
        self.show(messages);
    }

    pub(super) fn show(&mut self, messages: Vec<GameMessage>) {
        if self.has_ended() {
            self.last_messages = messages;
            return;
        }
        for message in messages {
            match message {
                GameMessage::Moved { played, before, text } => {
                    self.choice = None;
                    self.animation.add(&before, &played);
                    self.show_text(Role::Plain, text);
                }
                GameMessage::Board => {
                    self.choice = None;
                    self.finish_animation();
                }
                GameMessage::Heading(text) | GameMessage::Text(text) => {
                    self.show_text(Role::Plain, text)
                }
                GameMessage::Error(text) => self.show_text(Role::Bad, listings::error(&text)),
                // Keys come before the commands that can be typed after ':'.
                GameMessage::Listing { title: message::COMMANDS, lines } => {
                    let lines = listings::folded(keys::with_commands(lines), self.game.width());
                    self.popup = Some(Popup::new("Keys", lines));
                }
                GameMessage::Listing { title, lines } => {
                    self.popup = Some(Popup::new(title, lines));
                }
                GameMessage::Progress(done, count) => self.progress = Some((done, count)),
            }
        }
    }

    fn show_text(&mut self, role: Role, text: String) {
        // A repeated error would push everything else off the screen.
        if let Some((_, last)) = self.texts.back()
            && role == Role::Bad
            && *last == text
        {
            return;
        }
        self.waiting.push((role, text));
        self.show_waiting();
    }

    /// Shows the sentences about moves and the result of the game, unless an animation is
    /// running: they would give away how it ends.
    fn show_waiting(&mut self) {
        // More than fit on any screen.
        const MAX_TEXTS: usize = 50;
        if self.animation.frame().is_some() {
            return;
        }
        self.texts.extend(self.waiting.drain(..));
        self.texts.drain(..self.texts.len().saturating_sub(MAX_TEXTS));
        let result = self.game.result();
        if let (Some(lines), false) = (&result, self.result_shown) {
            self.popup = Some(Popup { is_result: true, ..Popup::new("Game over", lines.clone()) });
        }
        self.result_shown = result.is_some();
    }

    /// The time until the screen changes without an event.
    pub(super) fn time_to_change(&self) -> Duration {
        self.animation.time_left().min(self.game.next_tick(true))
    }

    /// Shows the next frame of the animation if it is due, and messages from the clock.
    pub(super) fn pass_time(&mut self) {
        self.animation.advance();
        self.show_waiting();
        let messages = self.game.tick();
        self.show(messages);
    }

    fn finish_animation(&mut self) {
        self.animation.finish();
        self.show_waiting();
    }
}
