use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use kalah_sys::parallel::map;

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
