//! The screen that keys, clicks and time lead to, drawn without a terminal.

use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent};

use super::app::App;
use super::{ScreenStyle, SowingSpeed, draw};
use kalah_engine::Engine;
use kalah_engine::search::Limits;
use kalah_game::{Capture, Position, Rules, depth::Depth};
use kalah_play::clock::ClockRules;
use kalah_play::game::NewGame;
use kalah_play::saved::SavedGames;
use kalah_play::seat::Seat;
use kalah_terminal::background::BackgroundEngine;
use kalah_terminal::command::CommandInput;
use kalah_terminal::event::{self, TerminalEvent};
use kalah_terminal::game::{GameSetup, TerminalGame};
use kalah_terminal::message::GameMessage;
use kalah_terminal::palette::Palette;
use kalah_testing::PATIENCE;
use kalah_view::board::Glyphs;

/// A game on a screen.
struct Screen {
    app: App<'static>,
    terminal: Terminal<TestBackend>,
    events: Receiver<TerminalEvent>,
}

impl Screen {
    fn new(game: NewGame, speed: SowingSpeed, lines: u16, columns: u16) -> Self {
        let setup = GameSetup { game, random_sides: false, pause: Duration::ZERO };
        let (sender, events) = event::channel();
        let engine = BackgroundEngine::new(Engine::without_tables(1).unwrap(), sender);
        let game = TerminalGame::new(setup, engine, SavedGames::new(None), Glyphs::Unicode);
        // The app only borrows the game, which therefore lasts as long as the tests.
        let game = Box::leak(Box::new(game));
        game.set_input(CommandInput::Keys);
        let first = game.begin(None);
        let style = ScreenStyle { palette: Palette::None, glyphs: Glyphs::Unicode, speed };
        let mut app = App::new(game, style);
        let terminal = Terminal::new(TestBackend::new(columns, lines)).unwrap();
        app.show(first);
        let mut screen = Self { app, terminal, events };
        screen.rows();
        screen
    }

    /// Two people on a screen of 24 lines and 80 columns, who begin at `position`.
    fn of_people(position: &str) -> Self {
        let position = Position::parse(position, Capture::Standard).unwrap();
        Self::new(NewGame::for_people(position), SowingSpeed::Off, 24, 80)
    }

    /// A person on a screen of this size, against an engine within `limits`.
    fn against(limits: Limits, lines: u16, columns: u16) -> Self {
        // No book has the moves of this variant, so the engine searches.
        let start = Position::start(Rules::usual(Capture::EmptyCapture));
        let seats = [Seat::Person, Seat::Limits(limits)];
        let game = NewGame { seats, ..NewGame::for_people(start) };
        Self::new(game, SowingSpeed::Off, lines, columns)
    }

    /// Draws the screen.
    fn rows(&mut self) -> Vec<String> {
        self.terminal.draw(|frame| draw(frame, &mut self.app)).unwrap();
        let buffer = self.terminal.backend().buffer();
        let rows = buffer.content.chunks(buffer.area.width.into());
        rows.map(|row| row.iter().map(|cell| cell.symbol()).collect()).collect()
    }

    fn contents(&mut self) -> String {
        self.rows().join("\n")
    }

    fn press(&mut self, key: KeyCode) {
        self.app.handle(TerminalEvent::Screen(Event::Key(KeyEvent::from(key))));
        self.rows();
    }

    /// Presses a key for each character.
    fn send(&mut self, keys: &str) {
        for key in keys.chars() {
            self.press(match key {
                '\r' => KeyCode::Enter,
                '\t' => KeyCode::Tab,
                '\x1b' => KeyCode::Esc,
                letter => KeyCode::Char(letter),
            });
        }
    }

    fn resize(&mut self, lines: u16, columns: u16) {
        self.terminal.backend_mut().resize(columns, lines);
        self.terminal.autoresize().unwrap();
    }

    /// Lets time pass until the text is on the screen; returns that screen.
    #[track_caller]
    fn wait_for(&mut self, text: &str) -> String {
        let started = Instant::now();
        loop {
            let shown = self.contents();
            if shown.contains(text) {
                return shown;
            }
            let left = PATIENCE.saturating_sub(started.elapsed());
            assert!(left > Duration::ZERO, "expected {text} on the screen:\n{shown}");
            match self.events.recv_timeout(self.app.time_to_change().min(left)) {
                Ok(event) => self.app.handle(event),
                Err(_) => self.app.pass_time(),
            }
        }
    }

    /// Presses keys and waits for what they bring to the screen.
    #[track_caller]
    fn keys(&mut self, script: &[(&str, &str)]) {
        for (keys, answer) in script {
            self.send(keys);
            self.wait_for(answer);
        }
    }
}

const START: &str = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S";

#[test]
fn keys_sow_undo_hint_and_leave() {
    let mut screen = Screen::against(Limits::depth(Depth(3)), 24, 80);
    screen.keys(&[("c", "[C]"), ("", "1. C"), ("", "● South (you) to move")]);
    // The choice goes round the pits that can be sown.
    let before = screen.app.chosen();
    screen.press(KeyCode::Right);
    let first = screen.app.chosen();
    screen.press(KeyCode::Right);
    let second = screen.app.chosen().unwrap();
    assert!(before.is_none() && first < Some(second));
    screen.wait_for(&format!(">{}<", second.letter(kalah_game::Side::South)));
    screen.keys(&[("t", "Hint: "), ("u", "Took back"), ("?", "Esc closes")]);
    // A page ignores the keys of the board, but `:` starts a command.
    screen.send("abxu:level beginner\r");
    let shown = screen.wait_for("The engine plays as beginner");
    assert!(!shown.contains("Esc closes") && !shown.contains("1. CA"), "{shown}");
    screen.keys(&[(":flip\r", "North is now at the bottom."), (":nonsense\r", "got 'nonsense'")]);
    screen.send("q");
    assert!(screen.app.has_ended());
}

#[test]
fn the_hint_is_the_choice_that_enter_sows() {
    let mut screen = Screen::of_people(START);
    screen.keys(&[("\r", ">A<"), ("t", "Hint: C"), ("", ">C<"), ("\r", "1. C")]);
    assert!(!screen.contents().contains('>'), "the choice is gone");
}

#[test]
fn a_page_leaves_the_board_its_seeds_and_the_line_of_keys() {
    let mut screen = Screen::of_people(START);
    let before = screen.rows();
    screen.send("?");
    screen.wait_for("Esc closes");
    let shown = screen.rows();
    assert_eq!(shown[..14], before[..14]);
    assert!(shown[23].trim_end().ends_with("? keys  q quit"), "{}", shown[23]);
}

#[test]
fn sowing_is_shown_seed_by_seed_and_a_key_ends_it() {
    let people = NewGame::for_people(Position::start(Rules::default()));
    let mut screen = Screen::new(people, SowingSpeed::Slow, 24, 80);
    screen.send("c");
    for hand in [4, 3, 2] {
        screen.wait_for(&format!("in hand: {hand}"));
    }
    screen.keys(&[("a", "in hand: 4")]);
}

#[test]
fn the_sentence_of_a_move_waits_until_its_seeds_are_sown() {
    let position = Position::parse("<3,0,0,0,0,1,0,0,1> S", Capture::Standard).unwrap();
    let mut screen = Screen::new(NewGame::for_people(position), SowingSpeed::Slow, 24, 80);
    screen.send("c");
    let sowing = screen.wait_for("in hand: 1");
    assert!(!sowing.contains("South sowed") && !sowing.contains("Game over"), "{sowing}");
    screen.keys(&[("", "Game over"), ("\x1b", "South sowed C")]);
}

#[test]
fn a_small_window_is_reported_and_a_larger_one_shows_the_board() {
    let mut screen = Screen::against(Limits::depth(Depth(2)), 8, 30);
    screen.wait_for("This window has 30 columns");
    for (lines, columns) in [(12, 30), (14, 24)] {
        screen.resize(lines - 1, columns);
        screen.wait_for("This window has");
        screen.resize(lines, columns);
        screen.wait_for("South (y");
    }
    screen.resize(24, 80);
    screen.wait_for("South (you) to move");
    screen.resize(16, 40);
    let shown = screen.wait_for("╰────┴───┴───┴───┴───┴───┴───┴────╯");
    assert!(shown.contains("q quit"), "{shown}");
}

#[test]
fn a_command_after_a_colon_is_completed_and_edited() {
    let mut screen = Screen::against(Limits::depth(Depth(2)), 40, 120);
    screen.keys(&[
        ("", "South (you) to move"),
        (":lev\tbe\t\r", "The engine plays as beginner"),
        (":re\t", "redo, resign"),
    ]);
    for key in [KeyCode::Left, KeyCode::Left, KeyCode::Delete, KeyCode::Delete] {
        screen.press(key);
    }
    screen.wait_for(":_");
    screen.press(KeyCode::Up);
    screen.press(KeyCode::Left);
    screen.wait_for(":level beginner");
}

#[test]
fn clocks_run_on_the_screen() {
    let clock_rules = ClockRules { flag: true, .."0.05+1".parse().unwrap() };
    let people = NewGame::for_people(Position::start(Rules::default()));
    let game = NewGame { clock_rules: Some(clock_rules), ..people };
    let mut screen = Screen::new(game, SowingSpeed::Off, 24, 80);
    screen.wait_for("● South, 0:03 to move");
    screen.send("a");
    for shown in ["● North, 0:03 to move", "● North, 0:01 to move", "North ran out of time"] {
        screen.wait_for(shown);
    }
    screen.wait_for("South wins.");
}

#[test]
fn the_end_of_a_game_is_a_page_with_the_result() {
    let position = Position::parse("<2,0,0,1,1,0,1> S", Capture::Standard).unwrap();
    let seats = [Seat::Person, Seat::Limits(Limits::depth(Depth(1)))];
    let game = NewGame { seats, ..NewGame::for_people(position) };
    let mut screen = Screen::new(game, SowingSpeed::Off, 24, 80);
    screen.keys(&[("b", "South moves again."), ("a", "Game over"), ("", "You win by 1.")]);
    screen.wait_for("South wins 2 to 1.");
    screen.send("\x1b");
    assert!(!screen.contents().contains("Game over"));
    screen.keys(&[("", "n new game  x analysis"), ("u", "Took back")]);
    assert!(!screen.contents().contains("as a page"));
    screen.send("q");
    // What was undone can be redone, so the messages are those of a game with moves.
    let last = &screen.app.last_messages;
    assert!(last.iter().all(|message| matches!(message, GameMessage::Text(_))), "{last:?}");
}

#[test]
fn the_keys_on_the_page_of_the_result_work_there() {
    let mut screen = Screen::of_people("<3,0,0,0,0,1,0,1,1> S");
    screen.resize(24, 40);
    screen.keys(&[("", "South to move"), ("c", "Game over")]);
    screen.keys(&[("", "x analyses, u undoes, n plays again."), ("x", "Analysis")]);
    screen.send(" ");
    screen.keys(&[("n", "● South to move"), ("c", "Game over"), ("u", "Took back 1 move.")]);
    screen.wait_for("● South to move");
}

#[test]
fn messages_on_the_full_screen_name_keys() {
    let position = Position::parse("<3,0,0,1,0,2,1,9,1> S", Capture::Standard).unwrap();
    let game = NewGame { has_coach: true, ..NewGame::for_people(position) };
    let mut screen = Screen::new(game, SowingSpeed::Off, 24, 80);
    screen.keys(&[("c", "it back with u."), ("u", "Took back 1 move.")]);
}
