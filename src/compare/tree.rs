//! `kalah compare tree`: the nodes of a tree that each algorithm visits, in order, and the branches
//! that it cuts.

use std::io::Write;

use clap::Args;
use serde_json::json;

use crate::failure::Failure;
use crate::output::write_document;
use kalah_game::score::Window;
use kalah_lab::findings::trace::{Trace, counts, outline, title};
use kalah_lab::list_tree::NAMED;
use kalah_lab::{Algorithm, ListTree, Method, MinimaxSide};
use kalah_tables::Style;
use kalah_text::names::shortened;

/// Show the nodes of a tree that each algorithm visits, in order
#[derive(Debug, Args)]
#[command(after_long_help = help())]
pub(crate) struct TreeArgs {
    /// A tree as nested lists of whole numbers, from Max's point of view: [[3,9],[5,6]]; or the
    /// name of a worked tree, as listed below
    tree: String,
    /// Algorithms, as listed below
    #[arg(long, value_delimiter = ',', default_value = "minimax,f1,f3,scout,negascout,pvs")]
    algorithms: Vec<Method>,
    /// Player who moves first: max or min
    #[arg(long, default_value_t)]
    first: MinimaxSide,
    /// Window (alpha, beta) of each search, from Max's point of view
    #[arg(long, value_name = "ALPHA,BETA", allow_hyphen_values = true, value_parser = window)]
    window: Option<Window<i64>>,
    /// Print the counts as one JSON document (doc/records.md)
    #[arg(long)]
    json: bool,
}

fn help() -> String {
    let algorithms = Algorithm::help();
    let mut trees = String::new();
    for [name, lists, about] in NAMED.iter() {
        trees += &format!("\n  {name:<15} {lists}\n      {about}");
    }
    format!(
        "{algorithms}

Worked trees, by name:{trees}

Examples:
  kalah compare tree hsu-more --algorithms f3,scout
  kalah compare tree '[[4,6],[[5,9],[5,1]]]' --algorithms f3,scout
      a tree on which SCOUT visits leaves twice
  kalah compare tree '[[3,9],[5,6]]' --first min --window 4,8 --algorithms f2,f3
  kalah compare tree hsu-less --algorithms f3,test:5,proof-number:5"
    )
}

/// Maximum number of nodes of a tree that is shown line by line.
const MAX_SHOWN: usize = 200;

impl TreeArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let parsed: Result<ListTree, _> = self.tree.parse();
        let mut tree = parsed.map_err(|error| Failure::wrong("TREE", error))?;
        tree.first = self.first;
        let mut traces = Vec::new();
        for &method in &self.algorithms {
            traces.push(Trace::new(method, &tree, self.window).map_err(Failure::usage)?);
        }
        let about = title(&tree);
        let table = counts(&traces);
        if self.json {
            return write_document("compare tree", json!({ "title": about }), table, out);
        }
        writeln!(out, "{about}\n\n{}", table.to_text(Style::Aligned))?;
        if tree.items().len() > MAX_SHOWN {
            writeln!(out, "Trees of over {MAX_SHOWN} nodes are not shown line by line.")?;
        } else {
            let text = outline(&tree, &traces).to_text(Style::Aligned);
            write!(out, "The visits of each node, in order:\n\n{text}")?;
        }
        Ok(())
    }
}

fn window(text: &str) -> Result<Window<i64>, String> {
    if let Some((alpha, beta)) = text.split_once(',')
        && let Ok(alpha) = alpha.trim().parse::<i32>()
        && let Ok(beta) = beta.trim().parse::<i32>()
        && alpha < beta
    {
        return Ok(Window::new(alpha.into(), beta.into()));
    }
    Err(format!("expected two numbers such as -3,8, got '{}'", shortened(text)))
}
