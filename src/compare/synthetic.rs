//! `kalah compare pearl` and `reinefeld`: random trees.

use std::io::Write;

use clap::Args;

use super::output::ComparisonArgs;
use crate::failure::Failure;
use kalah_lab::experiment::claim::Comparison;
use kalah_lab::experiment::plan::Plan;
use kalah_lab::findings;
use kalah_text::typed::{Numbers, number, numbers};

#[derive(Clone, Debug, Args)]
pub(crate) struct SyntheticArgs {
    /// Children per node: 2,3 or 2-5 [default: those that the claims test]
    #[arg(long, value_parser = numbers(1..=1000))]
    widths: Option<Numbers>,
    /// Moves from the root to the leaves: 5 or 1-10 [default: those that the claims test]
    #[arg(long, value_parser = numbers(1..=200))]
    depths: Option<Numbers>,
    /// Trees of each shape [default: enough to keep errors small]
    #[arg(long, value_parser = number::<usize>(1..=10_000_000))]
    trees: Option<usize>,
    #[command(flatten)]
    output: ComparisonArgs,
}

impl SyntheticArgs {
    pub(super) fn run(self, comparison: Comparison, out: &mut dyn Write) -> Result<(), Failure> {
        let widths = self.widths.as_ref().map(|widths| &widths.0[..]);
        let depths = self.depths.as_ref().map(|depths| &depths.0[..]);
        if widths.is_none() && depths.is_none() && self.trees.is_none() {
            return self.output.run_claims(comparison, out);
        }
        let seed = self.output.seed;
        let plan = Plan::shaped(comparison, seed, widths, depths, self.trees);
        let results = self.output.run(&plan)?;
        self.output.show(comparison.name(), &findings::report(&results), out)
    }
}
