//! Proves leaves of the ledger of a Kalah proof, independently of the engine.
//!
//!     rustc -O --edition 2024 contrib/prove_leaf.rs
//!     ./prove_leaf LEDGER [LINE]... [--table-seeds N] [--hash MIB]
//!
//! Each LINE, counted from 1, holds a position with its bounds. Without LINE, the bounds of all
//! lines are proved, the easiest first. Each bound is proved by a search of its own, whose
//! transposition table of MIB starts empty. This program reads nothing but those lines and shares
//! no code with the engine. It supports rows of 1 to 8 pits and boards of at most 127 seeds. A
//! *gain* is the number of seeds that the mover has yet to bank minus the number that the opponent
//! has. Exit code: 0 if all bounds are proved, 1 if one is refuted, 2 on bad input.

use std::sync::{Mutex, atomic::AtomicBool, atomic::AtomicI8, atomic::Ordering::Relaxed};
use std::{error::Error, process::exit, thread};

const MAX_PITS: usize = 8;
const MAX_SEEDS: usize = 127;
/// The seeds in each pit, a byte each; the lowest is the pit farthest from the store.
type Row = u64;
const ONES: Row = 0x0101_0101_0101_0101;

fn in_pit(row: Row, pit: usize) -> usize {
    (row >> (8 * pit)) as usize & MAX_SEEDS
}

fn seeds(row: Row) -> i32 {
    (row.wrapping_mul(ONES) >> 56) as i32
}

/// A move: the seeds that it wins; 1 if it earns an extra turn, -1 if the turn passes; and the
/// rows of the player then to move and of the other. It gains `won + sign * gain of the rows`.
type Move = (i32, i32, [Row; 2]);

/// The rules, and the gain of every position with at most `tabled` seeds in play.
///
/// Rows are ranked by their number of seeds, then by the number in all pits but the last, and so
/// on. A move that banks nothing stays in its own row and lowers the rank of that row; any other
/// move leaves fewer seeds in play. So if positions are valued in ascending order of both ranks,
/// the gains after each of their moves are known.
struct Game {
    pits: usize,
    captures_nothing: bool,
    /// By side, pit and the seeds in it: their share of an estimate.
    worth: [[[i32; MAX_SEEDS + 1]; MAX_PITS]; 2],
    tabled: i32,
    /// By pit, the number of rows with fewer seeds in the pits up to it.
    fewer: [[usize; MAX_SEEDS + 1]; MAX_PITS],
    /// By the lower rank, then by the other: the gains if the lower is to move, and if not.
    gains: Vec<Vec<AtomicI8>>,
}

impl Game {
    fn new((pits, captures_nothing): (usize, bool), tabled: i32) -> Self {
        let mut worth = [[[0; MAX_SEEDS + 1]; MAX_PITS]; 2];
        // Fitted by linear regression: the weights of each seed, of having any seeds, of having
        // enough to reach the store, and of having enough to pass it.
        let weights = [[43, 74, 62, -486], [-52, -51, 262, 252]];
        for (side, [seed, any, reaching, passing]) in weights.into_iter().enumerate() {
            for (pit, n) in (0..pits).flat_map(|pit| (1..=MAX_SEEDS).map(move |n| (pit, n))) {
                let (reaches, passes) = (i32::from(n >= pits - pit), i32::from(n > pits - pit));
                worth[side][pit][n] = seed * n as i32 + any + reaching * reaches + passing * passes;
            }
        }
        let mut fewer = [[0; MAX_SEEDS + 1]; MAX_PITS];
        let mut rows = vec![0];
        for pit in 0..pits {
            for n in 1..=tabled as usize + 1 {
                fewer[pit][n] = if pit == 0 { n } else { fewer[pit][n - 1] + fewer[pit - 1][n] };
            }
            let more = |row| (0..=tabled - seeds(row)).map(move |n| row | (n as Row) << (8 * pit));
            rows = rows.into_iter().flat_map(more).collect();
        }
        let mut game = Self { pits, captures_nothing, worth, tabled, fewer, gains: vec![] };
        rows.sort_by_key(|&row| game.rank(row));
        let ranks = |n: i32| fewer[pits - 1][n as usize]..fewer[pits - 1][n as usize + 1];
        let end = |rank: usize| ranks(tabled - seeds(rows[rank])).end;
        let unknown = |rank| (0..2 * (end(rank) - rank)).map(|_| AtomicI8::new(0)).collect();
        game.gains = (0..ranks(tabled / 2).end).map(unknown).collect();
        let gain = |(won, sign, rows)| won + sign * game.gain(rows);
        let best = |rows| game.moves(rows).map(gain).max().unwrap_or(0) as i8;
        for total in 2..=tabled {
            on_all_processors(1..=total / 2, |fewer| {
                for a in ranks(fewer) {
                    for b in ranks(total - fewer).filter(|&b| b >= a) {
                        let gains = &game.gains[a][2 * (b - a)..];
                        gains[0].store(best([rows[a], rows[b]]), Relaxed);
                        gains[1].store(best([rows[b], rows[a]]), Relaxed);
                    }
                }
            });
        }
        game
    }

    fn rank(&self, row: Row) -> usize {
        (0..self.pits).map(|pit| self.fewer[pit][in_pit(row.wrapping_mul(ONES), pit)]).sum()
    }

    fn gain(&self, rows: [Row; 2]) -> i32 {
        let [own, other] = rows.map(|row| self.rank(row));
        let (low, high) = (own.min(other), own.max(other));
        self.gains[low][2 * (high - low) + usize::from(own > other)].load(Relaxed).into()
    }

    fn sow(&self, [mut own, mut other]: [Row; 2], pit: usize) -> Move {
        let (mut place, mut won, sown) = (pit, 0, in_pit(own, pit));
        own -= (sown as Row) << (8 * pit);
        for _ in 0..sown {
            place = if place == 2 * self.pits { 0 } else { place + 1 };
            if place < self.pits {
                own += 1 << (8 * place);
            } else if place == self.pits {
                won += 1;
            } else {
                other += 1 << (8 * (place - self.pits - 1));
            }
        }
        let captured = if place < self.pits { in_pit(other, self.pits - 1 - place) } else { 0 };
        let is_alone = place < self.pits && in_pit(own, place) == 1;
        if is_alone && (captured > 0 || self.captures_nothing) {
            won += 1 + captured as i32;
            own -= 1 << (8 * place);
            other -= (captured as Row) << (8 * (self.pits - 1 - place));
        }
        if own == 0 || other == 0 {
            // The game is over: each player banks its own row, and nothing is left to gain.
            (won + seeds(own) - seeds(other), 1, [0, 0])
        } else if place == self.pits {
            (won, 1, [own, other])
        } else {
            (won, -1, [other, own])
        }
    }

    /// Pits near the store first: they keep the turn most often.
    fn moves(&self, rows: [Row; 2]) -> impl Iterator<Item = Move> {
        let pits = (0..self.pits).rev().filter(move |&pit| in_pit(rows[0], pit) > 0);
        pits.map(move |pit| self.sow(rows, pit))
    }

    /// An estimate of a gain in hundredths of a seed. It only orders moves.
    fn estimate(&self, rows: [Row; 2], plies: i32) -> i32 {
        let ahead = |(won, sign, rows)| 100 * won + sign * self.estimate(rows, plies - 1);
        if plies > 0 {
            return self.moves(rows).map(ahead).max().unwrap_or(0);
        }
        let side = |side: usize, pit| self.worth[side][pit][in_pit(rows[side], pit)];
        (0..self.pits).map(|pit| side(0, pit) + side(1, pit)).sum()
    }
}

/// A search whose answers are void after `limit` nodes.
struct Search<'g> {
    game: &'g Game,
    /// A transposition table. Its entries hold the whole position, so no collision can change a
    /// result.
    memory: Vec<(Row, Row, i8, i8)>,
    nodes: u64,
    limit: u64,
}

impl Search<'_> {
    fn place(&self, [own, other]: [Row; 2]) -> usize {
        let mixed = u128::from(own ^ 0x9e3779b97f4a7c15) * u128::from(other ^ 0xbf58476d1ce4e5b9);
        ((mixed >> 64) as usize ^ mixed as usize) % self.memory.len()
    }

    /// The bounds of a gain that are known without a search.
    fn bounds(&self, rows: [Row; 2]) -> (i32, i32) {
        let in_play = seeds(rows[0] + rows[1]);
        if in_play <= self.game.tabled {
            return [self.game.gain(rows); 2].into();
        }
        let (own, other, lower, upper) = self.memory[self.place(rows)];
        let is_known = own == rows[0] && other == rows[1];
        if is_known { (lower.into(), upper.into()) } else { (-in_play, in_play) }
    }

    /// Whether the mover's gain is at least `bound`, which has the parity of the seeds in
    /// play: a null window, because no gain lies between `bound` - 2 and `bound`.
    fn is_at_least(&mut self, rows: [Row; 2], bound: i32) -> bool {
        self.nodes += 1;
        let ((lower, upper), place) = (self.bounds(rows), self.place(rows));
        let is_proved = self.nodes < self.limit && self.has_proof(rows, bound);
        if self.nodes < self.limit {
            let (lower, upper) = if is_proved { (bound, upper) } else { (lower, bound - 2) };
            self.memory[place] = (rows[0], rows[1], lower as i8, upper as i8);
        }
        is_proved
    }

    fn has_proof(&mut self, rows: [Row; 2], bound: i32) -> bool {
        let mut open = Vec::with_capacity(MAX_PITS);
        // Enhanced transposition cutoffs: the bounds after all moves are probed before any move
        // is searched.
        for (at, (won, sign, after)) in self.game.moves(rows).enumerate() {
            let (lower, upper) = self.bounds(after);
            let (lower, upper) = if sign > 0 { (lower, upper) } else { (-upper, -lower) };
            if won + lower >= bound {
                return true;
            }
            if won + upper >= bound {
                // Bonuses for small trees: of several refutations, the cheapest is preferred.
                open.push((200 * won + 300 * sign - 50 * at as i32, won, sign, after));
            }
        }
        // Nearer the tables, estimates take longer than a better order saves.
        let above = seeds(rows[0] + rows[1]) - self.game.tabled;
        for (order, won, sign, after) in open.iter_mut().filter(|_| above >= 8) {
            let plies = (above / 4 - 1).min(3 + self.limit.ilog2() as i32 / 2 % 4);
            *order += 100 * *won + *sign * self.game.estimate(*after, plies);
        }
        open.sort_by_key(|&(order, ..)| -order);
        open.iter().any(|&(_, won, sign, after)| match sign {
            1 => self.is_at_least(after, bound - won),
            _ => !self.is_at_least(after, won - bound + 2),
        })
    }
}

/// Reads the board size, the capture rule, the position and its bounds from a line.
fn parse(line: &str) -> Option<((usize, bool), [Row; 2], [i32; 2])> {
    let field = |name: &str| {
        let value = line.split_once(&format!("\"{name}\":"))?.1.trim_start_matches('"');
        value.split(['"', '}']).next().map(|value| value.trim_end_matches(','))
    };
    let numbers = field("position")?.strip_prefix('<')?.strip_suffix("> S")?.split(',');
    let numbers: Vec<u8> = numbers.map(|n| n.parse().ok()).collect::<Option<_>>()?;
    let (pits, counts) = (usize::from(numbers[0]), numbers.get(3..)?);
    let (own, other) = counts.split_at_checked(pits)?;
    let row = |counts: &[u8]| counts.iter().rev().fold(0, |row, &n| row << 8 | Row::from(n));
    let rows = [row(own), row(other)];
    let all: usize = counts.iter().map(|&n| usize::from(n)).sum();
    let is_valid = other.len() == pits && !rows.contains(&0) && all <= MAX_SEEDS;
    let captures_nothing = match field("capture")? {
        "standard" => false,
        "empty-capture" => true,
        _ => return None,
    };
    let rules = (pits, captures_nothing);
    let [lower, upper] = ["lower", "upper"].map(|name| field(name)?.parse::<i8>().ok());
    (is_valid && pits <= MAX_PITS).then_some((rules, rows, [lower?.into(), upper?.into()]))
}

/// Works on the tasks on all processors, starting them in order.
fn on_all_processors<T: Send>(tasks: impl Iterator<Item = T> + Send, work: impl Fn(T) + Sync) {
    let tasks = Mutex::new(tasks);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| std::iter::from_fn(|| tasks.lock().unwrap().next()).for_each(&work));
        }
    });
}

fn run() -> Result<bool, Box<dyn Error>> {
    let usage = "usage: prove_leaf LEDGER [LINE]... [--table-seeds N] [--hash MIB]";
    let mut arguments = std::env::args().skip(1);
    let text = std::fs::read_to_string(arguments.next().ok_or(usage)?)?;
    let (mut lines, mut table_seeds, mut mebibytes) = (vec![], 20, 1024);
    while let Some(word) = arguments.next() {
        match word.as_str() {
            "--table-seeds" => table_seeds = arguments.next().ok_or(usage)?.parse::<u8>()?,
            "--hash" => mebibytes = arguments.next().ok_or(usage)?.parse()?,
            _ => lines.push(word.parse().map_err(|_| usage)?),
        }
    }
    let is_asked = |n: &usize| lines.is_empty() || lines.contains(n);
    let leaves = (1..).zip(text.lines()).filter(|(n, line)| is_asked(n) && line.contains("lower"));
    let leaves = leaves.map(|(n, line)| Some((n, parse(line)?))).collect::<Option<Vec<_>>>();
    let leaves = leaves.ok_or("expected a position and its bounds on each line with bounds")?;
    let rules = leaves.first().ok_or("expected lines with bounds")?.1.0;
    if leaves.len() < lines.len() || leaves.iter().any(|(_, leaf)| leaf.0 != rules) {
        return Err("expected lines with bounds, of one board with one capture rule".into());
    }
    let (game, holds) = (&Game::new(rules, table_seeds.min(126).into()), AtomicBool::new(true));
    let open = leaves.into_iter().flat_map(|(line, (_, rows, [lower, upper]))| {
        let all = seeds(rows[0] + rows[1]);
        [(line, rows, "least", lower, -all), (line, rows, "most", upper, all)]
    });
    let mut open: Vec<_> = open.filter(|&(.., bound, trivial)| bound != trivial).collect();
    // Every bound is tried with few nodes first, then those that are left with four times as many
    // and a different move order: with a bad order, a bound can take a hundred times the nodes.
    let mut limit = 1 << 21;
    while !open.is_empty() {
        let left = Mutex::new(vec![]);
        on_all_processors(open.into_iter(), |task @ (line, rows, name, bound, trivial)| {
            let memory = vec![(0, 0, 0, 0); mebibytes.max(1) * (1 << 20) / 24];
            let mut search = Search { game, memory, nodes: 0, limit };
            // Gains have the parity of the seeds in play.
            let above = bound + i32::from(name == "most");
            let above = above + (above + trivial).rem_euclid(2);
            let is_proved = search.is_at_least(rows, above) == (name == "least");
            if search.nodes >= limit {
                return left.lock().unwrap().push(task);
            }
            let verdict = if is_proved { "proved" } else { "REFUTED" };
            println!("line {line}: gain at {name} {bound}: {verdict}, {} nodes", search.nodes);
            holds.fetch_and(is_proved, Relaxed);
        });
        (open, limit) = (left.into_inner()?, 4 * limit);
    }
    Ok(holds.into_inner())
}

fn main() {
    exit(run().map(|holds| i32::from(!holds)).unwrap_or_else(|error| {
        eprintln!("error: {error}");
        2
    }))
}
