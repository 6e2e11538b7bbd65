//! Plays the games of a schedule that are not yet in the file, several at a time.
//!
//! Workers take games in the order of the schedule and send finished ones to the thread that
//! called [`RunningMatch::play`], which alone writes the file. A game counts when it is
//! written and synced (*fsync before counting*): a crash can lose games in play, but never
//! one that a result has included. An interrupted game is replayed by the next run.

use std::mem;
use std::path::Path;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread::{self, Scope};

use crate::MatchError;
use crate::config::PlayerKind;
use crate::file::{self, Contents, MatchFile, MatchRun};
use crate::parts::AllParts;
use crate::referee::{self, TableMargin};
use crate::schedule::{Fixture, PlacedGames, Schedule, Shard};
use crate::standing::{self, GameCounter, GameResult, GameResults};
use crate::team::{Team, log_path, teams};
use kalah_engine::Engine;
use kalah_engine::endgame::Tables;
use kalah_record::{Game, Reason};
use kalah_sys::machine::MemoryError;
use kalah_sys::stop::Flag;
use kalah_sys::wakeup::AwakeClock;

/// How a match is run. Nothing here affects the course of a game.
pub struct MatchOptions<'a> {
    /// The file of the match.
    pub file: &'a Path,
    /// The part of the schedule to play.
    pub shard: Shard,
    /// The number of games to play at the same time.
    pub concurrency: usize,
    /// The directory for the stderr of programs.
    pub logs: &'a Path,
    /// Ends the match immediately, on all its threads.
    pub interrupt: &'a Flag,
}

/// Why a match has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All games of the shard were played.
    Finished,
    /// The SPRT of all parts has decided; the remaining games are not needed.
    Decided,
    /// Interrupted, with games left to play.
    Interrupted,
}

/// Called after each game has been written, on the thread that called [`RunningMatch::play`],
/// with the results so far and a message if a player has failed for the first time.
pub(crate) type OnGame<'a> = &'a mut dyn FnMut(&GameResults, Option<String>);

/// Start guard: a player that does not get ready for this many games in a row ends the
/// match, which would otherwise wait for `Timing::start` in every game.
const MAX_FAILED_STARTS: u32 = 5;

/// A match with the games that have been played so far.
pub struct RunningMatch<'a> {
    schedule: &'a Schedule,
    options: &'a MatchOptions<'a>,
    file: MatchFile,
    /// The players of each worker, until they play.
    teams: Vec<Team>,
    /// The endgame tables that adjudicate games.
    tables: Option<Tables>,
    results: GameResults,
    leading: GameCounter<'a>,
    /// Only if this part alone cannot decide the test.
    parts: Option<AllParts<'a>>,
    /// The failures of each player in this run.
    failures: Vec<PlayerFailures>,
}

impl<'a> RunningMatch<'a> {
    /// Prepares a match: creates its file, or continues the one that was
    /// [resumed](MatchFile::resume). Players of this process are clones of the `engine`, with table
    /// sizes of their own.
    ///
    /// # Errors
    /// [`MatchError`] if a player, the endgame tables or the file cannot be prepared, or if the file
    /// has games of a different match.
    pub fn new(
        schedule: &'a Schedule,
        options: &'a MatchOptions<'a>,
        mut resumed: Option<(MatchFile, Contents)>,
        engine: impl FnOnce() -> Result<Engine, MemoryError>,
    ) -> Result<Self, MatchError> {
        let mut games = PlacedGames::new();
        if let Some((_, contents)) = &mut resumed {
            file::place(mem::take(&mut contents.games), schedule, options.file, &mut games)?;
        }
        let results = standing::results(&games);
        let tables = schedule.config.tables()?;
        // The players are created first, so that a mistyped one leaves no file behind. If no game is
        // left, none is needed.
        let left = standing::unplayed(schedule, options.shard, &results).len();
        let workers = options.concurrency.min(left);
        let teams = teams(&schedule.config, workers, options.logs, options.interrupt, engine)?;
        let run = MatchRun::current();
        let file = match resumed {
            Some((mut file, contents)) => {
                file.append_changes(&contents, &schedule.config, &run)?;
                file
            }
            None => MatchFile::create(options.file, &schedule.config, Some(&run))?,
        };
        let is_undecidable = schedule.config.sprt.is_some() && !options.shard.is_whole();
        let parts = if is_undecidable {
            Some(AllParts::in_folder_of(options.file, &schedule.config, results.clone()))
        } else {
            None
        };
        Ok(Self {
            schedule,
            options,
            file,
            teams,
            tables,
            results,
            leading: GameCounter::new(schedule),
            parts,
            failures: vec![PlayerFailures::default(); schedule.config.players.len()],
        })
    }

    /// Whether this is one part of several whose test none decides alone.
    pub fn is_part(&self) -> bool {
        self.parts.is_some()
    }

    /// The results of the games in the file.
    pub fn results(&self) -> &GameResults {
        &self.results
    }

    /// The games of the shard that are not in the file.
    pub fn left(&self) -> Vec<&'a Fixture> {
        standing::unplayed(self.schedule, self.options.shard, &self.results)
    }

    /// Plays the rest of the match, each worker on a thread of its own. This is called once. After an
    /// error, at most one finished game of each worker is missing in the file.
    pub fn play(&mut self, on_game: OnGame<'_>) -> Result<Ended, MatchError> {
        // A resumed match may already be decided.
        if self.is_decided() {
            return Ok(Ended::Decided);
        }
        let schedule = self.schedule;
        let options = self.options;
        let left = self.left();
        let teams = mem::take(&mut self.teams);
        let tables = self.tables.take();
        let table: TableMargin<'_> =
            &|position| Some(position.side().view_of(tables.as_ref()?.margin(position)?));
        let next = AtomicUsize::new(0);
        let clock = AwakeClock::start();
        let queue = GameQueue { schedule, options, table, left: &left, next, clock };
        let ended = thread::scope(|scope| {
            // Without a buffer, a worker cannot start its next game before this thread, which
            // writes the file, has received the last one.
            let (sender, finished) = mpsc::sync_channel(0);
            let started = queue.start(scope, teams, sender);
            let ended = started.and_then(|()| self.collect(&finished, on_game));
            // After a decision or an error, the games in play would not be counted: they end now,
            // and no worker starts a new one. Otherwise the scope would wait for all of them.
            if !matches!(ended, Ok(Ended::Finished)) {
                options.interrupt.raise();
            }
            ended
        })?;
        // Each append checks only the place and the length of the file. A byte that was changed
        // while the match ran is detected when all lines are read back.
        self.file.verify()?;
        // Interrupted workers just stop: the missing games reveal the interrupt.
        if ended == Ended::Finished && !self.left().is_empty() {
            return Ok(Ended::Interrupted);
        }
        self.check_starts()?;
        Ok(ended)
    }

    /// Writes finished games until the workers are done or the SPRT has decided.
    fn collect(
        &mut self,
        finished: &Receiver<Result<FinishedGame<'_>, MatchError>>,
        on_game: OnGame<'_>,
    ) -> Result<Ended, MatchError> {
        while let Ok(finished) = finished.recv() {
            let finished = finished?;
            let FinishedGame { fixture, game, .. } = &finished;
            // The file comes first: a game must not count before it is safe.
            self.file.append_game(game)?;
            // Workers send finished games only, so there is always a result.
            if let Some(result) = GameResult::from_game(game) {
                if let Some(parts) = &mut self.parts {
                    parts.add(fixture.index, result.clone());
                }
                self.results.insert(fixture.index, result);
            }
            let failure = self.count_failure(&finished)?;
            on_game(&self.results, failure);
            if self.is_decided() {
                return Ok(Ended::Decided);
            }
        }
        Ok(Ended::Finished)
    }

    /// Whether the test has decided, with the games of all parts in the folder.
    fn is_decided(&mut self) -> bool {
        match &mut self.parts {
            Some(parts) => self.leading.decide(parts.results()),
            None => self.leading.decide(&self.results),
        }
    }
}

/// A finished game, and the number of the worker whose players played it.
struct FinishedGame<'a> {
    fixture: &'a Fixture,
    game: Game,
    worker: usize,
}

#[derive(Clone, Default)]
struct PlayerFailures {
    has_failed: bool,
    was_ready: bool,
    /// Consecutive games up to the last for which the player did not get ready.
    failed_starts: u32,
    /// Why the player was not ready for the last of them.
    why: String,
}

impl RunningMatch<'_> {
    /// Fails if a player was not ready for any of its games, as such a match shows nothing.
    fn check_starts(&self) -> Result<(), MatchError> {
        for (player, config) in self.failures.iter().zip(&self.schedule.config.players) {
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
    /// [`MatchError::Failed`] after [`MAX_FAILED_STARTS`] games.
    fn count_failure(&mut self, finished: &FinishedGame<'_>) -> Result<Option<String>, MatchError> {
        let FinishedGame { fixture, game, worker } = finished;
        let loser = game
            .ending()
            .and_then(|ending| Some((ending, fixture.players[ending.failed()?.index()])));
        // Both players get ready before the first move, so any other ending shows that they did.
        let is_failed_start =
            matches!(loser, Some((ending, _)) if ending.reason == Reason::NoStart);
        if !is_failed_start {
            for player in fixture.players {
                self.failures[player].failed_starts = 0;
                self.failures[player].was_ready = true;
            }
        }
        let Some((ending, loser)) = loser else { return Ok(None) };
        let config = &self.schedule.config.players[loser];
        let mut detail = ending.detail.clone().unwrap_or_default();
        if let PlayerKind::Process(_) = config.kind {
            let log = log_path(self.options.logs, config, *worker);
            detail += &format!("; its stderr is in {}", log.display());
        }
        let player = &mut self.failures[loser];
        if ending.reason == Reason::NoStart {
            player.failed_starts += 1;
            player.why.clone_from(&detail);
        }
        if player.failed_starts >= MAX_FAILED_STARTS {
            let name = &config.name;
            return Err(MatchError::Failed(format!(
                "{name} was not ready for {MAX_FAILED_STARTS} games in a row: {detail}"
            )));
        }
        // One message per player: an engine that fails in every game would flood the terminal.
        let is_first = !std::mem::replace(&mut player.has_failed, true);
        if !is_first {
            return Ok(None);
        }
        let number = fixture.index + 1;
        let reason = &ending.reason;
        Ok(Some(format!("{} lost game {number} by {reason}: {detail}", config.name)))
    }
}

/// The state that the workers share.
struct GameQueue<'a> {
    schedule: &'a Schedule,
    options: &'a MatchOptions<'a>,
    table: TableMargin<'a>,
    /// The games to play.
    left: &'a [&'a Fixture],
    /// The number of them that the workers have taken. The counter alone is shared, so relaxed
    /// ordering suffices: each value is handed out once.
    next: AtomicUsize,
    /// Notices suspensions of this process.
    clock: AwakeClock,
}

impl<'a> GameQueue<'a> {
    /// Starts a worker for each team, but at most one per game. The channel closes when the
    /// last worker is done.
    fn start<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        teams: Vec<Team>,
        sender: SyncSender<Result<FinishedGame<'a>, MatchError>>,
    ) -> Result<(), MatchError> {
        for (worker, team) in teams.into_iter().take(self.left.len()).enumerate() {
            let sender = sender.clone();
            let thread = thread::Builder::new().name("worker".to_owned());
            let started =
                thread.spawn_scoped(scope, move || self.play_games(worker, team, &sender));
            started.map_err(|error| MatchError::cannot_start("worker thread", &error))?;
        }
        Ok(())
    }

    /// Plays games until none is left or the match ends. The team is kept for all games, so
    /// that each program starts only once.
    fn play_games(
        &self,
        worker: usize,
        mut team: Team,
        sender: &SyncSender<Result<FinishedGame<'a>, MatchError>>,
    ) {
        while let Some(&fixture) = self.left.get(self.next.fetch_add(1, Relaxed)) {
            if self.options.interrupt.is_raised() {
                return;
            }
            let players = team.players_of(fixture);
            let suspended = || self.clock.suspended();
            let game = referee::play(self.schedule, fixture, self.table, &suspended, players);
            let Some(game) = game.transpose() else { return };
            let finished = game.map(|game| FinishedGame { fixture, game, worker });
            // Sending fails only after the end of the match.
            if sender.send(finished).is_err() {
                return;
            }
        }
    }
}
