//! The state of the full screen: a session, and what is shown of it.

use std::collections::VecDeque;
use std::time::Duration;

use ratatui::crossterm::event::{
    Event as Input, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};
use ratatui::layout::Rect;

use super::animation::{Animation, Pace};
use super::keys::{self, Key};
use crate::game::{Pit, Side};
use crate::play::command::{self, Action};
use crate::play::event::Event;
use crate::play::pages;
use crate::play::session::{Message, Session};
use crate::play::typing::{Typed, Typing};
use crate::view::board::{Glyphs, View, is_upright, pit_at};
use crate::view::palette::Palette;
use crate::view::text::{Line, Role};

/// How the screen is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) palette: Palette,
    pub(crate) glyphs: Glyphs,
    pub(crate) pace: Pace,
}

/// A page over the board.
pub(super) struct Popup {
    pub(super) title: &'static str,
    pub(super) lines: Vec<Line>,
    /// The line at its top.
    pub(super) first_line: usize,
}

impl Popup {
    fn new(title: &'static str, lines: Vec<Line>) -> Self {
        // Keys come before the commands that can be typed after ':'.
        let (title, lines) =
            if title == "Commands" { ("Keys", keys::page(lines)) } else { (title, lines) };
        Self { title, lines, first_line: 0 }
    }
}

/// Where the board is drawn.
pub(super) struct BoardLayout {
    pub(super) area: Rect,
    pub(super) view: View,
}

pub(super) struct App<'a> {
    pub(super) session: &'a mut Session,
    pub(super) style: Style,
    /// The pit chosen with the arrows; see [`App::chosen`].
    choice: Option<Pit>,
    /// Sentences, latest last.
    pub(super) texts: VecDeque<(Role, String)>,
    pub(super) popup: Option<Popup>,
    /// The command after `:`, while one is being typed.
    pub(super) typing: Typing,
    pub(super) is_typing: bool,
    pub(super) animation: Animation,
    pub(super) shows_bar: bool,
    /// None if the window is too small for a board.
    pub(super) layout: Option<BoardLayout>,
    /// What is shown after the session has ended.
    pub(super) last_messages: Vec<Message>,
    /// The number of steps at the last estimate for the bar.
    estimated: Option<usize>,
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
    pub(super) fn new(session: &'a mut Session, style: Style, typing: Typing) -> Self {
        Self {
            session,
            style,
            choice: None,
            texts: VecDeque::new(),
            popup: None,
            typing,
            is_typing: false,
            animation: Animation::new(style.pace),
            // The bar gives hints away, so it is shown only on request.
            shows_bar: false,
            layout: None,
            last_messages: Vec::new(),
            estimated: None,
            progress: None,
            suspends: false,
            waiting: Vec::new(),
            result_shown: false,
        }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.session.has_ended()
    }

    pub(super) fn handle(&mut self, event: Event) {
        match event {
            Event::Engine(number, update) => {
                self.progress = None;
                let messages = self.session.update(number, update);
                self.show(messages);
            }
            Event::End => self.act(Action::Quit),
            Event::Interrupt => self.interrupt(),
            Event::Screen(Input::Key(key)) if key.kind != KeyEventKind::Release => {
                if self.is_typing {
                    self.type_command(key);
                } else {
                    self.press(keys::meaning(key, self.session.game().position().pits()));
                }
            }
            Event::Screen(Input::Mouse(mouse))
                if mouse.kind == MouseEventKind::Down(MouseButton::Left) =>
            {
                self.click(mouse.column.into(), mouse.row.into());
            }
            Event::Screen(_) | Event::Line(_) => {}
        }
    }

    fn type_command(&mut self, key: KeyEvent) {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Esc => self.stop_typing(),
            KeyCode::Char('c') if is_control => self.stop_typing(),
            KeyCode::Backspace if self.typing.is_empty() => self.stop_typing(),
            _ => match self.typing.press(key, self.session.game().position()) {
                Typed::Nothing => {}
                Typed::Choices(choices) => self.show_text(Role::Plain, choices.join(", ")),
                Typed::Line(line) => {
                    self.stop_typing();
                    match command::parse(&line, self.session.game().position()) {
                        _ if line.trim().is_empty() => {}
                        Ok(action) => self.act(action),
                        Err(error) => self.show(vec![Message::Error(error)]),
                    }
                }
            },
        }
    }

    fn stop_typing(&mut self) {
        self.typing.clear();
        self.is_typing = false;
    }

    fn press(&mut self, key: Key) {
        if let Some(popup) = &mut self.popup {
            // All other keys are ignored: what is typed by mistake must not sow pits.
            match key {
                Key::Up => popup.first_line = popup.first_line.saturating_sub(1),
                Key::Down => popup.first_line += 1,
                Key::Close | Key::SowChosen | Key::Interrupt => self.popup = None,
                Key::Act(Action::Help | Action::Quit) => self.popup = None,
                // Typing one of the commands that the page of keys lists.
                Key::Command => (self.popup, self.is_typing) = (None, true),
                Key::Suspend => self.suspends = true,
                _ => {}
            }
            return;
        }
        // On an upright board the near row runs downwards.
        let position = self.session.game().position();
        let upright = self.layout.as_ref().is_some_and(|layout| is_upright(position, &layout.view));
        match key {
            Key::Act(action) => self.act(action),
            Key::Left => self.choose(false),
            Key::Right => self.choose(true),
            Key::Up if upright => self.choose(false),
            Key::Down if upright => self.choose(true),
            Key::SowChosen => match self.chosen() {
                Some(pit) => self.act(Action::Sow(pit)),
                None => self.choose(true),
            },
            Key::Command => self.is_typing = true,
            Key::Pace => {
                self.animation.change_pace();
                self.show_waiting();
                let text = format!("Sowing is shown {}.", self.animation.pace());
                self.show(vec![Message::Text(text)]);
            }
            Key::Bar => self.shows_bar = !self.shows_bar,
            Key::Interrupt => self.interrupt(),
            Key::Suspend => self.suspends = true,
            Key::Up | Key::Down | Key::Close | Key::Nothing => {}
        }
    }

    /// The pit that Enter sows: the one chosen with the arrows, or else the hint.
    pub(super) fn chosen(&self) -> Option<Pit> {
        self.choice.or_else(|| self.session.hinted())
    }

    /// Chooses the next pit to the right or left that can be sown.
    fn choose(&mut self, right: bool) {
        let position = self.session.game().position();
        let pits: Vec<Pit> = position.moves().collect();
        if pits.is_empty() || self.session.thinking().is_some() {
            return;
        }
        // The far row runs from right to left.
        let forward = right == (position.side() == self.session.bottom());
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
        if self.popup.take().is_some() {
            return;
        }
        let Some((side, pit)) = self.pit_at(column, row) else { return };
        let mover = self.session.game().position().side();
        if side == mover {
            self.act(Action::Sow(pit));
        } else {
            let letter = pit.letter(side);
            let error = format!("pit {letter} is not yours: {mover} is to move");
            self.show(vec![Message::Error(error)]);
        }
    }

    /// The pit at this column and row of the screen.
    fn pit_at(&self, column: usize, row: usize) -> Option<(Side, Pit)> {
        let BoardLayout { area, view, .. } = self.layout.as_ref()?;
        let column = column.checked_sub(area.x.into())?;
        let line = row.checked_sub(area.y.into())?;
        pit_at(self.session.game().position(), view, column, line)
    }

    fn interrupt(&mut self) {
        self.progress = None;
        let messages = self.session.interrupt();
        self.show(messages);
    }

    fn act(&mut self, action: Action) {
        self.progress = None;
        if action == Action::Hint {
            self.choice = None;
        }
        self.finish_animation();
        if let Action::Learn(_) = action {
            let elsewhere = "the tutorial works line by line: leave this and type 'kalah learn'";
            return self.show(vec![Message::Error(elsewhere.to_owned())]);
        }
        let messages = self.session.act(action);
        self.show(messages);
    }

    pub(super) fn show(&mut self, messages: Vec<Message>) {
        if self.has_ended() {
            self.last_messages = messages;
            return;
        }
        for message in messages {
            match message {
                Message::Moved { played, before, text } => {
                    self.choice = None;
                    self.animation.add(&before, &played);
                    self.show_text(Role::Plain, text);
                }
                Message::Board => {
                    self.choice = None;
                    self.estimated = None;
                    self.finish_animation();
                }
                Message::Heading(text) | Message::Text(text) => self.show_text(Role::Plain, text),
                Message::Error(text) => self.show_text(Role::Bad, pages::error(&text)),
                Message::Page { title, lines } => self.popup = Some(Popup::new(title, lines)),
                Message::Progress(done, count) => self.progress = Some((done, count)),
            }
        }
    }

    fn show_text(&mut self, role: Role, text: String) {
        // A repeated error would push everything else off the screen.
        if role == Role::Bad && self.texts.back().is_some_and(|last| last.1 == text) {
            return;
        }
        self.waiting.push((role, text));
        self.show_waiting();
    }

    /// Shows the sentences about moves, and the result of the game, unless an animation is
    /// running: they would give its end away.
    fn show_waiting(&mut self) {
        // More than fit on any screen.
        const MAX_TEXTS: usize = 50;
        if self.animation.frame().is_some() {
            return;
        }
        self.texts.extend(self.waiting.drain(..));
        self.texts.drain(..self.texts.len().saturating_sub(MAX_TEXTS));
        let result = self.session.result();
        if let (Some(lines), false) = (&result, self.result_shown) {
            self.popup = Some(Popup::new("Game over", lines.clone()));
        }
        self.result_shown = result.is_some();
    }

    /// The time until the screen changes without an event.
    pub(super) fn time_to_change(&self) -> Duration {
        self.animation.time_left().min(self.session.next_tick(true))
    }

    /// Shows the next frame of the animation if it is due, and messages of the clock.
    pub(super) fn pass_time(&mut self) {
        self.animation.advance();
        self.show_waiting();
        let messages = self.session.tick();
        self.show(messages);
    }

    fn finish_animation(&mut self) {
        self.animation.finish();
        self.show_waiting();
    }

    /// Has the engine estimate the position for the bar, once.
    pub(super) fn estimate(&mut self) {
        let steps = self.session.game().steps();
        let wanted = self.shows_bar && self.estimated != Some(steps);
        if wanted && self.session.estimate() {
            self.estimated = Some(steps);
        }
    }
}
