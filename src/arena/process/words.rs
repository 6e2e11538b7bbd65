//! What is said to a program, and what its lines mean. No pipes here.

use std::fmt::Write;
use std::time::Duration;

use super::super::player::{Answer, Budget};
use super::super::spec::Protocol;
use crate::depth::Depth;
use crate::game::{Pit, Side};
use crate::record::{Evaluation, Game};
use crate::score::Value;

/// A line of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said<'a> {
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
    /// A single word, or what is not known.
    Other(&'a str),
    /// An empty line.
    Nothing,
}

/// What an `info` line tells, as far as a match wants to know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info<'a> {
    pub depth: Option<Depth>,
    pub nodes: Option<u64>,
    /// Hundredths of a seed, the mover's margin.
    pub value: Option<Value>,
    /// Whether the last value is proved (`info string proved N`).
    pub proved: bool,
    /// Which of several lines, from 1.
    pub line: Option<u32>,
    /// The variation, move by move.
    pub variation: Vec<&'a str>,
}

/// Takes a line apart.
pub fn said(line: &str) -> Said<'_> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim_start();
    match word {
        "" => Said::Nothing,
        "id" => match rest.split_once(char::is_whitespace) {
            Some(("name", name)) => Said::Name(name.trim()),
            _ => Said::Nothing,
        },
        "option" => {
            let name = rest.strip_prefix("name ").unwrap_or(rest);
            Said::Option(name.split(" type ").next().unwrap_or(name).trim())
        }
        "info" => Said::Info(info(rest)),
        "bestmove" => Said::BestMove(rest.split_whitespace().next().unwrap_or("")),
        "response" => Said::Response(rest.split_whitespace().next().unwrap_or("")),
        _ => Said::Other(line),
    }
}

fn info(rest: &str) -> Info<'_> {
    let mut info = Info::default();
    let mut words = rest.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = number(words.next()).map(Depth),
            "nodes" => info.nodes = number(words.next()),
            "multipv" => info.line = number(words.next()),
            "cp" => info.value = number(words.next()).map(Value),
            "pv" => {
                info.variation = words.collect();
                break;
            }
            // What is searched now: its depth is not yet finished.
            "currmove" => return Info::default(),
            // The rest is for people, but for what this engine proves.
            "string" => {
                info.proved =
                    words.next() == Some("proved") && number::<i32>(words.next()).is_some();
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

/// Why the variation of an `info` line cannot be played.
pub fn illegal_variation(game: &Game, info: &Info<'_>) -> Option<String> {
    let mut position = *game.position();
    for (index, word) in info.variation.iter().enumerate() {
        let played = position
            .parse_move(word)
            .and_then(|pit| Ok(position.play(pit)?))
            .map_err(|error| format!("move {}: {error}", index + 1));
        if let Err(why) = played {
            return Some(why);
        }
    }
    None
}

/// The last that a program said about the position.
#[derive(Clone, Debug, Default)]
pub struct Thought {
    depth: Option<Depth>,
    nodes: Option<u64>,
    evaluation: Option<Evaluation>,
}

impl Thought {
    /// Takes over what an `info` line tells about the first line.
    pub fn update(&mut self, info: &Info<'_>) {
        if info.line.is_some_and(|line| line != 1) {
            return;
        }
        self.depth = info.depth.or(self.depth);
        self.nodes = info.nodes.or(self.nodes);
        if let Some(margin) = info.value {
            self.evaluation = Some(Evaluation { margin, proved: false });
        }
        if let Some(evaluation) = &mut self.evaluation {
            evaluation.proved |= info.proved;
        }
    }

    /// The answer with this thought behind it.
    pub fn answer(self, pit: Pit, time: Duration) -> Answer {
        let Self { depth, nodes, evaluation } = self;
        Answer { pit, time, evaluation, depth, nodes }
    }
}

/// The `position` command for a game.
pub fn position(game: &Game) -> String {
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

/// The `go` command for a budget; times in whole milliseconds, rounded down.
pub fn go(budget: &Budget, protocol: Protocol) -> String {
    let mut command = "go".to_owned();
    let mut add = |name: &str, value: u128| {
        // Writing to a string cannot fail.
        let _ = write!(command, " {name} {value}");
    };
    let names = match protocol {
        Protocol::Uci => [["wtime", "winc"], ["btime", "binc"]],
        Protocol::Ugi => [["p1time", "p1inc"], ["p2time", "p2inc"]],
    };
    for (side, [time, increment]) in Side::BOTH.into_iter().zip(names) {
        if let Some(clock) = budget.clocks[side.index()] {
            add(time, clock.remaining.as_millis());
            add(increment, clock.increment.as_millis());
        }
    }
    if let Some(moves) = budget.moves_to_go {
        add("movestogo", moves.into());
    }
    for (name, value) in [
        ("movetime", budget.movetime.map(|time| time.as_millis())),
        ("depth", budget.depth.map(|depth| depth.0.into())),
        ("nodes", budget.nodes.map(u128::from)),
    ] {
        if let Some(value) = value {
            add(name, value);
        }
    }
    command
}

#[cfg(test)]
mod tests {
    use super::super::super::player::ClockState;
    use super::*;
    use crate::game::{Position, Rules};
    use crate::record::Move;

    fn game() -> Game {
        let mut game = Game::new(Position::start(Rules::default()), Default::default());
        for pit in [2, 5] {
            game.play(Move::new(Pit::new(pit))).unwrap();
        }
        game
    }

    #[test]
    fn lines_are_taken_apart() {
        assert_eq!(said("id name Kalah 1.0 beta"), Said::Name("Kalah 1.0 beta"));
        assert_eq!(said("option name Move Overhead type spin"), Said::Option("Move Overhead"));
        assert_eq!(said("bestmove c ponder D"), Said::BestMove("c"));
        assert_eq!(said("  bestmove"), Said::BestMove(""));
        assert_eq!(said("response p1win"), Said::Response("p1win"));
        assert_eq!(said("readyok"), Said::Other("readyok"));
        assert_eq!(said(""), Said::Nothing);
        let Said::Info(info) =
            said("info depth 7 seldepth x score cp -150 lowerbound nodes 12 pv a b C")
        else {
            panic!("an info")
        };
        assert_eq!((info.depth, info.nodes), (Some(Depth(7)), Some(12)));
        assert_eq!((info.value, info.variation), (Some(Value(-150)), vec!["a", "b", "C"]));
    }

    #[test]
    fn only_the_first_of_several_lines_is_the_players_opinion() {
        let mut thought = Thought::default();
        for line in ["info multipv 1 score cp 50", "info multipv 2 score cp 30", "info depth 3"] {
            let Said::Info(info) = said(line) else { panic!("an info") };
            thought.update(&info);
        }
        let answer = thought.answer(Pit::new(0), Duration::ZERO);
        assert_eq!(answer.evaluation.map(|e| e.margin), Some(Value(50)));
        assert_eq!(answer.depth, Some(Depth(3)));
    }

    #[test]
    fn a_depth_that_has_but_begun_does_not_count() {
        let mut thought = Thought::default();
        for line in ["info depth 8 score cp 50", "info depth 9 currmove C currmovenumber 2"] {
            let Said::Info(info) = said(line) else { panic!("an info") };
            thought.update(&info);
        }
        assert_eq!(thought.answer(Pit::new(0), Duration::ZERO).depth, Some(Depth(8)));
    }

    #[test]
    fn variations_are_played_to_see_whether_they_can_be() {
        let why = |variation: &[&'static str]| {
            illegal_variation(&game(), &Info { variation: variation.to_vec(), ..Info::default() })
        };
        assert_eq!(why(&[]), None);
        assert_eq!(why(&["c", "A"]), None);
        assert_eq!(why(&["c", "c"]), Some("move 2: pit C is empty".to_owned()));
    }

    #[test]
    fn questions_are_in_the_words_of_the_protocol() {
        assert_eq!(position(&game()), "position fen <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S moves C F");
        let clock = |ms: u64| ClockState {
            remaining: Duration::from_micros(ms * 1000 + 999),
            increment: Duration::from_millis(10),
            moves_to_go: Some(3),
        };
        let budget = Budget {
            nodes: Some(5),
            depth: Some(Depth(6)),
            movetime: None,
            clocks: [Some(clock(100)), None],
            moves_to_go: Some(3),
            patience: Duration::ZERO,
        };
        assert_eq!(go(&budget, Protocol::Uci), "go wtime 100 winc 10 movestogo 3 depth 6 nodes 5");
        assert_eq!(
            go(&budget, Protocol::Ugi),
            "go p1time 100 p1inc 10 movestogo 3 depth 6 nodes 5"
        );
    }
}
