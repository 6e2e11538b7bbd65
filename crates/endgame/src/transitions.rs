//! The effect of sowings on whole sets of rows, computed once for each set and used for every
//! layer. Gains play no part here.
//!
//! The numbers of seeds that a sowing banks and spills into the opponent's row depend only on the
//! sown row, and so does the place of its last seed: together they are its [`Effect`]. The
//! opponent's row matters only for a capture, and only through one pit.
//!
//! Adding the same seeds to rows, or taking them away, keeps the rows in order,
//! and rows with neighbouring ranks mostly stay neighbours: such a change is a
//! list of [`RankRun`]s, each a shift of consecutive ranks.

use std::collections::{BTreeMap, BTreeSet};

use super::layout::{Ranks, RowCounts, sum};
use kalah_game::{Landing, Pit, Variant};

/// Where the last seed of a sowing falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum SowingEnd {
    /// In the store: the mover moves again.
    Keeps,
    /// Without a capture: the opponent moves.
    Passes,
    /// In the mover's pit of this index, which was empty: a capture if the rule and the
    /// opposite pit allow it.
    Captures(usize),
}

/// The effect of a sowing on the opponent's row and on the stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Effect {
    /// Seeds sown into the opponent's row.
    pub spilled: u32,
    /// Seeds sown into the store; captured ones are not counted.
    pub banked: u32,
    pub end: SowingEnd,
}

impl Effect {
    /// A sowing that changes only the mover's row.
    pub(super) const QUIET: Self = Self { spilled: 0, banked: 0, end: SowingEnd::Passes };

    /// The number of `seeds` left in the mover's row. A capture removes the capturing seed.
    pub(super) fn own_seeds(self, seeds: u32) -> u32 {
        seeds - self.spilled - self.banked - u32::from(matches!(self.end, SowingEnd::Captures(_)))
    }

    /// The opponent's `row` after the spill. Sowing shares the seeds equally among its pits
    /// and gives the remainder to those farthest from the opponent's store.
    pub(super) fn spill(self, row: &RowCounts, pits: usize) -> RowCounts {
        let all = self.spilled as usize / pits;
        let some = self.spilled as usize % pits;
        let mut row = *row;
        for (index, count) in row[..pits].iter_mut().enumerate() {
            *count += (all + usize::from(index < some)) as u8;
        }
        row
    }

    /// Removes the seeds opposite the pit where the sowing ends from `row`, which is the opponent's
    /// after the spill. Returns their number, and whether the last seed stays where it fell because
    /// nothing is captured.
    pub(super) fn capture(self, row: &mut RowCounts, variant: Variant) -> (u32, bool) {
        let SowingEnd::Captures(pit) = self.end else { return (0, false) };
        let opposite = &mut row[variant.pits() - 1 - pit];
        if !variant.captures((*opposite).into()) {
            return (0, true);
        }
        (std::mem::take(opposite).into(), false)
    }
}

/// A sowing of one row.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowSowing {
    pub effect: Effect,
    /// The rank of the mover's row afterwards, without a capturing seed.
    pub rank: usize,
    /// The same with that seed still in its pit, in case it captures nothing.
    pub rank_without_capture: usize,
}

impl RowSowing {
    /// Sows pit `from` of `row`; `None` if it is empty.
    fn new(ranks: &Ranks, row: &RowCounts, from: usize) -> Option<Self> {
        let pits = ranks.pits;
        let mut row = *row;
        let seeds = std::mem::take(&mut row[from]);
        if seeds == 0 {
            return None;
        }
        let mut spilled = 0;
        let mut banked = 0;
        for seed in 1..=seeds {
            match Pit::new(from).landing(seed.into(), pits) {
                Landing::Own(pit) => row[pit.index()] += 1,
                Landing::Store => banked += 1,
                Landing::Opponent(_) => spilled += 1,
            }
        }
        // A single seed in the last pit means that the pit was empty, or that a lap ended where it
        // began.
        let end = match Pit::new(from).landing(seeds.into(), pits) {
            Landing::Store => SowingEnd::Keeps,
            Landing::Own(pit) if row[pit.index()] == 1 => SowingEnd::Captures(pit.index()),
            _ => SowingEnd::Passes,
        };
        let rank_without_capture = ranks.rank_counts(&row);
        let rank = if let SowingEnd::Captures(pit) = end {
            row[pit] = 0;
            ranks.rank_counts(&row)
        } else {
            rank_without_capture
        };
        debug_assert!(sum(&row) <= ranks.seeds);
        Some(Self { effect: Effect { spilled, banked, end }, rank, rank_without_capture })
    }
}

/// All sowings of all rows with a given number of seeds.
#[derive(Debug)]
pub(super) struct RowSowings {
    /// For each row, one entry per pit; `None` if the pit is empty.
    sowings: Vec<Option<RowSowing>>,
    pits: usize,
    pub effects: BTreeSet<Effect>,
}

impl RowSowings {
    /// The sowings of the rows of `seeds` seeds.
    pub(super) fn new(ranks: &Ranks, seeds: u32) -> Self {
        let pits = ranks.pits;
        let mut sowings = Vec::with_capacity(ranks.rows(seeds) * pits);
        for row in ranks.each_row(seeds) {
            sowings.extend((0..pits).map(|from| RowSowing::new(ranks, &row, from)));
        }
        let effects = sowings.iter().flatten().map(|sowing| sowing.effect).collect();
        Self { sowings, pits, effects }
    }

    /// The sowings of one row.
    pub(super) fn row(&self, rank: usize) -> impl Iterator<Item = &RowSowing> {
        self.sowings[rank * self.pits..][..self.pits].iter().flatten()
    }
}

/// Consecutive ranks that a change maps to consecutive ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RankRun {
    pub from: u32,
    pub to: u32,
    pub len: u32,
}

/// Adds a pair of ranks to the last run if it continues that run, or else as a new run.
fn extend(runs: &mut Vec<RankRun>, from: usize, to: usize) {
    let from = from as u32;
    let to = to as u32;
    match runs.last_mut() {
        Some(run) if run.from + run.len == from && run.to + run.len == to => run.len += 1,
        _ => runs.push(RankRun { from, to, len: 1 }),
    }
}

/// The rows that a sowing of the other player leaves with the same number of seeds.
#[derive(Debug)]
pub(super) struct TransitionGroup {
    /// Seeds left in each of these rows.
    pub seeds: u32,
    /// Whether nothing was captured, in which case the last seed stays in the mover's row.
    pub without_capture: bool,
    pub runs: Vec<RankRun>,
}

/// The effect of a sowing by the other player on all rows of `seeds` seeds. A capture
/// empties one pit, so rows with the same number of seeds may end with different numbers.
pub(super) fn transition_groups(
    ranks: &Ranks,
    seeds: u32,
    effect: Effect,
    variant: Variant,
) -> Vec<TransitionGroup> {
    let pits = ranks.pits;
    let spilled = seeds + effect.spilled;
    // Kept apart from the others: where nothing is captured, the last seed stays, so the line that
    // these rows lead to belongs to a different row of the mover.
    let mut uncaptured = Vec::new();
    let mut by_seeds = vec![Vec::new(); spilled as usize + 1];
    for (from, row) in ranks.each_row(seeds).enumerate() {
        let mut row = effect.spill(&row, pits);
        let (captured, without_capture) = effect.capture(&mut row, variant);
        let runs = if without_capture {
            &mut uncaptured
        } else {
            &mut by_seeds[(spilled - captured) as usize]
        };
        extend(runs, from, ranks.rank_counts(&row));
    }
    let group =
        |(seeds, runs)| TransitionGroup { seeds: seeds as u32, without_capture: false, runs };
    let mut groups: Vec<_> = by_seeds.into_iter().enumerate().map(group).collect();
    groups.push(TransitionGroup { seeds, without_capture: true, runs: uncaptured });
    groups.retain(|group| !group.runs.is_empty());
    groups
}

/// The successors of all rows with a given number of seeds, as places in a workspace.
///
/// The workspace gathers, for a batch of the opponent's rows, everything that the sowings of these
/// rows may lead to. Each [`Effect`] has a region of its own, indexed by the rank of the
/// sown row after the sowing.
#[derive(Debug)]
pub(super) struct Successors {
    /// The regions after the first, which belongs to [`Effect::QUIET`].
    pub regions: Vec<Region>,
    /// For each row, the place that each of its pits leads to.
    pub places: Vec<u32>,
    /// The place after the first region, to which empty pits lead.
    pub empty: usize,
    /// The number of places.
    pub size: usize,
}

/// The part of a workspace that belongs to one effect.
#[derive(Debug)]
pub(super) struct Region {
    pub effect: Effect,
    /// Seeds left in the mover's row.
    pub seeds: u32,
    /// The first place in the workspace.
    pub begin: usize,
    /// The number of rows of `seeds`, each of which has a place.
    pub len: usize,
    /// Identity runs that cover the ranks that sowings lead to, short gaps included.
    pub runs: Vec<RankRun>,
    /// If nothing is captured: the runs from the rows with the last seed still in its pit
    /// to the rows without it.
    pub without_capture: Vec<RankRun>,
}

impl Successors {
    /// The successors of the rows of `seeds` seeds.
    pub(super) fn new(ranks: &Ranks, seeds: u32, variant: Variant) -> Self {
        let empty = ranks.rows(seeds);
        let RowSowings { sowings, mut effects, .. } = RowSowings::new(ranks, seeds);
        effects.remove(&Effect::QUIET);
        let mut begins = BTreeMap::from([(Effect::QUIET, 0)]);
        let mut size = empty + 1;
        for &effect in &effects {
            begins.insert(effect, size);
            size += ranks.rows(effect.own_seeds(seeds));
        }
        let mut places = Vec::with_capacity(sowings.len());
        let mut used = vec![false; size];
        for sowing in &sowings {
            let place = match sowing {
                Some(sowing) => begins[&sowing.effect] + sowing.rank,
                None => empty,
            };
            places.push(place as u32);
            used[place] = true;
        }
        let regions = effects.into_iter().map(|effect| {
            let left = effect.own_seeds(seeds);
            let begin = begins[&effect];
            let len = ranks.rows(left);
            let used = &used[begin..][..len];
            let without_capture = without_capture(ranks, left, effect, variant, used);
            Region { effect, seeds: left, begin, len, runs: covering(used), without_capture }
        });
        let regions = regions.collect();
        Self { regions, places, empty, size }
    }
}

/// Gaps shorter than this are covered: starting a run costs about as much as copying this many
/// values.
const MIN_GAP: u32 = 8;

/// Identity runs that cover the ranks that are `used`, short gaps included.
fn covering(used: &[bool]) -> Vec<RankRun> {
    let mut runs: Vec<RankRun> = Vec::new();
    for (rank, _) in (0..).zip(used).filter(|&(_, &used)| used) {
        match runs.last_mut() {
            Some(run) if rank - (run.from + run.len) < MIN_GAP => run.len = rank + 1 - run.from,
            _ => runs.push(RankRun { from: rank, to: rank, len: 1 }),
        }
    }
    runs
}

/// The runs to the ranks `used` of rows of `seeds` seeds, from the same rows with one seed more in
/// the pit where `effect` ends.
fn without_capture(
    ranks: &Ranks,
    seeds: u32,
    effect: Effect,
    variant: Variant,
    used: &[bool],
) -> Vec<RankRun> {
    let mut runs = Vec::new();
    // A sowing of a whole lap has put a seed into the opposite pit, so it always captures.
    if let Effect { end: SowingEnd::Captures(pit), spilled: 0, .. } = effect
        && !variant.captures(0)
    {
        for (rank, mut row) in ranks.each_row(seeds).enumerate() {
            if used[rank] {
                row[pit] = 1;
                extend(&mut runs, ranks.rank_counts(&row), rank);
            }
        }
    }
    runs
}
