//! Lists of openings, random openings, and the courses of games.

use std::collections::HashSet;

use kalah_game::{Capture, Position, Rules};
use kalah_record::file::read_openings;
use kalah_record::opening::{Opening, lines, random};
use kalah_record::{Ending, Game, Move, Outcome, Reason, TextError};

fn start(pits: u32, seeds: u32) -> Position {
    Position::start(Rules::new(pits, seeds, Capture::Standard).unwrap())
}

#[test]
fn random_openings_have_their_plies_and_differ_while_they_can() {
    for seed in 0..4 {
        let openings = random(start(6, 4), 3, 100, seed);
        let lengths: HashSet<usize> = openings.iter().map(|opening| opening.moves.len()).collect();
        assert_eq!(lengths, HashSet::from([3]));
        let positions: HashSet<_> = openings.iter().map(|opening| opening.position()).collect();
        assert_eq!(positions.len(), 100);
        assert_eq!(openings[..9], random(start(6, 4), 3, 9, seed));
        assert_ne!(openings, random(start(6, 4), 3, 100, seed + 1));
    }
    // The ids of games depend on the openings, so they are the same in every version.
    let letters = |plies, count, seed| -> Vec<String> {
        let openings = random(start(6, 4), plies, count, seed).into_iter();
        openings.map(|opening| opening.letters()).collect()
    };
    assert_eq!(letters(3, 4, 1), ["DeF", "CDe", "FdB", "Ece"]);
    assert_eq!(letters(1, 9, 1), ["D", "E", "F", "C", "B", "A", "A", "B", "B"]);
    // All six first moves occur before one is repeated.
    let first = random(start(6, 4), 1, 7, 1);
    let positions: HashSet<_> = first.iter().map(|opening| opening.position()).collect();
    assert_eq!((first.len(), positions.len()), (7, 6));
    // Where every game ends earlier, its last move is left to the players.
    for opening in random(start(2, 1), 9, 5, 1) {
        assert!(!opening.position().is_over() && opening.moves.len() < 9, "{opening:?}");
    }
}

#[test]
fn openings_are_read_from_lists_and_from_games() {
    let folder = kalah_testing::folder();
    let path = folder.path().join("openings");
    let read = |text: &str| {
        std::fs::write(&path, text).unwrap();
        read_openings(&path, start(6, 4))
            .map(|openings| openings.iter().map(|opening| opening.letters()).collect::<Vec<_>>())
    };
    let game = "[South \"a\"]\n\n1. C A *\n";
    for text in ["C A\n# a comment\nB\n", &format!("{game}\n1. B *\n{game}")] {
        assert_eq!(read(text).unwrap(), ["CA", "B"], "{text}");
    }
    // A result, a tag, a number or a comment shows that a text is a game.
    for game in ["C A 1-0", "C A 1 - 0", "[South \"a\"] C A", "1. C A", "{good} C A"] {
        assert_eq!(read(game).unwrap(), ["CA"], "{game}");
    }
    for nothing in ["", "# a comment\n"] {
        let error = read(nothing).unwrap_err().to_string();
        assert!(error.ends_with("expected at least one opening, got none"), "{error}");
    }
}

#[test]
fn a_list_that_was_cut_off_within_the_columns_of_its_last_line_is_an_error() {
    let check = |text: &str| lines(text, start(6, 4)).map(drop);
    for (line, complete) in [
        // The side to move counts as a column: a position without it is that of South.
        ("<2,0,0,1,1,1,1> N", "<2,0,0,1,1,1,1> N".len()),
        ("A b\t# name\t+2", "A b\t# name\t".len()),
        ("<2,0,0,1,1,1,1> S\tA", "<2,0,0,1,1,1,1> S\t".len()),
    ] {
        let list = format!("# a comment\n\n{line}\n");
        for end in 1..=line.len() {
            let text = list.clone() + &line[..end];
            let is_detected = check(&text).is_err();
            // Text without a '>' is not read as a position at all.
            let is_cut =
                end < complete && (line.contains('\t') || line[..end].trim_end().ends_with('>'));
            assert_eq!(is_detected, is_cut, "{text}");
            assert!(check(&(text + "\n")).is_ok(), "a line that ended was complete");
        }
        let fault = check(&(list.clone() + "<1>")).unwrap_err().to_string();
        assert!(fault.starts_with("line 4: "), "{fault}");
        assert!(check(&(list.clone() + "# more")).is_ok());
        assert!(check(&list).is_ok() && check(line).is_ok());
    }
}

#[test]
fn the_side_to_move_is_a_word_of_its_own_and_errors_count_characters() {
    let read_line = |line: &str| -> Option<Result<Opening, TextError>> {
        let list = "\n".repeat(6) + line;
        let mut read = lines(&list, start(6, 4)).unwrap();
        let read = read.pop()?;
        assert_eq!(read.text, line.split('#').next().unwrap().trim());
        Some(read.opening)
    };
    let read = |line: &str| read_line(line).unwrap();
    let position = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>";
    for (line, side, letters, name) in [
        (format!("{position} N a # reply\t+3"), "N", "a", "reply"),
        (format!("{position} s"), "S", "", "line 7"),
        (format!(" {position}AbC#"), "S", "AbC", "line 7"),
        (format!("{position} n empty-capture  a B"), "N empty-capture", "aB", "line 7"),
        (format!("{position} standard A"), "S", "A", "line 7"),
        ("C A # two".to_owned(), "S", "CA", "two"),
    ] {
        let opening = read(&line).unwrap();
        assert!(opening.start.to_string().ends_with(side), "{line}");
        assert_eq!((opening.letters().as_str(), opening.name.as_str()), (letters, name), "{line}");
    }
    for (line, column) in [
        (format!("{position} S Ax"), position.len() + 5),
        (format!("{position} S empty-capture Ax"), position.len() + 19),
        ("Aé".to_owned(), 2),
        (" A x".to_owned(), 4),
        // No side to move, but a move that is not one.
        (format!("{position} SB"), position.len() + 2),
    ] {
        let fault = read(&line).unwrap_err().to_string();
        assert!(fault.starts_with(&format!("line 7, column {column}: ")), "{line}: {fault}");
    }
    assert!(read_line(" # a comment").is_none());
}

#[test]
fn a_game_answers_each_of_its_positions_with_its_move_and_points() {
    let mut game = Game::new(start(3, 2), Default::default());
    while let Some(pit) = game.position().moves().iter().next() {
        game.play(Move::new(pit)).unwrap();
    }
    assert_eq!(game.played_from(game.start()), None, "it is unfinished");
    let winner = Outcome::Won(kalah_game::Side::North);
    let ending = Ending { outcome: winner, reason: Reason::Time, margin: None, detail: None };
    game.finish(ending).unwrap();
    for (index, step) in game.steps().iter().enumerate() {
        let position = game.position_after(index);
        let points = winner.half_points(position.side());
        assert_eq!(game.played_from(position), Some((step.played.pit, points)));
    }
    // No move was made from the last position, nor from any that the game did not reach.
    assert_eq!(game.played_from(game.position()), None);
    for other in [start(3, 2).mirrored(), start(3, 3), start(4, 2)] {
        assert_eq!(game.played_from(&other), None);
    }
}
