//! Building endgame tables, probing them, and both formats on disk.
//!
//! The throughput of a build counts positions on one thread.

mod harness;

use std::hint::black_box;

use harness::{bench, time};
use kalah::endgame::{Encoding, Extent, Tables};
use kalah::game::{Board, Capture, Row, Variant};
use kalah::sys::random::SplitMix64;

fn standard(pits: usize) -> Variant {
    Variant::new(pits, Capture::Standard).unwrap()
}

fn build() {
    for (pits, seeds) in [(6, 14), (6, 16), (6, 18), (4, 20), (8, 12), (12, 8)] {
        for capture in Capture::ALL {
            let extent = Extent::new(Variant::new(pits, capture).unwrap(), seeds).unwrap();
            let name = format!("build {pits} pits, {seeds} seeds, {capture}");
            bench(&name, extent.positions(), "positions", || {
                time(|| Tables::build_extent(extent, 1).unwrap())
            });
        }
    }
}

/// Boards with `seeds` in play, each seed thrown into any of 12 pits.
fn boards(seeds: u32) -> Vec<Board<u64>> {
    let mut random = SplitMix64::new(1);
    let board = |_| {
        let mut counts = [0u16; 12];
        (0..seeds).for_each(|_| counts[random.below(12)] += 1);
        Board { own: u64::from_counts(&counts[..6]), opponent: u64::from_counts(&counts[6..]) }
    };
    (0..1 << 16).map(board).collect()
}

fn probe() {
    let tables = Tables::build(standard(6), 18, 2).unwrap();
    let boards = black_box(boards(18));
    bench("gain of random boards, 18 seeds", boards.len() as u64, "boards", || {
        time(|| boards.iter().map(|&board| tables.gain(board).unwrap().0).sum::<i32>())
    });
    bench("place of random boards, 18 seeds", boards.len() as u64, "boards", || {
        time(|| {
            let slots = boards
                .iter()
                .map(|&board| tables.slot(board, board.own.sum(), board.opponent.sum()));
            slots.fold(0, usize::wrapping_add)
        })
    });
}

fn files() {
    let extent = Extent::new(standard(6), 18).unwrap();
    for encoding in Encoding::ALL {
        let name = format!("build and write 6 pits, 18 seeds, {encoding}");
        bench(&name, extent.positions(), "positions", || {
            let folder = tempfile::tempdir().unwrap();
            time(|| Tables::build_in(folder.path(), extent, encoding, 2, &|_| ()).unwrap())
        });
        let folder = tempfile::tempdir().unwrap();
        Tables::build_in(folder.path(), extent, encoding, 2, &|_| ()).unwrap();
        let name = format!("read and check 6 pits, 18 seeds, {encoding}");
        bench(&name, extent.positions(), "positions", || {
            time(|| Tables::open(folder.path(), standard(6)).unwrap())
        });
    }
}

fn main() {
    build();
    probe();
    files();
}
