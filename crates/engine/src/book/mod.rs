//! The opening book: positions with proved bounds, and the best moves that follow from
//! them. Nothing is searched here.
//!
//! The bounds come from [lists](OpeningList) of openings, and from the proofs and margins of
//! starts ([`known`]) that were proved before this program was built.

pub mod known;
mod list;

use std::collections::HashMap;

use std::sync::LazyLock;

use crate::search::transposition::Bound;
use crate::search::{Info, SearchResult};
use kalah_game::{Gain, Interval, Pit, Position, Rules, Turn, Value, Variant};
use kalah_sys::random::SplitMix64;

use known::KnownStart;

pub use list::EXACT;
pub use list::{ListedOpening, OpeningList, OpeningListError};

/// Proved bounds on gains.
#[derive(Clone, Debug)]
pub struct Book {
    /// Indexed by the position without its stores.
    gains: HashMap<Position, Interval<Gain>>,
    /// The listed positions whose margins are exact.
    openings: Vec<Position>,
    /// Whether the bounds are certain to be the ones that were proved.
    is_proved: bool,
}

impl Book {
    /// The book of everything that was proved before this program was built.
    pub fn built_in() -> &'static Self {
        static BOOK: LazyLock<Book> = LazyLock::new(|| {
            let mut book = Book::new(true);
            for list in kalah_openings::LISTS {
                let list = OpeningList::parse(list, Rules::default().variant());
                book.add_list(list.expect("a list of openings"));
            }
            for KnownStart { rules, margin, .. } in known::starts() {
                book.add(&Position::start(rules), Interval::exactly(margin));
            }
            known::gains().for_each(|(bare, gain)| book.add(bare, gain));
            book
        });
        &BOOK
    }

    /// A book with the exact margins of a list.
    pub(crate) fn parse(text: &str, variant: Variant) -> Result<Self, OpeningListError> {
        let list = OpeningList::parse(text, variant)?;
        let mut book = Self::new(list.has_checksum);
        book.add_list(list);
        Ok(book)
    }

    fn new(is_proved: bool) -> Self {
        Self { gains: HashMap::new(), openings: Vec::new(), is_proved }
    }

    fn add_list(&mut self, list: OpeningList<'_>) {
        for ListedOpening { position, margin, .. } in
            list.lines.into_iter().filter(|line| line.is_exact)
        {
            self.add(&position, Interval::exactly(margin));
            self.openings.push(position);
        }
    }

    /// Adds bounds on the margin of `position`, from its mover's point of view.
    fn add(&mut self, position: &Position, margin: Interval<Gain>) {
        // A gain does not depend on the stores, so it serves every position with these pits.
        let gain = margin.from_child(-position.lead(position.side()), Turn::Keeps);
        let known = self.gains.entry(position.without_stores()).or_insert(gain);
        *known = known.and(gain);
    }

    /// The proved bounds on gains, by position without stores.
    pub fn gains(&self) -> impl Iterator<Item = (&Position, Interval<Gain>)> {
        self.gains.iter().map(|(bare, gain)| (bare, *gain))
    }

    /// The number of listed positions that can be reached from the start under these rules.
    pub fn count(&self, rules: Rules) -> usize {
        let openings = self.openings.iter().filter(|position| {
            // A list does not state its start, but moves change neither the variant nor the number
            // of seeds.
            position.variant() == rules.variant() && position.total() == rules.total()
        });
        openings.count()
    }

    /// The proved bounds on the margin of `position`, from its mover's point of view: its own,
    /// narrowed by those of its moves.
    pub fn margin(&self, position: &Position) -> Interval<Gain> {
        and_by_moves(position, |position| self.direct_margin(position))
    }

    fn direct_margin(&self, position: &Position) -> Interval<Gain> {
        let lead = position.lead(position.side());
        match self.gains.get(&position.without_stores()) {
            Some(gain) => gain.from_child(lead, Turn::Keeps),
            None => position.margins(),
        }
    }

    /// The proved margin of `position` from its mover's point of view, if it is exact and the
    /// book has the position or any of its moves.
    pub fn proved_margin(&self, position: &Position) -> Option<Gain> {
        let margin = self.margin(position);
        let is_proved = self.is_proved && margin.is_exact() && self.has(position);
        if is_proved { Some(margin.lower) } else { None }
    }

    /// Whether the book has `position` or any of its moves.
    fn has(&self, position: &Position) -> bool {
        let mut positions = position.children().map(|(_, after)| after).chain([*position]);
        positions.any(|position| self.gains.contains_key(&position.without_stores()))
    }

    /// The bounds on the margin of `position`, and the moves that are proved to reach the lower
    /// one; none if the book has neither the position nor any of its moves, or if no move is
    /// proved to reach the lower bound.
    fn best(&self, position: &Position) -> Option<(Interval<Gain>, Vec<Pit>)> {
        if !self.has(position) {
            return None;
        }
        let margin = self.margin(position);
        // The position's own lower bound may be higher than what any of its moves is proved to
        // reach; the book then gives no move.
        let mut best = Vec::new();
        for (played, after) in position.children() {
            let margin_after = self.direct_margin(&after).from_child(Gain::ZERO, played.turn);
            if margin_after.lower >= margin.lower {
                best.push(played.pit);
            }
        }
        if best.is_empty() { None } else { Some((margin, best)) }
    }

    /// The result for `position` without a search, with the best play that the book knows and with
    /// choices among equal moves made by `seed`; none if the book does not have the margin and a
    /// move that reaches it.
    pub(crate) fn result(&self, position: &Position, seed: u64) -> Option<SearchResult> {
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

    /// Like [`Book::best`], but only if the margin is exact.
    fn best_exact(&self, position: &Position) -> Option<(Gain, Vec<Pit>)> {
        let (margin, pits) = self.best(position)?;
        if margin.is_exact() { Some((margin.lower, pits)) } else { None }
    }

    /// A move to play instead of the one that a search found, because it is proved to reach at
    /// least as much. The search's margin counts only within the proved bounds of its move:
    /// searches have overestimated moves that the book proves to be worth less. It counts as higher
    /// than the proved one if it is at least as near to the next margin that the position can have.
    pub(crate) fn replacement(
        &self,
        position: &Position,
        found: &SearchResult,
        seed: u64,
    ) -> Option<SearchResult> {
        // A proved result cannot be improved.
        let info = found.info.as_ref().filter(|info| !info.proved)?;
        let (Interval { lower, upper }, pits) = self.best(position)?;
        let found = found.best?;
        let (played, after) = position.children().find(|(played, _)| played.pit == found)?;
        let upper = upper.min(self.direct_margin(&after).from_child(Gain::ZERO, played.turn).upper);
        let margin = info.margin.min(upper.into());
        let next = lower + position.variant().gain_step();
        let is_higher = margin - lower.into() >= Value::from(next) - margin;
        if is_higher || pits.contains(&found) {
            return None;
        }
        let pit = pits[SplitMix64::new(seed).below(pits.len())];
        // The nodes and the time remain those of the search.
        let proved = Info {
            margin: lower.into(),
            bound: if lower == upper { Bound::Exact } else { Bound::Lower },
            pv: vec![pit],
            ..info.clone()
        };
        Some(SearchResult { best: Some(pit), ponder: None, info: Some(proved) })
    }
}

/// The bounds on the margin of `position` that follow from the rules alone, from its mover's
/// point of view.
pub fn possible_margin(position: &Position) -> Interval<Gain> {
    and_by_moves(position, Position::margins)
}

/// The bounds that `margin` gives for `position`, narrowed by those that it gives for the
/// positions after its moves.
fn and_by_moves(
    position: &Position,
    margin: impl Fn(&Position) -> Interval<Gain>,
) -> Interval<Gain> {
    let direct = margin(position);
    let children = position
        .children()
        .map(|(played, after)| margin(&after).from_child(Gain::ZERO, played.turn));
    match children.reduce(Interval::max) {
        Some(best) => direct.and(best),
        None => direct,
    }
}
