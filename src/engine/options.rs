//! The options of the engine: one table with the name, the kind, the default,
//! the range and the meaning of each, and setting them by name.
//!
//! Protocols list this table and pass names and values on; they know no other
//! option.

use std::collections::TryReserveError;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use thiserror::Error;

use crate::engine::{Engine, EvaluationKind};
use crate::evaluation::network::Network;
use crate::game::{Capture, Rules, RulesError};
use crate::lab::{Algorithm, ExtraTurns, Method, Order};
use crate::search::Skill;
use crate::sys::files;
use crate::sys::machine::available_memory;
use crate::sys::names::{alternatives, shortened};

/// An option, as it is listed and set.
#[derive(Debug)]
pub struct EngineOption {
    /// Found in upper and lower case alike.
    pub name: &'static str,
    /// The values that it takes, and its setter.
    pub kind: Kind,
    /// What it is for, in one line of lower case.
    pub doc: &'static str,
}

/// What setting an option comes to; the message goes without the option's name.
type Outcome = Result<(), String>;

/// The five types of options that UCI knows, each with the default of a new
/// engine, the values it takes, and how the engine takes one of them.
#[derive(Debug)]
#[expect(missing_docs, reason = "the fields mean the same in every type")]
pub enum Kind {
    /// A switch, `true` or `false`.
    Check { default: bool, set: fn(&mut Engine, bool) -> Outcome },
    /// A whole number within `range`.
    Spin { default: u32, range: RangeInclusive<u32>, set: fn(&mut Engine, u32) -> Outcome },
    /// One of several words.
    Combo {
        default: &'static str,
        choices: fn() -> &'static [&'static str],
        set: fn(&mut Engine, &'static str) -> Outcome,
    },
    /// An action, without a value.
    Button { press: fn(&mut Engine) -> Outcome },
    /// Any text; how it is read is the option's own.
    Text { default: &'static str, set: fn(&mut Engine, &str) -> Outcome },
}

/// Error when setting an option. The engine is then as it was.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// There is no option of this name, shortened.
    #[error("no option '{0}'")]
    Unknown(String),
    /// The option does not take the value, or the system refuses what it needs;
    /// the message names the option.
    #[error("{0}")]
    Value(String),
    /// The system refuses the memory of an engine that sets options from the start.
    #[error(transparent)]
    Memory(#[from] TryReserveError),
}

const CAPTURES: [&str; 2] = [Capture::Standard.name(), Capture::EmptyCapture.name()];

const EVALUATIONS: [&str; 3] = ["full", "linear", "stores"];

/// The engine's own search, among the algorithms.
const ENGINE: &str = "engine";

const EXTRA_TURNS: [&str; 3] = {
    let [first, second, third] = ExtraTurns::ALL;
    [first.name(), second.name(), third.name()]
};

/// Every option of the engine.
pub static OPTIONS: [EngineOption; 23] = [
    EngineOption {
        name: "Hash",
        kind: Kind::Spin {
            default: Engine::DEFAULT_HASH as u32,
            range: 1..=1 << 20,
            set: set_hash,
        },
        doc: "MiB of the transposition table; what does not fit in memory is refused",
    },
    EngineOption {
        name: "Clear Hash",
        kind: Kind::Button {
            press: |engine| {
                engine.new_game();
                Ok(())
            },
        },
        doc: "empty the transposition table",
    },
    EngineOption {
        name: "Threads",
        kind: Kind::Spin {
            default: 1,
            range: 1..=512,
            set: |engine, value| {
                engine.settings_mut().threads = value as usize;
                Ok(())
            },
        },
        doc: "threads of a search; no more are started than there are processors",
    },
    EngineOption {
        name: "MultiPV",
        kind: Kind::Spin {
            default: 1,
            range: 1..=16,
            set: |engine, value| {
                engine.settings_mut().multipv = value as usize;
                Ok(())
            },
        },
        doc: "principal variations to find and show",
    },
    EngineOption {
        name: "Ponder",
        kind: Kind::Check { default: false, set: |_, _| Ok(()) },
        doc: "declares that `go ponder` is supported; changes nothing",
    },
    EngineOption {
        name: "Move Overhead",
        kind: Kind::Spin {
            default: 10,
            range: 0..=5000,
            set: |engine, value| {
                engine.settings_mut().overhead = Duration::from_millis(value.into());
                Ok(())
            },
        },
        doc: "milliseconds lost between the engine and the clock, for each sowing",
    },
    EngineOption {
        name: "Skill",
        kind: Kind::Spin { default: 10, range: 0..=10, set: set_skill },
        doc: "strength, from a beginner's to the full one",
    },
    EngineOption {
        name: "UCI_LimitStrength",
        kind: Kind::Check {
            default: false,
            set: |engine, limit| {
                engine.settings_mut().limit_strength = limit;
                Ok(())
            },
        },
        doc: "play as strongly as UCI_Elo says, whatever Skill says",
    },
    EngineOption {
        name: "UCI_Elo",
        kind: Kind::Spin {
            default: Skill::ELO[1],
            range: Skill::ELO[0]..=Skill::ELO[1],
            set: |engine, elo| {
                engine.settings_mut().elo = elo;
                Ok(())
            },
        },
        doc: "strength under UCI_LimitStrength; a player of random moves has 0",
    },
    EngineOption {
        name: "Random Seed",
        kind: Kind::Spin {
            default: 0,
            range: 0..=i32::MAX as u32,
            set: |engine, seed| {
                engine.set_seed(if seed == 0 { rand::random() } else { seed.into() });
                Ok(())
            },
        },
        doc: "seed of errors below full Skill and of choices among equals; 0: another in each process",
    },
    EngineOption {
        name: "Evaluation",
        kind: Kind::Combo {
            default: EVALUATIONS[0],
            choices: || &EVALUATIONS,
            set: set_evaluation,
        },
        doc: "static evaluation: a network where one was trained, named features, or the stores",
    },
    EngineOption {
        name: "EvalFile",
        kind: Kind::Text { default: "", set: set_network },
        doc: "weights that kalah tune eval made, for boards of their width; none: built in",
    },
    EngineOption {
        name: "Algorithm",
        kind: Kind::Combo { default: ENGINE, choices: algorithms, set: set_algorithm },
        doc: "what searches: the engine itself, or an algorithm of the lab",
    },
    EngineOption {
        name: "Move Order",
        kind: Kind::Combo { default: "far", choices: || &Order::NAMES, set: set_order },
        doc: "the order in which an algorithm of the lab searches moves",
    },
    EngineOption {
        name: "Extra Turns",
        kind: Kind::Combo { default: "compound", choices: || &EXTRA_TURNS, set: set_extra_turns },
        doc: "what an extra turn costs an algorithm of the lab in depth",
    },
    EngineOption {
        name: "OwnBook",
        kind: Kind::Check {
            default: true,
            set: |engine, value| {
                engine.settings_mut().own_book = value;
                Ok(())
            },
        },
        doc: "play from the opening book in searches that time limits",
    },
    EngineOption {
        name: "BookFile",
        kind: Kind::Text { default: "", set: set_book },
        doc: "list by kalah openings make, for the capture rule set up; none: built in",
    },
    EngineOption {
        name: "SolverThreads",
        kind: Kind::Spin {
            default: 0,
            range: 0..=512,
            set: |engine, value| {
                engine.settings_mut().solver_threads = value as usize;
                Ok(())
            },
        },
        doc: "threads of a solver beside the search, with as much memory as Hash; a proof ends it",
    },
    EngineOption {
        name: "Pits",
        kind: Kind::Spin { default: 6, range: 1..=16, set: set_pits },
        doc: "pits a row of the start position, which is set up",
    },
    EngineOption {
        name: "Seeds",
        kind: Kind::Spin { default: 4, range: 1..=16_383, set: set_seeds },
        doc: "seeds a pit of the start position, which is set up",
    },
    EngineOption {
        name: "Capture",
        kind: Kind::Combo { default: CAPTURES[0], choices: || &CAPTURES, set: set_capture },
        doc: "the capture rule; the start position is set up",
    },
    EngineOption {
        name: "TablePath",
        kind: Kind::Text { default: "", set: set_table_path },
        doc: "folder of endgame tables for the board set up; none: TableSeeds in memory",
    },
    EngineOption {
        name: "TableSeeds",
        kind: Kind::Spin {
            default: Engine::DEFAULT_TABLE_SEEDS,
            range: 0..=24,
            set: |engine, seeds| {
                engine.set_table_seeds(seeds);
                Ok(())
            },
        },
        doc: "seeds in play of the tables that isready builds: as many boards as on 6 pits",
    },
];

fn set_hash(engine: &mut Engine, mebibytes: u32) -> Outcome {
    // The table in use gives its memory back before the new one is written.
    let kept = engine.hash();
    let available = available_memory().map(|free| (free >> 20) + engine.written_hash() as u64);
    match available.filter(|&available| available < mebibytes.into()) {
        Some(available) => Err(format!(
            "expected at most the {available} MiB of free memory, got {mebibytes}; keeping {kept}"
        )),
        None => engine.set_hash(mebibytes as usize).map_err(|error| error.to_string()),
    }
}

fn set_skill(engine: &mut Engine, level: u32) -> Outcome {
    let skill = u8::try_from(level).ok().and_then(Skill::new);
    engine.settings_mut().skill = skill.unwrap_or(Skill::FULL);
    Ok(())
}

fn set_table_path(engine: &mut Engine, folder: &str) -> Outcome {
    let folder = (!folder.is_empty()).then_some(Path::new(folder));
    engine.set_table_path(folder).map_err(|error| error.to_string())
}

fn set_evaluation(engine: &mut Engine, name: &'static str) -> Outcome {
    engine.settings_mut().evaluation = match name {
        "stores" => EvaluationKind::Stores,
        "linear" => EvaluationKind::Linear,
        _ => EvaluationKind::Full,
    };
    Ok(())
}

fn set_book(engine: &mut Engine, file: &str) -> Outcome {
    let read = |file| files::read_regular(Path::new(file)).map_err(|error| error.to_string());
    let text = (!file.is_empty()).then(|| read(file)).transpose()?;
    engine.set_book(text.as_deref()).map_err(|error| format!("{file}: {error}"))
}

fn set_network(engine: &mut Engine, file: &str) -> Outcome {
    let read = |file| {
        let text = files::read_regular(Path::new(file)).map_err(|error| error.to_string())?;
        text.parse::<Network>().map_err(|error| format!("{file}: {error}"))
    };
    engine.set_network((!file.is_empty()).then(|| read(file)).transpose()?);
    Ok(())
}

fn algorithms() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| {
        let forms = ["", "-literal", "-depth3", "-max", "-printed", "-wide", "-tuned"];
        let plain = Algorithm::NAMED.map(|(name, ..)| forms.map(|form| format!("{name}{form}")));
        let all = plain
            .into_iter()
            .flatten()
            .flat_map(|name| ["", "+tt+id", "+tt+id+asp"].map(|suffix| format!("{name}{suffix}")));
        let methods = all.filter_map(|name| name.parse::<Method>().ok());
        let mut names = vec![ENGINE];
        names.extend(methods.map(|method| &*method.to_string().leak()));
        names.dedup();
        names
    });
    &NAMES
}

fn set_algorithm(engine: &mut Engine, name: &'static str) -> Outcome {
    let method = (name != ENGINE).then(|| name.parse()).transpose()?;
    sound(method, engine.settings().extra_turns)?;
    engine.set_algorithm(method);
    Ok(())
}

fn set_order(engine: &mut Engine, name: &'static str) -> Outcome {
    engine.settings_mut().order = Order::named(name).unwrap_or_default();
    Ok(())
}

fn set_extra_turns(engine: &mut Engine, name: &'static str) -> Outcome {
    let extra_turns = name.parse().expect("a name from the list of choices");
    sound(engine.settings().algorithm, extra_turns)?;
    engine.settings_mut().extra_turns = extra_turns;
    Ok(())
}

/// Refuses an algorithm where it gives wrong values.
fn sound(method: Option<Method>, extra_turns: ExtraTurns) -> Outcome {
    match method {
        Some(method) if method.algorithm.needs_alternation() && !extra_turns.alternates() => {
            Err(format!("expected compound extra turns for {method}, got {extra_turns}"))
        }
        _ => Ok(()),
    }
}

fn set_pits(engine: &mut Engine, pits: u32) -> Outcome {
    let rules = engine.rules();
    set_rules(engine, Rules::new(pits, rules.seeds(), rules.capture()))
}

fn set_seeds(engine: &mut Engine, seeds: u32) -> Outcome {
    let rules = engine.rules();
    set_rules(engine, Rules::new(rules.pits() as u32, seeds, rules.capture()))
}

fn set_capture(engine: &mut Engine, name: &'static str) -> Outcome {
    let capture = name.parse().expect("a name from the list of choices");
    let rules = engine.rules();
    set_rules(engine, Rules::new(rules.pits() as u32, rules.seeds(), capture))
}

fn set_rules(engine: &mut Engine, rules: Result<Rules, RulesError>) -> Outcome {
    engine.set_rules(rules.map_err(|error| error.to_string())?);
    Ok(())
}

impl EngineOption {
    /// The option of this name, in upper or lower case.
    ///
    /// # Errors
    /// [`OptionError::Unknown`] if there is none.
    pub fn named(name: &str) -> Result<&'static Self, OptionError> {
        OPTIONS
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown(shortened(name)))
    }

    /// Gives the option a value, written as text; a button needs none.
    ///
    /// # Errors
    /// [`OptionError::Value`] if the option does not take it.
    pub fn set(&self, engine: &mut Engine, value: &str) -> Result<(), OptionError> {
        let value = value.trim();
        let set = match &self.kind {
            Kind::Check { set, .. } => match value.to_ascii_lowercase().as_str() {
                "true" => set(engine, true),
                "false" => set(engine, false),
                _ => Err(expected("'true' or 'false'", value)),
            },
            Kind::Spin { range, set, .. } => {
                match value.parse().ok().filter(|number| range.contains(number)) {
                    Some(number) => set(engine, number),
                    None => Err(expected(&format!("{} to {}", range.start(), range.end()), value)),
                }
            }
            Kind::Combo { choices, set, .. } => {
                match choices().iter().find(|choice| choice.eq_ignore_ascii_case(value)) {
                    Some(choice) => set(engine, choice),
                    None => Err(expected(&listed(choices()), value)),
                }
            }
            Kind::Button { press } => press(engine),
            // UCI's word for an empty string.
            Kind::Text { set, .. } => set(engine, if value == "<empty>" { "" } else { value }),
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
    /// Sets the option of this name; upper and lower case are the same in
    /// names and in words. A button needs no value.
    ///
    /// # Errors
    /// [`OptionError`] if there is no such option or it does not take the value;
    /// the engine is then as it was.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        EngineOption::named(name)?.set(self, value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Settings;
    use crate::game::Position;

    fn engine() -> Engine {
        Engine::with_hash(1).unwrap()
    }

    fn error(name: &str, value: &str) -> String {
        engine().set_option(name, value).unwrap_err().to_string()
    }

    #[test]
    fn the_defaults_of_the_table_are_those_of_a_new_engine() {
        let mut engine = engine();
        for option in &OPTIONS {
            let default = match &option.kind {
                Kind::Check { default, .. } => default.to_string(),
                Kind::Spin { default, .. } => default.to_string(),
                Kind::Combo { default, .. } | Kind::Text { default, .. } => (*default).to_owned(),
                Kind::Button { .. } => String::new(),
            };
            option.set(&mut engine, &default).unwrap();
        }
        assert_eq!(engine.settings(), &Settings::default());
        assert_eq!(engine.hash(), Engine::DEFAULT_HASH);
        assert_eq!(engine.rules(), Rules::default());
        assert_eq!(*engine.position(), Position::start(Rules::default()));
    }

    #[test]
    fn the_ends_of_every_range_are_accepted_and_what_lies_beyond_is_not() {
        for option in OPTIONS.iter().filter(|option| !["Hash", "Seeds"].contains(&option.name)) {
            let Kind::Spin { range, .. } = &option.kind else { continue };
            let mut engine = engine();
            option.set(&mut engine, &range.start().to_string()).unwrap();
            option.set(&mut engine, &range.end().to_string()).unwrap();
            option.set(&mut engine, &(range.end() + 1).to_string()).unwrap_err();
            option.set(&mut engine, "-1").unwrap_err();
        }
    }

    #[test]
    fn names_and_words_are_the_same_in_any_case() {
        let mut engine = engine();
        engine.set_option("move overhead", " 30 ").unwrap();
        engine.set_option("CAPTURE", "Empty-Capture").unwrap();
        assert_eq!(engine.settings().overhead, Duration::from_millis(30));
        assert_eq!(engine.rules().capture(), Capture::EmptyCapture);
    }

    #[test]
    fn errors_say_what_was_expected_and_what_came() {
        assert_eq!(error("OwnBooks", "true"), "no option 'OwnBooks'");
        assert_eq!(error("hash", "abc"), "Hash: expected 1 to 1048576, got 'abc'");
        assert_eq!(error("Threads", "0"), "Threads: expected 1 to 512, got '0'");
        assert_eq!(error("Threads", ""), "Threads: expected 1 to 512, got no value");
        assert_eq!(error("Ponder", "yes"), "Ponder: expected 'true' or 'false', got 'yes'");
        assert_eq!(
            error("Capture", "all"),
            "Capture: expected 'standard' or 'empty-capture', got 'all'"
        );
        assert_eq!(
            error("Seeds", "3000"),
            "Seeds: expected 1 to 2730 seeds a pit with 6 pits a row, got 3000"
        );
    }

    #[test]
    fn a_table_larger_than_the_free_memory_is_refused_and_the_old_one_kept() {
        let mut engine = engine();
        let refused = engine.set_option("Hash", "1048576").unwrap_err();
        assert!(refused.to_string().starts_with("Hash: expected at most"), "{refused}");
        assert!(refused.to_string().ends_with("got 1048576; keeping 1"), "{refused}");
        assert_eq!(engine.hash(), 1);
    }

    #[test]
    fn another_board_is_set_up_at_once() {
        let mut engine = engine();
        engine.set_option("Pits", "3").unwrap();
        engine.set_option("Seeds", "2").unwrap();
        assert_eq!(engine.position().to_string(), "<3,0,0,2,2,2,2,2,2> S");
    }
}
