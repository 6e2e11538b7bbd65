//! Plays the games of a schedule that are not in the file yet, several at a time.
//!
//! Workers take games in the order of the schedule and hand finished ones to the
//! thread that called [`run`], which alone writes the file. A game counts when
//! it is written and synced; one that is interrupted is played again by the next
//! run.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};

use super::MatchError;
use super::config::{PlayerConfig, PlayerKind, Program};
use super::game::{self, TableMargin};
use super::ledger::Ledger;
use super::player::{Greedy, InProcess, POLL_INTERVAL, Player, Random};
use super::process::Process;
use super::schedule::{Fixture, Schedule, Shard};
use super::standing::{GameResult, GameResults, Standing};
use crate::record::Game;
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
    /// The time of day for records.
    pub(crate) date: &'a (dyn Fn() -> String + Sync),
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
pub(crate) trait Watcher {
    /// A game is written; `results` include it.
    fn finished(&mut self, fixture: &Fixture, game: &Game, results: &GameResults);

    /// A short time has passed.
    fn tick(&mut self) {}
}

/// Plays what is left of a schedule. `results` are those of the games played so
/// far; new ones are added.
///
/// # Errors
/// [`MatchError`]; every game that was finished before is in the file.
pub(crate) fn run(
    schedule: &Schedule,
    options: &MatchOptions<'_>,
    ledger: &mut Ledger,
    results: &mut GameResults,
    watcher: &mut dyn Watcher,
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
    let workers = options.concurrency.clamp(1, left.len().max(1));
    let ended = std::thread::scope(|scope| {
        let (sender, finished) = mpsc::channel();
        for worker in 0..workers {
            let (sender, queue) = (sender.clone(), &queue);
            scope.spawn(move || work(worker, schedule, options, queue, &sender));
        }
        // The channel closes when the last worker is done.
        drop(sender);
        let ended = collect(&mut test, ledger, results, watcher, &finished);
        // No worker begins another game. Unless all are done, games in play
        // would not be counted any more: they end now.
        queue.closed.store(true, Ordering::Relaxed);
        if !matches!(ended, Ok(Ended::Finished)) {
            options.interrupt.raise();
        }
        ended
    })?;
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

type Finished<'a> = Result<(&'a Fixture, Game), MatchError>;

/// Writes finished games until the workers are done or the test has decided.
fn collect(
    test: &mut Test<'_>,
    ledger: &mut Ledger,
    results: &mut GameResults,
    watcher: &mut dyn Watcher,
    finished: &mpsc::Receiver<Finished<'_>>,
) -> Result<Ended, MatchError> {
    loop {
        match finished.recv_timeout(POLL_INTERVAL) {
            Ok(game) => {
                let (fixture, game) = game?;
                ledger.append_game(&game)?;
                // Unfinished games do not come here.
                results.extend(GameResult::of(&game).map(|result| (fixture.index, result)));
                watcher.finished(fixture, &game, results);
                if test.is_decided(results) {
                    return Ok(Ended::Decided);
                }
            }
            Err(RecvTimeoutError::Timeout) => watcher.tick(),
            Err(RecvTimeoutError::Disconnected) => return Ok(Ended::Finished),
        }
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

/// Plays games until none is left or the match ends. The worker keeps its
/// players from game to game, so that programs start once.
fn work<'a>(
    worker: usize,
    schedule: &Schedule,
    options: &MatchOptions<'_>,
    queue: &Queue<'a>,
    finished: &Sender<Finished<'a>>,
) {
    // Sending fails only if the match has ended: then nothing is left to do.
    let mut players = match players(schedule, options, worker) {
        Ok(players) => players,
        Err(error) => return drop(finished.send(Err(error))),
    };
    while let Some(fixture) = queue.take().filter(|_| !options.interrupt.is_raised()) {
        let Some(game) = play(schedule, fixture, options, &mut players) else { return };
        if finished.send(Ok((fixture, game))).is_err() {
            return;
        }
    }
}

fn play(
    schedule: &Schedule,
    fixture: &Fixture,
    options: &MatchOptions<'_>,
    players: &mut [Box<dyn Player>],
) -> Option<Game> {
    let date = (options.date)();
    let event = &schedule.config.event;
    let mut game = game::play(schedule, fixture, options.table, two(players, fixture.players))?;
    game.id = Some(fixture.id.clone());
    game.event = Some(event.clone()).filter(|event| !event.is_empty());
    game.date = Some(date).filter(|date| !date.is_empty());
    game.round = u32::try_from(fixture.index + 1).ok();
    Some(game)
}

/// South and North out of all players; their indices differ.
fn two(players: &mut [Box<dyn Player>], [south, north]: [usize; 2]) -> game::Players<'_> {
    let (low, high) = (south.min(north), south.max(north));
    let (before, from) = players.split_at_mut(high);
    let (low, high) = (before[low].as_mut(), from[0].as_mut());
    if south < north { [low, high] } else { [high, low] }
}

/// Makes the players of one worker.
fn players(
    schedule: &Schedule,
    options: &MatchOptions<'_>,
    worker: usize,
) -> Result<Vec<Box<dyn Player>>, MatchError> {
    let player = |config: &PlayerConfig| -> Result<Box<dyn Player>, MatchError> {
        let interrupt = options.interrupt.clone();
        Ok(match &config.kind {
            PlayerKind::Kalah => {
                let player = InProcess::new(config, interrupt);
                Box::new(
                    player
                        .map_err(|error| MatchError::Config(format!("{}: {error}", config.name)))?,
                )
            }
            PlayerKind::Random => Box::new(Random::default()),
            PlayerKind::Greedy => Box::new(Greedy),
            PlayerKind::Process(program) => {
                let log = log(options, config, worker);
                let timing = schedule.config.timing;
                Box::new(Process::new(config, program, log, timing, interrupt))
            }
        })
    };
    schedule.config.players.iter().map(player).collect()
}

/// The file for the stderr of a worker's program.
fn log(options: &MatchOptions<'_>, config: &PlayerConfig, worker: usize) -> PathBuf {
    let safe = |c: char| if c.is_alphanumeric() || "-_.+".contains(c) { c } else { '_' };
    let name: String = config.name.chars().map(safe).collect();
    options.logs.join(format!("{name}-{worker}.log"))
}

/// Tries whether every player can be made and every program started.
///
/// # Errors
/// [`MatchError::Config`] for an option that does not exist,
/// [`MatchError::Failed`] if the system cannot start a program. A program that
/// starts and then fails loses its games by that, and is no error.
pub(crate) fn check_players(
    schedule: &Schedule,
    options: &MatchOptions<'_>,
) -> Result<(), MatchError> {
    drop(players(schedule, options, 0)?);
    let start = |config: &PlayerConfig, program: &Program| {
        Process::try_start(program, &log(options, config, 0))
            .map_err(|error| MatchError::Failed(format!("{}: {error}", config.name)))
    };
    schedule.config.players.iter().try_for_each(|config| match &config.kind {
        PlayerKind::Process(program) => start(config, program),
        _ => Ok(()),
    })
}
