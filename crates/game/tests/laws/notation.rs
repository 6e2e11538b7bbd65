use kalah_game::{Capture, Pit, Position, Rules};

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
