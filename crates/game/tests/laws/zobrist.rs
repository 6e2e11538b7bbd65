use std::collections::HashMap;

use kalah_game::zobrist::{RandomWords, Zobrist};
use kalah_game::{Board, Capture, Position, Row, Rules, Variant, Wide};

fn boards<R: Row>() -> impl Iterator<Item = Board<R>> {
    (0u16..1 << 12).map(|n| {
        let counts = [n & 7, n >> 3 & 7, n >> 6 & 7, n >> 9];
        Board { own: R::from_counts(&counts[..2]), opponent: R::from_counts(&counts[2..]) }
    })
}

fn keys_differ<R: Row>(words: &RandomWords, seen: &mut HashMap<u64, String>) {
    for variant in Variant::all().filter(|variant| [2, 3].contains(&variant.pits())) {
        let zobrist = Zobrist::new::<R>(words, variant);
        for board in boards::<R>() {
            for (keys, of) in [(zobrist, "first"), (zobrist.separate(), "separate")] {
                let name = format!("{board:?} {variant} {of}");
                assert_eq!(seen.insert(keys.key(board), name), None);
            }
        }
    }
}

#[test]
fn small_boards_of_all_games_have_distinct_keys() {
    let words = RandomWords::new();
    let mut seen = HashMap::new();
    keys_differ::<u64>(&words, &mut seen);
    keys_differ::<Wide>(&words, &mut seen);
    // Two widths of rows, two numbers of pits, and both kinds of keys.
    assert_eq!(seen.len(), (2 * 2 * 2 * Capture::ALL.len()) << 12);
}

#[test]
fn keys_never_change() {
    let words = RandomWords::new();
    let start = Position::start(Rules::default());
    let zobrist = Zobrist::new::<u64>(&words, start.variant());
    assert_eq!(zobrist.key(start.board::<u64>()), 7_137_419_557_451_796_094);
}
