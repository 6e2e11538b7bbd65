//! Plays the games of a schedule that are not in the file yet, several at a time.
//!
//! Workers take games in the order of the schedule and send finished ones to the
//! thread that called [`run`], which alone writes the file. A game counts when it is
//! written and synced (*fsync before counting*): a crash can lose games in play, never
//! one that a result has included. An interrupted game is replayed by the next run.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, Scope};

use super::MatchError;
use super::config::PlayerKind;
use super::delay::Delays;
use super::game::{self, TableMargin};
use super::ledger::Ledger;
use super::player::Player;
use super::schedule::{Fixture, Schedule, Shard};
use super::standing::{GameResult, GameResults, Standing};
use super::team::{Team, log_path};
use crate::record::{Game, Outcome, Reason};
use crate::sys::stop::Flag;

/// How a match is run; nothing here changes a game.
pub(crate) struct MatchOptions<'a> {
    /// The part of the schedule that is played.
    pub(crate) shard: Shard,
    pub(crate) logs: &'a Path,
    /// Ends the match at once, in all its threads.
    pub(crate) interrupt: &'a Flag,
    /// South's margin in positions that an endgame table has.
    pub(crate) table: TableMargin<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Finished,
    Decided,
    /// Interrupted, with games left to play.
    Interrupted,
}

/// Called after each game that has been written, in the thread that called [`run`]: with
/// the results so far, and a message if a player has failed for the first time.
pub(crate) type OnGame<'a> = &'a mut dyn FnMut(&GameResults, Option<String>);

/// Start guard: a player that does not get ready for this many games in a row ends the
/// match, which would otherwise wait out `Timing::start` in every game.
const MAX_FAILED_STARTS: u32 = 5;

/// Plays the rest of a schedule, each team on a thread of its own. `results` are
/// those of the games played so far; new ones are added.
///
/// # Errors
/// [`MatchError`]; every game that had finished is in the file.
pub(crate) fn run(
    schedule: &Schedule,
    options: &MatchOptions<'_>,
    teams: Vec<Team>,
    ledger: &mut Ledger,
    results: &mut GameResults,
    on_game: OnGame<'_>,
) -> Result<Ended, MatchError> {
    let mut open_pairs = 0;
    if is_decided(schedule, results, &mut open_pairs) {
        return Ok(Ended::Decided);
    }
    let left: Vec<&Fixture> = schedule
        .fixtures
        .iter()
        .filter(|fixture| options.shard.has(fixture) && !results.contains_key(&fixture.index))
        .collect();
    let (next, delays) = (AtomicUsize::new(0), Delays::start(teams.len()));
    let work = Work { schedule, options, left: &left, next, delays };
    let mut failures = Failures::new(schedule, options);
    let ended = thread::scope(|scope| {
        let (sender, finished) = mpsc::channel();
        let started = work.start(scope, teams, sender);
        let ended = started.and_then(|()| {
            collect(&mut open_pairs, &mut failures, ledger, results, on_game, &finished)
        });
        // Unless all games are done, those in play would not be counted any more: they
        // end now, and no worker starts another.
        if !matches!(ended, Ok(Ended::Finished)) {
            options.interrupt.raise();
        }
        ended
    })?;
    ledger.verify()?;
    if ended == Ended::Finished && left.iter().any(|game| !results.contains_key(&game.index)) {
        return Ok(Ended::Interrupted);
    }
    failures.check_starts()?;
    Ok(ended)
}

/// Whether the test of a match has decided. `open_pairs` is the number of leading pairs that
/// are known to decide nothing: computing the test for each of them after every game would
/// make a match quadratic in its pairs.
fn is_decided(schedule: &Schedule, results: &GameResults, open_pairs: &mut u64) -> bool {
    if schedule.config.sprt.is_none() {
        return false;
    }
    let standing = Standing::after(schedule, results, *open_pairs);
    *open_pairs = standing.open_pairs();
    standing.is_decided()
}

/// Writes finished games until the workers are done or the test has decided.
fn collect(
    open_pairs: &mut u64,
    failures: &mut Failures<'_>,
    ledger: &mut Ledger,
    results: &mut GameResults,
    on_game: OnGame<'_>,
    finished: &Receiver<Result<Finished<'_>, MatchError>>,
) -> Result<Ended, MatchError> {
    while let Ok(finished) = finished.recv() {
        let finished = finished?;
        let Finished { fixture, game, .. } = &finished;
        ledger.append_game(game)?;
        // Unfinished games do not come here.
        results.extend(GameResult::of(game).map(|result| (fixture.index, result)));
        on_game(results, failures.count(&finished)?);
        if is_decided(failures.schedule, results, open_pairs) {
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

/// Failures of the players in the games of this run.
struct Failures<'a> {
    schedule: &'a Schedule,
    options: &'a MatchOptions<'a>,
    players: Vec<PlayerFailures>,
}

#[derive(Clone, Default)]
struct PlayerFailures {
    has_failed: bool,
    was_ready: bool,
    /// The last games in a row for which it did not get ready.
    failed_starts: u32,
    /// Why it was not ready for the last of them.
    why: String,
}

impl<'a> Failures<'a> {
    fn new(schedule: &'a Schedule, options: &'a MatchOptions<'a>) -> Self {
        Self {
            schedule,
            options,
            players: vec![PlayerFailures::default(); schedule.config.players.len()],
        }
    }

    /// Fails if a player was not ready for any of its games: such a match proves nothing.
    fn check_starts(&self) -> Result<(), MatchError> {
        for (player, config) in self.players.iter().zip(&self.schedule.config.players) {
            if player.failed_starts > 0 && !player.was_ready {
                let why = &player.why;
                return Err(MatchError::Failed(format!("{} was never ready: {why}", config.name)));
            }
        }
        Ok(())
    }

    /// Counts a game. Returns a message if a player has failed for the first time.
    ///
    /// # Errors
    /// [`MatchError::Failed`] by the start guard, [`MAX_FAILED_STARTS`].
    fn count(&mut self, finished: &Finished<'_>) -> Result<Option<String>, MatchError> {
        let Finished { fixture, game, worker } = finished;
        let failure = game.ending().filter(|ending| ending.reason.is_failure());
        let loser = failure.and_then(|ending| match ending.outcome {
            Outcome::Won(winner) => Some((ending, fixture.players[winner.other().index()])),
            Outcome::Draw => None,
        });
        if loser.is_none_or(|(ending, _)| ending.reason != Reason::NoStart) {
            for player in fixture.players {
                (self.players[player].failed_starts, self.players[player].was_ready) = (0, true);
            }
        }
        let Some((ending, loser)) = loser else { return Ok(None) };
        let config = &self.schedule.config.players[loser];
        let mut detail = ending.detail.clone().unwrap_or_default();
        if let PlayerKind::Process(_) = config.kind {
            let log = log_path(self.options.logs, config, *worker);
            detail += &format!("; its stderr is in {}", log.display());
        }
        let player = &mut self.players[loser];
        if ending.reason == Reason::NoStart {
            player.failed_starts += 1;
            player.why.clone_from(&detail);
        }
        if player.failed_starts >= MAX_FAILED_STARTS {
            return Err(MatchError::Failed(format!(
                "{} was not ready for {MAX_FAILED_STARTS} games in a row: {detail}",
                config.name
            )));
        }
        let is_first = !std::mem::replace(&mut player.has_failed, true);
        let number = fixture.index + 1;
        Ok(is_first
            .then(|| format!("{} lost game {number} by {}: {detail}", config.name, ending.reason)))
    }
}

/// What the workers share.
struct Work<'a> {
    schedule: &'a Schedule,
    options: &'a MatchOptions<'a>,
    /// The games to play.
    left: &'a [&'a Fixture],
    /// How many of them the workers have taken.
    next: AtomicUsize,
    delays: Arc<Delays>,
}

impl<'a> Work<'a> {
    /// Starts a worker for each team, but no more than there are games. The channel closes
    /// when the last one is done.
    fn start<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        teams: Vec<Team>,
        sender: Sender<Result<Finished<'a>, MatchError>>,
    ) -> Result<(), MatchError> {
        for (worker, team) in teams.into_iter().take(self.left.len()).enumerate() {
            let sender = sender.clone();
            let thread = thread::Builder::new().name("worker".to_owned());
            let started =
                thread.spawn_scoped(scope, move || self.play_games(worker, team, &sender));
            started.map_err(|error| {
                MatchError::Failed(format!(
                    "cannot start a thread for each game at a time: {error}"
                ))
            })?;
        }
        Ok(())
    }

    /// Plays games until none is left or the match ends. The team stays from game to
    /// game, so that programs start once.
    fn play_games(
        &self,
        worker: usize,
        mut team: Team,
        sender: &Sender<Result<Finished<'a>, MatchError>>,
    ) {
        while let Some(&fixture) = self.left.get(self.next.fetch_add(1, Relaxed)) {
            if self.options.interrupt.is_raised() {
                return;
            }
            let players = two(&mut team, fixture.players);
            self.delays.begin(worker);
            let delay = || self.delays.longest(worker);
            let game = game::play(self.schedule, fixture, self.options.table, delay, players);
            let Some(game) = game.transpose() else { return };
            let finished = game.map(|game| Finished { fixture, game, worker });
            // Sending fails only if the match has ended: then nothing is left to do.
            if sender.send(finished).is_err() {
                return;
            }
        }
    }
}

/// South and North of a team; their indices differ.
fn two(players: &mut [Box<dyn Player>], [south, north]: [usize; 2]) -> game::Players<'_> {
    let (low, high) = (south.min(north), south.max(north));
    let (before, from) = players.split_at_mut(high);
    let (low, high) = (before[low].as_mut(), from[0].as_mut());
    if south < north { [low, high] } else { [high, low] }
}
