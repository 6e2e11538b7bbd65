use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use std::sync::Barrier;

use kalah_sys::parallel::{for_each_unless, map, start};
use kalah_sys::stop::{Flag, Stopped};

#[test]
fn each_item_gives_one_result_in_order_with_any_number_of_threads() {
    let items: Vec<u64> = (0..100).collect();
    let squares: Vec<u64> = items.iter().map(|item| item * item).collect();
    for threads in [0, 1, 3, 200] {
        let calls = AtomicUsize::new(0);
        let done = || {
            calls.fetch_add(1, Relaxed);
        };
        assert_eq!(map(&items, threads, &done, |item| item * item), squares);
        assert_eq!(calls.into_inner(), 100);
    }
    assert!(map(&[] as &[u64], 2, &|| (), |item| *item).is_empty());
}

#[test]
fn as_many_items_as_threads_are_worked_on_at_the_same_time() {
    // Each item waits for all others.
    let barrier = Barrier::new(3);
    assert_eq!(map(&[1, 2, 3], 3, &|| (), |item| (barrier.wait(), *item).1), [1, 2, 3]);
}

#[test]
fn work_that_is_stopped_before_its_end_is_an_error() {
    for (stop_after, expected) in [(1, Err(Stopped)), (9, Err(Stopped)), (10, Ok(()))] {
        let (stop, done) = (Flag::default(), AtomicUsize::new(0));
        let result = for_each_unless(&stop, 1, 0..10, |_| {
            if done.fetch_add(1, Relaxed) + 1 == stop_after {
                assert!(!stop.raise(), "raised for the first time");
            }
        });
        assert_eq!((result, done.into_inner()), (expected, stop_after));
        assert!(stop.is_raised() && stop.poll() && stop.raise());
    }
    assert!(!Flag::default().poll());
}

#[test]
fn a_thread_has_the_name_that_it_was_given() {
    let thread = start("a test", || std::thread::current().name().map(str::to_owned)).unwrap();
    assert_eq!(thread.join().unwrap().as_deref(), Some("a test"));
}
