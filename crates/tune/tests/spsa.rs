//! Tuning by games: a run continues where it was interrupted, and the engine that it tunes is the
//! one that plays.
#![cfg(feature = "spsa")]

use std::sync::Arc;

use kalah_engine::Engine;
use kalah_engine::bench;
use kalah_engine::endgame::Tables;
use kalah_engine::search::Stopper;
use kalah_engine::search::parameters::Parameters;
use kalah_game::{Capture, Rules};
use kalah_tune::spsa::{ParameterValue, Spsa, Step, Tuning, TuningLimit, parameter};

fn tuning(names: &[&str]) -> Tuning {
    let first = names.iter().map(|name| ParameterValue { name: (*name).to_owned(), value: 30.0 });
    Tuning {
        first: first.collect(),
        pairs: 80,
        limit: TuningLimit::Nodes(60),
        board: [4, 3],
        random_plies: 3,
        seed: 5,
    }
}

fn run(tuning: &Tuning, last: Option<Step>) -> Spsa {
    let [pits, seeds] = tuning.board;
    let rules = Rules::new(pits, seeds, Capture::Standard).unwrap();
    let tables = Arc::new(Tables::build(rules.variant(), 8, 1).unwrap());
    Spsa::new(tuning.clone(), rules, tables, last).unwrap()
}

#[test]
fn a_run_continues_with_the_values_of_an_uninterrupted_one() {
    let tuning = tuning(&["PruningBase", "PruningSlope"]);
    let mut whole = run(&tuning, None);
    let mut steps = Vec::new();
    while whole.last().pairs < tuning.pairs {
        steps.push(whole.step(1).unwrap().clone());
    }
    assert_eq!(steps.iter().map(|step| step.pairs).collect::<Vec<_>>(), [32, 64, 80]);
    assert!(steps[0].values.iter().all(|value| *value != 30.0), "{steps:?}");

    let text = serde_json::to_string(&steps[0]).unwrap();
    let mut continued = run(&tuning, Some(serde_json::from_str(&text).unwrap()));
    assert_eq!(continued.step(2).unwrap(), &steps[1], "on two threads");
}

/// The error of a run that cannot begin.
fn refused(tuning: &Tuning) -> Option<String> {
    let rules = Rules::new(4, 3, Capture::Standard).unwrap();
    let tables = Arc::new(Tables::build(rules.variant(), 4, 1).unwrap());
    Spsa::new(tuning.clone(), rules, tables, None).err().map(|error| error.to_string())
}

#[test]
fn parameters_of_clocks_are_tuned_only_with_a_clock() {
    assert_eq!(parameter("PruningBase").unwrap().name, "PruningBase");
    assert_eq!(parameter("Pruning").unwrap_err().to_string(), "no parameter 'Pruning'");
    let mut tuning = tuning(&["ClockSoft"]);
    let fault = "ClockSoft matters only in games with a clock";
    assert_eq!(refused(&tuning), Some(fault.to_owned()));
    tuning.limit = TuningLimit::Clock("0.002+0.001".parse().unwrap());
    assert_eq!(run(&tuning, None).step(2).unwrap().pairs, 32);
}

#[test]
fn first_values_are_in_the_range_and_each_parameter_is_given_once() {
    let mut tuning = tuning(&["PruningBase", "PruningSlope"]);
    assert_eq!(refused(&tuning), None);
    for value in [f64::NAN, 19.0, 301.0] {
        tuning.first[1].value = value;
        let expected = format!("PruningSlope: expected 20 to 300, got {value}");
        assert_eq!(refused(&tuning), Some(expected));
    }
    tuning.first[1] = tuning.first[0].clone();
    assert_eq!(refused(&tuning), Some("PruningBase is given twice".to_owned()));
}

#[test]
fn openings_end_before_the_game_does() {
    let long = Tuning { random_plies: 1000, ..tuning(&["PruningBase"]) };
    run(&long, None).step(1).unwrap();
}

#[test]
fn a_parameter_is_set_by_its_name_within_its_range() {
    let mut parameters = Parameters::IN_USE;
    for (name, value) in [("PruningBase", 601), ("PruningBase", -1), ("pruningbase", 200)] {
        assert!(parameters.set(name, value).is_err(), "{name} {value}");
    }
    assert_eq!(parameters, Parameters::IN_USE);
    parameters.set("PruningBase", 240).unwrap();
    assert_ne!(parameters, Parameters::IN_USE);
    parameters.set("PruningBase", parameter("PruningBase").unwrap().value).unwrap();
    assert_eq!(parameters, Parameters::IN_USE);
    // As an option, too, although no protocol lists it.
    let mut engine = Engine::without_tables(1).unwrap();
    engine.set_option("PruningBase", "240").unwrap();
    assert_ne!(engine.settings_mut().parameters, Parameters::IN_USE);
    let error = engine.set_option("PruningBase", "601").unwrap_err().to_string();
    assert_eq!(error, "PruningBase: expected 0 to 600, got 601");
}

#[test]
fn an_engine_with_parameters_searches_the_nodes_of_one_with_constants() {
    let signature = include_str!("../../../tests/data/signature.txt");
    let found = bench::measure(1, 0, &Stopper::new(), |_, _| ()).unwrap();
    assert_eq!(found.nodes.to_string(), signature.trim());
}
