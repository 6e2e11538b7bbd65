use std::time::Duration;

use kalah_engine::search::{Clock, Limits};
use kalah_game::depth::Depth;
use kalah_game::{Position, Rules, Side};
use kalah_protocol::dialect::Dialect;
use kalah_protocol::go::{Go, LIMITS, LimitSpec, text};

fn limits(position: &Position, text: &str) -> (Limits, Vec<String>) {
    let words: Vec<_> = text.split(' ').collect();
    Go::parse(&words).limits(position)
}

#[test]
fn every_limit_of_the_table_has_an_effect_and_is_never_the_value_of_another() {
    let parsed = |text: &str| {
        let words: Vec<_> = text.split(' ').collect();
        let mut go = Go::parse(&words);
        go.errors.clear();
        go
    };
    for LimitSpec { name, .. } in &LIMITS {
        let go = parsed(&format!("{name} 7"));
        assert_ne!(go, Go::default(), "{name}");
        if *name != "nodes" {
            assert_eq!(parsed(&format!("nodes {name} 7")), go);
            let after_nodes = parsed(&format!("nodes 3 {name} 7"));
            assert_eq!(parsed(&format!("nodes 3 nodes {name} 7")), after_nodes);
        }
    }
}

#[test]
fn a_word_that_is_not_a_limit_is_an_error_and_bounds_a_search_without_others() {
    let position = Position::start(Rules::default());
    for (text, bound, got) in [
        ("dpeth 3", "nodes 100000", "dpeth 3"),
        ("ponder movetiem 9", "ponder nodes 100000", "movetiem 9"),
        ("slowly depth 3", "depth 3", "slowly"),
        ("nodes 9 3", "nodes 9", "3"),
        ("infinite dpeth 3", "infinite", "dpeth 3"),
    ] {
        let (found, errors) = limits(&position, text);
        let mut expected = vec![format!("go: expected a limit, got '{got}'")];
        if bound.ends_with("100000") {
            let message = "go: expected a limit, got none that is valid; using nodes 100000";
            expected.push(message.to_owned());
        }
        assert_eq!((found, errors), (limits(&position, bound).0, expected), "{text}");
    }
}

#[test]
fn the_first_of_repeated_limits_counts_and_the_others_are_reported() {
    let position = Position::start(Rules::default());
    for (text, first, name, setting) in [
        ("depth 3 depth 4", "depth 3", "depth", "depth"),
        ("nodes 9 depth 2 nodes 8", "nodes 9 depth 2", "nodes", "nodes"),
        ("mate 2 mate 1", "mate 2", "mate", "mate"),
        ("movetime 9 movetime", "movetime 9", "movetime", "movetime"),
        ("wtime 5 p1time 6 depth 2", "wtime 5 depth 2", "p1time", "wtime"),
        ("infinite infinite", "infinite", "infinite", "infinite"),
        ("depth 3 depth x nodes 4", "depth 3 nodes 4", "depth", "depth"),
    ] {
        let (limits, errors) = limits(&position, text);
        assert_eq!(limits, self::limits(&position, first).0, "{text}");
        let error = format!("go {name}: expected {setting} once; using the first");
        assert_eq!(errors, [error], "{text}");
    }
    let searched = limits(&position, "searchmoves A searchmoves B depth 3 mate 2");
    assert_eq!((searched.0.moves.map(|moves| moves.len()), searched.1), (Some(2), vec![]));
}

#[test]
fn numbers_are_clamped_to_their_ranges() {
    let ranges = [
        ("movetime", 0, 1_000_000_000_000),
        ("movestogo", 1, 1_000_000),
        ("depth", 1, 500),
        ("mate", 1, 250),
        ("nodes", 1, u64::MAX),
        ("perft", 0, 500),
    ];
    for (name, min, max) in ranges {
        let parsed = |number: &str| Go::parse(&[name, number]);
        for end in [min, max] {
            assert_eq!(parsed(&end.to_string()).errors, [""; 0], "{name} {end}");
        }
        let above = max.checked_add(1).map(|above| (above.to_string(), max));
        for (wrong, end) in [((i128::from(min) - 1).to_string(), min)].into_iter().chain(above) {
            let mut go = parsed(&wrong);
            let error = format!("go {name}: expected {min} to {max}, got {wrong}; using {end}");
            assert_eq!(std::mem::take(&mut go.errors), [error]);
            assert_eq!(go, parsed(&end.to_string()));
        }
    }
}

#[test]
fn limits_are_written_in_the_words_of_the_dialect_and_read_back() {
    let clock = |remaining, increment| Clock {
        remaining: Duration::from_millis(remaining),
        increment: Duration::from_millis(increment),
        moves_to_go: Some(3),
    };
    let own = clock(100, 10);
    let limits = Limits {
        nodes: Some(5),
        depth: Some(Depth(6)),
        movetime: Some(Duration::from_millis(7)),
        clock: Some(Clock { remaining: own.remaining + Duration::from_micros(999), ..own }),
        ..Limits::default()
    };
    for (dialect, names) in [
        (Dialect::Uci, [["wtime", "winc"], ["btime", "binc"]]),
        (Dialect::Ugi, [["p1time", "p1inc"], ["p2time", "p2inc"]]),
    ] {
        for (side, opponent) in Side::BOTH
            .into_iter()
            .flat_map(|side| [None, Some(clock(200, 20))].map(|opponent| (side, opponent)))
        {
            let text = text(&limits, opponent, side, dialect);
            let mut position = Position::start(Rules::default());
            if side == Side::North {
                position = position.mirrored();
            }
            let (read, errors) = self::limits(&position, &text["go ".len()..]);
            assert_eq!((read, errors), (Limits { clock: Some(own), ..limits }, vec![]), "{text}");
            let (read, _) = self::limits(&position.mirrored(), &text["go ".len()..]);
            assert_eq!(read.clock, opponent, "{text}");
            for name in names[side.other().index()] {
                assert_eq!(text.contains(name), opponent.is_some(), "{text}");
            }
        }
    }
}
