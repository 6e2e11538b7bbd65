//! `kalah openings`: lists of start positions with proved margins, in the format of
//! [`book`](crate::engine::book). A manifest beside the lists records the command that made
//! them and their SHA-256.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, Subcommand};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::arguments::{CaptureArgs, StartArgs, number};
use super::failure::Failure;
use super::output::{advance, write_document};
use super::solving::{Console, Resources, searched};
use crate::arena::opening::Opening;
use crate::engine::book::{self, EXACT};
use crate::engine::known;
use crate::game::depth::Depth;
use crate::game::score::{Gain, Interval, Score, Turn, Value};
use crate::game::{Capture, Pit, Position, Rules};
use crate::solve::{Order, Settings, Solver};
use crate::sys::files::{self, AccessError};
use crate::sys::random::SplitMix64;

/// MiB for the transposition table of a search.
const SEARCH_HASH: usize = 64;

/// Make or check lists of start positions with proved margins
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    Make(Make),
    Verify(Verify),
}

/// Solve all distinct positions that are a few sowings from a start
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  kalah openings make --plies 3            openings/6x4-standard.tsv, the subset
                                           worth exactly 0, and a manifest
  kalah openings make --seeds 6 --plies 3 --depth 14   search instead of solving")]
pub(super) struct Make {
    #[command(flatten)]
    start: StartArgs,
    /// Maximum number of sowings from the start
    #[arg(long, default_value_t = 3, value_parser = number::<u8>(1..=12))]
    plies: u8,
    /// Write the lists into DIR
    #[arg(long, value_name = "DIR", default_value = "openings")]
    out: PathBuf,
    /// Search each position to this depth instead of solving it, unless the checkpoint
    /// holds its margin; the lists mark margins that are not proved
    #[arg(long, value_name = "PLIES", value_parser = number::<u16>(1..=60),
          conflicts_with_all = ["threads", "hash", "table_seeds", "tables"])]
    depth: Option<u16>,
    #[command(flatten)]
    resources: Resources,
    /// Save proved bounds to FILE, and continue from the bounds that it already holds
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Print the results as one JSON document (doc/records.md)
    #[arg(long)]
    json: bool,
}

/// Check lists against their manifest, replay every line, and verify a sample
/// of the margins independently
#[derive(Debug, ClapArgs)]
pub(super) struct Verify {
    /// The manifest of the lists
    #[arg(value_name = "MANIFEST", default_value = "openings/6x4-standard.json")]
    manifest: PathBuf,
    /// Number of random positions to verify in each list
    #[arg(long, value_name = "COUNT", default_value_t = 5, value_parser = number::<usize>(0..))]
    sample: usize,
    /// Seed of the random sample
    #[arg(long, default_value_t = 1, value_parser = number::<u64>(0..))]
    seed: u64,
    #[command(flatten)]
    resources: Resources,
    /// Print the results as one JSON document (doc/records.md)
    #[arg(long)]
    json: bool,
}

/// A list that was verified.
#[derive(Serialize)]
struct Verified<'a> {
    file: &'a str,
    lines: usize,
    proved: usize,
    verified: usize,
}

/// The lists and how they were made.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    command: String,
    version: String,
    pits: u32,
    seeds: u32,
    capture: Capture,
    plies: u8,
    lists: Vec<List>,
}

#[derive(Debug, Serialize, Deserialize)]
struct List {
    file: String,
    positions: usize,
    sha256: String,
}

impl Command {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self {
            Command::Make(make) => make.run(out),
            Command::Verify(verify) => verify.run(out),
        }
    }
}

impl Make {
    fn run(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let start = Position::start(self.start.rules()?);
        let mut margins = Margins::new(self, &start)?;
        let (mut all, mut fair) = (Vec::new(), Vec::new());
        let reached = reached(&start, self.plies);
        let count = reached.len() as u64;
        for Reached { position, before, moves } in reached {
            // Shows the length before the first position is solved.
            advance(0, count);
            let (margin, proof) = margins.of(&position, &before)?;
            advance(1, count);
            let moves = String::from_iter(start.letters(&moves));
            let line = format!("{position}\t# {moves}\t{margin}\t{proof}\n");
            if margin == Gain::ZERO {
                fair.push(line.clone());
            }
            all.push(line);
        }
        fs::create_dir_all(&self.out).map_err(AccessError::writing(&self.out))?;
        let StartArgs { pits, seeds, capture: CaptureArgs { rule } } = self.start;
        let name = format!("{pits}x{seeds}-{rule}");
        let mut lists = Vec::new();
        // Positions are fair by proof, unless a search of a fixed depth says so.
        let fair_name = if self.depth.is_some() { "fair-searched" } else { "fair" };
        for (file, lines) in
            [(format!("{name}.tsv"), all), (format!("{name}-{fair_name}.tsv"), fair)]
        {
            let text = book::List::text(rule, &lines);
            let path = self.out.join(&file);
            files::replace(&path, [&text])?;
            if !self.json {
                writeln!(out, "{:>6} positions in {}", lines.len(), path.display())?;
            }
            lists.push(List { file, positions: lines.len(), sha256: checksum(&text) });
        }
        let manifest = self.manifest(lists);
        let text = serde_json::to_string_pretty(&manifest)? + "\n";
        files::replace(&self.out.join(format!("{name}.json")), [text])?;
        if self.json {
            write_document("openings make", json!({ "folder": self.out }), manifest.lists, out)?;
        }
        Ok(())
    }

    fn manifest(&self, lists: Vec<List>) -> Manifest {
        let StartArgs { pits, seeds, capture: CaptureArgs { rule: capture } } = self.start;
        let plies = self.plies;
        let mut command = format!(
            "kalah openings make --pits {pits} --seeds {seeds} --capture {capture} \
             --plies {plies}"
        );
        // How a solver found them changes nothing; what was proved before does.
        if let Some(depth) = self.depth {
            command += &format!(" --depth {depth}");
            if let Some(checkpoint) = &self.checkpoint {
                command += &format!(" --checkpoint {}", checkpoint.display());
            }
        }
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Manifest { command, version, pits, seeds, capture, plies, lists }
    }
}

/// A position, and how it was reached.
#[derive(Clone)]
struct Reached {
    position: Position,
    /// The position before the last of the moves.
    before: Position,
    moves: Vec<Pit>,
}

/// All distinct unfinished positions 1 to `plies` sowings from `start`, each
/// with the first moves found that lead to it: shorter ones first, then pit by
/// pit.
fn reached(start: &Position, plies: u8) -> Vec<Reached> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let mut frontier = vec![Reached { position: *start, before: *start, moves: Vec::new() }];
    for _ in 0..plies {
        let mut next = Vec::new();
        for Reached { position: before, moves, .. } in &frontier {
            for (played, position) in before.children() {
                if !position.is_over() && seen.insert(position) {
                    let moves = [&moves[..], &[played.pit]].concat();
                    next.push(Reached { position, before: *before, moves });
                }
            }
        }
        found.extend(next.iter().cloned());
        frontier = next;
    }
    found
}

/// The source of the margins in a list.
struct Margins {
    console: Console,
    source: Source,
}

enum Source {
    Solver {
        solver: Box<Solver>,
        /// South's margin of the position before: those of neighbours are alike.
        last: Gain,
    },
    /// Estimates by a search of this depth.
    Search(Depth),
}

impl Margins {
    fn new(make: &Make, start: &Position) -> Result<Self, Failure> {
        // Searches prove nothing that a new checkpoint could hold.
        if let Some(checkpoint) = make.checkpoint.as_ref().filter(|_| make.depth.is_some()) {
            files::open(checkpoint)?;
        }
        let console = Console::new(make.checkpoint.as_deref())?;
        let source = match make.depth {
            Some(depth) => Source::Search(Depth(depth)),
            None => {
                let settings = make.resources.settings_with_cache(start.variant())?;
                let mut solver = Box::new(console.solver(start, settings)?);
                console.restore(&mut solver);
                Source::Solver { solver, last: Gain::ZERO }
            }
        };
        Ok(Self { console, source })
    }

    /// The margin of `position`, reached from `before`, and how it was found.
    fn of(&mut self, position: &Position, before: &Position) -> Result<(Gain, String), Failure> {
        let proved_before = format!("{EXACT}, proved before");
        match &mut self.source {
            Source::Search(depth) => {
                // No move is worth more than the position in which it is played.
                let most = Interval { lower: Gain::MIN, ..proved(&self.console, before) };
                let turn =
                    if before.side() == position.side() { Turn::Keeps } else { Turn::Passes };
                let proved = proved(&self.console, position).and(most.from_child(Gain::ZERO, turn));
                if proved.is_exact() {
                    return Ok((proved.lower, proved_before));
                }
                let found = searched(position, *depth, SEARCH_HASH);
                let found =
                    found.ok_or_else(|| Failure::work(format!("cannot search {position}")))?;
                let mut proof = format!("depth {depth}, {} positions", found.nodes);
                // Bounds beyond half the seeds in play are next to trivial.
                let is_telling = |bound: Gain| bound.0.unsigned_abs() <= position.in_play() / 2;
                if is_telling(proved.lower) {
                    proof += &format!(", at least {} proved", proved.lower);
                }
                if is_telling(proved.upper) {
                    proof += &format!(", at most {} proved", proved.upper);
                }
                // A start has an even number of seeds, and so every margin is even.
                let margin = Gain(2 * Value(found.margin.0 / 2).rounded().0);
                Ok((margin.clamp(proved.lower, proved.upper), proof))
            }
            Source::Solver { solver, last } => {
                let nodes = solver.nodes();
                // Positions come in the order of their moves: neighbours are siblings.
                let guess = Some(position.side().view_of(*last));
                let margin = self.console.watch(|watch| solver.margin(position, guess, watch))?;
                *last = position.side().view_of(margin);
                match solver.nodes() - nodes {
                    0 => Ok((margin, proved_before)),
                    nodes => Ok((margin, format!("{EXACT}, {nodes} positions"))),
                }
            }
        }
    }
}

/// What was proved before of the margin of `position`, from its mover's point of view.
fn proved(console: &Console, position: &Position) -> Interval<Gain> {
    let gain = console.known(position).and(known::gain(position));
    gain.from_child(position.lead(position.side()), Turn::Keeps)
}

impl Verify {
    fn run(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let manifest = files::read_text(&self.manifest).map_err(|error| {
            Failure::work(format!("{error}; expected a manifest of `kalah openings make`"))
        })?;
        let manifest: Manifest =
            serde_json::from_str(&manifest).map_err(Failure::in_file(&self.manifest))?;
        let rules = Rules::new(manifest.pits, manifest.seeds, manifest.capture);
        let start = Position::start(rules.map_err(Failure::in_file(&self.manifest))?);
        let folder = self.manifest.parent().unwrap_or(Path::new(""));
        let console = Console::new(None)?;
        let mut solver = None;
        let mut results = Vec::new();
        for list in &manifest.lists {
            let file = folder.join(&list.file);
            let text = files::read_text(&file)?;
            let lines = list.parse(&text, &start).map_err(Failure::in_file(&file))?;
            let mut proved: Vec<_> = lines.iter().filter(|line| line.is_exact).collect();
            let mut random = SplitMix64::new(self.seed);
            let sample = self.sample.min(proved.len());
            for index in 0..sample {
                // Drawn without replacement, so that a large sample is all of them.
                let other = index + random.below(proved.len() - index);
                proved.swap(index, other);
                let book::Line { position, margin, .. } = proved[index];
                let solver = match &mut solver {
                    Some(solver) => solver,
                    none => {
                        let settings = self.resources.settings(start.variant())?;
                        none.insert(console.solver(&start, independent(settings))?)
                    }
                };
                if !console.watch(|watch| solver.confirm(position, *margin, watch))? {
                    let error = format!("{position} is not worth {margin}");
                    return Err(Failure::in_file(&file)(error));
                }
            }
            let (all, proved, name) = (lines.len(), proved.len(), file.display());
            if !self.json {
                writeln!(
                    out,
                    "{name}: {all} lines replayed, {sample} of {proved} proved margins \
                     verified, no errors found"
                )?;
            }
            results.push(Verified { file: &list.file, lines: all, proved, verified: sample });
        }
        if self.json {
            write_document("openings verify", json!({ "folder": folder }), results, out)?;
        }
        Ok(())
    }
}

/// Another order of moves than that of the solver that made the lists.
fn independent(settings: Settings) -> Settings {
    Settings { order: Order::Independent, ..settings }
}

impl List {
    /// Parses the `text` of the list and checks it against the manifest; the moves of each
    /// line must lead to its position.
    fn parse<'a>(&self, text: &'a str, start: &Position) -> Result<Vec<book::Line<'a>>, String> {
        if checksum(text) != self.sha256 {
            return Err(format!("expected SHA-256 {}", self.sha256));
        }
        let book::List { lines, has_checksum } = book::List::parse(text, start.capture())?;
        if !has_checksum {
            return Err("expected a checksum as its last line, got none".to_owned());
        }
        if lines.len() != self.positions {
            let (expected, got) = (self.positions, lines.len());
            return Err(format!("expected {expected} positions, got {got}"));
        }
        for book::Line { number, position, moves, .. } in &lines {
            let opening = Opening::new(String::new(), *start, moves);
            let reached =
                opening.map_err(|(_, error)| format!("line {number}: {error}"))?.position();
            if reached != *position {
                return Err(format!(
                    "line {number}: expected moves to {position}, got moves to {reached}"
                ));
            }
        }
        Ok(lines)
    }
}

fn checksum(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
