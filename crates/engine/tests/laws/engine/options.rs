//! The engine's options: what they accept, what they refuse, and what they change.

use std::fs;
use std::time::Duration;

use kalah_engine::evaluation::network::Network;
use kalah_engine::search::Stopper;
use kalah_engine::{Engine, Limits, OPTIONS, OptionKind, Settings};
use kalah_game::{Capture, Depth, Position, Rules};

fn engine() -> Engine {
    Engine::without_tables(1).unwrap()
}

fn error(name: &str, value: &str) -> String {
    engine().set_option(name, value).unwrap_err().to_string()
}

#[test]
fn the_defaults_of_the_table_are_those_of_a_new_engine() {
    let mut engine = engine();
    for option in &OPTIONS {
        let default = match &option.kind {
            OptionKind::Check { default, .. } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. } => (*default).to_owned(),
            OptionKind::Button { .. } | OptionKind::Text { .. } | OptionKind::File { .. } => {
                String::new()
            }
        };
        option.set(&mut engine, &default).unwrap();
    }
    assert_eq!(engine.settings(), &Settings::default());
    assert_eq!(engine.resources().hash(), Engine::DEFAULT_HASH);
    assert_eq!(engine.rules(), Rules::default());
    assert_eq!(*engine.position(), Position::start(Rules::default()));
}

#[test]
fn every_range_includes_its_ends_and_nothing_beyond() {
    for option in OPTIONS.iter().filter(|option| !["Hash", "Seeds"].contains(&option.name)) {
        let OptionKind::Spin { range, .. } = &option.kind else { continue };
        let mut engine = engine();
        option.set(&mut engine, &range.start().to_string()).unwrap();
        option.set(&mut engine, &range.end().to_string()).unwrap();
        option.set(&mut engine, &(range.end() + 1).to_string()).unwrap_err();
        option.set(&mut engine, "-1").unwrap_err();
    }
}

#[test]
fn names_and_words_ignore_case() {
    let mut engine = engine();
    engine.set_option("move overhead", " 30 ").unwrap();
    engine.set_option("CAPTURE", "Empty-Capture").unwrap();
    assert_eq!(engine.settings().overhead, Duration::from_millis(30));
    assert_eq!(engine.rules().capture(), Capture::EmptyCapture);
}

#[test]
fn errors_state_the_expected_and_the_given_value() {
    for (name, value, message) in [
        ("OwnBooks", "true", "no option 'OwnBooks'"),
        ("hash", "abc", "Hash: expected 1 to 1048576, got 'abc'"),
        ("Threads", "0", "Threads: expected 1 to 512, got '0'"),
        ("Threads", "", "Threads: expected 1 to 512, got no value"),
        ("Ponder", "yes", "Ponder: expected 'true' or 'false', got 'yes'"),
        ("Capture", "all", "Capture: expected 'standard' or 'empty-capture', got 'all'"),
        ("Seeds", "3000", "Seeds: expected 1 to 2730 seeds per pit with 6 pits per row, got 3000"),
    ] {
        assert_eq!(error(name, value), message);
    }
}

#[test]
fn a_table_larger_than_the_free_memory_is_refused_and_the_old_one_kept() {
    let mut engine = engine();
    let refused = engine.set_option("Hash", "1048576").unwrap_err().to_string();
    assert!(refused.starts_with("Hash: expected at most"), "{refused}");
    assert!(refused.ends_with("got 1048576; keeping 1"), "{refused}");
    assert_eq!(engine.resources().hash(), 1);
    engine.resources_mut().set_hash(usize::MAX >> 2).unwrap_err();
    assert_eq!(engine.resources().hash(), 1);
}

#[test]
fn changing_the_board_sets_up_its_start_position() {
    let mut engine = engine();
    engine.set_option("Pits", "3").unwrap();
    engine.set_option("Seeds", "2").unwrap();
    assert_eq!(engine.position().to_string(), "<3,0,0,2,2,2,2,2,2> S");
}

#[test]
fn a_search_with_a_new_evaluation_uses_nothing_of_the_old_one() {
    let nodes = |engine: &mut Engine| {
        engine.search(Limits::depth(Depth(6)), &Stopper::new(), &mut |_| ()).nodes()
    };
    let built_in = nodes(&mut engine());
    let folder = tempfile::tempdir().unwrap();
    // A network that judges every position as its opposite.
    let file = |pits| {
        let mut weights = Network::trained(pits).unwrap().weights();
        weights.gain.weights.iter_mut().flatten().for_each(|weight| *weight = -*weight);
        let path = folder.path().join(format!("{pits}.txt"));
        fs::write(&path, Network::from_weights(pits, &weights).to_string()).unwrap();
        path.into_os_string().into_string().unwrap()
    };
    for (name, value, default, is_used) in [
        ("Evaluation", "linear", "full", true),
        ("EvalFile", &file(6), "", true),
        // Weights for boards of another width.
        ("EvalFile", &file(5), "", false),
    ] {
        let mut fresh = engine();
        fresh.set_option(name, value).unwrap();
        let expected = nodes(&mut fresh);
        assert_eq!(expected != built_in, is_used, "{name}");
        let mut changed = engine();
        for (value, expected) in [(default, built_in), (value, expected), (default, built_in)] {
            changed.set_option(name, value).unwrap();
            assert_eq!(nodes(&mut changed), expected, "{name} {value}");
        }
    }
}
