//! Matches without programs: their games are written down in the tests, or played in this process.

mod configuration;
mod counting;
mod document;
mod journal;
mod played;
#[cfg(unix)]
mod programs;
mod strength;

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use kalah_arena::MatchError;
use kalah_arena::config::{MatchConfig, PlayerConfig};
use kalah_arena::file::{self, MatchFile};
use kalah_arena::runner::{Ended, MatchOptions, RunningMatch};
use kalah_arena::schedule::{PlacedGames, Schedule};
use kalah_engine::Engine;
use kalah_game::{Position, Rules};
use kalah_record::opening;
use kalah_sys::stop::Flag;
use tempfile::TempDir;

/// A match of these players with a random opening for each round.
fn config(players: &[&str], rounds: u32) -> MatchConfig {
    let players = players.iter().map(|words| PlayerConfig::parse(words, "").expect("a player"));
    MatchConfig {
        players: players.collect(),
        rounds,
        openings: opening::random(Position::start(Rules::default()), 4, rounds as usize, 1),
        ..MatchConfig::default()
    }
}

/// Two players whose games end after the opening.
fn short(rounds: u32) -> MatchConfig {
    let mut config = config(&["random name=a", "random name=b"], rounds);
    config.adjudication.move_limit = Some(0);
    config
}

/// A folder with the file of a match.
struct Folder {
    folder: TempDir,
    /// The messages about players that failed.
    failures: RefCell<Vec<String>>,
}

impl Folder {
    fn new() -> Self {
        Self { folder: kalah_testing::folder(), failures: RefCell::default() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Plays a part of a match into a new file, or into one that exists already.
    fn play(&self, name: &str, schedule: &Schedule, shard: &str, workers: usize) -> Ended {
        self.try_play(name, schedule, shard, workers).expect("no failure")
    }

    fn try_play(
        &self,
        name: &str,
        schedule: &Schedule,
        shard: &str,
        workers: usize,
    ) -> Result<Ended, MatchError> {
        let folder = self.folder.path();
        play_part(folder, name, schedule, (shard, workers), &mut |failure| {
            self.failures.borrow_mut().push(failure);
        })
    }

    fn games(&self, name: &str, schedule: &Schedule) -> PlacedGames {
        let path = self.path(name);
        placed(schedule, &path, file::read(&path).expect("a match").games)
    }
}

/// Plays a part of a match, with its number and its workers, into a file of the folder.
fn play_part(
    folder: &Path,
    name: &str,
    schedule: &Schedule,
    (part, workers): (&str, usize),
    on_failure: &mut dyn FnMut(String),
) -> Result<Ended, MatchError> {
    let path = folder.join(name);
    let resumed = MatchFile::resume(&path).expect("a match");
    let logs = folder.join("logs");
    let interrupt = Flag::default();
    let options = MatchOptions {
        file: &path,
        shard: part.parse().expect("a part"),
        concurrency: workers,
        logs: &logs,
        interrupt: &interrupt,
    };
    let engine = || Engine::without_tables(1);
    let mut running = RunningMatch::new(schedule, &options, resumed, engine).expect("players");
    assert_eq!(running.is_part(), schedule.config.sprt.is_some() && !part.ends_with("/1"));
    let ended = running.play(&mut |_, failure| {
        if let Some(failure) = failure {
            on_failure(failure);
        }
    });
    assert_eq!(running.results().len(), file::read(&path).expect("a match").games.len());
    // Only a match that ends early stops the games in play.
    assert!(!interrupt.is_raised() || !matches!(ended, Ok(Ended::Finished)), "{ended:?}");
    ended
}

fn placed(schedule: &Schedule, path: &Path, games: Vec<kalah_record::Game>) -> PlacedGames {
    let mut placed = PlacedGames::new();
    file::place(games, schedule, path, &mut placed).expect("games of the match");
    placed
}

/// The games of a match.
fn play(config: MatchConfig) -> PlacedGames {
    let folder = Folder::new();
    let schedule = Schedule::new(config).expect("a match");
    assert_eq!(folder.play("x.jsonl", &schedule, "1/1", 2), Ended::Finished);
    folder.games("x.jsonl", &schedule)
}

#[track_caller]
fn close(got: f64, expected: f64, tolerance: f64) {
    assert!((got - expected).abs() <= tolerance, "got {got}, expected {expected}");
}
