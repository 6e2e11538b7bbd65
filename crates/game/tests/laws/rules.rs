//! The packed boards agree with the plain rules.

use kalah_game::depth::Depth;
use kalah_game::perft::{Counting, divide, perft};
use kalah_game::score::Turn;
use kalah_game::{
    Board, Capture, Gain, Pit, Played, Position, Row, Rules, Side, Sowing, Variant, Wide,
};
use proptest::prelude::*;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// Plays `pit` on both and compares all effects of the move.
fn play_on_both<R: Row>(
    plain: &mut Position,
    board: Board<R>,
    sowing: &Sowing<R>,
    pit: Pit,
) -> Board<R> {
    let variant = sowing.variant();
    let before = *plain;
    let what = || format!("packed (left) and plain (right) differ after {before} {pit:?}");
    assert_eq!(board.moves(variant), plain.moves(), "{}", what());
    assert_eq!(board.in_play(), plain.in_play(), "{}", what());
    let sown = board.sow(sowing, pit);
    let played = plain.play(pit).expect("a legal move");
    assert_eq!(sown.banked, played.banked, "{}", what());
    assert_eq!(sown.turn, played.turn, "{}", what());
    assert_eq!(sown.board.is_over(variant), plain.is_over(), "{}", what());
    if plain.is_over() {
        let gain = sown.gain() + sown.turn.from_child(sown.board.final_gain(variant));
        let margin = before.lead(before.side()) + gain;
        assert_eq!(margin, plain.margin(before.side()), "{}", what());
    } else {
        assert_eq!(sown.board, plain.board(), "{}", what());
        assert_eq!(sown.turn == Turn::Keeps, before.side() == plain.side(), "{}", what());
    }
    sown.board
}

fn play_a_random_game<R: Row>(start: Position, random: &mut SmallRng) {
    let sowing = Sowing::<R>::new(start.variant());
    play_with(start, &sowing, random);
}

fn play_with<R: Row>(start: Position, sowing: &Sowing<R>, random: &mut SmallRng) {
    let mut plain = start;
    let mut board = start.board::<R>();
    while !plain.is_over() {
        let moves = plain.moves();
        let pit = moves.iter().nth(random.random_range(0..moves.len())).expect("a move");
        board = play_on_both(&mut plain, board, sowing, pit);
    }
    assert_eq!(plain.total(), start.total(), "no seed is lost");
}

#[test]
fn packed_and_plain_agree_on_a_hundred_thousand_random_games_of_all_sizes() {
    let mut random = SmallRng::seed_from_u64(1);
    let mut games = 0;
    for capture in Capture::ALL {
        for pits in 1..=16 {
            let variant = Variant::new(pits, capture).unwrap();
            let wide = Sowing::<Wide>::new(variant);
            let narrow = (pits <= 8).then(|| Sowing::<u64>::new(variant));
            for game in 0..3200 {
                let seeds = 1 + game % 12;
                let start = Position::start(Rules::new(pits as u32, seeds, capture).unwrap());
                match &narrow {
                    Some(narrow) if game % 4 != 0 => play_with(start, narrow, &mut random),
                    _ => play_with(start, &wide, &mut random),
                }
                games += 1;
            }
        }
    }
    assert!(games >= 100_000, "{games}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn packed_and_plain_agree_from_any_position(
        rows in (1usize..=16).prop_flat_map(|pits| {
            (prop::collection::vec(0u32..=40, pits), prop::collection::vec(0u32..=40, pits))
        }),
        pile in 0u32..=2000,
        capture in prop::sample::select(&Capture::ALL[..]),
        seed: u64,
    ) {
        let (mut south, north) = rows;
        // One pit may hold enough seeds for many laps.
        if pile % 3 == 0 {
            south[0] = pile;
        }
        let start = Position::new([&south, &north], [0, 0], Default::default(), capture).unwrap();
        let mut random = SmallRng::seed_from_u64(seed);
        play_a_random_game::<Wide>(start, &mut random);
        if start.fits::<u64>() {
            play_a_random_game::<u64>(start, &mut random);
        }
    }

    #[test]
    fn a_position_is_parsed_back_from_its_text(
        south in prop::collection::vec(0u32..=99, 12),
        north in prop::collection::vec(0u32..=99, 12),
        stores: [u16; 2],
        mirrored: bool,
    ) {
        let stores = stores.map(|seeds| u32::from(seeds % 9999));
        let position = Position::new([&south, &north], stores, Default::default(), Capture::Standard).unwrap();
        let position = if mirrored { position.mirrored() } else { position };
        let text = position.to_string();
        prop_assert_eq!(Position::parse(&text, Capture::Standard), Ok(position));
        prop_assert_eq!(Position::parse(&text.to_lowercase(), Capture::Standard), Ok(position));
    }
}

/// The position that a text describes by the grammar of notation alone.
fn by_grammar(text: &str) -> Option<Position> {
    let space = [' ', '\t', '\r', '\n'];
    let (numbers, side) = text.trim_matches(space).strip_prefix('<')?.split_once('>')?;
    let number = |text: &str| {
        let digits = text.trim_matches(space);
        let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
        if is_number { digits.parse::<u32>().ok() } else { None }
    };
    let numbers: Vec<u32> = numbers.split(',').map(number).collect::<Option<_>>()?;
    let side = match side.trim_matches(space) {
        "" | "S" | "s" => Side::South,
        "N" | "n" => Side::North,
        _ => return None,
    };
    let [pits, south, north, ref rows @ ..] = numbers[..] else { return None };
    if rows.len() != 2 * pits as usize {
        return None;
    }
    let (row, other) = rows.split_at(pits as usize);
    Position::new([row, other], [south, north], side, Capture::Standard).ok()
}

#[test]
fn a_text_is_a_position_if_and_only_if_the_grammar_says_so() {
    let valid = [
        "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S",
        "<1,32763,0,1,3>",
        " < 2 , 10, 0,1,\t3,0 ,12 >\r\nn ",
    ];
    let symbols: Vec<char> = "<>,0123456789 \tSNsnxä-+.".chars().collect();
    let mut random = SmallRng::seed_from_u64(3);
    let (mut accepted, mut refused) = (0, 0);
    for number in 0..60_000 {
        let mut text: Vec<char> = valid[number % valid.len()].chars().collect();
        for _ in 0..random.random_range(0..3) {
            let at = random.random_range(0..text.len());
            let symbol = symbols[random.random_range(0..symbols.len())];
            match random.random_range(0..4) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, symbol),
                2 => text[at] = symbol,
                _ => text.truncate(at.max(1)),
            }
        }
        let text = String::from_iter(text);
        let expected = by_grammar(&text);
        assert_eq!(Position::parse(&text, Capture::Standard).ok(), expected, "{text:?}");
        if expected.is_some() { accepted += 1 } else { refused += 1 }
    }
    assert!(accepted > 20_000 && refused > 20_000, "{accepted} accepted, {refused} refused");
}

/// Counts leaves with the plain rules.
fn plain_perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 || position.is_over() {
        return 1;
    }
    position.children().map(|(_, after)| plain_perft(&after, depth - 1)).sum()
}

#[test]
fn perft_counts_the_reference_leaves() {
    for row in kalah_testing::rows(include_str!("../../../../tests/data/perft.tsv")) {
        let number = |index: usize| row[index].parse::<u32>().unwrap();
        let rules = Rules::new(number(0), number(1), row[2].parse().unwrap()).unwrap();
        let start = Position::start(rules);
        let depth = Depth(number(3) as u16);
        for counting in [Counting::EachMove, Counting::Bulk] {
            assert_eq!(
                perft(&start, depth, counting),
                u64::from(number(4)),
                "{rules} depth {depth}"
            );
        }
        if number(4) <= 100_000 {
            assert_eq!(plain_perft(&start, number(3)), u64::from(number(4)), "{rules}, plain");
        }
        let divided: u64 =
            divide(&start, depth, Counting::Bulk).iter().map(|(_, leaves)| leaves).sum();
        assert_eq!(divided, u64::from(number(4)), "{rules} depth {depth}, divided");
    }
}

#[test]
fn an_error_names_the_size_and_its_range() {
    let error = |pits, seeds| Rules::new(pits, seeds, Capture::Standard).unwrap_err().to_string();
    assert_eq!(error(0, 4), "expected 1 to 16 pits per row, got 0");
    assert_eq!(error(17, 4), "expected 1 to 16 pits per row, got 17");
    assert_eq!(error(6, 0), "expected 1 to 2730 seeds per pit with 6 pits per row, got 0");
    assert_eq!(error(16, 1024), "expected 1 to 1023 seeds per pit with 16 pits per row, got 1024");
}

#[test]
fn capture_names_are_parsed_back() {
    for capture in Capture::ALL {
        assert_eq!(capture.name().to_uppercase().parse(), Ok(capture));
    }
    assert!("kalah".parse::<Capture>().unwrap_err().to_string().contains("got 'kalah'"));
}

#[test]
fn the_numbers_of_capture_rules_never_change() {
    // Files of endgame tables contain them.
    let variants = Capture::ALL.map(|capture| Variant::new(6, capture).unwrap());
    assert_eq!(variants.map(Variant::code), [0, 1]);
    for code in 0..=u8::MAX {
        let variant = variants.get(usize::from(code)).copied();
        assert_eq!(Variant::from_code(6, code), variant);
        assert_eq!(Variant::from_code(17, code), None);
    }
}

/// The mover's gain by plain minimax.
fn minimax(position: &Position) -> Gain {
    let side = position.side();
    let gains = position.children().map(|(played, after)| {
        Gain(played.banked as i32) + played.turn.from_child(minimax_after(&played, &after))
    });
    gains.max().unwrap_or(position.margin(side) - position.lead(side))
}

/// The same after a move, from the point of view of the player who would move next: at the end of
/// the game, the seeds that were swept.
fn minimax_after(played: &Played, after: &Position) -> Gain {
    if !after.is_over() {
        return minimax(after);
    }
    let next = if played.turn == Turn::Keeps { played.side } else { played.side.other() };
    let [own, other] = [next, next.other()].map(|side| played.swept[side.index()] as i32);
    Gain(own - other)
}

#[test]
fn a_variant_allows_every_gain_that_a_position_has() {
    for variant in Variant::all().filter(|variant| variant.pits() == 2) {
        for contents in 0..5u32.pow(4) {
            let row = |at: u32| [contents / 5u32.pow(at) % 5, contents / 5u32.pow(at + 1) % 5];
            let position =
                Position::new([&row(0), &row(2)], [3, 0], Side::South, variant.capture()).unwrap();
            let in_play = position.in_play();
            let gain = minimax(&position);
            assert!(variant.has_gain(gain, in_play) && position.has_margin(gain + Gain(3)));
            assert_eq!(variant.next_gain(gain, in_play), gain, "{position}");
            assert_eq!(variant.gain(variant.won(gain, in_play), in_play), gain, "{position}");
            assert_eq!(variant.at_least(gain).alpha, gain - variant.gain_step());
            // The margin of a finished game is known.
            let margins = position.margins();
            assert!(margins.lower <= gain + Gain(3) && gain + Gain(3) <= margins.upper);
            assert!(margins.is_exact() || !position.is_over(), "{position}");
            if !position.is_over() {
                let least = variant.gain(variant.always_banked(), in_play);
                assert!(least <= gain && gain <= variant.gains(in_play).upper, "{position}");
                assert!(!position.has_margin(gain + Gain(4)), "{position}: the wrong parity");
                let [has_majority, opponent_has] =
                    Side::BOTH.map(|side| 2 * position.store(side) > position.total());
                assert!(!opponent_has, "North's store is empty");
                let winner = if has_majority { Some(Side::South) } else { None };
                assert_eq!(position.certain_winner(), winner, "{position}");
                let mirrored = position.mirrored();
                assert_eq!(mirrored.certain_winner(), winner.map(Side::other), "{mirrored}");
            }
        }
    }
}

#[test]
fn the_next_gain_has_the_parity_of_the_seeds() {
    let variant = Rules::default().variant();
    for in_play in [0, 1, 2, 7, 48, 32_767] {
        for gain in -7i32..=7 {
            let expected = if gain.abs() % 2 == in_play as i32 % 2 { gain } else { gain + 1 };
            assert_eq!(variant.next_gain(Gain(gain), in_play), Gain(expected), "of {in_play}");
        }
        let outside = Gain(in_play as i32 + 2);
        assert!(!variant.has_gain(outside, in_play) && !variant.has_gain(-outside, in_play));
    }
}
