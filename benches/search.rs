//! Time to a fixed depth on the positions of `kalah bench`, by one thread and by
//! two, in one run.

use std::ops::ControlFlow;

use criterion::{Criterion, criterion_group, criterion_main};
use kalah::bench::measure;

fn time_to_depth(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("time to depth");
    group.sample_size(10);
    for threads in [1, 2] {
        group.bench_function(format!("{threads} threads"), |bencher| {
            bencher.iter(|| measure(threads, 0, |_, _| ControlFlow::Continue(())));
        });
    }
    group.finish();
}

criterion_group!(benches, time_to_depth);
criterion_main!(benches);
