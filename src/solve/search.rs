//! One thread of a proof: does a position gain at least so much?
//!
//! A fail-soft null-window search. All gains of a position have the parity of
//! its seeds in play, so that a null window is two seeds wide. All moves of a
//! node are generated and probed before any is searched: the game's end, what
//! can be banked at once, the endgame tables and the transposition table often
//! answer without a search (enhanced transposition cutoffs; Irving, Donkers and
//! Uiterwijk, section 4).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use arrayvec::ArrayVec;

use super::bounds::Bounds;
use super::table::{Entry, Key, ProofTable};
use crate::endgame::Tables;
use crate::game::{Board, MAX_PITS, Pit, Row, Sowing, Sown};
use crate::score::{Gain, Interval, Score, Turn, Window};
use crate::sys::random::mix;
use crate::sys::searching::CurrentlySearching;
use crate::sys::stop::Stopped;

/// What all threads of a proof share.
pub(super) struct Shared<R> {
    pub sowing: Sowing<R>,
    pub bounds: Bounds<R>,
    pub tables: Option<Arc<Tables>>,
    pub table: ProofTable,
    /// None with a single thread.
    pub searching: Option<CurrentlySearching>,
    /// Positions with fewer seeds in play are not worth an entry in `searching`.
    pub least_shared: u32,
    pub order: Order,
    /// Set when the answer is known or no longer wanted.
    pub halt: AtomicBool,
}

impl<R: Row> Shared<R> {
    /// The most seeds in play of a position whose gain the endgame tables hold.
    pub(super) fn tabled(&self) -> u32 {
        self.tables.as_ref().map_or(0, |tables| tables.seeds())
    }

    /// The key of a position that is worth an entry. Positions whose moves all
    /// lead into the endgame tables are not: to generate and probe those again
    /// is as cheap.
    #[inline]
    pub(super) fn key(&self, board: Board<R>, in_play: u32, tabled: u32) -> Option<Key> {
        let stored = tabled + 2..=self.table.most_seeds();
        stored.contains(&in_play).then(|| self.table.key(board))
    }

    /// Where other threads can see that a position is being searched, and its
    /// key there; none if it is too small to be shared.
    #[inline]
    fn searching(&self, node: &Node<R>) -> Option<(&CurrentlySearching, u64)> {
        let searching = self.searching.as_ref().filter(|_| node.in_play >= self.least_shared)?;
        // Zero is an empty cell.
        node.key.map(|key| (searching, mix(key.bits()) | 1))
    }
}

/// One thread of a proof.
pub(super) struct Worker<'a, R> {
    shared: &'a Shared<R>,
    /// The most seeds in play of a position whose gain the endgame tables hold.
    tabled: u32,
    /// Positions visited.
    nodes: u64,
    /// Positions that may be visited.
    limit: u64,
    /// When to report and to check for a stop next.
    next_check: u64,
    /// `nodes` as of the last report, for other threads to read.
    reported: &'a AtomicU64,
}

/// A position to search, which is not over.
#[derive(Clone, Copy)]
pub(super) struct Node<R> {
    board: Board<R>,
    in_play: u32,
    /// Unless the position is too big for the transposition table or not worth
    /// an entry.
    key: Option<Key>,
    /// The move to try first.
    tt_move: Option<Pit>,
}

/// A move that generating it has not decided.
#[derive(Clone, Copy)]
struct Child<R> {
    node: Node<R>,
    pit: Pit,
    banked: Gain,
    turn: Turn,
}

impl<R> Child<R> {
    /// The window for the mover after this move, if `window` is the one before.
    #[inline]
    fn window(&self, window: Window<Gain>) -> Window<Gain> {
        window.after(self.banked).seen_by(self.turn)
    }
}

/// A move into the endgame tables, whose byte has been prefetched.
struct TabledChild {
    slot: usize,
    in_play: u32,
    pit: Pit,
    banked: Gain,
    turn: Turn,
}

/// A node and its generated moves.
struct Generated<R> {
    node: Node<R>,
    best: Best,
    /// Moves into the endgame tables.
    tabled: ArrayVec<TabledChild, MAX_PITS>,
    /// Moves that only the transposition table or a search can decide.
    open: ArrayVec<Child<R>, MAX_PITS>,
}

impl<R> Generated<R> {
    /// Nothing generated yet.
    #[inline]
    fn new(node: Node<R>) -> Self {
        Self { node, best: Best::NONE, tabled: ArrayVec::new(), open: ArrayVec::new() }
    }
}

/// Two sets of generated moves: those of the child being searched, and those of
/// the next one, whose table entries are loaded in the meantime. Waiting for
/// memory is what a proof spends most of its time with.
struct Pipeline<R> {
    generated: [Generated<R>; 2],
    /// Which of the two belongs to the child being searched.
    current: usize,
    /// The child that the other one belongs to.
    next: Option<usize>,
}

impl<R: Copy> Pipeline<R> {
    /// No child generated; `node` is a placeholder.
    #[inline]
    fn new(node: Node<R>) -> Self {
        let generated = [Generated::new(node), Generated::new(node)];
        Self { generated, current: 0, next: None }
    }

    /// Makes the next child the current one.
    #[inline]
    fn advance(&mut self) {
        self.current = 1 - self.current;
        self.next = None;
    }

    #[inline]
    fn current(&mut self) -> &mut Generated<R> {
        &mut self.generated[self.current]
    }
}

/// The best gain so far and its move.
#[derive(Clone, Copy)]
struct Best {
    gain: Gain,
    pit: Option<Pit>,
}

impl Best {
    const NONE: Self = Self { gain: Gain::MIN, pit: None };

    /// Takes in that `pit` gains at most (or, at the end, at least) `gain`.
    #[inline]
    fn improve(&mut self, gain: Gain, pit: Pit) {
        if gain > self.gain {
            *self = Self { gain, pit: Some(pit) };
        }
    }

    /// What it proves of a position with `in_play` seeds.
    #[inline]
    fn entry(&self, window: Window<Gain>, in_play: u32) -> Entry {
        let all = Interval::within(Gain(in_play as i32));
        let proved = if window.fails_high(self.gain) {
            Interval { lower: self.gain, ..all }
        } else {
            Interval { upper: self.gain, ..all }
        };
        Entry { proved, best_move: self.pit }
    }
}

impl<'a, R: Row> Worker<'a, R> {
    pub(super) fn new(shared: &'a Shared<R>, limit: u64, reported: &'a AtomicU64) -> Self {
        let next_check = limit.min(CHECK_INTERVAL);
        Self { shared, tabled: shared.tabled(), nodes: 0, limit, next_check, reported }
    }

    /// The node of a board that is not over.
    pub(super) fn root(&self, board: Board<R>) -> Node<R> {
        let in_play = board.in_play();
        Node { board, in_play, key: self.key(board, in_play), tt_move: None }
    }

    /// Whether the node gains at least `window.beta`: if the result fails high
    /// it is a lower bound of the gain, otherwise an upper one.
    ///
    /// The window is two seeds wide and has the parity of the seeds in play.
    pub(super) fn search(&mut self, node: Node<R>, window: Window<Gain>) -> Result<Gain, Stopped> {
        let mut generated = Generated::new(node);
        self.generate(&mut generated, window);
        self.resolve(&mut generated, window)
    }

    /// Makes every move of `generated.node`. What the end of the game or seeds
    /// that can be banked at once decide goes into `best`; for the other moves
    /// the entries of the tables are prefetched.
    fn generate(&self, generated: &mut Generated<R>, window: Window<Gain>) {
        let Shared { sowing, bounds, tables, table, .. } = self.shared;
        let Generated { node, best, tabled, open } = generated;
        *best = Best::NONE;
        tabled.clear();
        open.clear();
        for pit in node.board.moves().rev() {
            // Cheapest first: bounds from the rules, then endgame tables, then the
            // transposition table.
            let Sown { board, banked, turn } = node.board.sow(sowing, pit);
            let in_play = node.in_play - banked;
            let banked = Gain(banked as i32);
            let proved = if board.is_over() {
                Interval::exactly(board.final_gain())
            } else {
                bounds.of(board, in_play)
            };
            let proved = proved.from_child(banked, turn);
            if window.fails_high(proved.lower) {
                // The other moves are not needed; `resolve` sees the cutoff.
                best.improve(proved.lower, pit);
                return;
            }
            if window.fails_low(proved.upper) {
                best.improve(proved.upper, pit);
            } else if let Some(tables) = tables.as_ref().filter(|_| in_play <= self.tabled) {
                let own = board.own.sum();
                let slot = tables.slot(board, own, in_play - own);
                tables.prefetch(slot);
                tabled.push(TabledChild { slot, in_play, pit, banked, turn });
            } else {
                let key = self.key(board, in_play);
                if let Some(key) = key {
                    table.prefetch(key);
                }
                let node = Node { board, in_play, key, tt_move: None };
                open.push(Child { node, pit, banked, turn });
            }
        }
    }

    /// Answers the question that the moves were generated for, as
    /// [`Worker::search`] does.
    fn resolve(
        &mut self,
        generated: &mut Generated<R>,
        window: Window<Gain>,
    ) -> Result<Gain, Stopped> {
        let node = generated.node;
        debug_assert!(!node.board.is_over() && node.board.in_play() == node.in_play);
        debug_assert!(window.beta.0 - window.alpha.0 == 2);
        debug_assert!((window.beta.0 - node.in_play as i32) % 2 == 0);
        let nodes_before = self.nodes;
        self.count()?;
        if window.fails_high(generated.best.gain) {
            return Ok(generated.best.gain);
        }
        let mut pipeline = Pipeline::new(node);
        // The likely first child is generated while the entries of all children
        // are still being loaded. With tabled moves a cutoff without a search is
        // too likely for that.
        if generated.tabled.is_empty() {
            let open = &generated.open;
            let order = |&index: &usize| self.shared.order.of(&open[index], node.tt_move);
            if let Some(first) = (0..open.len()).max_by_key(order) {
                self.prefetch(&mut pipeline, open, first, window);
            }
        }
        let mut orders = ArrayVec::<u32, MAX_PITS>::new();
        if let Some(gain) = self.probe(generated, window, &mut orders) {
            return Ok(gain);
        }
        let searching = self.shared.searching(&node);
        if let Some((searching, key)) = searching {
            searching.begin(key);
        }
        self.search_children(generated, window, &mut orders, &mut pipeline)?;
        if let Some((searching, key)) = searching {
            searching.end(key);
        }
        // Cutoffs before the search of a child are not stored: the same probes
        // would find them again.
        if let Some(key) = node.key {
            let entry = generated.best.entry(window, node.in_play);
            self.shared.table.store(key, node.in_play, entry, self.nodes - nodes_before);
        }
        Ok(generated.best.gain)
    }

    /// Probes the tables for the generated moves and returns the gain of one
    /// that fails high. Otherwise `orders` gets what is left to search: the order
    /// of each move and, in the low bits, its index in `generated.open`.
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
                child.node.tt_move = entry.best_move;
            }
            // One word an entry, so that the highest is found by comparisons alone.
            orders.push(self.shared.order.of(child, node.tt_move) * MAX_PITS as u32 + index as u32);
        }
        None
    }

    /// Searches the children that are in `orders`, until one fails high.
    fn search_children(
        &mut self,
        generated: &mut Generated<R>,
        window: Window<Gain>,
        orders: &mut ArrayVec<u32, MAX_PITS>,
        pipeline: &mut Pipeline<R>,
    ) -> Result<(), Stopped> {
        let mut first = true;
        while let Some((at, order)) = highest(orders) {
            let index = order as usize % MAX_PITS;
            let child = &generated.open[index];
            let deferred = order < DEFERRED + MAX_PITS as u32;
            // The first child is never deferred: its cutoff may spare the rest.
            let other_thread = || {
                let searching = self.shared.searching(&child.node);
                searching.is_some_and(|(searching, key)| searching.contains(key))
            };
            if !first && !deferred && other_thread() {
                orders[at] = DEFERRED + index as u32;
                continue;
            }
            orders[at] = DONE;
            // Another thread may have decided a deferred child meanwhile.
            let entry = if deferred { self.entry(&child.node) } else { None };
            let child_window = child.window(window);
            let gain = match entry.and_then(|entry| entry.proved.answer(child_window)) {
                Some(gain) => gain,
                None => {
                    if pipeline.next != Some(index) {
                        self.prefetch(pipeline, &generated.open, index, window);
                    }
                    pipeline.advance();
                    pipeline.current().node.tt_move = child.node.tt_move;
                    // If the first did not cut off, all others will be needed.
                    if !first && let Some((_, next)) = highest(orders) {
                        let next = next as usize % MAX_PITS;
                        self.prefetch(pipeline, &generated.open, next, window);
                    }
                    self.resolve(pipeline.current(), child_window)?
                }
            };
            first = false;
            generated.best.improve(child.banked + child.turn.from_child(gain), child.pit);
            if window.fails_high(generated.best.gain) {
                break;
            }
        }
        Ok(())
    }

    /// Generates the moves of a child ahead of its search.
    #[inline]
    fn prefetch(
        &self,
        pipeline: &mut Pipeline<R>,
        open: &[Child<R>],
        index: usize,
        window: Window<Gain>,
    ) {
        let next = &mut pipeline.generated[1 - pipeline.current];
        next.node = open[index].node;
        self.generate(next, open[index].window(window));
        pipeline.next = Some(index);
    }

    #[inline]
    fn entry(&self, node: &Node<R>) -> Option<Entry> {
        node.key.and_then(|key| self.shared.table.probe(key, node.in_play))
    }

    #[inline]
    fn key(&self, board: Board<R>, in_play: u32) -> Option<Key> {
        self.shared.key(board, in_play, self.tabled)
    }

    /// Counts a position; now and then reports the count and checks for a stop.
    #[inline]
    fn count(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes >= self.next_check {
            self.report();
            if self.shared.halt.load(Relaxed) || self.nodes >= self.limit {
                return Err(Stopped);
            }
            self.next_check = self.limit.min(self.nodes + CHECK_INTERVAL);
        }
        Ok(())
    }

    /// Publishes the number of positions visited.
    pub(super) fn report(&self) {
        self.reported.store(self.nodes, Relaxed);
    }
}

/// Positions between two checks for a stop. Threads share the cache lines of the
/// counter and of the flag: rarely is often enough for a stop within a millisecond.
const CHECK_INTERVAL: u64 = 1024;

/// The order of a child that was searched.
const DONE: u32 = 0;
/// The lowest order of a child that another thread is searching.
const DEFERRED: u32 = MAX_PITS as u32;

/// The highest order that is not [`DONE`], and its index.
#[inline]
fn highest(orders: &[u32]) -> Option<(usize, u32)> {
    let mut highest = (0, DONE);
    for (at, &order) in orders.iter().enumerate() {
        if order > highest.1 {
            highest = (at, order);
        }
    }
    (highest.1 != DONE).then_some(highest)
}

/// The order in which moves are searched. It changes the time that a proof
/// takes, and nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The move of the transposition table, extra turns, captures, other moves that
    /// bank a seed, and among equals the pit nearest the store: the smallest trees.
    #[default]
    Standard,
    /// Captures, then extra turns, regardless of the transposition table: an
    /// independent re-verification visits other positions. It takes about twice
    /// as long.
    Independent,
}

impl Order {
    /// The rank of a child, the highest first, from 2.
    #[inline]
    fn of<R: Row>(self, child: &Child<R>, tt_move: Option<Pit>) -> u32 {
        let pit = child.pit.index() as u32;
        let captured = 4 * child.banked.0 as u32;
        let again = child.turn == Turn::Keeps;
        match self {
            Order::Standard if tt_move == Some(child.pit) => 1 << 20,
            Order::Standard if again => (1 << 19) + pit,
            Order::Standard if child.banked.0 > 1 => 100 + captured + pit,
            Order::Standard if child.banked.0 == 1 => 2 + MAX_PITS as u32 + pit,
            Order::Independent if child.banked.0 > 1 => (1 << 19) + captured,
            Order::Independent if again => (1 << 18) + pit,
            _ => 2 + pit,
        }
    }
}
