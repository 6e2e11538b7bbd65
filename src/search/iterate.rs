//! Iterative deepening: from a position and limits to a move.
//!
//! Each thread deepens on its own over the shared memory (lazy SMP); the first
//! one reports and decides when to end.

use std::io;
use std::panic::resume_unwind;
use std::sync::mpsc::{self, Sender};
use std::thread::{Builder, Scope, ScopedJoinHandle};
use std::time::Duration;

use rand::SeedableRng;
use rand::rngs::SmallRng;

use crate::depth::{Depth, Ply};
use crate::endgame::Tables;
use crate::game::{Board, Pit, PitSet, Position, Row, Sowing, Wide};
use crate::score::{Score, Value, Window};
use crate::search::eval::Weights;
use crate::search::table::{Bound, TranspositionTable};
use crate::sys::searching::CurrentlySearching;

use super::children::Found;
use super::control::{Control, Stopped, Stopper};
use super::limits::Limits;
use super::negascout::{Observer, Search, SearchOptions};
use super::report::{Event, Info, RootMove, SearchResult};
use super::skill::Skill;

/// A search to be done.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// From where.
    pub position: &'a Position,
    /// When to end.
    pub limits: Limits,
    /// What is remembered, and will be.
    pub table: &'a TranspositionTable,
    /// Threads to use, at least 1.
    pub threads: usize,
    /// Lines to find, at least 1.
    pub multipv: usize,
    /// Time lost between the engine and the clock, for each sowing.
    pub overhead: Duration,
    /// How strong to play.
    pub skill: Skill,
    /// The evaluation.
    pub weights: &'a Weights,
    /// Exact gains of positions with few seeds, for this board and rule.
    pub tables: Option<&'a Tables>,
    /// What is added to plain NegaScout.
    pub options: SearchOptions,
    /// Feeds the slips of a weaker skill.
    pub seed: u64,
}

/// Searches and reports each finished iteration, line by line, and in long
/// searches what it turns to.
///
/// There is a move in the report unless the game is over or `limits.moves`
/// leaves none. An iteration that was stopped is not used.
pub fn search(job: &Job<'_>, stopper: &Stopper, report: &mut dyn FnMut(Event)) -> SearchResult {
    if job.position.fits::<u64>() {
        search_packed::<u64>(job, stopper, report)
    } else {
        search_packed::<Wide>(job, stopper, report)
    }
}

/// One thread's search to one depth, in the full window, with nothing remembered:
/// `observer` is told of all it visits. The value is the mover's gain.
pub fn observe<R: Row, O: Observer<R>>(job: &Job<'_>, depth: Depth, observer: O) -> Value {
    let position = job.position;
    let control = Control::new(Limits::default(), 0, Duration::ZERO, Stopper::new());
    let sowing = Sowing::new(position.variant());
    let board = position.board::<R>();
    let mut search = Search::new(&sowing, job, &control, observer);
    search.stoppable = false;
    let found = search.search_root(board, board.moves(), Window::full(), depth);
    found.expect("nobody stops it").0.value
}

/// A line of the last finished iteration.
#[derive(Clone, Debug)]
struct Line {
    found: Found,
    bound: Bound,
    best: Pit,
    pv: Vec<Pit>,
}

fn search_packed<R: Row>(
    job: &Job<'_>,
    stopper: &Stopper,
    report: &mut dyn FnMut(Event),
) -> SearchResult {
    let position = job.position;
    let all = position.moves();
    let moves: PitSet = match job.limits.moves {
        Some(wanted) => all.filter(|&pit| wanted.contains(pit)).collect(),
        None => all,
    };
    let limits = job.skill.limit(job.limits);
    let control = Control::new(limits, position.in_play(), job.overhead, stopper.clone());
    job.table.start_search();
    if moves.is_empty() {
        control.hold_bestmove();
        return SearchResult::default();
    }
    let sowing = Sowing::<R>::new(position.variant());
    let searching = (job.threads > 1).then(|| CurrentlySearching::new(SEARCHING_CELLS));
    let new_search = |sender| {
        let turns = Turns { control: &control, sender };
        let mut search = Search::new(&sowing, job, &control, turns);
        search.searching = searching.as_ref();
        search
    };
    let board = position.board::<R>();
    let infos = std::thread::scope(|scope| {
        let deepening = |index, sender| {
            let search = new_search(sender);
            Deepening { job, board, moves, index, search }
        };
        let start_helpers = || {
            for index in 1..job.threads {
                let helper = deepening(index, None);
                let started = on_a_deep_stack(scope, move || helper.run(&mut |_| ()));
                if let Err(error) = started {
                    log::warn!("only {index} of {} threads can be had: {error}", job.threads);
                    break;
                }
            }
        };
        // Lines are told here, so that the caller's function need not move.
        let (sender, receiver) = mpsc::channel();
        let first = deepening(0, Some(sender.clone()));
        let report_line = move |info: &Info| drop(sender.send(Event::Info(info.clone())));
        let infos = match on_a_deep_stack(scope, move || first.run(&mut { report_line })) {
            Ok(thread) => {
                // The first iteration is not delayed by other threads: it has
                // to be finished whatever the clock says.
                let mut alone = true;
                for event in receiver {
                    if alone && matches!(event, Event::Info(_)) {
                        start_helpers();
                        alone = false;
                    }
                    report(event);
                }
                let infos = thread.join();
                if infos.is_err() {
                    control.stop();
                }
                infos.unwrap_or_else(|fault| resume_unwind(fault))
            }
            Err(error) => {
                log::warn!("no thread can be had: {error}");
                deepening(0, None).run(&mut |info| report(Event::Info(info.clone())))
            }
        };
        control.hold_bestmove();
        control.stop();
        infos
    });
    let mut random = SmallRng::seed_from_u64(job.seed);
    let best = if job.skill.is_full() {
        infos.first().and_then(|info| info.pv.first().copied())
    } else {
        job.skill.choose(&infos, &mut random)
    };
    let chosen = infos.into_iter().find(|info| info.pv.first() == best.as_ref());
    SearchResult {
        best,
        ponder: chosen.as_ref().and_then(|info| ponder(position, info)),
        info: chosen,
    }
}

/// Cells for the positions that threads are searching: a few for each node of
/// each thread's path that is deep enough to be shared.
const SEARCHING_CELLS: usize = 1 << 12;

/// Room for the longest lines that a search can follow, in bytes.
pub const STACK: usize = 32 << 20;

/// Runs `work` in a thread with room for the longest lines that a search can
/// follow, three times [`Depth::MAX`].
fn on_a_deep_stack<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    Builder::new().name("search".to_owned()).stack_size(STACK).spawn_scoped(scope, work)
}

/// The opponent's reply in the line, if the turn passes after its first move.
fn ponder(position: &Position, info: &Info) -> Option<Pit> {
    let (first, reply) = (*info.pv.first()?, *info.pv.get(1)?);
    let mut after = *position;
    after.play(first).ok()?;
    (after.side() != position.side()).then_some(reply)
}

/// From this depth on bounds are told: before it they would be but noise.
const FIRST_REPORTED: Depth = Depth(12);

/// How far extra turns are free: not in the first iteration, which cannot be
/// stopped, and not in long chains of them.
fn horizon(depth: Depth) -> Ply {
    if depth == Depth::ONE { Ply(0) } else { Ply(2 * depth.0) }
}

/// What is searched is told from here on: before, it changes too fast.
const FIRST_TURNS: Duration = Duration::from_secs(3);

/// Tells which move of the root is being searched.
struct Turns<'a> {
    control: &'a Control,
    /// None for threads that do not report.
    sender: Option<Sender<Event>>,
}

impl<R> Observer<R> for Turns<'_> {
    fn root_move(&mut self, turned_to: RootMove) {
        if let Some(sender) = &self.sender
            && self.control.elapsed() >= FIRST_TURNS
        {
            // Whoever no longer listens misses nothing.
            let _ = sender.send(Event::RootMove(turned_to));
        }
    }
}

/// One thread's way from depth 1 to the end.
struct Deepening<'a, R> {
    job: &'a Job<'a>,
    board: Board<R>,
    moves: PitSet,
    /// 0 for the thread that reports.
    index: usize,
    search: Search<'a, R, Turns<'a>>,
}

impl<R: Row> Deepening<'_, R> {
    /// Deepens until the search ends; the lines of the last finished iteration.
    fn run(mut self, report: &mut dyn FnMut(&Info)) -> Vec<Info> {
        let control = self.search.control;
        let limits = *control.limits();
        let deepest = limits.depth.unwrap_or(Depth::MAX).clamp(Depth::ONE, Depth::MAX);
        let mut lines: Vec<Line> = Vec::new();
        let mut infos = Vec::new();
        for depth in 1..=deepest.0 {
            let depth = Depth(depth);
            self.search.stoppable = self.index > 0 || depth > Depth::ONE;
            self.search.horizon = horizon(depth);
            let Ok(found) = self.iteration(&lines, depth, report) else { break };
            lines = found;
            if self.index == 0 {
                self.search.report();
                infos = lines.iter().enumerate().map(|at| self.info(depth, at)).collect();
                infos.iter().for_each(&mut *report);
            }
            let decided = lines.iter().all(|line| line.found.proved && line.bound == Bound::Exact);
            let forced = self.moves.len() == 1 && control.is_timed();
            if control.is_stopped() || decided || forced || !control.has_time() {
                break;
            }
        }
        self.search.report();
        infos
    }

    /// The best lines at `depth`, the best first; `report` is told of bounds on
    /// the way to them.
    fn iteration(
        &mut self,
        before: &[Line],
        depth: Depth,
        report: &mut dyn FnMut(&Info),
    ) -> Result<Vec<Line>, Stopped> {
        self.search.seldepth = 0;
        let mut moves = self.moves;
        let mut lines = Vec::new();
        let wanted = if self.job.skill.is_full() { self.job.multipv } else { usize::MAX };
        for index in 0..wanted.min(moves.len()) {
            let guess = before.get(index).map(|line| line.found.value);
            let mut report_bound = |search: &mut Self, line: Line| {
                if search.index == 0 && depth >= FIRST_REPORTED {
                    search.search.report();
                    report(&search.info(depth, (index, &line)));
                }
            };
            let line = self.aspire(moves, guess, depth, &mut report_bound)?;
            moves = moves.without(line.best);
            lines.push(line);
        }
        lines.sort_by_key(|line| std::cmp::Reverse(line.found.value));
        Ok(lines)
    }

    /// The best line of `moves`, by windows that open around a guess; `tell` is
    /// given what a window failed with.
    fn aspire(
        &mut self,
        moves: PitSet,
        guess: Option<Value>,
        depth: Depth,
        report: &mut dyn FnMut(&mut Self, Line),
    ) -> Result<Line, Stopped> {
        const FIRST_WIDTH: Value = Value(Value::SEED);
        let full = Window::<Value>::full();
        let mut width = FIRST_WIDTH;
        let mut window = match guess {
            Some(guess) if depth > Depth(4) => Window::new(guess - width, guess + width),
            _ => full,
        };
        loop {
            let (found, best) = self.search.search_root(self.board, moves, window, depth)?;
            let bound = Bound::of(found.value, window);
            let best = best.expect("a root with moves has a best one");
            if bound == Bound::Exact {
                return Ok(Line { found, bound, best, pv: self.full_pv(best) });
            }
            report(self, Line { found, bound, best, pv: vec![best] });
            // Failing high and low in turn, as other threads' results can make
            // it, ends in the full window, which cannot fail.
            width = Value(width.0 * 4);
            window = match bound {
                _ if width.0 > self.board.in_play() as i32 * Value::SEED => full,
                Bound::Upper => Window::new(found.value - width, found.value.successor()),
                _ => Window::new(found.value - Value(1), found.value + width),
            };
        }
    }

    /// The line of the last search, drawn out by what is remembered.
    fn full_pv(&self, best: Pit) -> Vec<Pit> {
        const LONGEST: usize = 200;
        let found = self.search.line();
        let mut pv = if found.first() == Some(&best) { found.to_vec() } else { vec![best] };
        let mut position = *self.job.position;
        let legal = pv.iter().take_while(|&&pit| position.play(pit).is_ok()).count();
        pv.truncate(legal);
        while pv.len() < LONGEST
            && let Some(pit) = self.known_best(&position)
            && position.play(pit).is_ok()
        {
            pv.push(pit);
        }
        pv
    }

    /// The best move by the endgame tables, or else by what is remembered.
    fn known_best(&self, position: &Position) -> Option<Pit> {
        let board = position.board::<R>();
        if let Some(tables) = self.job.tables
            && tables.gain(board).is_some()
        {
            let gain = |pit: &Pit| {
                let sown = board.sow(self.search.sowing, *pit);
                Some(sown.gain() + sown.turn.from_child(tables.gain(sown.board)?))
            };
            return board.moves().max_by_key(gain);
        }
        let entry = self
            .job
            .options
            .transposition_table
            .then(|| self.job.table.probe(self.search.zobrist.key(board)));
        entry.flatten().and_then(|entry| entry.best)
    }

    fn info(&self, depth: Depth, (index, line): (usize, &Line)) -> Info {
        let control = self.search.control;
        let position = self.job.position;
        let lead = position.lead(position.side());
        Info {
            depth,
            seldepth: self.search.seldepth,
            time: control.elapsed(),
            nodes: control.nodes(),
            hashfull: self.job.table.hashfull(),
            tbhits: control.tbhits(),
            multipv: index + 1,
            margin: Value::from(lead) + line.found.value,
            bound: line.bound,
            proved: line.found.proved,
            pv: line.pv.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::search::table::Entry;

    fn job<'a>(
        position: &'a Position,
        table: &'a TranspositionTable,
        options: SearchOptions,
    ) -> Job<'a> {
        Job {
            position,
            limits: Limits::default(),
            table,
            threads: 1,
            multipv: 1,
            overhead: Duration::ZERO,
            skill: Skill::FULL,
            weights: &Weights::STORES,
            tables: None,
            options,
            seed: 0,
        }
    }

    #[test]
    fn what_other_threads_announce_of_an_open_node_is_taken_over() {
        let position = Position::start(Rules::default());
        let board = position.board::<u64>();
        let sowing = Sowing::new(position.variant());
        let control = Control::new(Limits::default(), 0, Duration::ZERO, Stopper::new());
        let searching = CurrentlySearching::new(SEARCHING_CELLS);
        let (depth, value, pit) = (Depth(5), Value(4000), Pit::new(1));
        let window = Window::new(Value(-1000), Value(3000));
        let best_of = |moves: PitSet, searching| {
            let table = TranspositionTable::new(1).unwrap();
            let job = job(&position, &table, SearchOptions::ALL);
            let turns = Turns { control: &control, sender: None };
            let mut search = Search::new(&sowing, &job, &control, turns);
            search.searching = searching;
            let (bound, best) = (Bound::Lower, Some(pit));
            let announced = Entry { value, bound, depth, proved: false, best };
            table.store(search.zobrist.key(board), announced);
            search.search_root(board, moves, window, depth).unwrap()
        };
        let all = board.moves();
        let taken_over = (Found { value, proved: false }, Some(pit));
        assert_eq!(best_of(all, Some(&searching)), taken_over);
        assert_ne!(best_of(all, None), taken_over, "one thread finds out for itself");
        let others = best_of(all.without(pit), Some(&searching));
        assert_ne!(others.1, Some(pit), "it is not among the moves asked for");
    }

    #[test]
    fn leaves_are_observed_in_order() {
        struct Count(usize);
        impl<R> Observer<R> for &mut Count {
            fn leaf(&mut self, _: Board<R>) {
                self.0 += 1;
            }
        }
        let table = TranspositionTable::new(1).unwrap();
        let position = Position::start(Rules::default());
        let job = job(&position, &table, SearchOptions::NONE);
        // The golden counts of NegaScout from the start, extra turns as plies.
        for (depth, golden) in [(1, 7), (2, 20), (3, 58), (4, 222), (5, 502), (6, 1759)] {
            let mut count = Count(0);
            observe::<u64, _>(&job, Depth(depth), &mut count);
            assert_eq!(count.0, golden, "depth {depth}");
        }
    }
}
