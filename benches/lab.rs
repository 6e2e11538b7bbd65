//! Nodes per second of the lab's alpha-beta, on uniform trees and on Kalah.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kalah_game::score::Window;
use kalah_game::{Position, Rules};
use kalah_lab::uniform::Leaves;
use kalah_lab::{
    ChildOrder, ExtraTurns, KalahTree, SearchCounts, SearchRun, Tree, UniformTree, f3,
};

fn alpha_beta<T: Tree>(criterion: &mut Criterion, name: &str, tree: &T) {
    let mut counted = SearchRun::watched(tree, SearchCounts::default());
    let _ = f3(&mut counted, tree.root(), Window::full());
    let mut group = criterion.benchmark_group("lab alpha-beta");
    group.sample_size(20);
    group.throughput(Throughput::Elements(counted.observer.nodes()));
    group.bench_function(name, |bencher| {
        bencher.iter(|| f3(&mut SearchRun::new(black_box(tree)), tree.root(), Window::full()))
    });
    group.finish();
}

fn trees(criterion: &mut Criterion) {
    let uniform =
        |width, height| UniformTree { width, height, leaves: Leaves::Continuous, seed: 1 };
    alpha_beta(criterion, "uniform, 5 wide, 10 high", &uniform(5, 10));
    alpha_beta(criterion, "uniform, 40 wide, 4 high", &uniform(40, 4));
    let start = Position::start(Rules::default());
    for extra_turns in ExtraTurns::ALL {
        let depth = if extra_turns == ExtraTurns::Ply { 9 } else { 7 };
        let tree = KalahTree::<u64>::new(&start, depth, extra_turns, ChildOrder::Far);
        alpha_beta(criterion, &format!("Kalah(6,4), {extra_turns}, depth {depth}"), &tree);
    }
}

criterion_group!(benches, trees);
criterion_main!(benches);
