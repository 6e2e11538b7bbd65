//! `kalah tables`: endgame tables on disk and in memory.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args as ClapArgs, Subcommand};
use indicatif::HumanBytes;
use serde::Serialize;

use super::arguments::{CaptureArgs, Threads, VariantArgs, number};
use super::failure::Failure;
use super::output::{Progress, write_json};
use crate::endgame::file::{self, Header};
use crate::endgame::verify::{Minimax, Sample, verify_by_minimax, verify_layer};
use crate::endgame::{Encoding, Extent, Tables};
use crate::game::score::Gain;
use crate::game::{Capture, MAX_SEEDS, Position, Variant};
use crate::sys::format::{counted, grouped};
use crate::sys::machine::available_memory;

/// Build, list, verify and probe endgame tables
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  kalah tables cache                            tables for the engine and the solver
  kalah tables build --seeds 20 --tables DIR    all positions of up to 20 seeds
  kalah tables build --seeds 24 --dry-run       show the memory needed for 24
  kalah tables list --tables DIR                list the layers in DIR
  kalah tables verify --tables DIR --all        recompute every position
  kalah tables probe '<6,18,10,4,1,1,0,0,0,0,0,0,2,0,0> S' --tables DIR")]
pub(super) enum Command {
    #[command(visible_alias = "cache")]
    Build(Build),
    List(List),
    Verify(Verify),
    Probe(Probe),
}

/// Build the tables of all positions with up to SEEDS seeds in play
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Without --tables, the tables go to the user's cache, the folder kalah/tables in
$XDG_CACHE_HOME or ~/.cache (macOS: ~/Library/Caches; Windows: kalah\\cache\\tables in
%LOCALAPPDATA%). There, the engine finds them for searches that are limited neither in depth
nor in nodes, and `kalah solve`, `kalah proof work` and `kalah openings make` read them
instead of building tables. Delete the folder to remove them.

Building takes one byte of memory per position. The amount is printed first, and tables
that do not fit are refused. Each layer (all positions with the same number of seeds) is
a file of its own: a build that was interrupted or killed continues after the last
finished layer, and layers with more seeds can be added later.")]
pub(super) struct Build {
    #[command(flatten)]
    variant: VariantArgs,
    /// Maximum number of seeds in play [default: 23 on 6 pits, which takes 834 MB and a few
    /// seconds; on other boards, the largest size with no more positions]
    #[arg(long, value_parser = number::<u32>(0..=MAX_SEEDS.into()))]
    seeds: Option<u32>,
    /// Write the tables to the folder DIR; created if it does not exist [default: the user's
    /// cache]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// File format of new layers: compact (about 0.3 bytes per position) or plain (one byte,
    /// mapped and shared by processes) [default: plain in the cache, compact elsewhere]
    #[arg(long)]
    format: Option<Encoding>,
    #[command(flatten)]
    threads: Threads,
    /// Print the memory needed and build nothing
    #[arg(long)]
    dry_run: bool,
}

/// List the layers in a folder, for all boards and capture rules
#[derive(Debug, ClapArgs)]
pub(super) struct List {
    /// The folder with the tables [default: the user's cache]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Print one JSON object per line, for each layer
    #[arg(long)]
    json: bool,
}

/// Check the files and recompute positions of every layer
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
First, the checksum of every file is verified. Then positions are recomputed from the
positions one move away, under the plain rules; with --all, that proves every value
correct. Layers of up to --minimax seeds are also compared with plain minimax, which
uses no tables.")]
pub(super) struct Verify {
    /// The folder with the tables [default: the user's cache]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    #[command(flatten)]
    variant: VariantArgs,
    /// Verify only the layer with this many seeds
    #[arg(long, value_parser = number::<u32>(0..=MAX_SEEDS.into()))]
    seeds: Option<u32>,
    /// Number of random positions to recompute in each layer
    #[arg(long, value_name = "COUNT", default_value_t = 100_000, conflicts_with = "all", value_parser = number::<u64>(0..))]
    sample: u64,
    /// Recompute all positions
    #[arg(long)]
    all: bool,
    /// Also compare layers of up to this many seeds with minimax
    #[arg(long, default_value_t = 8, value_parser = number::<u32>(0..=MAX_SEEDS.into()))]
    minimax: u32,
    /// Seed of the random sample
    #[arg(long, default_value_t = 1, value_parser = number::<u64>(0..))]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
}

/// Show the exact value of a position and of each of its moves
#[derive(Debug, ClapArgs)]
pub(super) struct Probe {
    /// The position, as `<pits,S store,N store,S row…,N row…> S`
    position: String,
    #[command(flatten)]
    capture: CaptureArgs,
    /// The folder with the tables [default: the user's cache and memory]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Seeds in play, on 6 pits, of the tables in the user's cache, unless others are requested.
const CACHED_SEEDS: u32 = 23;

/// The given folder, or else that of the user's cache.
fn folder(given: Option<&Path>) -> Result<PathBuf, Failure> {
    let folder = given.map(Path::to_owned).or_else(file::cache);
    folder.ok_or_else(|| {
        let message = "no folder for a cache: set HOME or XDG_CACHE_HOME, or use --tables DIR";
        Failure::work(message)
    })
}

impl Command {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self {
            Command::Build(build) => build.run(out),
            Command::List(list) => list.run(out),
            Command::Verify(verify) => verify.run(out),
            Command::Probe(probe) => probe.run(out),
        }
    }
}

impl Build {
    fn run(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let variant = self.variant.variant()?;
        let extent = match self.seeds {
            Some(seeds) => Extent::new(variant, seeds).map_err(Failure::usage)?,
            None => Extent::like_six_pits(variant, CACHED_SEEDS),
        };
        writeln!(
            out,
            "{variant}, up to {}: {}, {} of memory to build, {}",
            counted(extent.seeds().into(), "seed"),
            counted(extent.positions(), "position"),
            HumanBytes(extent.build_memory()),
            match available_memory() {
                Some(bytes) => format!("{} available", HumanBytes(bytes)),
                None => "available memory unknown".into(),
            }
        )?;
        out.flush()?;
        if self.dry_run {
            return Ok(());
        }
        self.build(&folder(self.tables.as_deref())?, extent, out)
    }

    fn build(&self, folder: &Path, extent: Extent, out: &mut dyn Write) -> Result<(), Failure> {
        let variant = extent.variant();
        let threads = self.threads.count();
        let bar = Progress::of(extent.positions(), "positions");
        let started = Instant::now();
        let default = if self.tables.is_some() { Encoding::Compact } else { Encoding::Plain };
        let format = self.format.unwrap_or(default);
        let tables = Tables::build_in(folder, extent, format, threads, &|done| bar.inc(done))?;
        drop(bar);
        let seconds = started.elapsed().as_secs_f64();

        let layers = file::headers(folder, variant)?;
        let layers = &layers[..=extent.seeds() as usize];
        let stored: u64 = layers.iter().map(|(_, header)| header.file_size()).sum();
        let new = &tables.origin().built;
        let positions = new.iter().map(|&seeds| layers[seeds as usize].1.layer.positions);
        let positions: u64 = positions.sum();
        writeln!(
            out,
            "{} written, {} found: {} in {} ({:.3} bytes per position)",
            counted(new.len() as u64, "layer"),
            layers.len() - new.len(),
            HumanBytes(stored),
            folder.display(),
            stored as f64 / extent.positions() as f64
        )?;
        if positions > 0 {
            let rate = positions as f64 / seconds / 1e6;
            writeln!(
                out,
                "{seconds:.3} s, writing included: {rate:.1} million positions per second on {}",
                counted(threads as u64, "thread")
            )?;
        }
        Ok(())
    }
}

/// A layer's file as JSON.
#[derive(Serialize)]
struct LayerFile {
    file: PathBuf,
    pits: usize,
    capture: Capture,
    seeds: u32,
    positions: u64,
    bytes: u64,
    format: &'static str,
    checksum: String,
}

impl LayerFile {
    fn new((file, header): (PathBuf, Header)) -> Self {
        Self {
            file,
            pits: header.layer.variant.pits(),
            capture: header.layer.variant.capture(),
            seeds: header.layer.seeds,
            positions: header.layer.positions,
            bytes: header.file_size(),
            format: header.encoding.name(),
            checksum: format!("{:016x}", header.checksum),
        }
    }
}

impl List {
    fn run(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = folder(self.tables.as_deref())?;
        let mut any = false;
        for variant in Variant::all() {
            if file::layers(&folder, variant).is_none() {
                continue;
            }
            any = true;
            let headers = file::headers(&folder, variant)?;
            let layers: Vec<_> = headers.into_iter().map(LayerFile::new).collect();
            if self.json {
                layers.iter().try_for_each(|layer| write_json(layer, out))?;
            } else {
                write_layers(variant, &layers, out)?;
            }
        }
        if any {
            Ok(())
        } else {
            Err(Failure::work(format!("{}: no endgame tables", folder.display())))
        }
    }
}

fn write_layers(
    variant: Variant,
    layers: &[LayerFile],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    writeln!(out, "{variant}, up to {} seeds", layers.len() - 1)?;
    writeln!(out, "seeds        positions            bytes  per position  format   checksum")?;
    for layer in layers {
        let rest = format!("{:<8} {}", layer.format, layer.checksum);
        write_layer(&layer.seeds.to_string(), layer.positions, layer.bytes, &rest, out)?;
    }
    let positions = layers.iter().map(|layer| layer.positions).sum();
    let bytes = layers.iter().map(|layer| layer.bytes).sum();
    write_layer("all", positions, bytes, "", out)
}

fn write_layer(
    name: &str,
    positions: u64,
    bytes: u64,
    rest: &str,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let share = bytes as f64 / positions as f64;
    let [positions, bytes] = [positions, bytes].map(grouped);
    Ok(writeln!(out, "{name:>5} {positions:>16} {bytes:>16} {share:>13.3}  {rest}")?)
}

impl Verify {
    fn run(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let variant = self.variant.variant()?;
        let tables = Tables::open(&folder(self.tables.as_deref())?, variant)?;
        let layers = self.layers(&tables)?;
        writeln!(out, "{variant}, up to {} seeds: all checksums match", tables.seeds())?;
        writeln!(out, "seeds  from successors  by minimax")?;
        let samples = layers.clone().map(|seeds| self.sample(tables.layer_len(seeds)).1);
        let bar = Progress::of(samples.sum(), "positions");
        let mut minimax = Minimax::default();
        for seeds in layers {
            let (sample, _) = self.sample(tables.layer_len(seeds));
            let threads = self.threads.count();
            let checked = verify_layer(&tables, seeds, sample, threads, &|done| bar.inc(done))?;
            let compared = if seeds <= self.minimax {
                verify_by_minimax(&tables, seeds, sample, &mut minimax)?
            } else {
                0
            };
            bar.suspend(|| {
                writeln!(out, "{seeds:>5}  {:>15}  {:>10}", grouped(checked), grouped(compared))?;
                out.flush()
            })?;
        }
        drop(bar);
        Ok(writeln!(out, "no errors found")?)
    }

    fn layers(&self, tables: &Tables) -> Result<RangeInclusive<u32>, Failure> {
        match self.seeds {
            None => Ok(0..=tables.seeds()),
            Some(seeds) if seeds <= tables.seeds() => Ok(seeds..=seeds),
            Some(seeds) => Err(Failure::Usage(format!(
                "expected --seeds up to {}, the largest layer, got {seeds}",
                tables.seeds()
            ))),
        }
    }

    /// The sample of a layer with this many positions, and its size. A sample larger
    /// than the layer is the whole layer.
    fn sample(&self, positions: u64) -> (Sample, u64) {
        if self.all || self.sample >= positions {
            (Sample::All, positions)
        } else {
            (Sample::Random { count: self.sample, seed: self.seed }, self.sample)
        }
    }
}

/// Values from the mover's point of view; margins count the stores.
#[derive(Serialize)]
struct Probed {
    position: String,
    capture: Capture,
    in_play: u32,
    gain: i32,
    margin: i32,
    moves: Vec<ProbedMove>,
}

#[derive(Serialize)]
struct ProbedMove {
    r#move: char,
    gain: i32,
    margin: i32,
}

impl Probe {
    fn run(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let position =
            Position::parse(&self.position, self.capture.rule).map_err(Failure::usage)?;
        let probed = Probed::new(&position, &self.tables(&position)?)?;
        if self.json {
            return write_json(&probed, out);
        }
        writeln!(out, "{} {}, {} seeds in play", probed.position, probed.capture, probed.in_play)?;
        writeln!(out, "gain {:+}, margin {:+}", probed.gain, probed.margin)?;
        for ProbedMove { r#move, gain, margin } in &probed.moves {
            writeln!(out, "{move} gain {gain:+}, margin {margin:+}")?;
        }
        Ok(())
    }

    /// Tables that hold `position`, no larger than it needs.
    fn tables(&self, position: &Position) -> Result<Tables, Failure> {
        let (variant, in_play) = (position.variant(), position.in_play());
        let Some(folder) = &self.tables else {
            let extent = Extent::new(variant, in_play)?;
            let (cache, threads) = (file::cache(), self.threads.count());
            return Ok(Tables::read_or_build(cache.as_deref(), extent, threads, &|_| ())?);
        };
        match file::layers(folder, variant) {
            Some(seeds) if seeds < in_play => Err(Failure::work(format!(
                "{}: expected a position of at most {seeds} seeds, got {in_play}",
                folder.display()
            ))),
            // Reports which tables are missing.
            None => Ok(Tables::open(folder, variant)?),
            Some(_) => Ok(Tables::open_up_to(folder, Extent::new(variant, in_play)?)?),
        }
    }
}

fn margin_of(position: &Position, tables: &Tables) -> Result<Gain, Failure> {
    let margin = tables.margin(position);
    margin.ok_or_else(|| Failure::work("the tables do not hold the position"))
}

impl Probed {
    fn new(position: &Position, tables: &Tables) -> Result<Self, Failure> {
        let lead = position.lead(position.side());
        let mut moves = Vec::new();
        for (played, after) in position.children() {
            let margin = played.turn.from_child(margin_of(&after, tables)?);
            let gain = margin - lead;
            moves.push(ProbedMove { r#move: played.letter(), gain: gain.0, margin: margin.0 });
        }
        let margin = margin_of(position, tables)?;
        Ok(Self {
            position: position.to_string(),
            capture: position.capture(),
            in_play: position.in_play(),
            gain: (margin - lead).0,
            margin: margin.0,
            moves,
        })
    }
}
