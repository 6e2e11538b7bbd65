//! The options of the engine by name: [`OPTIONS`] lists them, and [`Engine::set_option`]
//! sets one. Protocols pass names and values on; they have no options of their own.

use std::{path::Path, time::Duration};

use thiserror::Error;

#[cfg(feature = "tuning")]
use crate::search::parameters::PARAMETERS;
use crate::{evaluation::network::Network, search::Skill};
use kalah_game::{BoardError, Capture, Rules};
use kalah_sys::files::{self, AccessError};
use kalah_sys::machine::available_memory;
use kalah_sys::random::fresh_seed;
use kalah_text::names::{alternatives, shortened};

use super::resources::{Resources, TablePath};
use super::settings::{EvaluationKind, Settings};
use super::{Engine, EngineOption, OptionKind, RefusedValue, Restriction};

use OptionKind::{Button, Check, Combo, File, Spin, Text};

/// Error when setting an option, which leaves the engine unchanged.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OptionError {
    /// There is no option with this name, which is given in shortened form.
    #[error("no option '{0}'")]
    Unknown(String),
    /// The option does not accept the value, or the system refuses the memory or file that it
    /// needs.
    #[error("{option}: {refusal}")]
    Refused {
        /// The option's name.
        option: &'static str,
        /// What is wrong with the value.
        #[source]
        refusal: RefusedValue,
    },
}

/// Every option of the engine, in the order in which protocols list them.
#[rustfmt::skip]
pub static OPTIONS: [EngineOption; 20] = [
    option("Hash", Spin { default: Engine::DEFAULT_HASH as u32, range: 1..=1 << 20, set: set_hash },
        "size of the transposition table in MiB; refused if it does not fit in memory").restricted(Restriction::Hash),
    option("Clear Hash", Button { press: Engine::new_game },
        "empty the transposition table"),
    option("Threads", Spin { default: 1, range: 1..=512,
            set: |engine, n| change(engine, |settings| settings.threads = n as usize) },
        "number of search threads; no more are started than there are processors").restricted(Restriction::Threads),
    option("MultiPV", Spin { default: 1, range: 1..=16,
            set: |engine, n| change(engine, |settings| settings.multipv = n as usize) },
        "number of principal variations to find and report"),
    option("Ponder", Check { default: false, set: |_, _| Ok(()) },
        "declares support for `go ponder`; has no effect"),
    option("Move Overhead", Spin { default: 10, range: 0..=5000,
            set: |engine, ms| change(engine, |settings| settings.overhead = Duration::from_millis(ms.into())) },
        "milliseconds lost between engine and clock on each sowing"),
    option("Skill", Spin { default: 10, range: 0..=10, set: set_skill },
        "playing strength, from beginner (0) to full (10)"),
    option("UCI_LimitStrength", Check { default: false,
            set: |engine, on| change(engine, |settings| settings.limit_strength = on) },
        "play at the strength of UCI_Elo and ignore Skill"),
    option("UCI_Elo", Spin { default: Skill::ELO[1], range: Skill::ELO[0]..=Skill::ELO[1],
            set: |engine, elo| change(engine, |settings| settings.elo = elo) },
        "strength under UCI_LimitStrength; random play has 0"),
    option("Random Seed", Spin { default: 0, range: 0..=i32::MAX as u32, set: set_seed },
        "seed for errors below full Skill and for choices among equal moves; 0: a random seed"),
    option("Evaluation", Combo { default: "full", open: false, set: set_evaluation,
            choices: || EvaluationKind::ALL.map(EvaluationKind::name).to_vec() },
        "static evaluation: a network (on boards for which one was trained), named features, or the stores; a change empties the transposition table"),
    option("EvalFile", File { set: set_network },
        "weights file from kalah-tune eval, for boards of its width; empty: the built-in weights; empties the transposition table"),
    option("OwnBook", Check { default: true,
            set: |engine, on| change(engine, |settings| settings.own_book = on) },
        "play from the opening book in time-limited searches"),
    option("BookFile", File { set: set_book },
        "list of openings from kalah openings make, for the current capture rule; empty: the built-in book"),
    option("SolverThreads", Spin { default: 0, range: 0..=512,
            set: |engine, n| change(engine, |settings| settings.solver_threads = n as usize) },
        "threads of a solver running alongside the search, with a table of its own as large as Hash; its proof ends the search").restricted(Restriction::Threads),
    option("Pits", Spin { default: 6, range: 1..=16,
            set: |engine, pits| set_rules(engine, |old| Rules::new(pits, old.seeds(), old.capture())) },
        "pits per row; resets to the start position"),
    option("Seeds", Spin { default: 4, range: 1..=16_383,
            set: |engine, seeds| set_rules(engine, |old| Rules::new(old.pits() as u32, seeds, old.capture())) },
        "seeds per pit; resets to the start position"),
    option("Capture", Combo { default: "standard", open: false, set: set_capture,
            choices: || Capture::ALL.map(Capture::name).to_vec() },
        "capture rule; resets to the start position"),
    option("TablePath", File { set: set_table_path },
        "one folder of endgame tables for the current board (a single path, without quotes or ~); empty: those of kalah tables cache; none: only those of TableSeeds"),
    option("TableSeeds", Spin { default: Resources::DEFAULT_TABLE_SEEDS, range: 0..=24, set: set_table_seeds },
        "size of the endgame tables that isready builds: the maximum number of seeds in play on a board with 6 pits per row").restricted(Restriction::TableSeeds),
];

const fn option(name: &'static str, kind: OptionKind, doc: &'static str) -> EngineOption {
    EngineOption { name, kind, doc, restriction: Restriction::Free }
}

/// Changes a setting that accepts every value.
fn change(engine: &mut Engine, set: impl FnOnce(&mut Settings)) -> Result<(), RefusedValue> {
    set(engine.settings_mut());
    Ok(())
}

fn set_hash(engine: &mut Engine, mebibytes: u32) -> Result<(), RefusedValue> {
    // The system may grant memory that it cannot back, so the free memory is checked first. The
    // memory of the table in use is freed before the new one is written.
    let kept = engine.resources().hash();
    let available = available_memory().map(|free| (free >> 20) + engine.resources().written_hash());
    match available.filter(|&available| available < mebibytes.into()) {
        Some(available) => Err(format!(
            "expected at most the {available} MiB of free memory, got {mebibytes}; keeping {kept}"
        )
        .into()),
        None => Ok(engine.resources_mut().set_hash(mebibytes as usize)?),
    }
}

fn set_skill(engine: &mut Engine, level: u32) -> Result<(), RefusedValue> {
    let skill = u8::try_from(level).ok().and_then(Skill::new).unwrap_or(Skill::FULL);
    change(engine, |settings| settings.skill = skill)
}

fn set_seed(engine: &mut Engine, seed: u32) -> Result<(), RefusedValue> {
    engine.set_seed(if seed == 0 { fresh_seed() } else { seed.into() });
    Ok(())
}

fn set_table_seeds(engine: &mut Engine, seeds: u32) -> Result<(), RefusedValue> {
    engine.resources_mut().set_table_seeds(seeds);
    Ok(())
}

fn set_table_path(engine: &mut Engine, folder: &str) -> Result<(), RefusedValue> {
    let path = match folder {
        "" => TablePath::Cache,
        "none" => TablePath::Memory,
        _ => TablePath::Folder(folder.into()),
    };
    Ok(engine.resources_mut().set_table_path(path)?)
}

fn set_evaluation(engine: &mut Engine, name: &str) -> Result<(), RefusedValue> {
    let evaluation = name.parse().expect("one of the choices");
    if evaluation != engine.settings().evaluation {
        // The table holds evaluations of the old kind.
        engine.resources_mut().hash.clear_later();
    }
    change(engine, |settings| settings.evaluation = evaluation)
}

/// The text of a file; none if the name is empty.
fn read(file: &str) -> Result<Option<String>, AccessError> {
    if file.is_empty() { Ok(None) } else { files::read_regular(Path::new(file)).map(Some) }
}

fn set_book(engine: &mut Engine, file: &str) -> Result<(), RefusedValue> {
    let set = engine.resources_mut().set_book(read(file)?.as_deref());
    Ok(set.map_err(|error| format!("{file}: {error}"))?)
}

fn set_network(engine: &mut Engine, file: &str) -> Result<(), RefusedValue> {
    let network = read(file)?.map(|text| text.parse::<Network>()).transpose();
    engine.resources_mut().set_network(network.map_err(|error| format!("{file}: {error}"))?);
    Ok(())
}

fn set_capture(engine: &mut Engine, name: &str) -> Result<(), RefusedValue> {
    let capture = name.parse().expect("one of the choices");
    set_rules(engine, |old| Rules::new(old.pits() as u32, old.seeds(), capture))
}

fn set_rules(
    engine: &mut Engine,
    changed: impl FnOnce(Rules) -> Result<Rules, BoardError>,
) -> Result<(), RefusedValue> {
    engine.set_rules(changed(engine.rules())?);
    Ok(())
}

impl EngineOption {
    /// The option with its behaviour in restricted sessions.
    #[must_use]
    pub(super) const fn restricted(mut self, restriction: Restriction) -> Self {
        self.restriction = restriction;
        self
    }

    /// Sets the option to a value written as text; a button needs none.
    ///
    /// # Errors
    /// [`OptionError::Refused`] if the option does not accept it.
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
                    // The suffixes are not listed as choices: there are too many combinations.
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
        set.map_err(|refusal| OptionError::Refused { option: self.name, refusal })
    }
}

/// `'a', 'b' or 'c'`, or the first few of many.
fn listed(choices: &[&str]) -> String {
    match choices {
        [first, second, third, _, _, _, ..] => {
            let count = choices.len();
            format!("one of the {count} words '{first}', '{second}', '{third}', …")
        }
        few => alternatives(few),
    }
}

fn expected(what: &str, got: &str) -> RefusedValue {
    match got {
        "" => format!("expected {what}, got no value").into(),
        _ => format!("expected {what}, got '{}'", shortened(got)).into(),
    }
}

impl Engine {
    /// Every option: [`OPTIONS`], then those of the engine's [`Searcher`](super::Searcher).
    pub fn options(&self) -> impl Iterator<Item = &'static EngineOption> + use<> {
        let added = match &self.searcher {
            Some(searcher) => searcher.options(),
            None => &[],
        };
        OPTIONS.iter().chain(added)
    }

    /// The option of this name, ignoring case.
    ///
    /// # Errors
    /// [`OptionError::Unknown`] if there is none.
    pub fn option(&self, name: &str) -> Result<&'static EngineOption, OptionError> {
        self.options()
            .find(|option| option.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown(shortened(name)))
    }

    /// Sets the option of this name. Case is ignored in names and in words. A button needs
    /// no value.
    ///
    /// # Errors
    /// [`OptionError`] if there is no such option or it does not accept the value; the
    /// engine is then unchanged.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        #[cfg(feature = "tuning")]
        if let Some(parameter) = PARAMETERS.iter().find(|parameter| parameter.name == name) {
            return self.set_parameter(parameter.name, value);
        }
        self.option(name)?.set(self, value)
    }

    #[cfg(feature = "tuning")]
    fn set_parameter(&mut self, name: &'static str, value: &str) -> Result<(), OptionError> {
        let set = match value.trim().parse() {
            Ok(number) => self.settings_mut().parameters.set(name, number).map_err(Into::into),
            Err(_) => Err(expected("a whole number", value)),
        };
        set.map_err(|refusal| OptionError::Refused { option: name, refusal })
    }
}
