//! How often ordinary alpha-beta meets a null window on its own.

use crate::game::{Position, Row, with_row};
use crate::lab::algorithms::{Event, KalahTree, Observer, Run, Search, Tree, f3};
use crate::score::Window;
use crate::sys::parallel::map;

use super::kalah::Condition;

/// Nodes that were searched, and those of them with a null window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Windows {
    /// All nodes, leaves included.
    pub nodes: u64,
    /// Nodes where no score lay strictly inside the window.
    pub null: u64,
}

impl<N> Observer<N> for Windows {
    fn observe(&mut self, event: Event<N>) {
        if let Event::Visit { null_window } = event {
            self.nodes += 1;
            self.null += u64::from(null_window);
        }
    }
}

/// The windows of F3 on the ensemble of `condition`.
pub(crate) fn census(
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
    let mut run = Run::watched(&tree, Windows::default());
    let _ = run.visit(f3, tree.root(), Window::full());
    run.observer
}
