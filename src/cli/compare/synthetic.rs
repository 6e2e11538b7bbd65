//! `kalah compare pearl`, `reinefeld` and `minimal`: synthetic trees.

use std::io::Write;
use std::time::Duration;

use clap::Args as ClapArgs;

use super::output::{Output, numbers};
use crate::cli::arguments::number;
use crate::cli::failure::Failure;
use crate::lab::Method;
use crate::lab::experiment::misjudged::misjudged;
use crate::lab::experiment::noe::methods;
use crate::lab::experiment::uniform::{self, Outcome, Shape, expected_leaves, pieces};
use crate::lab::report;
use crate::lab::uniform::Leaves;

/// The largest expected number of leaves of one tree.
const MAX_LEAVES: f64 = 3e9;
/// Nodes a second of one thread.
const NODES_PER_SECOND: f64 = 1e7;

/// Measure the ratio of SCOUT's leaves to alpha-beta's on random trees (Pearl 1980)
#[derive(Debug, ClapArgs)]
pub(crate) struct PearlArgs {
    /// Children per node: 2,3 or 2-5
    #[arg(long)]
    widths: Option<String>,
    /// Moves from the root to the leaves: 5 or 1-10
    #[arg(long)]
    depths: Option<String>,
    #[command(flatten)]
    trees: TreeArgs,
}

/// Measure the leaves that NegaScout saves on wide random trees (Reinefeld 1983)
#[derive(Debug, ClapArgs)]
pub(crate) struct ReinefeldArgs {
    /// Children of a node
    #[arg(long, default_value = "20,30,40,50,60")]
    widths: String,
    /// Moves from the root to the leaves
    #[arg(long, default_value = "3,5")]
    depths: String,
    #[command(flatten)]
    trees: TreeArgs,
}

/// Compare the leaves of trees with the best child first with the formulas for them
#[derive(Debug, ClapArgs)]
pub(crate) struct MinimalArgs {
    /// Children of a node
    #[arg(long, default_value = "2-6")]
    widths: String,
    /// Even numbers of moves from the root to the leaves
    #[arg(long, default_value = "2,4,6,8")]
    depths: String,
    #[command(flatten)]
    output: Output,
}

#[derive(Clone, Debug, ClapArgs)]
struct TreeArgs {
    /// Trees of each shape [default: enough to keep errors small]
    #[arg(long, value_parser = number::<u32>(1..=10_000_000))]
    trees: Option<u32>,
    #[command(flatten)]
    output: Output,
}

impl TreeArgs {
    fn with_count(&self, mut shapes: Vec<Shape>) -> Vec<Shape> {
        if let Some(trees) = self.trees {
            shapes.iter_mut().for_each(|shape| shape.trees = trees as usize);
        }
        shapes
    }
}

fn search(
    output: &Output,
    shapes: &[Shape],
    leaves: Leaves,
    methods: &[Method],
) -> Result<Vec<Outcome>, Failure> {
    let mut all = 0.0;
    for shape in shapes {
        let &Shape { width, height, trees } = shape;
        let one = match leaves {
            Leaves::BestFirst(_) => 2.0 * f64::from(width).powf(f64::from(height) / 2.0),
            _ => expected_leaves(width, height),
        };
        if one > MAX_LEAVES {
            return Err(Failure::Usage(format!(
                "expected trees that cost at most {MAX_LEAVES:.0e} leaves, got about {one:.0e} \
                 for width {width} and depth {height}"
            )));
        }
        all += one * trees as f64 * methods.len() as f64;
    }
    let expected = Duration::from_secs_f64(all / NODES_PER_SECOND / output.threads() as f64);
    output.run(expected, pieces(shapes), |threads, done| {
        uniform::run(shapes, leaves, methods, output.seed, threads, done)
    })
}

impl PearlArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let TreeArgs { output, .. } = &self.trees;
        let shapes = if self.widths.is_none() && self.depths.is_none() {
            // Depths that are reached in seconds, for each width.
            [(2, 20), (3, 12), (5, 8), (10, 6), (20, 5)]
                .iter()
                .flat_map(|&(width, deepest)| {
                    let heights: Vec<u16> = (1..=deepest).collect();
                    uniform::shapes(&[width], &heights, 6e6, 200_000)
                })
                .collect()
        } else {
            let widths = numbers("--widths", self.widths.as_deref().unwrap_or("2"), 1, 1000)?;
            let depths = numbers("--depths", self.depths.as_deref().unwrap_or("1-10"), 1, 200)?;
            uniform::shapes(&widths, &depths, 6e6, 200_000)
        };
        let shapes = self.trees.with_count(shapes);
        let methods = methods("f3,scout");
        let outcomes = search(output, &shapes, Leaves::Continuous, &methods)?;
        output.show("pearl", &report::pearl(&outcomes, output.seed), out)
    }
}

impl ReinefeldArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let TreeArgs { output, .. } = &self.trees;
        let widths = numbers("--widths", &self.widths, 1, 1000)?;
        let depths = numbers("--depths", &self.depths, 1, 200)?;
        let shapes = self.trees.with_count(uniform::shapes(&widths, &depths, 2e7, 2_000));
        let methods = methods("f3,negascout-depth3");
        let outcomes = search(output, &shapes, Leaves::Continuous, &methods)?;
        output.show("reinefeld", &report::reinefeld(&outcomes, output.seed), out)
    }
}

impl MinimalArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let widths = numbers("--widths", &self.widths, 2, 1000)?;
        let depths = numbers("--depths", &self.depths, 2, 200)?;
        if let Some(odd) = depths.iter().find(|depth| *depth % 2 == 1) {
            return Err(Failure::Usage(format!(
                "--depths: expected even heights, which the formulas are for, got {odd}"
            )));
        }
        let shapes: Vec<Shape> = widths
            .iter()
            .flat_map(|&width| depths.iter().map(move |&height| Shape { width, height, trees: 1 }))
            .collect();
        let methods = methods("f3,scout,negascout,pvs");
        let outcomes = search(&self.output, &shapes, Leaves::BestFirst(100), &methods)?;
        let names = methods.iter().map(ToString::to_string).collect::<Vec<_>>();
        let seed = self.output.seed;
        let misjudged = [2.0, 5.0].map(|error| misjudged(error, seed));
        self.output.show("minimal", &report::minimal(&outcomes, &names, misjudged, seed), out)
    }
}
