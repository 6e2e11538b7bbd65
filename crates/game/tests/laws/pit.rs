use kalah_game::{Pit, PitSet, Side};

#[test]
fn a_set_iterates_in_both_directions() {
    let set: PitSet = [0, 3, 15].map(Pit::new).into_iter().collect();
    assert_eq!(set.map(Pit::index).collect::<Vec<_>>(), [0, 3, 15]);
    assert_eq!(set.rev().map(Pit::index).collect::<Vec<_>>(), [15, 3, 0]);
    assert_eq!(set.nearest(), Some(Pit::new(15)));
    assert_eq!(set.len(), 3);
}

#[test]
fn letters_differ_by_side() {
    assert_eq!(Pit::new(2).letter(Side::South), 'C');
    assert_eq!(Pit::new(2).letter(Side::North), 'c');
    assert_eq!(Pit::new(1).opposite(6), Pit::new(4));
}
