use std::error::Error as _;

use kalah_game::{Capture, Pit, Position, Rules, Side, Variant};

fn error(text: &str) -> String {
    Position::parse(text, Capture::Standard).unwrap_err().to_string()
}

#[test]
fn the_start_position_is_parsed_with_and_without_its_side() {
    let text = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S";
    let start = Position::start(Rules::default());
    assert_eq!(start.to_string(), text);
    assert_eq!(Position::parse(text, Capture::Standard), Ok(start));
    assert_eq!(Position::parse(&text[..text.len() - 2], Capture::Standard), Ok(start));
}

#[test]
fn spaces_and_case_are_ignored() {
    let north = Position::parse("<1,0,0,4,4> N", Capture::Standard);
    assert!(north.is_ok());
    assert_eq!(Position::parse(" < 1, 0,0 ,4 ,4 >n \r\n", Capture::Standard), north);
}

#[test]
fn errors_state_what_was_expected_and_where() {
    assert_eq!(error(""), "expected '<' at column 1, got the end");
    assert_eq!(error("startpos"), "expected '<' at column 1, got 'startpos'");
    assert_eq!(error("<1,0,0,4,4"), "expected ',' or '>' at column 11, got the end");
    assert_eq!(error("<1,0,0,4,x>"), "expected a number from 0 to 32767 at column 10, got 'x>'");
    assert_eq!(error("<1,0,0,4,-1>"), "expected a number from 0 to 32767 at column 10, got '-1>'");
    assert_eq!(error("<2,0,0,4,4> S"), "expected 7 numbers for 2 pits per row, got 5");
    assert_eq!(error("<0,0,0> S"), "expected 1 to 16 pits per row, got 0");
    assert_eq!(error("<1,0,0,4,4> W"), "expected 'S', 'N' or the end at column 13, got 'W'");
    assert_eq!(error("<1,0,0,20000,20000>"), "expected at most 32767 seeds in all, got 40000");
    for number in ["32768", "99999999999"] {
        assert_eq!(
            error(&format!("<1,{number},0,4,4>")),
            format!("expected a number from 0 to 32767 at column 4, got '{number},0,4,4>'")
        );
    }
}

#[test]
fn letters_change_case_with_the_side_and_end_at_an_illegal_move() {
    let moves = [2, 0, 2, 2, 1].map(Pit::new);
    let letters = Position::start(Rules::default()).letters(&moves);
    assert_eq!(String::from_iter(letters), "CAc");
}

#[test]
fn an_error_gives_the_number_of_the_first_illegal_move() {
    let mut position = Position::start(Rules::default());
    assert_eq!(position.play_moves(["c", "A", "b"]).map(|moves| moves.len()), Ok(3));
    let error = position.play_moves(["B", "x", "q"]).unwrap_err();
    assert_eq!(error.to_string(), "move 2: expected a pit's letter, A to F, got 'x'");
    assert_eq!(error.source().unwrap().to_string(), error.to_string()["move 2: ".len()..]);
}

#[test]
fn moves_are_letters_of_the_side_to_move_in_either_case() {
    let mut position = Position::start(Rules::default());
    assert_eq!(position.parse_move("c"), Ok(Pit::new(2)));
    assert_eq!(position.parse_move("C"), Ok(Pit::new(2)));
    position.play(Pit::new(2)).unwrap();
    let error = |text| position.parse_move(text).unwrap_err().to_string();
    assert_eq!(error("c"), "pit C is empty");
    assert_eq!(error("g"), "expected a pit's letter, A to F, got 'g'");
    assert_eq!(error("AB"), "expected a pit's letter, A to F, got 'AB'");
    assert_eq!(error(""), "expected a pit's letter, A to F, got ''");
    assert_eq!(error("ä"), "expected a pit's letter, A to F, got 'ä'");
}

#[test]
fn a_text_names_its_rule_unless_it_is_the_standard_one() {
    let bare = "<3,1,0,0,0,1,1,0,1> N";
    let standard = Position::parse(bare, Capture::Standard).unwrap();
    let empty = Position::parse(bare, Capture::EmptyCapture).unwrap();
    assert_eq!((standard.to_string().as_str(), bare.parse()), (bare, Ok(standard)));
    let text = empty.to_string();
    assert_eq!((text.as_str(), text.parse()), ("<3,1,0,0,0,1,1,0,1> N empty-capture", Ok(empty)));
    assert_eq!(empty.without_rule().to_string(), bare);
    // A rule in the text takes precedence over a default, in either case, and with or without a side.
    assert_eq!(Position::parse_or(&text.to_uppercase(), Capture::Standard), Ok(empty));
    let named = format!("{bare} standard");
    assert_eq!(Position::parse_or(&named, Capture::EmptyCapture), Ok(standard));
    // The caller's rule must agree with the one in the text.
    assert_eq!(Position::parse(&named, Capture::Standard), Ok(standard));
    let error_beside = Position::parse(&named, Capture::EmptyCapture).unwrap_err().to_string();
    assert_eq!(error_beside, "expected the rule empty-capture, got standard");
    let south = Position::parse("<1,0,0,1,1> S", Capture::EmptyCapture);
    assert_eq!("<1,0,0,1,1>\tempty-capture ".parse(), south);
    assert_eq!(
        error("<1,0,0,1,1> S no"),
        "expected a capture rule or the end at column 15, got 'no'"
    );
    assert_eq!(error("<1,0,0,1,1> empty-capture S"), "expected the end at column 27, got 'S'");
}

#[test]
fn pits_and_sides_are_read_in_either_case() {
    for index in 0..16 {
        let pit = Pit::new(index);
        assert_eq!(pit.to_string().parse(), Ok(pit));
        assert_eq!(pit.letter(Side::North).to_string().parse(), Ok(pit));
    }
    for text in ["", "Q", "AB", "ä", "@", "["] {
        let error = text.parse::<Pit>().unwrap_err().to_string();
        assert_eq!(error, format!("expected a pit's letter, A to P, got '{text}'"));
    }
    for side in Side::BOTH {
        assert_eq!(side.name().to_lowercase().parse(), Ok(side));
    }
    assert_eq!(
        "W".parse::<Side>().unwrap_err().to_string(),
        "expected side 'South' or 'North', got 'W'"
    );
}

#[test]
fn variants_and_sides_have_names_for_sentences() {
    assert_eq!(Side::BOTH.map(|side| side.to_string()), ["South", "North"]);
    let variant = |pits| Variant::new(pits, Capture::EmptyCapture).unwrap().to_string();
    assert_eq!([variant(1), variant(6)], ["1 pit, empty-capture", "6 pits, empty-capture"]);
    for pits in 1..=16 {
        let numbers = |count: usize| format!("<{pits}{}>", ",1".repeat(count));
        assert!(Position::parse(&numbers(2 + 2 * pits), Capture::Standard).is_ok(), "{pits}");
        let fault = format!("expected {} numbers for {pits} pit", 3 + 2 * pits);
        for count in [1 + 2 * pits, 3 + 2 * pits, 100] {
            assert!(error(&numbers(count)).starts_with(&fault), "{}", error(&numbers(count)));
        }
    }
}
