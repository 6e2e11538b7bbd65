//! `kalah openings`: lists of start positions with proved margins, and their manifest.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::json;

use super::arguments::{StartArgs, number};
use super::failure::Failure;
use super::output::write_document;
use super::solving::{SolverArgs, console};
use kalah_engine::book::{ListedOpening, OpeningList};
use kalah_engine::solve::{Order, Solver};
use kalah_game::{Position, score::Gain};
use kalah_proof::survey::{self, SolvedMargins, SurveyedMargin};
use kalah_record::manifest::{Manifest, ManifestList};
use kalah_sys::files;
use kalah_sys::random::SplitMix64;
use kalah_terminal::console::Console;
use kalah_terminal::progress::advance;
use kalah_text::format::counted;

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
    #[arg(long, value_name = "DIR", default_value = "openings")]
    out: PathBuf,
    #[command(flatten)]
    resources: SolverArgs,
    /// Save proved bounds to FILE, and continue from the bounds that it already holds
    #[arg(long, value_name = "FILE")]
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
        let console = console(self.checkpoint.as_deref())?;
        files::prepare_folder(&self.out)?;
        let settings = self.resources.settings_with_cache(start.variant())?;
        let mut solver = console.solver(&start, settings)?;
        console.restore(&mut solver);
        let mut solved = SolvedMargins::new(solver);
        let mut all = Vec::new();
        let mut fair = Vec::new();
        let surveyed = survey::positions(&start, self.plies);
        let count = surveyed.len() as u64;
        for surveyed in surveyed {
            // Shows the number of positions before the first one is solved.
            advance(0, count);
            let SurveyedMargin { margin, proof } =
                console.watch(|watch| solved.margin(&surveyed.position, watch))?;
            advance(1, count);
            let moves = String::from_iter(start.letters(&surveyed.moves));
            let line = OpeningList::line(&surveyed.position, &moves, margin, &proof);
            if margin == Gain::ZERO {
                fair.push(line.clone());
            }
            all.push(line);
        }
        let name = format!("{}x{}-{}", rules.pits(), rules.seeds(), rules.capture());
        let mut lists = Vec::new();
        for (file, lines) in [(format!("{name}.tsv"), all), (format!("{name}-fair.tsv"), fair)] {
            let text = OpeningList::text(rules.variant(), &lines);
            let path = self.out.join(&file);
            files::replace(&path, [&text])?;
            if !self.json {
                writeln!(
                    out,
                    "{:>16} in {}",
                    counted(lines.len() as u64, "position"),
                    path.display()
                )?;
            }
            lists.push(ManifestList::new(file, lines.len(), &text));
        }
        let plies = self.plies;
        let command = format!(
            "kalah openings make --pits {} --seeds {} --capture {} --plies {plies}",
            rules.pits(),
            rules.seeds(),
            rules.capture(),
        );
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let manifest = Manifest { command, version, rules, plies, lists };
        let text = serde_json::to_string_pretty(&manifest)? + "\n";
        files::replace(&self.out.join(format!("{name}.json")), [text])?;
        if self.json {
            write_document("openings make", json!({ "folder": self.out }), manifest.lists, out)?;
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
        let console = console(None)?;
        // Created when first needed: its tables take time, and there may be no margin to verify.
        let mut solver = None;
        let mut results = Vec::new();
        for list in &manifest.lists {
            let file = folder.join(&list.file);
            let text = files::read_text(&file)?;
            let lines = list.check(&text, &start).map_err(Failure::in_file(&file))?;
            let mut proved: Vec<_> = lines.iter().filter(|line| line.is_exact).collect();
            // The same seed for each list, so that its sample does not depend on the other lists.
            SplitMix64::new(self.seed).shuffle(&mut proved);
            let sample = &proved[..self.sample.min(proved.len())];
            for ListedOpening { number, position, margin, .. } in sample {
                let solver = match &mut solver {
                    Some(solver) => solver,
                    none => none.insert(self.solver(&start, &console)?),
                };
                if !console.watch(|watch| solver.confirm(position, *margin, watch))? {
                    let error = format!("line {number}: the margin of {position} is not {margin}");
                    return Err(Failure::in_file(&file)(error));
                }
            }
            let all = lines.len();
            let sample = sample.len();
            let proved = proved.len();
            if !self.json {
                let replayed = counted(all as u64, "line");
                let margins = counted(proved as u64, "proved margin");
                writeln!(
                    out,
                    "{}: {replayed} replayed, {sample} of {margins} verified, no errors found",
                    file.display()
                )?;
            }
            results.push(json!({
                "file": list.file, "lines": all, "proved": proved, "verified": sample,
            }));
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
