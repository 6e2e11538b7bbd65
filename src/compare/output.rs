//! The options that all comparisons share, and the display of their progress and findings.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::arguments::ThreadArgs;
use crate::failure::Failure;
use crate::output::write_document;
use kalah_lab::experiment::claim::Comparison;
use kalah_lab::experiment::plan::{Plan, Results};
use kalah_lab::findings;
use kalah_sys::files::{self, AccessError};
use kalah_tables::{Findings, Style};
use kalah_terminal::progress::ProgressLine;
use kalah_text::typed::number;

/// The options that all comparisons share.
#[derive(Clone, Debug, Args)]
pub(crate) struct ComparisonArgs {
    /// Format of the complete results: aligned or markdown tables, or every measurement as csv (RFC
    /// 4180) or json (one object per line) [default: a summary for a terminal]
    #[arg(long, value_name = "STYLE")]
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
