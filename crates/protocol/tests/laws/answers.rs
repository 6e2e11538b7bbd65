//! The answers to `go`: legal lines, one `bestmove`, and a score before it.

use kalah_game::{Capture, Pit, Position};
use kalah_protocol::session::Input;

use super::manager::Manager;

/// Positions of all kinds and sizes, and their capture rules.
fn positions() -> impl Iterator<Item = (&'static str, &'static str)> {
    let six_pits = include_str!("../../../../tests/data/values.tsv").lines().step_by(8);
    let others = include_str!("../../../../tests/data/values_other_boards.tsv").lines().step_by(3);
    six_pits.chain(others).filter(|line| line.starts_with('<')).map(|line| {
        let mut cells = line.split('\t');
        (cells.next().unwrap(), cells.next().unwrap())
    })
}

/// Sets up a position; returns the answers to a `go` with these limits.
fn answers(manager: &mut Manager, (text, capture): (&str, &str), limits: &str) -> Vec<String> {
    manager.say(&format!("setoption name Capture value {capture}"));
    assert_eq!(manager.say(&format!("position fen {text}")), [""; 0]);
    manager.say(&format!("go {limits}"))
}

/// The position after the moves of a line, if all are legal and in the mover's case.
fn played(position: &Position, line: &str) -> Option<Position> {
    line.split_whitespace().try_fold(*position, |mut position, word| {
        let side = position.side();
        let letter = word.chars().next().filter(|_| word.len() == 1)?;
        let pit = (0..position.pits()).map(Pit::new).find(|pit| pit.letter(side) == letter)?;
        position.play(pit).ok()?;
        Some(position)
    })
}

#[test]
fn every_line_shown_is_legal_and_the_best_move_is_its_first() {
    let mut manager = Manager::new();
    manager.say("setoption name MultiPV value 3");
    for (text, capture) in positions() {
        let rule: Capture = capture.parse().unwrap();
        let position = Position::parse(text, rule).unwrap();
        let answers = answers(&mut manager, (text, capture), "depth 6");
        let (last, before) = answers.split_last().unwrap();
        let mut first_of_best = "";
        for line in before.iter().filter(|line| line.contains(" pv ")) {
            let pv = line.split_once(" pv ").unwrap().1;
            assert!(played(&position, pv).is_some(), "{text}: {line}");
            if line.contains(" multipv 1 ") {
                first_of_best = pv.split(' ').next().unwrap();
            }
        }
        let best = last.strip_prefix("bestmove ").unwrap();
        let mut words = best.split(" ponder ");
        assert_eq!(words.next(), Some(first_of_best), "{text}");
        if let Some(reply) = words.next() {
            let after = played(&position, first_of_best).unwrap();
            assert_ne!(after.side(), position.side(), "{text}: nothing to ponder on");
            assert!(played(&after, reply).is_some(), "{text}: ponder {reply}");
        }
    }
}

#[test]
fn a_proved_line_that_is_searched_to_its_end_ends_where_the_game_ends() {
    let mut manager = Manager::new();
    let text = "<6,20,20,0,0,0,0,1,1,0,0,0,0,1,0> S";
    let answers = answers(&mut manager, (text, "standard"), "depth 30");
    let pv = answers.iter().rev().find_map(|line| Some(line.split_once(" pv ")?.1)).unwrap();
    let position = Position::parse(text, Capture::Standard).unwrap();
    assert!(played(&position, pv).unwrap().is_over(), "{pv}");
    assert!(answers.iter().any(|line| line.starts_with("info string proved ")));
}

#[test]
fn every_go_has_a_score_and_one_best_move_whatever_its_words() {
    let words = [
        "",
        "searchmoves A B",
        "searchmoves",
        "searchmoves z z",
        "ponder",
        "wtime 10 btime 10",
        "wtime",
        "wtime wtime 10",
        "winc 10",
        "btime 10",
        "wtime -1 btime -1",
        "movestogo 0",
        "wtime 99999999999999999999999 btime 1 movestogo 99999999999999999999",
        "depth 0",
        "depth 2",
        "depth -1",
        "depth abc",
        "depth",
        "depth 1.5",
        "depth 0x10",
        "depth 1e3",
        "nodes 1",
        "nodes 0",
        "nodes 10000",
        "nodes ",
        "mate 1",
        "mate 0",
        "mate x",
        "movetime 1",
        "movetime 0",
        "movetime -5",
        "infinite",
        "infinite depth 1",
        "p1time 10 p2time 10 p1inc 1 p2inc 1",
        "\u{0}",
        "depth \u{0}",
        "ünïcode 3",
    ];
    let position = "position fen <6,20,20,0,0,1,0,1,1,0,1,0,0,1,2> S";
    for dialect in ["uci", "ugi"] {
        let mut manager = Manager::new();
        manager.say_all(&[dialect, position]);
        for limits in words {
            let mut answers = manager.say(&format!("go {limits}"));
            answers.extend(manager.say("stop"));
            let is_best = |line: &&String| line.starts_with("bestmove ");
            assert_eq!(answers.iter().filter(is_best).count(), 1, "go {limits}: {answers:#?}");
            assert!(is_best(&answers.last().unwrap()), "go {limits}");
            assert!(answers.iter().any(|line| line.contains(" score cp ")), "go {limits}");
            if dialect == "ugi" {
                assert_eq!(answers.last().unwrap().split(' ').count(), 2, "go {limits}");
            }
        }
    }
}

#[test]
fn a_weaker_level_shows_only_the_pvs_that_were_requested() {
    let mut manager = Manager::new();
    let answers = manager.say_all(&["setoption name Skill value 1", "go depth 3"]);
    assert!(answers.iter().any(|line| line.contains(" multipv 1 ")));
    assert!(!answers.iter().any(|line| line.contains(" multipv 2 ")));
}

#[test]
fn a_bad_line_does_not_change_the_position() {
    let mut manager = Manager::new();
    let bad = [
        "position",
        "position fen",
        "position fen <",
        "position fen <6,0,0,1>",
        "position x",
        "position startpos moves Z",
        "position startpos moves B B B",
        "position fen <17,0,0> S",
        "position fen <1,32767,32767,1,1> S",
        "position startpos moves \u{0}",
        "\u{0}",
        "position fen <6,-1,0,4,4,4,4,4,4,4,4,4,4,4,4> S",
        "setoption name Pits value 17",
        "setoption name Seeds value 0",
        "setoption name Capture value none",
        "go depth x",
        "position fen <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> X",
        "moves C",
        "fen <1,0,0,1,1>",
    ];
    let shown = |manager: &mut Manager| {
        let lines = manager.say("d");
        lines.into_iter().find(|line| line.starts_with("position: ")).unwrap()
    };
    manager.say("position startpos moves C A");
    let before = shown(&mut manager);
    for line in bad {
        let answers = manager.say(line);
        assert!(answers.iter().any(|line| line.starts_with("info string error: ")), "{line:?}");
        assert!(answers.iter().all(|line| !line.contains('\u{0}')), "{line:?}");
        assert_eq!(shown(&mut manager), before, "{line:?}");
    }
}

#[test]
fn a_million_wrong_words_after_go_cause_only_a_few_errors() {
    let mut manager = Manager::new();
    for go in ["go depth 1 searchmoves", "go depth 1 nodes"] {
        let answers = manager.say(&(go.to_owned() + &" x nodes".repeat(100_000)));
        let errors = answers.iter().filter(|line| line.starts_with("info string error"));
        assert!((1..=10).contains(&errors.count()), "{}", answers.len());
        assert!(answers.last().unwrap().starts_with("bestmove "));
    }
}

#[test]
fn a_pipe_is_not_read_as_the_file_of_an_option() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    if !std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|made| made.success()) {
        return;
    }
    for option in ["EvalFile", "BookFile"] {
        let answers =
            Manager::new().say(&format!("setoption name {option} value {}", pipe.display()));
        assert!(answers[0].contains("expected a regular file"), "{answers:?}");
    }
}

#[test]
fn a_long_search_reports_the_move_that_it_begins() {
    use kalah_engine::search::RootMove;
    use kalah_engine::{Engine, SearchEvent};
    use kalah_game::depth::Depth;
    use kalah_protocol::session::{Session, SessionAction};

    let mut session = Session::new(Engine::with_hash(1).unwrap());
    let turned_to = RootMove { depth: Depth(21), pit: Pit::new(1), number: 4 };
    let turn = || Input::Search(SearchEvent::RootMove(turned_to));
    assert_eq!(session.take(turn()), [], "nothing is searched");
    session.take(Input::from_line(Ok("position startpos moves A".to_owned())).unwrap());
    session.take(Input::from_line(Ok("go infinite".to_owned())).unwrap());
    let line = "info depth 21 currmove b currmovenumber 4".to_owned();
    assert_eq!(session.take(turn()), [SessionAction::Say(line)]);
}

#[test]
fn a_go_is_answered_even_if_the_search_fails() {
    use kalah_engine::Engine;
    use kalah_protocol::session::{Session, SessionAction};

    let mut session = Session::new(Engine::with_hash(1).unwrap());
    session.take(Input::from_line(Ok("go infinite".to_owned())).unwrap());
    let lines: Vec<_> = session.take(Input::Failed("no memory".to_owned())).into_iter().collect();
    let Some(SessionAction::Say(last)) = lines.last() else { panic!("{lines:?}") };
    assert_eq!(last, "bestmove F");
    assert!(
        lines.iter().any(|line| matches!(line, SessionAction::Say(line) if line.contains("score")))
    );
}

#[test]
fn uci_elo_overrides_skill_until_the_limit_is_lifted() {
    use kalah_engine::Engine;
    use kalah_engine::search::Skill;

    let mut engine = Engine::without_tables(1).unwrap();
    let strength = |engine: &mut Engine, name: &str, value: &str| {
        engine.set_option(name, value).unwrap();
        engine.settings().strength()
    };
    let [least, most] = Skill::ELO.map(|elo| elo.to_string());
    assert_eq!(strength(&mut engine, "Skill", "9"), Skill::new(9).unwrap());
    assert_eq!(strength(&mut engine, "UCI_Elo", &least), Skill::new(9).unwrap());
    assert_eq!(strength(&mut engine, "UCI_LimitStrength", "true"), Skill::from_elo(0));
    assert!(!strength(&mut engine, "UCI_Elo", &most).is_full());
    assert_eq!(strength(&mut engine, "UCI_LimitStrength", "false"), Skill::new(9).unwrap());
}

/// The numbers of a line.
fn numbers(line: &str) -> Vec<f64> {
    line.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

/// Boards of 16 pits have no network.
#[test]
fn the_features_of_a_linear_evaluation_add_up_to_it() {
    let mut manager = Manager::new();
    manager.say("setoption name Pits value 16");
    let lines = manager.say_all(&["position startpos moves A b", "eval"]);
    let pits = lines.iter().position(|line| line.starts_with("pits: ")).unwrap();
    let terms = lines[..pits].iter().map(|line| numbers(line)).filter(|term| term.len() == 4);
    let terms: Vec<f64> = terms.map(|term| term[0] * term[1] + term[2] * term[3]).collect();
    assert!(terms.len() > 3 && terms.iter().any(|&term| term != 0.0), "{lines:?}");
    let sum: f64 = terms.iter().sum();
    assert!((sum - numbers(&lines[pits])[0]).abs() < 0.01, "{sum}: {lines:?}");
}
