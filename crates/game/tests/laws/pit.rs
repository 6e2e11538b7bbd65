use kalah_game::{Landing, MAX_PITS, Pit, PitSet, Side};

#[test]
fn a_set_has_the_pits_whose_bits_are_set() {
    for bits in 0..=u16::MAX {
        let set = PitSet(bits);
        let pits: Vec<Pit> = (0..16)
            .filter(|&n| bits / 2u16.pow(n) % 2 == 1)
            .map(|n| Pit::new(n as usize))
            .collect();
        assert!(set.iter().eq(pits.iter().copied()));
        assert!(set.iter().rev().eq(pits.iter().copied().rev()));
        assert_eq!(set.iter().len(), pits.len());
        let mut left = set.iter();
        left.next();
        assert!(left.eq(pits.iter().copied().skip(1)));
        assert_eq!((set.len(), set.is_empty()), (pits.len(), pits.is_empty()));
        assert_eq!(set.nearest(), pits.last().copied());
        assert_eq!(pits.iter().copied().collect::<PitSet>(), set);
        let pit = Pit::new(usize::from(bits) % 16);
        assert_eq!(set.contains(pit), pits.contains(&pit));
        assert!(set.with(pit).contains(pit) && !set.without(pit).contains(pit));
        assert_eq!(set.with(pit).without(pit), set.without(pit));
        assert_eq!(set.without(pit).with(pit), set.with(pit));
    }
}

#[test]
fn an_index_beyond_the_widest_row_is_no_pit() {
    assert_eq!(Pit::new(MAX_PITS - 1).index(), 15);
    // 258 is C, modulo 256.
    for index in [MAX_PITS, 258] {
        assert!(std::panic::catch_unwind(|| Pit::new(index)).is_err(), "{index}");
    }
}

#[test]
fn a_lap_passes_every_pit_and_the_sowers_store_once() {
    // From B of three pits: C, the store, a, b, c, A, B.
    let places = (1..=7).map(|seed| match Pit::new(1).landing(seed, 3) {
        Landing::Own(pit) => pit.letter(Side::South),
        Landing::Store => '*',
        Landing::Opponent(pit) => pit.letter(Side::North),
    });
    assert_eq!(String::from_iter(places), "C*abcAB");
    assert_eq!(Pit::new(1).landing(8, 3), Pit::new(1).landing(1, 3));
}

#[test]
fn letters_and_names_differ_by_side() {
    assert_eq!(Pit::new(2).letter(Side::South), 'C');
    assert_eq!(Pit::new(2).letter(Side::North), 'c');
    assert_eq!(Pit::new(15).to_string(), "P");
    assert_eq!(Side::BOTH.map(Side::name), ["South", "North"]);
    assert_eq!(Side::BOTH.map(Side::initial), ['S', 'N']);
}

#[test]
fn sides_and_opposite_pits_come_in_pairs() {
    assert_eq!(Side::BOTH.map(Side::other), [Side::North, Side::South]);
    assert_eq!(Side::BOTH.map(Side::index), [0, 1]);
    assert_eq!(Side::BOTH.map(|side| side.view_of(3)), [3, -3]);
    for pits in 1..=16 {
        for index in 0..pits {
            assert_eq!(Pit::new(index).opposite(pits).index() + index, pits - 1);
        }
    }
}
