//! Perft of the packed board beside the plain rules, in one run.

mod harness;

use std::hint::black_box;

use harness::{bench, time};
use kalah::game::depth::Depth;
use kalah::game::perft::{Counting, perft};
use kalah::game::{Position, Rules};

const DEPTH: Depth = Depth(8);

/// The same count as [`perft`], on the plain rules.
fn plain_perft(position: &Position, depth: u16) -> u64 {
    if depth == 0 || position.is_over() {
        return 1;
    }
    position.children().map(|(_, after)| plain_perft(&after, depth - 1)).sum()
}

fn main() {
    let start = black_box(Position::start(Rules::default()));
    let leaves = perft(&start, DEPTH, Counting::Bulk);
    bench("perft (6,4) depth 8, packed", leaves, "leaves", || {
        time(|| perft(&start, DEPTH, Counting::EachMove))
    });
    bench("perft (6,4) depth 8, packed, bulk", leaves, "leaves", || {
        time(|| perft(&start, DEPTH, Counting::Bulk))
    });
    bench("perft (6,4) depth 8, plain", leaves, "leaves", || time(|| plain_perft(&start, DEPTH.0)));
}
