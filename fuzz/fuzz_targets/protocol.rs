//! Feeds arbitrary bytes to the whole session, as a manager might send them.
//!
//! Whatever arrives, nothing panics, and every `go` is answered by an `info` with a score
//! and one `bestmove`. Searches and memory are kept small and no endgame tables are built,
//! because large amounts are not what is tested here.
//!
//! `cargo +nightly fuzz run protocol -- -dict=fuzz/words.dict -max_total_time=600`

#![no_main]

use kalah_engine::search::{Limits, Stopper};
use kalah_engine::{Engine, SearchEvent};
use kalah_game::depth::Depth;
use kalah_protocol::count;
use kalah_protocol::session::{Input, Session, SessionAction};
use kalah_sys::lines::Lines;
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
            && let Some(input) = Input::from_line(line)
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
    /// Whether a search is running until it is stopped.
    waiting: bool,
    has_quit: bool,
}

impl Manager {
    fn give(&mut self, input: Input) {
        for action in self.session.take(input) {
            match action {
                SessionAction::Say(line) => self.hear(&line),
                SessionAction::Search(limits) if limits.infinite || limits.ponder => {
                    self.searches += 1;
                    self.scored = false;
                    self.waiting = true;
                }
                SessionAction::Search(limits) => {
                    self.searches += 1;
                    self.scored = false;
                    self.search(Limits { moves: limits.moves, ..Limits::depth(Depth(3)) });
                }
                SessionAction::Bench | SessionAction::Prepare => self.give(Input::Done),
                SessionAction::Perft(depth) => self.count(depth.min(Depth(3))),
                SessionAction::Stop | SessionAction::PonderHit if self.waiting => {
                    self.waiting = false;
                    self.search(Limits::depth(Depth(2)));
                }
                SessionAction::Stop | SessionAction::PonderHit => (),
                SessionAction::Quit => self.has_quit = true,
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
            events.push(SearchEvent::Info(info.clone()));
        });
        events.push(SearchEvent::Finished(report));
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
