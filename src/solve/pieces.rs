//! A proof in pieces: a folder of questions that many workers answer.
//!
//! The folder holds `ledger.jsonl`, from which every worker rebuilds the same tree,
//! and `leases.json`, which says who works on which question and until when. Both
//! change only while the ledger is locked. The leases spare work and prove nothing:
//! if they are lost, a question may be answered twice, and the second answer is
//! dropped. [`Pieces::work`] answers questions until the goal is reached;
//! [`review`](super::review) looks at a folder without changing it.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::ledger::{Answer, Bare, Cost, Entry, Goal, Ledger, Proved, Split};
use super::tree::{Question, Sizes};
use super::{Progress, SolveError, Solver, without_stores};
use crate::game::Position;
use crate::game::score::{Gain, Interval, Turn, Window};
use crate::sys::machine;

/// How often a worker without a question looks for one, and one that cannot write
/// tries again.
const POLL: Duration = Duration::from_millis(200);
/// Nodes a second, before any piece is finished.
const USUAL_RATE: f64 = 4e6;
/// A question expected to take more than so many pieces is split unsearched.
const SPLIT_UNSEARCHED_ABOVE: f64 = 8.0;

/// Error of a proof in pieces.
#[derive(Debug, Error)]
pub enum PiecesError {
    /// A file of the folder cannot be read or written, or is damaged.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: io::Error,
    },
    /// A question cannot be answered.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// What a worker reports.
#[derive(Debug)]
pub enum Event<'a> {
    /// All open questions are taken by others.
    Waiting,
    /// What is proved cannot be written now, and is tried again.
    Unsaved,
    /// A question is being searched.
    Searching(&'a Question, Progress),
    /// A question was finished.
    Finished(&'a Question, Outcome, Cost),
}

/// What became of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Bounds of the gain are proved that answer it.
    Proved(Interval<Gain>),
    /// It was too long and is split.
    Split,
    /// Answers of others have made it irrelevant.
    Superseded,
}

/// Called several times a second while a worker works; `false` stops it.
pub type OnEvent<'w> = dyn FnMut(Event<'_>) -> bool + 'w;

/// Estimates the margin of a position, as its mover sees it.
pub type Estimator<'e> = dyn FnMut(&Position) -> Gain + 'e;

/// A question that some worker answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Lease {
    #[serde(flatten)]
    bare: Bare,
    at_least: i32,
    pub(super) worker: String,
    /// Seconds since 1970.
    until: f64,
}

impl Lease {
    /// What [`Tree::next`](super::tree::Tree::next) takes for a question.
    pub(super) fn key(&self) -> Option<(Position, Gain)> {
        Some((self.bare.position().ok()?, Gain(self.at_least)))
    }
}

/// The folder of a proof, as one worker sees it.
#[derive(Debug)]
pub struct Pieces {
    folder: PathBuf,
    pub(super) ledger: Ledger,
    goal: Goal,
    root: Position,
    /// This worker's name in the leases.
    worker: String,
    /// Entries of the ledger that were gone through.
    seen: usize,
    /// The nodes that answered questions usually take, and what they took.
    finished: Vec<(f64, Cost)>,
}

impl Pieces {
    /// Makes the folder and begins its ledger; a ledger about the same position gets
    /// another goal.
    ///
    /// # Errors
    /// [`PiecesError::File`], also if there is a ledger about another position.
    pub fn plan(folder: &Path, goal: Goal) -> Result<Self, PiecesError> {
        let planned = fs::create_dir_all(folder).and_then(|()| {
            let mut ledger = Ledger::open_shared(&ledger_file(folder))?;
            if let Some(known) = ledger.goal.as_ref().filter(|known| !known.is_about_same(&goal)) {
                let [expected, got] =
                    [&goal, known].map(|goal| format!("{} {}", goal.root, goal.capture));
                let fault = format!("expected a proof about {expected}, got one about {got}");
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, fault));
            }
            ledger.append(vec![Entry::Goal(goal)])?;
            Ok(ledger)
        });
        Self::of(folder, planned)
    }

    /// Opens a folder to work on it.
    ///
    /// # Errors
    /// [`PiecesError::File`]
    pub fn open(folder: &Path) -> Result<Self, PiecesError> {
        let path = ledger_file(folder);
        let is_there = fs::metadata(&path).map(drop);
        Self::of(folder, is_there.and_then(|()| Ledger::open_shared(&path)))
    }

    /// Opens a folder to look at it.
    ///
    /// # Errors
    /// [`PiecesError::File`]
    pub fn read(folder: &Path) -> Result<Self, PiecesError> {
        Self::of(folder, Ledger::read(&ledger_file(folder)))
    }

    fn of(folder: &Path, ledger: io::Result<Ledger>) -> Result<Self, PiecesError> {
        let opened = ledger.and_then(|mut ledger| {
            ledger.pause();
            let goal = ledger.goal.clone();
            let goal =
                goal.ok_or_else(|| "expected a goal in the second line, got none".to_owned());
            let with_root = goal.and_then(|goal| Ok((goal.position()?, goal)));
            let invalid = |error| io::Error::new(io::ErrorKind::InvalidData, error);
            let (root, goal) = with_root.map_err(invalid)?;
            let estimate = Gain(goal.estimate) - root.lead(root.side());
            ledger.tree.set_estimate(&without_stores(&root), estimate);
            // Containers may share a host's name, and each have a process 1.
            let begun = (now() * 1e6) as u64;
            let worker = format!("{}:{}:{begun:x}", machine::host_name(), std::process::id());
            let folder = folder.to_owned();
            Ok(Self { folder, ledger, goal, root, worker, seen: 0, finished: Vec::new() })
        });
        opened.map_err(in_file(&ledger_file(folder)))
    }

    /// The position that the proof is about, stores included.
    pub fn root(&self) -> &Position {
        &self.root
    }

    /// What is to be proved of it.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// What is proved of the root's margin.
    pub fn margin(&self) -> Interval<Gain> {
        let lead = self.root.lead(self.root.side());
        self.ledger.tree.gain(&without_stores(&self.root)).from_child(lead, Turn::Keeps)
    }

    /// Whether the goal's margin is reached; none if that is not proved, or if the
    /// exact margin is the goal.
    pub fn reached(&self) -> Option<bool> {
        let (at_least, margin) = (Gain(self.goal.at_least?), self.margin());
        let is_decided = margin.lower >= at_least || margin.upper < at_least;
        is_decided.then_some(margin.lower >= at_least)
    }

    /// The question of the root that is worked on; none if the goal is reached.
    pub fn question(&self) -> Option<Question> {
        let bare = without_stores(&self.root);
        let lead = self.root.lead(self.root.side());
        let gain = self.ledger.tree.gain(&bare);
        // A gain has the parity of the seeds in play.
        let even = |margin: i32| {
            let gain = margin - lead.0;
            gain + (gain + bare.in_play() as i32).rem_euclid(2)
        };
        let at_least = match self.goal.at_least {
            Some(margin) => Gain(even(margin)),
            None if gain.is_exact() => return None,
            None => Gain(even(self.goal.estimate).clamp(gain.lower.0 + 2, gain.upper.0)),
        };
        let is_open = gain.answer(Window::at_least(at_least)).is_none();
        is_open.then_some(Question { position: bare, at_least, line: Vec::new() })
    }

    pub(super) fn sizes(&self) -> Sizes {
        Sizes::new(self.finished.iter().map(|(usual, cost)| (*usual, cost.nodes)))
    }

    /// Goes through new entries of the ledger; `learn` gets what is proved.
    pub(super) fn catch_up(&mut self, learn: &mut dyn FnMut(&Position, Interval<Gain>)) {
        for entry in &self.ledger.entries[self.seen..] {
            let Entry::Proved(proved) = entry else { continue };
            let Ok(position) = proved.bare.position() else { continue };
            learn(&position, proved.gain());
            self.finished.extend(proved.answer.iter().map(|answer| {
                let at_least = Gain(answer.at_least);
                (self.ledger.tree.usual_nodes_of(&position, at_least), answer.cost)
            }));
        }
        self.seen = self.ledger.entries.len();
    }

    /// The leases that have not expired.
    pub(super) fn leases(&self) -> Vec<Lease> {
        let text = fs::read_to_string(self.folder.join("leases.json")).unwrap_or_default();
        // A file torn by a kill or a full disk leases nothing.
        let leases: Vec<Lease> = serde_json::from_str(&text).unwrap_or_default();
        leases.into_iter().filter(|lease| lease.until > now()).collect()
    }

    /// Replaces this worker's lease. Needs the lock. Where that fails, others may
    /// take the same question: that costs time only.
    fn lease(&self, question: Option<&Question>) {
        let mut leases = self.leases();
        leases.retain(|lease| lease.worker != self.worker);
        leases.extend(question.map(|question| Lease {
            bare: Bare::new(&question.position),
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

    fn locked<T>(&mut self, act: impl FnOnce(&mut Self) -> io::Result<T>) -> io::Result<T> {
        let done = self.ledger.resume().and_then(|()| {
            // `--plan` may have changed it.
            if let Some(goal) = &self.ledger.goal {
                self.goal = goal.clone();
            }
            act(self)
        });
        self.ledger.pause();
        done
    }

    /// Answers questions until the goal is reached; returns what is proved of the
    /// root's margin.
    ///
    /// # Errors
    /// [`PiecesError`]; [`SolveError::Stopped`] if `watch` returned `false`.
    pub fn work(
        &mut self,
        solver: &mut Solver,
        estimate: &mut Estimator<'_>,
        watch: &mut OnEvent<'_>,
    ) -> Result<Interval<Gain>, PiecesError> {
        let path = ledger_file(&self.folder);
        loop {
            let taken = self.locked(|pieces| {
                pieces.catch_up(&mut |position, gain| solver.learn(position, gain));
                pieces.take()
            });
            let Some(taken) = taken.map_err(in_file(&path))? else { return Ok(self.margin()) };
            let Some(question) = taken else {
                std::thread::sleep(POLL);
                if !watch(Event::Waiting) {
                    return Err(SolveError::Stopped.into());
                }
                continue;
            };
            let finished = self.answer(&question, solver, estimate, watch);
            let recorded = finished.and_then(|piece| self.record(&question, piece, watch));
            if recorded.is_err() {
                // What stopped this worker matters more than its lease, which expires.
                let _ = self.locked(|pieces| {
                    pieces.lease(None);
                    Ok(())
                });
            }
            recorded?;
        }
    }

    /// Takes the best open question; none if all are taken, nothing if the goal is
    /// reached.
    fn take(&mut self) -> io::Result<Option<Option<Question>>> {
        let Some(root) = self.question() else { return Ok(None) };
        let taken: HashSet<_> = self.leases().iter().filter_map(Lease::key).collect();
        let question = self.ledger.tree.next(&root, &self.sizes(), &taken);
        if question.is_some() {
            self.lease(question.as_ref());
        }
        Ok(Some(question))
    }

    /// Searches a question until it is answered or to be split.
    fn answer(
        &mut self,
        question: &Question,
        solver: &mut Solver,
        estimate: &mut Estimator<'_>,
        watch: &mut OnEvent<'_>,
    ) -> Result<Piece, PiecesError> {
        let (started, nodes) = (Instant::now(), solver.nodes());
        let piece = self.goal.piece_seconds;
        let limit = self.goal.piece_nodes.unwrap_or(u64::MAX);
        let (mut is_long, mut is_superseded) = (false, false);
        let (mut renewed, mut fault) = (started, None);
        let is_too_large = self.is_too_large(question);
        let mut go_on = |progress: Progress| {
            is_long = started.elapsed().as_secs_f64() >= piece;
            if renewed.elapsed().as_secs_f64() > self.goal.lease_seconds / 4.0 {
                renewed = Instant::now();
                match self.renew(question) {
                    Ok(superseded) => is_superseded = superseded,
                    Err(error) => fault = Some(error),
                }
            }
            let goes_on = watch(Event::Searching(question, progress));
            goes_on && !is_long && !is_superseded && fault.is_none()
        };
        let answered = match is_too_large {
            true => Ok(None),
            false => solver.ask(&question.position, question.at_least, limit, &mut go_on),
        };
        if let Some(error) = fault {
            return Err(error);
        }
        let cost = |solver: &Solver| Cost {
            nodes: solver.nodes() - nodes,
            seconds: started.elapsed().as_secs_f64(),
        };
        let (outcome, entries) = match answered {
            Ok(Some(gain)) => {
                let answer = Answer { at_least: question.at_least.0, cost: cost(solver) };
                let proved = Proved::new(&question.position, gain, Some(answer));
                (Outcome::Proved(gain), vec![Entry::Proved(proved)])
            }
            Err(SolveError::Stopped) if is_superseded => (Outcome::Superseded, Vec::new()),
            Err(SolveError::Stopped) if !is_long => return Err(SolveError::Stopped.into()),
            Ok(None) | Err(SolveError::Stopped) => {
                (Outcome::Split, split_entries(&question.position, cost(solver), solver, estimate))
            }
            Err(error) => return Err(error.into()),
        };
        Ok(Piece { outcome, entries, cost: cost(solver) })
    }

    /// Prolongs the lease; says whether the question is superseded.
    ///
    /// # Errors
    /// If the ledger is damaged. Where it cannot be read now, the search goes on.
    fn renew(&mut self, question: &Question) -> Result<bool, PiecesError> {
        let renewed = self.locked(|pieces| {
            pieces.lease(Some(question));
            let root = pieces.question();
            let asked = (question.position, question.at_least);
            Ok(root.is_none_or(|root| !pieces.ledger.tree.open(&root).contains(&asked)))
        });
        renewed.or_else(|error| match error.kind() {
            io::ErrorKind::InvalidData => Err(in_file(&ledger_file(&self.folder))(error)),
            _ => {
                log::warn!("the lease is not renewed: {error}");
                Ok(false)
            }
        })
    }

    /// The nodes of a piece, by the rate of those finished.
    pub fn piece_nodes(&self) -> f64 {
        let cost =
            |of: fn(&Cost) -> f64| self.finished.iter().map(|(_, cost)| of(cost)).sum::<f64>();
        let (nodes, seconds) = (cost(|cost| cost.nodes as f64), cost(|cost| cost.seconds));
        let rate = if nodes > 0.0 { nodes / seconds } else { USUAL_RATE };
        let limit = self.goal.piece_nodes.map_or(f64::INFINITY, |nodes| nodes as f64);
        limit.min(self.goal.piece_seconds * rate)
    }

    fn is_too_large(&self, question: &Question) -> bool {
        let usual = self.ledger.tree.usual_nodes_of(&question.position, question.at_least);
        let size = self.sizes().median(usual);
        !question.position.is_over() && size > SPLIT_UNSEARCHED_ABOVE * self.piece_nodes()
    }

    /// Appends what is new of a piece; where that fails, tries until it succeeds.
    fn record(
        &mut self,
        question: &Question,
        piece: Piece,
        watch: &mut OnEvent<'_>,
    ) -> Result<(), PiecesError> {
        let mut last_failure = String::new();
        while let Err(error) = self.locked(|pieces| {
            let new = piece.entries.iter().filter(|entry| pieces.is_new(entry));
            pieces.ledger.append(new.cloned().collect())?;
            pieces.lease(None);
            Ok(())
        }) {
            let error = in_file(&ledger_file(&self.folder))(error);
            let PiecesError::File { error: source, .. } = &error else { return Err(error) };
            let is_fault = source.kind() == io::ErrorKind::InvalidData;
            if is_fault || !watch(Event::Unsaved) {
                return Err(error);
            }
            if last_failure != error.to_string() {
                last_failure = error.to_string();
                log::error!("what is proved is not saved yet: {last_failure}");
            }
            std::thread::sleep(POLL);
        }
        match watch(Event::Finished(question, piece.outcome, piece.cost)) {
            true => Ok(()),
            false => Err(SolveError::Stopped.into()),
        }
    }

    /// Whether an entry says what the ledger does not.
    fn is_new(&self, entry: &Entry) -> bool {
        let tree = &self.ledger.tree;
        match entry {
            Entry::Goal(_) => false,
            Entry::Split(split) => split.bare.position().is_ok_and(|bare| !tree.is_split(&bare)),
            Entry::Proved(proved) => proved
                .bare
                .position()
                .is_ok_and(|bare| proved.gain().and(tree.gain(&bare)) != tree.gain(&bare)),
        }
    }
}

/// A finished question, and what the ledger gets of it.
struct Piece {
    outcome: Outcome,
    entries: Vec<Entry>,
    cost: Cost,
}

/// The entries of a question that was too long: its moves with estimates, and what
/// the search has proved of them so far.
fn split_entries(
    bare: &Position,
    cost: Cost,
    solver: &Solver,
    estimate: &mut Estimator<'_>,
) -> Vec<Entry> {
    let after: Vec<Position> = bare.children().map(|(_, after)| without_stores(&after)).collect();
    let estimates = after.iter().map(|after| estimate(after).0).collect();
    let split = Entry::Split(Split { bare: Bare::new(bare), estimates, cost });
    let proved = after.iter().map(|after| Proved::new(after, solver.bounds(after), None));
    [split].into_iter().chain(proved.map(Entry::Proved)).collect()
}

pub(super) fn ledger_file(folder: &Path) -> PathBuf {
    folder.join("ledger.jsonl")
}

pub(super) fn in_file(path: &Path) -> impl FnOnce(io::Error) -> PiecesError {
    move |error| {
        let is_missing = error.kind() == io::ErrorKind::NotFound;
        let missing = || {
            let expected = "expected a folder that 'kalah solve --plan' began";
            io::Error::new(error.kind(), format!("{expected}: {error}"))
        };
        let error = if is_missing { missing() } else { error };
        PiecesError::File { path: path.to_owned(), error }
    }
}

fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::super::Settings;
    use super::*;
    use crate::game::{Capture, Rules};

    fn goal(lease_seconds: f64) -> Goal {
        let root = Position::start(Rules::new(3, 3, Capture::Standard).unwrap());
        Goal {
            root: root.to_string(),
            capture: root.capture(),
            at_least: None,
            estimate: 0,
            piece_seconds: 600.0,
            piece_nodes: Some(20),
            lease_seconds,
        }
    }

    /// A worker of the folder, with its own name.
    fn worker(folder: &Path, name: &str) -> Pieces {
        let mut pieces = Pieces::open(folder).unwrap();
        pieces.worker = name.to_owned();
        pieces
    }

    fn take(pieces: &mut Pieces) -> Option<Question> {
        pieces.locked(Pieces::take).unwrap().expect("an open goal")
    }

    #[test]
    fn a_question_has_one_worker_until_its_lease_expires_or_is_given_back() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        Pieces::plan(folder, goal(60.0)).unwrap();
        let (mut one, mut other) = (worker(folder, "one"), worker(folder, "other"));
        let root = take(&mut one).expect("the root");
        assert_eq!(take(&mut other), None);
        let lease = |pieces: &mut Pieces, question: Option<&Question>| {
            let leased = pieces.locked(|pieces| {
                pieces.catch_up(&mut |_, _| ());
                pieces.lease(question);
                Ok(())
            });
            leased.unwrap();
        };
        lease(&mut one, None);
        assert_eq!(take(&mut other), Some(root.clone()));

        // Another goal with leases that end at once, as after a kill long ago.
        Pieces::plan(folder, goal(0.0)).unwrap();
        assert_eq!(take(&mut one), None);
        lease(&mut other, Some(&root));
        assert_eq!(take(&mut one), Some(root));
    }

    #[test]
    fn an_answer_to_what_others_have_answered_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        Pieces::plan(folder, goal(60.0)).unwrap();
        let (mut one, mut other) = (worker(folder, "one"), worker(folder, "other"));
        let question = take(&mut one).unwrap();
        let solver = || Solver::new(&one.root, Settings::default()).unwrap();
        let (mut first, mut second) = (solver(), solver());
        let mut estimate = |_: &Position| Gain::ZERO;
        for (pieces, solver) in [(&mut one, &mut first), (&mut other, &mut second)] {
            let piece = pieces.answer(&question, solver, &mut estimate, &mut |_| true).unwrap();
            assert_eq!(piece.outcome, Outcome::Split);
            pieces.record(&question, piece, &mut |_| true).unwrap();
        }
        let lines = other.ledger.entries.iter();
        assert_eq!(lines.filter(|entry| matches!(entry, Entry::Split(_))).count(), 1);
        one.locked(|_| Ok(())).unwrap();
        assert_eq!(one.ledger.entries.len(), other.ledger.entries.len());
    }

    #[test]
    fn a_folder_has_one_root_and_its_last_goal() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        assert!(Pieces::open(folder).is_err());
        Pieces::plan(folder, goal(60.0)).unwrap();
        Pieces::plan(folder, Goal { at_least: Some(4), ..goal(60.0) }).unwrap();
        assert_eq!(Pieces::open(folder).unwrap().goal().at_least, Some(4));
        let elsewhere = Goal { capture: Capture::EmptyCapture, ..goal(60.0) };
        assert!(Pieces::plan(folder, elsewhere).is_err());
    }
}
