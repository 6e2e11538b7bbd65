//! `kalah openings`: lists of start positions with proved margins, and their manifest.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::json;

use super::arguments::{SolverArgs, StartArgs, output_file};
use super::failure::Failure;
use super::output::write_document;
use kalah_engine::book::ListedOpening;
use kalah_engine::solve::{Order, Solver};
use kalah_game::Position;
use kalah_proof::survey::{self, SurveyLists, VerifiedList};
use kalah_record::manifest::{Manifest, ManifestList};
use kalah_sys::files;
use kalah_terminal::console::Console;
use kalah_terminal::progress::advance;
use kalah_text::format::counted;
use kalah_text::typed::number;

/// Make or check lists of start positions with proved margins
#[derive(Debug, Subcommand)]
pub(super) enum OpeningsCommand {
    Make(MakeOpeningsArgs),
    Verify(VerifyOpeningsArgs),
}

/// Solve all distinct positions within a few sowings of a start
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalah openings make --plies 3            openings/6x4-standard.tsv, the subset
                                           worth exactly 0, and a manifest")]
pub(super) struct MakeOpeningsArgs {
    #[command(flatten)]
    start: StartArgs,
    /// Maximum number of sowings from the start
    #[arg(long, default_value_t = 3, value_parser = number::<u8>(1..=12))]
    plies: u8,
    /// Write the lists into DIR
    #[arg(long, value_name = "DIR", default_value = "openings", value_parser = output_file())]
    out: PathBuf,
    #[command(flatten)]
    resources: SolverArgs,
    /// Save proved bounds to FILE, and continue from the bounds that it already holds
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    checkpoint: Option<PathBuf>,
    /// Print the results as one JSON document (doc/records.md)
    #[arg(long)]
    json: bool,
}

/// Check lists against their manifest, replay every line, and verify a sample
/// of the margins independently
#[derive(Debug, Args)]
pub(super) struct VerifyOpeningsArgs {
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
    resources: SolverArgs,
    /// Print the results as one JSON document (doc/records.md)
    #[arg(long)]
    json: bool,
}

impl OpeningsCommand {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self {
            OpeningsCommand::Make(make) => make.run(out),
            OpeningsCommand::Verify(verify) => verify.run(out),
        }
    }
}

impl MakeOpeningsArgs {
    fn run(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let rules = self.start.rules()?;
        let start = Position::start(rules);
        let console = Console::new(self.checkpoint.as_deref())?;
        files::prepare_folder(&self.out)?;
        let settings = self.resources.settings_with_cache(start.variant())?;
        let mut solver = console.solver(&start, settings)?;
        console.restore(&mut solver);
        let mut lists = SurveyLists::new(start, solver);
        let positions = survey::positions(&start, self.plies);
        let count = positions.len() as u64;
        for surveyed in &positions {
            // Shows the number of positions before the first one is solved.
            advance(0, count);
            console.watch(|watch| lists.add(surveyed, watch))?;
            advance(1, count);
        }
        let lists = [&lists.all[..], &lists.fair];
        let Manifest { lists, .. } = Manifest::write(&self.out, rules, self.plies, lists)?;
        if self.json {
            return write_document("openings make", json!({ "folder": self.out }), lists, out);
        }
        for ManifestList { file, positions, .. } in lists {
            let file = self.out.join(file);
            let positions = counted(positions as u64, "position");
            writeln!(out, "{positions:>16} in {}", file.display())?;
        }
        Ok(())
    }
}

impl VerifyOpeningsArgs {
    fn run(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let text = files::read_text(&self.manifest).map_err(|error| {
            Failure::work(format!("{error}; expected a manifest written by 'kalah openings make'"))
        })?;
        let manifest = Manifest::parse(&text).map_err(Failure::in_file(&self.manifest))?;
        let start = manifest.start();
        let folder = self.manifest.parent().unwrap_or(Path::new(""));
        let console = Console::new(None)?;
        // Created when first needed: its tables take time, and there may be no margin to verify.
        let mut solver = None;
        let mut results = Vec::new();
        for list in &manifest.lists {
            let file = folder.join(&list.file);
            let text = files::read_text(&file)?;
            let lines = list.check(&text, &start).map_err(Failure::in_file(&file))?;
            // The same seed for each list, so that its sample does not depend on the other lists.
            let sample = survey::sample_proved(&lines, self.sample, self.seed);
            for ListedOpening { number, position, margin, .. } in &sample {
                let solver = match &mut solver {
                    Some(solver) => solver,
                    none => none.insert(self.solver(&start, &console)?),
                };
                if !console.watch(|watch| solver.confirm(position, *margin, watch))? {
                    let error = format!("line {number}: the margin of {position} is not {margin}");
                    return Err(Failure::in_file(&file)(error));
                }
            }
            let verified = VerifiedList {
                file: list.file.clone(),
                lines: lines.len(),
                proved: lines.iter().filter(|line| line.is_exact).count(),
                verified: sample.len(),
            };
            if !self.json {
                writeln!(out, "{verified}")?;
            }
            results.push(verified);
        }
        if self.json {
            write_document("openings verify", json!({ "folder": folder }), results, out)?;
        }
        Ok(())
    }

    /// A solver with a different move order from the one that made the lists, so that the
    /// verification visits other positions.
    fn solver(&self, start: &Position, console: &Console) -> Result<Solver, Failure> {
        let settings = self.resources.settings(start.variant())?;
        Ok(console.solver(start, settings.order(Order::Independent))?)
    }
}
