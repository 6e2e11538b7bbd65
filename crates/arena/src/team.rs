//! The players of each worker, created before the first game.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::config::{MatchConfig, PlayerConfig, PlayerKind};
use crate::contestant::{Contestant, Greedy, InProcess, Random};
use crate::process::Process;
use crate::process::reaper::Reaper;
use crate::referee::Players;
use crate::schedule::Fixture;
use crate::{ConfigError, MatchError};
use kalah_engine::Engine;
use kalah_sys::machine;
use kalah_sys::machine::MemoryError;
use kalah_sys::random::SplitMix64;
use kalah_sys::stop::Flag;
use kalah_text::format::counted;

/// The contestants of one worker, in the order of the players in the configuration.
pub struct Team(Vec<Box<dyn Contestant>>);

impl Team {
    /// South and North of a game.
    pub(super) fn players_of(&mut self, fixture: &Fixture) -> Players<'_> {
        let members = self.0.get_disjoint_mut(fixture.players);
        let [south, north] =
            members.unwrap_or_else(|error| unreachable!("two members of the team: {error}"));
        [south.as_mut(), north.as_mut()]
    }
}

/// Creates a team for each of `workers` and starts the programs of the first one, so that
/// a mistyped program is an error before the first game. `logs` is the directory for the
/// programs' stderr.
///
/// # Errors
/// [`MatchError::Config`] for an unknown option or if memory does not suffice for that many
/// games at a time; [`MatchError::Failed`] if the system cannot start a program. A program
/// that starts and then fails loses its games instead.
pub fn teams(
    config: &MatchConfig,
    workers: usize,
    logs: &Path,
    interrupt: &Flag,
    engine: impl FnOnce() -> Result<Engine, MemoryError>,
) -> Result<Vec<Team>, MatchError> {
    check_open_files(config, workers)?;
    let has_own = config.players.iter().any(|player| player.kind == PlayerKind::Kalah);
    // In-process players are cloned from one engine, so that they share its endgame tables.
    let engine = if has_own {
        let mut engine = engine().map_err(|error| ConfigError(error.to_string()))?;
        // This sets the variant, so that the shared endgame tables are those of the match.
        engine.set_position(config.openings[0].start);
        Some(engine)
    } else {
        None
    };
    let reaper = if config.has_programs() { start_reaper() } else { None };
    let mut hash = 0;
    let mut teams = Vec::new();
    for worker in 0..workers {
        let mut team: Vec<Box<dyn Contestant>> = Vec::new();
        for player in &config.players {
            let interrupt = interrupt.clone();
            team.push(match (&player.kind, &engine) {
                (PlayerKind::Kalah, Some(engine)) => {
                    let player = in_process(engine, player, worker, interrupt)?;
                    hash += player.hash() as u64;
                    Box::new(player)
                }
                (PlayerKind::Process(program), _) => {
                    let log = log_path(logs, player, worker);
                    let reaper = reaper.clone();
                    let mut process =
                        Process::new(player, program, log, reaper, config.timing, interrupt);
                    // The other workers start their programs with their first game.
                    if worker == 0 {
                        process.open().map_err(|error| {
                            MatchError::Failed(format!("{}: {error}", player.name))
                        })?;
                    }
                    Box::new(process)
                }
                (PlayerKind::Greedy, _) => Box::new(Greedy),
                // Any seed will do here, because each game sets its own.
                _ => Box::new(Random(SplitMix64::new(0))),
            });
        }
        teams.push(Team(team));
    }
    check_memory(hash, workers)?;
    Ok(teams)
}

/// Refuses a match whose programs could not all be started, because this process may not open
/// enough files.
fn check_open_files(config: &MatchConfig, games: usize) -> Result<(), ConfigError> {
    /// Three pipes and the log of a program.
    const RUNNING: u64 = 4;
    /// The ends of the pipes that a program gets, which are open while it starts, and what reports
    /// a failed start.
    const STARTING: u64 = 5;
    /// The file of the match and its journal, the reaper, and what the system opens meanwhile.
    const OTHERS: u64 = 8;
    let programs = config.players.iter().filter(|player| player.is_program()).count();
    let needed = (programs * games) as u64 * RUNNING + STARTING + OTHERS;
    if programs == 0 {
        return Ok(());
    }
    machine::require_open_files(needed).map_err(|error| {
        let games = counted(games as u64, "game");
        ConfigError(format!("{games} at a time: {error}, or choose fewer games"))
    })
}

fn start_reaper() -> Option<Arc<Reaper>> {
    let reaper = Reaper::start().inspect_err(|error| {
        log::warn!("programs will outlive this process if it is killed: {error}");
    });
    reaper.ok().map(Arc::new)
}

/// A player of this process for one worker.
fn in_process(
    engine: &Engine,
    player: &PlayerConfig,
    worker: usize,
    interrupt: Flag,
) -> Result<InProcess, ConfigError> {
    InProcess::new(engine.clone(), player, interrupt).map_err(|source| {
        let refused = format!("{}: {source}", player.name);
        if worker == 0 {
            return ConfigError(refused);
        }
        // The same options were accepted for the first worker.
        let games = counted(worker as u64, "game");
        ConfigError(format!("{refused}: choose at most {games} at a time"))
    })
}

/// Refuses a match with too many games at a time, which would be killed halfway: the system
/// provides the MiB of transposition tables only at the first write, so allocations that succeeded
/// do not show that there is enough.
fn check_memory(hash: u64, games: usize) -> Result<(), ConfigError> {
    match machine::available_memory() {
        Some(bytes) if hash > bytes >> 20 => Err(ConfigError(format!(
            "expected at least {hash} MiB of memory for {} at a time, got {} MiB: choose \
             fewer games, or a smaller option.Hash",
            counted(games as u64, "game"),
            bytes >> 20
        ))),
        _ => Ok(()),
    }
}

/// The log file for the stderr of a worker's program.
pub(super) fn log_path(logs: &Path, config: &PlayerConfig, worker: usize) -> PathBuf {
    // A name may contain slashes, which must not lead out of the folder.
    let name = config.name.replace(|c: char| !c.is_alphanumeric() && !"-_.+".contains(c), "_");
    logs.join(format!("{name}-{worker}.log"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_named_after_its_player_and_stays_in_its_folder() {
        for (name, file) in [
            ("a", "a-3.log"),
            ("x-1.2+y_z", "x-1.2+y_z-3.log"),
            ("../b c/d", ".._b_c_d-3.log"),
            ("é:*", "é__-3.log"),
        ] {
            let config = PlayerConfig::parse(&format!("greedy 'name={name}'"), "").unwrap();
            let path = log_path(Path::new("logs"), &config, 3);
            assert_eq!(path, Path::new("logs").join(file));
        }
    }

    #[test]
    fn games_that_need_more_memory_than_there_is_are_refused() {
        match (check_memory(u64::MAX, 2), machine::available_memory()) {
            (Err(ConfigError(message)), Some(bytes)) => {
                let needed = "expected at least 18446744073709551615 MiB of memory for 2 games";
                let rest = message.strip_prefix(needed).expect("what is needed");
                let available = rest.split(' ').nth(5).expect("a number").parse().unwrap();
                // Other processes take memory, and free it.
                let mebibytes = bytes >> 20;
                assert!((mebibytes / 4..=4 * mebibytes).contains(&available), "{available}");
            }
            (checked, available) => assert!(checked.is_ok() && available.is_none(), "{checked:?}"),
        }
    }
}
