//! A proof in pieces: a folder of questions that many workers answer.
//!
//! The folder holds `ledger.jsonl`, from which every worker rebuilds the same tree, and
//! `leases.json`, which records which worker has which question and until when. Both change
//! only while the ledger is locked. The leases only avoid duplicate work: if they are lost,
//! a question may be answered twice, and the second answer is dropped.
//! [`Pieces::work`] (`worker`) answers questions until the goal is reached;
//! [`Review`](super::Review) and [`ProofStatus`](super::ProofStatus) read a folder without changing
//! it.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{fmt, fs, io};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::questions::{self, Question, Sizes};
use kalah_engine::solve::ledger::{
    Ledger, LedgerEntry, PieceCost, ProofGoal, RootText, bare_position,
};
use kalah_engine::solve::{SolveError, SolveProgress};
use kalah_engine::{Engine, FileError, Limits};
use kalah_game::{Depth, Gain, Interval, Position, PositionText, Turn};
use kalah_sys::files::invalid;
use kalah_sys::machine::{self, MemoryError};

/// The interval at which a worker without a question polls for one, and at which a worker
/// that cannot write retries.
pub(crate) const POLL: Duration = Duration::from_millis(200);
/// The node limit of a search that estimates the margin of a root.
pub(crate) const ROOT_NODES: u64 = 1_000_000;
/// Error of a proof in pieces.
#[derive(Debug, Error)]
pub enum PiecesError {
    /// A file of the folder cannot be read or written, or is damaged.
    #[error(transparent)]
    File(#[from] FileError),
    /// A question cannot be answered.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// The activity of a worker.
#[derive(Debug)]
pub enum WorkEvent<'a> {
    /// All open questions are taken by other workers.
    Waiting,
    /// Proved bounds cannot be written at present; the worker retries.
    Unsaved,
    /// A question is being searched.
    Searching(&'a Question, SolveProgress),
    /// A question was finished.
    Finished(&'a Question, PieceOutcome, PieceCost),
}

/// The outcome of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceOutcome {
    /// Proved bounds of the gain, which answer the question.
    Proved(Interval<Gain>),
    /// The question took too long and is split.
    Split,
    /// Answers by other workers have made it irrelevant.
    Superseded,
}

impl fmt::Display for PieceOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Proved(gain) => gain.fmt(f),
            Self::Split => f.write_str("split"),
            Self::Superseded => f.write_str("superseded"),
        }
    }
}

/// Called several times a second while a worker runs; `false` stops it.
pub type OnEvent<'w> = dyn FnMut(WorkEvent<'_>) -> bool + 'w;

/// Estimates the margin of a position from its mover's point of view.
pub type MarginEstimator<'e> = dyn FnMut(&Position) -> Gain + 'e;

/// An estimator that searches `nodes` nodes for each margin.
///
/// # Errors
/// If the system refuses the memory for a small transposition table.
pub fn estimator(nodes: u64) -> Result<impl FnMut(&Position) -> Gain, MemoryError> {
    const MEBIBYTES: usize = 16;
    const DEPTH: Depth = Depth(40);
    let mut engine = Engine::with_hash(MEBIBYTES)?;
    let limits = Limits { depth: Some(DEPTH), ..Limits::nodes(nodes) };
    Ok(move |position: &Position| engine.estimate(position, limits))
}

/// The goal of proving the exact margin of `position`, in pieces like those of the goal `known`.
///
/// # Errors
/// If the system refuses the memory for estimating the margin.
pub fn goal(position: &Position, known: Option<&ProofGoal>) -> Result<ProofGoal, MemoryError> {
    let root = RootText::new(position);
    let estimate = estimator(ROOT_NODES)?(position).0;
    Ok(match known {
        Some(known) => ProofGoal { root, at_least: None, estimate, ..known.clone() },
        None => ProofGoal {
            root,
            at_least: None,
            estimate,
            piece_seconds: 600.0,
            piece_nodes: None,
            fresh: false,
            lease_seconds: 120.0,
        },
    })
}

/// A worker's claim to a question.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Lease {
    #[serde(flatten)]
    bare: PositionText,
    at_least: i32,
    pub(crate) worker: String,
    /// When it expires, in seconds since 1970.
    until: f64,
}

impl Lease {
    /// Identifies the question, as [`Question::key`] does.
    pub(crate) fn key(&self) -> Option<(Position, Gain)> {
        Some((bare_position(&self.bare).ok()?, Gain(self.at_least)))
    }
}

/// The folder of a proof, as read by one worker.
#[derive(Debug)]
pub struct Pieces {
    folder: PathBuf,
    pub(crate) ledger: Ledger,
    pub(crate) goal: ProofGoal,
    root: Position,
    /// This worker's name in the leases.
    worker: String,
    /// The number of ledger entries that [`Pieces::catch_up`] has read.
    seen: usize,
    /// For each answered question, its node count by the general law and its cost.
    pub(crate) finished: Vec<(f64, PieceCost)>,
}

impl Pieces {
    /// Creates the folder and its ledger; an existing ledger about positions of the same
    /// board gets the new goal.
    ///
    /// # Errors
    /// [`PiecesError::File`] if the ledger cannot be read or written, or is about a different
    /// board.
    pub fn plan(folder: &Path, goal: ProofGoal) -> Result<Self, PiecesError> {
        fs::create_dir_all(folder).map_err(|error| FileError { path: folder.to_owned(), error })?;
        let planned = Ledger::open_shared(&ledger_file(folder)).and_then(|mut ledger| {
            if let Some(known) = ledger.goal()
                && !known.shares_board(&goal)
            {
                let fault = format!(
                    "expected a ledger for the board of {}, got one for {}",
                    goal.root, known.root
                );
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, fault));
            }
            ledger.append(vec![LedgerEntry::Goal(goal)])?;
            Ok(ledger)
        });
        Self::with_ledger(folder, planned)
    }

    /// Opens a folder to work on it.
    ///
    /// # Errors
    /// [`PiecesError::File`] if there is no ledger, or if it cannot be read or has no goal.
    pub fn open(folder: &Path) -> Result<Self, PiecesError> {
        let path = ledger_file(folder);
        // Opening a ledger would create a missing one.
        let exists = fs::metadata(&path);
        Self::with_ledger(folder, exists.and_then(|_| Ledger::open_shared(&path)))
    }

    /// Opens a folder to read it.
    ///
    /// # Errors
    /// [`PiecesError::File`] if there is no ledger, or if it cannot be read or has no goal.
    pub fn read(folder: &Path) -> Result<Self, PiecesError> {
        Self::with_ledger(folder, Ledger::read(&ledger_file(folder)))
    }

    pub(crate) fn with_ledger(
        folder: &Path,
        ledger: io::Result<Ledger>,
    ) -> Result<Self, PiecesError> {
        let opened = ledger.and_then(|mut ledger| {
            ledger.pause();
            let Some(goal) = ledger.goal().cloned() else {
                return Err(invalid("expected a goal on the second line, got none"));
            };
            let root = goal.position().map_err(invalid)?;
            // Containers may share a host name, and each has a process 1, so the name of a worker
            // includes the time.
            let begun = (now() * 1e6) as u64;
            let worker = format!("{}:{}:{begun:x}", machine::host_name(), std::process::id());
            let folder = folder.to_owned();
            Ok(Self { folder, ledger, goal, root, worker, seen: 0, finished: Vec::new() })
        });
        opened.map_err(|error| in_file(folder, error))
    }

    /// The position that the proof is about, stores included.
    pub fn root(&self) -> &Position {
        &self.root
    }

    /// The goal of the proof.
    pub fn goal(&self) -> &ProofGoal {
        &self.goal
    }

    /// The proved bounds of the root's margin.
    pub fn margin(&self) -> Interval<Gain> {
        self.margin_of(&self.root)
    }

    /// The proved bounds of the margin of a position of the same board.
    pub fn margin_of(&self, position: &Position) -> Interval<Gain> {
        let lead = position.lead(position.side());
        self.ledger.gain(position).from_child(lead, Turn::Keeps)
    }

    /// Whether the goal's margin is reached; none if that is undecided or the goal is the exact
    /// margin.
    pub fn reached(&self) -> Option<bool> {
        let at_least = Gain(self.goal.at_least?);
        let margin = self.margin();
        if margin.lower >= at_least {
            Some(true)
        } else if margin.upper < at_least {
            Some(false)
        } else {
            None
        }
    }

    /// The question about the root that is being worked on; none if the goal is reached.
    pub fn question(&self) -> Option<Question> {
        let position = self.root.without_stores();
        let variant = position.variant();
        let gain = self.ledger.gain(&self.root);
        let margin = Gain(self.goal.at_least.unwrap_or(self.goal.estimate));
        let lead = self.root.lead(self.root.side());
        let mut at_least = variant.next_gain(margin - lead, position.in_play());
        if self.goal.at_least.is_none() {
            // MTD(f), as in `Solver::margin`: from the estimate towards the open bounds.
            if gain.is_exact() {
                return None;
            }
            at_least = at_least.clamp(gain.lower + variant.gain_step(), gain.upper);
        }
        if gain.answer(variant.at_least(at_least)).is_some() {
            return None;
        }
        Some(Question { position, at_least, root: self.root, line: Vec::new() })
    }

    /// The open questions that the goal depends on, in the order in which to work on them.
    pub(crate) fn open_questions(&self) -> Vec<Question> {
        match self.question() {
            Some(root) => questions::open(self.ledger.tree(), &root, &self.sizes()),
            None => Vec::new(),
        }
    }

    pub(crate) fn sizes(&self) -> Sizes {
        Sizes::new(self.finished.iter().map(|(usual, cost)| (*usual, cost.nodes)))
    }

    /// The median number of nodes that a question is expected to take.
    pub(crate) fn expected_nodes(&self, question: &Question, sizes: &Sizes) -> f64 {
        sizes.median(self.usual_nodes(&question.position, question.at_least))
    }

    /// The number of nodes that a question about `bare` usually takes; 0 if it is not in the tree.
    fn usual_nodes(&self, bare: &Position, at_least: Gain) -> f64 {
        match self.ledger.tree().node(bare) {
            Some(node) => node.usual_nodes(at_least),
            None => 0.0,
        }
    }

    /// Reads the new entries of the ledger; `import` receives the proved bounds.
    pub(crate) fn catch_up(&mut self, import: &mut dyn FnMut(&Position, Interval<Gain>)) {
        for entry in &self.ledger.entries()[self.seen..] {
            let LedgerEntry::Proved(proved) = entry else { continue };
            let Ok(position) = bare_position(&proved.bare) else { continue };
            import(&position, proved.gain);
            if let Some(answer) = &proved.answer {
                let usual = self.usual_nodes(&position, Gain(answer.at_least));
                self.finished.push((usual, answer.cost));
            }
        }
        self.seen = self.ledger.entries().len();
    }

    /// The leases that have not expired.
    pub(crate) fn leases(&self) -> Vec<Lease> {
        let text = fs::read_to_string(self.folder.join("leases.json")).unwrap_or_default();
        // A file torn by a kill or a full disk counts as no leases.
        let leases: Vec<Lease> = serde_json::from_str(&text).unwrap_or_default();
        leases.into_iter().filter(|lease| lease.until > now()).collect()
    }

    /// Replaces this worker's lease. The ledger must be locked. If the file cannot be written,
    /// other workers may take the same question, which only costs time.
    pub(crate) fn lease(&self, question: Option<&Question>) {
        let mut leases = self.leases();
        leases.retain(|lease| lease.worker != self.worker);
        leases.extend(question.map(|question| Lease {
            bare: PositionText::new(&question.position),
            at_least: question.at_least.0,
            worker: self.worker.clone(),
            until: now() + self.goal.lease_seconds,
        }));
        let path = self.folder.join("leases.json");
        let text = serde_json::to_string(&leases).unwrap_or_default();
        if let Err(error) = fs::write(&path, text) {
            log::warn!("cannot write {}: {error}", path.display());
        }
    }

    /// Locks the ledger, reads what other workers have appended, and runs `act`.
    pub(crate) fn locked<T>(
        &mut self,
        act: impl FnOnce(&mut Self) -> io::Result<T>,
    ) -> Result<T, PiecesError> {
        let done = self.ledger.resume().and_then(|()| {
            // `kalah proof plan` may have changed the goal.
            self.adopt_goal()?;
            act(self)
        });
        self.ledger.pause();
        done.map_err(|error| in_file(&self.folder, error))
    }

    /// Adopts the last goal in the ledger.
    fn adopt_goal(&mut self) -> io::Result<()> {
        if let Some(goal) = self.ledger.goal() {
            self.root = goal.position().map_err(invalid)?;
            self.goal = goal.clone();
        }
        Ok(())
    }

    /// Like [`Pieces::locked`], but retries while the ledger cannot be written.
    ///
    /// # Errors
    /// [`PiecesError::File`] if the ledger is damaged, or if `watch` returned `false`.
    pub(crate) fn saved(
        &mut self,
        watch: &mut OnEvent<'_>,
        mut act: impl FnMut(&mut Self) -> io::Result<()>,
    ) -> Result<(), PiecesError> {
        let mut last_failure = String::new();
        while let Err(error) = self.locked(&mut act) {
            if error.is_damage() || !watch(WorkEvent::Unsaved) {
                return Err(error);
            }
            // Each reason is logged once, not at every retry.
            if last_failure != error.to_string() {
                last_failure = error.to_string();
                log::error!("proved bounds are not saved yet: {last_failure}");
            }
            // Disk space or a network drive may become available: hours of work are worth waiting
            // for.
            std::thread::sleep(POLL);
        }
        Ok(())
    }
}

impl PiecesError {
    /// Whether a file is damaged, in which case waiting does not help.
    pub(crate) fn is_damage(&self) -> bool {
        matches!(self, Self::File(file) if file.error.kind() == io::ErrorKind::InvalidData)
    }
}

pub(crate) fn ledger_file(folder: &Path) -> PathBuf {
    folder.join("ledger.jsonl")
}

pub(crate) fn in_file(folder: &Path, mut error: io::Error) -> PiecesError {
    if error.kind() == io::ErrorKind::NotFound {
        let expected = "expected a folder created by 'kalah proof plan'";
        error = io::Error::new(error.kind(), format!("{expected}: {error}"));
    }
    FileError { path: ledger_file(folder), error }.into()
}

fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}
