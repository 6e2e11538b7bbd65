//! UCI and UGI: the wording of answers, as pure functions to lines.

use crate::engine::options::{EngineOption, Kind, OPTIONS};
use crate::game::{Position, Side};
use crate::search::table::Bound;
use crate::search::{Info, RootMove, SearchResult};

use super::command::Query;

/// A protocol that managers speak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Dialect {
    /// The chess engines' protocol.
    #[default]
    Uci,
    /// Its sister that knows no rules (kz04px, "Universal Game Interface").
    Ugi,
}

impl Dialect {
    /// The answer to `uci` or `ugi`: the engine's name, its options, and `uciok`.
    pub(super) fn introduction(self) -> Vec<String> {
        let name = concat!("id name Kalah ", env!("CARGO_PKG_VERSION"));
        let mut lines = vec![name.to_owned(), "id author the Kalah authors".to_owned()];
        lines.extend(OPTIONS.iter().map(option));
        lines.push(match self {
            Dialect::Uci => "uciok".to_owned(),
            Dialect::Ugi => "ugiok".to_owned(),
        });
        lines
    }

    /// The answer to a `go` at `root`. UGI wants exactly two words.
    pub(super) fn best_move(self, root: &Position, result: &SearchResult) -> String {
        let Some(best) = result.best else { return "bestmove 0000".to_owned() };
        let best_move = format!("bestmove {}", best.letter(root.side()));
        match (self, result.ponder) {
            (Dialect::Uci, Some(reply)) => {
                format!("{best_move} ponder {}", reply.letter(root.side().other()))
            }
            _ => best_move,
        }
    }

    /// Whether an option that does not exist is no error: managers that speak UGI
    /// set some that were never declared.
    pub(super) fn ignores_unknown_options(self) -> bool {
        self == Dialect::Ugi
    }
}

/// The line that declares an option.
fn option(option: &EngineOption) -> String {
    let kind = match &option.kind {
        Kind::Check { default, .. } => format!("check default {default}"),
        Kind::Spin { default, range, .. } => {
            format!("spin default {default} min {} max {}", range.start(), range.end())
        }
        Kind::Combo { default, choices, .. } => {
            let choices: String = choices.iter().map(|choice| format!(" var {choice}")).collect();
            format!("combo default {default}{choices}")
        }
        Kind::Button { .. } => "button".to_owned(),
        Kind::Text { default: "", .. } => "string default <empty>".to_owned(),
        Kind::Text { default, .. } => format!("string default {default}"),
    };
    format!("option name {} type {kind}", option.name)
}

/// A pv found from `root` as an `info`, and what is proved as an `info string`,
/// because most managers do not parse more than `cp` and `mate`.
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

/// The move of `root` that a long search begins.
pub(super) fn root_move(root: &Position, RootMove { depth, pit, number }: &RootMove) -> String {
    let letter = pit.letter(root.side());
    format!("info depth {depth} currmove {letter} currmovenumber {number}")
}

/// The `info` of a position without a move: the margin of the finished game.
pub(super) fn no_info(root: &Position) -> String {
    let margin = root.margin(root.side()).0.saturating_mul(crate::score::Value::SEED);
    format!("info depth 0 score cp {margin}")
}

/// A message for people.
pub(super) fn remark(text: impl std::fmt::Display) -> String {
    format!("info string {text}")
}

/// An error message for people.
pub(super) fn error(error: impl std::fmt::Display) -> String {
    remark(format_args!("error: {error}"))
}

/// The answer to a question of UGI.
pub(super) fn response(position: &Position, query: Query) -> &'static str {
    match query {
        Query::P1Turn if position.side() == Side::South => "response true",
        Query::P1Turn => "response false",
        Query::GameOver if position.is_over() => "response true",
        Query::GameOver => "response false",
        Query::Outcome if !position.is_over() => "response none",
        Query::Outcome => match position.margin(Side::South).0 {
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
