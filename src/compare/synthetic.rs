//! `kalah compare pearl`, `reinefeld` and `minimal`: synthetic trees.

use std::io::Write;

use clap::Args;

use super::output::{ComparisonArgs, numbers, wrong};
use crate::arguments::number;
use crate::failure::Failure;
use kalah_lab::experiment::misjudged::misjudged;
use kalah_lab::experiment::noe::methods;
use kalah_lab::experiment::synthetic::{self, OrderedTrees, Shape, ShapeCounts, pieces};
use kalah_lab::uniform::Leaves;
use kalah_lab::{Method, findings};

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
    /// Children of a node
    #[arg(long, default_value = "2,3,5,8,10,15,20,30,40,50,60")]
    widths: String,
    /// Moves from the root to the leaves
    #[arg(long, default_value = "3,5")]
    depths: String,
    #[command(flatten)]
    trees: SyntheticArgs,
}

/// Compare the nodes of minimal trees, in which the best child comes first, with formulas
#[derive(Debug, Args)]
pub(crate) struct MinimalArgs {
    /// Children of a node
    #[arg(long, default_value = "2-6")]
    widths: String,
    /// Even numbers of moves from the root to the leaves
    #[arg(long, default_value = "2,4,6,8")]
    depths: String,
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
    fn with_count(&self, mut shapes: Vec<Shape>) -> Vec<Shape> {
        if let Some(trees) = self.trees {
            shapes.iter_mut().for_each(|shape| shape.trees = trees as usize);
        }
        shapes
    }
}

fn search(
    output: &ComparisonArgs,
    shapes: &[Shape],
    leaves: Leaves,
    methods: &[Method],
) -> Result<Vec<ShapeCounts>, Failure> {
    let expected = synthetic::duration(shapes, leaves, methods, output.threads());
    let expected = expected.map_err(Failure::usage)?;
    output.run(expected, pieces(shapes), |threads, done| {
        synthetic::run(shapes, leaves, methods, output.seed, threads, done)
    })
}

impl PearlArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let SyntheticArgs { output, .. } = &self.trees;
        let shapes = if self.widths.is_none() && self.depths.is_none() {
            // For each width, the depths that can be reached within seconds.
            let by_width = [(2, 24), (3, 12), (5, 8), (10, 6), (20, 5)].map(|(width, deepest)| {
                let heights: Vec<u16> = (1..=deepest).collect();
                synthetic::shapes(&[width], &heights, 6e6, 200_000)
            });
            // Hsu's slides mention depth 20.
            let deep = Shape { width: 3, height: 20, trees: 10 };
            [by_width.concat(), vec![deep]].concat()
        } else {
            let widths = numbers("--widths", self.widths.as_deref().unwrap_or("2"), 1, 1000)?;
            let depths = numbers("--depths", self.depths.as_deref().unwrap_or("1-10"), 1, 200)?;
            synthetic::shapes(&widths, &depths, 6e6, 200_000)
        };
        let shapes = self.trees.with_count(shapes);
        let methods = methods("f3,scout");
        let results = search(output, &shapes, Leaves::Continuous, &methods)?;
        output.show("pearl", &findings::pearl(&results, output.seed), out)
    }
}

impl ReinefeldArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let SyntheticArgs { output, .. } = &self.trees;
        let widths = numbers("--widths", &self.widths, 1, 1000)?;
        let depths = numbers("--depths", &self.depths, 1, 200)?;
        let shapes = self.trees.with_count(synthetic::shapes(&widths, &depths, 2e7, 2_000));
        let methods = methods(findings::REINEFELD);
        let results = search(output, &shapes, Leaves::Continuous, &methods)?;
        output.show("reinefeld", &findings::reinefeld(&results, output.seed), out)
    }
}

impl MinimalArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let widths = numbers("--widths", &self.widths, 2, 1000)?;
        let depths = numbers("--depths", &self.depths, 2, 200)?;
        if let Some(odd) = depths.iter().find(|depth| *depth % 2 == 1) {
            let expected = "expected even numbers, for which there are formulas";
            return Err(wrong("--depths", format!("{expected}, got {odd}")));
        }
        let shapes: Vec<Shape> = widths
            .iter()
            .flat_map(|&width| depths.iter().map(move |&height| Shape { width, height, trees: 1 }))
            .collect();
        let output = &self.output;
        let seed = self.output.seed;
        let expected = OrderedTrees::duration(&shapes, output.threads());
        let work = OrderedTrees::pieces(&shapes);
        let trees = output.run(expected.map_err(Failure::usage)?, work, |threads, done| {
            OrderedTrees::run(&shapes, seed, threads, done)
        })?;
        let misjudged = [2.0, 5.0].map(|error| misjudged(error, seed));
        output.show("minimal", &findings::minimal(&trees, misjudged, seed), out)
    }
}
