//! The threads of a search. Each deepens over the shared transposition table
//! (lazy SMP: Østensen, "A complete chess engine parallelized using lazy SMP",
//! 2016) and defers moves that another thread is searching (ABDADA). This is sound because
//! an entry of the table is valid for its board regardless of which thread stored it. The
//! first thread is the caller's: it alone reports and decides when to end.

use std::{io, thread};

use rand::{SeedableRng, rngs::SmallRng};

use crate::abdada::AbdadaTable;
use kalah_game::{Row, Sowing, with_row};
use kalah_sys::log;
use kalah_sys::machine::{THREAD_BYTES, require_address_space};

use super::control::{Control, Stopper};
use super::deepening::{Deepening, EventSink};
use super::event::{Info, SearchEvent, SearchResult};
use super::job::{ExternalProof, SearchJob};
use super::negascout::SearchWorker;
use super::stack::{STACK_BYTES, Stack, deep_stack};

/// Number of cells for the positions that threads are searching: a few per node of each
/// thread's path that has enough depth left to be shared.
const SEARCHING_CELLS: usize = 1 << 12;

/// Searches in the calling thread and `job.threads - 1` others. `report` receives
/// the pvs of each finished iteration and, in long searches, bounds and root moves.
///
/// The result has a move unless the game is over or `limits.moves` leaves none. An
/// iteration that was stopped counts if it has found a better move.
pub fn search(
    job: &SearchJob<'_>,
    stopper: &Stopper,
    report: &mut (dyn FnMut(SearchEvent) + Send),
) -> SearchResult {
    let control = Control::for_job(job, stopper.clone());
    job.table.start_search();
    let mut infos = if job.root_moves().is_empty() {
        Vec::new()
    } else {
        with_row!(job.position, R => run_workers::<R>(job, &control, report))
    };
    if let Some(info) = job.proof.and_then(|proof| proved_elsewhere(job, proof, &control)) {
        report(SearchEvent::Info(info.clone()));
        infos = vec![info];
    }
    control.hold_bestmove();
    let best = if job.skill.is_full() {
        infos.first().and_then(|info| info.pv.first().copied())
    } else {
        job.skill.choose(job.position, &infos, &mut SmallRng::seed_from_u64(job.seed))
    };
    let info = infos.into_iter().find(|info| info.pv.first() == best.as_ref());
    let ponder = info.as_ref().and_then(|info| info.ponder(job.position));
    SearchResult { best, ponder, info }
}

/// The pvs that the first thread finds, best first.
fn run_workers<R: Row>(
    job: &SearchJob<'_>,
    control: &Control,
    report: &mut (dyn FnMut(SearchEvent) + Send),
) -> Vec<Info> {
    let sowing = Sowing::<R>::new(job.position.variant());
    // Most openings leave a second thread nothing to gain: it gained 5.1 ± 8.8 Elo in 549 games of
    // (6,6) at 100 ms per move.
    let searching = if job.threads > 1 { Some(AbdadaTable::new(SEARCHING_CELLS)) } else { None };
    let worker = |listener| {
        let events = EventSink { control, listener };
        Deepening::new(SearchWorker::new(job, control, &sowing, searching.as_ref(), events))
    };
    thread::scope(|scope| {
        // The other threads end with this one, even if it panics.
        let _end = EndOnDrop(control);
        // The other threads start after the first iteration: it is finished regardless of
        // the clock, so nothing may delay it.
        worker(Some(report)).run(job.stack, || {
            for index in 1..job.threads {
                let room = require_address_space(STACK_BYTES as u64 + THREAD_BYTES);
                let helper = room.map_err(io::Error::from).and_then(|()| {
                    deep_stack().spawn_scoped(scope, move || worker(None).run(Stack::Deep, || ()))
                });
                if let Err(error) = helper {
                    log::warn!("only {index} of {} threads started: {error}", job.threads);
                    break;
                }
            }
        })
    })
}

/// The result of a proof, with the search's own node counts.
fn proved_elsewhere(job: &SearchJob<'_>, proof: &ExternalProof, control: &Control) -> Option<Info> {
    let (margin, pv) = proof.found.get()?;
    let info = SearchResult::proved(job.position, *margin, pv.clone()).info?;
    Some(Info {
        time: control.elapsed(),
        nodes: control.nodes(),
        tbhits: control.tbhits(),
        hashfull: job.table.hashfull(),
        ..info
    })
}

/// Ends the search when it is dropped.
struct EndOnDrop<'a>(&'a Control);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::evaluation::{Evaluation, FeatureWeights};
    use crate::search::limits::Limits;
    use crate::search::node::NodeValue;
    use crate::search::transposition::{Bound, TranspositionEntry, TranspositionTable};
    use crate::search::{SearchObserver, SearchOptions, observe};
    use kalah_game::{Board, Capture, Depth, Pit, PitSet, Position, Rules, Value, Wide, Window};

    /// The lowest address of the stack at a leaf.
    struct LowestLeaf<'a>(&'a mut usize);

    impl<R> SearchObserver<R> for LowestLeaf<'_> {
        fn leaf(&mut self, _: Board<R>) {
            *self.0 = address_of_stack().min(*self.0);
        }
    }

    #[inline(never)]
    fn address_of_stack() -> usize {
        let local = 0u8;
        std::ptr::from_ref(std::hint::black_box(&local)).addr()
    }

    /// Bytes of the stack that a search takes for each ply.
    fn bytes_per_ply<R: Row>(pits: u32) -> usize {
        const PLIES: u16 = 12;
        let position = Position::start(Rules::new(pits, 4, Capture::Standard).unwrap());
        let table = TranspositionTable::new(1).unwrap();
        // Without extensions, no path is longer than the search is deep.
        let options = SearchOptions { extra_turn_extensions: false, ..SearchOptions::ALL };
        let job = SearchJob { options, ..SearchJob::new(&position, &table) };
        let mut lowest = usize::MAX;
        observe::<R, _>(&job, Depth(PLIES), LowestLeaf(&mut lowest));
        (address_of_stack() - lowest) / usize::from(PLIES)
    }

    #[test]
    fn the_deepest_iterations_fit_their_stacks() {
        for bytes in [bytes_per_ply::<u64>(6), bytes_per_ply::<Wide>(12)] {
            for (stack, room) in [(Stack::Usual, 3 << 18), (Stack::Deep, STACK_BYTES)] {
                let depths = (1..=Depth::MAX.0).filter(|&depth| stack.suffices(Depth(depth)));
                let plies = 3 * usize::from(depths.max().unwrap());
                assert!(plies * bytes < room, "{plies} plies of {bytes} bytes: {room} bytes");
            }
        }
    }

    #[test]
    fn moves_announced_by_other_threads_are_adopted_at_open_nodes() {
        let position = Position::start(Rules::default());
        let board = position.board::<u64>();
        let sowing = Sowing::new(position.variant());
        let control = Control::new(Limits::default(), 0, Duration::ZERO, Stopper::new());
        let searching = AbdadaTable::new(SEARCHING_CELLS);
        let (depth, value, pit) = (Depth(5), Value(4000), Pit::new(1));
        let window = Window::new(Value(-1000), Value(3000));
        let best_of = |moves: PitSet, searching, (bound, announced_depth)| {
            let table = TranspositionTable::new(1).unwrap();
            let job = SearchJob {
                evaluation: Evaluation::Linear(&FeatureWeights::STORES),
                ..SearchJob::new(&position, &table)
            };
            let events = EventSink { control: &control, listener: None };
            let mut search = SearchWorker::new(&job, &control, &sowing, searching, events);
            let announced = TranspositionEntry {
                value,
                bound,
                depth: announced_depth,
                proved: false,
                best: Some(pit),
                estimate: None,
            };
            table.store(search.zobrist.key(board), announced, job.parameters);
            let best = search.search_root(board, moves, None, window, depth).unwrap();
            let own = search.root_best.map(|(pit, _)| pit);
            assert!(best.1 != Some(pit) || own != Some(pit), "not searched by this thread");
            best
        };
        let all = position.moves();
        let taken_over = (NodeValue { value, proved: false }, Some(pit));
        let sufficient = (Bound::Lower, depth);
        assert_eq!(best_of(all, Some(&searching), sufficient), taken_over);
        assert_ne!(best_of(all, None, sufficient), taken_over, "one thread searches for itself");
        for insufficient in [(Bound::Upper, depth), (Bound::Lower, Depth(4))] {
            let best = best_of(all, Some(&searching), insufficient);
            assert_ne!(best, taken_over, "{insufficient:?}");
        }
        let others = best_of(all.without(pit), Some(&searching), sufficient);
        assert_ne!(others.1, Some(pit), "it is not among the moves to search");
    }

    /// Counts the nodes of a search with these limits.
    fn visited(position: &Position, limits: Limits) -> u64 {
        let table = TranspositionTable::new(1).unwrap();
        let job = SearchJob { limits, ..SearchJob::new(position, &table) };
        let control = Control::new(limits, position.in_play(), Duration::ZERO, Stopper::new());
        run_workers::<u64>(&job, &control, &mut |_| ());
        control.nodes()
    }

    #[test]
    fn one_thread_visits_exactly_as_many_nodes_as_it_may() {
        let position = Position::start(Rules::default());
        let first = visited(&position, Limits::depth(Depth(1)));
        for nodes in [1, first - 1, first, first + 1, 100, 5000, 65_535] {
            let expected = nodes.max(first);
            assert_eq!(
                visited(&position, Limits::nodes(nodes)),
                expected,
                "the first iteration ends"
            );
        }
        // Larger limits are checked at intervals.
        assert!((65_536..65_536 + 1024).contains(&visited(&position, Limits::nodes(65_536))));
    }

    /// Searches some moves of the start, after `entry` was stored for the board after `pit`. The
    /// value of the entry is given from the point of view of the player who makes the move. Returns
    /// the result and the number of nodes.
    fn search_with_entry(
        moves: PitSet,
        pit: Pit,
        entry: TranspositionEntry,
        window: Window<Value>,
    ) -> (NodeValue, u64) {
        let position = Position::start(Rules::default());
        let table = TranspositionTable::new(1).unwrap();
        let job = SearchJob::new(&position, &table);
        let control = Control::new(Limits::default(), 0, Duration::ZERO, Stopper::new());
        let sowing = Sowing::<u64>::new(position.variant());
        let events = EventSink { control: &control, listener: None };
        let mut search = SearchWorker::new(&job, &control, &sowing, None, events);
        let board = position.board::<u64>();
        let sown = board.sow(&sowing, pit);
        let value = sown.turn.from_child(entry.value - sown.gain().into());
        table.store(
            search.zobrist.key(sown.board),
            TranspositionEntry { value, ..entry },
            job.parameters,
        );
        let (found, _) = search.search_root(board, moves, None, window, Depth(4)).unwrap();
        search.flush_counters();
        (found, control.nodes())
    }

    /// ETC. From the start, C earns an extra turn, which costs no depth, and A passes the turn.
    #[test]
    fn an_entry_of_any_move_cuts_off_if_its_bound_and_its_depth_suffice() {
        let window = Window::null(Value(500));
        let moves = Position::start(Rules::default()).moves();
        for (pit, child_depth, useful) in [(2, 4, Bound::Lower), (0, 3, Bound::Upper)] {
            for bound in [Bound::Lower, Bound::Upper, Bound::Exact] {
                for (value, depth, proved) in [500, 501].into_iter().flat_map(|value| {
                    (2..6).flat_map(move |depth| [(value, depth, false), (value, depth, true)])
                }) {
                    let entry = TranspositionEntry {
                        value: Value(value),
                        bound,
                        depth: Depth(depth),
                        proved,
                        best: None,
                        estimate: None,
                    };
                    let (found, nodes) = search_with_entry(moves, Pit::new(pit), entry, window);
                    let is_deep = depth >= child_depth || proved;
                    let cuts = value > 500 && is_deep && (bound == useful || bound == Bound::Exact);
                    assert_eq!(nodes == 1, cuts, "{entry:?} of {pit}");
                    assert!(!cuts || found == entry.found(), "{found:?}");
                }
            }
        }
    }

    #[test]
    fn in_an_open_window_only_a_value_or_a_proof_ends_the_search_of_a_move() {
        let only = PitSet::default().with(Pit::new(0));
        let window = Window::new(Value(-3000), Value(3000));
        for (value, bound, depth, proved, ends) in [
            (700, Bound::Exact, 2, false, false),
            (700, Bound::Exact, 3, false, true),
            (700, Bound::Exact, 0, true, true),
            (-3500, Bound::Lower, 9, false, false),
            (-3500, Bound::Lower, 0, true, true),
        ] {
            let (value, depth) = (Value(value), Depth(depth));
            let entry =
                TranspositionEntry { value, bound, depth, proved, best: None, estimate: None };
            let (found, nodes) = search_with_entry(only, Pit::new(0), entry, window);
            // The root and the board after the move.
            assert_eq!((nodes == 2, found == entry.found()), (ends, ends), "{entry:?}");
        }
    }
}
