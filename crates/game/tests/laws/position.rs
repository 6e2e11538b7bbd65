#[cfg(feature = "serde")]
use kalah_game::PositionText;
use kalah_game::score::{Gain, Turn};
use kalah_game::{
    Capture, Landing, MAX_SEEDS, MoveError, Outcome, Pit, Played, Position, Rules, Side, Variant,
    Wide,
};

fn position(text: &str, capture: Capture) -> Position {
    Position::parse(text, capture).expect("a test's position")
}

#[test]
fn moves_lead_to_the_positions_that_the_rules_describe() {
    for (capture, before, pit, expected) in [
        // A last seed in the store earns an extra turn.
        (Capture::Standard, "<3,0,0,1,2,3,1,1,1> S", 1, "<3,1,0,1,0,4,1,1,1> S"),
        // Seven seeds from A on three pits: B, C, store, a, b, c, A. The last one falls into the
        // emptied pit and captures from c.
        (Capture::Standard, "<3,0,0,7,0,1,1,1,1> S", 0, "<3,4,0,0,1,2,2,2,0> N"),
        // Only the rule for it captures opposite an empty pit.
        (Capture::Standard, "<3,0,0,1,0,1,1,0,1> S", 0, "<3,0,0,0,1,1,1,0,1> N"),
        (Capture::EmptyCapture, "<3,0,0,1,0,1,1,0,1> S", 0, "<3,1,0,0,0,1,1,0,1> N"),
    ] {
        let mut position = position(before, capture);
        position.play(Pit::new(pit)).expect("a test's move");
        assert_eq!(position.without_rule().to_string(), expected);
    }
}

#[test]
fn an_empty_row_ends_the_game_even_after_an_extra_turn() {
    let mut position = position("<2,0,0,0,1,3,0> S", Capture::Standard);
    let played = position.play(Pit::new(1)).unwrap();
    assert_eq!((played.turn, played.swept), (Turn::Keeps, [0, 3]));
    assert!(position.is_over() && position.moves().is_empty());
    assert_eq!(position.margin(Side::South), Gain(-2));
    assert_eq!(position.play(Pit::new(0)), Err(MoveError::Over));
}

#[test]
fn the_effects_of_a_move_say_all_that_changed() {
    let mut before = position("<3,2,5,0,0,1,0,4,2> N", Capture::Standard);
    // One seed from b to the store; two from c to the store, A and B would not end the game.
    let sown = before.play(Pit::new(1)).unwrap();
    let laps = Played {
        side: Side::North,
        pit: Pit::new(1),
        sown: 4,
        last: Landing::Opponent(Pit::new(1)),
        banked: 1,
        captured: 0,
        turn: Turn::Passes,
        swept: [0; 2],
    };
    assert_eq!((sown, before.to_string().as_str()), (laps, "<3,2,6,1,1,1,0,0,3> S"));
    // C ends in the store: an extra turn. A then captures from b, and nothing is left to South.
    let kept = before.play(Pit::new(2)).unwrap();
    assert_eq!((kept.banked, kept.turn, before.side()), (1, Turn::Keeps, Side::South));
    let mut last = position("<3,3,6,0,1,0,0,2,3> S", Capture::EmptyCapture);
    let ended = last.play(Pit::new(1)).unwrap();
    let captures = Played {
        side: Side::South,
        pit: Pit::new(1),
        sown: 1,
        last: Landing::Own(Pit::new(2)),
        banked: 1,
        captured: 1,
        turn: Turn::Passes,
        swept: [0, 5],
    };
    assert_eq!(
        (ended, last.to_string().as_str()),
        (captures, "<3,4,11,0,0,0,0,0,0> N empty-capture")
    );
}

#[test]
fn seeds_leads_and_margins_are_counted_for_each_side() {
    let position = position("<2,7,2,1,0,3,5> N", Capture::Standard);
    assert_eq!((position.in_play(), position.total()), (9, 18));
    assert_eq!(Side::BOTH.map(|side| position.store(side)), [7, 2]);
    assert_eq!(Side::BOTH.map(|side| position.lead(side)), [Gain(5), Gain(-5)]);
    assert_eq!(Side::BOTH.map(|side| position.margin(side)), [Gain(-2), Gain(2)]);
    let mut swept = position;
    assert_eq!((swept.sweep(), swept.to_string().as_str()), ([1, 8], "<2,8,10,0,0,0,0> N"));
    assert_eq!(swept.margin(Side::North), position.margin(Side::North));
}

#[test]
fn a_position_without_stores_is_the_movers() {
    for (text, bare) in
        [("<2,7,2,1,0,3,5> S", "<2,0,0,1,0,3,5> S"), ("<2,7,2,1,0,3,5> N", "<2,0,0,3,5,1,0> S")]
    {
        let position = position(text, Capture::EmptyCapture);
        assert_eq!(position.without_stores().without_rule().to_string(), bare);
        assert_eq!(position.without_stores().capture(), Capture::EmptyCapture);
        assert_eq!(position.mirrored().without_stores().without_rule().to_string(), bare);
    }
    let mirrored = position("<2,7,2,1,0,3,5> S", Capture::Standard).mirrored();
    assert_eq!(mirrored.to_string(), "<2,2,7,3,5,1,0> N");
}

#[test]
fn children_are_the_positions_after_each_move() {
    let parent = position("<3,0,0,2,0,1,1,1,1> S", Capture::Standard);
    let children: Vec<_> = parent.children().collect();
    let played: Vec<_> = children.iter().map(|(played, _)| played.pit.index()).collect();
    assert_eq!(played, [0, 2]);
    for (played, child) in children {
        let mut after = parent;
        assert_eq!((after.play(played.pit), after), (Ok(played), child));
    }
    let over = position("<3,0,0,2,0,1,0,0,0> S", Capture::Standard);
    assert_eq!(over.children().count(), 0);
}

#[test]
fn a_board_holds_32_767_seeds_and_not_one_more() {
    let with = |row: u32, store: u32| {
        Position::new([&[row], &[1]], [store, 0], Side::South, Capture::Standard)
    };
    for (row, store) in [(1, 32_765), (32_766, 0)] {
        let mut full = with(row, store).unwrap();
        assert_eq!(full.total(), MAX_SEEDS);
        full.play(Pit::new(0)).unwrap();
        assert_eq!(full.total(), MAX_SEEDS, "no seed is lost");
    }
    for (row, store, all) in [(1, 32_766, 32_768_u64), (u32::MAX, u32::MAX, 8_589_934_591)] {
        let refused = with(row, store).unwrap_err().to_string();
        assert_eq!(refused, format!("expected at most 32767 seeds in all, got {all}"));
    }
    for (pits, most) in [(1, 16_383), (6, 2730), (16, 1023)] {
        let rules = Rules::new(pits, most, Capture::Standard).unwrap();
        assert_eq!(rules.total(), 2 * pits * most);
        assert_eq!(Position::start(rules).total(), rules.total());
        let seeds = most + 1;
        let refused = Rules::new(pits, seeds, Capture::Standard).unwrap_err().to_string();
        let limit = format!("expected 1 to {most} seeds per pit with {pits} pits per row");
        assert_eq!(refused, format!("{limit}, got {seeds}"));
    }
}

#[test]
fn narrow_rows_hold_8_pits_and_255_seeds_in_play() {
    let fits = |pits: usize, seeds: u32| {
        let mut row = vec![0; pits];
        row[0] = seeds - 1;
        let mut other = vec![0; pits];
        other[0] = 1;
        let position = Position::new([&row, &other], [9, 9], Side::South, Capture::Standard);
        let position = position.unwrap();
        assert!(position.fits::<Wide>());
        position.fits::<u64>()
    };
    assert!(fits(8, 255) && !fits(8, 256) && !fits(9, 255));
}

#[test]
fn rows_of_different_lengths_or_of_none_are_refused() {
    let with = |south: &[u32], north: &[u32]| {
        Position::new([south, north], [0, 0], Side::South, Capture::Standard)
    };
    let refused = |south: &[u32], north: &[u32]| with(south, north).unwrap_err().to_string();
    let lengths = "expected two rows of the same length, got 2 pits for South and 1 for North";
    assert_eq!(refused(&[1, 2], &[1]), lengths);
    assert_eq!(refused(&[], &[]), "expected 1 to 16 pits per row, got 0");
    assert!(with(&[1; 16], &[1; 16]).is_ok());
    assert_eq!(refused(&[1; 17], &[1; 17]), "expected 1 to 16 pits per row, got 17");
    let all: Vec<_> = Variant::all().map(|one| (one.pits(), one.capture())).collect();
    let expected = (1..=16).flat_map(|pits| Capture::ALL.map(|capture| (pits, capture)));
    assert!(expected.eq(all));
}

#[test]
fn illegal_moves_are_reported_and_change_nothing() {
    let before = position("<3,0,0,1,0,1,1,1,1> N", Capture::Standard);
    let mut position = before;
    let error = position.play(Pit::new(3)).unwrap_err();
    assert_eq!(error.to_string(), "expected a pit's letter, a to c, got 'd'");
    assert_eq!(
        position.play(Pit::new(15)).unwrap_err().to_string(),
        error.to_string().replace("'d'", "'p'")
    );
    assert_eq!(position, before);
    position.play(Pit::new(0)).unwrap();
    assert_eq!(position.play(Pit::new(1)), Err(MoveError::Empty('B')));
}

#[test]
fn a_finished_game_has_an_outcome() {
    let outcome = |text| position(text, Capture::Standard).outcome();
    assert_eq!(outcome("<2,3,0,1,0,0,0> N"), Some(Outcome::Won(Side::South)));
    assert_eq!(outcome("<2,3,0,0,0,4,0> S"), Some(Outcome::Won(Side::North)));
    assert_eq!(outcome("<2,3,0,0,0,3,0> S"), Some(Outcome::Draw));
    assert_eq!(outcome("<2,3,0,1,0,3,0> S"), None);
}

#[cfg(feature = "serde")]
#[test]
fn positions_and_rules_are_stored_and_read() {
    let position = position("<2,3,0,1,0,3,0> N", Capture::EmptyCapture);
    let text = serde_json::to_string(&position).unwrap();
    assert_eq!(text, r#""<2,3,0,1,0,3,0> N empty-capture""#);
    assert_eq!(serde_json::from_str::<Position>(&text).unwrap(), position);
    assert!(serde_json::from_str::<Position>("\"<2>\"").is_err());
    let fields = serde_json::to_string(&PositionText::new(&position)).unwrap();
    assert_eq!(fields, r#"{"position":"<2,3,0,1,0,3,0> N","capture":"empty-capture"}"#);
    let read: PositionText = serde_json::from_str(&fields).unwrap();
    assert_eq!(read.position(), Ok(position));
    let rules = Rules::new(5, 3, Capture::EmptyCapture).unwrap();
    let fields = serde_json::to_string(&rules).unwrap();
    assert_eq!(fields, r#"{"pits":5,"seeds":3,"capture":"empty-capture"}"#);
    assert_eq!(serde_json::from_str::<Rules>(&fields).unwrap(), rules);
    assert!(serde_json::from_str::<Rules>(&fields.replace('5', "0")).is_err());
}
