//! Why one move is better than another: the difference between their principal variations,
//! in a sentence.

use std::cmp::Ordering;

use kalah_game::score::Value;
use kalah_game::{Landing, Pit, Played, Position, Side};
use kalah_record::MoveEvaluation;
use kalah_record::mark::MarginChange;
use kalah_text::format::{fixed, signed};

/// A value in seeds, with its sign: `+2.5`, or `+4` if it is proved.
pub fn in_seeds(value: Value, proved: bool) -> String {
    signed(value.seeds(), if proved { 0 } else { 1 })
}

/// A move, the best play after it, and the mover's margin at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedMove {
    /// The move and the best play after it: at least one sowing.
    pub pv: Vec<Pit>,
    /// With best play after the move, from the mover's point of view.
    pub margin: Value,
    /// Whether the margin is exact; otherwise it is an estimate.
    pub proved: bool,
}

impl JudgedMove {
    /// The pit sown.
    pub fn pit(&self) -> Pit {
        self.pv[0]
    }
}

/// What an engine expects of the move.
impl From<JudgedMove> for MoveEvaluation {
    fn from(JudgedMove { margin, proved, .. }: JudgedMove) -> Self {
        Self { margin, proved }
    }
}

/// A move compared with the best move in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The move that was made.
    pub played: JudgedMove,
    /// The best move in the same position, possibly the same move.
    pub best: JudgedMove,
}

impl Judgement {
    /// Caps the margin of the move played at the best margin: two short searches may disagree
    /// about which move is better.
    pub(crate) fn new(played: JudgedMove, best: JudgedMove) -> Self {
        let margin = played.margin.min(best.margin);
        Self { played: JudgedMove { margin, ..played }, best }
    }

    /// What the move gave away; never negative, because the margin of the move played is at
    /// most the best one.
    pub fn loss(&self) -> Value {
        self.best.margin - self.played.margin
    }

    /// What the mover, `side`, expected before and after the move.
    pub fn margin_change(&self, side: Side) -> MarginChange {
        MarginChange { side, before: self.best.margin, after: self.played.margin }
    }

    /// Whether both margins are exact, and so the loss.
    pub fn is_proved(&self) -> bool {
        self.played.proved && self.best.proved
    }
}

/// `E lets North capture 8 from C; B keeps the turn: you win by 8 instead of losing by 2`, without a
/// full stop, for the player of the side `reader`.
pub fn comparison(position: &Position, judgement: &Judgement, reader: Option<Side>) -> String {
    let Judgement { played, best } = judgement;
    let mover = Outlook { side: position.side(), reader, is_proved: judgement.is_proved() };
    let letter = played.pit().letter(position.side());
    let best_letter = best.pit().letter(position.side());
    let gain = mover.compared(best.margin, played.margin);
    match (fault(position, &played.pv, &best.pv), merit(position, &played.pv, &best.pv)) {
        (Some(fault), Some(merit)) => format!("{fault}; {merit}: {gain}"),
        (Some(fault), None) => {
            let loss = mover.compared(played.margin, best.margin);
            format!("{fault}: {loss} with {best_letter}")
        }
        (None, Some(merit)) => format!("{merit}: {gain} with {letter}"),
        (None, None) => format!("with {best_letter}, {gain} with {letter}"),
    }
}

/// Margins of a side as sentences for the player of the side `reader`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outlook {
    pub(crate) side: Side,
    pub(crate) reader: Option<Side>,
    /// Whether the margins are exact; otherwise they are estimates.
    pub(crate) is_proved: bool,
}

impl Outlook {
    /// `you win by 8`, `South loses by about 2.5`, `South draws`.
    pub(crate) fn of(self, margin: Value) -> String {
        let is_reader = self.reader == Some(self.side);
        let name = if is_reader { "you" } else { self.side.name() };
        let s = if is_reader { "" } else { "s" };
        let about = if self.is_proved { "" } else { "about " };
        let size = self.size(margin);
        match self.sign(margin) {
            Ordering::Greater => format!("{name} win{s} by {about}{size}"),
            Ordering::Less => format!("{name} lose{s} by {about}{size}"),
            Ordering::Equal => format!("{name} draw{s}"),
        }
    }

    /// `you win by 8 instead of losing by 2`, `South loses by 10 instead of 8`.
    pub(crate) fn compared(self, margin: Value, other: Value) -> String {
        let size = self.size(other);
        let instead = match self.sign(other) {
            Ordering::Equal => "drawing".to_owned(),
            same if same == self.sign(margin) => size,
            Ordering::Greater => format!("winning by {size}"),
            Ordering::Less => format!("losing by {size}"),
        };
        format!("{} instead of {instead}", self.of(margin))
    }

    fn size(self, margin: Value) -> String {
        let size = fixed(margin.seeds().abs(), if self.is_proved { 0 } else { 1 });
        // An estimate reads more easily without a fraction that it does not need.
        match size.strip_suffix(".0") {
            Some(whole) => whole.to_owned(),
            None => size,
        }
    }

    /// Who wins; a margin that is shown as 0 is a draw.
    fn sign(self, margin: Value) -> Ordering {
        let is_zero = self.size(margin).bytes().all(|byte| matches!(byte, b'0' | b'.'));
        if is_zero { Ordering::Equal } else { margin.cmp(&Value(0)) }
    }
}

/// What is wrong with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// The game ends, and the opponent keeps its last seeds.
    Ends(u32),
    /// The opponent can capture these seeds from this pit.
    AllowsCapture(char, u32),
    /// The opponent can end the game and keep its last seeds.
    AllowsEnd(u32),
    /// The opponent can move several times in a row.
    AllowsMoves(usize),
}

impl Fault {
    /// What the opponent can do after `played`, but not after `best`. None if the opponent's next
    /// turn does not show it.
    fn find(position: &Position, played: &[Pit], best: &[Pit]) -> Option<Self> {
        let [own, reply, _] = turns(position, played);
        let [other_own, other_reply, _] = turns(position, best);
        let opponent = position.side().other();
        let kept = own.swept[opponent.index()];
        if kept > other_own.swept[opponent.index()] {
            return Some(Self::Ends(kept));
        }
        if let Some((from, seeds)) = reply.capture()
            && seeds > other_reply.captured()
            && !allows_capture(position, &other_own, seeds)
        {
            return Some(Self::AllowsCapture(from, seeds));
        }
        let kept = reply.swept[opponent.index()];
        if kept > other_reply.swept[opponent.index()] {
            return Some(Self::AllowsEnd(kept));
        }
        match reply.moves.len() {
            0 | 1 => None,
            times if times <= other_reply.moves.len() => None,
            times => Some(Self::AllowsMoves(times)),
        }
    }

    /// The fault of the move `letter`. `rival` names the opponent, `its` is the possessive, and
    /// `verbs` are "let", "end" and "keep" in the tense of the sentence.
    fn sentence(self, letter: char, rival: &str, its: &str, verbs: [&str; 3]) -> String {
        let [lets, ends, keeps] = verbs;
        match self {
            Self::Ends(kept) => {
                format!("{letter} {ends} the game, and {rival} {keeps} {its} last {kept}")
            }
            Self::AllowsCapture(from, seeds) => {
                format!("{letter} {lets} {rival} capture {seeds} from {from}")
            }
            Self::AllowsEnd(kept) => {
                format!("{letter} {lets} {rival} end the game and keep {its} last {kept}")
            }
            Self::AllowsMoves(2) => format!("{letter} {lets} {rival} move twice in a row"),
            Self::AllowsMoves(times) => {
                format!("{letter} {lets} {rival} move {times} times in a row")
            }
        }
    }
}

/// What is wrong with a move: `E lets North capture 8 from C`. None if the opponent's next turn does
/// not show it.
pub(crate) fn fault(position: &Position, played: &[Pit], best: &[Pit]) -> Option<String> {
    let letter = played.first()?.letter(position.side());
    let opponent = position.side().other().name();
    let fault = Fault::find(position, played, best)?;
    Some(fault.sentence(letter, opponent, "its", ["lets", "ends", "keeps"]))
}

/// How a move decided a game that its mover has lost, for the player of the side `reader`: `e let you
/// capture 3 from B. With f, it would have been a draw.` None unless it gave away a win or a draw.
pub fn turning_point(
    position: &Position,
    judgement: &Judgement,
    reader: Option<Side>,
) -> Option<String> {
    let Judgement { played, best } = judgement;
    let side = position.side();
    if !judgement.margin_change(side).gave_away(0) {
        return None;
    }
    let opponent = side.other();
    let is_reader = |side| reader == Some(side);
    let name = |side: Side| if is_reader(side) { "you".to_owned() } else { side.to_string() };
    let rival = name(opponent);
    let its = if is_reader(opponent) { "your" } else { "its" };
    let letter = played.pit().letter(side);
    let margin = best.margin.seeds().abs().round();
    let about = if best.proved { "" } else { "about " };
    let outcome = if margin == 0.0 {
        "it would have been a draw".to_owned()
    } else {
        format!("{} would have won by {about}{margin}", name(side))
    };
    let better = best.pit().letter(side);
    Some(match Fault::find(position, &played.pv, &best.pv) {
        Some(fault) => {
            let fault = fault.sentence(letter, &rival, its, ["let", "ended", "kept"]);
            format!("{fault}. With {better}, {outcome}.")
        }
        None => format!("with {better} instead of {letter}, {outcome}."),
    })
}

/// What is good about `best`: what it gains immediately, prevents or prepares. None if the
/// next turns do not show it.
pub(crate) fn merit(position: &Position, played: &[Pit], best: &[Pit]) -> Option<String> {
    let [own, reply, next] = turns(position, best);
    let [other_own, other_reply, other_next] = turns(position, played);
    let side = position.side();
    let letter = best.first()?.letter(side);
    if let Some((from, seeds)) = own.capture()
        && seeds > other_own.captured()
    {
        return Some(match own.moves[..] {
            [_, .., last] => {
                let last = last.letter();
                format!("{letter} keeps the turn, and {last} captures {seeds} from {from}")
            }
            _ => format!("{letter} captures {seeds} from {from}"),
        });
    }
    let kept = own.swept[side.index()];
    if kept > other_own.swept[side.index()] {
        return Some(format!("{letter} ends the game, and {side} keeps its last {kept}"));
    }
    if own.moves.len() > other_own.moves.len() {
        return Some(match own.moves.len() {
            2 => format!("{letter} keeps the turn"),
            moves => format!("{letter} begins {moves} moves in a row"),
        });
    }
    if let Some((from, seeds)) = other_reply.capture()
        && seeds > reply.captured()
        && !allows_capture(position, &own, seeds)
    {
        // The opponent would have captured the seeds that the best move sows.
        let is_saved = from == letter;
        let merit = if is_saved { "moves those seeds to safety" } else { "prevents that" };
        return Some(format!("{letter} {merit}"));
    }
    let (from, seeds) = next.capture().filter(|&(_, seeds)| seeds > other_next.captured())?;
    Some(format!("{letter} prepares a capture of {seeds} from {from}"))
}

/// Seeds captured by the reply in a principal variation.
pub(crate) fn captured_by_reply(position: &Position, pv: &[Pit]) -> u32 {
    let [_, reply, _] = turns(position, pv);
    reply.captured()
}

/// Whether the opponent's first move after a turn can capture this many seeds. The principal
/// variation may not show it, because the opponent has something even better.
fn allows_capture(position: &Position, turn: &OneTurn, seeds: u32) -> bool {
    let mut after = *position;
    let is_played = turn.moves.iter().all(|played| after.play(played.pit).is_ok());
    is_played
        && after.side() != position.side()
        && after.children().any(|(reply, _)| reply.captured > seeds)
}

/// The sowings of one player until the turn passes.
#[derive(Default)]
struct OneTurn {
    moves: Vec<Played>,
    /// Seeds that each side keeps if the turn ended the game.
    swept: [u32; 2],
    /// Pits per row.
    pits: usize,
}

impl OneTurn {
    /// The pit captured from and the seeds in it. A capture ends the turn.
    fn capture(&self) -> Option<(char, u32)> {
        let last = self.moves.last().filter(|last| last.captured > 1)?;
        let Landing::Own(pit) = last.last else { return None };
        Some((pit.opposite(self.pits).letter(last.side.other()), last.captured - 1))
    }

    fn captured(&self) -> u32 {
        self.capture().map_or(0, |(_, seeds)| seeds)
    }
}

/// The first three turns of a principal variation: the mover's, the reply, and the mover's
/// next. Turns after the end of the variation are empty.
fn turns(position: &Position, pv: &[Pit]) -> [OneTurn; 3] {
    let mut turns: [OneTurn; 3] = Default::default();
    let mut side = position.side();
    let mut index = 0;
    for played in position.replay(pv) {
        if played.side != side {
            side = played.side;
            index += 1;
        }
        let Some(turn) = turns.get_mut(index) else { break };
        turn.pits = position.pits();
        turn.swept = played.swept;
        turn.moves.push(played);
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_game::Capture;

    fn said(position: &str, played: (&str, i32), best: (&str, i32), proved: bool) -> String {
        let position = Position::parse(position, Capture::Standard).unwrap();
        let [played, best] = [played, best].map(|(letters, seeds)| {
            let pv = letters.chars().map(|letter| position.parse_pit(&letter.to_string()).unwrap());
            JudgedMove { pv: pv.collect(), margin: Value(seeds * Value::SEED), proved }
        });
        comparison(&position, &Judgement { played, best }, Some(Side::South))
    }

    #[test]
    fn the_difference_between_two_lines_is_explained() {
        for (position, played, best, sentence) in [
            (
                "<6,0,0,0,5,8,1,1,1,3,1,1,0,1,1> S",
                ("Ea", -2),
                ("BC", 8),
                "E lets North capture 8 from C; B keeps the turn: you win by 8 instead of losing by 2",
            ),
            (
                "<6,9,9,9,0,1,5,0,4,2,1,4,2,2,0> S",
                ("Cd", -9),
                ("Ab", 4),
                "C lets North capture 9 from A; A moves those seeds to safety: you win by 4 \
                 instead of losing by 9",
            ),
            (
                "<6,12,12,2,3,0,1,0,4,3,2,1,6,0,2> S",
                ("F", 1),
                ("A", 7),
                "A captures 6 from d: you win by 7 instead of 1 with F",
            ),
            (
                "<6,11,11,3,1,4,3,0,3,2,2,0,1,4,2> S",
                ("A", -3),
                ("DCEF", 5),
                "D begins 4 moves in a row: you win by 5 instead of losing by 3 with A",
            ),
        ] {
            assert_eq!(said(position, played, best, true), sentence);
        }
    }

    #[test]
    fn a_turning_point_is_told_from_the_point_of_view_of_its_reader() {
        let position = Position::parse("<6,0,0,0,5,8,1,1,1,3,1,1,0,1,1> S", Capture::Standard);
        let position = position.unwrap();
        let judged = |letters: &str, seeds: i32| {
            let pv = letters.chars().map(|letter| position.parse_pit(&letter.to_string()).unwrap());
            JudgedMove { pv: pv.collect(), margin: Value(seeds * Value::SEED), proved: true }
        };
        for (best, reader, sentence) in [
            (0, None, "E let North capture 8 from C. With B, it would have been a draw."),
            (
                8,
                Some(Side::North),
                "E let you capture 8 from C. With B, South would have won by 8.",
            ),
            (
                8,
                Some(Side::South),
                "E let North capture 8 from C. With B, you would have won by 8.",
            ),
        ] {
            let judgement = Judgement { played: judged("Ea", -2), best: judged("BC", best) };
            assert_eq!(turning_point(&position, &judgement, reader).as_deref(), Some(sentence));
        }
    }

    #[test]
    fn moves_that_end_the_game_are_named_and_estimates_are_marked_as_such() {
        let sentence = said("<3,5,5,0,1,1,3,0,2> S", ("C", -6), ("B", -1), false);
        assert_eq!(sentence, "with B, you lose by about 1 instead of 6 with C");
        let sentence = said("<3,5,5,0,0,1,3,2,2> N", ("bC", -2), ("cC", 3), false);
        assert!(sentence.contains("North wins by about 3 instead of losing by 2"), "{sentence}");
        let sentence = said("<3,5,5,0,1,1,3,0,2> S", ("C", -6), ("B", 0), true);
        assert_eq!(sentence, "with B, you draw instead of losing by 6 with C");
        let sentence = said("<3,5,5,0,1,1,3,0,2> S", ("C", 0), ("B", 6), true);
        assert_eq!(sentence, "with B, you win by 6 instead of drawing with C");
    }
}
