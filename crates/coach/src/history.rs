//! The history of exercises: the lessons solved, the first answers to puzzles, and the puzzles
//! found in the player's own games. It is kept in a journal in the folder of the saved games, or by
//! the caller.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};

use crate::exercise::ReplyKind;
use crate::puzzle::{self, Puzzle};
use kalah_sys::clock::now;
use kalah_sys::journal::{Journal, LockWait};
use kalah_text::format::counted;

/// A line of the journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum HistoryEntry {
    /// The first answer to a puzzle since it was set.
    Answer { puzzle: String, right: bool, date: String },
    /// A lesson that was solved, by its title: lessons may be reordered.
    Lesson { lesson: String, date: String },
    /// A saved game that was searched for puzzles: the name of its file, and the puzzles found,
    /// as lines of `puzzles.tsv`.
    Game { file: String, puzzles: Vec<String> },
}

const HEADER: &str = r#"{"kalah":"puzzles","version":1}"#;

/// The answers and the puzzles of the player's own games. Entries that cannot be saved, because
/// the disk is full or another program has the journal locked, are kept and saved later.
#[derive(Debug, Default)]
pub struct PuzzleHistory {
    /// The file of the journal; without one, the history is kept in memory only.
    path: Option<PathBuf>,
    /// Whether the caller keeps the entries.
    is_lent: bool,
    /// None until it has been read without a failure, and after a failure.
    journal: Option<Journal>,
    /// Entries that are not in the file yet.
    unsaved: Vec<HistoryEntry>,
    /// Why the journal cannot be used at the moment.
    failure: Option<io::Error>,
    /// All entries: those of the file, then the unsaved ones.
    known: KnownEntries,
    /// Puzzles for which an answer or a hint was given since they were set: further answers do
    /// not count.
    attempted: HashSet<String>,
}

#[derive(Debug, Default)]
struct KnownEntries {
    answers: Vec<(String, bool)>,
    /// The titles of the lessons solved.
    lessons: HashSet<String>,
    /// The files of the saved games that were searched for puzzles.
    games: HashSet<String>,
    /// The puzzles found in them.
    own: Vec<Puzzle>,
}

impl KnownEntries {
    fn take(&mut self, entry: HistoryEntry) {
        match entry {
            HistoryEntry::Answer { puzzle, right, .. } => self.answers.push((puzzle, right)),
            HistoryEntry::Lesson { lesson, .. } => drop(self.lessons.insert(lesson)),
            HistoryEntry::Game { file, puzzles } => {
                // Two programs may have searched the same game at once.
                if self.games.insert(file) {
                    self.own.extend(puzzles.iter().filter_map(|line| line.parse().ok()));
                }
            }
        }
    }
}

impl PuzzleHistory {
    /// The history in the folder of the saved games; in memory only if there is none. If the file
    /// cannot be used, [`trouble`](Self::trouble) says why.
    pub fn load(folder: Option<&Path>) -> Self {
        let path = folder.map(|folder| folder.join("puzzles.jsonl"));
        let mut history = Self { path, ..Self::default() };
        history.refresh();
        history
    }

    /// The history in the lines that its caller keeps.
    pub fn from_lines<'a>(lines: impl Iterator<Item = &'a str>) -> Self {
        let mut history = Self { is_lent: true, ..Self::default() };
        // A line written by another version that this one cannot read is skipped.
        let entries = lines.filter_map(|line| serde_json::from_str(line).ok());
        entries.for_each(|entry| history.known.take(entry));
        history
    }

    /// The lines to keep for the next [`PuzzleHistory::from_lines`], since the last call.
    pub fn take_lines(&mut self) -> Vec<String> {
        let lines = self.unsaved.drain(..).map(|entry| serde_json::to_string(&entry));
        lines.flatten().collect()
    }

    /// Adds an entry, and reads those that other programs have appended.
    fn add(&mut self, entry: HistoryEntry) {
        // If neither a file nor the caller keeps the entries, unsaved ones would only accumulate.
        if self.path.is_some() || self.is_lent {
            self.unsaved.push(entry.clone());
        }
        if !self.refresh() {
            self.known.take(entry);
        }
    }

    /// Exchanges entries with other programs through the journal; returns whether that was
    /// possible. After a failure, the next call tries again.
    pub fn refresh(&mut self) -> bool {
        let Some(path) = self.path.clone() else { return false };
        self.failure = self.exchange(&path).err();
        if let Some(error) = &self.failure {
            // Not logged as a warning, because front ends show `trouble` in a sentence.
            log::info!("{}: {error}", path.display());
        }
        self.failure.is_none()
    }

    /// Whether all answers are in a file, or kept by the caller.
    pub fn is_saved(&self) -> bool {
        self.is_lent || (self.path.is_some() && self.failure.is_none())
    }

    /// Why answers are not in the file at present, in a sentence; none if they are, or if there
    /// is no file to keep them in.
    pub fn trouble(&self) -> Option<String> {
        let path = self.path.as_ref()?.display();
        let error = self.failure.as_ref()?;
        Some(format!("Your answers are not being saved: {path}: {error}."))
    }

    /// Reads the entries that other programs have appended, and appends the unsaved ones.
    /// Changes nothing in memory unless all of that succeeds, except that the journal is closed:
    /// the next exchange then reads it from its start, because it may be a different file.
    fn exchange(&mut self, path: &Path) -> io::Result<()> {
        let reopened = self.journal.is_none();
        let (mut journal, lines) = match self.journal.take() {
            Some(mut journal) => {
                let lines = journal.resume()?;
                (journal, lines)
            }
            None => {
                path.parent().map_or(Ok(()), fs::create_dir_all)?;
                Journal::open(path, HEADER, Some(LockWait::Briefly))?
            }
        };
        let mut entries = lines
            .iter()
            .map(|line| Ok(serde_json::from_str(line)?))
            .collect::<io::Result<Vec<HistoryEntry>>>()?;
        if !self.unsaved.is_empty() {
            let lines = self.unsaved.iter().map(serde_json::to_string);
            journal.append_all(&lines.collect::<Result<Vec<_>, _>>()?)?;
        }
        // Locked only during the exchange, so that several programs can share it.
        journal.pause();
        self.journal = Some(journal);
        if reopened {
            self.known = KnownEntries::default();
        }
        entries.append(&mut self.unsaved);
        entries.into_iter().for_each(|entry| self.known.take(entry));
        Ok(())
    }

    /// Sets a puzzle, so that the next answer to it counts as the first.
    pub fn set(&mut self, puzzle: &Puzzle) {
        self.attempted.remove(&puzzle.key());
    }

    /// Counts the first answer to a puzzle, unless the player had help first. Returns a
    /// sentence about its effect on the streak.
    pub fn note(&mut self, puzzle: &Puzzle, kind: ReplyKind) -> Option<String> {
        // A hint is not an answer, but it uses up the first attempt.
        let is_first = self.attempted.insert(puzzle.key());
        let right = match kind {
            ReplyKind::Hint | ReplyKind::More => return None,
            ReplyKind::Right => true,
            ReplyKind::Wrong | ReplyKind::Solution => false,
        };
        if is_first { Some(self.count(puzzle, right)) } else { None }
    }

    fn count(&mut self, puzzle: &Puzzle, right: bool) -> String {
        self.add(HistoryEntry::Answer { puzzle: puzzle.key(), right, date: now() });
        let before = streak(&self.known.answers[..self.known.answers.len() - 1]);
        match (right, before) {
            (true, _) => format!("Your streak is {}.", before + 1),
            (false, 0) => "Your streak stays at 0.".to_owned(),
            (false, _) => format!("Your streak of {before} has ended."),
        }
    }

    /// Whether the latest counted answer to a puzzle was right; none if there is none.
    pub fn latest(&self, puzzle: &Puzzle) -> Option<bool> {
        let key = puzzle.key();
        self.known.answers.iter().rev().find(|(known, _)| *known == key).map(|(_, right)| *right)
    }

    /// Records that a lesson was solved.
    pub fn keep_lesson(&mut self, title: &str) {
        if !self.has_solved_lesson(title) {
            self.add(HistoryEntry::Lesson { lesson: title.to_owned(), date: now() });
        }
    }

    /// Whether the lesson with a title was solved.
    pub fn has_solved_lesson(&self, title: &str) -> bool {
        self.known.lessons.contains(title)
    }

    fn longest_streak(&self) -> usize {
        self.known.answers.split(|(_, right)| !right).map(<[_]>::len).max().unwrap_or(0)
    }

    /// `So far, you have solved 12 of 15 puzzles at the first attempt. Your streak is 4, and your
    /// longest 9.`
    pub fn summary(&self) -> String {
        let right = self.known.answers.iter().filter(|(_, right)| *right).count();
        match self.known.answers.len() {
            0 => "You have not solved any puzzles yet.".to_owned(),
            all => format!(
                "So far, you have solved {right} of {} at the first attempt. Your streak is {}, \
                 and your longest is {}.",
                counted(all as u64, "puzzle"),
                streak(&self.known.answers),
                self.longest_streak()
            ),
        }
    }

    /// All puzzles with their numbers, which every front end shows: the built-in ones, then
    /// [those of the player's own games](Self::own).
    pub fn numbered(&self) -> Vec<(usize, Puzzle)> {
        (1..).zip([&puzzle::embedded(), self.own()].concat()).collect()
    }

    /// Sorts puzzles into the order in which they should be set: new ones first, by their rank;
    /// then those whose latest answer was wrong; then the rest. Among answered ones, the latest
    /// answers come last.
    pub fn ordered(&self, mut puzzles: Vec<(usize, Puzzle)>) -> Vec<(usize, Puzzle)> {
        let answers = self.known.answers.iter().enumerate();
        let latest: HashMap<&str, (bool, usize)> = answers
            .map(|(index, (puzzle, right))| (puzzle.as_str(), (*right, index + 1)))
            .collect();
        puzzles.sort_by_cached_key(|(_, puzzle)| {
            let answer = latest.get(puzzle.key().as_str()).copied();
            (answer.is_some(), answer, puzzle.rank())
        });
        puzzles
    }

    /// Whether a saved game was searched for puzzles.
    pub fn has_searched(&self, file: &str) -> bool {
        self.known.games.contains(file)
    }

    /// Records the puzzles found in a saved game, and that the game was searched.
    pub fn keep(&mut self, file: String, puzzles: &[Puzzle]) {
        self.add(HistoryEntry::Game {
            file,
            puzzles: puzzles.iter().map(Puzzle::to_string).collect(),
        });
    }

    /// The puzzles found in the player's own games.
    pub fn own(&self) -> &[Puzzle] {
        &self.known.own
    }
}

/// Right answers since the last wrong one.
fn streak(answers: &[(String, bool)]) -> usize {
    answers.iter().rev().take_while(|(_, right)| *right).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_sys::lock::FileLock;

    #[test]
    fn lessons_are_saved_by_title_and_shared() {
        let folder = tempfile::tempdir().unwrap();
        let mut history = PuzzleHistory::load(Some(folder.path()));
        assert!(!history.has_solved_lesson("Sowing"));
        history.keep_lesson("Sowing");
        history.keep_lesson("Sowing");
        let other = PuzzleHistory::load(Some(folder.path()));
        assert!(other.has_solved_lesson("Sowing") && !other.has_solved_lesson("Capturing"));
        let lines = fs::read_to_string(folder.path().join("puzzles.jsonl")).unwrap();
        assert_eq!(lines.matches("Sowing").count(), 1, "{lines}");
        assert_eq!(other.summary(), "You have not solved any puzzles yet.");
    }

    fn streak_in(folder: &Path) -> usize {
        streak(&PuzzleHistory::load(Some(folder)).known.answers)
    }

    #[test]
    fn a_history_that_the_caller_keeps_continues_from_its_lines() {
        let puzzles = puzzle::embedded();
        let mut history = PuzzleHistory::from_lines("{}\nof another version".lines());
        assert!(history.is_saved() && history.trouble().is_none());
        history.note(&puzzles[0], ReplyKind::Right);
        let lines = history.take_lines();
        assert_eq!((lines.len(), history.take_lines().len()), (1, 0));
        let mut next = PuzzleHistory::from_lines(lines.iter().map(String::as_str));
        assert_eq!(next.latest(&puzzles[0]), Some(true));
        assert_eq!(next.note(&puzzles[1], ReplyKind::Right).unwrap(), "Your streak is 2.");
    }

    // Windows does not allow an open file to be moved.
    #[cfg(not(windows))]
    #[test]
    fn answers_that_cannot_be_saved_are_kept_and_saved_later() {
        let folder = tempfile::tempdir().unwrap();
        let [file, moved] = ["puzzles.jsonl", "moved"].map(|name| folder.path().join(name));
        let puzzles = puzzle::embedded();
        let mut history = PuzzleHistory::load(Some(folder.path()));
        let mut solve = |index: usize| history.note(&puzzles[index], ReplyKind::Right).unwrap();
        assert_eq!(solve(0), "Your streak is 1.");
        fs::rename(&file, &moved).unwrap();
        fs::create_dir(&file).unwrap();
        assert_eq!([solve(1), solve(2)], ["Your streak is 2.", "Your streak is 3."]);
        assert!(history.trouble().unwrap().contains("puzzles.jsonl"));
        fs::remove_dir(&file).unwrap();
        fs::rename(&moved, &file).unwrap();
        let mut other = PuzzleHistory::load(Some(folder.path()));
        other.note(&puzzles[3], ReplyKind::Right);
        assert_eq!(history.note(&puzzles[4], ReplyKind::Right).unwrap(), "Your streak is 5.");
        assert_eq!((history.trouble(), streak_in(folder.path())), (None, 5));
    }

    #[test]
    fn loading_does_not_wait_for_a_history_locked_by_another_program() {
        let folder = tempfile::tempdir().unwrap();
        let puzzle = &puzzle::embedded()[0];
        PuzzleHistory::load(Some(folder.path())).note(puzzle, ReplyKind::Right);
        let lock = FileLock::new(&folder.path().join("puzzles.jsonl")).unwrap();
        lock.lock().unwrap();
        let mut history = PuzzleHistory::load(Some(folder.path()));
        assert!(history.trouble().unwrap().ends_with("in use by another process."));
        assert_eq!(history.note(puzzle, ReplyKind::Right).unwrap(), "Your streak is 1.");
        lock.unlock();
        assert!(history.refresh());
        assert_eq!((history.trouble(), streak_in(folder.path())), (None, 2));
    }
}
