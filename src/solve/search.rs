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
use crate::game::{Board, MAX_PITS, Pit, Row, Sowing, Sown};
use crate::score::{Gain, Interval, Score, Turn, Window};
use crate::sys::random::mix;
use crate::sys::searching::CurrentlySearching;

use super::bounds::Bounds;
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
    /// None with a single thread.
    pub searching: Option<CurrentlySearching>,
    /// Positions with fewer seeds in play are not worth an entry in `searching`.
    pub least_shared: u32,
    pub order: Order,
    /// Set when the answer is known or nobody wants it any more.
    pub halt: AtomicBool,
}

impl<R: Row> Shared<R> {
    /// The most seeds in play of a position whose gain the tables hold.
    fn tabled(&self) -> u32 {
        self.tables.as_ref().map_or(0, Tables::seeds)
    }

    /// Where other threads can see that a position is being searched, and its
    /// key there; none if it is too small to be shared.
    #[inline]
    fn searching(&self, place: Option<Place>, in_play: u32) -> Option<(&CurrentlySearching, u64)> {
        let searching = self.searching.as_ref().filter(|_| in_play >= self.least_shared)?;
        // Zero is an empty cell.
        place.map(|place| (searching, mix(place.bits()) | 1))
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

impl<R> Child<R> {
    /// The question for the mover after this move, if `window` is the one
    /// before.
    #[inline]
    fn asked(&self, window: Window<Gain>) -> Window<Gain> {
        window.after(self.banked).seen_by(self.turn)
    }
}

/// What looking at the moves of a node has found.
struct Look<R> {
    node: Node<R>,
    answer: Answer,
    /// Moves into the tables.
    tabled: ArrayVec<Tabled, MAX_PITS>,
    /// Moves that only the memory or a search can decide.
    open: ArrayVec<Child<R>, MAX_PITS>,
}

impl<R> Look<R> {
    /// Nothing seen yet.
    #[inline]
    fn new(node: Node<R>) -> Self {
        Self { node, answer: Answer::NONE, tabled: ArrayVec::new(), open: ArrayVec::new() }
    }
}

/// Room for looking at one child while another is searched, so that the memory
/// it needs comes near in the meantime: waiting for memory is what a proof
/// spends most of its time with.
struct Ahead<R> {
    looks: [Look<R>; 2],
    /// Which of the looks belongs to the child that is searched now.
    at_hand: usize,
    /// The child that the other one belongs to.
    child: Option<usize>,
}

impl<R: Copy> Ahead<R> {
    /// No child looked at; `node` only fills the room.
    #[inline]
    fn new(node: Node<R>) -> Self {
        Self { looks: [Look::new(node), Look::new(node)], at_hand: 0, child: None }
    }

    /// Takes the child that was looked at to be searched now.
    #[inline]
    fn advance(&mut self) -> &mut Look<R> {
        self.at_hand = 1 - self.at_hand;
        self.child = None;
        self.at_hand()
    }

    /// The child that is searched now.
    #[inline]
    fn at_hand(&mut self) -> &mut Look<R> {
        &mut self.looks[self.at_hand]
    }
}

/// The best answer so far.
#[derive(Clone, Copy)]
struct Answer {
    gain: Gain,
    pit: Option<Pit>,
}

impl Answer {
    /// Worse than any.
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
    fn memo(&self, window: Window<Gain>, in_play: u32) -> Memo {
        let in_play = Gain(in_play as i32);
        let proved = if window.fails_high(self.gain) {
            Interval { lower: self.gain, upper: in_play }
        } else {
            Interval { lower: -in_play, upper: self.gain }
        };
        Memo { proved, best: self.pit }
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
        let mut look = Look::new(node);
        self.look(&mut look, window);
        self.settle(&mut look, window)
    }

    /// Makes every move of `look.node`. Whatever the end of the game or seeds
    /// that can be banked at once decide goes into its answer; what the tables
    /// or the memory may know of the others is on its way.
    fn look(&self, look: &mut Look<R>, window: Window<Gain>) {
        let Shared { sowing, bounds, tables, memory, .. } = self.shared;
        let Look { node, answer, tabled, open } = look;
        *answer = Answer::NONE;
        tabled.clear();
        open.clear();
        for pit in node.board.moves().rev() {
            let Sown { board, banked, turn } = node.board.sow(sowing, pit);
            let in_play = node.in_play - banked;
            let banked = Gain(banked as i32);
            let proved = if board.is_over() {
                Interval::exactly(board.final_gain())
            } else {
                bounds.of(board, in_play)
            };
            let proved = up(banked, turn, proved);
            if window.fails_high(proved.lower) {
                answer.improve(proved.lower, pit);
                return;
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
    }

    /// Answers the question that `look` was made for, as [`Worker::search`]
    /// does.
    fn settle(&mut self, look: &mut Look<R>, window: Window<Gain>) -> Result<Gain, Stopped> {
        let Node { board, in_play, place, hint } = look.node;
        debug_assert!(!board.is_over() && board.in_play() == in_play);
        debug_assert!(window.beta.0 - window.alpha.0 == 2);
        debug_assert!((window.beta.0 - in_play as i32) % 2 == 0);
        let nodes_before = self.nodes;
        self.count()?;
        if window.fails_high(look.answer.gain) {
            return Ok(look.answer.gain);
        }
        let mut ahead = Ahead::new(look.node);
        if look.tabled.is_empty() {
            let order = |&index: &usize| self.shared.order.of(&look.open[index], hint);
            if let Some(first) = (0..look.open.len()).max_by_key(order) {
                self.look_ahead(&mut ahead, &look.open, first, window);
            }
        }
        let mut orders = ArrayVec::<u32, MAX_PITS>::new();
        if let Some(gain) = self.recall(look, window, &mut orders) {
            return Ok(gain);
        }
        let searching = self.shared.searching(place, in_play);
        if let Some((searching, key)) = searching {
            searching.begin(key);
        }
        self.search_children(look, window, &mut orders, &mut ahead)?;
        if let Some((searching, key)) = searching {
            searching.end(key);
        }
        if let Some(place) = place {
            let memo = look.answer.memo(window, in_play);
            self.shared.memory.store(place, in_play, memo, self.nodes - nodes_before);
        }
        Ok(look.answer.gain)
    }

    /// Asks the tables and the memory about the moves of `look`, and puts those
    /// that they do not decide into `orders`: what to search first, and in the
    /// low bits which of `look.open` it is. Or else a move that fails high
    /// settles the node.
    #[inline]
    fn recall(
        &self,
        look: &mut Look<R>,
        window: Window<Gain>,
        orders: &mut ArrayVec<u32, MAX_PITS>,
    ) -> Option<Gain> {
        let Look { node, answer, tabled, open } = look;
        if let Some(tables) = &self.shared.tables {
            for &Tabled { slot, in_play, pit, banked, turn } in tabled.iter() {
                let gain = banked + turn.from_child(tables.gain_at(slot, in_play));
                if window.fails_high(gain) {
                    return Some(gain);
                }
                answer.improve(gain, pit);
            }
        }
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
            orders.push(self.shared.order.of(child, node.hint) * MAX_PITS as u32 + index as u32);
        }
        None
    }

    /// Searches the children of `look` that are in `orders`, until one fails
    /// high.
    fn search_children(
        &mut self,
        look: &mut Look<R>,
        window: Window<Gain>,
        orders: &mut ArrayVec<u32, MAX_PITS>,
        ahead: &mut Ahead<R>,
    ) -> Result<(), Stopped> {
        let mut first = true;
        while let Some((at, next)) = highest(orders) {
            let index = next as usize % MAX_PITS;
            let child = &look.open[index];
            let put_off = next < PUT_OFF + MAX_PITS as u32;
            let searched = self.shared.searching(child.node.place, child.node.in_play);
            if !first
                && !put_off
                && searched.is_some_and(|(searching, key)| searching.contains(key))
            {
                orders[at] = PUT_OFF + index as u32;
                continue;
            }
            orders[at] = DONE;
            // One that was put off may have been decided meanwhile.
            let known = if put_off { self.memo(&child.node) } else { None };
            let gain = match known.and_then(|memo| decided(memo.proved, child.asked(window))) {
                Some(gain) => gain,
                None => {
                    if ahead.child != Some(index) {
                        self.look_ahead(ahead, &look.open, index, window);
                    }
                    let now = ahead.advance();
                    now.node.hint = child.node.hint;
                    // If the first did not cut off, all others will be needed.
                    if !first && let Some((_, next)) = highest(orders) {
                        let next = next as usize % MAX_PITS;
                        self.look_ahead(ahead, &look.open, next, window);
                    }
                    self.settle(ahead.at_hand(), child.asked(window))?
                }
            };
            first = false;
            look.answer.improve(child.banked + child.turn.from_child(gain), child.pit);
            if window.fails_high(look.answer.gain) {
                break;
            }
        }
        Ok(())
    }

    /// Looks at a child before its turn has come.
    #[inline]
    fn look_ahead(
        &self,
        ahead: &mut Ahead<R>,
        open: &[Child<R>],
        index: usize,
        window: Window<Gain>,
    ) {
        let child = &open[index];
        let look = &mut ahead.looks[1 - ahead.at_hand];
        look.node = child.node;
        self.look(look, child.asked(window));
        ahead.child = Some(index);
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
pub(super) fn decided(proved: Interval<Gain>, window: Window<Gain>) -> Option<Gain> {
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
    /// Captures, then extra turns, and nothing remembered: another walk, for
    /// checking the first one. It takes about twice as long.
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
            Order::Other if child.banked.0 > 1 => (1 << 19) + captured,
            Order::Other if again => (1 << 18) + pit,
            _ => 2 + pit,
        }
    }
}
