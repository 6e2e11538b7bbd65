//! The options of the engine by name: [`OPTIONS`] lists them, and [`Engine::set_option`]
//! sets one. Protocols pass names and values on; they have no options of their own.

use std::collections::TryReserveError;
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

use thiserror::Error;

use crate::engine::{Engine, EvaluationKind, Resources, Settings, TablePath};
use crate::evaluation::network::Network;
use crate::game::{Capture, Rules};
use crate::lab::{Algorithm, ExtraTurns, Method, Order};
use crate::search::Skill;
use crate::sys::files;
use crate::sys::machine::available_memory;
use crate::sys::names::{alternatives, shortened};

use Kind::{Button, Check, Combo, File, Spin, Text};

/// An option that can be listed and set.
#[derive(Clone, Debug)]
pub struct EngineOption {
    /// Matched without regard to case.
    pub name: &'static str,
    /// Its type, default, range and setter.
    pub kind: Kind,
    /// Its purpose, in one line of lower case.
    pub doc: &'static str,
}

/// The result of setting an option: a message without the option's name.
type Outcome = Result<(), String>;

/// The five types of options in UCI, each with the default of a new engine, the values
/// that are accepted, and a setter for one of them.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields mean the same in every type")]
pub enum Kind {
    /// A switch, `true` or `false`.
    Check { default: bool, set: fn(&mut Engine, bool) -> Outcome },
    /// A whole number within `range`.
    Spin { default: u32, range: RangeInclusive<u32>, set: fn(&mut Engine, u32) -> Outcome },
    /// One of several words; if it is `open`, also one of them with a suffix.
    Combo {
        default: &'static str,
        choices: fn() -> Vec<&'static str>,
        open: bool,
        set: fn(&mut Engine, &str) -> Outcome,
    },
    /// An action, without a value.
    Button { press: fn(&mut Engine) },
    /// Any text, which the setter parses; empty in a new engine.
    Text { set: fn(&mut Engine, &str) -> Outcome },
    /// A text that names a file or a folder on the engine's machine.
    File { set: fn(&mut Engine, &str) -> Outcome },
}

/// Error when setting an option, which leaves the engine unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// There is no option of this name, shortened.
    #[error("no option '{0}'")]
    Unknown(String),
    /// The option does not accept the value, or the system refuses the memory or file that it
    /// needs; the message names the option.
    #[error("{0}")]
    Value(String),
    /// The system refuses the memory of an engine that sets options from the start.
    #[error(transparent)]
    Memory(#[from] TryReserveError),
}

/// The engine's own search, among the algorithms.
const ENGINE: &str = "engine";

/// Every option of the engine, in the order in which protocols list them.
#[rustfmt::skip]
pub static OPTIONS: [EngineOption; 24] = [
    option("Hash", Spin { default: Engine::DEFAULT_HASH as u32, range: 1..=1 << 20, set: set_hash },
        "MiB of the transposition table; refused if they do not fit in memory"),
    option("Clear Hash", Button { press: Engine::new_game },
        "empty the transposition table"),
    option("Threads", Spin { default: 1, range: 1..=512,
            set: |engine, n| change(engine, |settings| settings.threads = n as usize) },
        "search threads; no more are started than there are processors"),
    option("MultiPV", Spin { default: 1, range: 1..=16,
            set: |engine, n| change(engine, |settings| settings.multipv = n as usize) },
        "number of principal variations to find and report"),
    option("Ponder", Check { default: false, set: |_, _| Ok(()) },
        "declares support for `go ponder`; changes nothing"),
    option("Move Overhead", Spin { default: 10, range: 0..=5000, set: set_overhead },
        "milliseconds lost between engine and clock on each sowing"),
    option("Skill", Spin { default: 10, range: 0..=10, set: set_skill },
        "playing strength, from beginner (0) to full (10)"),
    option("UCI_LimitStrength", Check { default: false,
            set: |engine, on| change(engine, |settings| settings.limit_strength = on) },
        "play at the strength of UCI_Elo and ignore Skill"),
    option("UCI_Elo", Spin { default: Skill::ELO[1], range: Skill::ELO[0]..=Skill::ELO[1],
            set: |engine, elo| change(engine, |settings| settings.elo = elo) },
        "strength under UCI_LimitStrength; a player of random moves has 0"),
    option("Random Seed", Spin { default: 0, range: 0..=i32::MAX as u32, set: set_seed },
        "seed for errors below full Skill and for choices among equal moves; 0: a new one in each process"),
    option("Evaluation", Combo { default: "full", open: false, set: set_evaluation,
            choices: || EvaluationKind::ALL.map(EvaluationKind::name).to_vec() },
        "static evaluation: a network (on boards that one was trained for), named features, or the stores"),
    option("EvalFile", File { set: set_network },
        "file of weights from kalah tune eval, for boards of their width; empty: built in"),
    option("Algorithm", Combo { default: ENGINE, open: true, set: set_algorithm, choices: algorithms },
        "search algorithm: the engine's own, or one of the lab"),
    option("Algorithm Suffixes", Text { set: set_suffixes },
        "suffixes added to the name of the lab's algorithm, such as -printed or +tt+id"),
    option("Move Order", Combo { default: "far", open: false, set: set_order,
            choices: || Order::ALL.map(Order::name).to_vec() },
        "order in which an algorithm of the lab searches moves"),
    option("Extra Turns", Combo { default: "compound", open: false, set: set_extra_turns,
            choices: || ExtraTurns::ALL.map(ExtraTurns::name).to_vec() },
        "depth that an extra turn costs an algorithm of the lab"),
    option("OwnBook", Check { default: true,
            set: |engine, on| change(engine, |settings| settings.own_book = on) },
        "play from the opening book in time-limited searches"),
    option("BookFile", File { set: set_book },
        "file of openings from kalah openings make, for the current capture rule; empty: built in"),
    option("SolverThreads", Spin { default: 0, range: 0..=512,
            set: |engine, n| change(engine, |settings| settings.solver_threads = n as usize) },
        "threads of a solver beside the search, with as much memory as Hash; its proof ends the search"),
    option("Pits", Spin { default: 6, range: 1..=16, set: set_pits },
        "pits per row; resets to the start position"),
    option("Seeds", Spin { default: 4, range: 1..=16_383, set: set_seeds },
        "seeds per pit; resets to the start position"),
    option("Capture", Combo { default: "standard", open: false, set: set_capture,
            choices: || Capture::ALL.map(Capture::name).to_vec() },
        "capture rule; resets to the start position"),
    option("TablePath", File { set: set_table_path },
        "folder of endgame tables for the current board; empty: those of kalah tables cache; none: TableSeeds in memory"),
    option("TableSeeds", Spin { default: Resources::DEFAULT_TABLE_SEEDS, range: 0..=24, set: set_table_seeds },
        "size of the endgame tables that isready builds: their maximum of seeds in play on 6 pits"),
];

const fn option(name: &'static str, kind: Kind, doc: &'static str) -> EngineOption {
    EngineOption { name, kind, doc }
}

/// Changes a setting that accepts every value.
fn change(engine: &mut Engine, set: impl FnOnce(&mut Settings)) -> Outcome {
    set(engine.settings_mut());
    Ok(())
}

fn set_hash(engine: &mut Engine, mebibytes: u32) -> Outcome {
    // The memory of the table in use is freed before the new one is written.
    let kept = engine.resources().hash();
    let available =
        available_memory().map(|free| (free >> 20) + engine.resources().written_hash() as u64);
    match available.filter(|&available| available < mebibytes.into()) {
        Some(available) => Err(format!(
            "expected at most the {available} MiB of free memory, got {mebibytes}; keeping {kept}"
        )),
        None => {
            engine.resources_mut().set_hash(mebibytes as usize).map_err(|error| error.to_string())
        }
    }
}

fn set_overhead(engine: &mut Engine, milliseconds: u32) -> Outcome {
    change(engine, |settings| settings.overhead = Duration::from_millis(milliseconds.into()))
}

fn set_skill(engine: &mut Engine, level: u32) -> Outcome {
    let skill = u8::try_from(level).ok().and_then(Skill::new).unwrap_or(Skill::FULL);
    change(engine, |settings| settings.skill = skill)
}

fn set_seed(engine: &mut Engine, seed: u32) -> Outcome {
    engine.set_seed(if seed == 0 { rand::random() } else { seed.into() });
    Ok(())
}

fn set_table_seeds(engine: &mut Engine, seeds: u32) -> Outcome {
    engine.resources_mut().set_table_seeds(seeds);
    Ok(())
}

fn set_table_path(engine: &mut Engine, folder: &str) -> Outcome {
    let path = match folder {
        "" => TablePath::Cache,
        "none" => TablePath::Memory,
        _ => TablePath::Folder(folder.into()),
    };
    engine.resources_mut().set_table_path(path).map_err(|error| error.to_string())
}

fn set_evaluation(engine: &mut Engine, name: &str) -> Outcome {
    let evaluation = name.parse().expect("one of the choices");
    change(engine, |settings| settings.evaluation = evaluation)
}

/// The text of a file, or none for the empty name.
fn read(file: &str) -> Result<Option<String>, String> {
    if file.is_empty() {
        return Ok(None);
    }
    files::read_regular(Path::new(file)).map(Some).map_err(|error| error.to_string())
}

fn set_book(engine: &mut Engine, file: &str) -> Outcome {
    engine
        .resources_mut()
        .set_book(read(file)?.as_deref())
        .map_err(|error| format!("{file}: {error}"))
}

fn set_network(engine: &mut Engine, file: &str) -> Outcome {
    let network = read(file)?.map(|text| text.parse::<Network>()).transpose();
    engine.resources_mut().set_network(network.map_err(|error| format!("{file}: {error}"))?);
    Ok(())
}

fn algorithms() -> Vec<&'static str> {
    [&[ENGINE], &Algorithm::NAMED.map(|(name, ..)| name)[..]].concat()
}

fn set_algorithm(engine: &mut Engine, name: &str) -> Outcome {
    let algorithm = (name != ENGINE).then(|| name.parse()).transpose()?;
    let wanted = Settings { algorithm, ..engine.settings().clone() };
    sound(wanted.method()?, wanted.extra_turns)?;
    engine.set_algorithm(algorithm);
    Ok(())
}

fn set_suffixes(engine: &mut Engine, suffixes: &str) -> Outcome {
    let suffixes = suffixes.to_ascii_lowercase();
    let wanted = Settings { algorithm_suffixes: suffixes, ..engine.settings().clone() };
    sound(wanted.method()?, wanted.extra_turns)?;
    *engine.settings_mut() = wanted;
    Ok(())
}

fn set_order(engine: &mut Engine, name: &str) -> Outcome {
    let order = name.parse().expect("one of the choices");
    change(engine, |settings| settings.order = order)
}

fn set_extra_turns(engine: &mut Engine, name: &str) -> Outcome {
    let extra_turns = name.parse().expect("one of the choices");
    sound(engine.settings().method()?, extra_turns)?;
    change(engine, |settings| settings.extra_turns = extra_turns)
}

/// Refuses an algorithm that needs alternating sides if an extra turn does not change sides.
fn sound(method: Option<Method>, extra_turns: ExtraTurns) -> Outcome {
    match method {
        Some(method) if method.algorithm.needs_alternation() && !extra_turns.alternates() => {
            Err(format!("expected compound extra turns for {method}, got {extra_turns}"))
        }
        _ => Ok(()),
    }
}

fn set_pits(engine: &mut Engine, pits: u32) -> Outcome {
    set_rules(engine, pits, engine.rules().seeds(), engine.rules().capture())
}

fn set_seeds(engine: &mut Engine, seeds: u32) -> Outcome {
    set_rules(engine, engine.rules().pits() as u32, seeds, engine.rules().capture())
}

fn set_capture(engine: &mut Engine, name: &str) -> Outcome {
    let capture = name.parse().expect("one of the choices");
    set_rules(engine, engine.rules().pits() as u32, engine.rules().seeds(), capture)
}

fn set_rules(engine: &mut Engine, pits: u32, seeds: u32, capture: Capture) -> Outcome {
    engine.set_rules(Rules::new(pits, seeds, capture).map_err(|error| error.to_string())?);
    Ok(())
}

impl EngineOption {
    /// The option of this name, ignoring case.
    ///
    /// # Errors
    /// [`OptionError::Unknown`] if there is none.
    pub fn named(name: &str) -> Result<&'static Self, OptionError> {
        OPTIONS
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown(shortened(name)))
    }

    /// Sets the option to a value written as text; a button needs none.
    ///
    /// # Errors
    /// [`OptionError::Value`] if the option does not accept it.
    pub fn set(&self, engine: &mut Engine, value: &str) -> Result<(), OptionError> {
        let value = value.trim();
        let set = match &self.kind {
            Check { set, .. } => match value.to_ascii_lowercase().as_str() {
                "true" => set(engine, true),
                "false" => set(engine, false),
                _ => Err(expected("'true' or 'false'", value)),
            },
            Spin { range, set, .. } => {
                match value.parse().ok().filter(|number| range.contains(number)) {
                    Some(number) => set(engine, number),
                    None => Err(expected(&format!("{} to {}", range.start(), range.end()), value)),
                }
            }
            Combo { choices, open, set, .. } => {
                let choices = choices();
                let word = value.to_ascii_lowercase();
                match choices.iter().find(|choice| choice.eq_ignore_ascii_case(value)) {
                    Some(choice) => set(engine, choice),
                    None if *open && choices.iter().any(|choice| word.starts_with(choice)) => {
                        set(engine, &word)
                    }
                    None => Err(expected(&listed(&choices), value)),
                }
            }
            Button { press } => {
                press(engine);
                Ok(())
            }
            // UCI's word for an empty string.
            Text { set } | File { set } => set(engine, if value == "<empty>" { "" } else { value }),
        };
        set.map_err(|message| OptionError::Value(format!("{}: {message}", self.name)))
    }
}

/// `'a', 'b' or 'c'`, or the first of many.
fn listed(choices: &[&str]) -> String {
    match choices {
        [first, second, third, _, _, _, ..] => {
            let count = choices.len();
            format!("one of the {count} words '{first}', '{second}', '{third}', …")
        }
        few => alternatives(few),
    }
}

fn expected(what: &str, got: &str) -> String {
    match got {
        "" => format!("expected {what}, got no value"),
        _ => format!("expected {what}, got '{}'", shortened(got)),
    }
}

impl Engine {
    /// Sets the option of this name. Case is ignored in names and in words. A button needs
    /// no value.
    ///
    /// # Errors
    /// [`OptionError`] if there is no such option or it does not accept the value; the
    /// engine is then unchanged.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        EngineOption::named(name)?.set(self, value)
    }
}
