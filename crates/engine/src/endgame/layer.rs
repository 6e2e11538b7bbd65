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
//! 2. *B to move, each row of B in turn.* The values of all positions that B's sowings can
//!    lead to are copied into a workspace that fits in the inner caches, one byte each. Then each
//!    row of B takes the minimum of one byte for each pit, at places computed beforehand.
//!
//! No iteration is needed, because no position repeats in a game: each pass reads only
//! final values. A owns the poorer row so that lines are long. Lines hold the seeds that the
//! *other* player wins, so that the best move is the minimum.

use std::{cmp::Reverse, collections::HashMap};

use super::layout::{Layout, Ranks, RowCounts, blocks_of_split, sum};
use super::packed::{combine, get, pack, packed_len, width};
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
    /// followed by zeros for this one.
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
        let width = width(seeds);
        let mut blocks = Vec::new();
        for poor in 0..=seeds / 2 {
            let rich = seeds - poor;
            let pass = Pass { layout, builder: self, done, poor, rich, width, progress };
            let bytes = blocks_of_split(poor, rich) * pass.block_bytes();
            let (block, after) = rest.split_at_mut(bytes);
            rest = after;
            // A pass reads only finished layers and its own block, so blocks are independent.
            blocks.push((pass, block));
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
    /// The bits of each value in this layer.
    width: u32,
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

/// The values of finished positions that differ in only one row, in the order of its rank.
struct PositionLine<'a> {
    bytes: &'a [u8],
    /// The first bit of the position whose row has rank 0.
    begin: u64,
    /// The distance from one rank to the next, in bits.
    stride: u64,
    width: u32,
}

impl<'a> Pass<'a> {
    /// The number of rows of the poorer player, and of the richer one.
    fn rows(&self) -> [usize; 2] {
        [self.poor, self.rich].map(|seeds| self.layout.ranks.rows(seeds))
    }

    /// The size in bytes of the block with either player to move.
    fn block_bytes(&self) -> usize {
        let [lines, line] = self.rows();
        let positions = lines as u64 * line as u64;
        packed_len(positions, self.width).expect("a block of the layout") as usize
    }

    fn fill(&self, block: &mut [u8]) {
        let [_, line] = self.rows();
        let (poor_to_move, rich_to_move) = block.split_at_mut(self.block_bytes());
        let positions = (blocks_of_split(self.poor, self.rich) * line) as u64;
        if self.poor == 0 {
            // The game is over; the remaining seeds belong to the owner of their row. The owner of
            // the empty row wins none of them, and the memory is zero.
            pack(&vec![self.seeds(); line], rich_to_move, 0, self.width);
            return (self.progress)(positions);
        }
        // If both rows are equally rich, the second half would mirror the first and has no
        // place in the table, but the pass reads it.
        let mut mirrored = Vec::new();
        let rich_to_move = if rich_to_move.is_empty() {
            mirrored.resize(poor_to_move.len(), 0);
            &mut mirrored[..]
        } else {
            rich_to_move
        };
        let successors = &self.builder.successors[&self.rich];
        // At least NEAR bytes, which `best` needs to index without bounds checks.
        let mut workspace = vec![u8::MAX; successors.size.max(NEAR)];
        let mut wins = vec![0; line];
        let mut pending = 0;
        for (rank, row) in self.layout.ranks.each_row(self.poor).enumerate() {
            let begin = self.line_bit(rank);
            // A row's rank falls with each quiet move, so the replies of all lower rows are final
            // when this one is reached. The line goes to the workspace, too: quiet moves of the
            // richer rows lead into it.
            self.poorer_moves(rank, rich_to_move, &mut workspace[..line]);
            pack(&workspace[..line], poor_to_move, begin, self.width);
            self.gather(&row, successors, &mut workspace);
            self.richer_moves(successors, &workspace, &mut wins);
            pack(&wins, rich_to_move, begin, self.width);
            pending += positions;
            if pending >= REPORT_EVERY {
                (self.progress)(std::mem::take(&mut pending));
            }
        }
        (self.progress)(pending);
    }

    /// The first bit in a block of the line with this rank of the poorer row.
    fn line_bit(&self, rank: usize) -> u64 {
        rank as u64 * self.rows()[1] as u64 * u64::from(self.width)
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
        let rank = rank as u64;
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
        PositionLine { bytes: self.done, begin, stride, width: width(fixed + running) }
    }

    /// Computes the seeds that the owner of the poorer row of rank `row` wins when moving
    /// against each richer row. `replies` is the block with the richer row to move, in which
    /// the lines of rows of lower rank are finished.
    fn poorer_moves(&self, row: usize, replies: &[u8], wins: &mut [u8]) {
        // Until the last line, these are the seeds that the opponent wins: the best move is
        // the minimum.
        wins.fill(u8::MAX);
        for sowing in self.builder.sowings[self.poor as usize].row(row) {
            debug_assert!(sowing.effect != Effect::QUIET || sowing.rank < row);
            let effect = sowing.effect;
            if effect == Effect::QUIET {
                // Both rows keep their numbers of seeds: the line is one of this block, with a
                // lower rank.
                combine(wins, replies, self.line_bit(sowing.rank), self.width, u8::min);
                continue;
            }
            let left = effect.own_seeds(self.poor);
            for group in &self.builder.transitions[&(self.rich, effect)] {
                if group.without_capture {
                    // Nothing was captured, so this is a line of the block as well.
                    let line = PositionLine {
                        bytes: replies,
                        begin: self.line_bit(sowing.rank_without_capture),
                        stride: self.width.into(),
                        width: self.width,
                    };
                    line.lower(wins, &group.runs, |won| won);
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

    /// Copies into the workspace the values of all positions that sowings of the richer rows
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

impl PositionLine<'_> {
    /// Lowers each byte to the value that its run leads to if that is smaller.
    fn lower(&self, bytes: &mut [u8], runs: &[RankRun], lost: impl Fn(u8) -> u8) {
        for run in runs {
            let bytes = &mut bytes[run.from as usize..][..run.len as usize];
            self.combine(bytes, run.to, |byte, won| lost(won).min(byte));
        }
    }

    fn copy(&self, target: &mut [u8], lost: impl Fn(u8) -> u8) {
        self.combine(target, 0, |_, won| lost(won));
    }

    /// Replaces each target by `f` of it and the next value, counted from rank `first`.
    fn combine(&self, targets: &mut [u8], first: u32, f: impl Fn(u8, u8) -> u8) {
        let begin = self.begin + u64::from(first) * self.stride;
        if self.stride == u64::from(self.width) {
            return combine(targets, self.bytes, begin, self.width, f);
        }
        for (target, rank) in targets.iter_mut().zip(0..) {
            *target = f(*target, get(self.bytes, begin + rank * self.stride, self.width));
        }
    }
}
