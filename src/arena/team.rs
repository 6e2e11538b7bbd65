//! The players of each worker, made and started before the first game.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::MatchError;
use super::config::{MatchConfig, PlayerConfig, PlayerKind};
use super::player::{Greedy, InProcess, Player, Random};
use super::process::Process;
use super::process::reaper::Reaper;
use crate::engine::Engine;
use crate::sys::machine;
use crate::sys::random::SplitMix64;
use crate::sys::stop::Flag;

/// The players of one worker, in the order of the configuration.
pub(crate) type Team = Vec<Box<dyn Player>>;

/// Makes a team for each of `workers`, and starts the programs of the first, so that
/// a player that does not exist is an error before the first game. `logs` is the
/// directory for the programs' stderr.
///
/// # Errors
/// [`MatchError::Config`] for an option that does not exist, or if there is not enough
/// memory for that many games at a time; [`MatchError::Failed`] if the system cannot
/// start a program. A program that starts and then fails loses its games instead.
pub(crate) fn teams(
    config: &MatchConfig,
    workers: usize,
    logs: &Path,
    interrupt: &Flag,
) -> Result<Vec<Team>, MatchError> {
    let has_own = config.players.iter().any(|player| player.kind == PlayerKind::Kalah);
    let has_programs =
        config.players.iter().any(|player| matches!(player.kind, PlayerKind::Process(_)));
    let engine = if has_own { Some(InProcess::engine(config)?) } else { None };
    let reaper = if has_programs { start_reaper() } else { None };
    let needed = Needed::default();
    let mut maker = Maker { config, logs, interrupt, engine, reaper, needed };
    let teams = (0..workers).map(|worker| maker.team(worker)).collect::<Result<_, _>>()?;
    maker.check_memory(workers)?;
    Ok(teams)
}

impl Needed {
    fn add(&mut self, worker: usize, player: &InProcess) {
        let engine = player.peek();
        self.hash += engine.resources().hash() as u64;
        self.tables.extend(engine.resources().missing_tables());
        // Only one player of a game searches at a time.
        self.searches.resize(worker + 1, 0);
        self.searches[worker] = self.searches[worker].max(engine.search_bytes());
    }

    /// MiB of address space. The transposition tables are reserved already.
    fn address_space(&self, workers: usize) -> u64 {
        let workers = workers as u64 * machine::THREAD_BYTES;
        (self.tables.values().sum::<u64>() + workers + self.searches.iter().sum::<u64>()) >> 20
    }
}

fn start_reaper() -> Option<Arc<Reaper>> {
    let reaper = Reaper::start().inspect_err(|error| {
        log::warn!("programs will outlive this process if it is killed: {error}");
    });
    reaper.ok().map(Arc::new)
}

struct Maker<'a> {
    config: &'a MatchConfig,
    logs: &'a Path,
    interrupt: &'a Flag,
    /// The engine that players in this process are clones of.
    engine: Option<Engine>,
    reaper: Option<Arc<Reaper>>,
    needed: Needed,
}

/// What the games need that has not been reserved, or not been written yet.
#[derive(Default)]
struct Needed {
    /// MiB of the transposition tables, which are written when they are first used.
    hash: u64,
    /// Bytes of the endgame tables to be built, by their seeds; all games share them.
    tables: BTreeMap<u32, u64>,
    /// Bytes of address space of the largest search of each worker's players.
    searches: Vec<u64>,
}

impl Maker<'_> {
    /// Without this check, a match with too many games at a time would be killed in the
    /// middle, or could not start its searches.
    fn check_memory(&self, workers: usize) -> Result<(), MatchError> {
        let written = (self.needed.hash, machine::available_memory());
        let reserved = (self.needed.address_space(workers), machine::address_space_left());
        for ((needed, available), what, more) in [
            (written, "memory", ""),
            (reserved, "address space", " or option.TableSeeds, or raise 'ulimit -v'"),
        ] {
            if let Some(got) = available.map(|bytes| bytes >> 20).filter(|&got| needed > got) {
                return Err(MatchError::Config(format!(
                    "expected {what} for {workers} games at a time, at least {needed} MiB, got \
                     {got} MiB: choose fewer, or a smaller option.Hash{more}"
                )));
            }
        }
        Ok(())
    }

    fn team(&mut self, worker: usize) -> Result<Team, MatchError> {
        let players = self.config.players.iter();
        players.map(|config| self.player(worker, config)).collect()
    }

    fn player(
        &mut self,
        worker: usize,
        config: &PlayerConfig,
    ) -> Result<Box<dyn Player>, MatchError> {
        let interrupt = self.interrupt.clone();
        Ok(match (&config.kind, &self.engine) {
            (PlayerKind::Kalah, Some(engine)) => {
                let player = InProcess::new(engine.clone(), config, interrupt);
                let player = player.map_err(|error| {
                    let hint = match worker {
                        0 => String::new(),
                        // What the first worker got, this one did not.
                        _ => format!(": choose at most {worker} games at a time"),
                    };
                    MatchError::Config(format!("{}: {error}{hint}", config.name))
                })?;
                self.needed.add(worker, &player);
                Box::new(player)
            }
            (PlayerKind::Process(program), _) => {
                let log = log_path(self.logs, config, worker);
                let timing = self.config.timing;
                let reaper = self.reaper.clone();
                let mut process = Process::new(config, program, log, reaper, timing, interrupt);
                if worker == 0 {
                    process
                        .open()
                        .map_err(|error| MatchError::Failed(format!("{}: {error}", config.name)))?;
                }
                Box::new(process)
            }
            (PlayerKind::Greedy, _) => Box::new(Greedy),
            _ => Box::new(Random(SplitMix64::new(0))),
        })
    }
}

/// The file for the stderr of a worker's program.
pub(super) fn log_path(logs: &Path, config: &PlayerConfig, worker: usize) -> PathBuf {
    let name = config.name.replace(|c: char| !c.is_alphanumeric() && !"-_.+".contains(c), "_");
    logs.join(format!("{name}-{worker}.log"))
}
