//! Each heuristic of the search does what its documentation says: without a transposition table,
//! the search visits as many leaves and finds the same value as the plain version here, written
//! from the documentation on unpacked positions. The bench signature shows that the search has
//! changed; this shows which heuristic no longer is what it was meant to be.

use std::cmp::Reverse;

use kalah_engine::evaluation::{Evaluation, FeatureWeights};
use kalah_engine::search::table::TranspositionTable;
use kalah_engine::search::{SearchJob, SearchObserver, SearchOptions, observe};
use kalah_game::{
    Board, Capture, Depth, Gain, Played, Position, Rules, Score, Turn, Value, Window,
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

struct Reference {
    options: SearchOptions,
    leaves: u64,
}

fn evaluation() -> Evaluation<'static> {
    Evaluation::Linear(&FeatureWeights::DEFAULT)
}

fn evaluate(position: &Position) -> Value {
    evaluation().evaluate(position.board::<u64>(), position.pits())
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

impl Reference {
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
                    played.turn.from_child(evaluate(after))
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

    /// The best of the moves of a position.
    fn expand(&mut self, position: &Position, window: Window<Value>, depth: u16) -> Found {
        let mut best = Found { value: Value::MIN, proved: true };
        let mut all_proved = true;
        let mut consider = |found: Found, best: &mut Found| {
            all_proved &= found.proved;
            if found.value > best.value {
                *best = found;
            }
            // One move proves a lower bound; anything else takes all of them.
            let fails_high = best.value >= window.beta;
            (fails_high, Found { proved: best.proved && (fails_high || all_proved), ..*best })
        };
        let mut result = best;
        let mut children = Vec::new();
        for child in position.children() {
            let Some(found) = self.known(&child, window.raised(best.value)) else {
                children.push(child);
                continue;
            };
            let fails_high;
            (fails_high, result) = consider(found, &mut best);
            if fails_high {
                return result;
            }
        }
        self.sort(&mut children, depth);
        for (place, child) in children.iter().enumerate() {
            let raised = window.raised(best.value);
            let found = self.search_move(child, raised, depth, place);
            let fails_high;
            (fails_high, result) = consider(found, &mut best);
            if fails_high {
                break;
            }
        }
        result
    }

    fn search_move(
        &mut self,
        child: &Child,
        window: Window<Value>,
        depth: u16,
        place: usize,
    ) -> Found {
        let (played, _) = child;
        let is_free = played.turn == Turn::Keeps && self.options.extra_turn_extensions;
        let full = if is_free { depth } else { depth - 1 };
        if place == 0 {
            return self.search_child(child, window, full);
        }
        let null = Window::null(window.alpha);
        let is_reduced = self.options.late_move_reductions
            && depth >= 3
            && place >= 2
            && is_quiet(played)
            && full > 0;
        let mut found = self.search_child(child, null, if is_reduced { full - 1 } else { full });
        if is_reduced && found.value > window.alpha && !found.proved {
            found = self.search_child(child, null, full);
        }
        if found.value <= window.alpha || found.value >= window.beta {
            return found;
        }
        let again = self.search_child(child, Window::new(found.value, window.beta), full);
        let is_lower_bound = again.value > found.value;
        Found { proved: again.proved && (found.proved || is_lower_bound), ..again }
    }

    fn search_child(&mut self, child: &Child, window: Window<Value>, depth: u16) -> Found {
        let (played, after) = child;
        let window = window.after(seeds(played.banked)).for_child(played.turn);
        if after.is_over() {
            self.leaves += 1;
            let value = played.turn.from_child(swept(played));
            return Self::before(played, Found { value, proved: true });
        }
        let found = self.search(after, window, depth);
        Self::before(played, found)
    }

    fn search(&mut self, position: &Position, window: Window<Value>, depth: u16) -> Found {
        if depth == 0 {
            self.leaves += 1;
            return Found { value: evaluate(position), proved: false };
        }
        if self.options.static_pruning && window.is_null() && depth <= 8 {
            let margin = Value(200 + 100 * i32::from(depth));
            let value = evaluate(position);
            if value - margin >= window.beta {
                return Found { value: value - margin, proved: false };
            }
            if value + margin <= window.alpha {
                return Found { value: value + margin, proved: false };
            }
        }
        self.expand(position, window, depth)
    }
}

struct Leaves<'a>(&'a mut u64);

impl<R> SearchObserver<R> for Leaves<'_> {
    fn leaf(&mut self, _: Board<R>) {
        *self.0 += 1;
    }
}

/// Compares the search with the reference on random positions, and returns the leaves of both
/// together.
fn check(options: SearchOptions) -> u64 {
    let mut all = 0;
    for seed in 0..60 {
        let capture = Capture::ALL[seed as usize % 2];
        let rules = Rules::new(3 + seed as u32 % 4, 1 + seed as u32 % 5, capture).unwrap();
        let position = random_position(rules, seed);
        for depth in [1, 2, 3, 5, 6] {
            let mut reference = Reference { options, leaves: 0 };
            let expected = reference.expand(&position, Window::full(), depth);
            let table = TranspositionTable::new(1).unwrap();
            let job = SearchJob {
                options,
                evaluation: evaluation(),
                ..SearchJob::new(&position, &table)
            };
            let mut leaves = 0;
            let value = observe::<u64, _>(&job, Depth(depth), Leaves(&mut leaves));
            let found = (value, leaves);
            assert_eq!(found, (expected.value, reference.leaves), "{position} {depth} {options:?}");
            all += leaves;
        }
    }
    all
}

/// Tests one heuristic after another, each added to plain NegaScout and taken from the whole, and
/// that it changes the search at all.
#[test]
fn every_heuristic_is_the_documented_one() {
    let whole = SearchOptions { transposition_table: false, ..SearchOptions::ALL };
    let plain = check(SearchOptions::NONE);
    let all = check(whole);
    assert!(all < plain / 2, "{all} of {plain}");
    type Switch = fn(&mut SearchOptions, bool);
    let switches: [(&str, Switch); 5] = [
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
