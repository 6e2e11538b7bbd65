//! Why one move is better than another: the difference between their principal variations,
//! in a sentence.

use crate::game::score::Value;
use crate::game::{Landing, Pit, Played, Position, Side};
use crate::report::format::signed;

/// A value in seeds, with its sign: `+2.5`, or `+4` if it is proved.
pub(crate) fn in_seeds(value: Value, proved: bool) -> String {
    signed(value.seeds(), if proved { 0 } else { 1 })
}

/// A move, the best play after it, and the mover's margin at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Judged {
    /// At least one sowing.
    pub(crate) pv: Vec<Pit>,
    pub(crate) margin: Value,
    pub(crate) proved: bool,
}

impl Judged {
    pub(crate) fn pit(&self) -> Pit {
        self.pv[0]
    }
}

/// A move of a game beside the best move in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Judgement {
    pub(crate) played: Judged,
    pub(crate) best: Judged,
}

impl Judgement {
    /// Two short searches may disagree about which move is better: the best margin is the
    /// upper limit.
    pub(crate) fn new(played: Judged, best: Judged) -> Self {
        let margin = played.margin.min(best.margin);
        Self { played: Judged { margin, ..played }, best }
    }

    /// What the move gave away; never negative, for the margin of the move played is at most
    /// the best one.
    pub(crate) fn loss(&self) -> Value {
        self.best.margin - self.played.margin
    }

    pub(crate) fn is_proved(&self) -> bool {
        self.played.proved && self.best.proved
    }
}

/// `E lets North capture 8 from C; B keeps the turn: +8 instead of -2`, without a full stop.
pub(crate) fn comparison(position: &Position, judgement: &Judgement) -> String {
    let Judgement { played, best } = judgement;
    let about = if judgement.is_proved() { "" } else { "about " };
    let moves = [played, best];
    let [margin, best_margin] = moves.map(|line| in_seeds(line.margin, judgement.is_proved()));
    let [letter, best_letter] = moves.map(|line| line.pit().letter(position.side()));
    match (fault(position, &played.pv, &best.pv), merit(position, &played.pv, &best.pv)) {
        (Some(fault), Some(merit)) => {
            format!("{fault}; {merit}: {about}{best_margin} instead of {margin}")
        }
        (Some(fault), None) => {
            format!("{fault}: {about}{margin} instead of {best_margin} with {best_letter}")
        }
        (None, Some(merit)) => {
            format!("{merit}: {about}{best_margin} instead of {margin} with {letter}")
        }
        (None, None) => {
            format!("{best_letter} leads to {about}{best_margin}, {letter} to {margin}")
        }
    }
}

/// What is wrong with a move: what the opponent can do after it, but not after `best`. None
/// if the next turn does not show it.
pub(crate) fn fault(position: &Position, played: &[Pit], best: &[Pit]) -> Option<String> {
    let [line, other] = [played, best].map(|pv| turns(position, pv));
    let (side, opponent) = (position.side(), position.side().other());
    let letter = played.first()?.letter(side);
    let [reply, other_reply] = [&line, &other].map(|turns| turns.get(1));
    let kept = |turn: Option<&OneTurn>| turn.map_or(0, |turn| turn.swept[opponent.index()]);
    if line[0].swept[opponent.index()] > kept(other.first()) {
        let seeds = line[0].swept[opponent.index()];
        return Some(format!("{letter} ends the game, and {opponent} keeps its last {seeds}"));
    }
    let reply = reply?;
    let banked = |turn: Option<&OneTurn>| turn.map_or(0, OneTurn::captured);
    if reply.captured() > banked(other_reply) {
        return Some(format!("{letter} lets {opponent} {}", reply.captures_in_words()));
    }
    if kept(Some(reply)) > kept(other_reply) {
        let seeds = kept(Some(reply));
        return Some(format!("{letter} lets {opponent} end the game and keep its last {seeds}"));
    }
    let moves = |turn: Option<&OneTurn>| turn.map_or(0, |turn| turn.moves.len());
    let times = moves(Some(reply));
    (times > moves(other_reply).max(1))
        .then(|| format!("{letter} lets {opponent} move {}", in_a_row(times)))
}

/// What is good about `best`: what it gains at once, prevents or prepares. None if the next
/// turns do not show it.
pub(crate) fn merit(position: &Position, played: &[Pit], best: &[Pit]) -> Option<String> {
    let [line, other] = [best, played].map(|pv| turns(position, pv));
    let side = position.side();
    let letter = best.first()?.letter(side);
    let (own, other_own) = (&line[0], &other[0]);
    if own.captured() > other_own.captured() {
        let captures = own.captures_in_words();
        let captures = captures.replacen("capture", "captures", 1);
        let last = own.moves[own.moves.len() - 1].letter();
        return Some(match own.moves[..] {
            [_] => format!("{letter} {captures}"),
            _ => format!("{letter} keeps the turn, and {last} {captures}"),
        });
    }
    if own.swept[side.index()] > other_own.swept[side.index()] {
        let seeds = own.swept[side.index()];
        return Some(format!("{letter} ends the game, and {side} keeps its last {seeds}"));
    }
    if own.moves.len() > other_own.moves.len() {
        return Some(match own.moves.len() {
            2 => format!("{letter} keeps the turn"),
            moves => format!("{letter} begins {moves} moves in a row"),
        });
    }
    let captured = |turns: &[OneTurn], index: usize| turns.get(index).map_or(0, OneTurn::captured);
    if captured(&other, 1) > captured(&line, 1) {
        let lost = other[1].captures();
        let is_saved = lost.iter().any(|&(_, from, _)| from == letter);
        return Some(if is_saved {
            format!("{letter} moves those seeds to safety")
        } else {
            format!("{letter} prevents that")
        });
    }
    if captured(&line, 2) > captured(&other, 2) {
        let (_, from, seeds) = *line[2].captures().iter().max_by_key(|capture| capture.2)?;
        return Some(format!("{letter} prepares a capture of {seeds} from {from}"));
    }
    None
}

/// Seeds captured in a turn of a principal variation: 0 for the mover's, 1 for the reply.
pub(crate) fn captured_in_turn(position: &Position, pv: &[Pit], turn: usize) -> u32 {
    turns(position, pv).get(turn).map_or(0, OneTurn::captured)
}

/// The sowings of one player until the turn passes.
struct OneTurn {
    moves: Vec<Played>,
    /// Seeds that each side keeps if the turn ended the game.
    swept: [u32; 2],
    pits: usize,
}

impl OneTurn {
    /// Of each capture: the pit sown, the pit captured from, the seeds in it.
    fn captures(&self) -> Vec<(char, char, u32)> {
        let captures = self.moves.iter().filter_map(|played| match played.last {
            Landing::Own(last) if played.captured > 1 => {
                let from = last.opposite(self.pits).letter(played.side.other());
                Some((played.letter(), from, played.captured - 1))
            }
            _ => None,
        });
        captures.collect()
    }

    fn captured(&self) -> u32 {
        self.captures().iter().map(|capture| capture.2).sum()
    }

    /// `capture 8 from C`; empty without a capture.
    fn captures_in_words(&self) -> String {
        let captures = self.captures();
        let captures = captures.iter().map(|(_, from, seeds)| format!("{seeds} from {from}"));
        format!("capture {}", captures.collect::<Vec<_>>().join(" and "))
    }
}

fn in_a_row(times: usize) -> String {
    match times {
        2 => "twice in a row".to_owned(),
        _ => format!("{times} times in a row"),
    }
}

/// The turns of a principal variation; the first is the mover's and has a sowing.
fn turns(position: &Position, pv: &[Pit]) -> Vec<OneTurn> {
    let mut turns: Vec<OneTurn> = Vec::new();
    let mut side: Option<Side> = None;
    for played in position.replay(pv) {
        if side.replace(played.side) != Some(played.side) {
            turns.push(OneTurn { moves: Vec::new(), swept: [0; 2], pits: position.pits() });
        }
        let turn = turns.last_mut().expect("a turn was begun");
        turn.swept = played.swept;
        turn.moves.push(played);
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Capture;

    fn said(position: &str, played: (&str, i32), best: (&str, i32), proved: bool) -> String {
        let position = Position::parse(position, Capture::Standard).unwrap();
        let [played, best] = [played, best].map(|(letters, seeds)| {
            let pv = letters.chars().map(|letter| position.parse_pit(&letter.to_string()).unwrap());
            Judged { pv: pv.collect(), margin: Value(seeds * Value::SEED), proved }
        });
        comparison(&position, &Judgement { played, best })
    }

    #[test]
    fn the_difference_between_two_lines_is_said() {
        for (position, played, best, sentence) in [
            (
                "<6,0,0,0,5,8,1,1,1,3,1,1,0,1,1> S",
                ("Ea", -2),
                ("BC", 8),
                "E lets North capture 8 from C; B keeps the turn: +8 instead of -2",
            ),
            (
                "<6,9,9,9,0,1,5,0,4,2,1,4,2,2,0> S",
                ("Cd", -9),
                ("Ab", 4),
                "C lets North capture 9 from A; A moves those seeds to safety: +4 instead of -9",
            ),
            (
                "<6,12,12,2,3,0,1,0,4,3,2,1,6,0,2> S",
                ("F", 1),
                ("A", 7),
                "A captures 6 from d: +7 instead of +1 with F",
            ),
            (
                "<6,11,11,3,1,4,3,0,3,2,2,0,1,4,2> S",
                ("A", -3),
                ("DCEF", 5),
                "D begins 4 moves in a row: +5 instead of -3 with A",
            ),
        ] {
            assert_eq!(said(position, played, best, true), sentence);
        }
    }

    #[test]
    fn what_ends_the_game_is_named_and_estimates_are_said_to_be_so() {
        let sentence = said("<3,5,5,0,1,1,3,0,2> S", ("C", -6), ("B", -1), false);
        assert_eq!(sentence, "B leads to about -1.0, C to -6.0");
        let sentence = said("<3,5,5,0,0,1,3,2,2> N", ("bC", -2), ("cC", 3), false);
        assert!(sentence.contains("about +3.0"), "{sentence}");
    }
}
