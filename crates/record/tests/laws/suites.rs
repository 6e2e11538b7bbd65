//! Suites: positions with the exact gain of each move, and the score of a search on them.

use std::slice;

use kalah_engine::Engine;
use kalah_engine::search::Limits;
use kalah_record::suite::{parse, solve};

const HEADER: &str = "board\tcapture\tin_play\tbest\tgains\n";

#[test]
fn errors_name_the_wrong_line() {
    for (line, message) in [
        ("x", "line 2: expected board, capture"),
        ("x\tstandard\t2\t0\t0,-", "line 2: expected '<'"),
        ("<2,0,0,1,0,1,0>\twild\t2\t0\t0,-", "line 2: expected a capture rule, got 'wild'"),
        ("<2,0,0,1,0,1,0>\tstandard\t2\t0\t0,0", "line 2: expected a gain for each pit with seeds"),
    ] {
        let error = parse(&format!("{HEADER}{line}")).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn a_best_move_loses_nothing_and_any_other_the_difference() {
    // The gains of all problems but the first are exchanged, so that the better move is listed as
    // worse. It then turns a win into a draw, twice, a win into a loss, and nothing.
    let cases = [("0,0", "0,2"), ("0,0", "2,0"), ("1,1", "2,0"), ("0,1", "2,0"), ("3,0", "2,0")];
    let lines =
        cases.map(|(stores, gains)| format!("<2,{stores},1,1,1,1> S\tstandard\t4\t2\t{gains}"));
    let text = format!("{HEADER}{}\n", lines.join("\n"));
    let problems = parse(&text).unwrap();
    for (line, problem) in text.lines().skip(1).zip(&problems) {
        assert_eq!(problem.to_string(), line);
    }
    let with_empty_pit = "<2,0,0,0,1,1,1> S\tstandard\t3\t1\t-,1";
    let parsed = parse(&format!("{HEADER}{with_empty_pit}")).unwrap();
    assert_eq!(parsed[0].to_string(), with_empty_pit);
    let mut engine = Engine::without_tables(1).unwrap();
    let mut moves = Vec::new();
    let score = solve(&mut engine, &problems, Limits::nodes(1000), |answer| {
        moves.push((answer.letter, answer.lost.0));
    });
    assert_eq!(moves, [0, 2, 2, 2, 2].map(|lost| ('B', lost)));
    assert_eq!((score.positions, score.best, score.lost, score.spoilt), (5, 1, 8, 3));
    let mut nodes = Vec::new();
    for problem in &problems {
        let alone = solve(&mut engine, slice::from_ref(problem), Limits::nodes(1000), drop);
        nodes.push(alone.nodes);
    }
    assert!(nodes.iter().all(|&nodes| nodes > 0));
    assert_eq!(score.nodes, nodes.iter().sum::<u64>());
}
