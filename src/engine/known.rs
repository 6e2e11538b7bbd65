//! Margins that were proved before this program was built: the lists of the opening book,
//! the proofs of (6,6), and starts that this project or others have solved.

use once_cell::sync::Lazy;

use super::book::Book;
use crate::game::score::{Gain, Interval, Turn};
use crate::game::{Position, Rules};
use crate::solve::ledger::Ledger;

/// Margins of starts and their sources: published ones, and others that were proved
/// twice, by `kalah solve --verify` or in a folder of this repository.
const STARTS: &str = include_str!("known_margins.tsv");

/// The proofs of [Kalah(6,6)](../../doc/kalah66.md), one for each capture rule.
static PROOFS: Lazy<[Ledger; 2]> = Lazy::new(|| {
    [
        include_str!("../../openings/6x6-standard-proof/ledger.jsonl"),
        include_str!("../../openings/6x6-empty-capture-proof/ledger.jsonl"),
    ]
    .map(|ledger| Ledger::parse(ledger).expect("a ledger"))
});

/// A start whose margin is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownStart {
    pub(crate) rules: Rules,
    pub(crate) margin: Gain,
    pub(crate) source: &'static str,
}

/// All starts whose margins are known.
pub(crate) fn starts() -> impl Iterator<Item = KnownStart> {
    STARTS.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[pits, seeds, capture, margin, source] = fields.as_slice() else {
            unreachable!("five columns: {line}")
        };
        let number = |text: &str| text.parse().expect("a number");
        let capture = capture.parse().expect("a capture rule");
        let rules = Rules::new(number(pits), number(seeds), capture).expect("a board");
        KnownStart { rules, margin: Gain(margin.parse().expect("a margin")), source }
    })
}

/// The known margin of a start and its source, if there is one.
pub(crate) fn start(rules: Rules) -> Option<KnownStart> {
    starts().find(|known| known.rules == rules)
}

/// The number of openings of a start whose margins are in the book.
pub(crate) fn listed(rules: Rules) -> usize {
    Book::built_in().count(rules)
}

/// What is proved of the margin of `position`, from its mover's point of view: directly,
/// or by what is proved of its moves.
pub(crate) fn margin(position: &Position) -> Interval<Gain> {
    and_by_moves(position, proved)
}

/// What the rules alone say of it.
pub(crate) fn possible(position: &Position) -> Interval<Gain> {
    and_by_moves(position, |position| {
        let gain = Interval::within(Gain(position.in_play() as i32));
        gain.from_child(position.lead(position.side()), Turn::Keeps)
    })
}

fn and_by_moves(
    position: &Position,
    margin: impl Fn(&Position) -> Interval<Gain>,
) -> Interval<Gain> {
    let children = position.children();
    let children =
        children.map(|(played, after)| margin(&after).from_child(Gain::ZERO, played.turn));
    let best = children.reduce(Interval::max);
    best.map_or(margin(position), |best| margin(position).and(best))
}

/// What is proved directly.
fn proved(position: &Position) -> Interval<Gain> {
    let side = position.side();
    if position.is_over() {
        return Interval::exactly(position.margin(side));
    }
    let listed = Book::built_in().proved_margin(position);
    let exact = listed.or_else(|| Some(start(start_of(position)?)?.margin));
    exact.map_or(gain(position).from_child(position.lead(side), Turn::Keeps), Interval::exactly)
}

/// What the proofs of (6,6) say of the gain of `position`.
pub(crate) fn gain(position: &Position) -> Interval<Gain> {
    let all = Interval::within(Gain(position.in_play() as i32));
    PROOFS.iter().map(|proof| proof.gain(position)).fold(all, Interval::and)
}

/// The rules of the game that starts at `position`, if one does.
fn start_of(position: &Position) -> Option<Rules> {
    let pits = position.pits() as u32;
    let rules = Rules::new(pits, position.total() / (2 * pits), position.capture()).ok()?;
    (Position::start(rules) == *position).then_some(rules)
}

/// What the proofs say of the gains of positions, without their stores.
pub(crate) fn gains() -> impl Iterator<Item = (&'static Position, Interval<Gain>)> {
    PROOFS.iter().flat_map(Ledger::bounds)
}
