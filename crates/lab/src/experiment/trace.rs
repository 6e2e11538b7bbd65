//! One tree searched by one method, node by node.

use std::fmt::Display;

use kalah_game::Window;
use thiserror::Error;

use crate::algorithms::{
    Method, MinimaxSide, Observer, SearchCounts, TestQuestion, Tree, TreeEvent,
};

/// The search of a tree by one method.
#[derive(Clone, Debug)]
pub struct Trace<N> {
    /// The algorithm with its table, deepening, aspiration and question.
    pub method: Method,
    /// The value of the tree, a bound such as `<= 5`, or the answer to the method's question, from
    /// Max's point of view.
    pub answer: String,
    /// All visits.
    pub counts: SearchCounts,
    /// The nodes in the order in which their children or values were requested; at most 2^20.
    pub visits: Vec<N>,
}

/// Error for a search that has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TraceError {
    /// The tree is too large for this method.
    #[error("expected a smaller tree, got over {MAX_NODES} nodes visited by {0}")]
    TooLong(Method),
    /// This method takes no window.
    #[error("expected an algorithm with a window, got {0}")]
    NoWindow(Method),
}

/// Limits on the visits that are kept and on the nodes of a search, which is then stopped.
const MAX_VISITS: usize = 1 << 20;
const MAX_NODES: u64 = 200_000_000;

impl<N: Copy> Observer<N> for Trace<N> {
    fn observe(&mut self, event: TreeEvent<N>) {
        self.counts.observe(event);
        if let TreeEvent::Leaf(node) | TreeEvent::Interior(node) = event
            && self.visits.len() < MAX_VISITS
        {
            self.visits.push(node);
        }
    }

    fn is_stopped(&self) -> bool {
        self.counts.nodes() >= MAX_NODES
    }
}

impl<N: Copy> Trace<N> {
    /// Searches `tree`, where `first` is to move at the root. The window is from Max's point of
    /// view.
    pub fn new<T: Tree<Node = N, Value: Display>>(
        method: Method,
        tree: &T,
        first: MinimaxSide,
        window: Option<Window<T::Value>>,
    ) -> Result<Self, TraceError> {
        let counts = SearchCounts::default();
        let mut trace = Self { method, answer: String::new(), counts, visits: Vec::new() };
        trace.answer = answer(method, tree, first, window, &mut trace)?;
        Ok(trace)
    }
}

/// The result of `method` in words. An algorithm treats the side that moves first as Max, so
/// question and window are converted to `first`'s point of view, and values back.
fn answer<T: Tree<Value: Display>>(
    method: Method,
    tree: &T,
    first: MinimaxSide,
    window: Option<Window<T::Value>>,
    trace: &mut dyn Observer<T::Node>,
) -> Result<String, TraceError> {
    if let Some(question) = method.question {
        let own = question.from_view_of(first);
        let asked = Method { question: Some(own), ..method };
        let value = asked.value(tree, trace).ok_or(TraceError::TooLong(asked))?;
        let holds = own.measured().holds(value);
        let TestQuestion { relation, bound } = if holds { question } else { question.negated() };
        return Ok(format!("{relation} {bound}"));
    }
    let Some(window) = window else {
        let value = method.value(tree, trace).ok_or(TraceError::TooLong(method))?;
        return Ok(first.to_max(value).to_string());
    };
    let found = method.value_within(tree, trace, first.window(window));
    let value = first.to_max(found.ok_or(TraceError::NoWindow(method))?);
    Ok(if window.fails_low(value) {
        format!("<= {value}")
    } else if window.fails_high(value) {
        format!(">= {value}")
    } else {
        value.to_string()
    })
}
