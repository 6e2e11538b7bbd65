//! The history of puzzles: each first answer, and the puzzles of the player's own games, in
//! a journal beside the saved games.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::exercise::ReplyKind;
use super::puzzle::Puzzle;
use crate::sys::clock::now;
use crate::sys::format::counted;
use crate::sys::journal::Journal;

/// A line of the journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Entry {
    /// A first answer.
    Answer { puzzle: String, right: bool, date: String },
    /// A saved game that was searched for puzzles, by the name of its file, and the lines of
    /// those it has.
    Game { file: String, puzzles: Vec<String> },
}

const HEADER: &str = r#"{"kalah":"puzzles","version":1}"#;

/// The history; without a journal it is kept in memory.
#[derive(Debug, Default)]
pub(crate) struct PuzzleHistory {
    journal: Option<Journal>,
    answers: Vec<(String, bool)>,
    /// Puzzles that were answered, or with which the player was helped, since they were set:
    /// further answers do not count.
    attempted: HashSet<String>,
    games: HashSet<String>,
    own: Vec<Puzzle>,
}

impl PuzzleHistory {
    /// The history in the folder of the saved games.
    ///
    /// # Errors
    /// That of the system, or [`io::ErrorKind::InvalidData`] if the file is not a history.
    fn open(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let (mut journal, lines) = Journal::open_shared(&folder.join("puzzles.jsonl"), HEADER)?;
        let mut history = Self::default();
        for line in &lines {
            history.take(serde_json::from_str(line)?);
        }
        journal.pause();
        history.journal = Some(journal);
        Ok(history)
    }

    /// The history in a folder; in memory alone without one, or if the file cannot be used,
    /// which is reported.
    pub(crate) fn of(folder: Option<&Path>) -> Self {
        let Some(folder) = folder else { return Self::default() };
        Self::open(folder).unwrap_or_else(|error| {
            log::warn!("the answers are not saved: {}: {error}", folder.display());
            Self::default()
        })
    }

    fn take(&mut self, entry: Entry) {
        match entry {
            Entry::Answer { puzzle, right, .. } => self.answers.push((puzzle, right)),
            Entry::Game { file, puzzles } => {
                self.games.insert(file);
                self.own.extend(puzzles.iter().filter_map(|line| line.parse().ok()));
            }
        }
    }

    /// Appends an entry, after those that other programs have appended.
    fn add(&mut self, entry: Entry) {
        self.synchronise(Some(&entry));
        self.take(entry);
    }

    /// Takes the entries that other programs have appended.
    pub(crate) fn refresh(&mut self) {
        self.synchronise(None);
    }

    /// Whether answers are kept in a file.
    pub(crate) fn is_saved(&self) -> bool {
        self.journal.is_some()
    }

    /// A failure is reported once; the history then stays in memory.
    fn synchronise(&mut self, new: Option<&Entry>) {
        let Some(journal) = &mut self.journal else { return };
        match exchange(journal, new) {
            Ok(entries) => entries.into_iter().for_each(|entry| self.take(entry)),
            Err(error) => {
                log::warn!("the history of puzzles is not saved: {error}");
                self.journal = None;
            }
        }
    }

    /// Sets a puzzle, so that its next answer counts as the first.
    pub(crate) fn set(&mut self, puzzle: &Puzzle) {
        self.attempted.remove(&puzzle.key());
    }

    /// Counts the first answer to a puzzle, unless the player was helped before; returns its
    /// effect on the streak, in a sentence.
    pub(crate) fn note(&mut self, puzzle: &Puzzle, kind: ReplyKind) -> Option<String> {
        let is_first = self.attempted.insert(puzzle.key());
        let right = match kind {
            ReplyKind::Hint | ReplyKind::More => return None,
            ReplyKind::Right => true,
            ReplyKind::Wrong | ReplyKind::Solution => false,
        };
        is_first.then(|| self.count(puzzle, right))
    }

    fn count(&mut self, puzzle: &Puzzle, right: bool) -> String {
        self.add(Entry::Answer { puzzle: puzzle.key(), right, date: now() });
        let before = streak(&self.answers[..self.answers.len() - 1]);
        match (right, before) {
            (true, _) => format!("Your streak is {}.", before + 1),
            (false, 0) => "The streak stays at 0.".to_owned(),
            (false, _) => format!("Your streak of {before} has ended."),
        }
    }

    /// Whether the latest first answer to a puzzle was right; none if it was never answered.
    pub(crate) fn latest(&self, puzzle: &Puzzle) -> Option<bool> {
        let key = puzzle.key();
        self.answers.iter().rev().find(|(known, _)| *known == key).map(|(_, right)| *right)
    }

    fn longest_streak(&self) -> usize {
        self.answers.split(|(_, right)| !right).map(<[_]>::len).max().unwrap_or(0)
    }

    /// `You solved 12 of 15 puzzles at the first attempt. Your streak is 4, the longest 9.`
    pub(crate) fn summary(&self) -> String {
        let right = self.answers.iter().filter(|(_, right)| *right).count();
        match self.answers.len() {
            0 => "You have not solved any puzzles yet.".to_owned(),
            all => format!(
                "So far, you have solved {right} of {} at the first attempt. Your streak is {}, \
                 the longest {}.",
                counted(all as u64, "puzzle"),
                streak(&self.answers),
                self.longest_streak()
            ),
        }
    }

    /// The puzzles in the order in which they should be set: new ones, easy ones first, then
    /// those that were answered wrongly, then the others, the latest answers last.
    pub(crate) fn ordered<T>(&self, mut items: Vec<T>, puzzle: impl Fn(&T) -> &Puzzle) -> Vec<T> {
        let answers = self.answers.iter().enumerate();
        let latest: HashMap<&str, (bool, usize)> = answers
            .map(|(index, (puzzle, right))| (puzzle.as_str(), (*right, index + 1)))
            .collect();
        items.sort_by_cached_key(|item| {
            let puzzle = puzzle(item);
            let answer = latest.get(puzzle.key().as_str()).copied();
            (answer.is_some(), answer, puzzle.difficulty())
        });
        items
    }

    /// Whether a saved game was searched for puzzles.
    pub(crate) fn has_searched(&self, file: &str) -> bool {
        self.games.contains(file)
    }

    /// Keeps the puzzles of a saved game.
    pub(crate) fn keep(&mut self, file: String, puzzles: &[Puzzle]) {
        self.add(Entry::Game { file, puzzles: puzzles.iter().map(Puzzle::to_string).collect() });
    }

    /// The puzzles of the player's own games.
    pub(crate) fn own(&self) -> &[Puzzle] {
        &self.own
    }
}

/// Right answers since the last wrong one.
fn streak(answers: &[(String, bool)]) -> usize {
    answers.iter().rev().take_while(|(_, right)| *right).count()
}

/// Appends an entry, if there is a new one; returns those that others have appended before.
fn exchange(journal: &mut Journal, new: Option<&Entry>) -> io::Result<Vec<Entry>> {
    let lines = journal.resume()?;
    if let Some(entry) = new {
        journal.append(&serde_json::to_string(entry)?)?;
    }
    journal.pause();
    lines.iter().map(|line| Ok(serde_json::from_str(line)?)).collect()
}
