//! How often ordinary alpha-beta meets a null window on its own.

use crate::game::{Position, Row};
use crate::score::{Gain, Window};

use super::super::{KalahTree, Run, Search, Tree, f3};
use super::kalah::Condition;
use crate::game::with_row;
use crate::lab::memory::{Memory, Recollection};
use crate::sys::parallel::map;

/// Nodes that were searched, and those of them with a null window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Windows {
    /// All nodes, leaves included.
    pub nodes: u64,
    /// Nodes where no score lay strictly inside the window.
    pub null: u64,
}

/// Remembers no node, but how it was asked for.
impl<T: Tree<Value = Gain>> Memory<T> for Windows {
    fn recall(&mut self, _: &T, _: T::Node, window: Window<Gain>) -> Recollection<Gain> {
        self.nodes += 1;
        self.null += u64::from(window.is_null());
        Recollection::Question(window)
    }
    fn returned(&mut self, _: u16, _: Gain) {}
    fn store(&mut self, _: &T, _: T::Node, _: Window<Gain>, _: Gain) {}
    fn best(&self, _: &T, _: T::Node) -> Option<u16> {
        None
    }
}

/// The windows of F3 on the ensemble of `condition`.
pub fn census(
    condition: &Condition,
    depth: u16,
    threads: usize,
    done: &(dyn Fn() + Sync),
) -> Windows {
    let groups: Vec<usize> = (0..condition.ensemble.groups()).collect();
    let counted = map(&groups, threads, done, |&nth| {
        let group = condition.ensemble.group(condition.rules, condition.seed, nth, depth);
        let count =
            |position: Position| with_row!(position, R => count::<R>(condition, &position, depth));
        group.into_iter().map(count).collect::<Vec<_>>()
    });
    counted.into_iter().flatten().fold(Windows::default(), |sum, one| Windows {
        nodes: sum.nodes + one.nodes,
        null: sum.null + one.null,
    })
}

fn count<R: Row>(condition: &Condition, position: &Position, depth: u16) -> Windows {
    let tree = KalahTree::<R>::new(position, depth, condition.extra_turns, condition.order);
    let mut run = Run { tree: &tree, observer: (), memory: Windows::default() };
    let _ = run.visit(f3, tree.root(), Window::full());
    run.memory
}
