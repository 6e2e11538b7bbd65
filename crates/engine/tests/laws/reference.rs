//! Each heuristic of the search does what its documentation says: the search visits as many leaves
//! and finds the same value as the plain version here, written from the documentation on unpacked
//! positions, with a hash map as its transposition table. The bench signature shows that the
//! search has changed; this shows which heuristic no longer is what it was meant to be.

use std::cmp::Reverse;
use std::collections::HashMap;

use kalah_engine::evaluation::network::Network;
use kalah_engine::evaluation::{Estimate, Evaluation, FeatureWeights};
use kalah_engine::search::transposition::{Bound, TranspositionTable};
use kalah_engine::search::{
    Limits, SearchEvent, SearchJob, SearchObserver, SearchOptions, Stopper, observe, search,
};
use kalah_game::{
    Board, Capture, Depth, Gain, Pit, Played, Position, Rules, Score, Turn, Value, Window,
};

use super::search::random_position;

/// A value, and whether it is independent of all evaluations.
#[derive(Clone, Copy)]
struct Found {
    value: Value,
    proved: bool,
}

/// A move and the position after it.
type Child = (Played, Position);

/// A move and its result; no move in a search that has found none yet.
type Best = (Option<Pit>, Found);

/// What the table holds of a position.
#[derive(Clone, Copy)]
struct Entry {
    best: Best,
    bound: Bound,
    depth: u16,
}

impl Entry {
    fn reaches(&self, depth: u16) -> bool {
        self.best.1.proved || self.depth >= depth
    }
}

struct Reference {
    options: SearchOptions,
    /// By positions without stores.
    table: HashMap<Position, Entry>,
    /// The ply from which extra turns cost depth.
    horizon: u16,
    /// The last move of the root that was searched and found better.
    root_best: Option<Pit>,
    nodes: u64,
    leaves: u64,
}

/// Networks, of which one estimates its error, and the linear evaluation on other boards.
fn evaluation(pits: usize) -> Evaluation<'static> {
    match Network::trained(pits) {
        Some(network) => Evaluation::Network(network),
        None => Evaluation::Linear(&FeatureWeights::DEFAULT),
    }
}

fn estimate(position: &Position) -> Estimate {
    let pits = position.pits();
    evaluation(pits).estimate(position.board::<u64>(), pits)
}

fn evaluate(position: &Position) -> Value {
    estimate(position).value
}

fn seeds(number: u32) -> Value {
    Gain(number as i32).into()
}

/// The final gain of the player to move; a finished position holds no seeds, because the plain rules
/// sweep them into the stores.
fn swept(played: &Played) -> Value {
    let [south, north] = played.swept.map(|number| number as i32);
    played.side.view_of(Gain(south - north)).into()
}

/// A sowing that passes the store twice banks as many seeds as a small capture.
fn is_quiet(played: &Played) -> bool {
    played.captured == 0 && played.banked <= 1 && played.turn == Turn::Passes
}

/// An estimate, or what an earlier search has found if that excludes the estimate.
fn refined(estimate: Value, entry: Option<Entry>) -> Value {
    let Some(Entry { best: (_, found), bound, .. }) = entry else { return estimate };
    match bound {
        Bound::Exact => found.value,
        Bound::Upper => estimate.min(found.value),
        Bound::Lower => estimate.max(found.value),
    }
}

/// How the result of a search in `window` is related to the true value.
fn bound(value: Value, window: Window<Value>) -> Bound {
    if value <= window.alpha {
        Bound::Upper
    } else if value >= window.beta {
        Bound::Lower
    } else {
        Bound::Exact
    }
}

impl Reference {
    fn new(options: SearchOptions) -> Self {
        Self {
            options,
            table: HashMap::new(),
            horizon: u16::MAX,
            root_best: None,
            nodes: 0,
            leaves: 0,
        }
    }

    fn entry(&self, position: &Position) -> Option<Entry> {
        self.table.get(&position.without_stores()).copied()
    }

    /// Replaces the entry of a position, whose move is kept if there is no new one.
    fn store(&mut self, position: &Position, window: Window<Value>, depth: u16, best: Best) {
        if self.options.transposition_table {
            let (pit, found) = best;
            let old = self.entry(position).and_then(|entry| entry.best.0);
            let bound = bound(found.value, window);
            let entry = Entry { best: (pit.or(old), found), bound, depth };
            self.table.insert(position.without_stores(), entry);
        }
    }

    /// The mover's result of a move, from that of the position after it.
    fn before(played: &Played, after: Found) -> Found {
        let value = seeds(played.banked) + played.turn.from_child(after.value);
        Found { value, ..after }
    }

    /// The result of a move that needs no search.
    fn known(&self, (played, after): &Child, window: Window<Value>) -> Option<Found> {
        if !self.options.bound_cutoffs {
            return None;
        }
        let banked = seeds(played.banked);
        let in_play = seeds(after.in_play());
        if after.is_over() {
            Some(Found { value: banked + swept(played), proved: true })
        } else if banked + in_play <= window.alpha {
            Some(Found { value: banked + in_play, proved: true })
        } else if banked - in_play >= window.beta {
            Some(Found { value: banked - in_play, proved: true })
        } else {
            None
        }
    }

    fn sort(&self, children: &mut [Child], depth: u16) {
        if !self.options.move_ordering {
            return;
        }
        // The sort is stable, and the pit farthest from the store is the first of equals.
        if depth >= 3 {
            children.sort_by_key(|(played, after)| {
                let value = if after.is_over() {
                    swept(played)
                } else {
                    let value = refined(evaluate(after), self.entry(after));
                    played.turn.from_child(value)
                };
                Reverse(seeds(played.banked) + value)
            });
        } else {
            children.sort_by_key(|(played, _)| {
                let class = match played.turn {
                    Turn::Keeps => (2, 0),
                    Turn::Passes if is_quiet(played) => (0, 0),
                    Turn::Passes => (1, played.banked),
                };
                Reverse((class, played.pit.index()))
            });
        }
    }

    /// The best of the moves of a position, of which `first` is searched first.
    fn expand(
        &mut self,
        position: &Position,
        window: Window<Value>,
        (depth, ply): (u16, u16),
        first: Option<Pit>,
    ) -> Best {
        let mut best = (None, Found { value: Value::MIN, proved: true });
        let mut all_proved = true;
        let mut consider = |pit: Pit, found: Found, best: &mut Best| {
            all_proved &= found.proved;
            if found.value > best.1.value {
                *best = (Some(pit), found);
            }
            // One move proves a lower bound; anything else takes all of them.
            let (pit, found) = *best;
            let fails_high = found.value >= window.beta;
            let proved = found.proved && (fails_high || all_proved);
            (fails_high, (pit, Found { proved, ..found }))
        };
        let mut result = best;
        let mut children = Vec::new();
        for child in position.children() {
            let Some(found) = self.known(&child, window.raised(best.1.value)) else {
                children.push(child);
                continue;
            };
            let fails_high;
            (fails_high, result) = consider(child.0.pit, found, &mut best);
            if fails_high {
                return result;
            }
        }
        if window.is_null()
            && let Some((pit, found)) = self.refutation(&children, window, (depth, ply))
        {
            return consider(pit, found, &mut best).1;
        }
        let is_first = |(played, _): &Child| Some(played.pit) == first;
        let first = children.iter().position(is_first).filter(|_| self.options.move_ordering);
        match first {
            Some(at) => children[..=at].rotate_right(1),
            None => self.sort(&mut children, depth),
        }
        for place in 0..children.len() {
            if place == 1 && first.is_some() {
                // By what the table holds after the search of its own move.
                self.sort(&mut children[1..], depth);
            }
            let child = &children[place];
            let raised = window.raised(best.1.value);
            let found = self.search_move(child, raised, (depth, ply), place);
            let pit = child.0.pit;
            if ply == 0 && found.value > raised.alpha {
                self.root_best = Some(pit);
            }
            let fails_high;
            (fails_high, result) = consider(pit, found, &mut best);
            if fails_high {
                break;
            }
        }
        result
    }

    /// Enhanced transposition cutoff: the first move that fails high according to the table.
    fn refutation(
        &self,
        children: &[Child],
        window: Window<Value>,
        (depth, ply): (u16, u16),
    ) -> Option<(Pit, Found)> {
        children.iter().find_map(|(played, after)| {
            let depth = self.depth_after(played, (depth, ply));
            let entry = self.entry(after).filter(|entry| depth > 0 && entry.reaches(depth))?;
            let is_lower_bound = match played.turn {
                Turn::Keeps => entry.bound != Bound::Upper,
                Turn::Passes => entry.bound != Bound::Lower,
            };
            let found = Self::before(played, entry.best.1);
            if is_lower_bound && found.value >= window.beta {
                Some((played.pit, found))
            } else {
                None
            }
        })
    }

    fn depth_after(&self, played: &Played, (depth, ply): (u16, u16)) -> u16 {
        let is_free =
            played.turn == Turn::Keeps && self.options.extra_turn_extensions && ply < self.horizon;
        if is_free { depth } else { depth - 1 }
    }

    fn search_move(
        &mut self,
        child: &Child,
        window: Window<Value>,
        (depth, ply): (u16, u16),
        place: usize,
    ) -> Found {
        let (played, _) = child;
        let full = self.depth_after(played, (depth, ply));
        let below = ply + 1;
        if place == 0 {
            return self.search_child(child, window, (full, below));
        }
        let null = Window::null(window.alpha);
        let is_reduced = self.options.late_move_reductions
            && depth >= 3
            && place >= 2
            && is_quiet(played)
            && full > 0;
        let reduced = if is_reduced { full - 1 } else { full };
        let mut found = self.search_child(child, null, (reduced, below));
        if is_reduced && found.value > window.alpha && !found.proved {
            found = self.search_child(child, null, (full, below));
        }
        if found.value <= window.alpha || found.value >= window.beta {
            return found;
        }
        let open = Window::new(found.value, window.beta);
        let again = self.search_child(child, open, (full, below));
        let is_lower_bound = again.value > found.value;
        Found { proved: again.proved && (found.proved || is_lower_bound), ..again }
    }

    fn search_child(
        &mut self,
        child: &Child,
        window: Window<Value>,
        (depth, ply): (u16, u16),
    ) -> Found {
        self.nodes += 1;
        let (played, after) = child;
        let window = window.after(seeds(played.banked)).for_child(played.turn);
        if after.is_over() {
            self.leaves += 1;
            let value = played.turn.from_child(swept(played));
            return Self::before(played, Found { value, proved: true });
        }
        let found = self.search(after, window, (depth, ply));
        Self::before(played, found)
    }

    fn search(
        &mut self,
        position: &Position,
        window: Window<Value>,
        (depth, ply): (u16, u16),
    ) -> Found {
        if depth == 0 {
            self.leaves += 1;
            return Found { value: evaluate(position), proved: false };
        }
        let entry = self.entry(position);
        if let Some(entry) = entry.filter(|entry| entry.reaches(depth)) {
            let (_, found) = entry.best;
            let answers = match entry.bound {
                Bound::Exact => true,
                Bound::Upper => found.value <= window.alpha,
                Bound::Lower => found.value >= window.beta,
            };
            let is_exact = entry.bound == Bound::Exact;
            if answers && (found.proved || is_exact || window.is_null()) {
                return found;
            }
        }
        if self.options.static_pruning && window.is_null() && depth <= 9 {
            let Estimate { value, uncertainty } = estimate(position);
            let typical = 125 + 62 * i32::from(depth);
            let margin = Value(typical * (100 + 15 * uncertainty.above_common()) / 100);
            let value = refined(value, entry);
            let part = Value(margin.0 * 46 / 100);
            if value - margin >= window.beta {
                return Found { value: value - part, proved: false };
            }
            if value + margin <= window.alpha {
                return Found { value: value + part, proved: false };
            }
        }
        let first = entry.and_then(|entry| entry.best.0);
        let best = self.expand(position, window, (depth, ply), first);
        self.store(position, window, depth, best);
        best.1
    }

    /// A search of the root, which is expanded even if the table has its value.
    fn search_root(
        &mut self,
        position: &Position,
        window: Window<Value>,
        depth: u16,
        first: Option<Pit>,
    ) -> Best {
        self.nodes += 1;
        let first = first.or_else(|| self.entry(position)?.best.0);
        let best = self.expand(position, window, (depth, 0), first);
        self.store(position, window, depth, best);
        best
    }

    /// Iterative deepening: the value of each iteration and the nodes up to its end.
    fn deepen(&mut self, position: &Position, deepest: u16) -> Vec<(Value, u64)> {
        let mut iterations = Vec::new();
        let mut last: Option<Best> = None;
        for depth in 1..=deepest {
            self.horizon = if depth == 1 { 0 } else { 2 * depth };
            self.root_best = None;
            let mut first = None;
            let mut window = Window::full();
            if let Some((pit, found)) = last {
                first = pit;
                if depth > 4 {
                    window = Window::new(found.value - Value(100), found.value + Value(100));
                }
            }
            let mut width = Value(100);
            let best = loop {
                let best = self.search_root(position, window, depth, first);
                let value = best.1.value;
                first = self.root_best.or(first);
                width = Value(4 * width.0);
                let is_full = width > seeds(position.in_play());
                window = match bound(value, window) {
                    Bound::Exact => break best,
                    _ if is_full => Window::full(),
                    // The bound itself is inside.
                    Bound::Upper => Window::new(value - width, value + Value(1)),
                    Bound::Lower => Window::new(value - Value(1), value + width),
                };
            };
            iterations.push((best.1.value, self.nodes));
            if best.1.proved {
                break;
            }
            last = Some(best);
        }
        iterations
    }
}

struct Leaves<'a>(&'a mut u64);

impl<R> SearchObserver<R> for Leaves<'_> {
    fn leaf(&mut self, _: Board<R>) {
        *self.0 += 1;
    }
}

/// In MiB: so large that no bucket overflows, because the reference replaces no entries.
const TABLE_SIZE: usize = 4;

/// Compares the search with the reference on random positions, each searched to several depths with
/// one table, and returns the leaves of both together.
fn check(options: SearchOptions) -> u64 {
    let mut all = 0;
    for seed in 0..60 {
        let capture = Capture::ALL[seed as usize % Capture::ALL.len()];
        let rules = Rules::new(3 + seed as u32 % 4, 1 + seed as u32 % 5, capture).unwrap();
        let position = random_position(rules, seed);
        let table = TranspositionTable::new(TABLE_SIZE).unwrap();
        let mut reference = Reference::new(options);
        let mut leaves = 0;
        for depth in [1, 2, 3, 5, 6] {
            let (_, expected) = reference.search_root(&position, Window::full(), depth, None);
            let job = SearchJob {
                options,
                evaluation: evaluation(position.pits()),
                ..SearchJob::new(&position, &table)
            };
            let value = observe::<u64, _>(&job, Depth(depth), Leaves(&mut leaves));
            let found = (value, leaves);
            assert_eq!(found, (expected.value, reference.leaves), "{position} {depth} {options:?}");
        }
        all += leaves;
    }
    all
}

/// Tests one heuristic after another, each added to plain NegaScout and taken from the whole, and
/// that it changes the search at all.
#[test]
fn every_heuristic_is_the_documented_one() {
    let whole = SearchOptions::ALL;
    let plain = check(SearchOptions::NONE);
    let all = check(whole);
    assert!(all < plain / 2, "{all} of {plain}");
    type Switch = fn(&mut SearchOptions, bool);
    let switches: [(&str, Switch); 6] = [
        ("transposition table", |options, on| options.transposition_table = on),
        ("bound cutoffs", |options, on| options.bound_cutoffs = on),
        ("move ordering", |options, on| options.move_ordering = on),
        ("reductions", |options, on| options.late_move_reductions = on),
        ("static pruning", |options, on| options.static_pruning = on),
        ("extensions", |options, on| options.extra_turn_extensions = on),
    ];
    for (name, switch) in switches {
        let mut alone = SearchOptions::NONE;
        switch(&mut alone, true);
        assert_ne!(check(alone), plain, "{name} alone");
        let mut without = whole;
        switch(&mut without, false);
        assert_ne!(check(without), all, "without {name}");
    }
}

#[test]
fn iterations_search_the_documented_windows_to_the_documented_horizon() {
    let mut deepest = 0;
    for seed in 0..40 {
        let capture = Capture::ALL[seed as usize % Capture::ALL.len()];
        let rules = Rules::new(4 + seed as u32 % 3, 3 + seed as u32 % 3, capture).unwrap();
        let position = random_position(rules, seed);
        let table = TranspositionTable::new(TABLE_SIZE).unwrap();
        let limits = Limits::depth(Depth(10));
        let job = SearchJob {
            limits,
            evaluation: evaluation(position.pits()),
            ..SearchJob::new(&position, &table)
        };
        let lead = Value::from(position.lead(position.side()));
        let mut found = Vec::new();
        search(&job, &Stopper::new(), &mut |event| {
            if let SearchEvent::Info(info) = event {
                found.push((info.margin - lead, info.nodes));
            }
        });
        let expected = Reference::new(SearchOptions::ALL).deepen(&position, 10);
        assert_eq!(found, expected, "{position}");
        deepest += u32::from(found.len() == 10);
    }
    assert!(deepest > 10, "{deepest}");
}
