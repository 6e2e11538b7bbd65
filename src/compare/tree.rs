//! `kalah compare tree`: the nodes of one tree that each algorithm visits, in order, and
//! the branches that it cuts.

use std::fmt::Display;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use serde_json::json;

use super::output::{algorithms, sound, wrong};
use crate::arguments::{BoardArgs, number};
use crate::failure::Failure;
use crate::output::write_document;
use kalah_game::score::Window;
use kalah_game::with_row;
use kalah_lab::experiment::trace::{Trace, TraceError};
use kalah_lab::findings::trace::{counts, drawn, outline};
use kalah_lab::list_tree::{ListNode, NAMED};
use kalah_lab::uniform::Leaves;
use kalah_lab::{
    Algorithm, ChildOrder, ExtraTurns, KalahTree, ListTree, Method, MinimaxSide, ProbCutModel,
    SearchRun, Tree, UniformTree, minimax,
};
use kalah_sys::files;
use kalah_tables::{Style, trees_to_svg};

/// Options for trees that are not typed in.
const OF_OTHERS: [&str; 3] = ["uniform", "depth", "seed"];
/// Options for trees of Kalah positions only.
const OF_KALAH: [&str; 6] = ["order", "extra_turns", "pits", "seeds", "capture", "position"];

/// Show the nodes of one tree that each algorithm visits, in order
#[derive(Debug, Args)]
#[command(after_long_help = help())]
pub(crate) struct TreeArgs {
    /// A tree as nested lists of whole numbers, from Max's point of view: [[3,9],[5,6]]; or the
    /// name of a worked tree, as listed below
    #[arg(conflicts_with_all = OF_OTHERS, conflicts_with_all = OF_KALAH)]
    tree: Option<String>,
    /// Algorithms, as listed below
    #[arg(long, value_delimiter = ',', default_value = "minimax,f1,f3,scout,negascout,pvs")]
    algorithms: Vec<Method>,
    /// Player who moves first in a typed tree: max or min
    #[arg(long, default_value = "max", value_parser = ["max", "min"])]
    first: String,
    /// Window (alpha, beta) of each search, from Max's point of view
    #[arg(long, value_name = "ALPHA,BETA", allow_hyphen_values = true, requires = "tree",
          conflicts_with_all = OF_OTHERS, conflicts_with_all = OF_KALAH)]
    window: Option<String>,
    /// Draw a typed tree once per algorithm in FILE, with the cut branches marked
    #[arg(long, value_name = "FILE", requires = "tree", conflicts_with_all = OF_OTHERS,
          conflicts_with_all = OF_KALAH)]
    svg: Option<PathBuf>,
    /// Search a random tree instead; 3x5 is 3 wide and 5 moves deep
    #[arg(long, value_name = "WIDTHxDEPTH", conflicts_with_all = ["depth", "first"],
          conflicts_with_all = OF_KALAH)]
    uniform: Option<String>,
    /// Search the tree of a Kalah position instead, this many moves deep
    #[arg(long, conflicts_with = "first", value_parser = number::<u16>(1..=MAX_HEIGHT.into()))]
    depth: Option<u16>,
    /// Order of Kalah's moves: far, near, random, static
    #[arg(long, default_value = "far", value_parser = ChildOrder::ALL.map(ChildOrder::name))]
    order: String,
    /// Depth that an extra turn costs in Kalah: compound, ply, free
    #[arg(long, default_value_t)]
    extra_turns: ExtraTurns,
    /// Seed for random trees and move orders
    #[arg(long, default_value_t = 1, value_parser = number::<u64>(0..))]
    seed: u64,
    #[command(flatten)]
    board: BoardArgs,
    /// Print the counts as one JSON document (doc/records.md)
    #[arg(long)]
    json: bool,
}

fn help() -> String {
    let algorithms = algorithms();
    let trees = NAMED.map(|(name, lists, about)| format!("\n  {name:<15} {lists}\n      {about}"));
    let trees = trees.concat();
    format!(
        "{algorithms}

Worked trees, by name:{trees}

Examples:
  kalah compare tree hsu-more --algorithms f3,scout
  kalah compare tree '[[4,6],[[5,9],[5,1]]]' --algorithms f3,scout --svg tree.svg
      a tree on which SCOUT visits leaves twice, drawn
  kalah compare tree '[[3,9],[5,6]]' --first min --window 4,8 --algorithms f2,f3
  kalah compare tree --depth 4 --algorithms f3,test:2,proof-number:2
  kalah compare tree --uniform 3x6 --algorithms f3,scout,mt-sss,sss,test:0"
    )
}

impl TreeArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match (&self.tree, &self.uniform, self.depth) {
            (Some(text), ..) => self.typed(text, out),
            (_, Some(shape), _) => self.uniform(shape, out),
            (.., Some(depth)) => self.kalah(depth, out),
            _ => Err(Failure::usage(
                "expected a tree such as '[[3,9],[5,6]]', --uniform or --depth, got none",
            )),
        }
    }

    fn typed(&self, text: &str, out: &mut dyn Write) -> Result<(), Failure> {
        let parsed: Result<ListTree, _> = text.parse();
        let mut tree = parsed.map_err(|error| wrong("TREE", error))?;
        let first = if self.first == "min" { MinimaxSide::Min } else { MinimaxSide::Max };
        tree.first = first;
        let window = self.window.as_deref().map(window).transpose()?;
        let traces = self.traces(&tree, first, window)?;
        let leaves = tree.items().iter().filter(|item| item.children.is_empty()).count();
        let value =
            first.to_max(minimax(&mut SearchRun::new(&tree), tree.root(), MinimaxSide::Max));
        let about = format!(
            "{} moves first; {} nodes, {leaves} leaves; minimax value {value}",
            if first == MinimaxSide::Max { "Max" } else { "Min" },
            tree.items().len(),
        );
        self.show(&about, &traces, out)?;
        if !self.json {
            writeln!(out)?;
            show_outline(&tree, &traces, out)?;
        }
        if let Some(path) = &self.svg {
            let trees: Vec<_> = traces.iter().map(|trace| drawn(&tree, trace)).collect();
            files::replace(path, [trees_to_svg(text, &trees)])?;
        }
        Ok(())
    }

    fn uniform(&self, shape: &str, out: &mut dyn Write) -> Result<(), Failure> {
        let parsed = shape.split_once('x').and_then(|(width, height)| {
            let (width, height): (u16, u16) = (width.parse().ok()?, height.parse().ok()?);
            (width > 0 && height <= MAX_HEIGHT).then_some((width, height))
        });
        let (width, height) = parsed.ok_or_else(|| {
            let expected = format!("a width and a depth up to {MAX_HEIGHT}, such as 3x5");
            wrong("--uniform", format!("expected {expected}, got '{shape}'"))
        })?;
        // Small numbers, so that the bounds of questions are easy to type.
        let tree = UniformTree { width, height, leaves: Leaves::Few(101), seed: self.seed };
        let traces = self.traces(&tree, MinimaxSide::Max, None)?;
        let about = format!("Random tree, {width} wide, {height} moves deep, leaf values 0 to 100");
        self.show(&about, &traces, out)
    }

    fn kalah(&self, depth: u16, out: &mut dyn Write) -> Result<(), Failure> {
        let position = self.board.position()?;
        let order = self.order.parse().expect("one of the choices");
        sound(&self.algorithms, &[self.extra_turns])?;
        with_row!(position, R => {
            let mut tree = KalahTree::<R>::new(&position, depth, self.extra_turns, order);
            tree = tree.with_seed(self.seed);
            if self.algorithms.iter().any(|method| method.algorithm == Algorithm::ProbCut) {
                let rules = self.board.rules()?;
                tree = tree.with_model(Arc::new(ProbCutModel::for_kalah(rules, self.seed)));
            }
            let traces = self.traces(&tree, MinimaxSide::Max, None)?;
            let extra_turns = self.extra_turns;
            let about = format!(
                "{position}, {depth} moves deep, order {order}, extra turns {extra_turns}"
            );
            self.show(&about, &traces, out)
        })
    }

    fn show<N>(
        &self,
        about: &str,
        traces: &[Trace<N>],
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let table = counts(traces);
        if self.json {
            return write_document("compare tree", json!({ "title": about }), table, out);
        }
        Ok(write!(out, "{about}\n\n{}", table.to_text(Style::Aligned))?)
    }

    /// Searches the tree with each algorithm; see [`Trace::new`].
    fn traces<T: Tree<Value: Display>>(
        &self,
        tree: &T,
        first: MinimaxSide,
        window: Option<Window<T::Value>>,
    ) -> Result<Vec<Trace<T::Node>>, Failure> {
        let traces = self.algorithms.iter().map(|&method| Trace::new(method, tree, first, window));
        traces.collect::<Result<_, _>>().map_err(|error| match error {
            TraceError::NoWindow(_) => wrong("--window", error),
            TraceError::TooLong(_) => Failure::usage(error),
        })
    }
}

fn window(text: &str) -> Result<Window<i64>, Failure> {
    let parsed = text.split_once(',').and_then(|(alpha, beta)| {
        let (alpha, beta): (i32, i32) = (alpha.trim().parse().ok()?, beta.trim().parse().ok()?);
        (alpha < beta).then(|| Window::new(alpha.into(), beta.into()))
    });
    parsed.ok_or_else(|| {
        wrong("--window", format!("expected two numbers such as -3,8, got '{text}'"))
    })
}

/// Maximum number of nodes of a tree that is shown line by line.
const MAX_SHOWN: usize = 200;
/// Maximum height of a tree: algorithms recurse to its leaves.
const MAX_HEIGHT: u16 = 200;

fn show_outline(
    tree: &ListTree,
    traces: &[Trace<ListNode>],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if tree.items().len() > MAX_SHOWN {
        return Ok(writeln!(out, "Trees of over {MAX_SHOWN} nodes are not shown line by line.")?);
    }
    let text = outline(tree, traces).to_text(Style::Aligned);
    Ok(write!(out, "The visits of each node, in order:\n\n{text}")?)
}
