//! The file of a match, read while the match may still be writing it.
//!
//! Nothing is locked and nothing written. Of each game, only what standings, tables and
//! charts need stays in memory; its record is read again when it is asked for, so that a
//! match of many thousand games can be followed. The entry point is [`Follower`].

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::MatchError;
use super::config::MatchConfig;
use super::ledger::{self, Entry, Places, Run};
use super::page::viewer::{GameData, GameTitle, Meanings};
use super::page::{self, Particulars};
use super::report;
use super::schedule::Schedule;
use super::standing::{GameResult, GameResults, Standing};
use crate::record::{Course, Game, json};
use crate::report::Section;
use crate::sys::files::AccessError;
use crate::sys::journal::{Span, Tail};

/// A match, and what is known of its file.
#[derive(Debug)]
pub(crate) struct Follower {
    path: PathBuf,
    /// The file when it was last read.
    stamp: Option<Stamp>,
    reading: Reading,
    /// Why the file could not be read to its end; what was read before is still there.
    fault: Option<String>,
    /// How often the file was read from its start, because it had been replaced.
    generation: u32,
}

/// What changes whenever a file does.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
}

/// What was read of a file.
#[derive(Debug)]
struct Reading {
    tail: Tail,
    schedule: Schedule,
    runs: Vec<Run>,
    places: Places,
    /// Configurations in the file that are known, and those that were read.
    headers: usize,
    headers_read: usize,
    /// Lines that were read.
    lines: usize,
    results: GameResults,
    particulars: Particulars,
    /// The games in the order of the file.
    finished: Vec<Finished>,
    standing: Standing,
}

/// A game of the file.
#[derive(Debug)]
struct Finished {
    title: GameTitle,
    course: Course,
    /// Its place in the schedule.
    index: usize,
    line: (usize, Span),
}

impl Follower {
    /// Reads a match's file for the first time.
    ///
    /// # Errors
    /// As [`ledger::read`].
    pub(crate) fn open(path: &Path) -> Result<Self, MatchError> {
        let stamp = Stamp::of(path);
        let reading = Reading::of(path)?;
        Ok(Self { path: path.to_owned(), stamp, reading, fault: None, generation: 0 })
    }

    /// Reads what is new in the file; returns whether anything is.
    pub(crate) fn update(&mut self) -> bool {
        let stamp = Stamp::of(&self.path);
        if stamp == self.stamp {
            return false;
        }
        // A file that was rewritten with the same length is another one, and one with a fault
        // has to be repaired.
        let stamps = self.stamp.as_ref().zip(stamp.as_ref());
        let is_same = self.fault.is_none()
            && stamps.is_some_and(|(old, new)| new.length > old.length)
            && self.reading.tail.is_in_place();
        self.stamp = stamp;
        let known = (self.reading.finished.len(), self.generation, self.fault.take());
        if let Err(error) = self.read(is_same) {
            self.fault = Some(error.to_string());
        }
        known != (self.reading.finished.len(), self.generation, self.fault.clone())
    }

    fn read(&mut self, is_same: bool) -> Result<(), MatchError> {
        if is_same && self.reading.read_on(&self.path)? {
            return Ok(());
        }
        self.reading = Reading::of(&self.path)?;
        // An extended match still begins with the same games.
        self.generation += u32::from(!is_same);
        Ok(())
    }

    /// Why the file could not be read to its end; what was read before is still there.
    pub(crate) fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// How often the file was read from its start because it was not the same any more.
    pub(crate) fn generation(&self) -> u32 {
        self.generation
    }

    pub(crate) fn title(&self) -> String {
        page::title(&self.reading.schedule)
    }

    /// The games of the schedule, finished or not.
    pub(crate) fn scheduled(&self) -> usize {
        self.reading.schedule.fixtures.len()
    }

    /// The results in sentences.
    pub(crate) fn sentences(&self) -> Vec<String> {
        report::sentences(&self.reading.schedule, &self.reading.standing)
    }

    /// Tables and charts.
    pub(crate) fn overview(&self) -> Vec<Section> {
        let Reading { schedule, standing, particulars, runs, .. } = &self.reading;
        page::overview(schedule, standing, particulars, Some(runs))
    }

    /// What the players and marks in [`Follower::titles`] and [`Follower::game`] mean.
    pub(crate) fn meanings(&self) -> Meanings {
        Meanings::of(&self.reading.schedule)
    }

    /// The finished games in the order of the file.
    pub(crate) fn titles(&self) -> impl ExactSizeIterator<Item = &GameTitle> {
        self.reading.finished.iter().map(|finished| &finished.title)
    }

    /// The finished games in short.
    pub(crate) fn courses(&self) -> impl Iterator<Item = &Course> {
        self.reading.finished.iter().map(|finished| &finished.course)
    }

    /// A finished game by its number, with its variations; none if there is no such game.
    ///
    /// # Errors
    /// [`MatchError::Failed`] if its line can no longer be read.
    pub(crate) fn game(&self, number: &str) -> Result<Option<Vec<GameData>>, MatchError> {
        let Reading { tail, schedule, finished, .. } = &self.reading;
        let found = finished.iter().find(|finished| finished.title.number() == number);
        let Some(Finished { index, line: (line_number, span), .. }) = found else {
            return Ok(None);
        };
        let line = tail.line(*span).map_err(AccessError::reading(&self.path))?;
        match Entry::of(&line, *line_number, &self.path)? {
            Entry::Played(game) => Ok(Some(GameData::all_of(&schedule.fixtures[*index], &game))),
            Entry::Begun(..) => Ok(None),
        }
    }
}

impl Stamp {
    fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        Some(Self { length: metadata.len(), modified: metadata.modified().ok() })
    }
}

impl Reading {
    /// Reads a file from its start.
    fn of(path: &Path) -> Result<Self, MatchError> {
        loop {
            let (configs, runs) = configurations(path)?;
            let headers = configs.len();
            // The last one holds for all games, also for those before it.
            let config = configs.into_iter().next_back();
            let expected = "expected a whole line, got none";
            let config = config.ok_or_else(|| ledger::failed(path, &expected))?;
            let schedule = Schedule::new(config)?;
            let mut reading = Self {
                tail: ledger::tail(path)?,
                places: Places::of(&schedule),
                schedule,
                runs,
                headers,
                headers_read: 0,
                lines: 0,
                results: GameResults::new(),
                particulars: Particulars::default(),
                finished: Vec::new(),
                standing: Standing::default(),
            };
            if reading.read_on(path)? {
                return Ok(reading);
            }
        }
    }

    /// Reads the lines that were appended; false if one of them changes the match, which is
    /// then to be read from its start.
    fn read_on(&mut self, path: &Path) -> Result<bool, MatchError> {
        loop {
            let lines = self.tail.next_lines().map_err(AccessError::reading(path))?;
            if lines.is_empty() {
                break;
            }
            for (span, line) in lines {
                self.lines += 1;
                match Entry::of(&line, self.lines, path)? {
                    Entry::Played(game) => self.add(&game, span, path)?,
                    Entry::Begun(header) => {
                        self.headers_read += 1;
                        if self.headers_read > self.headers {
                            if header.r#match != self.schedule.config {
                                return Ok(false);
                            }
                            let new = header.run.filter(|run| !self.runs.contains(run));
                            self.runs.extend(new);
                        }
                    }
                }
            }
        }
        let open_pairs = self.standing.open_pairs();
        self.standing = Standing::after(&self.schedule, &self.results, open_pairs);
        Ok(true)
    }

    fn add(&mut self, game: &Game, span: Span, path: &Path) -> Result<(), MatchError> {
        let index = self.places.find(game, path)?;
        let (Some(result), Some(course)) = (GameResult::of(game), Course::of(game)) else {
            return Ok(());
        };
        if let Some(known) = self.results.get(&index) {
            let is_same = known.is_same_game(&result);
            return if is_same { Ok(()) } else { Err(ledger::contradicted(game, path)) };
        }
        let fixture = &self.schedule.fixtures[index];
        self.particulars.add(fixture, game);
        self.results.insert(index, result);
        let title = GameTitle::of(fixture, game, None);
        self.finished.push(Finished { title, course, index, line: (self.lines, span) });
        Ok(())
    }
}

/// The configurations in a match's file, and how its parts were run, without repetitions.
fn configurations(path: &Path) -> Result<(Vec<MatchConfig>, Vec<Run>), MatchError> {
    let (mut configs, mut runs) = (Vec::new(), Vec::new());
    let mut tail = ledger::tail(path)?;
    let mut number = 0;
    loop {
        let lines = tail.next_lines().map_err(AccessError::reading(path))?;
        if lines.is_empty() {
            return Ok((configs, runs));
        }
        for (_, line) in lines {
            number += 1;
            if json::is_header(&line)
                && let Entry::Begun(header) = Entry::of(&line, number, path)?
            {
                configs.push(header.r#match);
                runs.extend(header.run.filter(|run| !runs.contains(run)));
            }
        }
    }
}
