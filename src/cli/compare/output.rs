//! The options that several comparisons share: algorithms, positions, format, report folder,
//! threads, seed; and their progress.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args as ClapArgs;
use serde_json::json;

use crate::arena::opening::{self, Opening};
use crate::cli::arguments::{Threads, number};
use crate::cli::failure::Failure;
use crate::cli::output::{Progress, write_document};
use crate::game::{Position, Rules};
use crate::lab::{Algorithm, ExtraTurns, Method};
use crate::report::{Findings, Style};
use crate::sys::format;

/// A longer run is announced on stderr before it begins.
const LONG: Duration = Duration::from_secs(10 * 60);

/// Positions of the caller's choice.
#[derive(Clone, Debug, ClapArgs)]
pub(super) struct Given {
    /// Search this position, as `<pits,S store,N store,S row…,N row…> S`
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Search the positions of this file: each line has a position, moves from the start, or
    /// both; or a .kgn file
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    openings: Option<PathBuf>,
}

impl Given {
    /// Whether an option asks for positions.
    pub(super) fn is_some(&self) -> bool {
        self.position.is_some() || self.openings.is_some()
    }

    /// The positions, which are not over; none if no option asks for any.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the text or file is wrong, is not of the board of
    /// `rules`, or cannot be read.
    pub(super) fn positions(&self, rules: Rules) -> Result<Vec<Position>, Failure> {
        let (name, positions) = match (&self.position, &self.openings) {
            (Some(text), _) => {
                let position = Position::parse(text, rules.capture());
                let wrong = |error| Failure::Usage(format!("--position: {error}"));
                ("--position", vec![position.map_err(wrong)?])
            }
            (None, Some(file)) => {
                let wrong = |error| Failure::Usage(format!("--openings: {error}"));
                let openings = opening::load(file, Position::start(rules)).map_err(wrong)?;
                ("--openings", openings.iter().map(Opening::position).collect())
            }
            (None, None) => return Ok(Vec::new()),
        };
        let expected = |what: String| Err(Failure::Usage(format!("{name}: expected {what}")));
        match positions.iter().find(|at| at.is_over() || at.variant() != rules.variant()) {
            Some(over) if over.is_over() => expected(format!("moves left to play, got '{over}'")),
            Some(other) => expected(format!("{}, got {}", rules.variant(), other.variant())),
            None => Ok(positions),
        }
    }
}

/// The options that all comparisons share.
#[derive(Clone, Debug, ClapArgs)]
pub(super) struct Output {
    /// Format of the complete results [default: a summary for a terminal]
    #[arg(long, value_enum)]
    format: Option<Style>,
    /// Print every measurement and verdict as one JSON document (doc/records.md)
    #[arg(long, conflicts_with_all = ["format", "verbose"])]
    json: bool,
    /// Print every verdict and table, like --format aligned
    #[arg(short, long, conflicts_with = "format")]
    verbose: bool,
    /// Also write a page with charts (index.html), each chart as SVG, and all measurements
    /// as CSV and JSON lines, into this folder
    #[arg(long, value_name = "FOLDER")]
    report: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    /// Seed of random positions, trees and orders
    #[arg(long, default_value_t = 1, value_parser = number::<u64>(0..))]
    pub seed: u64,
}

impl Output {
    /// The number of threads requested, or one per processor.
    pub(super) fn threads(&self) -> usize {
        self.threads.count()
    }

    /// Checks that the results of `work` can be written, warns on stderr if it will take a
    /// long time, and runs it under a progress bar. `work` receives the number of threads and
    /// a function to call after each of its `pieces`.
    ///
    /// # Errors
    /// [`Failure::Work`] if the report's folder cannot be written to.
    pub(super) fn run<T>(
        &self,
        expected: Duration,
        pieces: usize,
        work: impl FnOnce(usize, &(dyn Fn() + Sync)) -> T,
    ) -> Result<T, Failure> {
        if let Some(folder) = &self.report {
            try_writing(folder).map_err(not_written(folder))?;
        }
        if expected > LONG {
            let time = format::duration(expected.as_secs_f64());
            // A closed stderr leaves no place to report to.
            let _ = writeln!(io::stderr(), "this will take about {time}");
        }
        let progress = Progress::of(pieces as u64, "pieces");
        Ok(work(self.threads(), &|| progress.inc(1)))
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
            findings.write_to(folder).map_err(not_written(folder))?;
        }
        if self.json {
            let Findings { title, verdicts, rows, .. } = findings;
            let summary = json!({ "title": title, "verdicts": verdicts });
            return write_document(&format!("compare {name}"), summary, rows, out);
        }
        let style = self.format.or(self.verbose.then_some(Style::Aligned));
        match style {
            Some(style) => write!(out, "{}", findings.to_text(style))?,
            None => {
                let page = match &self.report {
                    Some(folder) => format!("{} is the page", folder.join("index.html").display()),
                    None => "--report a page".to_owned(),
                };
                writeln!(out, "{}--verbose has every case, {page}", findings.to_brief())?
            }
        }
        Ok(())
    }
}

fn not_written(folder: &Path) -> impl FnOnce(io::Error) -> Failure {
    move |error| {
        Failure::work(format!("cannot write the report to '{}': {error}", folder.display()))
    }
}

fn try_writing(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let probe = folder.join(".kalah-can-write");
    fs::write(&probe, "")?;
    fs::remove_file(&probe)
}

/// Numbers as `5`, `2,4,6` or `1-5`, ascending and each once.
///
/// # Errors
/// What was expected, if the text is something else or a number is out of
/// `from..=to`.
pub(super) fn numbers(what: &str, text: &str, from: u16, to: u16) -> Result<Vec<u16>, Failure> {
    let wrong = |got: &str| {
        Failure::Usage(format!(
            "{what}: expected numbers from {from} to {to}, as 5, 2,4 or 1-5; got '{got}'"
        ))
    };
    let number = |text: &str| {
        let parsed = text.trim().parse::<u16>().ok();
        parsed.filter(|number| (from..=to).contains(number)).ok_or_else(|| wrong(text))
    };
    let mut numbers = Vec::new();
    for part in text.split(',') {
        match part.split_once('-') {
            Some((first, last)) => {
                let (first, last) = (number(first)?, number(last)?);
                if first > last {
                    return Err(wrong(part));
                }
                numbers.extend(first..=last);
            }
            None => numbers.push(number(part)?),
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    Ok(numbers)
}

/// The list of algorithms in the help of commands that take their names.
pub(super) fn algorithms() -> String {
    let algorithms = Algorithm::NAMED.map(|(name, _, about)| format!("\n  {name:<18} {about}"));
    let forms = Algorithm::FORMS.map(|(suffix, about, _)| format!("\n  {suffix:<18} {about}"));
    format!(
        "Algorithms:{}\n\nForms of negascout and, except for the last, of f4':{}\n\n\
         uct-tuned and ucb1-tuned use UCB1-tuned. Add +tt, +id or +asp for a transposition \
         table,\niterative deepening or aspiration windows: negascout-depth3+tt+id. test and \
         proof-number\nalso answer questions: 'test>5', 'test>=5', 'test<5', 'test<=5'; \
         test:5 means test>5\nand needs no quotes.",
        algorithms.concat(),
        forms.concat()
    )
}

/// Fails if an algorithm would give wrong values.
pub(super) fn sound(methods: &[Method], extra_turns: &[ExtraTurns]) -> Result<(), Failure> {
    let repeats = extra_turns.iter().find(|extra_turns| !extra_turns.alternates());
    let ruled = methods.iter().find(|method| method.algorithm.needs_alternation());
    match (ruled, repeats) {
        (Some(method), Some(extra_turns)) => Err(Failure::Usage(format!(
            "expected --extra-turns compound for {method}, whose depth < 3 rule is wrong if a \
             side may move twice in a row; got {extra_turns}"
        ))),
        _ => Ok(()),
    }
}
