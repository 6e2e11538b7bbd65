use kalah_engine::search::Stopper;
use kalah_game::depth::Depth;
use kalah_game::perft::{self, Counting};
use kalah_game::{Position, Rules};
use kalah_protocol::count::{bench, perft};

use super::manager::BENCH;

fn reported(position: &Position, depth: Depth, stopper: &Stopper) -> Vec<String> {
    let mut lines = Vec::new();
    perft(position, depth, stopper, &mut |line| lines.push(line));
    lines
}

#[test]
fn the_sum_is_that_of_perft() {
    let start = Position::start(Rules::default());
    for depth in [0, 1, 4, 8] {
        let lines = reported(&start, Depth(depth), &Stopper::new());
        let whole = perft::perft(&start, Depth(depth), Counting::EachMove);
        assert_eq!(lines.last(), Some(&format!("leaves: {whole}")));
        assert_eq!(lines.len(), if depth == 0 { 1 } else { 7 });
    }
}

#[test]
fn a_stopped_count_has_no_sum() {
    let stopper = Stopper::new();
    stopper.stop();
    let lines = reported(&Position::start(Rules::default()), Depth(500), &stopper);
    assert_eq!(lines, ["info string perft stopped"]);
}

#[test]
fn a_stopped_bench_has_no_signature_and_a_whole_one_has_that_of_the_file() {
    let stopper = Stopper::new();
    stopper.stop();
    let mut lines = Vec::new();
    bench(&stopper, &mut |line| lines.push(line));
    assert_eq!(lines, ["info string bench stopped"]);
    let signature = include_str!("../../../../tests/data/signature.txt").trim();
    let known = format!("signature {signature}");
    assert_eq!(BENCH.last(), Some(&known), "a change to the search must state its new signature");
    assert!(BENCH.iter().any(|line| line == &format!("nodes     {signature}")), "{BENCH:?}");
}
