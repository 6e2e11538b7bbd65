//! The opening book: positions with proved margins, and the best moves that follow from
//! them. `kalah openings make` writes its lists. Nothing is searched here.

use std::collections::HashMap;

use once_cell::sync::Lazy;

use crate::game::score::Gain;
use crate::game::{Capture, Pit, Position, Rules};
use crate::sys::random::SplitMix64;

/// The built-in lists, all for standard captures.
const BUILT_IN: [&str; 3] = [
    include_str!("../../openings/6x3-standard.tsv"),
    include_str!("../../openings/6x4-standard.tsv"),
    include_str!("../../openings/6x5-standard.tsv"),
];

/// The last column of a line begins with this if the margin is proved.
pub(crate) const EXACT: &str = "exact";

/// The first line of a list. It names the capture rule, which is not part of a position's text.
pub(crate) fn header(capture: Capture) -> String {
    format!("# position\tmoves\tmargin, {capture}\tproof")
}

/// Proved margins by position, from the mover's point of view.
#[derive(Clone, Debug, Default)]
pub(super) struct Book(HashMap<Position, Gain>);

impl Book {
    /// The book of the built-in lists.
    pub(super) fn built_in() -> &'static Self {
        static BOOK: Lazy<Book> = Lazy::new(|| {
            let lists = BUILT_IN.iter().map(|text| Book::parse(text, Capture::Standard));
            Book(lists.flat_map(|book| book.expect("a list of openings").0).collect())
        });
        &BOOK
    }

    /// The proved lines of a list: a position, the moves that lead to it, its
    /// mover's margin and how it was proved, separated by tabs.
    ///
    /// # Errors
    /// A message that names the first line that is wrong.
    pub(super) fn parse(text: &str, capture: Capture) -> Result<Self, String> {
        let mut margins = HashMap::new();
        let mut lines = text.lines().enumerate();
        if lines.next().is_none_or(|(_, line)| line != header(capture)) {
            return Err(format!("expected a first line '{}'", header(capture)));
        }
        for (index, line) in lines.filter(|(_, line)| !line.starts_with('#')) {
            let entry = Self::parse_line(line, capture);
            let entry =
                entry.map_err(|expected| format!("line {}: expected {expected}", index + 1))?;
            margins.extend(entry);
        }
        Ok(Self(margins))
    }

    /// The position of a line and its margin, if that is proved.
    ///
    /// # Errors
    /// What was expected.
    fn parse_line(line: &str, capture: Capture) -> Result<Option<(Position, Gain)>, String> {
        let columns: Vec<&str> = line.split('\t').collect();
        let &[position, _, margin, proof] = columns.as_slice() else {
            return Err("a position, moves, a margin and its proof, between tabs".to_owned());
        };
        let position = Position::parse(position, capture);
        let position = position.map_err(|error| format!("a position: {error}"))?;
        let margin = margin.parse().map_err(|_| "a margin")?;
        Ok(proof.starts_with(EXACT).then_some((position, Gain(margin))))
    }

    /// The margin of `position` and the moves that reach it, if the margin after every
    /// move is known, and for at least one of them from the book.
    fn best(&self, position: &Position) -> Option<(Gain, Vec<Pit>)> {
        position.children().find(|(_, after)| self.0.contains_key(after))?;
        let margins = position.children().map(|(played, after)| {
            let known = if after.is_over() {
                Some(after.margin(after.side()))
            } else {
                self.0.get(&after).copied()
            };
            known.map(|margin| (played.pit, played.turn.from_child(margin)))
        });
        let margins: Vec<(Pit, Gain)> = margins.collect::<Option<_>>()?;
        let best = margins.iter().map(|&(_, margin)| margin).max()?;
        let equal = margins.into_iter().filter(|&(_, margin)| margin == best);
        Some((best, equal.map(|(pit, _)| pit).collect()))
    }

    /// The number of positions that can follow from the start of these rules.
    pub(super) fn count(&self, rules: Rules) -> usize {
        let is_of = |position: &&Position| {
            position.variant() == rules.variant() && position.total() == rules.total()
        };
        self.0.keys().filter(is_of).count()
    }

    /// The margin of `position` from its mover's point of view, if it is known or follows
    /// from those of its moves.
    pub(super) fn margin(&self, position: &Position) -> Option<Gain> {
        self.0.get(position).copied().or_else(|| Some(self.best(position)?.0))
    }

    /// The margin, and best play as far as the book goes, with each choice among equal
    /// moves decided by `seed`; none if `position` is not in the book.
    pub(super) fn pv(&self, position: &Position, seed: u64) -> Option<(Gain, Vec<Pit>)> {
        let mut random = SplitMix64::new(seed);
        let (margin, mut pits) = self.best(position)?;
        let mut pv = Vec::new();
        let mut position = *position;
        loop {
            let pit = pits[random.below(pits.len())];
            pv.push(pit);
            match position.play(pit).ok().and_then(|_| self.best(&position)) {
                Some((_, equal)) => pits = equal,
                None => return Some((margin, pv)),
            }
        }
    }
}
