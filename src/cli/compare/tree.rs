//! `kalah compare tree`: the nodes of one tree that each algorithm visits, in order, and
//! the branches that it cuts.

use std::fmt::Display;
use std::io::Write;
use std::iter;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args as ClapArgs;
use serde_json::json;

use super::output::{algorithms, sound};
use crate::cli::arguments::{BoardArgs, number};
use crate::cli::failure::Failure;
use crate::cli::output::write_document;
use crate::game::score::Window;
use crate::game::with_row;
use crate::lab::list_tree::{Node, Place};
use crate::lab::uniform::Leaves;
use crate::lab::{
    Algorithm, Counts, Event, ExtraTurns, KalahTree, ListTree, Method, Model, Observer, Order,
    Player, Question, Run, Tree, UniformTree, minimax,
};
use crate::report::{Cell, Style, Table, TitledTree, TreeNode, trees_to_svg};
use crate::sys::files;

/// Show the nodes of one tree that each algorithm visits, in order
#[derive(Debug, ClapArgs)]
#[command(after_long_help = help())]
pub(crate) struct Args {
    /// A tree as nested lists of whole numbers, from Max's point of view: [[3,9],[5,6]]
    #[arg(conflicts_with_all = ["uniform", "depth"])]
    tree: Option<String>,
    /// Algorithms, as listed below
    #[arg(long, value_delimiter = ',', default_value = "minimax,f1,f3,scout,negascout,pvs")]
    algorithms: Vec<Method>,
    /// Player who moves first in a typed tree: max or min
    #[arg(long, default_value = "max", value_parser = ["max", "min"])]
    first: String,
    /// Window (alpha, beta) of each search, from Max's point of view
    #[arg(long, value_name = "ALPHA,BETA", allow_hyphen_values = true, requires = "tree")]
    window: Option<String>,
    /// Draw a typed tree once per algorithm in FILE, with the cut branches marked
    #[arg(long, value_name = "FILE", requires = "tree")]
    svg: Option<PathBuf>,
    /// Search a random tree instead; 3x5 is 3 wide and 5 moves deep
    #[arg(long, value_name = "WIDTHxDEPTH", conflicts_with = "depth")]
    uniform: Option<String>,
    /// Search the tree of a Kalah position instead, this many moves deep
    #[arg(long, value_parser = number::<u16>(1..=200))]
    depth: Option<u16>,
    /// Order of Kalah's moves: far, near, random, static
    #[arg(long, default_value = "far", value_parser = Order::ALL.map(Order::name))]
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
    format!(
        "{algorithms}

Examples:
  kalah compare tree '[[3,12,8],[2,4,6],[14,5,2]]'
      Russell and Norvig, Artificial Intelligence: A Modern Approach, figure 5.2
  kalah compare tree '[[[[5,6],[7,4,5]],[[3]]],[[[6],[6,9]],[[7]]],[[[5]],[[9,8],[6]]]]'
      the illustration of Wikipedia's article on alpha-beta pruning
  kalah compare tree '[[4,6],[[5,9],[5,1]]]' --algorithms f3,scout --svg tree.svg
      a tree on which SCOUT visits leaves twice, drawn
  kalah compare tree '[[3,9],[5,6]]' --first min --window 4,8 --algorithms f2,f3
  kalah compare tree --depth 4 --algorithms f3,test:2,proof-number:2
  kalah compare tree --uniform 3x6 --algorithms f3,scout,mt-sss,sss,test:0"
    )
}

/// What an algorithm did on the tree.
struct Row<N> {
    method: Method,
    answer: String,
    trace: Trace<N>,
}

/// Counts, and the nodes in the order in which their children or values are asked
/// for.
struct Trace<N> {
    counts: Counts,
    /// Not kept of large trees.
    visits: Vec<N>,
}

/// Visits that are kept, and nodes after which a search is ended.
const MAX_VISITS: usize = 1 << 20;
const MAX_NODES: u64 = 200_000_000;

impl<N: Copy> Observer<N> for Trace<N> {
    fn observe(&mut self, event: Event<N>) {
        self.counts.observe(event);
        if let Event::Leaf(node) | Event::Interior(node) = event
            && self.visits.len() < MAX_VISITS
        {
            self.visits.push(node);
        }
    }

    fn is_stopped(&self) -> bool {
        self.counts.nodes() >= MAX_NODES
    }
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match (&self.tree, &self.uniform, self.depth) {
            (Some(text), ..) => self.typed(text, out),
            (_, Some(shape), _) => self.uniform(shape, out),
            (.., Some(depth)) => self.kalah(depth, out),
            _ => Err(Failure::Usage(
                "expected a tree as '[[3,9],[5,6]]', --uniform or --depth, got none".to_owned(),
            )),
        }
    }

    fn typed(&self, text: &str, out: &mut dyn Write) -> Result<(), Failure> {
        let parsed: Result<ListTree, _> = text.parse();
        let mut tree = parsed.map_err(|error| Failure::Usage(format!("TREE: {error}")))?;
        let first = if self.first == "min" { Player::Min } else { Player::Max };
        tree.first = first;
        let window = self.window.as_deref().map(window).transpose()?;
        let rows = self.rows(&tree, first, window)?;
        let leaves = tree.places().iter().filter(|place| place.children.is_empty()).count();
        let value = first.to_max(minimax(&mut Run::new(&tree), tree.root(), Player::Max));
        let about = format!(
            "{} moves first; {} nodes, {leaves} leaves; minimax value {value}",
            if first == Player::Max { "Max" } else { "Min" },
            tree.places().len(),
        );
        self.show(&about, &rows, out)?;
        if !self.json {
            writeln!(out)?;
            outline(&tree, &rows, out)?;
        }
        if let Some(path) = &self.svg {
            let trees: Vec<TitledTree> = rows.iter().map(|row| drawn(&tree, row)).collect();
            files::replace(path, [trees_to_svg(text, &trees)])?;
        }
        Ok(())
    }

    fn uniform(&self, shape: &str, out: &mut dyn Write) -> Result<(), Failure> {
        let parsed = shape.split_once('x').and_then(|(width, height)| {
            let (width, height): (u16, u16) = (width.parse().ok()?, height.parse().ok()?);
            (width > 0).then_some((width, height))
        });
        let (width, height) = parsed.ok_or_else(|| {
            Failure::Usage(format!("--uniform: expected a width and a depth as 3x5, got '{shape}'"))
        })?;
        // Small numbers, so that questions can be typed.
        let tree = UniformTree { width, height, leaves: Leaves::Few(101), seed: self.seed };
        let rows = self.rows(&tree, Player::Max, None)?;
        let about = format!("Random tree, {width} wide, {height} moves deep, leaves of 0 to 100");
        self.show(&about, &rows, out)
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
                tree = tree.with_model(Arc::new(Model::of_kalah(rules, 7, 100, self.seed)));
            }
            let rows = self.rows(&tree, Player::Max, None)?;
            let extra_turns = self.extra_turns;
            let about = format!(
                "{position}, {depth} moves deep, order {order}, extra turns {extra_turns}"
            );
            self.show(&about, &rows, out)
        })
    }

    fn show<N>(&self, about: &str, rows: &[Row<N>], out: &mut dyn Write) -> Result<(), Failure> {
        let table = table(rows);
        if self.json {
            return write_document("compare tree", json!({ "title": about }), table, out);
        }
        Ok(write!(out, "{about}\n\n{}", table.to_text(Style::Aligned))?)
    }

    /// Searches the tree by each algorithm. `first` moves at the root; answers and
    /// window are from Max's point of view.
    fn rows<T: Tree<Value: Display>>(
        &self,
        tree: &T,
        first: Player,
        window: Option<Window<T::Value>>,
    ) -> Result<Vec<Row<T::Node>>, Failure> {
        let rows = self.algorithms.iter().map(|&method| {
            let mut trace = Trace { counts: Counts::default(), visits: Vec::new() };
            let answer = answer(method, tree, first, window, &mut trace)?;
            Ok(Row { method, answer, trace })
        });
        rows.collect()
    }
}

/// What `method` says of `tree`. An algorithm takes the player who moves first for Max,
/// so that question and window go to `first`'s point of view, and values back.
fn answer<T: Tree<Value: Display>>(
    method: Method,
    tree: &T,
    first: Player,
    window: Option<Window<T::Value>>,
    trace: &mut dyn Observer<T::Node>,
) -> Result<String, Failure> {
    let too_long = || {
        Failure::Usage(format!("expected a smaller tree: {method} visits over {MAX_NODES} nodes"))
    };
    let no_window =
        || Failure::Usage(format!("--window: expected algorithms that take one, got {method}"));
    if let Some(question) = method.question {
        let own = question.from_view_of(first);
        let method = Method { question: Some(own), ..method };
        let value = method.value(tree, trace).ok_or_else(too_long)?;
        let holds = own.measured().holds(value);
        let Question { relation, bound } = if holds { question } else { question.negated() };
        return Ok(format!("{relation} {bound}"));
    }
    let Some(window) = window else {
        return Ok(first.to_max(method.value(tree, trace).ok_or_else(too_long)?).to_string());
    };
    let value = method.value_within(tree, trace, first.window(window));
    let value = first.to_max(value.ok_or_else(no_window)?);
    Ok(if window.fails_low(value) {
        format!("<= {value}")
    } else if window.fails_high(value) {
        format!(">= {value}")
    } else {
        value.to_string()
    })
}

fn window(text: &str) -> Result<Window<i64>, Failure> {
    let parsed = text.split_once(',').and_then(|(alpha, beta)| {
        let number = |text: &str| text.trim().parse::<i32>().ok().map(i64::from);
        let (alpha, beta) = (number(alpha)?, number(beta)?);
        (alpha < beta).then(|| Window::new(alpha, beta))
    });
    parsed.ok_or_else(|| {
        Failure::Usage(format!("--window: expected two numbers as -3,8, got '{text}'"))
    })
}

fn table<N>(rows: &[Row<N>]) -> Table {
    Table::of(
        "Leaves and nodes with repeats; again: nodes searched a second time",
        rows,
        &[
            ("Algorithm", &|row| row.method.to_string().into()),
            ("Value", &|row| Cell::Text(row.answer.clone())),
            ("Leaves", &|row| row.trace.counts.leaves.into()),
            ("Nodes", &|row| row.trace.counts.nodes().into()),
            ("Again", &|row| row.trace.counts.researches.into()),
            ("Passes", &|row| row.trace.counts.passes.into()),
        ],
    )
}

/// What stands at a place: a leaf's number, or who moves and the value.
fn label(tree: &ListTree, place: &Place) -> String {
    if place.children.is_empty() {
        return place.number.to_string();
    }
    let word = if tree.mover(place) == Player::Max { "max" } else { "min" };
    format!("{word} {}", value(tree, place))
}

fn value(tree: &ListTree, place: &Place) -> i64 {
    let values = place.children.iter().map(|&child| value(tree, &tree.places()[child as usize]));
    let best = match tree.mover(place) {
        Player::Max => values.max(),
        Player::Min => values.min(),
    };
    best.unwrap_or(place.number)
}

const CUT: &str = "cut";

/// The visits of each place, counted from 1, as text; `cut` where a branch was not
/// followed.
fn notes(tree: &ListTree, row: &Row<Node>) -> Vec<String> {
    let mut numbers = vec![Vec::new(); tree.places().len()];
    for (number, node) in (1..).zip(&row.trace.visits) {
        numbers[node.index as usize].push(number);
    }
    let mut notes: Vec<String> = numbers.iter().map(|numbers| listed(numbers)).collect();
    for (place, _) in tree.places().iter().zip(&numbers).filter(|(_, own)| !own.is_empty()) {
        for &child in &place.children {
            if numbers[child as usize].is_empty() {
                notes[child as usize] = CUT.to_owned();
            }
        }
    }
    notes
}

/// The first three numbers, and how many there are if there are more.
fn listed(numbers: &[usize]) -> String {
    let words: Vec<String> = numbers.iter().take(3).map(ToString::to_string).collect();
    let more = if numbers.len() > 3 { format!(" …×{}", numbers.len()) } else { String::new() };
    words.join(",") + &more
}

/// Places of the largest tree that is shown whole.
const MAX_PLACES: usize = 200;

/// The tree line by line, with the visits of each algorithm.
fn outline(tree: &ListTree, rows: &[Row<Node>], out: &mut dyn Write) -> Result<(), Failure> {
    if tree.places().len() > MAX_PLACES {
        return Ok(writeln!(out, "Trees of over {MAX_PLACES} nodes are not shown line by line.")?);
    }
    let names = rows.iter().map(|row| row.method.to_string());
    let mut table = Table::new("", &["Node"]).with_columns(names);
    let notes: Vec<Vec<String>> = rows.iter().map(|row| notes(tree, row)).collect();
    for (index, place) in tree.places().iter().enumerate() {
        let label = "  ".repeat(place.depth.into()) + &label(tree, place);
        let notes = notes.iter().map(|notes| Cell::Text(notes[index].clone()));
        table.push(iter::once(label.into()).chain(notes).collect());
    }
    let text = table.to_text(Style::Aligned);
    Ok(write!(out, "The visits of each node, in order:\n\n{text}")?)
}

/// The tree with the visits of an algorithm, to be drawn.
fn drawn(tree: &ListTree, row: &Row<Node>) -> TitledTree {
    let notes = notes(tree, row);
    let nodes = tree.places().iter().zip(notes).map(|(place, note)| {
        let cut = note == CUT;
        let note = if cut { String::new() } else { note };
        let children = place.children.iter().map(|&child| child as usize).collect();
        TreeNode { label: label(tree, place), note, cut, children }
    });
    let leaves = row.trace.counts.leaves;
    (format!("{}: {}, {leaves} leaves", row.method, row.answer), nodes.collect())
}
