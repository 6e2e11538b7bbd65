//! The two dialects UCI and UGI, and an engine's answers in them: written by the engine,
//! and parsed by a manager. The manager's commands are in `command` and `go`.

use serde::{Deserialize, Serialize};

use kalah_engine::search::transposition::Bound;
use kalah_engine::search::{Info, RootMove, SearchResult};
use kalah_engine::{EngineOption, OptionKind};
use kalah_game::depth::Depth;
use kalah_game::score::Value;
use kalah_game::{Position, Side};

/// A protocol between engines and their managers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// The protocol of chess engines.
    #[default]
    Uci,
    /// The related protocol for managers that do not implement the rules and query the engines for
    /// the state of a game (kz04px, "Universal Game Interface").
    Ugi,
}

/// A UGI query about the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UgiQuery {
    /// Whether South is to move.
    P1Turn,
    /// Whether the game is over.
    GameOver,
    /// Who won, if the game is over.
    Outcome,
}

impl Dialect {
    /// The command that starts a session.
    pub fn hello(self) -> &'static str {
        match self {
            Dialect::Uci => "uci",
            Dialect::Ugi => "ugi",
        }
    }

    /// The end of the answer to [`Self::hello`].
    pub fn hello_end(self) -> &'static str {
        match self {
            Dialect::Uci => "uciok",
            Dialect::Ugi => "ugiok",
        }
    }

    /// The command before each game.
    pub fn new_game(self) -> &'static str {
        match self {
            Dialect::Uci => "ucinewgame",
            Dialect::Ugi => "uginewgame",
        }
    }

    /// The limits of `go` for the time and the increment, first South's, then North's.
    pub(crate) fn clock_limits(self) -> [[&'static str; 2]; 2] {
        match self {
            Dialect::Uci => [["wtime", "winc"], ["btime", "binc"]],
            Dialect::Ugi => [["p1time", "p1inc"], ["p2time", "p2inc"]],
        }
    }

    /// The answer to `uci` or `ugi`: the engine's name, its options, and `uciok` or `ugiok`.
    pub(super) fn introduction(self, options: impl Iterator<Item = EngineOption>) -> Vec<String> {
        let name = concat!("id name Kalah ", env!("CARGO_PKG_VERSION"));
        let mut lines = vec![name.to_owned(), "id author the Kalah authors".to_owned()];
        lines.extend(options.map(|each| option(&each)));
        lines.push(self.hello_end().to_owned());
        lines
    }

    /// The answer to a `go` at `root`. UGI managers hang if it has more than two words, so
    /// they get no move to ponder on.
    pub(super) fn best_move(self, root: &Position, result: &SearchResult) -> String {
        // UCI's null move, for a position without a legal one.
        let Some(best) = result.best else { return "bestmove 0000".to_owned() };
        let best_move = format!("bestmove {}", best.letter(root.side()));
        match (self, result.ponder) {
            (Dialect::Uci, Some(reply)) => {
                format!("{best_move} ponder {}", reply.letter(root.side().other()))
            }
            _ => best_move,
        }
    }
}

/// The line that declares an option.
fn option(option: &EngineOption) -> String {
    let kind = match &option.kind {
        OptionKind::Check { default, .. } => format!("check default {default}"),
        OptionKind::Spin { default, range, .. } => {
            format!("spin default {default} min {} max {}", range.start(), range.end())
        }
        OptionKind::Combo { default, choices, .. } => {
            let choices: String = choices().iter().map(|choice| format!(" var {choice}")).collect();
            format!("combo default {default}{choices}")
        }
        OptionKind::Button { .. } => "button".to_owned(),
        OptionKind::Text { .. } | OptionKind::File { .. } => "string default <empty>".to_owned(),
    };
    format!("option name {} type {kind}", option.name)
}

/// A pv from `root` as an `info`, and its proof as an `info string`, because most
/// managers parse only `cp` and `mate`.
pub(super) fn info(root: &Position, info: &Info) -> Vec<String> {
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let line = format!(
        "info depth {} seldepth {} multipv {} score cp {}{bound} nodes {} nps {} hashfull {} \
         tbhits {} time {} pv{}",
        info.depth,
        info.seldepth,
        info.multipv,
        info.margin.0,
        info.nodes,
        per_second(info),
        info.hashfull,
        info.tbhits,
        info.time.as_millis(),
        root.letters(&info.pv).flat_map(|letter| [' ', letter]).collect::<String>(),
    );
    let mut lines = vec![line];
    lines.extend(info.leaves.map(|leaves| format!("info string leaves {leaves}")));
    if info.proved {
        let relation = match info.bound {
            Bound::Exact => "",
            Bound::Lower => ">= ",
            Bound::Upper => "<= ",
        };
        lines.push(format!("info string proved {relation}{}", info.margin.rounded().0));
    }
    lines
}

/// The `info` with the root move that a long search is about to search.
pub(super) fn root_move(root: &Position, RootMove { depth, pit, number }: &RootMove) -> String {
    let letter = pit.letter(root.side());
    format!("info depth {depth} currmove {letter} currmovenumber {number}")
}

/// The `info` of a finished position: its final margin.
pub(super) fn no_info(root: &Position) -> String {
    let margin = Value::from(root.margin(root.side()));
    format!("info depth 0 score cp {}", margin.0)
}

/// A message for people.
pub(super) fn remark(text: impl std::fmt::Display) -> String {
    format!("info string {text}")
}

/// An error message for people.
pub fn error(error: impl std::fmt::Display) -> String {
    remark(format_args!("error: {error}"))
}

/// The answer to a UGI query.
pub(super) fn response(position: &Position, query: UgiQuery) -> &'static str {
    match query {
        UgiQuery::P1Turn if position.side() == Side::South => "response true",
        UgiQuery::P1Turn => "response false",
        UgiQuery::GameOver if position.is_over() => "response true",
        UgiQuery::GameOver => "response false",
        UgiQuery::Outcome if !position.is_over() => "response none",
        UgiQuery::Outcome => match position.margin(Side::South).0 {
            1.. => "response p1win",
            0 => "response draw",
            _ => "response p2win",
        },
    }
}

fn per_second(info: &Info) -> u128 {
    let micros = info.time.as_micros().max(1);
    u128::from(info.nodes).saturating_mul(1_000_000).checked_div(micros).unwrap_or_default()
}

/// A message from an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineMessage<'a> {
    /// `id name …`
    Name(&'a str),
    /// `option name … type …`: the option's name.
    Option(&'a str),
    /// `info …`
    Info(Fields<'a>),
    /// `bestmove …`: the move.
    BestMove(&'a str),
    /// `response …`: an answer to a query.
    Response(&'a str),
    /// A single word like `readyok`, or an unknown message.
    Other(&'a str),
    /// An empty line, or an `id` that is not a name.
    Empty,
}

/// The fields of an `info` message that a match uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields<'a> {
    /// Sowings looked ahead.
    pub depth: Option<Depth>,
    /// Boards visited by the whole search so far.
    pub nodes: Option<u64>,
    /// `info string leaves N`, which this engine sends for the lab's algorithms.
    pub leaves: Option<u64>,
    /// The score, from the point of view of the side to move.
    pub value: Option<Value>,
    /// Whether the previous value is proved (`info string proved N`).
    pub proved: bool,
    /// The rank of the pv, from 1. Engines may leave it out if there is only one.
    pub multipv: Option<u32>,
    /// The moves of the pv.
    pub pv: Vec<&'a str>,
}

/// Parses a line from an engine.
pub fn parse(line: &str) -> EngineMessage<'_> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim_start();
    match word {
        "" => EngineMessage::Empty,
        "id" => match rest.split_once(char::is_whitespace) {
            Some(("name", name)) => EngineMessage::Name(name.trim()),
            _ => EngineMessage::Empty,
        },
        "option" => {
            let name = rest.strip_prefix("name ").unwrap_or(rest);
            EngineMessage::Option(name.split(" type ").next().unwrap_or(name).trim())
        }
        "info" => EngineMessage::Info(fields(rest)),
        "bestmove" => EngineMessage::BestMove(rest.split_whitespace().next().unwrap_or("")),
        "response" => EngineMessage::Response(rest.split_whitespace().next().unwrap_or("")),
        _ => EngineMessage::Other(line),
    }
}

fn fields(rest: &str) -> Fields<'_> {
    let mut fields = Fields::default();
    let mut words = rest.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "depth" => fields.depth = number(words.next()).map(Depth),
            "nodes" => fields.nodes = number(words.next()),
            "multipv" => fields.multipv = number(words.next()),
            "cp" => fields.value = number(words.next()).map(Value),
            // The score is only a bound, often at the edge of a narrow window.
            "lowerbound" | "upperbound" => fields.value = None,
            "pv" => {
                fields.pv = words.collect();
                break;
            }
            // The iteration has only just begun, so its depth does not count, and there is no
            // score.
            "currmove" => return Fields::default(),
            // The rest of the line is for people, except in these two messages of this engine.
            "string" => {
                match words.next() {
                    Some("proved") => fields.proved = number::<i32>(words.next()).is_some(),
                    Some("leaves") => fields.leaves = number(words.next()),
                    _ => {}
                }
                break;
            }
            _ => {}
        }
    }
    fields
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word.and_then(|word| word.parse().ok())
}
