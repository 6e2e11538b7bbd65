//! Any bytes, as a manager might send them, against the whole session.
//!
//! Whatever comes, nothing panics, and every `go` gets an `info` with a score
//! and one `bestmove`. Searches are kept small, and so is the memory, and no
//! endgame tables are built: how much there is, is not what is tested.
//!
//! `cargo +nightly fuzz run protocol -- -dict=fuzz/words.dict -max_total_time=600`

#![no_main]

use kalah::game::depth::Depth;
use kalah::engine::{Engine, Event};
use kalah::protocol::count;
use kalah::protocol::session::{Action, Input, Session};
use kalah::search::{Limits, Stopper};
use kalah::sys::lines::Lines;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut manager = Manager {
        session: Session::new(Engine::without_tables(1).expect("a MiB")),
        searches: 0,
        best_moves: 0,
        scored: false,
        waiting: false,
        has_quit: false,
    };
    for line in Lines::new(bytes, 1 << 20) {
        if manager.has_quit {
            break;
        }
        if !line.as_ref().is_ok_and(|line| wants_much_memory(line))
            && let Some(input) = Input::of_line(line)
        {
            manager.give(input);
        }
    }
    manager.give(Input::End);
    assert!(manager.has_quit);
    assert_eq!(manager.searches, manager.best_moves);
});

fn wants_much_memory(line: &str) -> bool {
    let digits = line.bytes().filter(u8::is_ascii_digit).count();
    digits > 1 && line.to_ascii_lowercase().contains("hash")
}

struct Manager {
    session: Session,
    searches: u32,
    best_moves: u32,
    /// Whether the running search has shown a score.
    scored: bool,
    /// Whether a search runs until it is stopped.
    waiting: bool,
    has_quit: bool,
}

impl Manager {
    fn give(&mut self, input: Input) {
        for action in self.session.take(input) {
            match action {
                Action::Say(line) => self.hear(&line),
                Action::Search(limits) if limits.infinite || limits.ponder => {
                    self.searches += 1;
                    self.scored = false;
                    self.waiting = true;
                }
                Action::Search(limits) => {
                    self.searches += 1;
                    self.scored = false;
                    self.search(Limits { moves: limits.moves, ..Limits::depth(Depth(3)) });
                }
                Action::Bench | Action::Prepare => self.give(Input::Done),
                Action::Perft(depth) => self.count(depth.min(Depth(3))),
                Action::Stop | Action::PonderHit if self.waiting => {
                    self.waiting = false;
                    self.search(Limits::depth(Depth(2)));
                }
                Action::Stop | Action::PonderHit => (),
                Action::Quit => self.has_quit = true,
            }
        }
    }

    fn hear(&mut self, line: &str) {
        assert!(!line.contains(['\n', '\r', '\0']), "one line, and printable");
        self.scored |= line.contains(" score cp ");
        if line.starts_with("bestmove ") {
            assert!(self.scored);
            self.best_moves += 1;
        }
    }

    fn search(&mut self, limits: Limits) {
        let engine = self.session.engine_mut();
        engine.settings_mut().threads = 1;
        let limits = Limits { nodes: Some(5000), ..limits };
        let mut events = Vec::new();
        let report = engine.search(limits, &Stopper::new(), &mut |info| {
            events.push(Event::Info(info.clone()));
        });
        events.push(Event::Finished(report));
        for event in events {
            self.give(Input::Search(event));
        }
    }

    fn count(&mut self, depth: Depth) {
        let position = *self.session.engine_mut().position();
        let mut lines = Vec::new();
        count::perft(&position, depth, &Stopper::new(), &mut |line| lines.push(line));
        for line in lines {
            self.give(Input::Text(line));
        }
        self.give(Input::Done);
    }
}
