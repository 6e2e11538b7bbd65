//! Plays the games of a schedule that are not in the file yet, several at a time.
//!
//! Workers take games in the order of the schedule and hand finished ones to the
//! thread that called [`run`], which alone writes the file. A game counts when
//! it is written and synced; one that is interrupted is played again by the next
//! run.

use std::fmt::Display;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

use super::MatchError;
use super::config::{PlayerConfig, PlayerKind};
use super::delay::Delays;
use super::game::{self, TableMargin};
use super::ledger::Ledger;
use super::player::{Greedy, InProcess, Player, Random};
use super::process::Process;
use super::process::reaper::Reaper;
use super::schedule::{Fixture, Schedule, Shard};
use super::standing::{GameResult, GameResults, Standing};
use crate::engine::Engine;
use crate::record::{Game, Outcome, Reason};
use crate::sys::machine;
use crate::sys::stop::Flag;

/// How a match is run; nothing here changes a game.
pub(crate) struct MatchOptions<'a> {
    /// Games at a time; at least 1.
    pub(crate) concurrency: usize,
    /// The part of the schedule that is played.
    pub(crate) shard: Shard,
    /// The directory for the programs' stderr.
    pub(crate) logs: PathBuf,
    /// Ends the match at once, in all its threads.
    pub(crate) interrupt: Flag,
    /// South's margin in positions that an endgame table has.
    pub(crate) table: TableMargin<'a>,
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// All games are played.
    Finished,
    /// The test has decided.
    Decided,
    /// Interrupted, with games left to play.
    Interrupted,
}

/// Reports of a running match, in the thread that called [`run`].
pub(crate) trait MatchListener {
    /// A game is written; `results` include it.
    fn finished(&mut self, fixture: &Fixture, game: &Game, results: &GameResults);

    /// A player has failed for the first time.
    fn failed(&mut self, message: &str);
}

/// Games in a row that a player may lose because it does not get ready; then the
/// match ends, instead of waiting for it in every game.
const MAX_FAILED_STARTS: u32 = 5;

/// Plays what is left of a schedule with the teams of [`teams`]. `results` are
/// those of the games played so far; new ones are added.
///
/// # Errors
/// [`MatchError`]; every game that was finished before is in the file.
pub(crate) fn run(
    schedule: &Schedule,
    options: &MatchOptions<'_>,
    teams: Vec<Team>,
    ledger: &mut Ledger,
    results: &mut GameResults,
    listener: &mut dyn MatchListener,
) -> Result<Ended, MatchError> {
    let mut test = Test { schedule, open_pairs: 0 };
    if test.is_decided(results) {
        return Ok(Ended::Decided);
    }
    let left: Vec<&Fixture> = schedule
        .fixtures
        .iter()
        .filter(|fixture| options.shard.has(fixture) && !results.contains_key(&fixture.index))
        .collect();
    let queue = Queue { left: &left, next: AtomicUsize::new(0), closed: AtomicBool::new(false) };
    let delays = Delays::start();
    let ended = std::thread::scope(|scope| {
        let (sender, finished) = mpsc::channel();
        let start = |(worker, team)| {
            let (sender, queue) = (sender.clone(), &queue);
            let thread = std::thread::Builder::new().name("worker".to_owned());
            let delays = &delays;
            thread.spawn_scoped(scope, move || {
                // Fails only if the match has ended: then nothing is left to do.
                let send = |fixture, game: Result<_, _>| {
                    sender.send(game.map(|game| Finished { fixture, game, worker })).is_ok()
                };
                work(team, schedule, options, queue, delays, send);
            })
        };
        let mut teams = (0..).zip(teams).take(left.len());
        let started = teams.try_for_each(|team| start(team).map(drop));
        // The channel closes when the last worker is done.
        drop(sender);
        let ended = match started {
            Ok(()) => {
                let mut failures = Failures::new(schedule, options);
                collect(&mut test, &mut failures, ledger, results, listener, &finished)
            }
            Err(error) => Err(MatchError::Failed(format!(
                "cannot start a thread for each game at a time: {error}"
            ))),
        };
        // No worker begins another game. Unless all are done, games in play
        // would not be counted any more: they end now.
        queue.closed.store(true, Ordering::Relaxed);
        if !matches!(ended, Ok(Ended::Finished)) {
            options.interrupt.raise();
        }
        ended
    })?;
    ledger.verify()?;
    let is_missing = |fixture: &&Fixture| !results.contains_key(&fixture.index);
    Ok(match ended {
        Ended::Finished if left.iter().any(is_missing) => Ended::Interrupted,
        ended => ended,
    })
}

/// The test of a match, applied after each game.
struct Test<'a> {
    schedule: &'a Schedule,
    /// Pairs from the first on that are known to decide nothing: computing the
    /// test for each of them again would make a match quadratic in its pairs.
    open_pairs: u64,
}

impl Test<'_> {
    fn is_decided(&mut self, results: &GameResults) -> bool {
        if self.schedule.config.sprt.is_none() {
            return false;
        }
        let standing = Standing::after(self.schedule, results, self.open_pairs);
        self.open_pairs = standing.test.map_or(0, |test| test.pairs);
        standing.is_decided()
    }
}

/// Writes finished games until the workers are done or the test has decided.
fn collect(
    test: &mut Test<'_>,
    failures: &mut Failures<'_>,
    ledger: &mut Ledger,
    results: &mut GameResults,
    listener: &mut dyn MatchListener,
    finished: &mpsc::Receiver<Result<Finished<'_>, MatchError>>,
) -> Result<Ended, MatchError> {
    while let Ok(finished) = finished.recv() {
        let finished = finished?;
        let Finished { fixture, game, .. } = &finished;
        ledger.append_game(game)?;
        // Unfinished games do not come here.
        results.extend(GameResult::of(game).map(|result| (fixture.index, result)));
        listener.finished(fixture, game, results);
        if let Some(message) = failures.count(&finished)? {
            listener.failed(&message);
        }
        if test.is_decided(results) {
            return Ok(Ended::Decided);
        }
    }
    Ok(Ended::Finished)
}

/// A finished game, and the number of the worker whose players played it.
struct Finished<'a> {
    fixture: &'a Fixture,
    game: Game,
    worker: usize,
}

/// What players have failed by, in the games of this run.
struct Failures<'a> {
    schedule: &'a Schedule,
    options: &'a MatchOptions<'a>,
    /// Whether it has failed, and the last games in a row for which it did not get
    /// ready, of each player.
    players: Vec<(bool, u32)>,
}

impl<'a> Failures<'a> {
    fn new(schedule: &'a Schedule, options: &'a MatchOptions<'a>) -> Self {
        Self { schedule, options, players: vec![(false, 0); schedule.config.players.len()] }
    }

    /// Counts a game. Returns a message if a player has failed for the first time.
    ///
    /// # Errors
    /// [`MatchError::Failed`] if a player did not get ready too often.
    fn count(&mut self, finished: &Finished<'_>) -> Result<Option<String>, MatchError> {
        let Finished { fixture, game, worker } = finished;
        let failure = game.ending().filter(|ending| ending.reason.is_failure());
        let loser = failure.and_then(|ending| match ending.outcome {
            Outcome::Won(winner) => Some((ending, fixture.players[winner.other().index()])),
            Outcome::Draw => None,
        });
        if loser.is_none_or(|(ending, _)| ending.reason != Reason::NoStart) {
            fixture.players.into_iter().for_each(|player| self.players[player].1 = 0);
        }
        let Some((ending, loser)) = loser else { return Ok(None) };
        let config = &self.schedule.config.players[loser];
        let mut detail = ending.detail.clone().unwrap_or_default();
        if let PlayerKind::Process(_) = config.kind {
            let log = log(self.options, config, *worker);
            detail += &format!("; its stderr is in {}", log.display());
        }
        let (has_failed, failed_starts) = &mut self.players[loser];
        *failed_starts += u32::from(ending.reason == Reason::NoStart);
        if *failed_starts >= MAX_FAILED_STARTS {
            return Err(MatchError::Failed(format!(
                "{} was not ready for {MAX_FAILED_STARTS} games in a row: {detail}",
                config.name
            )));
        }
        let is_first = !std::mem::replace(has_failed, true);
        let number = fixture.index + 1;
        Ok(is_first
            .then(|| format!("{} lost game {number} by {}: {detail}", config.name, ending.reason)))
    }
}

/// The games left to play, shared by the workers.
struct Queue<'a> {
    left: &'a [&'a Fixture],
    next: AtomicUsize,
    closed: AtomicBool,
}

impl<'a> Queue<'a> {
    fn take(&self) -> Option<&'a Fixture> {
        if self.closed.load(Ordering::Relaxed) {
            return None;
        }
        self.left.get(self.next.fetch_add(1, Ordering::Relaxed)).copied()
    }
}

/// Plays games until none is left or the match ends. The team stays from game to
/// game, so that programs start once.
fn work<'a>(
    mut team: Team,
    schedule: &Schedule,
    options: &MatchOptions<'_>,
    queue: &Queue<'a>,
    delays: &Delays,
    send: impl Fn(&'a Fixture, Result<Game, MatchError>) -> bool,
) {
    while let Some(fixture) = queue.take().filter(|_| !options.interrupt.is_raised()) {
        let players = two(&mut team, fixture.players);
        let game = game::play(schedule, fixture, options.table, delays.begin(), players);
        if !game.transpose().is_some_and(|game| send(fixture, game)) {
            return;
        }
    }
}

/// South and North out of all players; their indices differ.
fn two(players: &mut [Box<dyn Player>], [south, north]: [usize; 2]) -> game::Players<'_> {
    let (low, high) = (south.min(north), south.max(north));
    let (before, from) = players.split_at_mut(high);
    let (low, high) = (before[low].as_mut(), from[0].as_mut());
    if south < north { [low, high] } else { [high, low] }
}

/// The players of one worker, in the order of the configuration.
pub(crate) type Team = Vec<Box<dyn Player>>;

/// Makes the players of every worker, and starts the first worker's programs, so
/// that what cannot be played is known before the first game.
///
/// # Errors
/// [`MatchError::Config`] for an option that does not exist, or if there is not
/// enough memory for so many games at a time; [`MatchError::Failed`] if the system
/// cannot start a program. A program that starts and then fails loses its games
/// by that, and is no error.
pub(crate) fn teams(
    schedule: &Schedule,
    options: &MatchOptions<'_>,
) -> Result<Vec<Team>, MatchError> {
    let is_own = |config: &PlayerConfig| config.kind == PlayerKind::Kalah;
    let engine = schedule.config.players.iter().any(is_own).then(|| InProcess::engine(schedule));
    let is_program = |config: &PlayerConfig| matches!(config.kind, PlayerKind::Process(_));
    let reaper = schedule.config.players.iter().any(is_program).then(Reaper::start);
    let reaper = reaper.transpose().unwrap_or_else(|error| {
        log::warn!("programs run on if this process is killed: {error}");
        None
    });
    let (engine, reaper) = (engine.transpose()?, reaper.map(Arc::new));
    let mut maker = Maker { schedule, options, engine, reaper, mebibytes: 0 };
    let workers = options.concurrency.clamp(1, schedule.fixtures.len().max(1));
    let teams = (0..workers).map(|worker| maker.team(worker)).collect::<Result<_, _>>()?;
    let available = machine::available_memory().map(|bytes| bytes >> 20);
    match available.filter(|&available| maker.mebibytes > available) {
        Some(available) => Err(MatchError::Config(format!(
            "expected memory for {workers} games at a time, at least {} MiB, got {available} MiB: \
             choose fewer, or a smaller option.Hash",
            maker.mebibytes
        ))),
        None => Ok(teams),
    }
}

struct Maker<'a> {
    schedule: &'a Schedule,
    options: &'a MatchOptions<'a>,
    /// What the players in this process are copies of.
    engine: Option<Engine>,
    reaper: Option<Arc<Reaper>>,
    /// The memory of their transposition tables.
    mebibytes: u64,
}

impl Maker<'_> {
    fn team(&mut self, worker: usize) -> Result<Team, MatchError> {
        let players = self.schedule.config.players.iter();
        players.map(|config| self.player(worker, config)).collect()
    }

    fn player(
        &mut self,
        worker: usize,
        config: &PlayerConfig,
    ) -> Result<Box<dyn Player>, MatchError> {
        let interrupt = self.options.interrupt.clone();
        let named = |error: &dyn Display| format!("{}: {error}", config.name);
        Ok(match (&config.kind, &self.engine) {
            (PlayerKind::Kalah, Some(engine)) => {
                let player = InProcess::new(engine.clone(), config, interrupt);
                let player = player.map_err(|error| match worker {
                    0 => MatchError::Config(named(&error)),
                    _ => MatchError::Config(format!(
                        "{}: choose less than {} games at a time",
                        named(&error),
                        worker + 1
                    )),
                })?;
                self.mebibytes += player.mebibytes() as u64;
                Box::new(player)
            }
            (PlayerKind::Process(program), _) => {
                let log = log(self.options, config, worker);
                let timing = self.schedule.config.timing;
                let reaper = self.reaper.clone();
                let mut process = Process::new(config, program, log, reaper, timing, interrupt);
                if worker == 0 {
                    process.open().map_err(|error| MatchError::Failed(named(&error)))?;
                }
                Box::new(process)
            }
            (PlayerKind::Greedy, _) => Box::new(Greedy),
            _ => Box::new(Random::default()),
        })
    }
}

/// The file for the stderr of a worker's program.
fn log(options: &MatchOptions<'_>, config: &PlayerConfig, worker: usize) -> PathBuf {
    let safe = |c: char| if c.is_alphanumeric() || "-_.+".contains(c) { c } else { '_' };
    let name: String = config.name.chars().map(safe).collect();
    options.logs.join(format!("{name}-{worker}.log"))
}
