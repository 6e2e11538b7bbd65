//! The file of a match, read while the match may still be writing it.
//!
//! Nothing is locked or written. Only what standings, tables and charts need from each game stays
//! in memory; its record is read from the file on request, so that a match of many thousands of
//! games can be followed. The entry point is [`MatchFollower`].

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::config::MatchConfig;
use crate::file::{self, HeadersRead};
use crate::html::{self, GameData, GameTitle, GameTotals, Legend};
use crate::schedule::Schedule;
use crate::standing::{GameResult, GameResults, Standing};
use crate::{MatchError, summary};
use kalah_game::{Pit, Position};
use kalah_record::Game;
use kalah_sys::files::AccessError;
use kalah_sys::journal::{Span, Tail};
use kalah_tables::Section;

/// A match, and the part of its file that has been read.
#[derive(Debug)]
pub struct MatchFollower {
    path: PathBuf,
    /// The state of the file when it was last read.
    stamp: Option<Stamp>,
    reading: Reading,
    /// Why the file could not be read to its end; what was read before is kept.
    fault: Option<String>,
    /// The number of times the file was reread from its start because it had been replaced.
    generation: u32,
}

/// File metadata that changes whenever the file does.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
}

/// Everything that was read from a file.
#[derive(Debug)]
struct Reading {
    tail: Tail,
    headers: HeadersRead,
    /// That of the last configuration, which applies to all games, including those before it.
    schedule: Schedule,
    /// Lines read so far, and how many of them were not repetitions.
    lines: usize,
    news: usize,
    results: GameResults,
    totals: GameTotals,
    /// The games in the order of the file.
    finished: Vec<FollowedGame>,
    standing: Standing,
}

/// A game of the file.
#[derive(Debug)]
struct FollowedGame {
    /// The game's place in the schedule.
    index: usize,
    /// The number of its line, and where it is.
    line: (usize, Span),
}

impl MatchFollower {
    /// Reads a match's file for the first time.
    pub fn open(path: &Path) -> Result<Self, MatchError> {
        // Read before the file: a change in between then makes the next update read the file again.
        let stamp = Stamp::read(path);
        let reading = Reading::open(path)?;
        Ok(Self { path: path.to_owned(), stamp, reading, fault: None, generation: 0 })
    }

    /// Reads what is new in the file; returns whether there was anything new.
    pub fn update(&mut self) -> bool {
        let stamp = Stamp::read(&self.path);
        if stamp == self.stamp {
            return false;
        }
        // A file that changed without growing was rewritten, and one with a fault has to be
        // repaired first: both are read from the start.
        let has_grown = match (&self.stamp, &stamp) {
            (Some(old), Some(new)) => new.length > old.length,
            _ => false,
        };
        let is_same = self.fault.is_none() && has_grown && self.reading.tail.is_in_place();
        self.stamp = stamp;
        let known = (self.reading.news, self.generation, self.fault.take());
        if let Err(error) = self.read(is_same) {
            self.fault = Some(error.to_string());
        }
        known != (self.reading.news, self.generation, self.fault.clone())
    }

    fn read(&mut self, is_same: bool) -> Result<(), MatchError> {
        if is_same {
            return self.reading.read_on(&self.path);
        }
        self.reading = Reading::open(&self.path)?;
        self.generation += 1;
        Ok(())
    }

    /// Why the file could not be read to its end; what was read before is kept.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// The number of times the file was reread from its start because it had been replaced.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// The event of the match, or who plays.
    pub fn title(&self) -> String {
        html::title(&self.reading.schedule)
    }

    /// The configuration that applies to all games.
    pub(crate) fn config(&self) -> &MatchConfig {
        &self.reading.schedule.config
    }

    /// The results of the finished games.
    pub(crate) fn results(&self) -> &GameResults {
        &self.reading.results
    }

    /// The games of the schedule, finished or not.
    pub fn scheduled(&self) -> usize {
        self.reading.schedule.fixtures.len()
    }

    /// The results in sentences.
    pub fn sentences(&self) -> Vec<String> {
        summary::sentences(&self.reading.schedule, &self.reading.standing)
    }

    /// Tables and charts.
    pub fn overview(&self) -> Vec<Section> {
        let Reading { schedule, standing, totals, headers, .. } = &self.reading;
        html::overview(schedule, standing, totals, Some(&headers.runs))
    }

    /// The meaning of the players and marks in [`MatchFollower::titles`] and
    /// [`MatchFollower::game`].
    pub fn legend(&self) -> Legend {
        Legend::new(&self.reading.schedule)
    }

    /// The finished games in the order of the file.
    pub fn titles(&self) -> impl ExactSizeIterator<Item = GameTitle> {
        let Reading { schedule, results, finished, .. } = &self.reading;
        finished.iter().map(|FollowedGame { index, .. }| GameTitle {
            number: (index + 1).to_string(),
            players: schedule.fixtures[*index].players,
            result: results[index].ending.to_string(),
        })
    }

    /// The moves made from a position in the finished games: one per game, with the half points
    /// that its player scored.
    pub fn played_from(&self, position: &Position) -> impl Iterator<Item = (Pit, u32)> {
        let Reading { schedule, results, .. } = &self.reading;
        results.iter().filter_map(|(&index, result)| {
            result.played_from(schedule.opening(&schedule.fixtures[index]), position)
        })
    }

    /// The finished game with this number, and its variations; none if there is no such game.
    ///
    /// # Errors
    /// [`MatchError`] if its line can no longer be read.
    pub fn game(&self, number: &str) -> Result<Option<Vec<GameData>>, MatchError> {
        let Reading { tail, schedule, finished, .. } = &self.reading;
        let number = number.parse().unwrap_or(0);
        let found = finished.iter().find(|finished| finished.index + 1 == number);
        let Some(FollowedGame { index, line: (line_number, span) }) = found else {
            return Ok(None);
        };
        let line = tail.line(*span).map_err(AccessError::reading(&self.path))?;
        let game = HeadersRead::default().game_of(&line, *line_number, &self.path)?;
        Ok(game.map(|game| GameData::lines_of(&schedule.fixtures[*index], &game)))
    }
}

impl Stamp {
    fn read(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        Some(Self { length: metadata.len(), modified: metadata.modified().ok() })
    }
}

impl Reading {
    /// Reads a file from its start.
    fn open(path: &Path) -> Result<Self, MatchError> {
        let mut headers = HeadersRead::default();
        let lines = file::tail(path)?.next_lines().map_err(AccessError::reading(path))?;
        let Some((_, first)) = lines.first() else {
            return Err(MatchError::in_file(path, "expected a whole line, got none"));
        };
        headers.game_of(first, 1, path)?;
        let config = headers.config.clone().ok_or_else(|| file::without_configuration(path))?;
        let mut reading = Self {
            tail: file::tail(path)?,
            headers,
            schedule: Schedule::new(config)?,
            lines: 0,
            news: 0,
            results: GameResults::new(),
            totals: GameTotals::default(),
            finished: Vec::new(),
            standing: Standing::default(),
        };
        reading.read_on(path)?;
        Ok(reading)
    }

    /// Reads the lines that were appended.
    fn read_on(&mut self, path: &Path) -> Result<(), MatchError> {
        loop {
            let lines = self.tail.next_lines().map_err(AccessError::reading(path))?;
            if lines.is_empty() {
                break;
            }
            for (span, line) in lines {
                self.lines += 1;
                let runs = self.headers.runs.len();
                match self.headers.game_of(&line, self.lines, path)? {
                    Some(game) => self.add(&game, span, path)?,
                    None => self.adopt_config(path)?,
                }
                self.news += self.headers.runs.len() - runs;
            }
        }
        self.standing = Standing::after(&self.standing, &self.schedule, &self.results);
        Ok(())
    }

    /// Adopts the last configuration. Games keep their places when a match is extended or its test
    /// changes.
    fn adopt_config(&mut self, path: &Path) -> Result<(), MatchError> {
        let config = self.headers.config.as_ref().filter(|&config| *config != self.schedule.config);
        let Some(config) = config else { return Ok(()) };
        let schedule = Schedule::new(config.clone())?;
        for &index in self.results.keys() {
            let id = &self.schedule.fixtures[index].id;
            if schedule.fixtures.get(index).is_none_or(|fixture| fixture.id != *id) {
                return Err(MatchError::Foreign { path: path.to_owned(), id: id.clone() });
            }
        }
        self.schedule = schedule;
        self.news += 1;
        Ok(())
    }

    fn add(&mut self, game: &Game, span: Span, path: &Path) -> Result<(), MatchError> {
        let index = self.schedule.place_of(game, path)?;
        let Some(result) = GameResult::from_game(game) else { return Ok(()) };
        // A merged file may hold a game twice, if two parts of the match have played it.
        if let Some(known) = self.results.get(&index) {
            let is_same = known.is_same_game(&result);
            return if is_same { Ok(()) } else { Err(file::contradicted(game, path)) };
        }
        let fixture = &self.schedule.fixtures[index];
        self.news += 1;
        self.totals.add(fixture, game);
        self.results.insert(index, result);
        self.finished.push(FollowedGame { index, line: (self.lines, span) });
        Ok(())
    }
}
