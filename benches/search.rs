//! The fixed cost of a search; and the time to a fixed depth with one thread and with two, in one
//! run, on every tenth position of the opening lists: the times of single positions vary too much
//! to be compared.

use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use kalah_engine::Engine;
use kalah_engine::search::{Limits, Stopper};
use kalah_game::depth::Depth;
use kalah_game::{Capture, Position};

const LISTS: [&str; 2] =
    [include_str!("../openings/6x4-standard.tsv"), include_str!("../openings/6x6-standard.tsv")];
const EVERY: usize = 10;
// Shallower searches take about 10 ms, which is too short for a second thread.
const DEPTH: Depth = Depth(18);

fn positions() -> Vec<Position> {
    let lines = LISTS.iter().flat_map(|list| list.lines().skip(1).step_by(EVERY));
    let texts = lines.filter_map(|line| line.split('\t').next());
    texts.map(|text| Position::parse(text, Capture::Standard).expect("a position")).collect()
}

/// The time of one search, without the time to clear the table.
fn time_to_depth(engine: &mut Engine, position: Position) -> Duration {
    engine.new_game();
    engine.prepare();
    engine.set_position(position);
    let start = Instant::now();
    engine.search(Limits::depth(DEPTH), &Stopper::new(), &mut |_| ());
    start.elapsed()
}

fn compare_threads(criterion: &mut Criterion) {
    let positions = positions();
    let mut group = criterion.benchmark_group("time to depth");
    group.sample_size(10);
    for threads in [1, 2] {
        let mut engine = Engine::with_hash(16).expect("memory");
        engine.settings_mut().threads = threads;
        group.bench_function(format!("{threads} threads"), |bencher| {
            bencher.iter_custom(|rounds| {
                let rounds = (0..rounds).flat_map(|_| &positions);
                rounds.map(|position| time_to_depth(&mut engine, *position)).sum()
            });
        });
    }
    group.finish();
}

/// A search of one node, so that it takes hardly longer than it takes to begin and end any search.
fn fixed_cost(criterion: &mut Criterion) {
    let mut engine = Engine::with_hash(1).expect("memory");
    engine.prepare();
    criterion.bench_function("search of one node", |bencher| {
        bencher.iter(|| engine.best_move(Limits::nodes(1)));
    });
}

criterion_group!(benches, fixed_cost, compare_threads);
criterion_main!(benches);
