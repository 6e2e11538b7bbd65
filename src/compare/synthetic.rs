//! `kalah compare pearl`, `reinefeld` and `minimal`: synthetic trees.

use std::io::Write;

use clap::Args;

use super::output::{ComparisonArgs, numbers, wrong};
use crate::arguments::number;
use crate::failure::Failure;
use kalah_lab::experiment::claim::Comparison;
use kalah_lab::experiment::plan::Plan;
use kalah_lab::findings;

/// Measure the ratio of SCOUT's nodes to alpha-beta's on random trees (Pearl 1984)
#[derive(Debug, Args)]
pub(crate) struct PearlArgs {
    /// Children per node: 2,3 or 2-5
    #[arg(long)]
    widths: Option<String>,
    /// Moves from the root to the leaves: 5 or 1-10
    #[arg(long)]
    depths: Option<String>,
    #[command(flatten)]
    trees: SyntheticArgs,
}

/// Measure the leaves that NegaScout saves on wide random trees (Reinefeld 1983)
#[derive(Debug, Args)]
pub(crate) struct ReinefeldArgs {
    /// Children of a node [default: 2,3,5,8,10,15,20,30,40,50,60]
    #[arg(long)]
    widths: Option<String>,
    /// Moves from the root to the leaves [default: 3,5]
    #[arg(long)]
    depths: Option<String>,
    #[command(flatten)]
    trees: SyntheticArgs,
}

/// Compare the nodes of minimal trees, in which the best child comes first, with formulas
#[derive(Debug, Args)]
pub(crate) struct MinimalArgs {
    /// Children of a node [default: 2-6]
    #[arg(long)]
    widths: Option<String>,
    /// Even numbers of moves from the root to the leaves [default: 2,4,6,8]
    #[arg(long)]
    depths: Option<String>,
    #[command(flatten)]
    output: ComparisonArgs,
}

#[derive(Clone, Debug, Args)]
struct SyntheticArgs {
    /// Trees of each shape [default: enough to keep errors small]
    #[arg(long, value_parser = number::<u32>(1..=10_000_000))]
    trees: Option<u32>,
    #[command(flatten)]
    output: ComparisonArgs,
}

impl SyntheticArgs {
    /// Runs a comparison on the trees that the options choose.
    fn run(
        &self,
        comparison: Comparison,
        widths: Option<&str>,
        depths: Option<&str>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let widths = widths.map(|widths| numbers("--widths", widths, 1, 1000)).transpose()?;
        let depths = depths.map(|depths| numbers("--depths", depths, 1, 200)).transpose()?;
        let trees = self.trees.map(|trees| trees as usize);
        let plan = Plan::of(comparison, self.output.seed, None);
        let plan = plan.with_shapes(widths.as_deref(), depths.as_deref(), trees);
        let results = self.output.run_plan(&plan)?;
        self.output.show(comparison.name(), &findings::uniform(&results), out)
    }
}

impl PearlArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let chooses = self.widths.is_some() || self.depths.is_some();
        let widths = self.widths.as_deref().or(if chooses { Some("2") } else { None });
        let depths = self.depths.as_deref().or(if chooses { Some("1-10") } else { None });
        self.trees.run(Comparison::Pearl, widths, depths, out)
    }
}

impl ReinefeldArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let widths = self.widths.as_deref();
        self.trees.run(Comparison::Reinefeld, widths, self.depths.as_deref(), out)
    }
}

impl MinimalArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        if let Some(depths) = &self.depths {
            let depths = numbers("--depths", depths, 2, 200)?;
            if let Some(odd) = depths.iter().find(|depth| *depth % 2 == 1) {
                let expected = "expected even numbers, for which there are formulas";
                return Err(wrong("--depths", format!("{expected}, got {odd}")));
            }
        }
        if let Some(widths) = &self.widths {
            numbers("--widths", widths, 2, 1000)?;
        }
        let trees = SyntheticArgs { trees: None, output: self.output };
        trees.run(Comparison::Minimal, self.widths.as_deref(), self.depths.as_deref(), out)
    }
}
