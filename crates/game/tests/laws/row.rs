use kalah_game::{Pit, Row, Wide};

fn sum(counts: &[u16]) -> u32 {
    counts.iter().copied().map(u32::from).sum()
}

fn laws<R: Row>(counts: &[u16]) {
    let row = R::from_counts(counts);
    assert_eq!(row.sum(), sum(counts));
    assert_eq!(row.is_empty(), counts.iter().all(|&c| c == 0));
    for (index, &count) in counts.iter().enumerate() {
        let pit = Pit::new(index);
        assert_eq!(row.count(pit), u32::from(count));
        assert_eq!(row.occupied().contains(pit), count > 0);
        assert_eq!(row.without(pit).count(pit), 0);
        assert_eq!(row.without(pit).sum(), row.sum() - u32::from(count));
    }
    assert_eq!(row.occupied().len(), counts.iter().filter(|&&c| c > 0).count());
    if row.sum() <= R::CAPACITY {
        for index in 0..counts.len() {
            let pit = Pit::new(index);
            assert_eq!(row.prefix_sums().count(pit), sum(&counts[..=index]));
            assert_eq!(row.suffix_sums().count(pit), sum(&counts[index..]));
        }
    }
    let last = Pit::new(counts.len() - 1);
    let emptied = u32::from(row.count(last) > 0);
    assert_eq!(row.lanes_equal(row.without(last)), R::LANES as u32 - emptied);
    for limit in [0, 1, 4, 5, 126, 127] {
        let above = counts.iter().any(|&count| count > limit);
        assert_eq!(row.any_lane_above(R::from_counts(&vec![limit; R::LANES])), above);
    }
    let mut bytes = vec![0; R::BYTES];
    row.for_each_byte(|index, byte| {
        assert_eq!(bytes[index], 0, "each byte once");
        bytes[index] = byte;
    });
    // The lowest byte of a lane comes first.
    let width = R::BYTES / R::LANES;
    for (lane, &count) in bytes.chunks(width).zip(counts) {
        assert_eq!(lane, &count.to_le_bytes()[..width]);
    }
    let away: Vec<i32> = counts.iter().map(|&c| -i32::from(c)).collect();
    assert!(row.plus(R::delta(&away)).is_empty());
}

#[test]
fn rows_of_both_widths_keep_their_counts() {
    for counts in [&[0u16, 0, 0][..], &[1, 0, 3, 128, 0, 5], &[255], &[0, 0, 0, 0, 0, 0, 0, 255]] {
        laws::<u64>(counts);
        laws::<Wide>(counts);
    }
    laws::<Wide>(&[300, 0, 0, 256, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32_000, 99]);
}
