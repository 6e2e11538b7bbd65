//! Building endgame tables, probing them, and both formats on disk.
//!
//! The throughput of a build is in positions per second on one thread.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kalah_engine::endgame::{Encoding, Extent, Tables};
use kalah_game::{Board, Capture, Row, Variant};
use kalah_sys::random::SplitMix64;

fn standard(pits: usize) -> Variant {
    Variant::new(pits, Capture::Standard).unwrap()
}

fn build(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("build tables");
    group.sample_size(10);
    for (pits, seeds) in [(6, 14), (6, 16), (6, 18), (4, 20), (8, 12), (12, 8)] {
        for capture in Capture::ALL {
            let extent = Extent::new(Variant::new(pits, capture).unwrap(), seeds).unwrap();
            group.throughput(Throughput::Elements(extent.positions()));
            group.bench_function(format!("{pits} pits, {seeds} seeds, {capture}"), |bencher| {
                bencher.iter(|| Tables::build_extent(extent, 1, &|_| ()).unwrap())
            });
        }
    }
    group.finish();
}

/// Boards with `seeds` in play, each seed in one of 12 pits at random.
fn boards(seeds: u32) -> Vec<Board<u64>> {
    let mut random = SplitMix64::new(1);
    let board = |_| {
        let mut counts = [0u16; 12];
        (0..seeds).for_each(|_| counts[random.below(12)] += 1);
        Board { own: u64::from_counts(&counts[..6]), opponent: u64::from_counts(&counts[6..]) }
    };
    (0..1 << 16).map(board).collect()
}

fn probe(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("probe tables");
    let tables = Tables::build(standard(6), 18, 2).unwrap();
    let boards = boards(18);
    group.throughput(Throughput::Elements(boards.len() as u64));
    group.bench_function("gain of random boards, 18 seeds", |bencher| {
        let gain = |&board| tables.gain(black_box(board)).unwrap().0;
        bencher.iter(|| boards.iter().map(gain).sum::<i32>())
    });
    group.bench_function("place of random boards, 18 seeds", |bencher| {
        bencher.iter(|| {
            for &board in &boards {
                black_box(tables.slot(board, board.own.sum(), board.opponent.sum()));
            }
        })
    });
    group.finish();
}

fn files(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("files of tables, 6 pits, 18 seeds");
    group.sample_size(10);
    let extent = Extent::new(standard(6), 18).unwrap();
    group.throughput(Throughput::Elements(extent.positions()));
    for encoding in Encoding::ALL {
        group.bench_function(format!("build and write, {encoding}"), |bencher| {
            bencher.iter(|| {
                let folder = tempfile::tempdir().unwrap();
                Tables::build_in(folder.path(), extent, encoding, 2, &|_| ()).unwrap()
            })
        });
        let folder = tempfile::tempdir().unwrap();
        Tables::build_in(folder.path(), extent, encoding, 2, &|_| ()).unwrap();
        group.bench_function(format!("read and check, {encoding}"), |bencher| {
            bencher.iter(|| Tables::open(folder.path(), standard(6)).unwrap())
        });
    }
    group.finish();
}

criterion_group!(benches, build, probe, files);
criterion_main!(benches);
