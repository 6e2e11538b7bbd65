//! What the coach says is true of the position.

use kalah_coach::advice::{coaching, encouragement, hint, pv_text};
use kalah_coach::explain::{JudgedMove, Judgement, comparison, in_seeds, turning_point};
use kalah_game::score::Value;
use kalah_game::{Capture, Position, Rules};

use kalah_sys::random::SplitMix64;

use super::{pits, random_ending};

fn judged(position: &Position, letters: &str, seeds: i32) -> JudgedMove {
    let pv = pits(position, letters);
    JudgedMove { pv, margin: Value(seeds * Value::SEED), proved: true }
}

fn judgement(position: &Position, played: (&str, i32), best: (&str, i32)) -> Judgement {
    let played = judged(position, played.0, played.1);
    Judgement { played, best: judged(position, best.0, best.1) }
}

/// What follows is by hand. North's pits a, b and c lie opposite C, B and A.
#[test]
fn only_estimates_have_parts_of_seeds() {
    let shown = [(250, false), (400, true), (-400, false), (0, true)]
        .map(|(value, proved)| in_seeds(Value(value), proved));
    assert_eq!(shown, ["+2.5", "+4", "-4.0", "0"]);
}

#[test]
fn each_kind_of_fault_and_merit_is_named() {
    for (position, played, best, parts) in [
        // C and B keep the turn, C again empties the row.
        (
            "<3,0,0,0,2,1,0,2,0> S",
            "CBC",
            "B",
            ["C ends the game, and North keeps its last 2", "with B"],
        ),
        // Both capture; only A takes North's last seeds, while C sows others.
        (
            "<3,0,0,1,0,6,0,3,0> S",
            "C",
            "A",
            ["A ends the game, and South keeps its last 6", "with C"],
        ),
        // C keeps the turn, and A captures from b.
        ("<3,0,0,1,0,1,0,3,0> S", "A", "CA", ["C keeps the turn", "with A"]),
        (
            "<3,0,0,1,0,1,0,3,4> S",
            "C",
            "CA",
            ["C keeps the turn, and A captures 3 from b", "with C"],
        ),
        // North moves twice and three times after A, and once after B.
        ("<3,0,0,1,1,1,3,1,1> S", "Acb", "Bc", ["A lets North move twice in a row", "with B"]),
        ("<3,0,0,1,1,4,3,2,1> S", "Acbc", "Bc", ["A lets North move 3 times in a row", "with B"]),
        // Equal numbers of moves and equal captures explain nothing.
        ("<3,0,0,1,1,4,3,2,1> S", "Ac", "Bc", ["with B, you win by 5", "instead of 1 with A"]),
        // North's a can also capture from C after B, although c is North's best reply.
        ("<4,0,0,1,1,8,0,1,0,5,0> S", "Aa", "Bc", ["with B, you win by 5", "instead of 1 with A"]),
        // After A, a captures from B, but not after B or C.
        (
            "<3,0,0,1,3,2,1,0,2> S",
            "Aa",
            "Bc",
            ["A lets North capture 4 from B", "B moves those seeds to safety"],
        ),
        ("<3,0,0,1,3,2,1,0,2> S", "Aa", "Cc", ["A lets North capture 4 from B", "C prevents that"]),
        // After C and b, the two seeds of A end opposite a.
        ("<3,0,0,1,0,2,0,3,0> S", "A", "CbA", ["C prepares a capture of 1 from a", "with A"]),
        // In its next turn, South captures from a only after B.
        ("<3,0,0,1,1,0,2,3,2> S", "A", "Bb", ["B captures 2 from a", "with A"]),
    ] {
        let position = Position::parse(position, Capture::Standard).unwrap();
        let judgement = judgement(&position, (played, 1), (best, 5));
        let said = comparison(&position, &judgement, Some(position.side()));
        for part in parts {
            assert!(said.contains(part), "{position}: {said}");
        }
        // Once the game is over, the advice is in the past tense.
        let past = parts[0].replace("lets", "let").replace("ends", "ended");
        let better = &best[..1];
        let expected = if past.contains("North") {
            format!("{}. With {better}, South would have won by 5.", past.replace("keeps", "kept"))
        } else {
            format!("with {better} instead of {}, South would have won by 5.", &played[..1])
        };
        assert_eq!(turning_point(&position, &judgement, None), None);
        let judgement = self::judgement(&position, (played, -1), (best, 5));
        assert_eq!(turning_point(&position, &judgement, None).as_deref(), Some(&*expected));
    }
}

/// Whatever a line contains, it explains no difference from itself.
#[test]
fn a_line_has_no_fault_and_no_merit_compared_with_itself() {
    let mut random = SplitMix64::new(67);
    for round in 0..600 {
        let capture = Capture::ALL[round % Capture::ALL.len()];
        let rules = Rules::new(3 + round as u32 % 4, 3, capture).unwrap();
        let position = random_ending(rules, 12, &mut random);
        let mut after = position;
        let mut line = String::new();
        while !after.is_over() && line.len() < 8 {
            let mut moves = after.moves().iter();
            let pit = moves.nth(random.below(moves.len())).unwrap();
            line.push(pit.letter(after.side()));
            after.play(pit).unwrap();
        }
        let said = comparison(&position, &judgement(&position, (&line, 1), (&line, 1)), None);
        let letter = &line[..1];
        let side = position.side();
        let nothing = format!("with {letter}, {side} wins by 1 instead of 1 with {letter}");
        assert_eq!(said, nothing, "{position} {line}");
    }
}

#[test]
fn a_hint_names_what_its_move_achieves() {
    for (position, capture, best, wanted) in [
        ("<3,0,0,1,0,1,0,3,0> S", Capture::Standard, "C", Some("C (1 seed), an extra turn, with")),
        ("<3,0,0,1,0,2,0,3,0> S", Capture::Standard, "A", Some("A (1 seed), captures 3, with")),
        // The capturing seed alone is no capture worth a word.
        ("<3,0,0,1,0,2,3,0,0> S", Capture::EmptyCapture, "A", Some("A (1 seed), with")),
        ("<3,0,0,1,0,2,0,3,0> S", Capture::Standard, "C", Some("C (2 seeds), with")),
    ] {
        let position = Position::parse(position, capture).unwrap();
        let judgement = judgement(&position, (best, 3), (best, 3));
        let texts = hint(&position, &judgement);
        assert_eq!(texts.len(), 1, "nothing is worse: {texts:?}");
        let said = texts[0].strip_prefix("Hint: ").unwrap();
        assert!(wanted.is_none_or(|wanted| said.starts_with(wanted)), "{said}");
        assert!(
            said.contains(" you win by 3, proved. ") && said.ends_with(&format!("Line: {best}.")),
            "{said}"
        );
        let praise = encouragement(&position, &judgement);
        assert_eq!(praise.contains("capture"), said.contains("captures"), "{praise}");
        assert_eq!(praise.contains("extra turn"), said.contains("extra turn"), "{praise}");
    }
    let position = Position::parse("<3,0,0,1,0,2,0,3,0> S", Capture::Standard).unwrap();
    let mut worse = judgement(&position, ("C", 2), ("A", 3));
    let texts = hint(&position, &worse);
    assert!(texts.len() == 2 && texts[1].starts_with("Why not C, the next best? "), "{texts:?}");
    let mistake = coaching(&position, &worse).unwrap();
    assert!(mistake.contains(&comparison(&position, &worse, Some(position.side()))), "{mistake}");
    // A loss of less than half a seed may be an error of the search.
    let half = Value(Value::SEED / 2);
    worse.played.margin = worse.best.margin - half;
    assert!(coaching(&position, &worse).is_some() && hint(&position, &worse).len() == 2);
    worse.played.margin = worse.best.margin - half + Value(1);
    assert!(coaching(&position, &worse).is_none() && hint(&position, &worse).len() == 1);
    assert!(!comparison(&position, &worse, None).contains("about"));
    worse.best.proved = false;
    assert!(
        comparison(&position, &worse, None).contains("about"),
        "one of two margins is an estimate"
    );
    let estimate = &hint(&position, &worse)[0];
    assert!(estimate.contains(" about 3.") && !estimate.contains("proved"), "{estimate}");
}

#[test]
fn lines_are_spaced_where_the_turn_passes_and_cut_after_their_first_moves() {
    let start = Position::start(Rules::new(6, 4, Capture::Standard).unwrap());
    let pv = pits(&start, "CAcb");
    for (count, text) in [(10, "CA cb"), (3, "CA c"), (2, "CA"), (1, "C"), (0, "")] {
        assert_eq!(pv_text(&start, &pv, count), text);
    }
}
