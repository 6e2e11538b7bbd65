//! Iterative deepening by one thread, from depth 1 to the end of the search, in aspiration
//! windows around the value of the previous iteration.
//!
//! The shallow iterations cost little and pay for themselves: they fill the
//! transposition table with the moves that the next iteration tries first, and there is always a
//! best move to play when time is up.

use std::time::Duration;

use kalah_game::{Board, Depth, Pit, PitSet, Ply, Position, Row, Score, Value, Window};
use kalah_sys::log;
use kalah_sys::stop::Stopped;

use super::control::Control;
use super::event::{Info, RootMove, SearchEvent};
use super::negascout::{SearchObserver, SearchWorker};
use super::node::NodeValue;
use super::parameters::Parameters;
use super::stack::{Stack, on_deep_stack};
use super::time::TimeFactor;
use super::transposition::Bound;

/// The smallest depth at which bounds within an iteration are reported: shallower ones are
/// replaced before anyone could read them.
const FIRST_REPORTED_BOUND: Depth = Depth(12);

/// The search time after which root moves are reported: earlier, they change too fast to be
/// read.
const FIRST_REPORTED_ROOT_MOVE: Duration = Duration::from_secs(3);

/// Forwards the events of the one thread that reports, and drops those of the others.
pub(super) struct EventSink<'a> {
    pub control: &'a Control,
    /// None for threads that do not report.
    pub listener: Option<&'a mut (dyn FnMut(SearchEvent) + Send)>,
}

impl EventSink<'_> {
    fn send(&mut self, event: SearchEvent) {
        if let Some(listener) = &mut self.listener {
            listener(event);
        }
    }
}

impl<R> SearchObserver<R> for EventSink<'_> {
    fn root_move(&mut self, root_move: RootMove) {
        if self.listener.is_some() && self.control.elapsed() >= FIRST_REPORTED_ROOT_MOVE {
            self.send(SearchEvent::RootMove(root_move));
        }
    }
}

/// The result of a search of the root: a pv, never empty, and its value.
#[derive(Clone, Debug)]
struct RootResult {
    found: NodeValue,
    bound: Bound,
    pv: Vec<Pit>,
}

impl RootResult {
    /// Whether no deeper search can change the value.
    fn is_decided(&self) -> bool {
        self.found.proved && self.bound == Bound::Exact
    }
}

/// Whether the choice is still open: the best move has changed since the iteration `before`,
/// or its value has fallen by more than a seed.
fn is_unsettled(before: &RootResult, now: &RootResult, parameters: Parameters) -> bool {
    let fall = before.found.value.0 - now.found.value.0;
    before.pv.first() != now.pv.first() || fall > parameters.unsettling_fall()
}

/// One thread's iterative deepening.
pub(super) struct Deepening<'a, R> {
    board: Board<R>,
    /// The moves to choose from.
    moves: PitSet,
    search: SearchWorker<'a, R, EventSink<'a>>,
    /// The pvs of the last finished iteration, best first.
    variations: Vec<RootResult>,
    /// The last of these that were reported, or a better one that was found later.
    infos: Vec<Info>,
    time_factor: TimeFactor,
}

impl<'a, R: Row> Deepening<'a, R> {
    pub(super) fn new(search: SearchWorker<'a, R, EventSink<'a>>) -> Self {
        let job = search.job;
        Self {
            board: job.position.board(),
            moves: job.root_moves(),
            search,
            variations: Vec::new(),
            infos: Vec::new(),
            time_factor: TimeFactor::default(),
        }
    }

    fn has_listener(&self) -> bool {
        self.search.observer.listener.is_some()
    }

    /// Deepens until the search ends, and returns the pvs of the last finished iteration,
    /// best first, or a better one that was found later. `after_first` is called after the
    /// first iteration.
    pub(super) fn run(mut self, stack: Stack, after_first: impl FnOnce()) -> Vec<Info> {
        let limit = self.search.control.limits.depth.unwrap_or(Depth::MAX);
        let deepest = limit.clamp(Depth::ONE, Depth::MAX).0;
        let mut continues = self.deepen(Depth::ONE);
        after_first();
        let mut depths = (2..=deepest).map(Depth).peekable();
        while continues && let Some(depth) = depths.next_if(|&depth| stack.suffices(depth)) {
            continues = self.deepen(depth);
        }
        if continues && depths.peek().is_some() {
            let rest = on_deep_stack(|| depths.all(|depth| self.deepen(depth)));
            if let Err(error) = rest {
                log::warn!("cannot start a thread with a deep stack, so the search ends: {error}");
            }
        }
        self.search.flush_counters();
        self.infos
    }

    /// Searches to `depth`, and returns whether a deeper search is worth while.
    fn deepen(&mut self, depth: Depth) -> bool {
        let control = self.search.control;
        // The first iteration is finished regardless of the limits, because there must be a
        // move. Threads that do not report owe none.
        self.search.stoppable = !self.has_listener() || depth > Depth::ONE;
        self.search.horizon = horizon(depth, self.search.job.parameters);
        let Ok(found) = self.iteration(depth) else {
            if let Some(better) = self.better_than(&self.variations) {
                self.search.flush_counters();
                let info = self.info(depth, (0, &better));
                self.search.observer.send(SearchEvent::Info(info.clone()));
                self.infos = vec![info];
            }
            return false;
        };
        if let Some(before) = self.variations.first() {
            let parameters = self.search.job.parameters;
            let is_unsettled = is_unsettled(before, &found[0], parameters);
            self.time_factor.update(is_unsettled, parameters);
        }
        self.variations = found;
        self.search.flush_counters();
        let variations = self.variations.iter().enumerate();
        self.infos = variations.map(|at| self.info(depth, at)).collect();
        for info in &self.infos {
            self.search.observer.send(SearchEvent::Info(info.clone()));
        }
        // A value proved to the end of the game is the same at any depth, and with a single
        // move there is nothing to decide.
        let decided = self.variations.iter().all(RootResult::is_decided);
        let forced = self.moves.len() == 1 && control.is_timed();
        !(control.is_stopped() || decided || forced) && control.has_time(self.time_factor)
    }

    /// The best pvs at `depth`, best first.
    fn iteration(&mut self, depth: Depth) -> Result<Vec<RootResult>, Stopped> {
        self.search.counters.seldepth = 0;
        let mut moves = self.moves;
        let mut variations = Vec::new();
        let job = self.search.job;
        // A weaker skill chooses among all moves.
        let wanted = if job.skill.is_full() { job.multipv } else { usize::MAX };
        for index in 0..wanted.min(moves.len()) {
            let variation = self.aspire(moves, depth, index)?;
            // MultiPV: the next pv is the best one of the other moves.
            moves = moves.without(variation.pv[0]);
            variations.push(variation);
        }
        // A later search benefits from the entries that earlier ones left, and may return a
        // higher value.
        variations.sort_by_key(|variation| std::cmp::Reverse(variation.found.value));
        Ok(variations)
    }

    /// The better pv that an iteration has found before it was stopped, if only one is wanted.
    /// The best move of the last iteration is searched first, so any other move that raised
    /// alpha is better according to a deeper search. Playing it gained 16.0 ± 11.2 Elo in
    /// 1,000 games at 5,000 nodes (`doc/lab/strength.md`).
    fn better_than(&self, before: &[RootResult]) -> Option<RootResult> {
        let [before] = before else { return None };
        let (best, found) = self.search.root_best.filter(|(best, _)| *best != before.pv[0])?;
        // Readers of a result take a proved margin to be exact, but this one may be proved
        // only from below.
        let found = NodeValue { proved: false, ..found };
        Some(RootResult { found, bound: Bound::Lower, pv: self.full_pv(best) })
    }

    /// The best pv of `moves`, found in aspiration windows around the value of the pv with this
    /// `index` in the last iteration (Marsland, "A review of game-tree pruning", ICCA Journal
    /// 9(1), 1986). A narrow window cuts off more; a result outside it is only a bound, so the
    /// window is moved and widened until the value is inside.
    fn aspire(&mut self, moves: PitSet, depth: Depth, index: usize) -> Result<RootResult, Stopped> {
        let full = Window::<Value>::full();
        let before = self.variations.get(index);
        let parameters = self.search.job.parameters;
        let mut width = Value(parameters.aspiration_width());
        let mut window = match before.map(|before| before.found.value) {
            // Shallow values vary too much from one iteration to the next to be a guide.
            Some(guess) if depth > Depth(4) => Window::new(guess - width, guess + width),
            _ => full,
        };
        let mut first = before.map(|before| before.pv[0]);
        self.search.root_best = None;
        loop {
            let (found, best) = self.search.search_root(self.board, moves, first, window, depth)?;
            let bound = Bound::from_result(found.value, window);
            let best = best.expect("a root with moves has a best one");
            if bound == Bound::Exact {
                return Ok(RootResult { found, bound, pv: self.full_pv(best) });
            }
            if self.has_listener() && depth >= FIRST_REPORTED_BOUND {
                self.search.flush_counters();
                // Only the first move caused the bound, but a line of one move would replace a
                // complete one on every screen.
                let bounded = RootResult { found, bound, pv: self.full_pv(best) };
                let info = self.info(depth, (index, &bounded));
                self.search.observer.send(SearchEvent::Info(info));
            }
            // Pruning that depends on the window, or results of other threads, can make the search
            // fail high and low in turn. This ends with the full window, which cannot fail.
            // Doubling a first window of a quarter of a seed gained nothing: 4.2 ± 21.3 Elo.
            width = Value(width.0 * parameters.aspiration_growth());
            // After a fail-low, the first move stays the same: only then is any other move that
            // raises alpha better than it (see `better_than`).
            if let Some((best, _)) = self.search.root_best {
                first = Some(best);
            }
            // The bound itself is inside the next window, so that it is exact if it is reached.
            window = match bound {
                _ if width > self.search.job.position.gains().upper.into() => full,
                Bound::Upper => Window::new(found.value - width, found.value.successor()),
                _ => Window::new(found.value - Value(1), found.value + width),
            };
        }
    }

    /// The pv of the last search, extended by the transposition table.
    fn full_pv(&self, best: Pit) -> Vec<Pit> {
        const MAX_LENGTH: usize = 200;
        let found = self.search.pv.root();
        let mut pv = if found.first() == Some(&best) { found.to_vec() } else { vec![best] };
        let mut position = *self.search.job.position;
        let legal = pv.iter().take_while(|&&pit| position.play(pit).is_ok()).count();
        pv.truncate(legal);
        while pv.len() < MAX_LENGTH
            && let Some(pit) = self.known_best(&position)
            && position.play(pit).is_ok()
        {
            pv.push(pit);
        }
        pv
    }

    /// The best move according to the endgame tables or, outside them, the transposition
    /// table.
    fn known_best(&self, position: &Position) -> Option<Pit> {
        let SearchWorker { job, zobrist, .. } = &self.search;
        if let Some(tables) = job.tables.filter(|tables| tables.margin(position).is_some()) {
            let children = position.children();
            let best = children
                .max_by_key(|(played, after)| Some(played.turn.from_child(tables.margin(after)?)));
            return best.map(|(played, _)| played.pit);
        }
        if !job.options.transposition_table {
            return None;
        }
        job.table.probe(zobrist.key(position.board::<R>()))?.best
    }

    fn info(&self, depth: Depth, (index, variation): (usize, &RootResult)) -> Info {
        let SearchWorker { job, control, counters, .. } = &self.search;
        let lead = job.position.lead(job.position.side());
        Info {
            depth,
            seldepth: counters.seldepth,
            time: control.elapsed(),
            nodes: control.nodes(),
            leaves: None,
            hashfull: job.table.hashfull(),
            tbhits: control.tbhits(),
            multipv: index + 1,
            margin: Value::from(lead) + variation.found.value,
            bound: variation.bound,
            proved: variation.found.proved,
            pv: variation.pv.clone(),
        }
    }
}

/// The ply up to which extra turns are free. In the first iteration none are, because it
/// cannot be stopped; later, a limit of twice the depth ends long chains of them.
fn horizon(depth: Depth, parameters: Parameters) -> Ply {
    if depth == Depth::ONE {
        return Ply(0);
    }
    let plies = i32::from(depth.0) * parameters.horizon() / 100;
    Ply(plies as u16)
}

#[cfg(test)]
mod tests {
    use super::super::control::Stopper;
    use super::super::job::SearchJob;
    use super::super::limits::Limits;
    use super::super::transposition::TranspositionTable;
    use super::*;
    use kalah_game::{Rules, Sowing};

    fn result(pit: usize, value: i32) -> RootResult {
        let found = NodeValue { value: Value(value), proved: true };
        RootResult { found, bound: Bound::Exact, pv: vec![Pit::new(pit)] }
    }

    #[test]
    fn a_stopped_iteration_adopts_only_a_move_that_it_has_searched_itself() {
        let position = Position::start(Rules::default());
        let table = TranspositionTable::new(1).unwrap();
        let job = SearchJob::new(&position, &table);
        let control = Control::new(Limits::default(), 0, Duration::ZERO, Stopper::new());
        let sowing = Sowing::<u64>::new(position.variant());
        let events = EventSink { control: &control, listener: None };
        let search = SearchWorker::new(&job, &control, &sowing, None, events);
        let mut deepening = Deepening::new(search);
        let before = deepening.iteration(Depth(3)).unwrap();
        deepening.variations.clone_from(&before);
        let best = before[0].pv[0];
        let other = position.moves().without(best).nearest().unwrap();
        let found = NodeValue { value: Value(900), proved: true };

        // What an earlier iteration has found is no result of the next one.
        deepening.search.root_best = Some((other, found));
        control.stop();
        assert!(deepening.iteration(Depth(4)).is_err());
        assert!(deepening.better_than(&before).is_none());

        deepening.search.root_best = Some((other, found));
        let better = deepening.better_than(&before).unwrap();
        assert_eq!((better.pv[0], better.bound), (other, Bound::Lower));
        assert_eq!(better.found, NodeValue { proved: false, ..found }, "proved from below only");
        // With several pvs, it is unknown which of them the move would replace.
        assert!(deepening.better_than(&[before[0].clone(), before[0].clone()]).is_none());
        assert!(deepening.better_than(&[]).is_none());
        deepening.search.root_best = Some((best, found));
        assert!(deepening.better_than(&before).is_none(), "the move is the same");
    }

    #[test]
    fn a_choice_is_unsettled_by_a_new_move_or_a_loss_of_more_than_a_seed() {
        let before = result(2, 300);
        for (now, expected) in [
            (result(2, 300), false),
            (result(2, 900), false),
            (result(2, 200), false),
            (result(2, 199), true),
            (result(1, 300), true),
        ] {
            assert_eq!(is_unsettled(&before, &now, Parameters::IN_USE), expected, "{now:?}");
        }
    }

    #[test]
    fn only_an_exact_proved_value_is_decided() {
        assert!(result(0, 0).is_decided());
        assert!(!RootResult { bound: Bound::Lower, ..result(0, 0) }.is_decided());
        let guess = NodeValue { value: Value(0), proved: false };
        assert!(!RootResult { found: guess, ..result(0, 0) }.is_decided());
    }

    #[test]
    fn extra_turns_are_free_for_twice_the_depth_except_in_the_first_iteration() {
        let horizons = [1, 2, 9].map(|depth| horizon(Depth(depth), Parameters::IN_USE));
        assert_eq!(horizons, [0, 4, 18].map(Ply));
    }
}
