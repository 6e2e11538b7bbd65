//! The bench: its nodes, time and rate.

use std::time::Duration;

use kalah_engine::bench::{Signature, measure};
use kalah_engine::search::Stopper;
use kalah_game::Position;

#[test]
fn a_rate_is_that_of_the_whole_time() {
    let signature = Signature { nodes: 3_000_000, time: Duration::from_millis(1500) };
    let text = "nodes     3000000\ntime      1500 ms\nrate      2.00 million nodes per second";
    assert_eq!(signature.to_string(), text);
}

#[test]
fn the_nodes_of_a_bench_are_those_of_the_positions_before_it_is_stopped() {
    let stopper = Stopper::new();
    let mut positions = Vec::new();
    let mut all = Signature::default();
    let report = |position: &Position, one: Signature| {
        positions.push(*position);
        all.nodes += one.nodes;
        all.time += one.time;
        if positions.len() == 3 {
            stopper.stop();
        }
    };
    let measured = measure(1, 0, &stopper, report).unwrap();
    assert!(all.nodes > 3 && positions.len() == 3, "{positions:?}");
    assert_eq!(measured, all);
    assert!(positions[0] != positions[1] && positions[1] != positions[2]);
}
