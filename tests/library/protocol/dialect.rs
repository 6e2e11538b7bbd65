use std::time::Duration;

use kalah::engine::{Engine, Event};
use kalah::game::Pit;
use kalah::game::depth::Depth;
use kalah::game::score::Value;
use kalah::protocol::dialect::{Fields, Message, parse};
use kalah::protocol::session::{Action, Input, Session};
use kalah::search::Info;
use kalah::search::table::Bound;

#[test]
fn messages_are_parsed() {
    assert_eq!(parse("id name Kalah 1.0 beta"), Message::Name("Kalah 1.0 beta"));
    assert_eq!(parse("option name Move Overhead type spin"), Message::Option("Move Overhead"));
    assert_eq!(parse("bestmove c ponder D"), Message::BestMove("c"));
    assert_eq!(parse("  bestmove"), Message::BestMove(""));
    assert_eq!(parse("response p1win"), Message::Response("p1win"));
    assert_eq!(parse("readyok"), Message::Other("readyok"));
    assert_eq!(parse(""), Message::Empty);
    let Message::Info(fields) =
        parse("info depth 7 seldepth x score cp -150 lowerbound nodes 12 pv a b C")
    else {
        panic!("an info")
    };
    assert_eq!((fields.depth, fields.nodes), (Some(Depth(7)), Some(12)));
    assert_eq!((fields.value, fields.pv), (Some(Value(-150)), vec!["a", "b", "C"]));
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
    session.take(Input::of_line(Ok("setoption name MultiPV value 2".to_owned())).unwrap());
    session.take(Input::of_line(Ok("go infinite".to_owned())).unwrap());
    let actions = session.take(Input::Search(Event::Info(written)));
    let [Action::Say(line), Action::Say(proved)] = &actions[..] else { panic!("two lines") };
    let expected = Fields {
        depth: Some(Depth(9)),
        nodes: Some(4501),
        leaves: None,
        value: Some(Value(-150)),
        proved: false,
        multipv: Some(2),
        pv: vec!["C", "A", "f"],
    };
    assert_eq!(parse(line), Message::Info(expected));
    assert_eq!(parse(proved), Message::Info(Fields { proved: true, ..Fields::default() }));
}
