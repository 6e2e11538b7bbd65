//! Nodes a second of the lab's alpha-beta, on uniform trees and on Kalah.

mod harness;

use std::hint::black_box;

use harness::{bench, time};
use kalah::game::score::Window;
use kalah::game::{Position, Rules};
use kalah::lab::uniform::Leaves;
use kalah::lab::{Counts, ExtraTurns, KalahTree, Order, Run, Tree, UniformTree, f3};

fn alpha_beta<T: Tree>(name: &str, tree: &T) {
    let mut counted = Run::watched(tree, Counts::default());
    let _ = f3(&mut counted, tree.root(), Window::full());
    bench(name, counted.observer.nodes(), "nodes", || {
        time(|| f3(&mut Run::new(black_box(tree)), tree.root(), Window::full()))
    });
}

fn uniform(width: u16, height: u16) -> UniformTree {
    UniformTree { width, height, leaves: Leaves::Continuous, seed: 1 }
}

fn main() {
    alpha_beta("uniform, 5 wide, 10 high", &uniform(5, 10));
    alpha_beta("uniform, 40 wide, 4 high", &uniform(40, 4));
    let start = Position::start(Rules::default());
    for extra_turns in ExtraTurns::ALL {
        let depth = if extra_turns == ExtraTurns::Ply { 9 } else { 7 };
        let tree = KalahTree::<u64>::new(&start, depth, extra_turns, Order::Far);
        alpha_beta(&format!("Kalah(6,4), {extra_turns}, depth {depth}"), &tree);
    }
}
