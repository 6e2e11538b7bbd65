//! `kalah openings`: start positions with proved margins, made and checked.
//!
//! A list is text, one position a line: the position, the moves that lead to it
//! from the start, its mover's margin and how that was proved, with tabs
//! between. The second column begins with `#`, so that programs which read
//! positions alone take the rest for a comment. A manifest beside the lists says
//! what they are, how they were made, and what their checksums are.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, Subcommand};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::arguments::{CaptureArgs, StartArgs};
use super::resources::{Resources, searched};
use super::{Failure, watch::Watcher};
use crate::arena::opening::Opening;
use crate::depth::Depth;
use crate::game::{Capture, Position, Rules, Side};
use crate::score::{Gain, Turn};
use crate::solve::openings::{Reached, reached};
use crate::solve::{Order, Progress, Settings, Solver};
use crate::sys::machine::processors;
use crate::sys::random::SplitMix64;

/// How proofs begin that prove something.
const EXACT: &str = "exact";
/// MiB of memory for a search.
const SEARCH_HASH: usize = 64;
/// The first line of a list.
const HEADER: &str = "# position\tmoves\tmargin\tproof";

/// Make or check lists of start positions with proved margins
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(subcommand)]
    command: OpeningsCommand,
}

#[derive(Debug, Subcommand)]
enum OpeningsCommand {
    Make(Make),
    Verify(Verify),
}

/// Solve all distinct positions a few sowings from a start
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  kalah openings make --plies 3            openings/6x4-standard.tsv, the subset
                                           worth exactly 0, and a manifest
  kalah openings make --seeds 6 --plies 3 --depth 16   what cannot be proved")]
struct Make {
    #[command(flatten)]
    start: StartArgs,
    /// Sowings from the start, at most
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=12))]
    plies: u8,
    /// Where the lists go
    #[arg(long, value_name = "DIR", default_value = "openings")]
    out: PathBuf,
    /// Search each position so deep instead of solving it: nothing is proved,
    /// and the lists say so
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u16).range(1..=60),
          conflicts_with_all = ["threads", "hash", "table_seeds", "checkpoint"])]
    depth: Option<u16>,
    #[command(flatten)]
    resources: Resources,
    /// Keep what is proved in FILE, and begin with what it holds
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
}

/// Check lists against their manifest, replay every line, and solve a sample of
/// them again on another way
#[derive(Debug, ClapArgs)]
struct Verify {
    /// The manifest
    #[arg(value_name = "MANIFEST", default_value = "openings/6x4-standard.json")]
    manifest: PathBuf,
    /// Positions of each list to solve again
    #[arg(long, default_value_t = 5)]
    sample: usize,
    /// Which sample
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What lists there are and how they were made.
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

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self.command {
            OpeningsCommand::Make(make) => make.run(out),
            OpeningsCommand::Verify(verify) => verify.run(out),
        }
    }
}

impl Make {
    fn run(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let start = Position::start(self.start.rules()?);
        let mut margins = Margins::new(self, &start)?;
        let mut lines = Vec::new();
        let mut fair = Vec::new();
        for Reached { position, moves } in reached(&start, self.plies.into()) {
            let (margin, proof) = margins.of(&position)?;
            let moves = String::from_iter(start.letters(&moves));
            let line = format!("{position}\t# {moves}\t{margin}\t{proof}\n");
            if margin == Gain::ZERO {
                fair.push(line.clone());
            }
            lines.push(line);
        }
        let StartArgs { pits, seeds, capture: CaptureArgs { rule: capture } } = self.start;
        let name = format!("{pits}x{seeds}-{capture}");
        let write = |file: String, lines: &[String]| {
            let text = format!("{HEADER}\n{}", lines.concat());
            write_file(&self.out.join(&file), &text)?;
            Ok::<_, Failure>(List { file, positions: lines.len(), sha256: checksum(&text) })
        };
        fs::create_dir_all(&self.out).map_err(Failure::writing(&self.out))?;
        let lists =
            vec![write(format!("{name}.tsv"), &lines)?, write(format!("{name}-fair.tsv"), &fair)?];
        for List { file, positions, .. } in &lists {
            writeln!(out, "{positions:>6} positions in {}", self.out.join(file).display())?;
        }
        let plies = self.plies;
        let depth = self.depth.map_or(String::new(), |depth| format!(" --depth {depth}"));
        let command = format!(
            "kalah openings make --pits {pits} --seeds {seeds} --capture {capture} \
             --plies {plies}{depth}"
        );
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let manifest = Manifest { command, version, pits, seeds, capture, plies, lists };
        let text = serde_json::to_string_pretty(&manifest)? + "\n";
        write_file(&self.out.join(format!("{name}.json")), &text)
    }
}

/// Where the margins of a list come from.
enum Margins {
    /// They are proved.
    Solved {
        solver: Box<Solver>,
        watcher: Watcher,
        /// South's margin of the position before: those of neighbours are alike.
        last: Gain,
    },
    /// They are what a search so deep takes them for.
    Searched(Depth),
}

impl Margins {
    fn new(make: &Make, start: &Position) -> Result<Self, Failure> {
        if let Some(depth) = make.depth {
            return Ok(Self::Searched(Depth(depth)));
        }
        let watcher = Watcher::new(make.checkpoint.as_deref())?;
        let solver = Solver::new(start, make.resources.settings()).map_err(Failure::usage)?;
        let mut solver = Box::new(solver);
        watcher.teach(&mut solver);
        Ok(Self::Solved { solver, watcher, last: Gain::ZERO })
    }

    /// The margin of `position`, and how it was found.
    fn of(&mut self, position: &Position) -> Result<(Gain, String), Failure> {
        let (solver, watcher, last) = match self {
            Self::Solved { solver, watcher, last } => (solver, watcher, last),
            Self::Searched(depth) => {
                let found = searched(position, *depth, SEARCH_HASH);
                let found =
                    found.ok_or_else(|| Failure::work(format!("cannot search {position}")))?;
                let source = format!("depth {depth}, {} positions", found.nodes);
                return Ok((found.margin.rounded(), source));
            }
        };
        let before = solver.nodes();
        let to_south = |margin: Gain| match position.side() {
            Side::South => margin,
            Side::North => Turn::Passes.from_child(margin),
        };
        let mut watch = |progress: Progress| watcher.show(&progress);
        let margin = solver.margin(position, Some(to_south(*last)), &mut watch);
        let margin = match (margin, watcher.failure()) {
            (_, Some(failure)) => return Err(failure),
            (margin, None) => margin?,
        };
        *last = to_south(margin);
        let proof = match solver.nodes() - before {
            0 => format!("{EXACT}, proved before"),
            nodes => format!("{EXACT}, {nodes} positions"),
        };
        Ok((margin, proof))
    }
}

impl Verify {
    fn run(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let manifest = read(&self.manifest)?;
        let manifest: Manifest =
            serde_json::from_str(&manifest).map_err(Failure::in_file(&self.manifest))?;
        let rules = Rules::new(manifest.pits, manifest.seeds, manifest.capture);
        let start = Position::start(rules.map_err(Failure::in_file(&self.manifest))?);
        let folder = self.manifest.parent().unwrap_or(Path::new(""));
        let watcher = Watcher::new(None)?;
        let mut solver = None;
        for list in &manifest.lists {
            let file = folder.join(&list.file);
            let text = read(&file)?;
            if checksum(&text) != list.sha256 {
                return Err(Failure::in_file(&file)(format!("expected SHA-256 {}", list.sha256)));
            }
            let lines = read_list(&text, &start).map_err(Failure::in_file(&file))?;
            if lines.len() != list.positions {
                let (expected, got) = (list.positions, lines.len());
                return Err(Failure::in_file(&file)(format!(
                    "expected {expected} positions, got {got}"
                )));
            }
            let exact: Vec<_> = lines.iter().filter(|line| line.exact).collect();
            let mut random = SplitMix64::new(self.seed);
            let sample = self.sample.min(exact.len());
            for _ in 0..sample {
                let Line { position, margin, .. } = exact[random.below(exact.len())];
                let solver = match &mut solver {
                    Some(solver) => solver,
                    none => none.insert(another_solver(&start)?),
                };
                let mut watch = |progress: Progress| watcher.show(&progress);
                if !solver.confirm(position, *margin, &mut watch)? {
                    return Err(Failure::in_file(&file)(format!(
                        "{position} is not worth {margin}"
                    )));
                }
            }
            let (all, name) = (lines.len(), file.display());
            let proved = exact.len();
            writeln!(
                out,
                "{name}: {all} lines replayed, {sample} of {proved} proved ones solved again, \
                 all as written"
            )?;
        }
        Ok(())
    }
}

/// A solver that walks another way than the one that made the lists.
fn another_solver(start: &Position) -> Result<Solver, Failure> {
    let settings = Settings { threads: processors(), order: Order::Other, ..Settings::default() };
    Solver::new(start, settings).map_err(Failure::usage)
}

/// A line of a list.
#[derive(Debug)]
struct Line {
    position: Position,
    margin: Gain,
    /// Whether the margin is proved.
    exact: bool,
}

/// The lines of a list; each one's moves must lead to its position.
fn read_list(text: &str, start: &Position) -> Result<Vec<Line>, String> {
    let mut lines = text.lines().enumerate();
    if lines.next().map(|(_, header)| header) != Some(HEADER) {
        return Err(format!("expected a first line '{HEADER}'"));
    }
    let read = |(index, line): (usize, &str)| {
        let fields: Vec<&str> = line.split('\t').collect();
        let at = |error: String| format!("line {}: {error}", index + 1);
        let [text, moves, margin, proof] = fields[..] else {
            return Err(at(format!("expected 4 columns, got {}", fields.len())));
        };
        let position =
            Position::parse(text, start.capture()).map_err(|error| at(error.to_string()))?;
        let moves = moves.trim_start_matches(['#', ' ']);
        let moves = Opening::read_moves(*start, moves).map_err(|(_, e)| at(e.to_string()))?;
        let opening = Opening { name: String::new(), start: *start, moves };
        if opening.position() != position {
            return Err(at(format!("the moves lead to {}", opening.position())));
        }
        let margin =
            margin.parse().map_err(|_| at(format!("expected a margin, got '{margin}'")))?;
        Ok(Line { position, margin: Gain(margin), exact: proof.starts_with(EXACT) })
    };
    lines.map(read).collect()
}

fn checksum(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn read(file: &Path) -> Result<String, Failure> {
    fs::read_to_string(file).map_err(Failure::reading(file))
}

fn write_file(file: &Path, text: &str) -> Result<(), Failure> {
    fs::write(file, text).map_err(Failure::writing(file))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::arguments::Threads;

    fn make(folder: &Path) -> PathBuf {
        let make = Make {
            start: StartArgs {
                pits: 4,
                seeds: 3,
                capture: CaptureArgs { rule: Capture::Standard },
            },
            plies: 2,
            depth: None,
            out: folder.to_owned(),
            resources: Resources { threads: Threads { threads: Some(1) }, ..Resources::default() },
            checkpoint: None,
        };
        make.run(&mut Vec::new()).unwrap();
        folder.join("4x3-standard.json")
    }

    /// A process listens for Ctrl-C once, so one test makes and checks.
    #[test]
    fn lists_read_back_and_altered_ones_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = make(folder.path());
        let start = Position::start(Rules::new(4, 3, Capture::Standard).unwrap());
        let file = folder.path().join("4x3-standard.tsv");
        let text = read(&file).unwrap();
        let lines = read_list(&text, &start).unwrap();
        assert!(lines.len() > 10);
        let mut solver = another_solver(&start).unwrap();
        for Line { position, margin, exact } in &lines {
            assert!(exact);
            assert!(solver.confirm(position, *margin, &mut |_| true).unwrap(), "{position}");
            let other = Gain(margin.0 + 2);
            assert!(!solver.confirm(position, other, &mut |_| true).unwrap(), "{position}");
        }
        let swapped = text.replacen("# A\t", "# B\t", 1);
        assert!(read_list(&swapped, &start).unwrap_err().contains("line 2"));
        let manifest: Manifest = serde_json::from_str(&read(&manifest).unwrap()).unwrap();
        assert_eq!(manifest.lists[0].sha256, checksum(&text));
        assert_eq!(manifest.lists[0].positions, lines.len());
    }
}
