//! The options that several comparisons share (algorithms, positions, format, report folder,
//! threads and seed), and the display of their progress.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::arguments::{Choice, ThreadArgs, number, one_of};
use crate::failure::Failure;
use crate::output::write_document;
use kalah_game::{Position, Rules};
use kalah_lab::experiment::claim::Comparison;
use kalah_lab::experiment::plan::{Plan, Results};
use kalah_lab::findings;
use kalah_record::{file, opening::Opening};
use kalah_sys::files::{self, AccessError};
use kalah_tables::{Findings, Style};
use kalah_terminal::progress::ProgressLine;

/// Positions that the caller chooses.
#[derive(Clone, Debug, Args)]
pub(super) struct GivenPositions {
    /// Search this position, as `<pits,S store,N store,S row…,N row…> S`
    #[arg(long, value_name = "TEXT", conflicts_with = "seeds")]
    position: Option<String>,
    /// Search the positions in FILE: lines with a position, moves from the start or both, or games
    /// in either format
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    openings: Option<PathBuf>,
}

impl GivenPositions {
    /// Whether an option asks for positions.
    pub(super) fn is_some(&self) -> bool {
        self.position.is_some() || self.openings.is_some()
    }

    /// The positions, each with moves left to play; empty if no option asks for any.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the text or file is malformed, is for a board other than that
    /// of `rules`, or cannot be read.
    pub(super) fn positions(&self, rules: Rules) -> Result<Vec<Position>, Failure> {
        let (option, positions) = match (&self.position, &self.openings) {
            (Some(text), _) => {
                let position = Position::parse(text, rules.capture());
                ("--position", vec![position.map_err(|error| Failure::wrong("--position", error))?])
            }
            (None, Some(path)) => {
                let openings = file::read_openings(path, Position::start(rules));
                let openings = openings.map_err(|error| Failure::wrong("--openings", error))?;
                ("--openings", openings.iter().map(Opening::position).collect())
            }
            (None, None) => return Ok(Vec::new()),
        };
        let variant = rules.variant();
        let mut unusable = positions.iter();
        match unusable.find(|at| at.is_over() || at.variant() != variant) {
            Some(over) if over.is_over() => {
                let expected = "expected a position with moves left to play";
                Err(Failure::wrong(option, format!("{expected}, got '{over}'")))
            }
            Some(other) => {
                Err(Failure::wrong(option, format!("expected {variant}, got {}", other.variant())))
            }
            None => Ok(positions),
        }
    }
}

const STYLES: &[Choice<Style>] = &[
    ("aligned", Style::Aligned, "Tables for a terminal"),
    ("markdown", Style::Markdown, "Tables in Markdown"),
    ("csv", Style::Csv, "Every measurement, comma-separated (RFC 4180)"),
    ("json", Style::JsonLines, "Every measurement, one JSON object per line"),
];

/// The options that all comparisons share.
#[derive(Clone, Debug, Args)]
pub(crate) struct ComparisonArgs {
    /// Format of the complete results [default: a summary for a terminal]
    #[arg(long, value_parser = one_of(STYLES))]
    format: Option<Style>,
    /// Print every measurement and verdict as one JSON document (doc/records.md)
    #[arg(long, conflicts_with_all = ["format", "verbose"])]
    json: bool,
    /// Print every verdict and table, like --format aligned
    #[arg(short, long, conflicts_with = "format")]
    verbose: bool,
    /// Also write a page with charts (index.html), each chart as SVG, and all measurements
    /// as CSV and JSON lines, into this folder
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Seed of random positions, trees and orders
    #[arg(long, default_value_t = 1, value_parser = number::<u64>(0..))]
    pub seed: u64,
}

impl ComparisonArgs {
    /// Runs a comparison under a progress bar.
    ///
    /// # Errors
    /// [`Failure::Work`] if the report's folder cannot be written to.
    pub(super) fn run(&self, plan: &Plan) -> Result<Results, Failure> {
        // Checked before the work, which may take hours and would be lost.
        if let Some(folder) = &self.report {
            files::prepare_folder(folder)?;
        }
        let progress = ProgressLine::with_length(plan.pieces() as u64, "pieces");
        Ok(plan.run(self.threads.count(), &|| progress.inc(1)))
    }

    /// Runs a comparison that has no options of its own, and prints its findings.
    ///
    /// # Errors
    /// As [`ComparisonArgs::run`] and [`ComparisonArgs::show`].
    pub(super) fn run_claims(
        &self,
        comparison: Comparison,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let results = self.run(&Plan::of(comparison, self.seed, None))?;
        self.show(comparison.name(), &findings::report(&results), out)
    }

    /// Prints the findings of `kalah compare name`, and writes the report if one was asked for.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(super) fn show(
        &self,
        name: &str,
        findings: &Findings,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        if let Some(folder) = &self.report {
            findings.write_to(folder).map_err(AccessError::writing(folder))?;
        }
        if self.json {
            let Findings { title, verdicts, rows, .. } = findings;
            let mut summary = json!({ "title": title });
            // Without measurements, the verdicts are the results.
            if !rows.is_empty() {
                summary["verdicts"] = json!(verdicts);
            }
            return write_document(&format!("compare {name}"), summary, findings.results(), out);
        }
        let style = self.format.or(self.verbose.then_some(Style::Aligned));
        match style {
            Some(style) => write!(out, "{}", findings.to_text(style))?,
            None => {
                let page = match &self.report {
                    Some(folder) => format!("the page is {}", folder.join("index.html").display()),
                    None => "--report DIR writes a page".to_owned(),
                };
                writeln!(out, "{}--verbose prints every case; {page}", findings.to_brief())?
            }
        }
        Ok(())
    }
}
