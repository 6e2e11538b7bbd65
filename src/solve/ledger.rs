//! The file from which a long proof can be continued.
//!
//! Each line is an `Entry`: proved bounds of a position's gain or, in a proof in pieces,
//! its goal or a split. A line is appended and synced as soon as it is known, so that
//! nothing proved is lost, however the process ends. If several lines are about one
//! position, their bounds are intersected.

use std::io::{self, ErrorKind};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::solver::without_stores;
use super::tree::Tree;
use crate::game::score::{Gain, Interval};
use crate::game::{Capture, Position};
use crate::sys::journal::{self, Journal};

const HEADER: &str = r#"{"journal":"kalah proofs 1"}"#;

/// A line of a ledger. Positions in it are *bare*: without stores, South to move.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Entry {
    Goal(Goal),
    Split(Split),
    Proved(Proved),
}

impl Entry {
    /// # Errors
    /// A message if the text is not an entry.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }
}

/// The goal of a proof in pieces, and the rules for splitting it: the first line of its
/// ledger, and a further line for each change of the goal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Goal {
    /// The text of the position, stores included.
    pub root: String,
    /// The capture rule of all positions in the ledger.
    pub capture: Capture,
    /// The goal is to decide whether the mover's margin is at least this; if none, to prove
    /// the exact margin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_least: Option<i32>,
    /// The estimated margin, before anything is proved.
    pub estimate: i32,
    /// Seconds after which a question is split.
    pub piece_seconds: f64,
    /// Nodes after which a question is split, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece_nodes: Option<u64>,
    /// Seconds after which a question returns if its worker does not renew its lease.
    pub lease_seconds: f64,
}

impl Goal {
    pub(super) fn is_about_same(&self, other: &Self) -> bool {
        (&self.root, self.capture) == (&other.root, other.capture)
    }

    /// The root, stores included.
    ///
    /// # Errors
    /// A message if its text is not a position.
    pub(super) fn position(&self) -> Result<Position, String> {
        Position::parse(&self.root, self.capture).map_err(|error| error.to_string())
    }
}

/// A question that took too long and is replaced by its moves.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Split {
    #[serde(flatten)]
    pub bare: Bare,
    /// The estimated gain after each move, from the point of view of the mover after
    /// it, in the order of [`Position::children`].
    pub estimates: Vec<i32>,
    #[serde(flatten)]
    pub cost: Cost,
}

/// Bounds of a gain, of the parity of the seeds in play.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Proved {
    #[serde(flatten)]
    pub bare: Bare,
    pub lower: i32,
    pub upper: i32,
    /// The question that it answers, if it is the result of a piece.
    #[serde(flatten)]
    pub answer: Option<Answer>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Answer {
    /// The bound asked about.
    pub at_least: i32,
    #[serde(flatten)]
    pub cost: Cost,
}

/// The cost of a piece.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Cost {
    /// Positions visited, all threads together.
    pub nodes: u64,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

/// A bare position as text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Bare {
    position: String,
    capture: Capture,
}

impl Bare {
    pub(super) fn new(bare: &Position) -> Self {
        Self { position: bare.to_string(), capture: bare.capture() }
    }

    /// # Errors
    /// A message if the text is not a position without stores.
    pub(super) fn position(&self) -> Result<Position, String> {
        let position = Position::parse(&self.position, self.capture);
        let position = position.map_err(|error| error.to_string())?;
        if position != without_stores(&position) {
            let got = &self.position;
            return Err(format!("expected a position without stores and S to move, got {got}"));
        }
        Ok(position)
    }
}

impl Proved {
    pub(super) fn new(bare: &Position, gain: Interval<Gain>, answer: Option<Answer>) -> Self {
        Self { bare: Bare::new(bare), lower: gain.lower.0, upper: gain.upper.0, answer }
    }

    pub(super) fn gain(&self) -> Interval<Gain> {
        Interval { lower: Gain(self.lower), upper: Gain(self.upper) }
    }

    /// # Errors
    /// A message if no position can have such a gain.
    pub(super) fn checked(&self) -> Result<(Position, Interval<Gain>), String> {
        let position = self.bare.position()?;
        let seeds = position.in_play() as i32;
        let gain = self.gain();
        let possible = gain.and(Interval::within(Gain(seeds))) == gain && gain.lower <= gain.upper;
        let parity = [gain.lower, gain.upper].iter().all(|bound| (bound.0 - seeds) % 2 == 0);
        if !possible || !parity {
            return Err(format!("expected bounds of the parity of {seeds} within it, got {gain}"));
        }
        Ok((position, gain))
    }
}

/// Proved bounds and their file.
#[derive(Debug, Default)]
pub struct Ledger {
    /// None if the file is only read.
    journal: Option<Journal>,
    pub(super) tree: Tree,
    pub(super) entries: Vec<Entry>,
    /// The last goal, if this is the ledger of a proof in pieces.
    pub(super) goal: Option<Goal>,
}

impl Ledger {
    /// Reads the ledger at `path`, or begins one there. No other process can open it
    /// meanwhile.
    ///
    /// # Errors
    /// As [`Journal::open`]; also if a bound is impossible or two contradict each
    /// other.
    pub fn open(path: &Path) -> io::Result<Self> {
        let (journal, lines) = Journal::open(path, HEADER)?;
        Self::of(Some(journal), &lines)
    }

    /// As [`Ledger::open`], but waits for other processes that have it locked.
    pub(super) fn open_shared(path: &Path) -> io::Result<Self> {
        let (journal, lines) = Journal::open_shared(path, HEADER)?;
        Self::of(Some(journal), &lines)
    }

    /// Reads the ledger at `path`, which other processes may write.
    pub(super) fn read(path: &Path) -> io::Result<Self> {
        Self::of(None, &Self::lines(path)?)
    }

    /// The lines of the ledger at `path` after the header.
    pub(super) fn lines(path: &Path) -> io::Result<Vec<String>> {
        journal::read(path, HEADER)
    }

    fn of(journal: Option<Journal>, lines: &[String]) -> io::Result<Self> {
        let mut ledger = Self { journal, ..Self::default() };
        ledger.read_lines(lines)?;
        Ok(ledger)
    }

    fn read_lines(&mut self, lines: &[String]) -> io::Result<()> {
        for text in lines {
            let read = Entry::parse(text).and_then(|entry| self.push(entry));
            // The header is the first line.
            let line = self.entries.len() + 2;
            read.map_err(|error| invalid(format!("line {line}: {error}")))?;
        }
        Ok(())
    }

    /// Applies an entry that is in the file.
    ///
    /// # Errors
    /// A message if it is impossible or contradicts another.
    pub(super) fn push(&mut self, entry: Entry) -> Result<(), String> {
        self.apply(&entry)?;
        self.entries.push(entry);
        Ok(())
    }

    fn apply(&mut self, entry: &Entry) -> Result<(), String> {
        let applied = match entry {
            Entry::Goal(goal) => {
                let root = goal.position()?;
                let estimate = Gain(goal.estimate) - root.lead(root.side());
                self.tree.set_estimate(&without_stores(&root), estimate);
                self.goal = Some(goal.clone());
                Ok(())
            }
            Entry::Proved(proved) => {
                let (bare, gain) = proved.checked()?;
                self.tree.prove(&bare, gain)
            }
            Entry::Split(split) => {
                let bare = split.bare.position()?;
                let (moves, got) = (bare.moves().len(), split.estimates.len());
                if got == 0 || got != moves || self.tree.is_split(&bare) {
                    return Err(format!("expected {moves} estimates, once, got {got}"));
                }
                self.tree.split(&bare, &split.estimates)
            }
        };
        applied.map_err(|error| error.to_string())
    }

    /// Lets other processes append, until [`Ledger::resume`].
    pub(super) fn pause(&mut self) {
        self.journal.iter_mut().for_each(Journal::pause);
    }

    /// Locks the ledger again and reads what others have appended.
    pub(super) fn resume(&mut self) -> io::Result<()> {
        let lines = self.journal.as_mut().map_or(Ok(Vec::new()), Journal::resume)?;
        self.read_lines(&lines)
    }

    /// The positions, without stores, and the proved bounds of their gains.
    pub fn bounds(&self) -> impl Iterator<Item = (&Position, Interval<Gain>)> {
        self.tree.bounds().filter(|(bare, gain)| {
            let trivial = Interval::within(Gain(bare.in_play() as i32));
            *gain != trivial
        })
    }

    /// The proved bounds of the gain of `position`.
    pub fn gain(&self, position: &Position) -> Interval<Gain> {
        self.tree.gain(&without_stores(position))
    }

    /// Whether an entry adds something to the ledger.
    pub(super) fn is_new(&self, entry: &Entry) -> bool {
        match entry {
            Entry::Goal(_) => true,
            Entry::Split(Split { bare, .. }) => {
                bare.position().is_ok_and(|bare| !self.tree.is_split(&bare))
            }
            Entry::Proved(proved) => proved.bare.position().is_ok_and(|bare| {
                let known = self.tree.gain(&bare);
                proved.gain().and(known) != known
            }),
        }
    }

    /// Appends the bounds of the gain of `bare`, a position without stores, if they
    /// are narrower than those in the ledger.
    ///
    /// # Errors
    /// That of the system, or if the bounds contradict others. They can be added again.
    pub fn add(&mut self, bare: &Position, gain: Interval<Gain>) -> io::Result<()> {
        let entry = Entry::Proved(Proved::new(bare, gain, None));
        if self.is_new(&entry) { self.append(vec![entry]) } else { Ok(()) }
    }

    /// Appends entries.
    ///
    /// # Errors
    /// That of the system; [`ErrorKind::InvalidData`] if an entry contradicts others.
    /// Nothing has changed then.
    pub(super) fn append(&mut self, mut entries: Vec<Entry>) -> io::Result<()> {
        // Checked before writing: a wrong line in the file would end every worker.
        let checked = entries.iter().try_for_each(|entry| self.apply(entry));
        let checked = checked.map_err(|error| invalid(format!("not appended: {error}")));
        let written = checked.and_then(|()| self.write(&entries));
        if written.is_err() {
            self.rebuild();
        } else {
            self.entries.append(&mut entries);
        }
        written
    }

    fn write(&mut self, entries: &[Entry]) -> io::Result<()> {
        let lines: Vec<String> =
            entries.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
        self.journal.as_mut().map_or(Ok(()), |journal| journal.append_all(&lines))
    }

    /// Forgets entries that were applied but are not in the file.
    fn rebuild(&mut self) {
        (self.tree, self.goal) = Default::default();
        for entry in std::mem::take(&mut self.entries) {
            // Each could be applied when it was read or appended.
            let _ = self.push(entry);
        }
    }
}

fn invalid(fault: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, fault)
}

#[cfg(test)]
mod tests {
    use super::super::solver::{Settings, SolveError, Solver};
    use super::*;
    use crate::game::Rules;
    use std::fs;
    use std::path::PathBuf;

    fn start(pits: u32, seeds: u32) -> Position {
        Position::start(Rules::new(pits, seeds, Capture::Standard).unwrap())
    }

    fn solver(ledger: &Ledger, start: &Position) -> Solver {
        let mut solver = Solver::new(start, Settings::default()).unwrap();
        ledger.bounds().for_each(|(bare, gain)| solver.import_bounds(bare, gain));
        solver
    }

    /// A ledger that says `lower` and `upper` of a position.
    fn planted(position: &str, lower: i32, upper: i32) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("proofs");
        let (mut journal, _) = Journal::open(&path, HEADER).unwrap();
        let line = format!(
            r#"{{"position":"{position}","capture":"standard","lower":{lower},"upper":{upper}}}"#
        );
        journal.append(&line).unwrap();
        (folder, path)
    }

    #[test]
    fn a_stopped_solve_continues_from_its_bounds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("proofs");
        let start = start(4, 5);
        let mut ledger = Ledger::open(&path).unwrap();
        let mut first = Solver::new(&start, Settings::default()).unwrap();
        let stopped = first.margin(&start, None, &mut |progress| {
            ledger.add(&progress.bare, progress.gain).unwrap();
            progress.gain == Interval::within(Gain(40))
        });
        assert!(stopped.is_err());
        drop(ledger);

        let resumed = Ledger::open(&path).unwrap();
        let (_, kept) = resumed.bounds().next().expect("a proved bound");
        assert!(kept.lower > Gain(-40) || kept.upper < Gain(40), "{kept:?}");
        let mut first = None;
        let margin = solver(&resumed, &start).margin(&start, None, &mut |progress| {
            first.get_or_insert(progress.gain);
            true
        });
        assert_eq!(margin.unwrap(), Gain(4));
        let first = first.expect("a bound left to prove");
        assert!(first.lower >= kept.lower && first.upper <= kept.upper);
    }

    #[test]
    fn impossible_bounds_are_refused_with_their_line() {
        for (lower, upper) in [(0, 4), (-4, 2), (1, 1), (2, 0), (-2, 1)] {
            let (_folder, path) = planted("<1,0,0,1,1> S", lower, upper);
            let error = Ledger::open(&path).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidData);
            assert!(error.to_string().starts_with("line 2: expected"), "{error}");
        }
        for position in ["<1,1,0,1,1> S", "<1,0,0,1,1> N"] {
            let (_folder, path) = planted(position, 0, 0);
            assert!(Ledger::open(&path).is_err(), "{position}");
        }
        let (_folder, path) = planted("<1,0,0,1,1> S", 0, 0);
        let (mut journal, lines) = Journal::open(&path, HEADER).unwrap();
        journal.append(&lines[0].replace('0', "2").replace("<1,2,2", "<1,0,0")).unwrap();
        drop(journal);
        let error = Ledger::open(&path).unwrap_err().to_string();
        assert_eq!(error, "line 3: contradicts an earlier one");
    }

    #[test]
    fn wrong_bounds_end_a_solve_with_an_error() {
        let start = start(3, 3);
        // The gain is 2 (tests/data/solved.tsv).
        for (lower, upper) in [(8, 8), (8, 18), (-18, 0), (0, 0), (-2, -2)] {
            let (_folder, path) = planted("<3,0,0,3,3,3,3,3,3> S", lower, upper);
            let ledger = Ledger::open(&path).unwrap();
            let solved = solver(&ledger, &start).solve(&start, &mut |_| true);
            let contradicts = matches!(solved, Err(SolveError::Contradiction { .. }));
            assert!(contradicts, "{lower} to {upper}: {solved:?}");
        }
    }

    fn parse(text: &str) -> Position {
        Position::parse(text, Capture::Standard).unwrap()
    }

    fn exactly(text: &str, gain: i32) -> Entry {
        Entry::Proved(Proved::new(&parse(text), Interval::exactly(Gain(gain)), None))
    }

    #[test]
    fn what_contradicts_the_ledger_or_splits_an_end_is_not_appended() {
        let (_folder, path) = planted("<1,0,0,1,1> S", 0, 0);
        let before = fs::read(&path).unwrap();
        let mut ledger = Ledger::open(&path).unwrap();
        let cost = Cost { nodes: 1, seconds: 0.1 };
        let over = Bare::new(&parse("<2,0,0,0,0,3,3> S"));
        for wrong in [
            vec![exactly("<1,0,0,1,1> S", 2)],
            vec![exactly("<1,0,0,2,1> S", 1), exactly("<1,0,0,1,1> S", -2)],
            vec![Entry::Split(Split { bare: over, estimates: Vec::new(), cost })],
        ] {
            let error = ledger.append(wrong).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidData);
            assert!(error.to_string().starts_with("not appended: "), "{error}");
            assert_eq!(fs::read(&path).unwrap(), before);
            assert_eq!(ledger.bounds().count(), 1);
        }
    }
}
