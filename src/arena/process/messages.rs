//! The messages of UCI and UGI, as far as a match needs them, as text. No pipes
//! here.

use std::fmt::Write;
use std::time::Duration;

use super::super::config::Protocol;
use super::super::player::MoveLimits;
use crate::depth::Depth;
use crate::game::{Pit, Side};
use crate::record::{Evaluation, Game, Move};
use crate::score::Value;

/// A message of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Message<'a> {
    /// `id name …`
    Name(&'a str),
    /// `option name … type …`: the option's name.
    Option(&'a str),
    /// `info …`
    Info(Info<'a>),
    /// `bestmove …`: the move.
    BestMove(&'a str),
    /// `response …`: an answer to a query.
    Response(&'a str),
    /// A single word like `readyok`, or an unknown message.
    Other(&'a str),
    /// An empty line, or `id` of something else than a name.
    Empty,
}

/// The contents of an `info` message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Info<'a> {
    pub depth: Option<Depth>,
    pub nodes: Option<u64>,
    /// `info string leaves N`, as this engine reports of the lab's algorithms.
    pub leaves: Option<u64>,
    pub value: Option<Value>,
    /// Whether the latest value is proved (`info string proved N`).
    pub proved: bool,
    pub multipv: Option<u32>,
    pub pv: Vec<&'a str>,
}

/// The message of a line.
pub(super) fn parse(line: &str) -> Message<'_> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim_start();
    match word {
        "" => Message::Empty,
        "id" => match rest.split_once(char::is_whitespace) {
            Some(("name", name)) => Message::Name(name.trim()),
            _ => Message::Empty,
        },
        "option" => {
            let name = rest.strip_prefix("name ").unwrap_or(rest);
            Message::Option(name.split(" type ").next().unwrap_or(name).trim())
        }
        "info" => Message::Info(info(rest)),
        "bestmove" => Message::BestMove(rest.split_whitespace().next().unwrap_or("")),
        "response" => Message::Response(rest.split_whitespace().next().unwrap_or("")),
        _ => Message::Other(line),
    }
}

fn info(rest: &str) -> Info<'_> {
    let mut info = Info::default();
    let mut words = rest.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = number(words.next()).map(Depth),
            "nodes" => info.nodes = number(words.next()),
            "multipv" => info.multipv = number(words.next()),
            "cp" => info.value = number(words.next()).map(Value),
            "pv" => {
                info.pv = words.collect();
                break;
            }
            // The move that is searched now: its depth is not finished yet.
            "currmove" => return Info::default(),
            // The rest is for people, except for what this engine says.
            "string" => {
                match words.next() {
                    Some("proved") => info.proved = number::<i32>(words.next()).is_some(),
                    Some("leaves") => info.leaves = number(words.next()),
                    _ => {}
                }
                break;
            }
            _ => {}
        }
    }
    info
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word.and_then(|word| word.parse().ok())
}

/// Why the pv of an `info` message cannot be played.
pub(super) fn illegal_pv(game: &Game, info: &Info<'_>) -> Option<String> {
    let played = { *game.position() }.play_moves(info.pv.iter().copied());
    played.err().map(|error| error.to_string())
}

/// The latest information about the best line of a search.
#[derive(Clone, Debug, Default)]
pub(super) struct LatestInfo {
    depth: Option<Depth>,
    nodes: Option<u64>,
    leaves: Option<u64>,
    evaluation: Option<Evaluation>,
}

impl LatestInfo {
    /// Takes over an `info` message, unless it is of another than the best line.
    pub(super) fn update(&mut self, info: &Info<'_>) {
        if info.multipv.is_some_and(|multipv| multipv != 1) {
            return;
        }
        self.depth = info.depth.or(self.depth);
        self.nodes = info.nodes.or(self.nodes);
        self.leaves = info.leaves.or(self.leaves);
        if let Some(margin) = info.value {
            self.evaluation = Some(Evaluation { margin, proved: false });
        }
        if let Some(evaluation) = &mut self.evaluation {
            evaluation.proved |= info.proved;
        }
    }

    /// The move with this information.
    pub(super) fn annotate(self, pit: Pit, time: Duration) -> Move {
        let Self { depth, nodes, leaves, evaluation } = self;
        Move { depth, nodes, leaves, evaluation, time: Some(time), ..Move::new(pit) }
    }
}

/// The `position` command for a game.
pub(super) fn position(game: &Game) -> String {
    let mut command = format!("position fen {}", game.start());
    if !game.steps().is_empty() {
        command.push_str(" moves");
        for step in game.steps() {
            command.push(' ');
            command.push(step.played.letter());
        }
    }
    command
}

/// The `go` command of the side to move; times in whole milliseconds, rounded
/// down.
pub(super) fn go(limits: &MoveLimits, side: Side, protocol: Protocol) -> String {
    let mut command = "go".to_owned();
    let mut add = |name: &str, value: u128| {
        // Writing to a string cannot fail.
        let _ = write!(command, " {name} {value}");
    };
    let names = match protocol {
        Protocol::Uci => [["wtime", "winc"], ["btime", "binc"]],
        Protocol::Ugi => [["p1time", "p1inc"], ["p2time", "p2inc"]],
    };
    let search = &limits.search;
    for (of_side, [time, increment]) in Side::BOTH.into_iter().zip(names) {
        let clock = if of_side == side { search.clock } else { limits.opponent_clock };
        if let Some(clock) = clock {
            add(time, clock.remaining.as_millis());
            add(increment, clock.increment.as_millis());
        }
    }
    if let Some(moves) = search.clock.and_then(|clock| clock.moves_to_go) {
        add("movestogo", moves.into());
    }
    for (name, value) in [
        ("movetime", search.movetime.map(|time| time.as_millis())),
        ("depth", search.depth.map(|depth| depth.0.into())),
        ("nodes", search.nodes.map(u128::from)),
    ] {
        if let Some(value) = value {
            add(name, value);
        }
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Position, Rules};
    use crate::search::{Clock, Limits};

    fn game() -> Game {
        let mut game = Game::new(Position::start(Rules::default()), Default::default());
        for pit in [2, 5] {
            game.play(Move::new(Pit::new(pit))).unwrap();
        }
        game
    }

    #[test]
    fn messages_are_parsed() {
        assert_eq!(parse("id name Kalah 1.0 beta"), Message::Name("Kalah 1.0 beta"));
        assert_eq!(parse("option name Move Overhead type spin"), Message::Option("Move Overhead"));
        assert_eq!(parse("bestmove c ponder D"), Message::BestMove("c"));
        assert_eq!(parse("  bestmove"), Message::BestMove(""));
        assert_eq!(parse("response p1win"), Message::Response("p1win"));
        assert_eq!(parse("readyok"), Message::Other("readyok"));
        assert_eq!(parse(""), Message::Empty);
        let Message::Info(info) =
            parse("info depth 7 seldepth x score cp -150 lowerbound nodes 12 pv a b C")
        else {
            panic!("an info")
        };
        assert_eq!((info.depth, info.nodes), (Some(Depth(7)), Some(12)));
        assert_eq!((info.value, info.pv), (Some(Value(-150)), vec!["a", "b", "C"]));
    }

    #[test]
    fn only_the_best_line_is_recorded() {
        let mut latest = LatestInfo::default();
        for line in ["info multipv 1 score cp 50", "info multipv 2 score cp 30", "info depth 3"] {
            let Message::Info(info) = parse(line) else { panic!("an info") };
            latest.update(&info);
        }
        let answer = latest.annotate(Pit::new(0), Duration::ZERO);
        assert_eq!(answer.evaluation.map(|e| e.margin), Some(Value(50)));
        assert_eq!(answer.depth, Some(Depth(3)));
    }

    #[test]
    fn an_unfinished_depth_does_not_count() {
        let mut latest = LatestInfo::default();
        for line in ["info depth 8 score cp 50", "info depth 9 currmove C currmovenumber 2"] {
            let Message::Info(info) = parse(line) else { panic!("an info") };
            latest.update(&info);
        }
        assert_eq!(latest.annotate(Pit::new(0), Duration::ZERO).depth, Some(Depth(8)));
    }

    #[test]
    fn leaves_of_the_last_report_are_the_moves() {
        let mut latest = LatestInfo::default();
        for line in ["info depth 1 nodes 9", "info string leaves 6", "info string leaves 40 cut"] {
            let Message::Info(info) = parse(line) else { panic!("an info") };
            latest.update(&info);
        }
        let chosen = latest.annotate(Pit::new(0), Duration::ZERO);
        assert_eq!((chosen.nodes, chosen.leaves), (Some(9), Some(40)));
    }

    #[test]
    fn a_pv_is_checked_by_playing_it() {
        let why =
            |pv: &[&'static str]| illegal_pv(&game(), &Info { pv: pv.to_vec(), ..Info::default() });
        assert_eq!(why(&[]), None);
        assert_eq!(why(&["c", "A"]), None);
        assert_eq!(why(&["c", "c"]), Some("move 2: pit C is empty".to_owned()));
    }

    #[test]
    fn commands_are_those_of_the_protocol() {
        assert_eq!(position(&game()), "position fen <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S moves C F");
        let clock = Clock {
            remaining: Duration::from_micros(100_999),
            increment: Duration::from_millis(10),
            moves_to_go: Some(3),
        };
        let limits = MoveLimits {
            search: Limits {
                nodes: Some(5),
                depth: Some(Depth(6)),
                clock: Some(clock),
                ..Limits::default()
            },
            opponent_clock: None,
            timeout: Duration::ZERO,
        };
        let go = |protocol| go(&limits, Side::South, protocol);
        assert_eq!(go(Protocol::Uci), "go wtime 100 winc 10 movestogo 3 depth 6 nodes 5");
        assert_eq!(go(Protocol::Ugi), "go p1time 100 p1inc 10 movestogo 3 depth 6 nodes 5");
    }
}
