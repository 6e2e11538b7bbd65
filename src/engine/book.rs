//! The opening book: positions with proved bounds, and the best moves that follow from
//! them. Nothing is searched here.
//!
//! The bounds are those of lists and of [proofs](super::known). A list is a text file with one
//! position per line in four columns: the position, the moves that lead to it from the start,
//! its mover's margin and how that was proved. The second column begins with `#`, so that
//! programs which read positions alone take the rest for a comment. The last line of a list
//! that `kalah openings make` wrote is its checksum. A list without one may be anybody's: the
//! engine plays by its margins but does not report them as proved.

use std::collections::HashMap;

use once_cell::sync::Lazy;
use xxhash_rust::xxh3::xxh3_64;

use super::known::{self, KnownStart};
use crate::game::score::{Gain, Interval, Turn, Value};
use crate::game::{Capture, Pit, Position, Rules};
use crate::search::table::Bound;
use crate::search::{Info, SearchResult};
use crate::solve::without_stores;
use crate::sys::names::shortened;
use crate::sys::random::SplitMix64;

/// The built-in lists, all for standard captures.
const LISTS: [&str; 4] = [
    include_str!("../../openings/6x3-standard.tsv"),
    include_str!("../../openings/6x4-standard.tsv"),
    include_str!("../../openings/6x5-standard.tsv"),
    include_str!("../../openings/6x6-standard.tsv"),
];

/// The last column of a line begins with this if the margin is exact.
pub(crate) const EXACT: &str = "exact";

/// The last line of a list that was made, not written by hand: the XXH3 of the lines before
/// it follows.
const CHECKSUM: &str = "# checksum ";

/// The first line of a list. It names the capture rule, which is not part of a position's text.
fn header(capture: Capture) -> String {
    format!("# position\tmoves\tmargin, {capture}\tproof")
}

/// The lines of a list and whether a checksum vouches for them.
#[derive(Debug)]
pub(crate) struct List<'a> {
    pub lines: Vec<Line<'a>>,
    pub has_checksum: bool,
}

/// A line of a list.
#[derive(Debug)]
pub(crate) struct Line<'a> {
    /// From 1.
    pub number: usize,
    pub position: Position,
    /// The letters of the moves that lead to it.
    pub moves: &'a str,
    /// From the mover's point of view.
    pub margin: Gain,
    pub is_exact: bool,
}

impl<'a> List<'a> {
    /// Parses a list for one capture rule.
    ///
    /// # Errors
    /// A message that names the first line that is wrong.
    pub(crate) fn parse(text: &'a str, capture: Capture) -> Result<Self, String> {
        let mut all: Vec<&str> = text.lines().collect();
        if all.first().is_none_or(|line| *line != header(capture)) {
            return Err(format!("expected a first line '{}'", header(capture)));
        }
        let expected = all.pop_if(|line| line.starts_with(CHECKSUM));
        if let Some(line) = expected {
            let (expected, got) = (checksum(&all), &line[CHECKSUM.len()..]);
            if got != expected {
                let got = shortened(got);
                return Err(format!("expected checksum {expected}, got {got}: it was changed"));
            }
        }
        let lines = (1..).zip(all).filter(|(_, line)| !line.starts_with('#'));
        let lines = lines.map(|(number, line)| {
            Line::parse(number, line, capture)
                .map_err(|expected| format!("line {number}: expected {expected}"))
        });
        Ok(Self { lines: lines.collect::<Result<_, _>>()?, has_checksum: expected.is_some() })
    }

    /// The text of a list with these lines, which end with a line break.
    pub(crate) fn text(capture: Capture, lines: &[String]) -> String {
        let text = format!("{}\n{}", header(capture), lines.concat());
        let checksum = checksum(&text.lines().collect::<Vec<_>>());
        format!("{text}{CHECKSUM}{checksum}\n")
    }
}

/// The XXH3 of lines in hexadecimal digits, whichever line breaks they have in the file.
fn checksum(lines: &[&str]) -> String {
    format!("{:016x}", xxh3_64((lines.join("\n") + "\n").as_bytes()))
}

impl<'a> Line<'a> {
    /// # Errors
    /// What was expected.
    fn parse(number: usize, line: &'a str, capture: Capture) -> Result<Self, String> {
        let columns: Vec<&str> = line.split('\t').collect();
        let &[position, moves, margin, proof] = columns.as_slice() else {
            return Err("a position, moves, a margin and its proof, between tabs".to_owned());
        };
        let position = Position::parse(position, capture);
        let position = position.map_err(|error| format!("a position: {error}"))?;
        let moves = moves.trim_start_matches(['#', ' ']);
        let margin = Gain(margin.parse().map_err(|_| "a margin")?);
        let Interval { lower, upper } = margin_by_rules(&position);
        if margin < lower || margin > upper || (margin.0 - lower.0) % 2 != 0 {
            return Err(format!("a margin from {lower} to {upper} in steps of 2, got {margin}"));
        }
        Ok(Self { number, position, moves, margin, is_exact: proof.starts_with(EXACT) })
    }
}

/// Proved bounds of gains.
#[derive(Clone, Debug)]
pub(crate) struct Book {
    /// By position without its stores.
    gains: HashMap<Position, Interval<Gain>>,
    /// The positions of lists whose margins are exact.
    openings: Vec<Position>,
    /// Whether the bounds are known to be those that were proved.
    is_proved: bool,
}

impl Book {
    /// The book of everything that was proved before this program was built.
    pub(crate) fn built_in() -> &'static Self {
        static BOOK: Lazy<Book> = Lazy::new(|| {
            let mut book = Book::new(true);
            for list in LISTS {
                book.add_list(List::parse(list, Capture::Standard).expect("a list of openings"));
            }
            for KnownStart { rules, margin, .. } in known::starts() {
                book.add(&Position::start(rules), Interval::exactly(margin));
            }
            known::gains().for_each(|(bare, gain)| book.add(bare, gain));
            book
        });
        &BOOK
    }

    /// The exact margins of a list.
    ///
    /// # Errors
    /// As [`List::parse`].
    pub(super) fn parse(text: &str, capture: Capture) -> Result<Self, String> {
        let list = List::parse(text, capture)?;
        let mut book = Self::new(list.has_checksum);
        book.add_list(list);
        Ok(book)
    }

    fn new(is_proved: bool) -> Self {
        Self { gains: HashMap::new(), openings: Vec::new(), is_proved }
    }

    fn add_list(&mut self, list: List<'_>) {
        for Line { position, margin, .. } in list.lines.into_iter().filter(|line| line.is_exact) {
            self.add(&position, Interval::exactly(margin));
            self.openings.push(position);
        }
    }

    /// Adds bounds of the margin of `position`, from its mover's point of view.
    fn add(&mut self, position: &Position, margin: Interval<Gain>) {
        let gain = margin.from_child(-position.lead(position.side()), Turn::Keeps);
        let known = self.gains.entry(without_stores(position)).or_insert(gain);
        *known = known.and(gain);
    }

    /// The proved bounds of gains, by position without stores.
    pub(crate) fn gains(&self) -> impl Iterator<Item = (&Position, Interval<Gain>)> {
        self.gains.iter().map(|(bare, gain)| (bare, *gain))
    }

    /// The number of listed positions that can follow from the start of these rules.
    pub(crate) fn count(&self, rules: Rules) -> usize {
        let openings = self.openings.iter().filter(|position| {
            position.variant() == rules.variant() && position.total() == rules.total()
        });
        openings.count()
    }

    /// What is proved of the margin of `position`, from its mover's point of view: directly,
    /// or by what is proved of its moves.
    pub(crate) fn margin(&self, position: &Position) -> Interval<Gain> {
        and_by_moves(position, |position| self.direct_margin(position))
    }

    fn direct_margin(&self, position: &Position) -> Interval<Gain> {
        let lead = position.lead(position.side());
        let known = self.gains.get(&without_stores(position));
        known.map_or_else(|| margin_by_rules(position), |gain| gain.from_child(lead, Turn::Keeps))
    }

    /// The proved margin of `position` from its mover's point of view, if it is exact and the
    /// book has the position or any of its moves.
    pub(super) fn proved_margin(&self, position: &Position) -> Option<Gain> {
        let margin = self.margin(position);
        let is_proved = self.is_proved && margin.is_exact() && self.has(position);
        is_proved.then_some(margin.lower)
    }

    /// Whether the book has `position` or any of its moves.
    fn has(&self, position: &Position) -> bool {
        let mut positions = position.children().map(|(_, after)| after).chain([*position]);
        positions.any(|position| self.gains.contains_key(&without_stores(&position)))
    }

    /// The bounds of the margin of `position`, and the moves that are proved to reach the lower
    /// one; none if the book has neither the position nor any of its moves, or if no move is
    /// proved to reach it.
    fn best(&self, position: &Position) -> Option<(Interval<Gain>, Vec<Pit>)> {
        if !self.has(position) {
            return None;
        }
        let margin = self.margin(position);
        let best = position.children().filter(|(played, after)| {
            let after = self.direct_margin(after).from_child(Gain::ZERO, played.turn);
            after.lower >= margin.lower
        });
        let best: Vec<Pit> = best.map(|(played, _)| played.pit).collect();
        (!best.is_empty()).then_some((margin, best))
    }

    /// The result for `position` without a search, with best play as far as the book goes
    /// and each choice among equal moves decided by `seed`; none if the book does not have
    /// the margin and a move that reaches it.
    pub(super) fn result(&self, position: &Position, seed: u64) -> Option<SearchResult> {
        let mut random = SplitMix64::new(seed);
        let (margin, mut pits) = self.best_exact(position)?;
        let mut pv = Vec::new();
        let mut after = *position;
        loop {
            let pit = pits[random.below(pits.len())];
            pv.push(pit);
            match after.play(pit).ok().and_then(|_| self.best_exact(&after)) {
                Some((_, equal)) => pits = equal,
                None => break,
            }
        }
        let mut result = SearchResult::proved(position, margin, pv);
        result.info.iter_mut().for_each(|info| info.proved = self.is_proved);
        Some(result)
    }

    /// As [`Book::best`], if the margin is known.
    fn best_exact(&self, position: &Position) -> Option<(Gain, Vec<Pit>)> {
        let (margin, pits) = self.best(position)?;
        margin.is_exact().then_some((margin.lower, pits))
    }

    /// A move to play instead of the one that a search found: one proved to reach at least as
    /// much. The search is believed only within the proved bounds of its move. All margins have
    /// one parity, so one found less than 1 above the proved margin is taken to be no higher.
    pub(super) fn replacement(
        &self,
        position: &Position,
        found: &SearchResult,
        seed: u64,
    ) -> Option<SearchResult> {
        let info = found.info.as_ref().filter(|info| !info.proved)?;
        let (Interval { lower, upper }, pits) = self.best(position)?;
        let found = found.best?;
        let (played, after) = position.children().find(|(played, _)| played.pit == found)?;
        let upper = upper.min(self.direct_margin(&after).from_child(Gain::ZERO, played.turn).upper);
        let is_higher = info.margin.min(upper.into()) >= Value::from(lower + Gain(1));
        if is_higher || pits.contains(&found) {
            return None;
        }
        let pit = pits[SplitMix64::new(seed).below(pits.len())];
        let proved = Info {
            margin: lower.into(),
            bound: if lower == upper { Bound::Exact } else { Bound::Lower },
            pv: vec![pit],
            ..info.clone()
        };
        Some(SearchResult { best: Some(pit), ponder: None, info: Some(proved) })
    }
}

/// What the rules alone say of the margin of `position`, from its mover's point of view.
pub(crate) fn possible_margin(position: &Position) -> Interval<Gain> {
    and_by_moves(position, margin_by_rules)
}

fn margin_by_rules(position: &Position) -> Interval<Gain> {
    let side = position.side();
    if position.is_over() {
        return Interval::exactly(position.margin(side));
    }
    let gain = Interval::within(Gain(position.in_play() as i32));
    gain.from_child(position.lead(side), Turn::Keeps)
}

/// The bounds of the margin of `position` by its moves and by `margin`, which gives those of
/// one position.
fn and_by_moves(
    position: &Position,
    margin: impl Fn(&Position) -> Interval<Gain>,
) -> Interval<Gain> {
    let direct = margin(position);
    let children = position
        .children()
        .map(|(played, after)| margin(&after).from_child(Gain::ZERO, played.turn));
    children.reduce(Interval::max).map_or(direct, |best| direct.and(best))
}
