//! Feeds arbitrary bytes to the whole session, as a server of the Kalah Game Protocol might
//! send them.
//!
//! Whatever arrives, and whenever, nothing panics, only lines of the protocol are sent, and the
//! session does not wake forever. The length of each line determines what the search then
//! reports: nothing, a better move or bound, or its end.
//!
//! `cargo +nightly fuzz run kgp -- -dict=fuzz/words.dict -max_total_time=600`

#![no_main]

use std::time::Duration;

use kalah_engine::search::transposition::Bound;
use kalah_engine::search::{Info, SearchEvent, SearchResult};
use kalah_game::Position;
use kalah_game::depth::Depth;
use kalah_game::score::Gain;
use kalah_kgp::action::KgpAction;
use kalah_kgp::session::{KgpInput, KgpSession, MAX_LINE};
use kalah_kgp::setup::{ClientProgress, ClientSetup, Token};
use kalah_sys::lines::Lines;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, bytes)) = bytes.split_first() else { return };
    let mut setup = ClientSetup::default();
    if first & 1 > 0 {
        setup.time = Some(Duration::from_millis(20));
    }
    if first & 2 > 0 {
        setup.token = Some(Token("secret".to_owned()));
    }
    if first & 4 > 0 {
        setup.games = Some(2);
    }
    let session = KgpSession::new(setup, ClientProgress::default());
    let mut client = Client { session, now: Duration::ZERO, search: None, is_closed: false };
    for line in Lines::new(bytes, MAX_LINE) {
        let pause = line.as_ref().map_or(1, |line| line.len() % 61) as u64;
        client.give(KgpInput::Line(line));
        client.wait(Duration::from_millis(pause * pause));
        client.find(pause);
    }
    client.wait(Duration::from_secs(3600));
});

struct Client {
    session: KgpSession,
    now: Duration,
    search: Option<(u64, Position)>,
    is_closed: bool,
}

impl Client {
    fn give(&mut self, input: KgpInput) {
        for action in self.session.take(self.now, input) {
            assert!(!self.is_closed, "{action:?} after the end");
            match action {
                KgpAction::Send(line) => {
                    assert!(line.len() + 2 <= MAX_LINE, "{} bytes", line.len());
                    assert!(!line.contains(['\r', '\n']), "{line:?}");
                }
                KgpAction::Search { number, position, .. } => {
                    assert!(self.search.is_none(), "one search at a time");
                    self.search = Some((number, position));
                }
                KgpAction::StopSearch => assert!(self.search.is_some()),
                KgpAction::GameOver(_) => (),
                KgpAction::Close(_) => self.is_closed = true,
            }
        }
    }

    fn find(&mut self, choice: u64) {
        let Some((number, position)) = &self.search else { return };
        let (number, info) = (*number, found(position, choice));
        let event = match choice % 4 {
            0 => return,
            1 => info.map(SearchEvent::Info),
            _ => {
                let best = info.as_ref().map(|info| info.pv[0]);
                Some(SearchEvent::Finished(SearchResult { best, ponder: None, info }))
            }
        };
        let Some(event) = event else { return };
        if let SearchEvent::Finished(_) = event {
            self.search = None;
        }
        self.give(KgpInput::Search(number, event));
    }

    /// Lets `time` pass and ticks whenever the session asks for it.
    fn wait(&mut self, time: Duration) {
        let end = self.now + time;
        let mut ticks = 0;
        while !self.is_closed && self.session.wakes_at() <= end {
            self.now = self.now.max(self.session.wakes_at());
            self.give(KgpInput::Tick);
            ticks += 1;
            assert!(ticks < 10_000, "the session wakes forever");
        }
        self.now = end;
    }
}

/// One of the results that a search may report; none if the game is over.
fn found(position: &Position, choice: u64) -> Option<Info> {
    let moves: Vec<_> = position.moves().iter().collect();
    let best = *moves.get(choice as usize % moves.len().max(1))?;
    Some(Info {
        depth: Depth(choice as u16),
        seldepth: choice as u16,
        time: Duration::ZERO,
        nodes: choice,
        leaves: None,
        hashfull: 0,
        tbhits: 0,
        multipv: 1,
        margin: Gain(choice as i32 - 30).into(),
        bound: [Bound::Lower, Bound::Upper, Bound::Exact][choice as usize / 4 % 3],
        proved: choice.is_multiple_of(5),
        pv: vec![best],
    })
}
