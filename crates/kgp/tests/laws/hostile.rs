//! Arbitrary lines: nothing panics, every line sent is valid, and the session does not
//! wake endlessly.

use kalah_engine::search::{SearchEvent, SearchResult};
use kalah_kgp::session::KgpInput;
use kalah_kgp::setup::ClientSetup;
use proptest::prelude::*;

use super::laws::Desk;

/// Words of the protocol, valid and invalid, and arbitrary text.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(vec![
            "kgp", "1", "0", "ping", "state", "stop", "problem", "ok", "error", "set", "goodbye",
            "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>", "<2,0,0,2,1,1,1>", "<12,9,9,0>", "<2,3,1,0,0,1,1>",
            "<20,0>", "time:clock", "time:mode", "absolute", "game:id", "\"a \\\" b\"", "-1", "1e9",
            "8", "@8", "10@8", "12@", "@@", "\"",
        ])
        .prop_map(str::to_owned),
        1 => any::<String>(),
        1 => "<[0-9,]{0,60}>",
    ]
}

fn line() -> impl Strategy<Value = String> {
    prop::collection::vec(word(), 0..6).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_session_survives_any_lines_at_any_time(
        lines in prop::collection::vec((line(), 0..400u32, any::<bool>()), 0..60),
    ) {
        let mut desk = Desk::new(ClientSetup::default());
        let mut said = desk.line("2 kgp 1 0 1");
        for (line, pause, is_found) in lines {
            said.extend(desk.line(&line));
            let now = desk.now + pause;
            said.extend(desk.wait_until(now));
            if let Some((number, position, _)) = desk.searches.pop_if(|_| is_found) {
                let best = position.moves().iter().next();
                let result = SearchResult { best, ..SearchResult::default() };
                said.extend(desk.take(KgpInput::Search(number, SearchEvent::Finished(result))));
            }
        }
        for line in said {
            prop_assert!(line.len() + 2 <= 16_384 && !line.contains(['\r', '\n']), "{line:?}");
        }
    }
}
