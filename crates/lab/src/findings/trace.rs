//! A tree of nested lists, searched node by node: counts, and an outline with the visits of each
//! algorithm.

use std::iter;

use kalah_game::Window;
use kalah_tables::{Cell, Table};
use thiserror::Error;

use crate::list_tree::{ListItem, ListNode};
use crate::{
    ListTree, Method, MinimaxSide, Observer, SearchCounts, SearchRun, TestQuestion, Tree,
    TreeEvent, minimax,
};

/// The search of a tree by one method.
#[derive(Clone, Debug)]
pub struct Trace {
    method: Method,
    /// The value of the tree, a bound such as `<= 5`, or the answer to the method's question, from
    /// Max's point of view.
    answer: String,
    counts: SearchCounts,
    /// The nodes in the order in which their children or values were requested.
    pub visits: Vec<ListNode>,
}

/// Error for a method that takes no window, or that plays moves where there are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{expected}, got {method}")]
pub struct TraceError {
    expected: &'static str,
    method: Method,
}

impl Observer<ListNode> for Trace {
    fn observe(&mut self, event: TreeEvent<ListNode>) {
        self.counts.observe(event);
        if let TreeEvent::Leaf(node) | TreeEvent::Interior(node) = event {
            self.visits.push(node);
        }
    }
}

impl Trace {
    /// Searches `tree` within a window, if one is given, from Max's point of view.
    ///
    /// # Errors
    /// If the method takes no window, or the tree is a leaf and the method plays random games.
    pub fn new(
        method: Method,
        tree: &ListTree,
        window: Option<Window<i64>>,
    ) -> Result<Self, TraceError> {
        let counts = SearchCounts::default();
        let mut trace = Self { method, answer: String::new(), counts, visits: Vec::new() };
        trace.answer = trace.search(tree, window)?;
        Ok(trace)
    }

    /// The result in words. An algorithm treats the side that moves first as Max, so question and
    /// window are converted to its point of view, and values back.
    fn search(
        &mut self,
        tree: &ListTree,
        window: Option<Window<i64>>,
    ) -> Result<String, TraceError> {
        let method = self.method;
        let first = tree.first;
        let failed = |expected| TraceError { expected, method };
        let Some(window) = window else {
            let question = method.question.map(|question| question.from_view_of(first));
            let value = Method { question, ..method }.value(tree, self);
            let value = first.to_max(value.ok_or(failed(
                "expected an algorithm that needs no moves, because the tree is a leaf",
            ))?);
            let Some(question) = method.question else { return Ok(value.to_string()) };
            let holds = question.measured().holds(value);
            let TestQuestion { relation, bound } =
                if holds { question } else { question.negated() };
            return Ok(format!("{relation} {bound}"));
        };
        let found = method.value_within(tree, self, first.window(window));
        let value = first.to_max(found.ok_or(failed("expected an algorithm with a window"))?);
        Ok(if window.fails_low(value) {
            format!("<= {value}")
        } else if window.fails_high(value) {
            format!(">= {value}")
        } else {
            value.to_string()
        })
    }
}

/// A tree in a line: who moves first, its size and its minimax value.
pub fn title(tree: &ListTree) -> String {
    let leaves = tree.items().iter().filter(|item| item.children.is_empty()).count();
    let value = minimax(&mut SearchRun::new(tree), tree.root(), MinimaxSide::Max);
    format!(
        "{} moves first; {} nodes, {leaves} leaves; minimax value {}",
        if tree.first == MinimaxSide::Max { "Max" } else { "Min" },
        tree.items().len(),
        tree.first.to_max(value),
    )
}

/// The result and the counts of each search.
pub fn counts(traces: &[Trace]) -> Table {
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

/// The tree line by line, with the visits of each search, counted from 1.
pub fn outline(tree: &ListTree, traces: &[Trace]) -> Table {
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

/// The label of a node: a leaf's number, or who moves and the value.
fn label(tree: &ListTree, item: &ListItem) -> String {
    if item.children.is_empty() {
        return item.number.to_string();
    }
    let word = tree.mover(item).name();
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

/// The visits of each node, as text; `cut` where a branch was not followed.
fn notes(tree: &ListTree, trace: &Trace) -> Vec<String> {
    let mut numbers = vec![Vec::new(); tree.items().len()];
    for (number, node) in (1..).zip(&trace.visits) {
        numbers[node.index as usize].push(number);
    }
    let mut notes: Vec<String> = numbers.iter().map(|numbers| listed(numbers)).collect();
    // Only below a visited node: a whole subtree is cut once, at its root.
    for (item, _) in tree.items().iter().zip(&numbers).filter(|(_, own)| !own.is_empty()) {
        for &child in &item.children {
            if numbers[child as usize].is_empty() {
                notes[child as usize] = "cut".to_owned();
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
