//! The opening book: positions with exact margins, and the best moves that follow from
//! them. Nothing is searched here.
//!
//! A list is a text file with one position per line in four columns: the position, the
//! moves that lead to it from the start, its mover's margin and how that was proved. The
//! second column begins with `#`, so that programs which read positions alone take the
//! rest for a comment. The last line of a list that `kalah openings make` wrote is its
//! checksum. Without one, a list may be anybody's: its margins are played by, but they
//! prove nothing.

use std::collections::HashMap;

use once_cell::sync::Lazy;
use xxhash_rust::xxh3::xxh3_64;

use crate::game::score::Gain;
use crate::game::{Capture, Pit, Position, Rules};
use crate::search::SearchResult;
use crate::sys::names::shortened;
use crate::sys::random::SplitMix64;

/// The built-in lists, all for standard captures.
const BUILT_IN: [&str; 3] = [
    include_str!("../../openings/6x3-standard.tsv"),
    include_str!("../../openings/6x4-standard.tsv"),
    include_str!("../../openings/6x5-standard.tsv"),
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
        Ok(Self { number, position, moves, margin, is_exact: proof.starts_with(EXACT) })
    }
}

/// Exact margins by position, from the mover's point of view.
#[derive(Clone, Debug)]
pub(super) struct Book {
    margins: HashMap<Position, Gain>,
    /// Whether the margins are known to be those that were proved.
    is_proved: bool,
}

impl Book {
    /// The book of the built-in lists.
    pub(super) fn built_in() -> &'static Self {
        static BOOK: Lazy<Book> = Lazy::new(|| {
            let lists = BUILT_IN.iter().map(|text| Book::parse(text, Capture::Standard));
            let lists = lists.map(|book| book.expect("a list of openings"));
            Book { margins: lists.flat_map(|book| book.margins).collect(), is_proved: true }
        });
        &BOOK
    }

    /// The exact margins of a list.
    ///
    /// # Errors
    /// As [`List::parse`].
    pub(super) fn parse(text: &str, capture: Capture) -> Result<Self, String> {
        let List { lines, has_checksum } = List::parse(text, capture)?;
        let exact = lines.into_iter().filter(|line| line.is_exact);
        let margins = exact.map(|line| (line.position, line.margin)).collect();
        Ok(Self { margins, is_proved: has_checksum })
    }

    /// The margin of `position` and the moves that reach it, if the margin after every
    /// move is known, and for at least one of them from the book.
    fn best(&self, position: &Position) -> Option<(Gain, Vec<Pit>)> {
        position.children().find(|(_, after)| self.margins.contains_key(after))?;
        let margins = position.children().map(|(played, after)| {
            let known = if after.is_over() {
                Some(after.margin(after.side()))
            } else {
                self.margins.get(&after).copied()
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
        let positions = self.margins.keys().filter(|position| {
            position.variant() == rules.variant() && position.total() == rules.total()
        });
        positions.count()
    }

    /// The proved margin of `position` from its mover's point of view, if it is known or
    /// follows from those of its moves.
    pub(super) fn proved_margin(&self, position: &Position) -> Option<Gain> {
        let known = self.margins.get(position).copied();
        known.or_else(|| Some(self.best(position)?.0)).filter(|_| self.is_proved)
    }

    /// The result for `position` without a search, with best play as far as the book goes
    /// and each choice among equal moves decided by `seed`; none if `position` is not in the
    /// book.
    pub(super) fn result(&self, position: &Position, seed: u64) -> Option<SearchResult> {
        let (margin, pv) = self.pv(position, seed)?;
        let mut result = SearchResult::proved(position, margin, pv);
        result.info.iter_mut().for_each(|info| info.proved = self.is_proved);
        Some(result)
    }

    /// The margin and the moves of [`Book::result`].
    fn pv(&self, position: &Position, seed: u64) -> Option<(Gain, Vec<Pit>)> {
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
