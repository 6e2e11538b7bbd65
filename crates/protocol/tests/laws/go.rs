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
fn every_limit_of_the_table_has_an_effect() {
    for LimitSpec { name, .. } in &LIMITS {
        let mut go = Go::parse(&[name, "7"]);
        go.errors.clear();
        assert_ne!(go, Go::default(), "{name}");
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
fn limits_are_written_in_the_words_of_the_dialect_and_read_back() {
    let clock = Clock {
        remaining: Duration::from_micros(100_999),
        increment: Duration::from_millis(10),
        moves_to_go: Some(3),
    };
    let clock = Some(clock);
    let limits = Limits { nodes: Some(5), depth: Some(Depth(6)), clock, ..Limits::default() };
    let position = Position::start(Rules::default());
    for (dialect, expected) in [
        (Dialect::Uci, "go wtime 100 winc 10 movestogo 3 depth 6 nodes 5"),
        (Dialect::Ugi, "go p1time 100 p1inc 10 movestogo 3 depth 6 nodes 5"),
    ] {
        let text = text(&limits, None, Side::South, dialect);
        assert_eq!(text, expected);
        let (read, errors) = self::limits(&position, &text["go ".len()..]);
        assert_eq!((read.nodes, read.depth, errors.len()), (Some(5), Some(Depth(6)), 0));
        assert_eq!(read.clock.map(|clock| clock.remaining.as_millis()), Some(100));
    }
}
