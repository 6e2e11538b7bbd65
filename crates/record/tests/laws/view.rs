//! Drawings of positions, lines of text with roles, and how games end in words.

use kalah_game::{Capture, Gain, Position, Rules, Side, Turn};
use kalah_record::board::{Annotations, Glyphs, View, board, pit_at};
use kalah_record::styled::{Role, StyledLine};
use kalah_record::{Ending, Game, Move, Outcome, Reason, sentence};
use proptest::prelude::*;

#[test]
fn neighbours_in_one_role_are_one_span() {
    let line = StyledLine::plain("a").with(Role::Plain, "b").with(Role::Strong, "c");
    assert_eq!((line.0.len(), line.width(), line.text()), (2, 3, "abc".to_owned()));
}

#[test]
fn lines_have_no_control_characters() {
    let line = StyledLine::plain("a\u{1b}[2J\n\u{9b}b").with(Role::Strong, "\u{202e}c");
    assert_eq!(line.text(), "a\\u001b[2J\\u000a\\u009bb\\u202ec");
}

/// A position all of whose pits and stores hold different numbers, all of two digits.
fn distinct(pits: u32) -> Position {
    let counts: Vec<String> = (11..).take(2 * pits as usize + 2).map(|n| n.to_string()).collect();
    Position::parse(&format!("<{pits},{}> S", counts.join(",")), Capture::Standard).unwrap()
}

/// The numbers in drawn lines, each with its column and line.
fn numbers(lines: &[StyledLine]) -> Vec<(u32, usize, usize)> {
    let mut found = Vec::new();
    for (row, line) in lines.iter().enumerate() {
        let mut column = 0;
        for word in line.text().split(|letter: char| !letter.is_ascii_digit()) {
            found.extend(word.parse().ok().map(|number| (number, column, row)));
            column += word.len() + 1;
        }
    }
    found
}

#[test]
fn every_pit_and_store_shows_its_seeds_once_and_a_click_on_them_finds_the_pit() {
    for (pits, width) in
        (1..=8).flat_map(|pits| (24..130).step_by(5).map(move |width| (pits, width)))
    {
        let position = distinct(pits);
        for (height, bottom) in
            [(None, Side::South), (Some(12), Side::North), (Some(20), Side::South)]
        {
            let view = View { width, height, glyphs: Glyphs::Ascii, bottom };
            let lines = board(&position, &Annotations::new(&position), &view);
            assert!(lines.iter().all(|line| line.width() <= width), "{width}");
            let mut shown = numbers(&lines);
            shown.sort_unstable();
            let seeds: Vec<u32> = shown.iter().map(|&(number, ..)| number).collect();
            assert_eq!(seeds, (11..).take(2 * pits as usize + 2).collect::<Vec<_>>(), "{lines:?}");
            for (number, column, row) in shown {
                let pit = pit_at(&position, &view, column, row);
                match pit {
                    Some((side, pit)) => {
                        assert_eq!(u32::from(position.row(side)[pit.index()]), number)
                    }
                    None => assert!(Side::BOTH.iter().any(|&side| position.store(side) == number)),
                }
            }
        }
    }
}

#[test]
fn empty_pits_of_any_size_are_drawn() {
    let position = Position::parse("<2,0,0,0,1,1,0> S", Capture::Standard).unwrap();
    for (width, height) in (24..60).flat_map(|width| (8..20).map(move |height| (width, height))) {
        let glyphs = Glyphs::Unicode;
        let view = View { width, height: Some(height), glyphs, bottom: Side::South };
        let lines = board(&position, &Annotations::new(&position), &view);
        assert!(lines.iter().all(|line| line.width() <= width), "{width} by {height}");
        let mut seeds: Vec<u32> = numbers(&lines).iter().map(|&(number, ..)| number).collect();
        seeds.sort_unstable();
        // An empty pit shows its zero or nothing; its seeds are never a wrong number.
        seeds.retain(|&number| number > 0);
        assert_eq!(seeds, [1, 1], "{width} by {height}: {lines:?}");
    }
}

#[test]
fn the_width_of_a_line_counts_columns() {
    assert_eq!(StyledLine::plain("播棋").with(Role::Strong, "e\u{301}").width(), 5);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_board_fits_with_any_names(
        names in prop::array::uniform2(prop_oneof![any::<String>(), "[播棋🌱e\u{301}]{0,60}"]),
        pits in 1_u32..=16,
        height in prop::option::of(8_usize..40),
        bottom in prop::sample::select(Side::BOTH.to_vec()),
    ) {
        let position = Position::start(Rules::new(pits, 4, Capture::Standard).unwrap());
        let annotations = Annotations { names, ..Annotations::new(&position) };
        for width in 0..=120 {
            let view = View { width, height, glyphs: Glyphs::Unicode, bottom };
            for line in board(&position, &annotations, &view) {
                prop_assert!(line.width() <= width.max(24), "{width}: {:?}", line.text());
            }
        }
    }
}

/// A game of two moves that ended in this way.
fn ended(ending: Option<Ending>) -> Game {
    let mut game = Game::new(Position::start(Rules::default()), Default::default());
    for letter in ["A", "a"] {
        let pit = game.position().parse_move(letter).unwrap();
        game.play(Move::new(pit)).unwrap();
    }
    if let Some(ending) = ending {
        game.finish(ending).unwrap();
    }
    game
}

#[test]
fn an_ending_is_worded_for_sentences_lists_and_each_side() {
    let lost_on_time = Ending::lost_by(Side::North, Reason::Time, None);
    let resigned = Ending::lost_by(Side::South, Reason::Resignation, None);
    let crashed = Ending::lost_by(Side::North, Reason::Crash, None);
    let by_table = Ending::by_margin(Gain(-5), Reason::Table);
    let drawn =
        Ending { outcome: Outcome::Draw, reason: Reason::MoveLimit, margin: None, detail: None };
    for (ending, sentence, result, winner, for_south) in [
        (None, None, "unfinished", "unfinished", "unfinished"),
        (
            Some(lost_on_time),
            Some("North ran out of time; South wins."),
            "1-0 (time)",
            "South (time)",
            "won (time)",
        ),
        (
            Some(resigned),
            Some("South resigned; North wins."),
            "0-1 (resignation)",
            "North (resignation)",
            "lost (resignation)",
        ),
        (Some(crashed), Some("South won (crash)."), "1-0 (crash)", "South (crash)", "won (crash)"),
        (Some(by_table), Some("North won (table)."), "0-1 by -5 (table)", "North by 5", "-5"),
        (
            Some(drawn),
            Some("It was a draw (move-limit)."),
            "1/2-1/2 (move-limit)",
            "draw",
            "drawn (move-limit)",
        ),
    ] {
        let game = ended(ending);
        assert_eq!(sentence::ending(&game).as_deref(), sentence);
        assert_eq!(
            [sentence::result(&game), sentence::winner(&game)],
            [result, winner].map(str::to_owned)
        );
        assert_eq!(sentence::result_for(&game, Side::South), for_south);
    }
}

#[test]
fn a_move_in_words_names_the_seeds_that_it_banked_and_who_moves_next() {
    for capture in [Capture::Standard, Capture::EmptyCapture] {
        let mut position = Position::parse("<4,1,0,3,0,2,4,0,1,5,2> S", capture).unwrap();
        while let Some(pit) = position.moves().into_iter().next() {
            let played = position.play(pit).expect("a legal move");
            let text = sentence::of_move(&played, &position);
            let ends_in_store = played.turn == Turn::Keeps && played.captured == 0;
            let banks = played.banked > 0 && !ends_in_store;
            let banked = format!(": {} to its store", played.banked);
            assert_eq!(text.contains(&banked), banks, "{text}");
            assert_eq!(text.contains("to its store"), banks, "{text}");
            let again = format!("{} moves again.", played.side);
            let keeps = played.turn == Turn::Keeps && !position.is_over();
            assert_eq!(text.contains(&again), keeps, "{text}");
        }
    }
}

#[test]
fn the_rules_in_words_are_those_of_the_board() {
    let of = |pits, capture| {
        let rules = Rules::new(pits, 4, capture).expect("a board");
        sentence::rules(&Position::start(rules)).join(" ")
    };
    let six = of(6, Capture::Standard);
    assert!(
        six.contains("6 pits") && six.contains("A to F") && six.contains("there is no capture")
    );
    let four = of(4, Capture::EmptyCapture);
    assert!(four.contains("4 pits") && four.contains("a to d") && !four.contains("no capture"));
}
