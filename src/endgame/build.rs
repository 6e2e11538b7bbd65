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
use std::sync::OnceLock;

use super::effect::{Effect, End};
use super::layout::Layout;
use super::program::{NEAR, Places, Program, Run, Sowings, Suffered};
use super::rank::{Counts, Ranks, sum};
use super::tables::Progress;
use crate::game::Capture;
use crate::sys::parallel::for_each;

/// What is known of moves and sets of rows; it grows with the layers filled.
#[derive(Debug)]
pub(super) struct Builder {
    captures_nothing: bool,
    /// By the seeds of the rows, as far as they were the poorer ones.
    sowings: Vec<Sowings>,
    /// By the seeds of the rows, which were the richer ones.
    programs: HashMap<u32, Program>,
    /// By the seeds of the rows, which were the richer ones.
    suffered: HashMap<(u32, Effect), Suffered>,
}

impl Builder {
    /// A builder that knows nothing yet.
    pub fn new(capture: Capture) -> Self {
        Self {
            captures_nothing: capture == Capture::EmptyCapture,
            sowings: Vec::new(),
            programs: HashMap::new(),
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
        self.prepare(layout.ranks(), seeds, threads);
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
        for_each(threads, blocks.into_iter(), |(pass, block)| pass.fill(block));
    }

    /// Works out what the layer of `seeds` needs beyond those below it.
    fn prepare(&mut self, ranks: &Ranks, seeds: u32, threads: usize) {
        for poor in self.sowings.len() as u32..=seeds / 2 {
            self.sowings.push(Sowings::new(ranks, poor));
        }
        // The richest rows come first and take longest.
        let mut programs = Vec::new();
        let mut suffered = Vec::new();
        for poor in 1..=seeds / 2 {
            let rich = seeds - poor;
            if !self.programs.contains_key(&rich) {
                programs.push((rich, OnceLock::new()));
            }
            for &effect in &self.sowings[poor as usize].effects {
                if effect != Effect::QUIET && !self.suffered.contains_key(&(rich, effect)) {
                    suffered.push(((rich, effect), OnceLock::new()));
                }
            }
        }
        for_each(threads, programs.iter(), |(rich, program)| {
            program.get_or_init(|| Program::new(ranks, *rich));
        });
        for_each(threads, suffered.iter(), |((rich, effect), suffered)| {
            let new = || Suffered::new(ranks, *rich, *effect, self.captures_nothing);
            suffered.get_or_init(new);
        });
        let made = |(rich, program): (_, OnceLock<_>)| Some((rich, program.into_inner()?));
        self.programs.extend(programs.into_iter().filter_map(made));
        let made = |(key, suffered): (_, OnceLock<_>)| Some((key, suffered.into_inner()?));
        self.suffered.extend(suffered.into_iter().filter_map(made));
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
        let program = &self.builder.programs[&self.rich];
        let mut workspace = vec![u8::MAX; program.size.max(NEAR)];
        let mut untold = 0;
        for (rank, row) in ranks.each_row(self.poor).enumerate() {
            let (answers, rest) = ys.split_at_mut(rank * line);
            self.poorer_moves(rank, answers, &mut workspace[..line]);
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

    /// What the mover wins with the row of rank `row` to move against each row of
    /// the rich.
    /// `answers` holds the lines of the rich to move against rows before it.
    fn poorer_moves(&self, row: usize, answers: &[u8], wins: &mut [u8]) {
        let line = wins.len();
        let answer = |rank: usize| &answers[rank * line..][..line];
        wins.fill(u8::MAX);
        for sowing in self.builder.sowings[self.poor as usize].of(row) {
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
                    $($pits => self.best::<$pits>(program, workspace, wins),)*
                    _ => unreachable!("a row has 1 to 16 pits"),
                }
            };
        }
        by_width!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
    }

    fn best<const PITS: usize>(&self, program: &Program, workspace: &[u8], wins: &mut [u8]) {
        let seeds = self.seeds();
        match &program.places {
            Places::Near(places) => {
                // No place of 16 bits can lie outside: no checks.
                let near = workspace.first_chunk::<NEAR>().expect("a workspace of full size");
                best::<PITS, _>(seeds, places, |place| near[usize::from(place)], wins);
            }
            Places::Far(places) => {
                best::<PITS, _>(seeds, places, |place| workspace[place as usize], wins);
            }
        }
    }
}

/// All seeds less the least of the bytes at the places of each row's pits.
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
