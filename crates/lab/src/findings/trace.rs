//! The visits of several methods to one tree: counts, an outline of the tree, and drawings.

use std::iter;

use kalah_tables::{Cell, Table, TitledTree, TreeNode};

use crate::experiment::trace::Trace;
use crate::list_tree::{ListItem, ListNode};
use crate::{ListTree, MinimaxSide};

/// The result and the counts of each search.
pub fn counts<N>(traces: &[Trace<N>]) -> Table {
    Table::from_items(
        "Leaves and nodes with repeats; again: nodes that were searched a second time",
        traces,
        &[
            ("Algorithm", &|trace| trace.method.to_string().into()),
            ("Value", &|trace| trace.answer.as_str().into()),
            ("Leaves", &|trace| trace.counts.leaves.into()),
            ("Nodes", &|trace| trace.counts.nodes().into()),
            ("Again", &|trace| trace.counts.researches.into()),
            ("Passes", &|trace| trace.counts.passes.into()),
        ],
    )
}

/// The tree line by line, with the visits of each search.
pub fn outline(tree: &ListTree, traces: &[Trace<ListNode>]) -> Table {
    let names = traces.iter().map(|trace| trace.method.to_string());
    let mut table = Table::new("", &["Node"]).with_columns(names);
    let notes: Vec<Vec<String>> = traces.iter().map(|trace| notes(tree, trace)).collect();
    for (index, item) in tree.items().iter().enumerate() {
        let label = "  ".repeat(item.depth.into()) + &label(tree, item);
        let notes = notes.iter().map(|notes| Cell::Text(notes[index].clone()));
        table.push(iter::once(label.into()).chain(notes).collect());
    }
    table
}

/// The tree with the visits of one search, ready to be drawn.
pub fn drawn(tree: &ListTree, trace: &Trace<ListNode>) -> TitledTree {
    let notes = notes(tree, trace);
    let nodes = tree.items().iter().zip(notes).map(|(item, note)| {
        let cut = note == CUT;
        let note = if cut { String::new() } else { note };
        let children = item.children.iter().map(|&child| child as usize).collect();
        TreeNode { label: label(tree, item), note, cut, children }
    });
    let leaves = trace.counts.leaves;
    (format!("{}: {}, {leaves} leaves", trace.method, trace.answer), nodes.collect())
}

/// The label of a node: a leaf's number, or who moves and the value.
fn label(tree: &ListTree, item: &ListItem) -> String {
    if item.children.is_empty() {
        return item.number.to_string();
    }
    let word = if tree.mover(item) == MinimaxSide::Max { "max" } else { "min" };
    format!("{word} {}", value(tree, item))
}

fn value(tree: &ListTree, item: &ListItem) -> i64 {
    let values = item.children.iter().map(|&child| value(tree, &tree.items()[child as usize]));
    let best = match tree.mover(item) {
        MinimaxSide::Max => values.max(),
        MinimaxSide::Min => values.min(),
    };
    best.unwrap_or(item.number)
}

/// The note at a node that its parent's search did not visit.
const CUT: &str = "cut";

/// The visits of each node, counted from 1, as text; [`CUT`] where a branch was not
/// followed.
fn notes(tree: &ListTree, trace: &Trace<ListNode>) -> Vec<String> {
    let mut numbers = vec![Vec::new(); tree.items().len()];
    for (number, node) in (1..).zip(&trace.visits) {
        numbers[node.index as usize].push(number);
    }
    let mut notes: Vec<String> = numbers.iter().map(|numbers| listed(numbers)).collect();
    // Only below a visited node: a whole subtree is cut once, at its root.
    for (item, _) in tree.items().iter().zip(&numbers).filter(|(_, own)| !own.is_empty()) {
        for &child in &item.children {
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
