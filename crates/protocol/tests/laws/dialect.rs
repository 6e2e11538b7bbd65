use std::time::Duration;

use kalah_engine::search::Info;
use kalah_engine::search::transposition::Bound;
use kalah_engine::{Engine, SearchEvent};
use kalah_game::Pit;
use kalah_game::depth::Depth;
use kalah_game::score::Value;
use kalah_protocol::dialect::{Dialect, EngineMessage, Fields, parse};
use kalah_protocol::session::{Input, Session, SessionAction};

#[test]
fn messages_are_parsed() {
    assert_eq!(parse("id name Kalah 1.0 beta"), EngineMessage::Name("Kalah 1.0 beta"));
    assert_eq!(
        parse("option name Move Overhead type spin"),
        EngineMessage::Option("Move Overhead")
    );
    assert_eq!(parse("bestmove c ponder D"), EngineMessage::BestMove("c"));
    assert_eq!(parse("  bestmove"), EngineMessage::BestMove(""));
    assert_eq!(parse("response p1win"), EngineMessage::Response("p1win"));
    assert_eq!(parse("readyok"), EngineMessage::Other("readyok"));
    assert_eq!(parse(""), EngineMessage::Empty);
    let EngineMessage::Info(fields) =
        parse("info depth 7 seldepth x score cp -150 lowerbound nodes 12 pv a b C")
    else {
        panic!("an info")
    };
    assert_eq!((fields.depth, fields.nodes), (Some(Depth(7)), Some(12)));
    assert_eq!((fields.value, fields.pv), (None, vec!["a", "b", "C"]), "the score is a bound");
    let EngineMessage::Info(fields) = parse("info depth 7 score cp -150 pv a") else {
        panic!("an info")
    };
    assert_eq!(fields.value, Some(Value(-150)));
    // An iteration that has only begun.
    let begun = parse("info depth 8 currmove a currmovenumber 1");
    assert_eq!(begun, EngineMessage::Info(Fields::default()));
}

#[test]
fn a_written_info_is_parsed_to_its_fields() {
    let pv = [2, 0, 5].map(Pit::new).to_vec();
    let written = Info {
        depth: Depth(9),
        seldepth: 12,
        time: Duration::from_millis(3),
        nodes: 4501,
        hashfull: 1,
        tbhits: 2,
        multipv: 2,
        leaves: None,
        margin: Value(-150),
        bound: Bound::Exact,
        proved: true,
        pv,
    };
    let mut session = Session::new(Engine::with_hash(1).expect("a MiB"));
    session.take(Input::from_line(Ok("setoption name MultiPV value 2".to_owned())).unwrap());
    session.take(Input::from_line(Ok("go infinite".to_owned())).unwrap());
    for (bound, leaves, score, more) in [
        (Bound::Lower, None, "-150 lowerbound", &["info string proved >= -2"][..]),
        (Bound::Upper, None, "-150 upperbound", &["info string proved <= -2"]),
        (Bound::Exact, Some(7), "-150", &["info string leaves 7", "info string proved -2"]),
    ] {
        let line = format!(
            "info depth 9 seldepth 12 multipv 2 score cp {score} nodes 4501 nps 1500333 \
             hashfull 1 tbhits 2 time 3 pv C A f"
        );
        let info = Info { bound, leaves, ..written.clone() };
        let lines = std::iter::once(line.as_str()).chain(more.iter().copied());
        let said: Vec<_> = lines.map(|line| SessionAction::Say(line.to_owned())).collect();
        assert_eq!(session.take(Input::Search(SearchEvent::Info(info))), said);
        // A bound is no value, and proves none.
        let is_exact = bound == Bound::Exact;
        let expected = Fields {
            depth: Some(Depth(9)),
            nodes: Some(4501),
            value: if is_exact { Some(Value(-150)) } else { None },
            multipv: Some(2),
            pv: vec!["C", "A", "f"],
            ..Fields::default()
        };
        assert_eq!(parse(&line), EngineMessage::Info(expected));
        let proof = Fields { proved: is_exact, ..Fields::default() };
        assert_eq!(parse(more[more.len() - 1]), EngineMessage::Info(proof));
        let counted = Fields { leaves, ..Fields::default() };
        assert_eq!(parse(more[0]), EngineMessage::Info(counted));
    }
}

#[test]
fn both_dialects_greet_and_the_queries_of_one_are_answered_by_the_rules() {
    let mut session = Session::new(Engine::without_tables(1).expect("a MiB"));
    let mut say = |line: &str| -> Vec<String> {
        let actions = session.take(Input::from_line(Ok(line.to_owned())).expect("a command"));
        let lines = actions.into_iter().map(|action| match action {
            SessionAction::Say(line) => line,
            other => panic!("{other:?}"),
        });
        lines.collect()
    };
    for (dialect, name) in [(Dialect::Uci, "uci"), (Dialect::Ugi, "ugi")] {
        assert_eq!(dialect.hello(), name);
        assert_eq!(say(dialect.hello()).last().map(String::as_str), Some(dialect.hello_end()));
        assert_eq!(dialect.hello_end(), format!("{name}ok"));
        assert_eq!(dialect.new_game(), format!("{name}newgame"));
        assert_eq!(say(dialect.new_game()), [""; 0]);
        let error = "info string error: no option 'Contempt'".to_owned();
        let answer = if dialect == Dialect::Uci { vec![error] } else { Vec::new() };
        assert_eq!(say("setoption name Contempt value 10"), answer);
    }
    assert_eq!(say("debug on"), [""; 0]);
    assert_eq!(say("setoption name Contempt value 10"), ["info string no option 'Contempt'"]);
    assert_eq!(say("debug off"), [""; 0]);
    assert_eq!(say("setoption name Contempt value 10"), [""; 0]);
    for (position, is_south, is_over, result) in [
        ("<2,0,0,1,1,1,1> S", true, false, "none"),
        ("<2,0,9,1,1,1,1> N", false, false, "none"),
        ("<2,0,1,0,0,1,1> S", true, true, "p2win"),
        ("<2,3,1,2,0,0,0> N", false, true, "p1win"),
        ("<2,3,1,0,0,2,0> N", false, true, "draw"),
    ] {
        assert_eq!(say(&format!("position fen {position}")), [""; 0], "{position}");
        let answers = ["p1turn", "gameover", "result"].map(|query| say(&format!("query {query}")));
        let expected = [is_south.to_string(), is_over.to_string(), result.to_owned()];
        assert_eq!(answers, expected.map(|word| vec![format!("response {word}")]), "{position}");
    }
}
