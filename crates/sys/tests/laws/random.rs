use kalah_sys::random::{SplitMix64, fresh_seed, mix_nth};

#[test]
fn the_generator_yields_the_published_sequence() {
    // The first outputs of SplitMix64 seeded with 1234567.
    let published =
        [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
    let mut random = SplitMix64::new(1_234_567);
    assert_eq!([(); 3].map(|()| random.next_u64()), published);
    assert_eq!([0, 1, 2].map(|index| mix_nth(1_234_567, index)), published);
}

#[test]
fn every_order_is_as_likely_as_any_other() {
    let mut random = SplitMix64::new(1);
    let mut seen = std::collections::BTreeMap::new();
    for _ in 0..600 {
        let mut items = [0, 1, 2];
        random.shuffle(&mut items);
        *seen.entry(items).or_insert(0) += 1;
    }
    assert!(seen.len() == 6 && seen.values().all(|&count| count > 70), "{seen:?}");
}

#[test]
fn numbers_below_a_bound_and_between_0_and_1_cover_the_whole_range() {
    let mut random = SplitMix64::new(1);
    let (mut below, mut unit) = ([0; 6], [0; 6]);
    for _ in 0..600 {
        below[random.below(6)] += 1;
        // An index of 6 would panic: 1 itself is never reached.
        unit[(random.unit() * 6.0) as usize] += 1;
    }
    assert!([below, unit].as_flattened().iter().all(|&count| count > 50), "{below:?} {unit:?}");
    assert_eq!(random.below(1), 0);
}

#[test]
fn fresh_seeds_differ() {
    assert_ne!(fresh_seed(), fresh_seed());
}
