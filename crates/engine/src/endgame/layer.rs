//! The pass that fills a layer, on all threads.
//!
//! Let A own the poorer row and B the richer one. A quiet sowing by A, which stays in A's
//! row and captures nothing, leads to a position with B to move, the same row of B and a
//! row of A with a lower rank; any other sowing by A leads to a lower layer. So for each
//! split of the seeds one pass over A's rows in the order of their ranks is enough. At each
//! row of A:
//!
//! 1. *A to move, against every row of B at once.* A sowing of this one row shifts B's rows
//!    in runs, so it costs a few vectorised minima of lines.
//! 2. *B to move, each row of B in turn.* The bytes of all positions that B's sowings can
//!    lead to are copied into a workspace that fits in the inner caches. Then each row of B
//!    takes the minimum of one byte for each pit, at places computed beforehand.
//!
//! No iteration is needed, because no position repeats in a game: each pass reads only
//! final bytes. A owns the poorer row so that lines are long. Lines hold the seeds that the
//! *other* player wins, so that the best move is the minimum.

use std::{cmp::Reverse, collections::HashMap};

use super::layout::{Layout, Ranks, RowCounts, sum};
use super::transitions::{
    Effect, NEAR, RankRun, RowSowings, SowingEnd, SuccessorPlaces, Successors, TransitionGroup,
    transition_groups,
};
use kalah_game::Capture;
use kalah_sys::parallel::{for_each, map};

/// Receives the number of positions finished since its last call, from any thread.
pub type OnPositions<'a> = &'a (dyn Fn(u64) + Sync);

/// A pass reports its finished positions once there are this many.
const REPORT_EVERY: u64 = 1 << 20;

/// Fills layers, the lowest first, and reuses in higher layers what it computed for sets of
/// rows.
#[derive(Debug)]
pub(super) struct LayerBuilder {
    rule: Capture,
    /// By the number of seeds of the poorer row.
    sowings: Vec<RowSowings>,
    /// By the number of seeds of the richer row.
    successors: HashMap<u32, Successors>,
    /// By the number of seeds of the richer row and the effect of the poorer row's sowing.
    transitions: HashMap<(u32, Effect), Vec<TransitionGroup>>,
}

impl LayerBuilder {
    pub(super) fn new(rule: Capture) -> Self {
        Self { rule, sowings: Vec::new(), successors: HashMap::new(), transitions: HashMap::new() }
    }

    /// Fills the layer of `seeds` seeds: `bytes` holds the finished layers below it,
    /// followed by the space for this one.
    pub(super) fn fill(
        &mut self,
        layout: &Layout,
        bytes: &mut [u8],
        seeds: u32,
        threads: usize,
        progress: OnPositions,
    ) {
        self.prepare(&layout.ranks, seeds, threads);
        let (done, mut rest) = bytes.split_at_mut(layout.layer(seeds).start);
        let mut blocks = Vec::new();
        for poor in 0..=seeds / 2 {
            let rich = seeds - poor;
            let one = layout.ranks.rows(poor) * layout.ranks.rows(rich);
            let (block, after) = rest.split_at_mut(if poor < rich { 2 * one } else { one });
            rest = after;
            // A pass reads only finished layers and its own block, so blocks are independent.
            blocks.push((Pass { layout, builder: self, done, poor, rich, progress }, block));
        }
        // The longest come first, so that no thread is left with a long one at the end.
        blocks.sort_by_key(|(_, block)| Reverse(block.len()));
        for_each(threads, blocks.into_iter(), |(pass, block)| pass.fill(block));
    }

    /// Computes what the layer of `seeds` seeds needs but lower layers did not.
    fn prepare(&mut self, ranks: &Ranks, seeds: u32, threads: usize) {
        for poor in self.sowings.len() as u32..=seeds / 2 {
            self.sowings.push(RowSowings::new(ranks, poor));
        }
        // The richest rows come first and take longest.
        let successors = (1..=seeds / 2).map(|poor| seeds - poor);
        let successors: Vec<u32> =
            successors.filter(|rich| !self.successors.contains_key(rich)).collect();
        let transitions = (1..=seeds / 2).flat_map(|poor| {
            let effects = self.sowings[poor as usize].effects.iter();
            effects.map(move |&effect| (seeds - poor, effect))
        });
        // A quiet sowing leaves the richer row as it is, so it needs no runs.
        let transitions: Vec<(u32, Effect)> = transitions
            .filter(|key| key.1 != Effect::QUIET && !self.transitions.contains_key(key))
            .collect();
        self.successors
            .extend(computed(threads, &successors, |&rich| Successors::new(ranks, rich)));
        self.transitions.extend(computed(threads, &transitions, |&(rich, effect)| {
            transition_groups(ranks, rich, effect, self.rule)
        }));
    }
}

/// Each key with the value that `new` computes for it, on several threads.
fn computed<K: Copy + Sync, V: Send>(
    threads: usize,
    keys: &[K],
    new: impl Fn(&K) -> V + Sync,
) -> impl Iterator<Item = (K, V)> {
    keys.iter().copied().zip(map(keys, threads, &|| (), new))
}

struct Pass<'a> {
    layout: &'a Layout,
    builder: &'a LayerBuilder,
    /// The bytes of the finished layers.
    done: &'a [u8],
    /// Seeds of the poorer row.
    poor: u32,
    /// Seeds of the richer row, at least `poor`.
    rich: u32,
    progress: OnPositions<'a>,
}

/// Whose turn it is in all positions of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ToMove {
    /// The owner of the row that is the same in the whole line.
    Fixed,
    /// The owner of the rows that the line runs over.
    Running,
}

/// The bytes of finished positions that differ in only one row, in the order of its rank.
struct PositionLine<'a> {
    bytes: &'a [u8],
    stride: usize,
}

impl<'a> Pass<'a> {
    fn fill(&self, block: &mut [u8]) {
        let ranks = &self.layout.ranks;
        let (lines, line) = (ranks.rows(self.poor), ranks.rows(self.rich));
        let positions = block.len() as u64;
        let (poor_to_move, rich_to_move) = block.split_at_mut(lines * line);
        if self.poor == 0 {
            // The game is over; the remaining seeds belong to the owner of their row.
            poor_to_move.fill(0);
            rich_to_move.fill(self.rich as u8);
            return (self.progress)(positions);
        }
        // If both rows are equally rich, the second half would mirror the first and has no
        // place in the table, but the pass reads it.
        let mut mirrored = Vec::new();
        let rich_to_move = if rich_to_move.is_empty() {
            mirrored.resize(lines * line, 0);
            &mut mirrored[..]
        } else {
            rich_to_move
        };
        let successors = &self.builder.successors[&self.rich];
        // At least NEAR bytes, which `best` needs to index without bounds checks.
        let mut workspace = vec![u8::MAX; successors.size.max(NEAR)];
        let mut pending = 0;
        for (rank, row) in ranks.each_row(self.poor).enumerate() {
            let (replies, rest) = rich_to_move.split_at_mut(rank * line);
            // A row's rank falls with each quiet move, so the replies of all lower rows are final
            // when this one is reached. The line goes to the workspace, too: quiet moves of the
            // richer rows lead into it.
            self.poorer_moves(rank, replies, &mut workspace[..line]);
            poor_to_move[rank * line..][..line].copy_from_slice(&workspace[..line]);
            self.gather(&row, successors, &mut workspace);
            self.richer_moves(successors, &workspace, &mut rest[..line]);
            pending += positions / lines as u64;
            if pending >= REPORT_EVERY {
                (self.progress)(std::mem::take(&mut pending));
            }
        }
        (self.progress)(pending);
    }

    fn seeds(&self) -> u8 {
        (self.poor + self.rich) as u8
    }

    /// The finished positions with `row` against all rows of `running` seeds.
    fn line(&self, row: &RowCounts, running: u32, to_move: ToMove) -> PositionLine<'a> {
        self.line_at(sum(row), self.layout.ranks.rank_counts(row), running, to_move)
    }

    fn line_at(&self, fixed: u32, rank: usize, running: u32, to_move: ToMove) -> PositionLine<'a> {
        let layout = self.layout;
        let (begin, stride) = match to_move {
            ToMove::Fixed => {
                let block = layout.block(fixed, running);
                (block.base + rank * block.own, block.opponent)
            }
            ToMove::Running => {
                let block = layout.block(running, fixed);
                (block.base + rank * block.opponent, block.own)
            }
        };
        let len = (layout.ranks.rows(running) - 1) * stride + 1;
        PositionLine { bytes: &self.done[begin..begin + len], stride }
    }

    /// Computes the seeds that the owner of the poorer row of rank `row` wins when moving
    /// against each richer row. `replies` holds the lines with the richer row to move
    /// against the rows of lower rank.
    fn poorer_moves(&self, row: usize, replies: &[u8], wins: &mut [u8]) {
        let line = wins.len();
        // Until the last line, these are the seeds that the opponent wins: the best move is
        // the minimum.
        wins.fill(u8::MAX);
        for sowing in self.builder.sowings[self.poor as usize].row(row) {
            let effect = sowing.effect;
            if effect == Effect::QUIET {
                // Both rows keep their numbers of seeds: the line is one of this block, with a
                // lower rank.
                lower(wins, &replies[sowing.rank * line..][..line]);
                continue;
            }
            let left = effect.own_seeds(self.poor);
            for group in &self.builder.transitions[&(self.rich, effect)] {
                if group.without_capture {
                    // Nothing was captured, so this is a line of the block as well.
                    let reply = &replies[sowing.rank_without_capture * line..][..line];
                    for run in &group.runs {
                        let range = run.from as usize..(run.from + run.len) as usize;
                        lower(&mut wins[range.clone()], &reply[range]);
                    }
                } else if effect.end == SowingEnd::Keeps {
                    let line = self.line_at(left, sowing.rank, group.seeds, ToMove::Fixed);
                    // The mover moves again: the opponent wins what the mover does not.
                    let all = (left + group.seeds) as u8;
                    line.lower(wins, &group.runs, |won| all - won);
                } else {
                    let line = self.line_at(left, sowing.rank, group.seeds, ToMove::Running);
                    line.lower(wins, &group.runs, |won| won);
                }
            }
        }
        let all = self.seeds();
        wins.iter_mut().for_each(|byte| *byte = all - *byte);
    }

    /// Copies into the workspace the bytes of all positions that sowings of the richer rows
    /// against `row` can lead to. The first region, the positions with `row` to move, is
    /// there already.
    fn gather(&self, row: &RowCounts, successors: &Successors, workspace: &mut [u8]) {
        let pits = self.layout.ranks.pits;
        for region in &successors.regions {
            // The mover is the owner of the richer row; `row` takes the spill
            // and loses what is captured.
            let mut row = region.effect.spill(row, pits);
            let (_, without_capture) = region.effect.capture(&mut row, pits, self.builder.rule);
            if without_capture {
                for run in &region.without_capture {
                    let from = run.from as usize..(run.from + run.len) as usize;
                    workspace.copy_within(from, region.begin + run.to as usize);
                }
                continue;
            }
            let target = &mut workspace[region.begin..][..region.len];
            if region.effect.end == SowingEnd::Keeps {
                let all = (sum(&row) + region.seeds) as u8;
                self.line(&row, region.seeds, ToMove::Running).copy(target, |won| all - won);
            } else {
                self.line(&row, region.seeds, ToMove::Fixed).copy(target, |won| won);
            }
        }
    }

    /// Computes the seeds that the mover wins with each richer row to move.
    fn richer_moves(&self, successors: &Successors, workspace: &[u8], wins: &mut [u8]) {
        // With a constant number of pits the minimum over a row's pits is unrolled.
        macro_rules! by_width {
            ($($pits:literal)*) => {
                match self.layout.ranks.pits {
                    $($pits => self.best::<$pits>(successors, workspace, wins),)*
                    _ => unreachable!("a row has 1 to 16 pits"),
                }
            };
        }
        by_width!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
    }

    fn best<const PITS: usize>(&self, successors: &Successors, workspace: &[u8], wins: &mut [u8]) {
        let seeds = self.seeds();
        match &successors.places {
            SuccessorPlaces::Near(places) => {
                // Every 16-bit place lies in an array of this length, so the bounds checks
                // vanish: the loop runs a quarter fewer instructions.
                let near = workspace.first_chunk::<NEAR>().expect("at least NEAR bytes");
                best::<PITS, _>(seeds, places, |place| near[usize::from(place)], wins);
            }
            SuccessorPlaces::Far(places) => {
                best::<PITS, _>(seeds, places, |place| workspace[place as usize], wins);
            }
        }
    }
}

/// Sets each row's byte to all seeds minus the smallest byte at the places of its pits.
#[inline(always)]
fn best<const PITS: usize, P: Copy>(
    seeds: u8,
    places: &[P],
    lost: impl Fn(P) -> u8,
    wins: &mut [u8],
) {
    let (places, _) = places.as_chunks::<PITS>();
    for (wins, places) in wins.iter_mut().zip(places) {
        *wins = seeds - places.iter().fold(u8::MAX, |least, &place| least.min(lost(place)));
    }
}

/// Lowers each byte to the other one at its index if that is smaller.
fn lower(bytes: &mut [u8], others: &[u8]) {
    for (byte, &other) in bytes.iter_mut().zip(others) {
        *byte = other.min(*byte);
    }
}

impl PositionLine<'_> {
    /// Lowers each byte to the one that its run leads to if that is smaller.
    fn lower(&self, bytes: &mut [u8], runs: &[RankRun], lost: impl Fn(u8) -> u8) {
        for run in runs {
            let (from, to, len) = (run.from as usize, run.to as usize, run.len as usize);
            let bytes = &mut bytes[from..from + len];
            // With a constant stride the compiler vectorises the loop.
            if self.stride == 1 {
                for (byte, &other) in bytes.iter_mut().zip(&self.bytes[to..to + len]) {
                    *byte = lost(other).min(*byte);
                }
            } else {
                let others = self.bytes[to * self.stride..].iter().step_by(self.stride);
                for (byte, &other) in bytes.iter_mut().zip(others) {
                    *byte = lost(other).min(*byte);
                }
            }
        }
    }

    fn copy(&self, target: &mut [u8], lost: impl Fn(u8) -> u8) {
        if self.stride == 1 {
            for (byte, &other) in target.iter_mut().zip(self.bytes) {
                *byte = lost(other);
            }
        } else {
            for (byte, &other) in target.iter_mut().zip(self.bytes.iter().step_by(self.stride)) {
                *byte = lost(other);
            }
        }
    }
}
