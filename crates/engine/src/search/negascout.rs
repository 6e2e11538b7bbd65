//! The search of a single window: NegaScout with a transposition table (Reinefeld,
//! "An improvement to the Scout tree search algorithm", ICCA Journal 6(4), 1983).
//!
//! It works on gains, so stores play no part in it. With every option of
//! [`SearchOptions`](super::SearchOptions) off, it is the algorithm of the paper and
//! visits the same leaves as the lab's version, which a test checks. Each heuristic is
//! named where it happens, with the reason why it is sound or, if it may err, what limits
//! the harm.

use std::time::Duration;

use arrayvec::ArrayVec;
use std::sync::LazyLock;

use crate::abdada::AbdadaTable;
use crate::evaluation::Estimate;
use kalah_game::zobrist::{RandomWords, Zobrist};
use kalah_game::{
    Board, Depth, MAX_PITS, Pit, PitSet, Ply, Row, Sowing, Sown, Turn, Value, Window,
};
use kalah_sys::stop::Stopped;

use super::control::{Control, Stopper};
use super::event::RootMove;
use super::job::SearchJob;
use super::limits::Limits;
use super::node::{BestMove, NodeValue, SearchNode, bound_by_seeds};
use super::ordering::{MoveList, RankedMove, class_rank};
use super::pv::PvTable;
use super::transposition::{Bound, TranspositionEntry};

/// Shallower searches end before another thread could defer to them.
const MIN_SHARED_DEPTH: Depth = Depth(3);

/// Receives the nodes of one thread, in the order of the search.
pub trait SearchObserver<R> {
    /// A board at the frontier or at the end of the game.
    #[inline]
    fn leaf(&mut self, _: Board<R>) {}

    /// The root move that is searched next. Moves whose result needs no search are omitted.
    #[inline]
    fn root_move(&mut self, _: RootMove) {}
}

/// A search by one thread to one depth, in the full window and without limits; `observer`
/// receives every node visited. The value is the mover's gain.
pub fn observe<R: Row, O: SearchObserver<R>>(
    job: &SearchJob<'_>,
    depth: Depth,
    observer: O,
) -> Value {
    let position = job.position;
    let control = Control::new(Limits::default(), 0, Duration::ZERO, Stopper::new());
    let sowing = Sowing::new(position.variant());
    let board = position.board::<R>();
    let mut search = SearchWorker::new(job, &control, &sowing, None, observer);
    search.stoppable = false;
    let found =
        search.search_root(board, board.moves(sowing.variant()), None, Window::full(), depth);
    found.expect("a search that is not stoppable ends").0.value
}

/// The words of all keys in transposition tables.
static WORDS: LazyLock<RandomWords> = LazyLock::new(RandomWords::new);

/// One thread's search of one position.
pub(super) struct SearchWorker<'a, R, O> {
    pub job: &'a SearchJob<'a>,
    pub control: &'a Control,
    pub sowing: &'a Sowing<R>,
    /// The positions that other threads are searching; `None` with a single thread.
    searching: Option<&'a AbdadaTable>,
    pub observer: O,
    pub zobrist: Zobrist<'static>,
    pub pv: PvTable,
    pub counters: Counters,
    /// The ply from which extra turns cost depth like any other sowing.
    pub horizon: Ply,
    /// False in the first iteration, which is finished even if the search is stopped.
    pub stoppable: bool,
    /// The last root move that raised alpha after this thread had searched it, and its result. It
    /// remains valid if the search is stopped.
    pub root_best: Option<(Pit, NodeValue)>,
}

/// The counters of one thread.
#[derive(Debug, Default)]
pub(super) struct Counters {
    /// Boards visited and not yet reported to the control.
    nodes: u64,
    /// Boards found in the endgame tables and not yet reported.
    tbhits: u64,
    /// Number of nodes after which both are reported.
    check_interval: u64,
    /// The greatest ply reached since the last reset.
    pub seldepth: u16,
}

impl<'a, R: Row, O: SearchObserver<R>> SearchWorker<'a, R, O> {
    pub(super) fn new(
        job: &'a SearchJob<'a>,
        control: &'a Control,
        sowing: &'a Sowing<R>,
        searching: Option<&'a AbdadaTable>,
        observer: O,
    ) -> Self {
        let check_interval = control.check_interval();
        let zobrist = Zobrist::new::<R>(&WORDS, sowing.variant());
        Self {
            job,
            control,
            sowing,
            // Threads recognise positions by their keys, which otherwise only the table needs.
            searching: searching.filter(|_| job.options.transposition_table),
            observer,
            // Searches below full strength share no entries with full searches, from which weak levels
            // would learn what they should misjudge.
            zobrist: if job.skill.is_full() { zobrist } else { zobrist.separate() },
            pv: PvTable::default(),
            counters: Counters { check_interval, ..Counters::default() },
            horizon: Ply(u16::MAX),
            stoppable: true,
            root_best: None,
        }
    }

    /// The result of searching `moves` at the root as [`search`](Self::search) does, and the
    /// best of them.
    ///
    /// `moves` contains at least one move, and only legal ones. If moves are ordered, `first`
    /// is searched first or, if it is `None`, the table's move. `depth` is at least one.
    pub(super) fn search_root(
        &mut self,
        board: Board<R>,
        moves: PitSet,
        first: Option<Pit>,
        window: Window<Value>,
        depth: Depth,
    ) -> Result<(NodeValue, Option<Pit>), Stopped> {
        debug_assert!(!moves.is_empty(), "expected a move to search");
        let variant = self.sowing.variant();
        debug_assert!(moves.into_iter().all(|pit| board.moves(variant).contains(pit)));
        debug_assert!(depth > Depth::ZERO, "expected a depth of at least 1");
        self.visit(Ply(0))?;
        self.pv.clear(Ply(0));
        let key = self.zobrist.key(board);
        let node = SearchNode { board, moves, key, window, depth, ply: Ply(0), estimate: None };
        let first = first.or_else(|| self.probe(key)?.best);
        // The root is always expanded, even if the table has its value: the caller needs a move,
        // and its principal variation.
        let best = self.expand(&node, first)?;
        // With some moves left out, the result is not that of the board.
        if node.is_whole(variant) {
            self.store(&node, &best);
        }
        Ok((best.result(window), best.pit))
    }

    /// The gain of the player to move on the board after `child`, searched `depth` sowings deep
    /// (deeper if extra turns are free). Fail-soft: a result of at most alpha is an upper bound,
    /// one of at least beta a lower bound; one in between is the value, and its pv is in the pv
    /// table. `Err` means that the search was stopped; it then has no result.
    ///
    /// `window` is not empty; the child has its key, unless the transposition table is off or
    /// the depth is zero.
    fn search(
        &mut self,
        child: &RankedMove<R>,
        window: Window<Value>,
        depth: Depth,
        ply: Ply,
    ) -> Result<NodeValue, Stopped> {
        let &RankedMove { sown: Sown { board, .. }, key, .. } = child;
        debug_assert!(window.alpha < window.beta, "expected alpha below beta, got {window:?}");
        debug_assert!(
            depth == Depth::ZERO
                || !self.job.options.transposition_table
                || key == self.zobrist.key(board),
            "expected the key of the board",
        );
        self.visit(ply)?;
        if !window.is_null() {
            self.pv.clear(ply);
        }
        // The remaining seeds belong to the owners of their rows, so the result is exact at
        // any depth.
        let variant = self.sowing.variant();
        if board.is_over(variant) {
            self.observer.leaf(board);
            return Ok(NodeValue::proved(board.final_gain(variant)));
        }
        if depth == Depth::ZERO {
            self.observer.leaf(board);
            return Ok(NodeValue { value: self.evaluate(board), proved: false });
        }
        let entry = self.probe(key);
        // Transposition cutoff: a gain depends on the board alone, so a result at least as
        // deep as this search is valid regardless of how the board was reached. In an open window,
        // only values and proofs cut off and, in `catch_up`, moves announced by other threads. A
        // cutoff there leaves the rest of the pv to the table.
        if let Some(entry) = entry
            && entry.cuts_off(depth, window)
            && (entry.proved || entry.bound == Bound::Exact || window.is_null())
        {
            return Ok(entry.found());
        }
        let mut estimate = child.estimate.or_else(|| entry?.estimate);
        if self.may_prune(window, depth) {
            let known = estimate.unwrap_or_else(|| self.estimate(board));
            if let Some(value) = self.reverse_futility(known, entry, window, depth) {
                return Ok(NodeValue { value, proved: false });
            }
            estimate = Some(known);
        }
        let moves = board.moves(variant);
        let node = SearchNode { board, moves, key, window, depth, ply, estimate };
        // Searched to the full depth even without a move from the table. A sowing less from depth 4
        // or 6 (internal iterative reduction) gained nothing: +0.1 ± 2.6 and +0.4 ± 2.5 Elo in
        // 38,038 games.
        let best = self.expand(&node, entry.and_then(|entry| entry.best))?;
        self.store(&node, &best);
        Ok(best.result(window))
    }

    #[inline]
    fn evaluate(&self, board: Board<R>) -> Value {
        // Without correction history: adjusting the evaluation by the results of earlier searches
        // of boards with the same rows gained 2.5 ± 2.6 Elo in 38,038 games, but took a fifth more
        // time; of boards with as many seeds in each row, 0.7 ± 2.5.
        self.job.evaluation.evaluate(board, self.sowing.pits())
    }

    #[inline]
    fn estimate(&self, board: Board<R>) -> Estimate {
        self.job.evaluation.estimate(board, self.sowing.pits())
    }

    /// Whether [`reverse_futility`](Self::reverse_futility) applies. It is the only pruning by
    /// estimates. In addition to it, late-move pruning gained -0.5 ± 2.5 Elo in 38,038 games, ProbCut
    /// -11.5 ± 3.7 and multi-cut -12.9 ± 3.1 in 17,716. Futility pruning of quiet moves by their ranks
    /// gained 6.4 ± 2.6 in 10,000 games with equal nodes, which took 17 % more time; in equal time, it
    /// gained 1.9 ± 2.6 in 10,000.
    #[inline]
    fn may_prune(&self, window: Window<Value>, depth: Depth) -> bool {
        self.job.options.static_pruning
            && window.is_null()
            && i32::from(depth.0) <= self.job.parameters.pruning_depth()
    }

    /// Reverse futility pruning, on both sides: the static evaluation less or plus a part of a margin,
    /// if the whole margin closes a null window. Near the horizon, the result of a search seldom
    /// differs from the evaluation of its board by more than a margin that grows with the depth.
    /// The more uncertain the evaluation, the wider the margin. The result of an earlier, shallower
    /// search replaces an evaluation that its bound excludes. The result may be wrong, so it is never
    /// marked as proved and never closes an open window. Unlike in chess, pruning also pays below the
    /// window, because a single move gains little. Its price is that proofs take more nodes.
    #[inline]
    fn reverse_futility(
        &self,
        estimate: Estimate,
        entry: Option<TranspositionEntry>,
        window: Window<Value>,
        depth: Depth,
    ) -> Option<Value> {
        let parameters = self.job.parameters;
        let value = refined(estimate.value, entry);
        let typical = parameters.pruning_base() + parameters.pruning_slope() * i32::from(depth.0);
        let steps = estimate.uncertainty.above_common();
        let margin = Value(typical * (100 + parameters.uncertainty_step() * steps) / 100);
        // The whole margin decides whether to prune, but a value nearer to the evaluation is a better
        // guess of the result that a search would have, and the table may keep what follows from it.
        let part = Value(margin.0 * parameters.pruned_margin() / 100);
        if window.fails_high(value - margin) {
            Some(value - part)
        } else if window.fails_low(value + margin) {
            Some(value + part)
        } else {
            None
        }
    }

    /// Makes the moves of a node, cuts off if a result that needs no search allows it, and
    /// searches the other moves in order.
    fn expand(&mut self, node: &SearchNode<R>, tt_move: Option<Pit>) -> Result<BestMove, Stopped> {
        let &SearchNode { board, window, ply, .. } = node;
        let options = &self.job.options;
        let mut best = BestMove::none();
        let mut children = MoveList::new();
        for pit in node.moves {
            let sown = board.sow(self.sowing, pit);
            // Bound cutoff, before the transposition table is touched: bounds by seeds and
            // endgame tables are exact, and cheaper than a probe that misses the cache.
            if options.bound_cutoffs
                && let Some(found) = self.known_result(&sown, window.raised(best.found.value))
            {
                if best.consider(pit, found) && window.alpha < found.value && node.is_pv() {
                    self.pv.start(ply, pit);
                }
                if window.fails_high(found.value) {
                    return Ok(best);
                }
                continue;
            }
            let mut child = RankedMove::new(pit, sown);
            if options.transposition_table && self.depth_after(&child, node) > Depth::ZERO {
                // Prefetch: the bucket is fetched while the other moves are made.
                child.key = self.zobrist.key(sown.board);
                self.job.table.prefetch(child.key);
            }
            children.push(child);
        }
        // Not in an open window, where the cutoff would cut the pv short.
        if options.transposition_table
            && !node.is_pv()
            && let Some((pit, found)) = self.enhanced_transposition_cutoff(&children, node)
        {
            best.consider(pit, found);
            return Ok(best);
        }
        self.search_children(node, children, tt_move.filter(|_| options.move_ordering), &mut best)?;
        Ok(best)
    }

    /// The result of a move that is proved without a search, by [`bound_by_seeds`] or by the
    /// endgame tables.
    #[inline]
    fn known_result(&mut self, sown: &Sown<R>, window: Window<Value>) -> Option<NodeValue> {
        bound_by_seeds(sown, self.sowing.variant(), window).or_else(|| {
            let gain = self.job.tables?.gain(sown.board)?;
            self.counters.tbhits += 1;
            Some(NodeValue::proved(gain).from_child(sown))
        })
    }

    /// Enhanced transposition cutoff (ETC: Plaat et al., "Exploiting graph properties of
    /// game trees", AAAI-96): before any move is searched, looks for one that fails high
    /// according to the table's entry for the board after it. This is as sound as the
    /// transposition cutoff with which the search of that move would begin.
    fn enhanced_transposition_cutoff(
        &self,
        children: &MoveList<R>,
        node: &SearchNode<R>,
    ) -> Option<(Pit, NodeValue)> {
        children.iter().find_map(|child| {
            let depth = self.depth_after(child, node);
            if depth == Depth::ZERO {
                // Leaves have no key.
                return None;
            }
            let entry = self.job.table.probe(child.key).filter(|entry| entry.reaches(depth))?;
            // If the turn passes, the child's upper bounds are lower bounds here.
            let useless = match child.sown.turn {
                Turn::Keeps => Bound::Upper,
                Turn::Passes => Bound::Lower,
            };
            let found = entry.found().from_child(&child.sown);
            let cuts_off = entry.bound != useless && node.window.fails_high(found.value);
            if cuts_off { Some((child.pit, found)) } else { None }
        })
    }

    /// NegaScout's loop: the first move is searched in the full window, each later one in a
    /// null window and, if it is better, again in an open one. With good ordering, nearly
    /// every later move is worse, and a null window proves that most cheaply.
    ///
    /// With several threads, a move that another thread is searching is deferred, so that
    /// the threads divide the moves among themselves (ABDADA: Weill, "The ABDADA
    /// distributed minimax-search algorithm", ICCA Journal 19(1), 1996). Deferring changes
    /// only the order of the moves; when the deferred move's turn comes, its result is
    /// probably in the table. Letting a thread that joins another one search the later moves
    /// in reverse order gained nothing (`doc/lab/strength.md`).
    fn search_children(
        &mut self,
        node: &SearchNode<R>,
        mut children: MoveList<R>,
        first: Option<Pit>,
        best: &mut BestMove,
    ) -> Result<(), Stopped> {
        let &SearchNode { window, depth, ply, .. } = node;
        let searching = self.searching.filter(|_| depth >= MIN_SHARED_DEPTH);
        // In a null window, the first better move ends the node, so there is nothing to announce.
        let variant = self.sowing.variant();
        let is_shared_pv = searching.is_some() && node.is_pv() && node.is_whole(variant);
        let mut deferred = ArrayVec::<RankedMove<R>, MAX_PITS>::new();
        while let Some(child) =
            children.next(first, |child| self.rank(node, child)).or_else(|| deferred.pop_at(0))
        {
            if is_shared_pv && self.catch_up(node, best) {
                break;
            }
            // The first move is not deferred, because the others need its value, nor is the
            // last, because there would be nothing else to do. A deferred move is not deferred
            // again, even if another thread is still searching it.
            let is_taken = match searching {
                Some(searching) => searching.contains(child.key),
                None => false,
            };
            if is_taken && child.place > 0 && !children.is_empty() {
                deferred.push(child);
                continue;
            }
            let raised = window.raised(best.found.value);
            let found = self.search_announced(node, &child, raised, searching)?;
            let better = best.consider(child.pit, found) && raised.alpha < found.value;
            if better && ply == Ply(0) {
                self.root_best = Some((child.pit, found));
            }
            if window.fails_high(found.value) {
                if node.is_pv() {
                    // The pv below may be left over from an earlier search that did not fail
                    // high.
                    self.pv.start(ply, child.pit);
                }
                break;
            }
            if better && node.is_pv() {
                self.pv.extend(ply, child.pit);
                if is_shared_pv {
                    self.announce(node, best);
                }
            }
        }
        Ok(())
    }

    /// Ranks a move by the static evaluation of the board after it, plus the seeds that it gains.
    /// Compared with ordering by class, killers and history, this halves the nodes of `kalah
    /// bench`. The result of an earlier search replaces an evaluation that its bound excludes. Near
    /// the horizon, the class alone decides. Bonuses for extra turns, captures and nearness to the
    /// store gained nothing (`doc/lab/strength.md`).
    #[inline]
    fn rank(&self, node: &SearchNode<R>, child: &mut RankedMove<R>) {
        let board = child.sown.board;
        let variant = self.sowing.variant();
        child.rank = if !self.job.options.move_ordering {
            // The pit farthest from the store comes first, as in the lab.
            -(child.pit.index() as i32)
        } else if i32::from(node.depth.0) < self.job.parameters.estimated_depth() {
            class_rank(node.board, child)
        } else if board.is_over(variant) {
            NodeValue::proved(board.final_gain(variant)).from_child(&child.sown).value.0
        } else {
            let entry = self.probe(child.key);
            let stored = entry.and_then(|entry| entry.estimate);
            let estimate = stored.unwrap_or_else(|| self.estimate(board));
            // Static pruning needs it, too.
            child.estimate = Some(estimate);
            let value = refined(estimate.value, entry);
            NodeValue { value, proved: false }.from_child(&child.sown).value.0
        };
    }

    /// Searches the first move in the full window, any other in a null window first.
    /// Meanwhile the move is marked as being searched, so that other threads defer it.
    fn search_announced(
        &mut self,
        node: &SearchNode<R>,
        child: &RankedMove<R>,
        window: Window<Value>,
        searching: Option<&AbdadaTable>,
    ) -> Result<NodeValue, Stopped> {
        if node.ply == Ply(0) {
            self.observer.root_move(RootMove {
                depth: node.depth,
                pit: child.pit,
                number: child.place as usize + 1,
            });
        }
        if let Some(searching) = searching {
            searching.begin(child.key);
        }
        let found = if child.place == 0 {
            self.search_child(child, window, self.depth_after(child, node), node.ply)
        } else {
            self.scout(node, child, window)
        };
        if let Some(searching) = searching {
            searching.end(child.key);
        }
        found
    }

    /// The table's entry for a node, if it is deep enough and bounds the value from below.
    fn probe_lower_bound(&self, node: &SearchNode<R>) -> Option<TranspositionEntry> {
        let entry = self.job.table.probe(node.key)?;
        if entry.bound == Bound::Upper || !entry.reaches(node.depth) {
            return None;
        }
        Some(entry)
    }

    /// Stores the best move so far of a node with an open window, for the other
    /// threads at this node.
    fn announce(&self, node: &SearchNode<R>, best: &BestMove) {
        let NodeValue { value, proved } = best.found;
        if let Some(entry) = self.probe_lower_bound(node)
            && entry.value >= value
        {
            return;
        }
        let entry = TranspositionEntry {
            value,
            bound: Bound::Lower,
            depth: node.depth,
            proved,
            best: best.pit,
            estimate: node.estimate,
        };
        self.job.table.store(node.key, entry, self.job.parameters);
    }

    /// Adopts a better move of this node that another thread has announced, and returns
    /// whether it fails high. With an outdated alpha, more moves would seem better and be
    /// re-searched for nothing.
    fn catch_up(&mut self, node: &SearchNode<R>, best: &mut BestMove) -> bool {
        if let Some(entry) = self.probe_lower_bound(node)
            && node.window.raised(best.found.value).alpha < entry.value
            && let Some(pit) = entry.best.filter(|&pit| node.moves.contains(pit))
        {
            best.take_over(pit, entry.found());
            self.pv.start(node.ply, pit);
        }
        node.window.fails_high(best.found.value)
    }

    /// Searches a later move: in a null window, to find out whether it is better than
    /// `window.alpha`, and then, if it is, in an open window for its value.
    fn scout(
        &mut self,
        node: &SearchNode<R>,
        child: &RankedMove<R>,
        window: Window<Value>,
    ) -> Result<NodeValue, Stopped> {
        let ply = node.ply;
        let full = self.depth_after(child, node);
        let reduced = full.reduced(self.reduction(node, child));
        // The null window only decides whether the move is better than the best so far, which
        // takes the fewest nodes.
        let null = Window::null(window.alpha);
        let mut found = self.search_child(child, null, reduced, ply)?;
        // A reduced search may only refute a move: one that seems better is re-searched to the full
        // depth, unless it is proved and so better at any depth. At worst, a reduction overlooks a
        // good move.
        if reduced < full && !window.fails_low(found.value) && !found.proved {
            found = self.search_child(child, null, full, ply)?;
        }
        if window.fails_low(found.value) || window.fails_high(found.value) {
            return Ok(found);
        }
        // Re-search, as in PVS. The null window's result is fail-soft, so it is a lower bound
        // and becomes alpha.
        let open = Window::new(found.value, window.beta);
        if open.is_null() {
            // This search writes no pv, so make sure that no other move's pv is left behind.
            self.pv.clear(ply.next());
        }
        let mut again = self.search_child(child, open, full, ply)?;
        // The first result is a lower bound, and the second may be only an upper bound. The
        // value is then proved only if both are.
        again.proved &= found.proved || !open.fails_low(again.value);
        Ok(again)
    }

    /// The result of a move, found by searching the board after it to `depth`. The result and
    /// `window` are from the mover's point of view.
    fn search_child(
        &mut self,
        child: &RankedMove<R>,
        window: Window<Value>,
        depth: Depth,
        ply: Ply,
    ) -> Result<NodeValue, Stopped> {
        let sown = &child.sown;
        let window = window.after(sown.gain().into()).for_child(sown.turn);
        Ok(self.search(child, window, depth, ply.next())?.from_child(sown))
    }

    /// The depth that remains after a move of `node`. Extra-turn extension: an extra turn
    /// costs no depth, because the static evaluation misjudges a board on which the mover
    /// still has an extra turn to take, just as it would misjudge one in mid-capture. The
    /// extension ends at a horizon, because chains of extra turns can be long.
    #[inline]
    fn depth_after(&self, child: &RankedMove<R>, node: &SearchNode<R>) -> Depth {
        // The only extension. Singular extensions (a table move that is much better than all
        // others) gained at most 1.4 ± 2.9 Elo in 38,038 games.
        let extra_turn = child.sown.turn == Turn::Keeps;
        let free = extra_turn && self.job.options.extra_turn_extensions && node.ply < self.horizon;
        if free { node.depth } else { node.depth - Depth::ONE }
    }

    /// Late-move reduction (LMR): the number of sowings by which the first search of a late,
    /// quiet move is reduced. With good ordering such a move is unlikely to be best, and
    /// [`scout`](Self::scout) re-searches it in full if it seems to be.
    ///
    /// The third move is the first late one; the fourth is no better (`doc/lab/tests.tsv`). When
    /// moves were not yet ordered by evaluations, reducing the second, too, gained nothing in
    /// 10,960 games at 3,000 nodes (+0.8 ± 3.1 Elo); without any reduction, the engine lost
    /// 7.9 ± 7.2 Elo in 3,000 games at 1,500 nodes.
    #[inline]
    fn reduction(&self, node: &SearchNode<R>, child: &RankedMove<R>) -> u16 {
        // One sowing at any depth and place: two from depth 6, or a number that grows with the
        // logarithms of both, gained -1.9 ± 2.5 and -2.6 ± 2.5 Elo in 38,038 games; one more at
        // nodes expected to fail high, -0.5 ± 2.1.
        let parameters = self.job.parameters;
        let late = self.job.options.late_move_reductions
            && i32::from(node.depth.0) >= parameters.reduction_depth()
            && child.place as i32 >= parameters.reduction_place();
        u16::from(late && child.is_quiet(node.board))
    }

    #[inline]
    fn probe(&self, key: u64) -> Option<TranspositionEntry> {
        if self.job.options.transposition_table { self.job.table.probe(key) } else { None }
    }

    fn store(&self, node: &SearchNode<R>, best: &BestMove) {
        if !self.job.options.transposition_table {
            return;
        }
        let &SearchNode { key, window, depth, estimate, .. } = node;
        let NodeValue { value, proved } = best.result(window);
        let bound = Bound::from_result(value, window);
        let entry = TranspositionEntry { value, bound, depth, proved, best: best.pit, estimate };
        self.job.table.store(key, entry, self.job.parameters);
    }

    /// Counts a node and reports to the control at intervals; `Err` if the search was stopped.
    #[inline]
    fn visit(&mut self, ply: Ply) -> Result<(), Stopped> {
        self.counters.nodes += 1;
        self.counters.seldepth = self.counters.seldepth.max(ply.0);
        if self.counters.nodes >= self.counters.check_interval {
            self.flush_counters();
        }
        // Polled at every node, because reading two flags costs nothing compared with a sowing;
        // only the clock is read at intervals.
        if self.control.is_stopped() && self.stoppable { Err(Stopped) } else { Ok(()) }
    }

    /// Reports the nodes and table hits since the last report to the control.
    pub(super) fn flush_counters(&mut self) {
        let nodes = std::mem::take(&mut self.counters.nodes);
        let tbhits = std::mem::take(&mut self.counters.tbhits);
        self.control.count(nodes, tbhits);
    }
}

/// A static evaluation, replaced by the result of an earlier search if its bound excludes it.
#[inline]
fn refined(estimate: Value, entry: Option<TranspositionEntry>) -> Value {
    match entry {
        Some(entry) if !entry.bound.allows(entry.value, estimate) => entry.value,
        _ => estimate,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_earlier_search_replaces_an_evaluation_that_its_bound_excludes() {
        let refined_by = |bound, value| {
            let value = Value(value);
            let entry = TranspositionEntry {
                value,
                bound,
                depth: Depth(2),
                proved: false,
                best: None,
                estimate: None,
            };
            refined(Value(100), Some(entry)).0
        };
        assert_eq!(refined(Value(100), None), Value(100));
        assert_eq!([50, 150].map(|value| refined_by(Bound::Exact, value)), [50, 150]);
        assert_eq!([50, 150].map(|value| refined_by(Bound::Lower, value)), [100, 150]);
        assert_eq!([50, 150].map(|value| refined_by(Bound::Upper, value)), [50, 100]);
    }
}
