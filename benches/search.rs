//! Time to a fixed depth on the positions of `kalah bench`, by one thread and by
//! two, in one run.

use criterion::{Criterion, criterion_group, criterion_main};
use kalah::bench::measure;
use kalah::search::Stopper;

fn time_to_depth(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("time to depth");
    group.sample_size(10);
    for threads in [1, 2] {
        group.bench_function(format!("{threads} threads"), |bencher| {
            bencher.iter(|| measure(threads, 0, &Stopper::new(), |_, _| ()));
        });
    }
    group.finish();
}

criterion_group!(benches, time_to_depth);
criterion_main!(benches);
