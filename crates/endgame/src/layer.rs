//! The pass that fills a layer, on all threads.
//!
//! Let A own the poorer row and B the richer one. A quiet sowing by A, which stays in A's row and
//! captures nothing, leads to a position with B to move, the same row of B and a row of A with a
//! lower rank, whose seeds are nearer the store; any other sowing by A leads to a lower layer. So
//! for each split of the seeds one pass over A's rows is enough. It fills up to eight independent
//! rows at once:
//!
//! 1. *A to move, against every row of B at once.* A sowing of one row shifts B's rows in runs, so
//!    it costs a few vectorised minima of lines.
//! 2. *B to move, each row of B in turn.* The values of all positions that B's sowings can lead to
//!    are copied into a workspace, eight bytes for each place: one for each row of A. Then each row
//!    of B takes the minimum of eight bytes for each pit, at places computed beforehand.
//!
//! No iteration is needed, because no position repeats in a game: each pass reads only
//! final values. A owns the poorer row so that lines are long. Lines hold the seeds that the
//! *other* player wins, so that the best move is the minimum.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::layout::{Layout, Ranks, RowCounts, blocks_of_split, sum};
use super::packed::{get, pack, packed_len, update, width, with_width};
use super::transitions::{
    Effect, RankRun, RowSowings, SowingEnd, Successors, TransitionGroup, transition_groups,
};
use kalah_game::Variant;
use kalah_sys::memory::prefetch;
use kalah_sys::parallel::{for_each, map};

/// Receives the number of positions finished since its last call, from any thread.
pub type OnPositions<'a> = &'a (dyn Fn(u64) + Sync);

/// The number of rows of the poorer player filled at once: each place is looked up once for all of
/// them.
const BATCH: usize = 8;

/// One value for each row of a batch.
type BatchValues = [u8; BATCH];

/// The rows of a batch lie within this many consecutive ranks, so that their values share cache
/// lines. Shorter spans have fewer rows that do not depend on each other.
const BATCH_SPAN: usize = 64;

/// How many ranks ahead values that are far apart are prefetched.
const PREFETCH_DISTANCE: u32 = 16;

/// A pass reports its finished positions once there are this many.
const REPORT_EVERY: u64 = 1 << 20;

/// Fills layers, the lowest first, and reuses in higher layers what it computed for sets of
/// rows.
#[derive(Debug)]
pub(super) struct LayerBuilder {
    variant: Variant,
    /// By the number of seeds of the poorer row.
    sowings: Vec<RowSowings>,
    /// By the number of seeds of the poorer row: [`batches`] of its rows.
    batches: Vec<Vec<Vec<usize>>>,
    /// By the number of seeds of the richer row.
    successors: HashMap<u32, Successors>,
    /// By the number of seeds of the richer row and the effect of the poorer row's sowing.
    transitions: HashMap<(u32, Effect), Vec<TransitionGroup>>,
}

impl LayerBuilder {
    pub(super) fn new(variant: Variant) -> Self {
        let ends = variant.is_over(true, false) && variant.is_over(false, true);
        assert!(ends, "expected a game that ends when either row is empty");
        Self {
            variant,
            sowings: Vec::new(),
            batches: Vec::new(),
            successors: HashMap::new(),
            transitions: HashMap::new(),
        }
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
            self.batches.push(batches(ranks, poor));
        }
        // The richest rows come first and take longest.
        let mut successors = Vec::new();
        let mut transitions = Vec::new();
        for poor in 1..=seeds / 2 {
            let rich = seeds - poor;
            if !self.successors.contains_key(&rich) {
                successors.push(rich);
            }
            for &effect in &self.sowings[poor as usize].effects {
                // A quiet sowing leaves the richer row as it is, so it needs no runs.
                if effect != Effect::QUIET && !self.transitions.contains_key(&(rich, effect)) {
                    transitions.push((rich, effect));
                }
            }
        }
        self.successors.extend(computed(threads, &successors, |&rich| {
            Successors::new(ranks, rich, self.variant)
        }));
        self.transitions.extend(computed(threads, &transitions, |&(rich, effect)| {
            transition_groups(ranks, rich, effect, self.variant)
        }));
    }
}

/// The ranks of all rows of `seeds` seeds, in batches of at most [`BATCH`] rows. The seeds of all
/// rows of a batch are equally far from the store in total. A quiet sowing shortens this distance
/// and lowers the rank, so the rows of a batch do not depend on each other.
fn batches(ranks: &Ranks, seeds: u32) -> Vec<Vec<usize>> {
    let mut rows: Vec<(usize, usize)> = ranks
        .each_row(seeds)
        .enumerate()
        .map(|(rank, row)| (distance(ranks, &row), rank))
        .collect();
    let mut batches = Vec::new();
    for span in rows.chunks_mut(BATCH_SPAN) {
        span.sort_unstable();
        for equally_far in span.chunk_by(|a, b| a.0 == b.0) {
            let chunks = equally_far.chunks(BATCH);
            batches.extend(chunks.map(|rows| rows.iter().map(|&(_, rank)| rank).collect()));
        }
    }
    batches
}

/// The steps that the seeds of a row are away from the store in total.
fn distance(ranks: &Ranks, row: &RowCounts) -> usize {
    let pits = row[..ranks.pits].iter().enumerate();
    pits.map(|(pit, &count)| (ranks.pits - pit) * usize::from(count)).sum()
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
            // The game is over. The rules say what the player to move wins, who owns the richer or the
            // empty row.
            let [rich, _] = self.builder.variant.swept([self.rich, 0]);
            let [poor, _] = self.builder.variant.swept([0, self.rich]);
            pack(&vec![rich as u8; line], rich_to_move, 0, self.width);
            pack(&vec![poor as u8; line], poor_to_move, 0, self.width);
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
        let ranks = &self.layout.ranks;
        let successors = &self.builder.successors[&self.rich];
        let mut workspace = vec![[0; BATCH]; successors.size];
        // Never the minimum, and never written.
        workspace[successors.empty] = [u8::MAX; BATCH];
        let mut line_wins = vec![0; line];
        let mut wins = vec![[0; BATCH]; line];
        let mut pending = 0;
        for batch in &self.builder.batches[self.poor as usize] {
            // Quiet moves of these rows lead to rows of earlier batches, so all replies are final.
            // The line goes to the workspace, too: quiet moves of the richer rows lead into it.
            for (index, &rank) in batch.iter().enumerate() {
                self.poorer_moves(rank, rich_to_move, &mut line_wins);
                pack(&line_wins, poor_to_move, self.line_bit(rank), self.width);
                for (values, &won) in workspace.iter_mut().zip(&line_wins) {
                    values[index] = won;
                }
            }
            let rows: Vec<RowCounts> =
                batch.iter().map(|&rank| ranks.row(self.poor, rank)).collect();
            self.gather(&rows, successors, &mut workspace);
            self.richer_moves(successors, &workspace, &mut wins);
            for (index, &rank) in batch.iter().enumerate() {
                for (won, values) in line_wins.iter_mut().zip(&wins) {
                    *won = values[index];
                }
                pack(&line_wins, rich_to_move, self.line_bit(rank), self.width);
            }
            pending += batch.len() as u64 * positions;
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

    /// The finished positions with the row of `fixed` seeds and this rank against all rows of
    /// `running` seeds.
    fn line(&self, fixed: u32, rank: usize, running: u32, to_move: ToMove) -> PositionLine<'a> {
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

    /// The line of the poorer row of this rank in the block with the richer row to move: both rows
    /// have kept their numbers of seeds.
    fn block_line<'b>(&self, replies: &'b [u8], rank: usize) -> PositionLine<'b> {
        PositionLine {
            bytes: replies,
            begin: self.line_bit(rank),
            stride: self.width.into(),
            width: self.width,
        }
    }

    /// Computes the seeds that the owner of the poorer row of rank `row` wins when moving
    /// against each richer row. `replies` is the block with the richer row to move, in which the
    /// lines of earlier batches are finished.
    fn poorer_moves(&self, row: usize, replies: &[u8], wins: &mut [u8]) {
        // Until the last line, these are the seeds that the opponent wins: the best move is
        // the minimum.
        wins.fill(u8::MAX);
        for sowing in self.builder.sowings[self.poor as usize].row(row) {
            let effect = sowing.effect;
            if effect == Effect::QUIET {
                let all = RankRun { from: 0, to: 0, len: wins.len() as u32 };
                self.block_line(replies, sowing.rank).update(wins, &[all], lower);
                continue;
            }
            let left = effect.own_seeds(self.poor);
            for group in &self.builder.transitions[&(self.rich, effect)] {
                if group.without_capture {
                    let line = self.block_line(replies, sowing.rank_without_capture);
                    line.update(wins, &group.runs, lower);
                } else if effect.end == SowingEnd::Keeps {
                    let line = self.line(left, sowing.rank, group.seeds, ToMove::Fixed);
                    // The mover moves again: the opponent wins what the mover does not.
                    let all = (left + group.seeds) as u8;
                    line.update(wins, &group.runs, |least, won| lower(least, all - won));
                } else {
                    let line = self.line(left, sowing.rank, group.seeds, ToMove::Running);
                    line.update(wins, &group.runs, lower);
                }
            }
        }
        let all = self.seeds();
        wins.iter_mut().for_each(|byte| *byte = all - *byte);
    }

    /// Copies into the workspace the values of all positions that sowings of the richer rows
    /// against `rows` can lead to. The first region, the positions with `rows` to move, is there
    /// already.
    fn gather(&self, rows: &[RowCounts], successors: &Successors, workspace: &mut [BatchValues]) {
        let pits = self.layout.ranks.pits;
        for region in &successors.regions {
            let to_move = match region.effect.end {
                SowingEnd::Keeps => ToMove::Running,
                SowingEnd::Passes | SowingEnd::Captures(_) => ToMove::Fixed,
            };
            let mut lines = Vec::with_capacity(BATCH);
            for (index, row) in rows.iter().enumerate() {
                // The mover is the owner of the richer row; `row` takes the spill and loses what is
                // captured.
                let mut row = region.effect.spill(row, pits);
                let (_, without_capture) = region.effect.capture(&mut row, self.builder.variant);
                if !without_capture {
                    let rank = self.layout.ranks.rank_counts(&row);
                    lines.push((index, self.line(sum(&row), rank, region.seeds, to_move)));
                }
            }
            if lines.len() < rows.len() {
                // The values of rows with a capture are replaced below.
                for run in &region.without_capture {
                    let from = run.from as usize..(run.from + run.len) as usize;
                    workspace.copy_within(from, region.begin + run.to as usize);
                }
            }
            let targets = &mut workspace[region.begin..][..region.len];
            match to_move {
                ToMove::Fixed => copy_lines(targets, &region.runs, &lines, |won| won),
                ToMove::Running => {
                    let all = self.seeds() - region.effect.banked as u8;
                    copy_lines(targets, &region.runs, &lines, |won| all - won);
                }
            }
        }
    }

    /// Computes the seeds that the mover wins with each richer row to move.
    fn richer_moves(
        &self,
        successors: &Successors,
        workspace: &[BatchValues],
        wins: &mut [BatchValues],
    ) {
        // With a constant number of pits the minimum over a row's pits is unrolled.
        macro_rules! by_width {
            ($($pits:literal)*) => {
                match self.layout.ranks.pits {
                    $($pits => best::<$pits>(self.seeds(), &successors.places, workspace, wins),)*
                    _ => unreachable!("a row has 1 to 16 pits"),
                }
            };
        }
        by_width!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
    }
}

/// Sets each row's values to all seeds minus the smallest value at the places of its pits.
fn best<const PITS: usize>(
    seeds: u8,
    places: &[u32],
    workspace: &[BatchValues],
    wins: &mut [BatchValues],
) {
    let (places, _) = places.as_chunks::<PITS>();
    for (wins, places) in wins.iter_mut().zip(places) {
        let lost = places.map(|place| &workspace[place as usize]);
        for (index, won) in wins.iter_mut().enumerate() {
            *won = seeds - lost.iter().fold(u8::MAX, |least, lost| least.min(lost[index]));
        }
    }
}

/// Lowers the seeds that the opponent wins at least to those after another move.
fn lower(least: &mut u8, won: u8) {
    *least = won.min(*least);
}

/// Copies each line into its place in the values of the batches.
fn copy_lines(
    targets: &mut [BatchValues],
    runs: &[RankRun],
    lines: &[(usize, PositionLine)],
    lost: impl Fn(u8) -> u8,
) {
    let (dense, sparse): (Vec<_>, Vec<_>) =
        lines.iter().partition(|(_, line)| line.is_contiguous());
    for (index, line) in dense {
        line.update(targets, runs, |values, won| values[*index] = lost(won));
    }
    let (Some((_, first)), Some((_, last))) = (sparse.first(), sparse.last()) else { return };
    // The values of one rank mostly share cache lines; those of the next are elsewhere.
    for run in runs {
        let targets = &mut targets[run.from as usize..][..run.len as usize];
        for (values, rank) in targets.iter_mut().zip(run.to..) {
            first.prefetch(rank + PREFETCH_DISTANCE);
            last.prefetch(rank + PREFETCH_DISTANCE);
            for (index, line) in &sparse {
                values[*index] = lost(line.value(rank));
            }
        }
    }
}

impl PositionLine<'_> {
    /// Calls `f` with each target of the runs and the value that its run leads to.
    fn update<T>(&self, targets: &mut [T], runs: &[RankRun], f: impl Fn(&mut T, u8)) {
        if self.is_contiguous() {
            return with_width!(self.width, WIDTH => {
                for run in runs {
                    let targets = &mut targets[run.from as usize..][..run.len as usize];
                    update::<WIDTH, _>(targets, self.bytes, self.bit(run.to), &f);
                }
            });
        }
        for run in runs {
            let targets = &mut targets[run.from as usize..][..run.len as usize];
            for (target, rank) in targets.iter_mut().zip(run.to..) {
                f(target, self.value(rank));
            }
        }
    }

    fn is_contiguous(&self) -> bool {
        self.stride == u64::from(self.width)
    }

    /// The first bit of the position whose row has this rank.
    fn bit(&self, rank: u32) -> u64 {
        self.begin + u64::from(rank) * self.stride
    }

    /// Prefetches the value of the position whose row has this rank, if there is one.
    fn prefetch(&self, rank: u32) {
        if let Some(byte) = self.bytes.get((self.bit(rank) / 8) as usize) {
            prefetch(byte);
        }
    }

    /// The value of the position whose row has this rank.
    fn value(&self, rank: u32) -> u8 {
        get(self.bytes, self.bit(rank), self.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_in_one_batch_and_quiet_moves_lead_to_earlier_ones() {
        for (pits, seeds) in [(1, 9), (2, 70), (3, 20), (6, 9), (16, 3)] {
            let ranks = Ranks::new(pits, seeds);
            let sowings = RowSowings::new(&ranks, seeds);
            let mut batch_of = vec![None; ranks.rows(seeds)];
            for (index, batch) in batches(&ranks, seeds).iter().enumerate() {
                assert!((1..=BATCH).contains(&batch.len()));
                for &rank in batch {
                    assert_eq!(batch_of[rank].replace(index), None);
                }
            }
            for (rank, batch) in batch_of.iter().enumerate() {
                assert!(batch.is_some());
                for sowing in sowings.row(rank) {
                    if sowing.effect.spilled + sowing.effect.banked == 0 {
                        assert!(batch_of[sowing.rank_without_capture] < *batch);
                    }
                }
            }
        }
    }
}
