//! `kalah tables`: endgame tables on disk and in memory.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use indicatif::HumanBytes;

use super::arguments::{CaptureArgs, ThreadArgs, VariantArgs};
use super::failure::Failure;
use super::output::{write_json, write_result};
use kalah_engine::endgame::verify::{LayerSample, Minimax, verify_by_minimax, verify_layer};
use kalah_engine::endgame::{Encoding, Extent, FoundLayers, Tables, folder::cache};
use kalah_game::{MAX_SEEDS, Position, Variant};
use kalah_sys::files;
use kalah_sys::machine::available_memory;
use kalah_tables::Style;
use kalah_terminal::layers::{LayerFile, Probed, built};
use kalah_terminal::progress::ProgressLine;
use kalah_text::format::{counted, grouped};
use kalah_text::typed::number;

/// Build, list, verify and probe endgame tables
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  kalah tables cache                            tables for the engine and the solver
  kalah tables build --seeds 20 --tables DIR    all positions of up to 20 seeds
  kalah tables build --seeds 24 --dry-run       show the memory needed for 24 seeds
  kalah tables list --tables DIR                list the layers in DIR
  kalah tables verify --tables DIR --all        recompute every position
  kalah tables probe '<6,18,10,4,1,1,0,0,0,0,0,0,2,0,0> S' --tables DIR")]
pub(super) enum TablesCommand {
    #[command(visible_alias = "cache")]
    Build(BuildTablesArgs),
    List(ListTablesArgs),
    Verify(VerifyTablesArgs),
    Probe(ProbeTablesArgs),
}

/// Build the tables of all positions with up to SEEDS seeds in play
#[derive(Debug, Args)]
#[command(after_help = "\
Without --tables, the tables go to the user's cache, the folder kalah/tables in
$XDG_CACHE_HOME or ~/.cache (macOS: ~/Library/Caches; Windows: kalah\\cache\\tables in
%LOCALAPPDATA%). There, the engine finds them for searches that are limited neither in depth
nor in nodes, and 'kalah solve', 'kalah proof work' and 'kalah openings make' read them
instead of building tables. Delete the folder to remove them.

A position of 16 to 31 seeds takes 5 bits of memory. The total is printed first, and tables
that do not fit are refused. Each layer (all positions with the same number of seeds) is
a file of its own: a build that was interrupted or killed continues after the last
finished layer, and layers with more seeds can be added later.")]
pub(super) struct BuildTablesArgs {
    #[command(flatten)]
    variant: VariantArgs,
    /// Maximum number of seeds in play [default: 23 on 6 pits, which takes 500 MiB and 3 to
    /// 18 seconds on two cores; on other boards, the largest size with no more positions]
    #[arg(long, value_parser = number::<u32>(0..=MAX_SEEDS.into()))]
    seeds: Option<u32>,
    /// Write the tables to the folder DIR, which is created if it does not exist [default: the
    /// user's cache]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// File format of new layers: plain (0.6 bytes per position, mapped and shared by processes)
    /// or compact (about 0.3 bytes, but writing takes several times as long)
    #[arg(long, default_value_t = Encoding::Plain)]
    format: Encoding,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Print the memory needed and build nothing
    #[arg(long)]
    dry_run: bool,
}

/// List the layers in a folder, for all boards and capture rules
#[derive(Debug, Args)]
pub(super) struct ListTablesArgs {
    /// The folder with the tables [default: the user's cache]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Print one JSON object per line, for each layer
    #[arg(long)]
    json: bool,
}

/// Check the files and recompute positions of every layer
#[derive(Debug, Args)]
#[command(after_help = "\
First, the checksum of every file is verified. Then positions are recomputed from the
positions one move away, under the plain rules; with --all, that proves every value
correct. Layers of up to --minimax seeds are also compared with plain minimax, which
uses no tables.")]
pub(super) struct VerifyTablesArgs {
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
    #[arg(long, default_value_t = 1, conflicts_with = "all", value_parser = number::<u64>(0..))]
    seed: u64,
    #[command(flatten)]
    threads: ThreadArgs,
}

/// Show the exact value of a position and of each of its moves
#[derive(Debug, Args)]
pub(super) struct ProbeTablesArgs {
    /// The position, as `<pits,S store,N store,S row…,N row…> S`
    position: String,
    #[command(flatten)]
    capture: CaptureArgs,
    /// The folder with the tables [default: the user's cache; missing layers
    /// are built in memory]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The given folder, or else the folder of the user's cache.
fn folder(given: Option<&Path>) -> Result<PathBuf, Failure> {
    let folder = given.map(Path::to_owned).or_else(cache);
    folder.ok_or_else(|| {
        let message = "no cache folder: set HOME or XDG_CACHE_HOME, or use --tables DIR";
        Failure::work(message)
    })
}

impl TablesCommand {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self {
            TablesCommand::Build(build) => build.run(out),
            TablesCommand::List(list) => list.run(out),
            TablesCommand::Verify(verify) => verify.run(out),
            TablesCommand::Probe(probe) => probe.run(out),
        }
    }
}

impl BuildTablesArgs {
    fn run(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let variant = self.variant.variant()?;
        let extent = match self.seeds {
            Some(seeds) => Extent::new(variant, seeds).map_err(Failure::usage)?,
            None => Extent::for_cache(variant),
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
        let folder = &folder(self.tables.as_deref())?;
        let threads = self.threads.count();
        let bar = ProgressLine::with_length(extent.positions(), "positions");
        let tables = Tables::build_in(folder, extent, self.format, threads, &|done| bar.inc(done))?;
        drop(bar);
        Ok(write!(out, "{}", built(&tables, folder, threads))?)
    }
}

impl ListTablesArgs {
    fn run(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = folder(self.tables.as_deref())?;
        // The default folder does not exist before the first tables are built.
        if let Some(given) = &self.tables {
            files::check_folder(given)?;
        }
        let mut any = false;
        for variant in Variant::all() {
            let FoundLayers { usable, unused } = FoundLayers::new(&folder, variant);
            any |= !usable.is_empty() || unused.is_some();
            let layers: Vec<_> = usable.into_iter().map(LayerFile::new).collect();
            if self.json {
                layers.iter().try_for_each(|layer| write_json(layer, out))?;
            } else if !layers.is_empty() {
                write!(out, "{}", LayerFile::table(variant, &layers).to_text(Style::Aligned))?;
            }
            match unused {
                Some(unused) if self.json => log::warn!("{unused}"),
                Some(unused) => writeln!(out, "{unused}")?,
                None => (),
            }
        }
        if any {
            Ok(())
        } else {
            Err(Failure::work(format!("{}: no endgame tables", folder.display())))
        }
    }
}

impl VerifyTablesArgs {
    fn run(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let variant = self.variant.variant()?;
        let tables = Tables::open(&folder(self.tables.as_deref())?, variant)?;
        let layers = self.layers(&tables)?;
        let seeds = counted(tables.seeds().into(), "seed");
        writeln!(out, "{variant}, up to {seeds}: all checksums match")?;
        writeln!(out, "seeds  from successors  by minimax")?;
        let count = if self.all { u64::MAX } else { self.sample };
        let sample = LayerSample { count, seed: self.seed };
        let samples = layers.clone().map(|seeds| sample.size(tables.layer_len(seeds)));
        let bar = ProgressLine::with_length(samples.sum(), "positions");
        let mut minimax = Minimax::default();
        for seeds in layers {
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
        match &tables.origin().unused {
            // Layers that were not verified must not look as if they had been.
            Some(unused) => Err(Failure::work(unused.clone())),
            None => Ok(writeln!(out, "no errors found")?),
        }
    }

    fn layers(&self, tables: &Tables) -> Result<RangeInclusive<u32>, Failure> {
        match self.seeds {
            None => Ok(0..=tables.seeds()),
            Some(seeds) if seeds <= tables.seeds() => Ok(seeds..=seeds),
            Some(seeds) => Err(Failure::Usage(format!(
                "--seeds: expected at most {}, the largest layer, got {seeds}",
                tables.seeds()
            ))),
        }
    }
}

impl ProbeTablesArgs {
    fn run(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let position =
            Position::parse_or(&self.position, self.capture.rule).map_err(Failure::usage)?;
        let tables = match &self.tables {
            Some(folder) => Tables::open_for(folder, &position)?,
            None => {
                let threads = self.threads.count();
                Tables::read_or_build_for(cache().as_deref(), &position, threads)?
            }
        };
        let probed = Probed::new(&position, &tables);
        write_result(&probed, self.json, out)
    }
}
