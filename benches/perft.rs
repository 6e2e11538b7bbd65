//! Perft on the packed board compared with the plain rules, in one run.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kalah_game::depth::Depth;
use kalah_game::perft::{Counting, perft};
use kalah_game::{Position, Rules};

/// The same count as [`perft`], by the plain rules.
fn plain_perft(position: &Position, depth: u16) -> u64 {
    if depth == 0 || position.is_over() {
        return 1;
    }
    let below = |pit| {
        let mut after = *position;
        after.play(pit).expect("a move from the list of moves");
        plain_perft(&after, depth - 1)
    };
    position.moves().iter().map(below).sum()
}

fn packed_against_plain(criterion: &mut Criterion) {
    let start = Position::start(Rules::default());
    const DEPTH: Depth = Depth(8);
    let mut group = criterion.benchmark_group("perft 6,4 depth 8");
    group.sample_size(20);
    group.throughput(Throughput::Elements(perft(&start, DEPTH, Counting::Bulk)));
    group.bench_function("packed", |bencher| {
        bencher.iter(|| perft(black_box(&start), DEPTH, Counting::EachMove))
    });
    group.bench_function("packed, bulk", |bencher| {
        bencher.iter(|| perft(black_box(&start), DEPTH, Counting::Bulk))
    });
    group.bench_function("plain", |bencher| {
        bencher.iter(|| plain_perft(black_box(&start), DEPTH.0))
    });
    group.finish();
}

criterion_group!(benches, packed_against_plain);
criterion_main!(benches);
