//! A small harness: it repeats a piece of work and prints the median time.
//!
//! Criterion would also compare runs, but every build of the tests would compile it and
//! its 20 dependencies. Compare two builds within one session instead.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Work is repeated for at least this long,
const MIN_TIME: Duration = Duration::from_secs(2);
/// and at least this often.
const MIN_ROUNDS: usize = 10;

/// The time that `work` takes.
pub(crate) fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

/// Prints how long a round takes, which processes `amount` of `unit`. Arguments on the
/// command line select benches by a part of their names.
pub(crate) fn bench(name: &str, amount: u64, unit: &str, mut round: impl FnMut() -> Duration) {
    let mut filters = std::env::args().skip(1).filter(|word| !word.starts_with("--")).peekable();
    if filters.peek().is_some() && !filters.any(|filter| name.contains(&filter)) {
        return;
    }
    round();
    let mut times = Vec::new();
    while times.len() < MIN_ROUNDS || times.iter().sum::<Duration>() < MIN_TIME {
        times.push(round());
    }
    times.sort();
    let (least, median, most) = (times[0], times[times.len() / 2], times[times.len() - 1]);
    let rate = amount as f64 / median.as_secs_f64() / 1e6;
    println!("{name:<50} {median:>10.3?}  ({least:.3?} to {most:.3?})  {rate:.3} M {unit}/s");
}
