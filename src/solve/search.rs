//! The proof: is a position worth at least so much?
//!
//! A fail-soft null-window search. All gains of a position have the parity of
//! its seeds in play, so that a null window is two seeds wide. Every child is
//! looked at before any is searched: the game's end, what can be banked at
//! once, and the memory often answer for nothing (enhanced transposition
//! cutoffs; Irving, Donkers and Uiterwijk, section 4).

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use arrayvec::ArrayVec;

use crate::endgame::Tables;
use crate::kalah::{Board, MAX_PITS, Pit, Row, Sowing, Sown};
use crate::score::{Gain, Interval, Score, Turn, Window};

use super::bounds::Bounds;
use super::busy::Busy;
use super::memory::{Memo, Memory, Place};

/// The search was told to stop; what it was about to find is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

/// What all threads of a proof share.
pub(super) struct Shared<R> {
    pub sowing: Sowing<R>,
    pub bounds: Bounds<R>,
    pub tables: Option<Tables>,
    pub memory: Memory,
    pub busy: Busy,
    pub order: Order,
    /// Set when the answer is known or nobody wants it any more.
    pub halt: AtomicBool,
}

impl<R: Row> Shared<R> {
    /// The most seeds in play of a position whose gain the tables hold.
    fn tabled(&self) -> u32 {
        self.tables.as_ref().map_or(0, Tables::seeds)
    }
}

/// One thread of a proof.
pub(super) struct Worker<'a, R> {
    shared: &'a Shared<R>,
    /// The most seeds in play of a position whose gain the tables hold.
    tabled: u32,
    /// Positions visited.
    nodes: u64,
    /// The same, for others to read now and then.
    reported: &'a AtomicU64,
}

/// A position to search, which is not over.
#[derive(Clone, Copy)]
pub(super) struct Node<R> {
    pub board: Board<R>,
    /// Seeds on the board.
    pub in_play: u32,
    /// Where the memory keeps it, unless it is too big or not worth it.
    place: Option<Place>,
    /// The move to try first.
    hint: Option<Pit>,
}

/// A move that looking at it has not decided.
#[derive(Clone, Copy)]
struct Child<R> {
    node: Node<R>,
    pit: Pit,
    banked: Gain,
    turn: Turn,
}

/// A move into the tables, whose line is on its way.
struct Tabled {
    slot: usize,
    in_play: u32,
    pit: Pit,
    banked: Gain,
    turn: Turn,
}

/// The best answer so far.
struct Answer {
    gain: Gain,
    pit: Option<Pit>,
}

impl Answer {
    /// Takes in that `pit` gains at most (or, at the end, at least) `gain`.
    #[inline]
    fn improve(&mut self, gain: Gain, pit: Pit) {
        if gain > self.gain {
            *self = Self { gain, pit: Some(pit) };
        }
    }
}

/// Bounds of what follows a move that banks `banked`, as the mover sees them.
#[inline]
fn up(banked: Gain, turn: Turn, after: Interval<Gain>) -> Interval<Gain> {
    match turn {
        Turn::Keeps => Interval { lower: banked + after.lower, upper: banked + after.upper },
        Turn::Passes => Interval { lower: banked - after.upper, upper: banked - after.lower },
    }
}

impl<'a, R: Row> Worker<'a, R> {
    pub fn new(shared: &'a Shared<R>, reported: &'a AtomicU64) -> Self {
        Self { shared, tabled: shared.tabled(), nodes: 0, reported }
    }

    /// Whether the node gains at least `window.beta`: if the result fails high
    /// it is a lower bound of the gain, otherwise an upper one.
    ///
    /// The window is two seeds wide and has the parity of the seeds in play.
    pub fn search(&mut self, node: Node<R>, window: Window<Gain>) -> Result<Gain, Stopped> {
        let Node { board, in_play, place, hint } = node;
        debug_assert!(!board.is_over() && board.in_play() == in_play);
        debug_assert!(window.beta.0 - window.alpha.0 == 2);
        debug_assert!((window.beta.0 - in_play as i32) % 2 == 0);
        let nodes_before = self.nodes;
        self.count()?;
        let mut answer = Answer { gain: Gain::MIN, pit: None };
        let mut open = ArrayVec::new();
        if let Some(gain) = self.look(&node, window, &mut answer, &mut open) {
            return Ok(gain);
        }
        let mut orders = ArrayVec::<u32, MAX_PITS>::new();
        if let Some(gain) = self.recall(hint, window, &mut answer, &mut open, &mut orders) {
            return Ok(gain);
        }
        let busy = self.shared.busy.enter(place, in_play);
        let mut first = true;
        while let Some((at, next)) = highest(&orders) {
            let child = &open[next as usize % MAX_PITS];
            let put_off = next < PUT_OFF + MAX_PITS as u32;
            let busy = &self.shared.busy;
            if !first && !put_off && busy.holds(child.node.place, child.node.in_play) {
                orders[at] = PUT_OFF + next % MAX_PITS as u32;
                continue;
            }
            orders[at] = DONE;
            first = false;
            let gain = self.search_child(child, window, put_off)?;
            answer.improve(gain, child.pit);
            if window.fails_high(gain) {
                break;
            }
        }
        self.shared.busy.leave(busy);
        if let Some(place) = place {
            let proved = if window.fails_high(answer.gain) {
                Interval { lower: answer.gain, upper: Gain(in_play as i32) }
            } else {
                Interval { lower: Gain(-(in_play as i32)), upper: answer.gain }
            };
            let memo = Memo { proved, best: answer.pit };
            self.shared.memory.store(place, in_play, memo, self.nodes - nodes_before);
        }
        Ok(answer.gain)
    }

    /// Makes every move. Whatever the end of the game, seeds that can be banked
    /// at once or the tables decide goes into `answer`, the rest into `open`;
    /// or else a move that fails high settles the node.
    #[inline]
    fn look(
        &self,
        node: &Node<R>,
        window: Window<Gain>,
        answer: &mut Answer,
        open: &mut ArrayVec<Child<R>, MAX_PITS>,
    ) -> Option<Gain> {
        let Shared { sowing, bounds, tables, memory, .. } = self.shared;
        let mut tabled = ArrayVec::<Tabled, MAX_PITS>::new();
        for pit in node.board.moves().rev() {
            let Sown { board, banked, turn } = node.board.sow(sowing, pit);
            let in_play = node.in_play - banked;
            let banked = Gain(banked as i32);
            let proved = if board.is_over() {
                Interval::exactly(board.rest())
            } else {
                bounds.of(board, in_play)
            };
            let proved = up(banked, turn, proved);
            if window.fails_high(proved.lower) {
                return Some(proved.lower);
            }
            if window.fails_low(proved.upper) {
                answer.improve(proved.upper, pit);
            } else if let Some(tables) = tables.as_ref().filter(|_| in_play <= self.tabled) {
                let own = board.own.sum();
                let slot = tables.slot(board, own, in_play - own);
                tables.prefetch(slot);
                tabled.push(Tabled { slot, in_play, pit, banked, turn });
            } else {
                let place = self.place(board, in_play);
                if let Some(place) = place {
                    memory.prefetch(place);
                }
                let node = Node { board, in_play, place, hint: None };
                open.push(Child { node, pit, banked, turn });
            }
        }
        let tables = tables.as_ref()?;
        for Tabled { slot, in_play, pit, banked, turn } in tabled {
            let gain = banked + turn.up(tables.gain_at(slot, in_play));
            if window.fails_high(gain) {
                return Some(gain);
            }
            answer.improve(gain, pit);
        }
        None
    }

    /// Asks the memory about every open child, and puts those that it does not
    /// decide into `orders`: what to search first, and in the low bits which
    /// child of `open` it is.
    #[inline]
    fn recall(
        &self,
        hint: Option<Pit>,
        window: Window<Gain>,
        answer: &mut Answer,
        open: &mut ArrayVec<Child<R>, MAX_PITS>,
        orders: &mut ArrayVec<u32, MAX_PITS>,
    ) -> Option<Gain> {
        for (index, child) in open.iter_mut().enumerate() {
            if let Some(memo) = self.memo(&child.node) {
                let proved = up(child.banked, child.turn, memo.proved);
                if window.fails_high(proved.lower) {
                    return Some(proved.lower);
                }
                if window.fails_low(proved.upper) {
                    answer.improve(proved.upper, child.pit);
                    continue;
                }
                child.node.hint = memo.best;
            }
            orders.push(self.shared.order.of(child, hint) * MAX_PITS as u32 + index as u32);
        }
        None
    }

    /// Searches a child; one that was put off may have been decided meanwhile.
    fn search_child(
        &mut self,
        child: &Child<R>,
        window: Window<Gain>,
        put_off: bool,
    ) -> Result<Gain, Stopped> {
        let asked = window.after(child.banked).seen_by(child.turn);
        let known = if put_off { self.memo(&child.node) } else { None };
        let gain = match known.and_then(|memo| decided(memo.proved, asked)) {
            Some(gain) => gain,
            None => self.search(child.node, asked)?,
        };
        Ok(child.banked + child.turn.up(gain))
    }

    /// The node of a board that is not over.
    pub fn node(&self, board: Board<R>) -> Node<R> {
        let in_play = board.in_play();
        Node { board, in_play, place: self.place(board, in_play), hint: None }
    }

    #[inline]
    fn memo(&self, node: &Node<R>) -> Option<Memo> {
        node.place.and_then(|place| self.shared.memory.probe(place, node.in_play))
    }

    /// Where a board is remembered. Boards whose moves all lead into the tables
    /// are not: to look at those again is as cheap.
    #[inline]
    fn place(&self, board: Board<R>, in_play: u32) -> Option<Place> {
        let memory = &self.shared.memory;
        let remembered = self.tabled + 2..=memory.most_seeds();
        remembered.contains(&in_play).then(|| memory.place(board))
    }

    /// Counts a position, and looks now and then whether to go on.
    #[inline]
    fn count(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024) {
            self.report();
            if self.shared.halt.load(Relaxed) {
                return Err(Stopped);
            }
        }
        Ok(())
    }

    /// Lets others know how many positions were visited.
    pub fn report(&self) {
        self.reported.store(self.nodes, Relaxed);
    }
}

/// The bound that answers the window's question, if there is one.
#[inline]
fn decided(proved: Interval<Gain>, window: Window<Gain>) -> Option<Gain> {
    if window.fails_high(proved.lower) {
        Some(proved.lower)
    } else if window.fails_low(proved.upper) {
        Some(proved.upper)
    } else {
        None
    }
}

/// The order of a child that was searched.
const DONE: u32 = 0;
/// The lowest order of a child that another thread is searching.
const PUT_OFF: u32 = MAX_PITS as u32;

/// The highest order that is not [`DONE`], and its place.
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

/// What is searched first. The order changes the time that a proof takes, and
/// nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The remembered move, extra turns, captures, and among equals the pit
    /// nearest the store: the smallest trees.
    #[default]
    Usual,
    /// Captures, then extra turns from the pit farthest from the store: another
    /// walk, for checking the first one.
    Other,
}

impl Order {
    /// The rank of a child, the highest first, from 2.
    #[inline]
    fn of<R: Row>(self, child: &Child<R>, remembered: Option<Pit>) -> u32 {
        let pit = child.pit.index() as u32;
        let captured = 4 * child.banked.0 as u32;
        let again = child.turn == Turn::Keeps;
        match self {
            Order::Usual if remembered == Some(child.pit) => 1 << 20,
            Order::Usual if again => (1 << 19) + pit,
            Order::Usual if child.banked.0 > 1 => 100 + captured + pit,
            Order::Other if again => (1 << 18) + MAX_PITS as u32 - pit,
            Order::Other if child.banked.0 > 1 => (1 << 19) + captured,
            _ => 2 + pit,
        }
    }
}
