//! The file from which a long proof can be resumed.
//!
//! Each line is a `LedgerEntry`: proved bounds of a position's gain or, in a proof in pieces,
//! its goal or a split. A line is appended and synced as soon as it is known, so that
//! nothing proved is lost, however the process ends. If several lines are about one
//! position, their bounds are intersected.

use std::ops::Not;
use std::path::Path;
use std::{fmt, io};

use serde::{Deserialize, Serialize};

use super::solver::Provenance;
use super::tree::QuestionTree;
use kalah_game::{Capture, Gain, Interval, Position, PositionText};
use kalah_sys::files::invalid;
use kalah_sys::journal::{self, Journal, LockWait};
use kalah_text::format::counted;

const HEADER: &str = r#"{"journal":"kalah proofs 1"}"#;

/// A line of a ledger. Positions in it are *bare*: without stores, South to move.
//
// serde recognises a variant by the fields that it alone requires: `root`, `estimates`, or `lower`
// with `upper`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum LedgerEntry {
    /// The goal of a proof in pieces, from this line onwards.
    Goal(ProofGoal),
    /// A question that is replaced by its moves.
    Split(Split),
    /// Proved bounds.
    Proved(Proved),
}

impl LedgerEntry {
    /// The entry of a line, without its checksum.
    ///
    /// # Errors
    /// A message if the text is not an entry.
    pub fn parse(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }
}

/// The goal of a proof in pieces, and the rules for splitting it: the first line of its
/// ledger, and a further line for each change of the goal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProofGoal {
    /// The position, stores included.
    #[serde(flatten)]
    pub root: RootText,
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
    /// Whether the search of each question begins with an empty transposition table and
    /// imports nothing, so that each answer can be reproduced on its own.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub fresh: bool,
    /// Seconds after which a question becomes available again unless its worker renews the
    /// lease.
    pub lease_seconds: f64,
}

impl ProofGoal {
    /// Whether both are about positions of one variant, and can therefore share a ledger.
    pub fn shares_board(&self, other: &Self) -> bool {
        match (self.position(), other.position()) {
            (Ok(one), Ok(another)) => one.variant() == another.variant(),
            _ => false,
        }
    }

    /// The root, stores included.
    ///
    /// # Errors
    /// A message if its text is not a position.
    pub fn position(&self) -> Result<Position, String> {
        let RootText { root, capture } = &self.root;
        Position::parse(root, *capture).map_err(|error| error.to_string())
    }
}

/// The root of a proof, as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RootText {
    root: String,
    capture: Capture,
}

impl RootText {
    /// The text of `root`.
    pub fn new(root: &Position) -> Self {
        Self { root: root.without_rule().to_string(), capture: root.capture() }
    }
}

/// `<3,0,0,1,0,2,3,4,2> S standard`.
impl fmt::Display for RootText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.root, self.capture)
    }
}

/// A question that took too long and is replaced by its moves.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Split {
    /// The position, without stores.
    #[serde(flatten)]
    pub bare: PositionText,
    /// The estimated gain after each move, from the point of view of the player then to move,
    /// in the order of [`Position::children`].
    pub estimates: Vec<i32>,
    /// The cost of the search that was ended.
    #[serde(flatten)]
    pub cost: PieceCost,
    /// The solver that searched; none in ledgers of versions that did not record it.
    #[serde(flatten)]
    pub provenance: Option<Provenance>,
}

/// Bounds of a gain. Both have the parity of the seeds in play.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Proved {
    /// The position, without stores.
    #[serde(flatten)]
    pub bare: PositionText,
    /// The bounds.
    #[serde(flatten)]
    pub gain: Interval<Gain>,
    /// The question that it answers, if it is the result of a piece.
    #[serde(flatten)]
    pub answer: Option<PieceAnswer>,
}

/// The question that bounds answer, and what the answer took.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PieceAnswer {
    /// The bound asked about.
    pub at_least: i32,
    /// The cost of the search.
    #[serde(flatten)]
    pub cost: PieceCost,
    /// The solver that searched; none in ledgers of versions that did not record it.
    #[serde(flatten)]
    pub provenance: Option<Provenance>,
}

/// The cost of a piece.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct PieceCost {
    /// Nodes visited by all threads together.
    pub nodes: u64,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

/// The position of a line, whose stores are empty.
///
/// # Errors
/// A message if the text is not a position without stores.
pub fn bare_position(text: &PositionText) -> Result<Position, String> {
    let position = text.position().map_err(|error| error.to_string())?;
    if position != position.without_stores() {
        return Err(format!("expected a position with empty stores and S to move, got {position}"));
    }
    Ok(position)
}

impl Proved {
    /// Bounds of the gain of `bare`, a position without stores.
    pub fn new(bare: &Position, gain: Interval<Gain>, answer: Option<PieceAnswer>) -> Self {
        Self { bare: PositionText::new(bare), gain, answer }
    }

    /// The position and the bounds.
    ///
    /// # Errors
    /// A message if no gain of the position can have such bounds.
    pub fn checked(&self) -> Result<(Position, Interval<Gain>), String> {
        let position = bare_position(&self.bare)?;
        let variant = position.variant();
        let gain = self.gain;
        // A checksum protects a line from damage, but not from a faulty program.
        let is_possible = |bound| variant.has_gain(bound, position.in_play());
        if !is_possible(gain.lower) || !is_possible(gain.upper) || gain.lower > gain.upper {
            let Interval { lower: Gain(lower), upper: Gain(upper) } = position.gains();
            return Err(format!(
                "expected bounds from {lower} to {upper} with the parity of {upper}, got {gain}"
            ));
        }
        Ok((position, gain))
    }
}

/// Proved bounds and their file.
#[derive(Debug, Default)]
pub struct Ledger {
    /// None if the file is only read.
    journal: Option<Journal>,
    tree: QuestionTree,
    entries: Vec<LedgerEntry>,
    goal: Option<ProofGoal>,
}

impl Ledger {
    /// The positions that the proof depends on, and their bounds.
    pub fn tree(&self) -> &QuestionTree {
        &self.tree
    }

    /// The entries in the order of the file.
    pub fn entries(&self) -> &[LedgerEntry] {
        &self.entries
    }

    /// The last goal; none unless this is the ledger of a proof in pieces.
    pub fn goal(&self) -> Option<&ProofGoal> {
        self.goal.as_ref()
    }

    /// Reads the ledger at `path`, or creates it. No other process can open it while it is
    /// open here.
    ///
    /// # Errors
    /// If the file cannot be read, created or locked, is not a ledger or has been altered, or
    /// if a bound is impossible or contradicts another.
    pub fn open(path: &Path) -> io::Result<Self> {
        let (journal, lines) = Journal::open(path, HEADER, None)?;
        Self::from_lines(Some(journal), &lines)
    }

    /// The ledger with the entries in `text`, one per line, without header and checksums.
    pub(crate) fn parse(text: &str) -> io::Result<Self> {
        Self::from_lines(None, &text.lines().map(str::to_owned).collect::<Vec<_>>())
    }

    /// Like [`Ledger::open`], but waits for other processes that have it locked.
    ///
    /// # Errors
    /// As for [`Ledger::open`], except that a locked file is not an error.
    pub fn open_shared(path: &Path) -> io::Result<Self> {
        let (journal, lines) = Journal::open(path, HEADER, Some(LockWait::Forever))?;
        Self::from_lines(Some(journal), &lines)
    }

    /// Reads the ledger at `path`, which other processes may write.
    ///
    /// # Errors
    /// If the file cannot be read or is not a ledger, or if a bound is impossible.
    pub fn read(path: &Path) -> io::Result<Self> {
        Self::from_lines(None, &Self::lines(path)?)
    }

    /// The lines of the ledger at `path` after the header.
    ///
    /// # Errors
    /// If the file cannot be read, is not a ledger or has been altered.
    pub fn lines(path: &Path) -> io::Result<Vec<String>> {
        journal::read(path, HEADER)
    }

    fn from_lines(journal: Option<Journal>, lines: &[String]) -> io::Result<Self> {
        let mut ledger = Self { journal, ..Self::default() };
        ledger.read_lines(lines)?;
        Ok(ledger)
    }

    fn read_lines(&mut self, lines: &[String]) -> io::Result<()> {
        for text in lines {
            let read = LedgerEntry::parse(text).and_then(|entry| self.push(entry));
            // The line after the header of a file, which is line 1, and the entries read so far.
            let line = self.entries.len() + 2;
            read.map_err(|error| invalid(format!("line {line}: {error}")))?;
        }
        Ok(())
    }

    /// Applies an entry that is in the file.
    ///
    /// # Errors
    /// A message if it is impossible or contradicts an earlier entry. In that case, nothing has
    /// changed.
    pub fn push(&mut self, entry: LedgerEntry) -> Result<(), String> {
        // A contradiction may appear only after bounds of other positions have been narrowed.
        self.apply(&entry).inspect_err(|_| self.rebuild())?;
        self.entries.push(entry);
        Ok(())
    }

    fn apply(&mut self, entry: &LedgerEntry) -> Result<(), String> {
        let applied = match entry {
            LedgerEntry::Goal(goal) => {
                let root = goal.position()?;
                let estimate = Gain(goal.estimate) - root.lead(root.side());
                self.tree.add_root(&root.without_stores(), estimate);
                self.goal = Some(goal.clone());
                Ok(())
            }
            LedgerEntry::Proved(proved) => {
                let (bare, gain) = proved.checked()?;
                self.tree.prove(&bare, gain)
            }
            LedgerEntry::Split(split) => {
                let bare = bare_position(&split.bare)?;
                let moves = bare.moves().len();
                let got = split.estimates.len();
                if self.tree.is_split(&bare) {
                    return Err("expected a position that is not split yet".to_owned());
                }
                if moves == 0 {
                    return Err("expected a position with moves".to_owned());
                }
                if got != moves {
                    return Err(format!(
                        "expected {}, got {got}",
                        counted(moves as u64, "estimate")
                    ));
                }
                self.tree.split(&bare, &split.estimates)
            }
        };
        applied.map_err(|error| error.to_string())
    }

    /// Unlocks the file until [`Ledger::resume`], so that other processes can append.
    pub fn pause(&mut self) {
        self.journal.iter_mut().for_each(Journal::pause);
    }

    /// Locks the ledger again and reads what others have appended.
    ///
    /// # Errors
    /// If the file cannot be locked or read, or if a new line is damaged or wrong.
    pub fn resume(&mut self) -> io::Result<()> {
        let Some(journal) = &mut self.journal else { return Ok(()) };
        let lines = journal.resume()?;
        self.read_lines(&lines)
    }

    /// The positions, without stores, and the proved bounds of their gains. Positions for which
    /// nothing is proved are left out.
    pub fn bounds(&self) -> impl Iterator<Item = (&Position, Interval<Gain>)> {
        self.tree.bounds().filter(|(bare, gain)| *gain != bare.gains())
    }

    /// The proved bounds of the gain of `position`.
    pub fn gain(&self, position: &Position) -> Interval<Gain> {
        self.tree.gain(&position.without_stores())
    }

    /// Whether an entry adds something to the ledger.
    pub fn is_new(&self, entry: &LedgerEntry) -> bool {
        match entry {
            LedgerEntry::Goal(_) => true,
            LedgerEntry::Split(Split { bare, .. }) => match bare_position(bare) {
                Ok(bare) => !self.tree.is_split(&bare),
                Err(_) => false,
            },
            LedgerEntry::Proved(Proved { bare, gain, .. }) => match bare_position(bare) {
                Ok(bare) => {
                    let known = self.tree.gain(&bare);
                    gain.and(known) != known
                }
                Err(_) => false,
            },
        }
    }

    /// Appends the bounds of the gain of `bare`, a position without stores, if they
    /// are narrower than those in the ledger.
    ///
    /// # Errors
    /// If the file cannot be written, or if the bounds contradict others. In that case, nothing has
    /// changed, and the bounds can be added again.
    pub fn add(&mut self, bare: &Position, gain: Interval<Gain>) -> io::Result<()> {
        let entry = LedgerEntry::Proved(Proved::new(bare, gain, None));
        if self.is_new(&entry) { self.append(vec![entry]) } else { Ok(()) }
    }

    /// Appends entries. After a crash, the last of them may be missing; each is valid without them.
    ///
    /// # Errors
    /// If the file cannot be written; [`io::ErrorKind::InvalidData`] if an entry contradicts
    /// others. In that case, nothing has changed.
    pub fn append(&mut self, mut entries: Vec<LedgerEntry>) -> io::Result<()> {
        // Checked before writing, because a wrong line in the file would stop every worker.
        let written = entries
            .iter()
            .try_for_each(|entry| self.apply(entry))
            .map_err(|error| invalid(format!("not appended: {error}")))
            .and_then(|()| self.write(&entries));
        if written.is_err() {
            self.rebuild();
        } else {
            self.entries.append(&mut entries);
        }
        written
    }

    fn write(&mut self, entries: &[LedgerEntry]) -> io::Result<()> {
        let lines: Vec<String> =
            entries.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
        match &mut self.journal {
            Some(journal) => journal.append_all(&lines),
            None => Ok(()),
        }
    }

    /// Forgets entries that were applied but are not in the file.
    fn rebuild(&mut self) {
        self.tree = Default::default();
        self.goal = None;
        for entry in std::mem::take(&mut self.entries) {
            // This cannot fail: each entry was applied when it was read or appended.
            let _ = self.push(entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_impossible_entry_leaves_the_bounds_of_all_positions_unchanged() {
        let position = |text: &str| Position::parse(text, Capture::Standard).unwrap();
        let exactly = |bare: &Position, gain| {
            LedgerEntry::Proved(Proved::new(bare, Interval::exactly(Gain(gain)), None))
        };
        let (root, child) = (position("<2,0,0,1,1,1,1> S"), position("<2,0,0,1,0,1,1> S"));
        let bare = PositionText::new(&root);
        let estimates = vec![0, 0];
        let cost = PieceCost { nodes: 1, seconds: 0.1 };
        let mut ledger = Ledger::default();
        ledger.tree.add_root(&root, Gain::ZERO);
        for entry in [
            LedgerEntry::Split(Split { bare, estimates, cost, provenance: None }),
            exactly(&root, 2),
        ] {
            ledger.push(entry).unwrap();
        }
        // The second move would gain 4, more than the position in which it is played.
        ledger.push(exactly(&child, 3)).unwrap_err();
        assert_eq!(ledger.gain(&child), child.gains());
        assert_eq!(ledger.gain(&root), Interval::exactly(Gain(2)));
    }

    #[test]
    fn no_entry_is_appended_if_one_contradicts_the_ledger() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("proofs");
        let entry = |text: &str, gain| {
            let bare = Position::parse(text, Capture::Standard).unwrap();
            LedgerEntry::Proved(Proved::new(&bare, Interval::exactly(Gain(gain)), None))
        };
        let mut ledger = Ledger::open(&path).unwrap();
        ledger.append(vec![entry("<1,0,0,1,1> S", 0)]).unwrap();
        let before = std::fs::read(&path).unwrap();
        let wrong = vec![entry("<1,0,0,2,1> S", 1), entry("<1,0,0,1,1> S", -2)];
        let error = ledger.append(wrong).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        assert!(error.to_string().starts_with("not appended: "), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), before);
        assert_eq!(ledger.bounds().count(), 1);
    }
}
