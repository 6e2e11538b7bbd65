//! Proves leaves of the ledger of a Kalah proof, independently of the engine.
//!
//! ```text
//! rustc -O --edition 2024 contrib/prove_leaf.rs
//! ./prove_leaf LEDGER [LINE]... [--table-seeds N] [--hash MIB]
//! ```
//!
//! Each LINE counts from 1 and holds a position with its bounds; without any, all lines with
//! bounds are proved. Each bound that is not trivial is proved by a search of its own, with
//! empty memory. This file has its own rules, endgame tables and search, reads nothing but
//! those lines, and shares no code with the engine: only the rules of the game. It uses all
//! processors, each with its own memory of MIB. Boards of 1 to 8 pits a row, at most 127 seeds.
//!
//! A *gain* is the seeds that the mover still banks minus those that the opponent does.
//! Exit code: 0 if all bounds of the lines are proved, 1 if one is refuted, 2 on bad input.

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI8, Ordering::Relaxed};
use std::thread;

const MAX_PITS: usize = 8;
type Row = [u8; MAX_PITS];

#[derive(Clone, Copy, PartialEq)]
struct Rules {
    pits: usize,
    captures_nothing: bool,
}

/// The position after a move, from the view of the player who is then to move.
struct Child {
    /// Seeds won by the move; at the end of the game a difference.
    won: i32,
    passes: bool,
    /// None at the end of the game.
    rows: Option<[Row; 2]>,
}

fn seeds(rows: &[Row; 2]) -> usize {
    rows.iter().flatten().map(|&n| usize::from(n)).sum()
}

impl Rules {
    fn sow(self, rows: &[Row; 2], pit: usize) -> Child {
        let ([mut own, mut other], pits) = (*rows, self.pits);
        let (mut place, mut won) = (pit, 0);
        let sown = std::mem::take(&mut own[pit]);
        for _ in 0..sown {
            place = if place == 2 * pits { 0 } else { place + 1 };
            if place < pits {
                own[place] += 1;
            } else if place == pits {
                won += 1;
            } else {
                other[place - pits - 1] += 1;
            }
        }
        if place < pits && own[place] == 1 {
            let opposite = pits - 1 - place;
            if other[opposite] > 0 || self.captures_nothing {
                won += 1 + i32::from(other[opposite]);
                (own[place], other[opposite]) = (0, 0);
            }
        }
        let [mine, theirs] = [own, other].map(|row| row.iter().map(|&n| i32::from(n)).sum::<i32>());
        if mine == 0 || theirs == 0 {
            return Child { won: won + mine - theirs, passes: false, rows: None };
        }
        let passes = place != pits;
        Child { won, passes, rows: Some(if passes { [other, own] } else { [own, other] }) }
    }

    fn children<'r>(self, rows: &'r [Row; 2]) -> impl Iterator<Item = Child> + 'r {
        // Pits near the store first: they keep the turn most often.
        (0..self.pits).rev().filter(|&pit| rows[0][pit] > 0).map(move |pit| self.sow(rows, pit))
    }
}

/// The gain of every position with at most `seeds` in play and no empty row.
///
/// A row is ranked lexicographically, the pit farthest from the store first. A move that
/// banks nothing stays in its own row and lowers the rank of that row, and any other move
/// leaves fewer seeds in play: in ascending order of both ranks, all children are known.
struct Tables {
    rules: Rules,
    seeds: usize,
    /// `ways[s][p]`: ways to put `s` seeds into `p` pits.
    ways: Vec<[usize; MAX_PITS + 1]>,
    /// By the seeds in the mover's and in the opponent's row, then by both ranks.
    gains: Vec<Vec<Vec<AtomicI8>>>,
}

impl Tables {
    fn build(rules: Rules, seeds: usize) -> Self {
        let mut ways = vec![[0; MAX_PITS + 1]; seeds + 1];
        for s in 0..=seeds {
            ways[s][0] = usize::from(s == 0);
            for p in 1..=rules.pits {
                ways[s][p] = ways[s][p - 1] + if s > 0 { ways[s - 1][p] } else { 0 };
            }
        }
        let unknown = |mine: usize, theirs: usize| {
            let size = if mine + theirs > seeds {
                0
            } else {
                ways[mine][rules.pits] * ways[theirs][rules.pits]
            };
            (0..size).map(|_| AtomicI8::new(0)).collect()
        };
        let gains =
            (0..=seeds).map(|mine| (0..=seeds).map(|theirs| unknown(mine, theirs)).collect());
        let tables = Self { rules, seeds, gains: gains.collect(), ways };
        for total in 2..=seeds {
            on_all_processors(1..=total / 2, |mine| tables.fill(mine, total - mine));
        }
        tables
    }

    /// Fills in the positions of one division of the seeds, for both players to move: they
    /// depend on each other and on positions with fewer seeds in play.
    fn fill(&self, first: usize, second: usize) {
        let [rows, columns] = [first, second].map(|seeds| self.rows_of(seeds));
        for (i, &a) in rows.iter().enumerate() {
            for (j, &b) in columns.iter().enumerate() {
                self.gains[first][second][i * columns.len() + j].store(self.best(&[a, b]), Relaxed);
                self.gains[second][first][j * rows.len() + i].store(self.best(&[b, a]), Relaxed);
            }
        }
    }

    fn best(&self, rows: &[Row; 2]) -> i8 {
        let gains = self.rules.children(rows).map(|child| match &child.rows {
            None => child.won,
            Some(rows) if child.passes => child.won - self.gain(rows),
            Some(rows) => child.won + self.gain(rows),
        });
        gains.max().unwrap_or(0) as i8
    }

    /// All rows with `seeds` seeds, by rank.
    fn rows_of(&self, seeds: usize) -> Vec<Row> {
        let mut all = vec![];
        let mut row = Row::default();
        self.extend(&mut row, 0, seeds, &mut all);
        all
    }

    fn extend(&self, row: &mut Row, pit: usize, left: usize, all: &mut Vec<Row>) {
        if pit + 1 == self.rules.pits {
            row[pit] = left as u8;
            all.push(*row);
            return;
        }
        for n in 0..=left {
            row[pit] = n as u8;
            self.extend(row, pit + 1, left - n, all);
        }
    }

    /// The place of a row in [`Tables::rows_of`], and its seeds.
    fn rank(&self, row: &Row) -> (usize, usize) {
        let (pits, mut rank, mut suffix) = (self.rules.pits, 0, 0);
        // Rows that agree before a pit and have fewer seeds in it leave more to the rest.
        for pit in (0..pits).rev() {
            let rest = suffix;
            suffix += usize::from(row[pit]);
            if pit + 1 < pits {
                rank += self.ways[suffix][pits - pit] - self.ways[rest][pits - pit];
            }
        }
        (rank, suffix)
    }

    fn gain(&self, rows: &[Row; 2]) -> i32 {
        let [(a, mine), (b, theirs)] = [self.rank(&rows[0]), self.rank(&rows[1])];
        self.gains[mine][theirs][a * self.ways[theirs][self.rules.pits] + b].load(Relaxed).into()
    }
}

/// Proved bounds of gains. An entry holds the whole position, so that no collision can
/// change a result: 7 bits for each of 16 pits, then 8 bits for each bound.
struct Memory(Vec<u128>);

impl Memory {
    const BOUNDS: u128 = 0xffff << 112;

    fn key(rows: &[Row; 2]) -> u128 {
        rows.iter().flatten().fold(0, |key, &n| key << 7 | u128::from(n))
    }

    /// Two entries share a place: the first keeps positions with many seeds in play.
    fn place(&self, key: u128) -> usize {
        let mixed = (key as u64 ^ (key >> 56) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed >> 20) as usize % (self.0.len() / 2) * 2
    }

    fn bounds(&self, rows: &[Row; 2]) -> (i32, i32) {
        let (key, all) = (Self::key(rows), seeds(rows) as i32);
        let place = self.place(key);
        let entry = self.0[place..place + 2].iter().find(|&entry| entry & !Self::BOUNDS == key);
        let bound = |entry: u128, shift: u32| i32::from((entry >> shift) as u8 as i8);
        entry.map_or((-all, all), |&entry| (bound(entry, 112), bound(entry, 120)))
    }

    fn store(&mut self, rows: &[Row; 2], (lower, upper): (i32, i32)) {
        let key = Self::key(rows);
        let entry = key | u128::from(lower as u8) << 112 | u128::from(upper as u8) << 120;
        let place = self.place(key);
        let large = |entry: u128| (0..16).map(|pit| entry >> (7 * pit) & 127).sum::<u128>();
        let kept = self.0[place] & !Self::BOUNDS;
        let first = kept == key || large(key) >= large(kept & !Self::BOUNDS);
        self.0[place + usize::from(!first)] = entry;
    }
}

struct Search<'t> {
    rules: Rules,
    tables: &'t Tables,
    memory: Memory,
    nodes: u64,
}

impl Search<'_> {
    /// What is known of a gain without a search.
    fn known(&self, rows: &[Row; 2]) -> (i32, i32) {
        if seeds(rows) <= self.tables.seeds {
            let gain = self.tables.gain(rows);
            (gain, gain)
        } else {
            self.memory.bounds(rows)
        }
    }

    /// Whether the mover's gain is at least `bound`, which has the parity of the seeds in
    /// play: a null window, because no gain lies between `bound` - 2 and `bound`.
    fn is_at_least(&mut self, rows: &[Row; 2], bound: i32) -> bool {
        let (lower, upper) = self.known(rows);
        if lower >= bound || upper < bound {
            return lower >= bound;
        }
        self.nodes += 1;
        let mut open = Vec::with_capacity(MAX_PITS);
        let mut proved = false;
        // Enhanced transposition cutoffs: what is known of the children comes first.
        for child in self.rules.children(rows) {
            let (won, passes) = (child.won, child.passes);
            let Some(after) = child.rows else {
                proved |= won >= bound;
                continue;
            };
            let (low, high) = self.known(&after);
            let (low, high) =
                if passes { (won - high, won - low) } else { (won + low, won + high) };
            proved |= low >= bound;
            if high >= bound {
                open.push((won + if passes { 0 } else { 3 }, won, passes, after));
            }
        }
        // Extra turns and large captures first; among equals, the pit nearest the store.
        open.sort_by_key(|&(order, ..)| -order);
        for (_, won, passes, after) in open {
            proved = proved
                || match passes {
                    true => !self.is_at_least(&after, won - bound + 2),
                    false => self.is_at_least(&after, bound - won),
                };
        }
        let (lower, upper) = self.memory.bounds(rows);
        let bounds = if proved { (bound, upper) } else { (lower, bound - 2) };
        self.memory.store(rows, bounds);
        proved
    }
}

/// The value of a field of a line of the ledger, without quotation marks.
fn field<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let rest = line.split_once(&format!("\"{name}\":"))?.1;
    match rest.strip_prefix('"') {
        Some(text) => text.split('"').next(),
        None => rest.split([',', '}']).next(),
    }
}

struct Leaf {
    rules: Rules,
    rows: [Row; 2],
    lower: i32,
    upper: i32,
}

fn parse(line: &str) -> Option<Leaf> {
    let numbers = field(line, "position")?.strip_prefix('<')?.strip_suffix("> S")?;
    let numbers: Vec<u8> = numbers.split(',').map(|n| n.parse().ok()).collect::<Option<_>>()?;
    let pits = usize::from(numbers[0]);
    if !(1..=MAX_PITS).contains(&pits) || numbers.len() != 3 + 2 * pits {
        return None;
    }
    let mut rows = [Row::default(); 2];
    for (side, row) in rows.iter_mut().enumerate() {
        row[..pits].copy_from_slice(&numbers[3 + side * pits..][..pits]);
    }
    let captures_nothing = field(line, "capture")? == "empty-capture";
    let [lower, upper] = ["lower", "upper"].map(|name| field(line, name)?.parse().ok());
    let rules = Rules { pits, captures_nothing };
    (seeds(&rows) < 128).then_some(Leaf { rules, rows, lower: lower?, upper: upper? })
}

/// Proves the bounds of one line and prints the verdicts.
fn prove(tables: &Tables, mebibytes: usize, number: usize, leaf: &Leaf) -> bool {
    let (all, mut holds) = (seeds(&leaf.rows) as i32, true);
    for (name, bound, trivial) in [("least", leaf.lower, -all), ("most", leaf.upper, all)] {
        if bound == trivial {
            continue;
        }
        let memory = Memory(vec![0; mebibytes.max(1) << 16]);
        let mut search = Search { rules: tables.rules, tables, memory, nodes: 0 };
        let is_proved = match name {
            "least" => search.is_at_least(&leaf.rows, bound),
            _ => !search.is_at_least(&leaf.rows, bound + 2),
        };
        let verdict = if is_proved { "proved" } else { "REFUTED" };
        println!("line {number}: gain at {name} {bound}: {verdict}, {} nodes", search.nodes);
        holds &= is_proved;
    }
    holds
}

/// Does the tasks on all processors, in their order.
fn on_all_processors<T: Send>(tasks: impl Iterator<Item = T> + Send, work: impl Fn(T) + Sync) {
    let tasks = Mutex::new(tasks);
    let next = || tasks.lock().unwrap().next();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| std::iter::from_fn(next).for_each(&work));
        }
    });
}

fn run(arguments: &[String]) -> Result<bool, String> {
    let number = |name: &str, default: usize| match arguments.iter().position(|word| word == name) {
        Some(place) => arguments.get(place + 1).and_then(|word| word.parse().ok()),
        None => Some(default),
    };
    let options = number("--table-seeds", 20).zip(number("--hash", 1024));
    let (table_seeds, mebibytes) = options.ok_or("expected a number after the option")?;
    let usage = "usage: prove_leaf LEDGER [LINE]... [--table-seeds N] [--hash MIB]";
    let file = arguments.get(1).ok_or(usage)?;
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let leaves = (1..).zip(text.lines().map(parse));
    let mut leaves: Vec<_> = leaves.filter_map(|(n, leaf)| Some((n, leaf?))).collect();
    let lines = arguments[2..].iter().take_while(|word| !word.starts_with("--"));
    let lines: Vec<usize> =
        lines.map(|word| word.parse().ok()).collect::<Option<_>>().ok_or(usage)?;
    if let Some(line) = lines.iter().find(|&line| leaves.iter().all(|(n, _)| n != line)) {
        return Err(format!("expected a line with bounds, not line {line}"));
    }
    leaves.retain(|(n, _)| lines.is_empty() || lines.contains(n));
    let Some((_, Leaf { rules, .. })) = leaves.first() else {
        return Err("expected lines with bounds".to_owned());
    };
    if leaves.iter().any(|(_, leaf)| leaf.rules != *rules) {
        return Err("expected lines of one board with one capture rule".to_owned());
    }
    let tables = Tables::build(*rules, table_seeds);
    let holds = AtomicBool::new(true);
    on_all_processors(leaves.iter(), |(number, leaf)| {
        holds.fetch_and(prove(&tables, mebibytes, *number, leaf), Relaxed);
    });
    Ok(holds.into_inner())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    match run(&arguments) {
        Ok(holds) => ExitCode::from(u8::from(!holds)),
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}
