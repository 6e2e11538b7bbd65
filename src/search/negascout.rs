//! The search of one window: NegaScout with memory (Reinefeld, "An improvement
//! to the Scout tree search algorithm", ICCA Journal 6(4), 1983).
//!
//! With every [`SearchOptions`] off it is the algorithm of the paper and visits the
//! leaves that the lab's version visits; a test holds it to that.

use crate::depth::{Depth, Ply};
use crate::endgame::Tables;
use crate::game::{Board, Pit, PitSet, Row, Sowing, Sown};
use crate::score::{Turn, Value, Window};
use crate::search::eval::{Weights, evaluate};
use crate::search::table::{Bound, Entry, TranspositionTable};
use crate::search::zobrist::Zobrist;

use super::children::{Child, Children, Found, certain};
use super::control::{Control, Stopped};
use super::iterate::Job;
use super::node::{Best, Node};
use super::ordering::{HISTORY_LIMIT, Ordering};
use super::report::RootMove;
use crate::sys::searching::CurrentlySearching;

/// Shallower searches end before another thread could defer to them.
const LEAST_SHARED_DEPTH: Depth = Depth(3);

/// What the engine adds to plain NegaScout. Each can be switched off, for
/// experiments and for the test that ties the search to the lab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// Probe and store entries of the transposition table, and cut off by the
    /// entries of the children (ETC).
    pub transposition_table: bool,
    /// Cut off by what is proved of a child without a search: its seeds in play
    /// bound its gain, and endgame tables hold it.
    pub bound_cutoffs: bool,
    /// Order moves; otherwise they come farthest from the store first.
    pub move_ordering: bool,
    /// Search late quiet moves less deep at first (LMR).
    pub late_move_reductions: bool,
    /// An extra turn costs no depth, down to a horizon of twice the depth.
    pub extra_turn_extensions: bool,
}

impl SearchOptions {
    /// The engine as it plays.
    pub const ALL: Self = Self {
        transposition_table: true,
        bound_cutoffs: true,
        move_ordering: true,
        late_move_reductions: true,
        extra_turn_extensions: true,
    };
    /// Plain NegaScout.
    pub const NONE: Self = Self {
        transposition_table: false,
        bound_cutoffs: false,
        move_ordering: false,
        late_move_reductions: false,
        extra_turn_extensions: false,
    };
}

/// Receives what one thread searches, in order.
pub trait Observer<R> {
    /// A board at the frontier or at the end of the game.
    #[inline]
    fn leaf(&mut self, _: Board<R>) {}

    /// The next move of the root. Moves that are settled without a search are
    /// left out.
    #[inline]
    fn root_move(&mut self, _: RootMove) {}
}

/// One thread's search of one position.
pub(super) struct Search<'a, R, O> {
    pub sowing: &'a Sowing<R>,
    pub table: &'a TranspositionTable,
    pub control: &'a Control,
    pub weights: &'a Weights,
    pub tables: Option<&'a Tables>,
    pub options: SearchOptions,
    pub observer: O,
    /// What the other threads search, if there are any.
    pub searching: Option<&'a CurrentlySearching>,
    pub zobrist: Zobrist,
    ordering: Ordering,
    /// The principal variation below each ply, valid after a search in an open
    /// window.
    lines: Vec<Vec<Pit>>,
    /// Nodes and table hits not yet reported to the control.
    pending: (u64, u64),
    poll_interval: u64,
    /// From here on extra turns cost depth like any sowing.
    pub horizon: Ply,
    /// Whether a stop is obeyed; the first iteration is always finished.
    pub stoppable: bool,
    /// The longest line looked at since it was last set.
    pub seldepth: u16,
}

impl<'a, R: Row, O: Observer<R>> Search<'a, R, O> {
    pub(super) fn new(
        sowing: &'a Sowing<R>,
        job: &Job<'a>,
        control: &'a Control,
        observer: O,
    ) -> Self {
        Self {
            sowing,
            table: job.table,
            control,
            weights: job.weights,
            tables: job.tables,
            options: job.options,
            observer,
            searching: None,
            zobrist: Zobrist::new(sowing),
            ordering: Ordering::new(),
            lines: Vec::new(),
            pending: (0, 0),
            poll_interval: control.poll_interval(),
            horizon: Ply(u16::MAX),
            stoppable: true,
            seldepth: 0,
        }
    }

    /// The best of `moves` from the root, within `window`: what it is worth
    /// and which it is.
    ///
    /// `moves` are legal and not none; `depth` is at least one.
    pub(super) fn search_root(
        &mut self,
        board: Board<R>,
        moves: PitSet,
        window: Window<Value>,
        depth: Depth,
    ) -> Result<(Found, Option<Pit>), Stopped> {
        debug_assert!(!moves.is_empty() && depth > Depth::ZERO);
        self.visit(Ply(0))?;
        self.pv_at(Ply(0)).clear();
        let key = self.zobrist.key(board);
        let entry = if self.options.transposition_table { self.table.probe(key) } else { None };
        let tt_move = entry.and_then(|entry| entry.best);
        let node = Node { board, moves, key, window, depth, ply: Ply(0) };
        let best = self.expand(&node, tt_move)?;
        if node.is_whole() {
            self.store(&node, &best);
        }
        Ok((best.result(window), best.pit))
    }

    /// The line found by the last search in an open window, from the root.
    pub(super) fn line(&self) -> &[Pit] {
        self.lines.first().map_or(&[], Vec::as_slice)
    }

    /// What the mover gains from `board`, fail-soft within `window`, looking
    /// `depth` sowings ahead (more where extra turns are free).
    ///
    /// `key` is the board's, if memory is in use. Fails only by being stopped;
    /// the value is then unknown.
    fn search(
        &mut self,
        board: Board<R>,
        key: u64,
        window: Window<Value>,
        depth: Depth,
        ply: Ply,
    ) -> Result<Found, Stopped> {
        self.visit(ply)?;
        if !window.is_null() {
            self.pv_at(ply).clear();
        }
        if board.is_over() {
            self.observer.leaf(board);
            return Ok(Found::proved(board.final_gain()));
        }
        if depth == Depth::ZERO {
            self.observer.leaf(board);
            let value = evaluate(board, self.sowing.pits(), self.weights);
            return Ok(Found { value, proved: false });
        }
        let entry = if self.options.transposition_table { self.table.probe(key) } else { None };
        // Lines are wanted whole: an open window is closed by proofs alone, or by
        // what other threads announce.
        if let Some(entry) = entry
            && entry.settles(depth, window)
            && (window.is_null() || entry.proved)
        {
            return Ok(Found { value: entry.value, proved: entry.proved });
        }
        let tt_move = entry.and_then(|entry| entry.best);
        let node = Node { board, moves: board.moves(), key, window, depth, ply };
        let best = self.expand(&node, tt_move)?;
        self.store(&node, &best);
        Ok(best.result(window))
    }

    /// Searches the moves of a node until one fails high or none is left.
    fn expand(&mut self, node: &Node<R>, tt_move: Option<Pit>) -> Result<Best, Stopped> {
        let &Node { board, window, ply, .. } = node;
        let mut best = Best::none();
        let mut children = Children::new();
        for pit in node.moves {
            let sown = board.sow(self.sowing, pit);
            if self.options.bound_cutoffs
                && let Some(found) = self.settled(&sown, window.raised(best.found.value))
            {
                if best.consider(pit, found) && window.alpha < found.value {
                    self.start_pv(ply, pit, window);
                }
                if window.fails_high(found.value) {
                    return Ok(best);
                }
                continue;
            }
            let mut child = Child { pit, sown, key: 0, rank: -(pit.index() as i32), place: 0 };
            if self.options.transposition_table && self.depth_after(&child, node) > Depth::ZERO {
                child.key = self.zobrist.key(sown.board);
                self.table.prefetch(child.key);
            }
            if self.options.move_ordering {
                child.rank = self.rank(board, &child, tt_move, ply);
            }
            children.push(child);
        }
        if self.options.transposition_table
            && window.is_null()
            && let Some((pit, found)) = self.enhanced_transposition_cutoff(&children, node)
        {
            best.consider(pit, found);
            return Ok(best);
        }
        self.search_children(node, children, &mut best)?;
        Ok(best)
    }

    /// What is certain of a move without searching it: see [`certain`], and the
    /// endgame tables.
    #[inline]
    fn settled(&mut self, sown: &Sown<R>, window: Window<Value>) -> Option<Found> {
        certain(sown, window).or_else(|| {
            let gain = self.tables?.gain(sown.board)?;
            self.pending.1 += 1;
            Some(Found::proved(gain).from_child(sown))
        })
    }

    /// A move that fails high by what is remembered of the board after it
    /// (enhanced transposition cutoff: Plaat et al., "Exploiting graph
    /// properties of game trees", AAAI-96).
    fn enhanced_transposition_cutoff(
        &self,
        children: &Children<R>,
        node: &Node<R>,
    ) -> Option<(Pit, Found)> {
        let has_key = |child: &&Child<R>| self.depth_after(child, node) > Depth::ZERO;
        children.iter().filter(has_key).find_map(|child| {
            let entry = self.table.probe(child.key)?;
            let window = node.window.after(child.sown.gain().into()).seen_by(child.sown.turn);
            let found = Found { value: entry.value, proved: entry.proved };
            let fails_high = match child.sown.turn {
                Turn::Keeps => window.fails_high(entry.value) && entry.bound != Bound::Upper,
                Turn::Passes => window.fails_low(entry.value) && entry.bound != Bound::Lower,
            };
            let deep_enough = entry.proved || entry.depth >= self.depth_after(child, node);
            (fails_high && deep_enough).then(|| (child.pit, found.from_child(&child.sown)))
        })
    }

    /// NegaScout's loop: the first move in the whole window, each further one
    /// with the question whether it is better, and again if it is.
    fn search_children(
        &mut self,
        node: &Node<R>,
        mut children: Children<R>,
        best: &mut Best,
    ) -> Result<(), Stopped> {
        let &Node { board, window, depth, ply, .. } = node;
        let mut tried = PitSet::default();
        let mut deferred = Children::new();
        let searching = self
            .searching
            .filter(|_| self.options.transposition_table && depth >= LEAST_SHARED_DEPTH);
        let joint = searching.is_some() && !window.is_null() && node.is_whole();
        loop {
            let place = tried.len() + deferred.len();
            let next = children.pop().map(|child| Child { place, ..child });
            let Some(child) = next.or_else(|| deferred.pop()) else { break };
            if joint && self.catch_up(node, best) {
                break;
            }
            // The last ones are searched whoever is at them.
            let busy = searching.is_some_and(|searching| searching.contains(child.key));
            if busy && child.place > 0 && !children.is_empty() {
                deferred.push(child);
                continue;
            }
            let raised = window.raised(best.found.value);
            let found = self.search_announced(node, &child, raised, searching)?;
            let better = best.consider(child.pit, found) && raised.alpha < found.value;
            if window.fails_high(found.value) {
                // What was a line below is not what made it fail high.
                self.start_pv(ply, child.pit, window);
                if self.options.move_ordering {
                    let sowing = |pit| (pit, board.own.count(pit));
                    self.ordering.reward(ply, depth, sowing(child.pit), tried.map(sowing));
                }
                break;
            }
            if better {
                self.extend_pv(ply, child.pit, window);
                if joint {
                    self.announce(node, best);
                }
            }
            tried = tried.with(child.pit);
        }
        Ok(())
    }

    /// What a move is worth, or whether it is better than `window.alpha` if it is
    /// not the first; other threads see that this one is at it.
    fn search_announced(
        &mut self,
        node: &Node<R>,
        child: &Child<R>,
        window: Window<Value>,
        searching: Option<&CurrentlySearching>,
    ) -> Result<Found, Stopped> {
        if node.ply == Ply(0) {
            let (depth, pit, number) = (node.depth, child.pit, child.place + 1);
            self.observer.root_move(RootMove { depth, pit, number });
        }
        if let Some(searching) = searching {
            searching.begin(child.key);
        }
        let found = match child.place {
            0 => self.search_child(child, window, self.depth_after(child, node), node.ply),
            _ => self.scout(node, child, window),
        };
        if let Some(searching) = searching {
            searching.end(child.key);
        }
        found
    }

    /// What is remembered of a node as at least its value, deep enough.
    fn least_known(&self, node: &Node<R>) -> Option<Entry> {
        let deep_enough = |entry: &Entry| entry.proved || entry.depth >= node.depth;
        let known = |entry: &Entry| entry.bound != Bound::Upper && deep_enough(entry);
        self.table.probe(node.key).filter(known)
    }

    /// Tells other threads at this node, whose window is open, how good its best
    /// move is so far.
    fn announce(&self, node: &Node<R>, best: &Best) {
        let Found { value, proved } = best.found;
        if self.least_known(node).is_none_or(|entry| entry.value < value) {
            let (bound, depth, best) = (Bound::Lower, node.depth, best.pit);
            self.table.store(node.key, Entry { value, bound, depth, proved, best });
        }
    }

    /// Takes over a better move that is remembered of this node, as other threads
    /// announce theirs; whether it fails high. With an alpha left behind, more
    /// moves would seem better and be searched again in vain.
    fn catch_up(&mut self, node: &Node<R>, best: &mut Best) -> bool {
        if let Some(entry) = self.least_known(node)
            && node.window.raised(best.found.value).alpha < entry.value
            && let Some(pit) = entry.best.filter(|&pit| node.moves.contains(pit))
        {
            best.take_over(pit, Found { value: entry.value, proved: entry.proved });
            self.start_pv(node.ply, pit, node.window);
        }
        node.window.fails_high(best.found.value)
    }

    /// Whether a later move is better than `window.alpha`, and if so its value.
    fn scout(
        &mut self,
        node: &Node<R>,
        child: &Child<R>,
        window: Window<Value>,
    ) -> Result<Found, Stopped> {
        let ply = node.ply;
        let full = self.depth_after(child, node);
        let reduced = full.reduced(self.reduction(node, child));
        let question = Window::null(window.alpha);
        let mut found = self.search_child(child, question, reduced, ply)?;
        if reduced < full && !window.fails_low(found.value) && !found.proved {
            found = self.search_child(child, question, full, ply)?;
        }
        if window.fails_low(found.value) || window.fails_high(found.value) {
            return Ok(found);
        }
        let open = Window::new(found.value, window.beta);
        if open.is_null() {
            // No line will be written: leave none of another move behind.
            self.pv_at(ply.next()).clear();
        }
        let mut again = self.search_child(child, open, full, ply)?;
        // The first answer is the lower bound, the second may be but an upper
        // one: as a value they are proved only together.
        again.proved &= found.proved || !open.fails_low(again.value);
        Ok(again)
    }

    /// What a move is worth to the mover.
    fn search_child(
        &mut self,
        child: &Child<R>,
        window: Window<Value>,
        depth: Depth,
        ply: Ply,
    ) -> Result<Found, Stopped> {
        let sown = &child.sown;
        let window = window.after(sown.gain().into()).seen_by(sown.turn);
        Ok(self.search(sown.board, child.key, window, depth, ply.next())?.from_child(sown))
    }

    /// The depth to search a move of a node of `depth` to.
    #[inline]
    fn depth_after(&self, child: &Child<R>, node: &Node<R>) -> Depth {
        let extra_turn = child.sown.turn == Turn::Keeps;
        let free = extra_turn && self.options.extra_turn_extensions && node.ply < self.horizon;
        if free { node.depth } else { node.depth - 1 }
    }

    /// By how many sowings the first look at a late, quiet move falls short.
    ///
    /// Late is from the third move on. From the second on instead, nothing was
    /// gained in 10,960 games at 3,000 nodes (+0.8 ± 3.1 Elo); without any
    /// reduction, 3,000 games at 1,500 nodes lost 7.9 ± 7.2 Elo.
    #[inline]
    fn reduction(&self, node: &Node<R>, child: &Child<R>) -> u16 {
        let late = self.options.late_move_reductions && node.depth >= Depth(3) && child.place >= 2;
        u16::from(late && child.is_quiet(node.board))
    }

    /// The rank of a move: the remembered one, extra turns, captures, killers,
    /// then by history and nearness to the store.
    #[inline]
    fn rank(&self, board: Board<R>, child: &Child<R>, tt_move: Option<Pit>, ply: Ply) -> i32 {
        const CLASS: i32 = 4 * HISTORY_LIMIT;
        let nearness = child.pit.index() as i32;
        if tt_move == Some(child.pit) {
            return 4 * CLASS;
        }
        if child.sown.turn == Turn::Keeps {
            return 3 * CLASS + nearness;
        }
        if !child.is_quiet(board) {
            return 2 * CLASS + 16 * child.sown.banked as i32 + nearness;
        }
        let killer = if self.ordering.is_killer(ply, child.pit) { CLASS } else { 0 };
        let history = self.ordering.history(child.pit, board.own.count(child.pit));
        killer + history + nearness * (HISTORY_LIMIT / 16)
    }

    fn store(&self, node: &Node<R>, best: &Best) {
        if !self.options.transposition_table {
            return;
        }
        let &Node { key, window, depth, .. } = node;
        let Found { value, proved } = best.result(window);
        let bound = Bound::of(value, window);
        self.table.store(key, Entry { value, bound, depth, proved, best: best.pit });
    }

    /// Counts a node, reports to the control at intervals, and obeys a stop.
    #[inline]
    fn visit(&mut self, ply: Ply) -> Result<(), Stopped> {
        self.pending.0 += 1;
        self.seldepth = self.seldepth.max(ply.0);
        if self.pending.0 >= self.poll_interval {
            self.report();
        }
        if self.control.is_stopped() && self.stoppable { Err(Stopped) } else { Ok(()) }
    }

    /// Reports the nodes and table hits since the last report to the control.
    pub(super) fn report(&mut self) {
        let (nodes, tbhits) = std::mem::take(&mut self.pending);
        self.control.poll(nodes, tbhits);
    }

    fn pv_at(&mut self, ply: Ply) -> &mut Vec<Pit> {
        let index = usize::from(ply.0);
        if self.lines.len() <= index {
            self.lines.resize(index + 1, Vec::new());
        }
        &mut self.lines[index]
    }

    /// The line of `ply` is this one move.
    fn start_pv(&mut self, ply: Ply, pit: Pit, window: Window<Value>) {
        if !window.is_null() {
            let line = self.pv_at(ply);
            line.clear();
            line.push(pit);
        }
    }

    /// The line of `ply` is this move and the line below it.
    fn extend_pv(&mut self, ply: Ply, pit: Pit, window: Window<Value>) {
        if !window.is_null() {
            let below = std::mem::take(self.pv_at(ply.next()));
            self.start_pv(ply, pit, window);
            self.pv_at(ply).extend(&below);
            *self.pv_at(ply.next()) = below;
        }
    }
}
