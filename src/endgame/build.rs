//! The pass that fills a layer.
//!
//! A position with A to move leads, by a sowing that stays in A's row, to one
//! with B to move, the same B and an A of lower rank; anything else leads to a
//! lower layer. So for each split of the seeds one walk over A's rows in the
//! order of their ranks is enough. At each row of A:
//!
//! 1. *A to move, against every row of B at once.* Each sowing of this one row
//!    shifts B's rows in runs, so it costs a few vectorised minima of lines.
//! 2. *B to move, each row of B in turn.* All that B's sowings may lead to,
//!    with A's row as it will be, is copied into a workspace that fits the near
//!    caches; then each row of B takes the minimum of one byte a pit, at places
//!    known beforehand.
//!
//! A is the poorer row, so that lines are long. Lines hold what the *other*
//! player wins, so that the best move is the least.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::effect::{Effect, End, Sowing};
use super::layout::Layout;
use super::parallel::share_out;
use super::program::{Program, Run, Suffered};
use super::rank::{Counts, Ranks, sum};
use super::tables::Progress;
use crate::kalah::Capture;

/// What is known of moves and sets of rows; it grows with the layers filled.
#[derive(Debug)]
pub(super) struct Builder {
    captures_nothing: bool,
    /// By the seeds of the rows.
    programs: Vec<Option<Program>>,
    suffered: HashMap<(u32, Effect), Suffered>,
}

impl Builder {
    /// A builder of layers up to `seeds` seeds.
    pub fn new(seeds: u32, capture: Capture) -> Self {
        Self {
            captures_nothing: capture == Capture::EmptyCapture,
            programs: (0..=seeds).map(|_| None).collect(),
            suffered: HashMap::new(),
        }
    }

    /// Fills the layer of `seeds` seeds: `bytes` holds the finished layers
    /// below it and ends with its own place.
    pub fn fill(
        &mut self,
        layout: &Layout,
        bytes: &mut [u8],
        seeds: u32,
        threads: usize,
        progress: Progress,
    ) {
        self.prepare(layout.ranks(), seeds);
        let (done, mut rest) = bytes.split_at_mut(layout.layer(seeds).start);
        let mut blocks = Vec::new();
        for poor in 0..=seeds / 2 {
            let rich = seeds - poor;
            let one = layout.ranks().rows(poor) * layout.ranks().rows(rich);
            let (block, after) = rest.split_at_mut(if poor < rich { 2 * one } else { one });
            rest = after;
            blocks.push((Pass { layout, builder: self, done, poor, rich, progress }, block));
        }
        // The longest first, so that no thread is left with a long one at last.
        blocks.sort_by_key(|(_, block)| Reverse(block.len()));
        share_out(threads, blocks.into_iter(), |(pass, block)| pass.fill(block));
    }

    /// Works out what the layer of `seeds` needs beyond those below it.
    fn prepare(&mut self, ranks: &Ranks, seeds: u32) {
        for poor in 1..=seeds / 2 {
            let rich = seeds - poor;
            self.programs[rich as usize].get_or_insert_with(|| Program::new(ranks, rich));
            for row in ranks.each_row(poor) {
                for from in 0..ranks.pits() {
                    if let Some(sowing) = Sowing::new(ranks, &row, from) {
                        let effect = sowing.effect;
                        self.suffered.entry((rich, effect)).or_insert_with(|| {
                            Suffered::new(ranks, rich, effect, self.captures_nothing)
                        });
                    }
                }
            }
        }
    }

    fn program(&self, seeds: u32) -> &Program {
        self.programs[seeds as usize].as_ref().expect("layers are prepared before they are filled")
    }
}

/// The walk over one block.
struct Pass<'a> {
    layout: &'a Layout,
    builder: &'a Builder,
    /// The finished layers.
    done: &'a [u8],
    /// Seeds of the one row.
    poor: u32,
    /// Seeds of the other row, at least as many.
    rich: u32,
    progress: Progress<'a>,
}

/// Positions to finish before telling of them.
const NEWS: u64 = 1 << 20;

/// Whose row a line of positions runs over, and whether its owner is to move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ToMove {
    /// The owner of the one row that is the same in the whole line.
    Fixed,
    /// The owner of the rows that the line runs over.
    Running,
}

/// The bytes of finished positions that differ in one row only, by its rank.
struct Line<'a> {
    bytes: &'a [u8],
    stride: usize,
}

impl<'a> Pass<'a> {
    fn fill(&self, block: &mut [u8]) {
        let ranks = self.layout.ranks();
        let (lines, line) = (ranks.rows(self.poor), ranks.rows(self.rich));
        let positions = block.len() as u64;
        let (xs, ys) = block.split_at_mut(lines * line);
        if self.poor == 0 {
            // The game is over; what is left belongs to its row's owner.
            xs.fill(0);
            ys.fill(self.rich as u8);
            return (self.progress)(positions);
        }
        // Rows equally rich: what the second half would hold is the first one
        // turned over, and is not kept.
        let mut turned = Vec::new();
        let ys = if ys.is_empty() {
            turned.resize(lines * line, 0);
            &mut turned[..]
        } else {
            ys
        };
        let program = self.builder.program(self.rich);
        let mut workspace = vec![u8::MAX; program.size];
        let mut untold = 0;
        for (rank, row) in ranks.each_row(self.poor).enumerate() {
            let (answers, rest) = ys.split_at_mut(rank * line);
            self.poorer_moves(&row, answers, &mut workspace[..line]);
            xs[rank * line..][..line].copy_from_slice(&workspace[..line]);
            self.gather(&row, program, &mut workspace);
            self.richer_moves(program, &workspace, &mut rest[..line]);
            untold += positions / lines as u64;
            if untold >= NEWS {
                (self.progress)(std::mem::take(&mut untold));
            }
        }
        (self.progress)(untold);
    }

    fn seeds(&self) -> u8 {
        (self.poor + self.rich) as u8
    }

    /// The finished positions with `row` against all rows of `running` seeds.
    fn line(&self, row: &Counts, running: u32, to_move: ToMove) -> Line<'a> {
        self.line_at(sum(row), self.layout.ranks().rank_counts(row), running, to_move)
    }

    fn line_at(&self, fixed: u32, rank: usize, running: u32, to_move: ToMove) -> Line<'a> {
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
        let len = (layout.ranks().rows(running) - 1) * stride + 1;
        Line { bytes: &self.done[begin..begin + len], stride }
    }

    /// What the mover wins with `row` to move against each row of the rich.
    /// `answers` holds the lines of the rich to move against rows before it.
    fn poorer_moves(&self, row: &Counts, answers: &[u8], wins: &mut [u8]) {
        let ranks = self.layout.ranks();
        let line = wins.len();
        let answer = |rank: usize| &answers[rank * line..][..line];
        wins.fill(u8::MAX);
        for from in 0..ranks.pits() {
            let Some(sowing) = Sowing::new(ranks, row, from) else { continue };
            let effect = sowing.effect;
            if effect == Effect::QUIET {
                lower(wins, answer(sowing.rank));
                continue;
            }
            let left = effect.own_seeds(self.poor);
            for group in &self.builder.suffered[&(self.rich, effect)].groups {
                if group.settles {
                    let answer = answer(sowing.settled);
                    for &run in &group.runs {
                        lower(run.cut_from(wins), run.cut_from_shared(answer));
                    }
                } else if effect.end == End::Keeps {
                    let line = self.line_at(left, sowing.rank, group.seeds, ToMove::Fixed);
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

    /// Collects what the sowings of the rich against `row` may lead to. The
    /// first region, the positions with `row` to move, is there already.
    fn gather(&self, row: &Counts, program: &Program, workspace: &mut [u8]) {
        let pits = self.layout.pits();
        for region in &program.regions {
            let mut row = region.effect.spill(row, pits);
            if let End::Captures(pit) = region.effect.end {
                let opposite = std::mem::take(&mut row[pits - 1 - pit]);
                if region.effect.settles(opposite, self.builder.captures_nothing) {
                    for run in &region.settled {
                        let from = run.from as usize..(run.from + run.len) as usize;
                        workspace.copy_within(from, region.begin + run.to as usize);
                    }
                    continue;
                }
            }
            let target = &mut workspace[region.begin..][..region.len];
            if region.effect.end == End::Keeps {
                let all = (sum(&row) + region.seeds) as u8;
                self.line(&row, region.seeds, ToMove::Running).copy(target, |won| all - won);
            } else {
                self.line(&row, region.seeds, ToMove::Fixed).copy(target, |won| won);
            }
        }
    }

    /// What the mover wins with each row of the rich to move.
    fn richer_moves(&self, program: &Program, workspace: &[u8], wins: &mut [u8]) {
        macro_rules! by_width {
            ($($pits:literal)*) => {
                match self.layout.pits() {
                    $($pits => best::<$pits>(self.seeds(), &program.places, workspace, wins),)*
                    _ => unreachable!("a row has 1 to 16 pits"),
                }
            };
        }
        by_width!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
    }
}

/// All seeds less the least of the bytes at the places of each row's pits.
fn best<const PITS: usize>(seeds: u8, places: &[u32], workspace: &[u8], wins: &mut [u8]) {
    let (places, _) = places.as_chunks::<PITS>();
    for (wins, places) in wins.iter_mut().zip(places) {
        let lost =
            places.iter().fold(u8::MAX, |least, &place| least.min(workspace[place as usize]));
        *wins = seeds - lost;
    }
}

/// Lowers each byte to the other one at its place if that is less.
fn lower(bytes: &mut [u8], others: &[u8]) {
    for (byte, &other) in bytes.iter_mut().zip(others) {
        *byte = other.min(*byte);
    }
}

impl Run {
    fn cut_from<'b>(&self, bytes: &'b mut [u8]) -> &'b mut [u8] {
        &mut bytes[self.from as usize..][..self.len as usize]
    }

    fn cut_from_shared<'b>(&self, bytes: &'b [u8]) -> &'b [u8] {
        &bytes[self.from as usize..][..self.len as usize]
    }
}

impl Line<'_> {
    /// Lowers bytes to those that the runs lead to.
    fn lower(&self, bytes: &mut [u8], runs: &[Run], lost: impl Fn(u8) -> u8) {
        for run in runs {
            let (to, len) = (run.to as usize, run.len as usize);
            let bytes = run.cut_from(bytes);
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

    /// Copies the whole line.
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
