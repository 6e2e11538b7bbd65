//! One thread of a proof: a fail-soft null-window search without a depth limit.
//!
//! - *Parity of gains.* Each seed in play ends in one of the stores, so a gain has the parity of
//!   the seeds in play. A null window is therefore two seeds wide: no possible gain lies inside it.
//! - *Enhanced transposition cutoffs* (Irving, Donkers and Uiterwijk, section 4). All moves
//!   are generated and probed before any is searched. If the bound of any move fails high, it
//!   decides the node, regardless of which move would have been searched first.
//! - *Bounds of all kinds are probed, the cheapest first*: the end of the game, the rules
//!   ([`RuleBounds`]), the endgame tables, the transposition table.
//! - *No stores.* Seeds banked earlier do not change the gain, so positions that differ only
//!   in their stores share an entry.
//!
//! No position repeats, because seeds only move towards the stores; therefore the search
//! ends, and no bound depends on the path to its position.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

use arrayvec::ArrayVec;

use super::bounds::RuleBounds;
use super::node::{BestGain, Generated, Pipeline, ProofChild, ProofNode, TabledChild};
use super::order::MoveOrder;
use super::proof_table::{ProofEntry, ProofKey, ProofTable};
use crate::{abdada::AbdadaTable, endgame::Tables};
use kalah_game::{Board, Gain, Interval, MAX_PITS, Row, Sowing, Sown, Turn, Variant, Window};
use kalah_sys::{random::mix, stop::Stopped};

/// The state shared by all threads of a proof.
pub(super) struct ProofContext<R> {
    pub sowing: Sowing<R>,
    pub bounds: RuleBounds<R>,
    pub tables: Option<Arc<Tables>>,
    pub table: ProofTable,
    /// None with a single thread.
    pub searching: Option<AbdadaTable>,
    /// Positions with fewer seeds in play are not worth an entry in `searching`.
    pub min_shared: u32,
    pub order: MoveOrder<R>,
    /// Set when the answer is known or no longer needed.
    pub halt: AtomicBool,
}

impl<R: Row> ProofContext<R> {
    /// The maximum number of seeds in play that the endgame tables cover.
    pub(super) fn tabled(&self) -> u32 {
        match &self.tables {
            Some(tables) => tables.seeds(),
            None => 0,
        }
    }

    /// The key of a position that is worth an entry. A position with one seed more than the
    /// endgame tables hold is not: most of its moves lead into the tables, and generating and
    /// probing them again is as cheap.
    #[inline]
    pub(super) fn key(&self, board: Board<R>, in_play: u32, tabled: u32) -> Option<ProofKey> {
        let stored = tabled + 2..=self.table.numbering.max_seeds;
        if stored.contains(&in_play) { Some(self.table.key(board)) } else { None }
    }

    /// The cells in which threads mark the positions that they are searching, and the key of
    /// the node there; none if the node is not worth sharing.
    #[inline]
    fn searching(&self, node: &ProofNode<R>) -> Option<(&AbdadaTable, u64)> {
        if node.in_play < self.min_shared {
            return None;
        }
        // Never 0, which marks an empty cell.
        Some((self.searching.as_ref()?, mix(node.key?.bits()) | 1))
    }
}

/// The question whether a position's gain reaches a bound, and how to search for the answer.
#[derive(Clone, Copy, Debug)]
pub struct GainQuestion {
    /// The bound, which is one of the gains that the position can have.
    pub at_least: Gain,
    /// The expected answer, which affects only the estimate of progress.
    pub expected: bool,
    /// The number of nodes after which the search stops.
    pub limit: u64,
}

impl GainQuestion {
    /// A question that is searched until it is answered.
    pub fn new(at_least: Gain, expected: bool) -> Self {
        Self { at_least, expected, limit: u64::MAX }
    }

    /// The window whose result answers the question about a position of `variant`.
    pub(super) fn window(&self, variant: Variant) -> Window<Gain> {
        variant.at_least(self.at_least)
    }
}

/// What a worker reports while it searches, for other threads to read.
#[derive(Default)]
pub(super) struct WorkerReport {
    nodes: AtomicU64,
    /// The bits of [`ProofStatus::decided`].
    decided: AtomicU64,
}

/// The progress of the search for the answer to one question.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProofStatus {
    /// Nodes visited so far.
    pub nodes: u64,
    /// The estimated part of the search that is done, from 0 to 1.
    pub decided: f64,
}

impl ProofStatus {
    /// The nodes of all workers. All of them search the same tree, so the first one's estimate
    /// includes what others have decided in the part that it has passed.
    pub(super) fn from_reports(reports: &[WorkerReport]) -> Self {
        let nodes = reports.iter().map(|report| report.nodes.load(Relaxed)).sum();
        let decided = match reports.first() {
            Some(report) => f64::from_bits(report.decided.load(Relaxed)),
            None => 0.0,
        };
        Self { nodes, decided }
    }
}

/// The part of a search that one node represents, as an interval between 0 and 1. Everything before
/// its start is decided.
///
/// A node that is expected to fail low needs all of its children, so each gets a part in proportion
/// to the estimated number of nodes below it. One that is expected to fail high usually needs only
/// the first one.
#[derive(Clone, Copy)]
struct Share {
    start: f64,
    length: f64,
    fails_high: bool,
}

impl Share {
    /// The share of the next child, which is `part` of this share; this share keeps the rest.
    fn next_child(&mut self, part: f64, turn: Turn) -> Self {
        let length = self.length * part;
        let fails_high = match turn {
            Turn::Keeps => self.fails_high,
            Turn::Passes => !self.fails_high,
        };
        let child = Self { start: self.start, length, fails_high };
        self.start += length;
        self.length -= length;
        child
    }
}

/// The assumed probability that the first child of a node that fails high causes the cutoff.
const FIRST_CUTS: f64 = 0.9;
/// Nodes with a smaller share are not divided further, which confines the arithmetic and the
/// evaluations to a negligible number of nodes.
const MIN_SHARE: f64 = 1e-3;

/// One thread of a proof.
pub(super) struct ProofWorker<'a, R> {
    shared: &'a ProofContext<R>,
    /// The maximum number of seeds in play that the endgame tables cover.
    tabled: u32,
    nodes: u64,
    /// The number of nodes at which the search stops.
    limit: u64,
    /// The number of nodes at which to report and to poll for a stop next.
    next_check: u64,
    /// The share of the current node or, if that is too small, of its last ancestor that has one.
    share: Share,
    report: &'a WorkerReport,
    /// Called at each check, if no other thread can poll for a stop.
    poll: Option<&'a mut dyn FnMut()>,
}

impl<'a, R: Row> ProofWorker<'a, R> {
    pub(super) fn new(
        shared: &'a ProofContext<R>,
        question: &GainQuestion,
        report: &'a WorkerReport,
    ) -> Self {
        let GainQuestion { expected, limit, .. } = *question;
        let next_check = limit.min(CHECK_INTERVAL);
        let share = Share { start: 0.0, length: 1.0, fails_high: expected };
        let tabled = shared.tabled();
        Self { shared, tabled, nodes: 0, limit, next_check, share, report, poll: None }
    }

    /// Calls `poll` at each check.
    pub(super) fn polling(self, poll: &'a mut dyn FnMut()) -> Self {
        Self { poll: Some(poll), ..self }
    }

    /// Answers the question about a board whose game is not over: a result that fails high is a
    /// lower bound of the gain, any other an upper bound.
    pub(super) fn answer(
        mut self,
        board: Board<R>,
        question: &GainQuestion,
    ) -> Result<Gain, Stopped> {
        let in_play = board.in_play();
        let window = question.window(self.shared.sowing.variant());
        let node = ProofNode { board, in_play, key: self.key(board, in_play), tt_move: None };
        let mut generated = Generated::new(node);
        self.generate(&mut generated, window);
        let answer = self.resolve(&mut generated, window);
        self.publish();
        answer
    }

    /// Makes every move of `generated.node`. Moves decided by the end of the game or by
    /// the rules go into `best`; for the others the entries of the tables are prefetched.
    fn generate(&self, generated: &mut Generated<R>, window: Window<Gain>) {
        let ProofContext { sowing, bounds, tables, table, .. } = self.shared;
        let Generated { node, best, tabled, open } = generated;
        *best = BestGain::NONE;
        tabled.clear();
        open.clear();
        for pit in node.board.moves(sowing.variant()).iter().rev() {
            // Cheapest first: bounds from the rules, then endgame tables, then the
            // transposition table.
            let Sown { board, banked, turn } = node.board.sow(sowing, pit);
            let in_play = node.in_play - banked;
            let banked = Gain(banked as i32);
            let child_gain = if board.is_over(sowing.variant()) {
                Interval::exactly(board.final_gain(sowing.variant()))
            } else {
                bounds.gain(board, in_play)
            };
            let proved = child_gain.from_child(banked, turn);
            // Cutoff by the rules alone: the mover is sure to reach beta.
            if window.fails_high(proved.lower) {
                // The other moves are not needed; `resolve` returns the cutoff.
                best.improve(proved.lower, pit);
                return;
            }
            if window.fails_low(proved.upper) {
                // The move cannot reach beta: its upper bound counts, and no search is needed.
                best.improve(proved.upper, pit);
            } else if let Some(tables) = tables.as_ref().filter(|_| in_play <= self.tabled) {
                // The exact gain decides the move either way, but it is seldom in a cache, so it is
                // read only after all moves have been made.
                let own = board.own.sum();
                let slot = tables.slot(board, own, in_play - own);
                tables.prefetch(slot, in_play);
                tabled.push(TabledChild { slot, in_play, pit, banked, turn });
            } else {
                let key = self.key(board, in_play);
                // Prefetched here and not after all moves are made, which took 8 % less time with
                // tables of 31 seeds but 5 % more for (6,4).
                if let Some(key) = key {
                    table.prefetch(key);
                }
                let node = ProofNode { board, in_play, key, tt_move: None };
                open.push(ProofChild { node, pit, banked, turn });
            }
        }
    }

    /// A bound of the gain of a node whose moves have been generated, outside `window`.
    fn resolve(
        &mut self,
        generated: &mut Generated<R>,
        window: Window<Gain>,
    ) -> Result<Gain, Stopped> {
        let node = generated.node;
        let variant = self.shared.sowing.variant();
        debug_assert!(!node.board.is_over(variant) && node.board.in_play() == node.in_play);
        debug_assert_eq!(window, variant.at_least(window.beta));
        debug_assert_eq!(variant.next_gain(window.beta, node.in_play), window.beta);
        let nodes_before = self.nodes;
        // A stop returns via `?` before anything is stored: unfinished bounds prove nothing.
        self.count(node.in_play)?;
        if window.fails_high(generated.best.gain) {
            return Ok(generated.best.gain);
        }
        let mut pipeline = Pipeline::new(node);
        // The likely first child is generated while the entries of all children
        // are still being loaded. With tabled moves a cutoff without a search is
        // too likely for that, and estimates take too long.
        if generated.tabled.is_empty() && !self.shared.order.estimates(&node) {
            let open = &generated.open;
            let first = (0..open.len()).max_by_key(|&at| self.shared.order.rank(&open[at], &node));
            if let Some(first) = first {
                self.prefetch(&mut pipeline, open, first, window);
            }
        }
        let mut orders = ArrayVec::<u32, MAX_PITS>::new();
        if let Some(gain) = self.probe(generated, window, &mut orders) {
            return Ok(gain);
        }
        // ABDADA: if another thread is already searching this node, this one joins it.
        let searching = self.shared.searching(&node);
        let joins = match searching {
            Some((searching, key)) => searching.begin(key),
            None => false,
        };
        self.search_children(generated, window, joins, &mut orders, &mut pipeline)?;
        if let Some((searching, key)) = searching {
            searching.end(key);
        }
        // Cutoffs before the search of a child are not stored: the same probes would
        // return them again.
        if let Some(key) = node.key {
            let entry = generated.best.entry(window, variant.gains(node.in_play));
            self.shared.table.store(key, node.in_play, entry, self.nodes - nodes_before);
        }
        Ok(generated.best.gain)
    }

    /// Probes the tables for the generated moves and returns the gain of one
    /// that fails high. Otherwise `orders` receives the moves that are left to search: the
    /// rank of each and, in the low bits, its index in `generated.open`.
    #[inline]
    fn probe(
        &self,
        generated: &mut Generated<R>,
        window: Window<Gain>,
        orders: &mut ArrayVec<u32, MAX_PITS>,
    ) -> Option<Gain> {
        let Generated { node, best, tabled, open } = generated;
        if let Some(tables) = &self.shared.tables {
            for &TabledChild { slot, in_play, pit, banked, turn } in tabled.iter() {
                let gain = banked + turn.from_child(tables.gain_at(slot, in_play));
                if window.fails_high(gain) {
                    return Some(gain);
                }
                best.improve(gain, pit);
            }
        }
        // Every child is probed, because each may decide the node. Probing only the child that is
        // searched next, in nodes near the endgame tables, visited up to 2 % more nodes and was no
        // faster.
        for (index, child) in open.iter_mut().enumerate() {
            if let Some(entry) = self.entry(&child.node) {
                let proved = entry.proved.from_child(child.banked, child.turn);
                if window.fails_high(proved.lower) {
                    return Some(proved.lower);
                }
                if window.fails_low(proved.upper) {
                    best.improve(proved.upper, child.pit);
                    continue;
                }
                // The bounds do not decide the child, but the move that gave them is the
                // most likely to refute it again.
                child.node.tt_move = entry.best_move;
            }
            // One word per move, so that finding the highest takes only comparisons.
            orders.push(self.shared.order.rank(child, node) * MAX_PITS as u32 + index as u32);
        }
        None
    }

    /// Searches the children in `orders` until one fails high. Children that another
    /// thread is searching are deferred (ABDADA): by the time they come up, their bounds
    /// are mostly in the table. A thread that joins another one in this node first helps
    /// with the first child, whose cutoff may spare the rest, and then searches from the
    /// last child backwards. In the same order, both would search the same positions at the
    /// same time: for (6,4), two threads then took 13 to 14 million nodes instead of 9.6 to 10.0
    /// (one thread takes 9.4).
    fn search_children(
        &mut self,
        generated: &mut Generated<R>,
        window: Window<Gain>,
        joins: bool,
        orders: &mut ArrayVec<u32, MAX_PITS>,
        pipeline: &mut Pipeline<R>,
    ) -> Result<(), Stopped> {
        let mut first = true;
        let mut share = self.share;
        while let Some((at, order)) = next(orders, joins && !first) {
            let index = order as usize % MAX_PITS;
            let child = &generated.open[index];
            let deferred = order < DEFERRED + MAX_PITS as u32;
            if !first && !deferred && self.is_searched_elsewhere(&child.node) {
                orders[at] = DEFERRED + index as u32;
                continue;
            }
            self.share = if share.length > MIN_SHARE {
                let part = self.part(&share, child, orders, &generated.open, window.beta);
                share.next_child(part, child.turn)
            } else {
                share
            };
            orders[at] = DONE;
            // Another thread may have decided the child meanwhile. A bound is valid for every
            // thread, regardless of which one proved it.
            let entry = if first { None } else { self.entry(&child.node) };
            let child_window = child.window(window);
            let gain = match entry.and_then(|entry| entry.proved.answer(child_window)) {
                Some(gain) => gain,
                None => {
                    if pipeline.next != Some(index) {
                        self.prefetch(pipeline, &generated.open, index, window);
                    }
                    pipeline.advance();
                    pipeline.current().node.tt_move = child.node.tt_move;
                    // If the first child fails low, all others will probably be needed.
                    if !first && let Some((_, order)) = next(orders, joins) {
                        let index = order as usize % MAX_PITS;
                        self.prefetch(pipeline, &generated.open, index, window);
                    }
                    self.resolve(pipeline.current(), child_window)?
                }
            };
            first = false;
            generated.best.improve(child.banked + child.turn.from_child(gain), child.pit);
            if window.fails_high(generated.best.gain) {
                // One move that reaches beta proves the lower bound.
                break;
            }
        }
        Ok(())
    }

    /// The estimated part of the remaining work of a node, `share`, that lies below `child`. Called
    /// so rarely that its variables should not enlarge the stack of the search.
    #[cold]
    #[inline(never)]
    fn part(
        &self,
        share: &Share,
        child: &ProofChild<R>,
        orders: &[u32],
        open: &[ProofChild<R>],
        beta: Gain,
    ) -> f64 {
        let left = orders.iter().filter(|&&order| order != DONE);
        if left.clone().count() == 1 {
            return 1.0;
        }
        if share.fails_high {
            return FIRST_CUTS;
        }
        let left = left.map(|&order| &open[order as usize % MAX_PITS]);
        let all: f64 = left.map(|child| self.shared.order.relative_nodes(child, beta)).sum();
        self.shared.order.relative_nodes(child, beta) / all
    }

    fn is_searched_elsewhere(&self, node: &ProofNode<R>) -> bool {
        match self.shared.searching(node) {
            Some((searching, key)) => searching.contains(key),
            None => false,
        }
    }

    /// Generates the moves of a child ahead of its search.
    #[inline]
    fn prefetch(
        &self,
        pipeline: &mut Pipeline<R>,
        open: &[ProofChild<R>],
        index: usize,
        window: Window<Gain>,
    ) {
        let next = &mut pipeline.generated[1 - pipeline.current];
        next.node = open[index].node;
        self.generate(next, open[index].window(window));
        pipeline.next = Some(index);
    }

    #[inline]
    fn entry(&self, node: &ProofNode<R>) -> Option<ProofEntry> {
        node.key.and_then(|key| self.shared.table.probe(key, node.in_play))
    }

    #[inline]
    fn key(&self, board: Board<R>, in_play: u32) -> Option<ProofKey> {
        self.shared.key(board, in_play, self.tabled)
    }

    /// Counts a node with `in_play` seeds; at intervals, also reports the count and polls for a
    /// stop.
    #[inline]
    fn count(&mut self, in_play: u32) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes >= self.next_check || self.shared.order.is_slow(in_play) {
            self.publish();
            if let Some(poll) = &mut self.poll {
                poll();
            }
            if self.shared.halt.load(Relaxed) || self.nodes >= self.limit {
                return Err(Stopped);
            }
            self.next_check = self.limit.min(self.nodes + CHECK_INTERVAL);
        }
        Ok(())
    }

    fn publish(&self) {
        self.report.nodes.store(self.nodes, Relaxed);
        // Only an answer decides everything.
        let decided = self.share.start.min(1.0 - MIN_SHARE);
        self.report.decided.store(decided.to_bits(), Relaxed);
    }
}

/// Nodes between two polls for a stop; nodes whose ordering is slow always poll. Polls are rare
/// because threads share the cache lines of the counter and of the flag, but a stop still takes
/// effect within a millisecond or so.
const CHECK_INTERVAL: u64 = 1024;

/// The order of a child that has been searched.
const DONE: u32 = 0;
/// The lowest order of a child that is deferred because another thread is searching it.
const DEFERRED: u32 = MAX_PITS as u32;

/// The index in `orders` of the child to search next, and its order: the highest, or with
/// `from_last` the lowest. Deferred children come last in either case.
#[inline]
fn next(orders: &[u32], from_last: bool) -> Option<(usize, u32)> {
    let mut best = (0, DONE);
    for (at, &order) in orders.iter().enumerate() {
        if rank(order, from_last) > rank(best.1, from_last) {
            best = (at, order);
        }
    }
    if best.1 == DONE { None } else { Some(best) }
}

/// With `from_last`, reverses the orders of children that are neither searched nor deferred.
#[inline]
fn rank(order: u32, from_last: bool) -> u32 {
    if from_last && order >= DEFERRED + MAX_PITS as u32 { !order } else { order }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_of_children_follow_each_other_and_fill_their_parent() {
        let all = Share { start: 0.25, length: 0.5, fails_high: true };
        let mut rest = all;
        let mut end = all.start;
        for (part, turn) in [(0.5, Turn::Keeps), (0.25, Turn::Passes), (1.0, Turn::Passes)] {
            let child = rest.next_child(part, turn);
            assert_eq!((child.start, child.fails_high), (end, turn == Turn::Keeps));
            end += child.length;
            assert_eq!(rest.start, end);
            assert_eq!(rest.start + rest.length, all.start + all.length);
        }
        assert_eq!((end, rest.length), (all.start + all.length, 0.0));
    }

    #[test]
    fn children_are_taken_by_rank_from_either_end_and_deferred_ones_last() {
        for (from_last, expected) in [(false, [4, 0, 3, 5]), (true, [0, 4, 3, 5])] {
            let mut orders = [900, DONE, DONE, DEFERRED + 15, 901, DEFERRED];
            for index in expected {
                let order = orders[index];
                assert_eq!(next(&orders, from_last), Some((index, order)));
                orders[index] = DONE;
            }
            assert_eq!(next(&orders, from_last), None);
        }
    }
}
