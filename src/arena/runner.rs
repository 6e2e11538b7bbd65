//! Plays the games of a list that are not played yet, several at a time.
//!
//! Workers take games in the order of the list and hand finished ones to the
//! thread that called [`run`], which alone writes the file. A game counts when
//! it is written and synced.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};

use thiserror::Error;

use super::game::{self, Conditions, Oracle};
use super::inprocess::InProcess;
use super::ledger::{Ledger, LedgerError};
use super::player::{Failure, Greedy, Interrupt, Player, Random};
use super::process::Process;
use super::schedule::{Fixture, Schedule, Shard};
use super::spec::{Kind, Spec};
use super::standing::{Brief, Standing};
use crate::engine::options::OptionError;
use crate::record::Game;

/// How a match is run; nothing here changes a game.
pub struct Conduct<'a> {
    /// Games at a time, from 1.
    pub concurrency: usize,
    /// Which part of the list is played.
    pub shard: Shard,
    /// Where the programs' stderr goes.
    pub logs: PathBuf,
    /// Ends the match.
    pub interrupt: Interrupt,
    /// Knows the end of games.
    pub oracle: Oracle<'a>,
    /// The time of day for records.
    pub date: &'a (dyn Fn() -> String + Sync),
}

/// Why a match cannot go on.
#[derive(Debug, Error)]
pub enum RunError {
    /// A player cannot be made.
    #[error("{name}: {error}")]
    Player {
        /// The player.
        name: String,
        /// Why.
        error: OptionError,
    },
    /// A program cannot be started.
    #[error("{name}: {detail}")]
    Program {
        /// The player.
        name: String,
        /// Why.
        detail: String,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// A thread ended by a fault.
    #[error("a worker ended by a fault")]
    Worker,
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All games are played.
    Finished,
    /// The test has decided.
    Decided,
    /// Someone ended it.
    Interrupted,
}

/// What the runner tells while it runs.
pub trait Watcher {
    /// A game is written.
    fn finished(&mut self, fixture: &Fixture, game: &Game, briefs: &BTreeMap<usize, Brief>);

    /// A short time has passed.
    fn tick(&mut self) {}
}

/// Plays what is left of a list. `briefs` are the games that are played
/// already, and hold all when it returns.
///
/// # Errors
/// [`RunError`]; every game that was finished before is in the file.
pub fn run(
    schedule: &Schedule,
    conduct: &Conduct<'_>,
    ledger: &mut Ledger,
    briefs: &mut BTreeMap<usize, Brief>,
    watcher: &mut dyn Watcher,
) -> Result<Ended, RunError> {
    let mut test = Test { schedule, open_pairs: 0 };
    if test.is_decided(briefs) {
        return Ok(Ended::Decided);
    }
    let left: Vec<&Fixture> = schedule
        .fixtures
        .iter()
        .filter(|fixture| conduct.shard.has(fixture) && !briefs.contains_key(&fixture.index))
        .collect();
    let next = AtomicUsize::new(0);
    let closing = AtomicBool::new(false);
    let workers = conduct.concurrency.clamp(1, left.len().max(1));
    std::thread::scope(|scope| {
        let (sender, finished) = mpsc::channel();
        for worker in 0..workers {
            let (sender, next, closing, left) = (sender.clone(), &next, &closing, &left);
            scope.spawn(move || work(worker, schedule, conduct, left, next, closing, &sender));
        }
        drop(sender);
        let ended = collect(&mut test, ledger, briefs, watcher, &finished);
        // Whatever the reason, nobody is to begin another game, and nobody is
        // to finish one that will not be counted.
        closing.store(true, Ordering::Relaxed);
        if !matches!(ended, Ok(Ended::Finished)) {
            conduct.interrupt.raise();
        }
        ended
    })
    .map(|ended| match ended {
        Ended::Finished if briefs_missing(&left, briefs) => Ended::Interrupted,
        ended => ended,
    })
}

/// The test of a match, looked at after each game.
struct Test<'a> {
    schedule: &'a Schedule,
    /// So many pairs are known to decide nothing.
    open_pairs: u64,
}

impl Test<'_> {
    fn is_decided(&mut self, briefs: &BTreeMap<usize, Brief>) -> bool {
        if self.schedule.config.sprt.is_none() {
            return false;
        }
        let standing = Standing::after(self.schedule, briefs, self.open_pairs);
        self.open_pairs = standing.test.map_or(0, |test| test.pairs);
        standing.is_decided()
    }
}

fn briefs_missing(left: &[&Fixture], briefs: &BTreeMap<usize, Brief>) -> bool {
    left.iter().any(|fixture| !briefs.contains_key(&fixture.index))
}

type Finished<'a> = Result<(&'a Fixture, Game), RunError>;

/// Writes finished games down until the workers are done.
fn collect(
    test: &mut Test<'_>,
    ledger: &mut Ledger,
    briefs: &mut BTreeMap<usize, Brief>,
    watcher: &mut dyn Watcher,
    finished: &mpsc::Receiver<Finished<'_>>,
) -> Result<Ended, RunError> {
    loop {
        match finished.recv_timeout(Interrupt::LOOK_EVERY) {
            Ok(result) => {
                let (fixture, game) = result?;
                ledger.append_game(&game)?;
                let brief = Brief::of(&game).ok_or(RunError::Worker)?;
                briefs.insert(fixture.index, brief);
                watcher.finished(fixture, &game, briefs);
                if test.is_decided(briefs) {
                    return Ok(Ended::Decided);
                }
            }
            Err(RecvTimeoutError::Timeout) => watcher.tick(),
            Err(RecvTimeoutError::Disconnected) => return Ok(Ended::Finished),
        }
    }
}

/// Plays games until none is left or the match is closing.
fn work<'a>(
    worker: usize,
    schedule: &Schedule,
    conduct: &Conduct<'_>,
    left: &[&'a Fixture],
    next: &AtomicUsize,
    closing: &AtomicBool,
    finished: &Sender<Finished<'a>>,
) {
    let mut team = match Team::new(schedule, conduct, worker) {
        Ok(team) => team,
        Err(error) => {
            // Nobody listens any more if the match has ended.
            let _ = finished.send(Err(error));
            return;
        }
    };
    while !closing.load(Ordering::Relaxed) && !conduct.interrupt.is_raised() {
        let Some(&fixture) = left.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
        let Ok(game) = team.play(fixture) else { return };
        if finished.send(Ok((fixture, game))).is_err() {
            return;
        }
    }
}

/// One worker's players, made when they are first needed and kept from game to
/// game.
struct Team<'a> {
    schedule: &'a Schedule,
    conduct: &'a Conduct<'a>,
    players: Vec<Box<dyn Player>>,
}

impl<'a> Team<'a> {
    fn new(
        schedule: &'a Schedule,
        conduct: &'a Conduct<'a>,
        worker: usize,
    ) -> Result<Self, RunError> {
        let player = |spec: &Spec| player(spec, schedule, conduct, worker);
        let players = schedule.config.players.iter().map(player).collect::<Result<_, _>>()?;
        Ok(Self { schedule, conduct, players })
    }

    fn play(&mut self, fixture: &Fixture) -> Result<Game, game::Interrupted> {
        let config = &self.schedule.config;
        let specs = fixture.players.map(|player| &config.players[player]);
        let conditions = Conditions {
            opening: &self.schedule.openings[fixture.opening],
            allowances: specs.map(|spec| spec.allowance),
            timing: config.timing,
            adjudication: &config.adjudication,
            oracle: self.conduct.oracle,
            seed: fixture.seed,
        };
        let date = (self.conduct.date)();
        let players = two(&mut self.players, fixture.players);
        let mut game = game::play(&conditions, players)?;
        for (player, spec) in game.players.iter_mut().zip(specs) {
            *player = game::recorded_player(spec, player.version.take());
        }
        game.id = Some(fixture.id.clone());
        game.event = Some(config.event.clone()).filter(|event| !event.is_empty());
        game.date = Some(date).filter(|date| !date.is_empty());
        game.round = u32::try_from(fixture.index + 1).ok();
        Ok(game)
    }
}

/// South and North out of all players; their indices differ.
fn two(players: &mut [Box<dyn Player>], [south, north]: [usize; 2]) -> game::Players<'_> {
    let (low, high) = (south.min(north), south.max(north));
    let (before, from) = players.split_at_mut(high);
    let (low, high) = (before[low].as_mut(), from[0].as_mut());
    if south < north { [low, high] } else { [high, low] }
}

fn player(
    spec: &Spec,
    schedule: &Schedule,
    conduct: &Conduct<'_>,
    worker: usize,
) -> Result<Box<dyn Player>, RunError> {
    Ok(match &spec.kind {
        Kind::Kalah => {
            let player = InProcess::new(spec, conduct.interrupt.clone());
            Box::new(player.map_err(|error| RunError::Player { name: spec.name.clone(), error })?)
        }
        Kind::Random => Box::new(Random::default()),
        Kind::Greedy => Box::new(Greedy),
        Kind::Process(program) => {
            let log = conduct.logs.join(format!("{}-{worker}.log", file_name(&spec.name)));
            let timing = schedule.config.timing;
            let interrupt = conduct.interrupt.clone();
            Box::new(Process::new(spec, program, log, timing, interrupt))
        }
    })
}

/// A player's name as a part of a file name.
fn file_name(name: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || "-_.+".contains(c) { c } else { '_' };
    name.chars().map(safe).collect()
}

/// Tries whether every player can be made and every program started.
///
/// # Errors
/// [`RunError::Player`] for an option that does not exist,
/// [`RunError::Program`] if the system cannot start a program. A program that
/// starts and then fails loses its games by that, and is no error.
pub fn check_players(schedule: &Schedule, conduct: &Conduct<'_>) -> Result<(), RunError> {
    drop(Team::new(schedule, conduct, 0)?);
    for spec in &schedule.config.players {
        let Kind::Process(program) = &spec.kind else { continue };
        let log = conduct.logs.join(format!("{}-0.log", file_name(&spec.name)));
        Process::try_start(program, &log).map_err(|failure| RunError::Program {
            name: spec.name.clone(),
            detail: match failure {
                Failure::Lost { detail, .. } => detail,
                Failure::Interrupted => "interrupted".to_owned(),
            },
        })?;
    }
    Ok(())
}
