//! What a visit costs in each algorithm of the comparison with SCOUT, on the same positions.
//!
//! A visit is a leaf or an interior node. SCOUT, F3 and PVS should differ by at most 5 %: a
//! comparison of their times would otherwise measure this program instead of the algorithms.

use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use kalah_game::{Capture, Position, Rules};
use kalah_lab::{ChildOrder, ExtraTurns, KalahTree, Method, SearchCounts};
use kalah_sys::random::SplitMix64;

/// The algorithms, by their names.
const COMPARED: [&str; 7] = ["negamax", "f1", "f2", "f3", "scout", "negascout", "pvs"];

/// Trees of positions after six random sowings from the start of (6,6).
fn trees() -> Vec<KalahTree<u64>> {
    let rules = Rules::new(6, 6, Capture::Standard).expect("a board");
    let mut random = SplitMix64::new(1);
    let mut trees = Vec::new();
    while trees.len() < 20 {
        let mut position = Position::start(rules);
        for _ in 0..6 {
            let moves: Vec<_> = position.moves().iter().collect();
            if !moves.is_empty() {
                position.play(moves[random.below(moves.len())]).expect("a legal move");
            }
        }
        if !position.is_over() {
            trees.push(KalahTree::new(&position, 5, ExtraTurns::Compound, ChildOrder::Far));
        }
    }
    trees
}

fn visits(criterion: &mut Criterion) {
    let trees = trees();
    let mut group = criterion.benchmark_group("per visit");
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    for name in COMPARED {
        let method: Method = name.parse().expect("the name of a method");
        group.bench_function(name, |bencher| {
            // So that the time that is printed is that of a visit.
            bencher.iter_custom(|rounds| {
                let mut counts = SearchCounts::default();
                let begun = Instant::now();
                for _ in 0..rounds {
                    for tree in &trees {
                        let _ = method.value(tree, &mut counts);
                    }
                }
                begun.elapsed().mul_f64(rounds as f64 / counts.nodes() as f64)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, visits);
criterion_main!(benches);
