//! What the history counts, and the order in which it sets puzzles.

use kalah_coach::exercise::ReplyKind;
use kalah_coach::history::PuzzleHistory;
use kalah_coach::puzzle::{Puzzle, embedded};

/// An empty history in memory.
fn history() -> PuzzleHistory {
    PuzzleHistory::from_lines(std::iter::empty())
}

fn answer(history: &mut PuzzleHistory, puzzle: &Puzzle, right: bool) -> Option<String> {
    history.note(puzzle, if right { ReplyKind::Right } else { ReplyKind::Wrong })
}

#[test]
fn streaks_and_sums_are_those_of_the_first_answers() {
    let puzzles = embedded();
    let mut history = history();
    // Without a file or a caller, the answers are in memory alone, which is no trouble.
    let lost = PuzzleHistory::load(None);
    assert!(history.is_saved() && !lost.is_saved() && lost.trouble().is_none());
    let mut answers = Vec::new();
    let streak = |answers: &[bool]| answers.iter().rev().take_while(|&&right| right).count();
    for (puzzle, letter) in puzzles.iter().zip("wrrwrrrwwr".chars()) {
        let right = letter == 'r';
        let before = streak(&answers);
        answers.push(right);
        let said = answer(&mut history, puzzle, right).expect("a first answer");
        let expected = if right { before + 1 } else { before };
        assert!(said.contains(&format!(" {expected}")), "{said}");
        assert_eq!(said.contains("has ended"), !right && before > 0, "{said}");
        assert_eq!(history.latest(puzzle), Some(right));
        // Further answers do not count.
        assert_eq!(answer(&mut history, puzzle, !right), None);
        assert_eq!(history.latest(puzzle), Some(right));
        let summary = history.summary();
        let longest = (1..=answers.len()).map(|end| streak(&answers[..end])).max().unwrap();
        let rights = answers.iter().filter(|&&right| right).count();
        for part in [
            format!(" {rights} of {} ", answers.len()),
            format!(" streak is {},", streak(&answers)),
            format!(" longest is {longest}."),
        ] {
            assert!(summary.contains(&part), "{summary}");
        }
    }
    // A puzzle that is set once more has a new first answer, unless help comes before it.
    let puzzle = &puzzles[0];
    assert_eq!(history.latest(puzzle), Some(false));
    history.set(puzzle);
    assert!(answer(&mut history, puzzle, true).is_some());
    for help in [ReplyKind::Hint, ReplyKind::More] {
        history.set(puzzle);
        assert_eq!((history.note(puzzle, help), answer(&mut history, puzzle, false)), (None, None));
    }
    assert_eq!(history.latest(puzzle), Some(true));
    history.set(puzzle);
    assert!(history.note(puzzle, ReplyKind::Solution).is_some());
    assert_eq!(history.latest(puzzle), Some(false));
}

#[test]
fn new_puzzles_are_set_before_wrong_answers_and_these_before_right_ones() {
    let all: Vec<(usize, Puzzle)> = history().numbered().into_iter().take(6).collect();
    let mut history = history();
    // The latest answer counts: 6 was wrong at first, and 2 right.
    for (number, right) in [(6, false), (2, true), (4, false), (2, false), (3, true), (6, true)] {
        let puzzle = &all[number - 1].1;
        history.set(puzzle);
        answer(&mut history, puzzle, right);
    }
    let ordered = history.ordered(all.into_iter().rev().collect());
    let numbers: Vec<usize> = ordered.iter().map(|&(number, _)| number).collect();
    let (new, answered) = numbers.split_at(2);
    assert_eq!(answered, [4, 2, 3, 6]);
    assert!(new.contains(&1) && new.contains(&5));
    assert!(ordered[0].1.rank() <= ordered[1].1.rank());
}

#[test]
fn the_puzzles_of_a_game_follow_the_built_in_ones_and_count_once() {
    let built_in = embedded();
    let mut history = history();
    assert!(!history.has_searched("a.kgn"));
    for _ in 0..2 {
        // Two programs may search the same game.
        history.keep("a.kgn".to_owned(), &built_in[3..5]);
    }
    history.keep("b.kgn".to_owned(), &[]);
    assert!(history.has_searched("a.kgn") && history.has_searched("b.kgn"));
    assert_eq!(history.own(), &built_in[3..5]);
    let numbered = history.numbered();
    let last = (built_in.len() + 2, built_in[4].clone());
    assert_eq!((numbered.len(), numbered.last()), (built_in.len() + 2, Some(&last)));
    let lines = history.take_lines();
    let again = PuzzleHistory::from_lines(lines.iter().map(String::as_str));
    assert_eq!(again.own(), history.own());
    assert!(again.has_searched("b.kgn") && !again.has_searched("c.kgn"));
}
