//! What moves do to whole sets of rows, worked out once and used many times.
//!
//! Adding or taking away the same seeds keeps rows in order, and rows with
//! neighbouring ranks mostly stay neighbours: such a change of rows is a list
//! of [`Run`]s, each a shift of consecutive ranks.

use std::collections::{BTreeMap, BTreeSet};

use super::effect::{Effect, End, Sowing};
use super::rank::Ranks;

/// Consecutive ranks that go to consecutive ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub from: u32,
    pub to: u32,
    pub len: u32,
}

/// Appends a pair of ranks to the last run if it goes on there.
fn extend(runs: &mut Vec<Run>, from: usize, to: usize) {
    let (from, to) = (from as u32, to as u32);
    match runs.last_mut() {
        Some(run) if run.from + run.len == from && run.to + run.len == to => run.len += 1,
        _ => runs.push(Run { from, to, len: 1 }),
    }
}

/// What a sowing by the other player does to all rows of some number of seeds.
#[derive(Debug)]
pub(super) struct Suffered {
    /// Rows that end with as many seeds, and where they go. A sowing that
    /// captures takes away what is in one pit.
    pub groups: Vec<SufferedGroup>,
}

/// The rows that a sowing leaves with the same number of seeds.
#[derive(Debug)]
pub(super) struct SufferedGroup {
    /// Seeds left in each of these rows.
    pub seeds: u32,
    /// Nothing was captured: the last seed stays in the mover's row.
    pub settles: bool,
    pub runs: Vec<Run>,
}

impl Suffered {
    /// What `effect` does to the rows of `seeds` seeds.
    pub fn new(ranks: &Ranks, seeds: u32, effect: Effect, captures_nothing: bool) -> Self {
        let pits = ranks.pits();
        let mut settled = Vec::new();
        let mut by_seeds = vec![Vec::new(); (seeds + effect.spilled) as usize + 1];
        for (from, row) in ranks.each_row(seeds).enumerate() {
            let mut row = effect.spill(&row, pits);
            let mut settles = false;
            let mut left = seeds + effect.spilled;
            if let End::Captures(pit) = effect.end {
                let opposite = std::mem::take(&mut row[pits - 1 - pit]);
                settles = effect.settles(opposite, captures_nothing);
                left -= u32::from(opposite);
            }
            let runs = if settles { &mut settled } else { &mut by_seeds[left as usize] };
            extend(runs, from, ranks.rank_counts(&row));
        }
        let group = |(seeds, runs)| SufferedGroup { seeds: seeds as u32, settles: false, runs };
        let mut groups: Vec<_> = by_seeds.into_iter().enumerate().map(group).collect();
        groups.push(SufferedGroup { seeds, settles: true, runs: settled });
        groups.retain(|group| !group.runs.is_empty());
        Self { groups }
    }
}

/// All sowings of all rows of some number of seeds, one by one.
#[derive(Debug)]
pub(super) struct Sowings {
    /// For each row, one for each pit.
    sowings: Vec<Option<Sowing>>,
    pits: usize,
    /// The effects there are.
    pub effects: BTreeSet<Effect>,
}

impl Sowings {
    /// The sowings of the rows of `seeds` seeds.
    pub fn new(ranks: &Ranks, seeds: u32) -> Self {
        let pits = ranks.pits();
        let mut sowings = Vec::with_capacity(ranks.rows(seeds) * pits);
        for row in ranks.each_row(seeds) {
            sowings.extend((0..pits).map(|from| Sowing::new(ranks, &row, from)));
        }
        let mut effects = BTreeSet::new();
        for sowing in sowings.iter().flatten() {
            effects.insert(sowing.effect);
        }
        Self { sowings, pits, effects }
    }

    /// The sowings of one row.
    pub fn of(&self, rank: usize) -> impl Iterator<Item = &Sowing> {
        self.sowings[rank * self.pits..][..self.pits].iter().flatten()
    }
}

/// All sowings of all rows of some number of seeds, as places in a workspace.
///
/// The workspace gathers, for one row of the opponent, everything that the
/// sowings of these rows may lead to. Each [`Effect`] has a region of it, which
/// is indexed by the rank of the sown row afterwards.
#[derive(Debug)]
pub(super) struct Program {
    /// The regions after the first, which belongs to [`Effect::QUIET`].
    pub regions: Vec<Region>,
    /// For each row, the place that each of its pits leads to.
    pub places: Places,
    /// Bytes of the workspace. The byte after the first region is the one that
    /// empty pits lead to.
    pub size: usize,
}

/// The least size of a workspace: that of all places of 16 bits.
pub(super) const NEAR: usize = 1 << 16;

/// Places in a workspace, in as few bytes as its size allows.
#[derive(Debug)]
pub(super) enum Places {
    /// In the first [`NEAR`] bytes.
    Near(Vec<u16>),
    /// In a larger workspace.
    Far(Vec<u32>),
}

impl Places {
    fn new(places: impl Iterator<Item = usize>, size: usize) -> Self {
        if size <= NEAR {
            Self::Near(places.map(|place| place as u16).collect())
        } else {
            Self::Far(places.map(|place| place as u32).collect())
        }
    }
}

/// The part of a workspace that belongs to one effect.
#[derive(Debug)]
pub(super) struct Region {
    pub effect: Effect,
    /// Seeds left in the mover's row.
    pub seeds: u32,
    /// Where it begins.
    pub begin: usize,
    /// Its length: all ranks of rows of `seeds`.
    pub len: usize,
    /// From rows with the capturing seed still in its pit to rows without it.
    pub settled: Vec<Run>,
}

impl Program {
    /// The program for rows of `seeds` seeds.
    pub fn new(ranks: &Ranks, seeds: u32) -> Self {
        let quiet = ranks.rows(seeds);
        let Sowings { sowings, effects, .. } = Sowings::new(ranks, seeds);
        let mut begins = BTreeMap::new();
        let mut size = quiet + 1;
        for effect in effects {
            if effect != Effect::QUIET {
                begins.insert(effect, size);
                size += ranks.rows(effect.own_seeds(seeds));
            }
        }
        begins.insert(Effect::QUIET, 0);
        let place = |sowing: &Option<Sowing>| match sowing {
            Some(sowing) => begins[&sowing.effect] + sowing.rank,
            None => quiet,
        };
        let places = Places::new(sowings.iter().map(place), size);
        let region = |(&effect, &begin): (&Effect, &usize)| {
            let left = effect.own_seeds(seeds);
            Region {
                effect,
                seeds: left,
                begin,
                len: ranks.rows(left),
                settled: settled(ranks, left, effect),
            }
        };
        let regions =
            begins.iter().filter(|&(&effect, _)| effect != Effect::QUIET).map(region).collect();
        Self { regions, places, size }
    }
}

/// From the rows that have one seed in the pit where `effect` ends to the same
/// rows without it, which hold `seeds`.
fn settled(ranks: &Ranks, seeds: u32, effect: Effect) -> Vec<Run> {
    let mut runs = Vec::new();
    // After a lap there is always something to capture.
    if let Effect { end: End::Captures(pit), spilled: 0, .. } = effect {
        for (rank, mut row) in ranks.each_row(seeds).enumerate() {
            if row[pit] == 0 {
                row[pit] = 1;
                extend(&mut runs, ranks.rank_counts(&row), rank);
            }
        }
    }
    runs
}
