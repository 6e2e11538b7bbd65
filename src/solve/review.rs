//! The status of a proof in pieces, and the check of its ledger. Nothing here changes the
//! folder or needs its lock, so workers may continue in the meantime.

use std::collections::HashMap;
use std::path::Path;

use super::ledger::{Entry, Ledger, Proved};
use super::pieces::{Pieces, PiecesError, in_file, ledger_file};
use super::solver::{OnProgress, SolveError, Solver, without_stores};
use super::tree::Question;
use crate::game::score::{Gain, Interval, Window};
use crate::game::{Pit, Position};

/// The progress of a proof.
#[derive(Debug)]
pub struct Status {
    /// The position that the proof is about.
    pub root: Position,
    /// The proved bounds of its margin.
    pub margin: Interval<Gain>,
    /// The margin that the open questions are about; none if the goal is reached.
    pub asked: Option<Gain>,
    /// The proved bounds of the margin of each of its moves; none before it is split.
    pub moves: Vec<(Pit, Interval<Gain>)>,
    /// Questions answered, and questions split.
    pub finished: [u64; 2],
    /// Nodes and seconds of both, summed over workers.
    pub spent: (u64, f64),
    /// Open questions: those of workers first, then in the order of work.
    pub open: Vec<Open>,
    /// The number of open questions being answered by a worker.
    pub at_work: usize,
    /// The median of the nodes that the open questions may take; 0 if there are none.
    pub median_nodes: f64,
    /// Whether the margin that the goal asks for is reached, if that is decided.
    pub reached: Option<bool>,
    /// That margin; none if the goal is the exact margin.
    pub at_least: Option<i32>,
}

/// A question without an answer yet, and the worker that holds it.
#[derive(Debug)]
pub struct Open {
    /// The position and the bound asked about.
    pub question: Question,
    /// The worker that holds its lease, if one does.
    pub worker: Option<String>,
    /// The median number of nodes of pieces like it.
    pub expected: f64,
}

impl Status {
    /// Reads a folder.
    ///
    /// # Errors
    /// [`PiecesError::File`]
    pub fn read(folder: &Path) -> Result<Self, PiecesError> {
        let mut pieces = Pieces::read(folder)?;
        pieces.catch_up(&mut |_, _| ());
        let root = *pieces.root();
        let lead = root.lead(root.side());
        let mut moves = Vec::new();
        if pieces.ledger.tree.is_split(&without_stores(&root)) {
            for (played, after) in root.children() {
                let gain = pieces.ledger.gain(&after);
                moves.push((played.pit, gain.from_child(after.lead(root.side()), played.turn)));
            }
        }
        let mut status = Self {
            root,
            margin: pieces.margin(),
            asked: pieces.question().map(|question| question.at_least + lead),
            moves,
            finished: [0; 2],
            spent: (0, 0.0),
            open: Vec::new(),
            at_work: 0,
            median_nodes: 0.0,
            reached: pieces.reached(),
            at_least: pieces.goal().at_least,
        };
        pieces.ledger.entries.iter().for_each(|entry| status.count(entry));
        let leases = pieces.leases().into_iter();
        let mut leases: HashMap<_, _> =
            leases.filter_map(|lease| Some((lease.key()?, lease.worker))).collect();
        let sizes = pieces.sizes();
        for question in pieces.open_questions() {
            let expected = pieces.expected_nodes(&question, &sizes);
            let worker = leases.remove(&question.key());
            status.open.push(Open { question, worker, expected });
        }
        status.at_work = status.open.iter().filter(|open| open.worker.is_some()).count();
        let mut nodes: Vec<f64> = status.open.iter().map(|open| open.expected).collect();
        nodes.sort_by(f64::total_cmp);
        status.median_nodes = nodes.get(nodes.len() / 2).copied().unwrap_or(0.0);
        status.open.sort_by_key(|open| open.worker.is_none());
        Ok(status)
    }

    fn count(&mut self, entry: &Entry) {
        let (kind, cost) = match entry {
            Entry::Proved(Proved { answer: Some(answer), .. }) => (0, answer.cost),
            Entry::Split(split) => (1, split.cost),
            _ => return,
        };
        self.finished[kind] += 1;
        self.spent.0 += cost.nodes;
        self.spent.1 += cost.seconds;
    }
}

/// The findings of a check.
#[derive(Debug, Default)]
pub struct Review {
    /// Lines that prove bounds, and lines that split a question.
    pub lines: [usize; 2],
    /// The faults, each with its line.
    pub faults: Vec<String>,
}

impl Review {
    /// Replays the ledger of a folder: checks that every answer fits its question and
    /// that no bound contradicts another.
    ///
    /// # Errors
    /// If the ledger cannot be read or a line is damaged; whole lines that are wrong
    /// are reported in [`Review::faults`].
    pub fn replay(folder: &Path) -> Result<(Self, Vec<Claim>), PiecesError> {
        let lines = Ledger::lines(&ledger_file(folder)).map_err(|error| in_file(folder, error))?;
        let (mut review, mut claims) = (Self::default(), Vec::new());
        let mut ledger = Ledger::default();
        // The header is the first line.
        for (line, text) in (2..).zip(&lines) {
            if let Err(fault) = review.replay_line(&mut ledger, line, text, &mut claims) {
                review.faults.push(format!("line {line}: {fault}"));
            }
        }
        Ok((review, claims))
    }

    fn replay_line(
        &mut self,
        ledger: &mut Ledger,
        line: usize,
        text: &str,
        claims: &mut Vec<Claim>,
    ) -> Result<(), String> {
        let entry = Entry::parse(text)?;
        is_of_variant(ledger, &entry)?;
        if let Entry::Proved(proved) = &entry {
            let (bare, gain) = proved.checked()?;
            claims.push(Claim { line, bare, gain });
        }
        fits(ledger, &entry)?;
        match entry {
            Entry::Goal(_) => {}
            Entry::Proved(_) => self.lines[0] += 1,
            Entry::Split(_) => self.lines[1] += 1,
        }
        ledger.push(entry)
    }

    /// Proves a line again with a solver that has imported nothing from the ledger.
    ///
    /// # Errors
    /// [`SolveError::Stopped`] if `watch` returned `false`, and others of
    /// [`Solver::prove_at_least`].
    pub fn prove_again(
        &mut self,
        claim: &Claim,
        solver: &mut Solver,
        watch: &mut OnProgress<'_>,
    ) -> Result<(), SolveError> {
        let Claim { line, bare, gain } = claim;
        let all = Interval::within(Gain(bare.in_play() as i32));
        // A bound that every gain has needs no search.
        let lower = (gain.lower > all.lower).then_some(gain.lower);
        let upper = (gain.upper < all.upper).then_some(gain.upper + Gain(2));
        for at_least in lower.into_iter().chain(upper) {
            let found = solver.prove_at_least(bare, at_least, u64::MAX, watch)?;
            let found = found.expect("no limit of nodes");
            let both = found.and(*gain);
            if both.lower > both.upper {
                self.faults.push(format!("line {line}: says {gain}, proved again as {found}"));
                break;
            }
        }
        Ok(())
    }
}

/// The bounds that a line claims to be proved.
#[derive(Debug)]
pub struct Claim {
    /// Its number in the file, from 1.
    pub line: usize,
    /// A position without stores.
    pub bare: Position,
    /// The bounds of its gain.
    pub gain: Interval<Gain>,
}

/// Checks that the position of an entry is of the root's variant.
fn is_of_variant(ledger: &Ledger, entry: &Entry) -> Result<(), String> {
    let bare = match entry {
        Entry::Goal(_) => return Ok(()),
        Entry::Split(split) => &split.bare,
        Entry::Proved(proved) => &proved.bare,
    };
    let got = bare.position()?.variant();
    let Some(goal) = &ledger.goal else { return Ok(()) };
    let expected = goal.position()?.variant();
    if expected != got {
        return Err(format!("expected a position of {expected}, got one of {got}"));
    }
    Ok(())
}

/// Checks that an entry makes sense after those before it.
fn fits(ledger: &Ledger, entry: &Entry) -> Result<(), String> {
    let asked = match (entry, &ledger.goal) {
        (Entry::Goal(_), None) => return Ok(()),
        (Entry::Goal(goal), Some(known)) if goal.shares_board(known) => return Ok(()),
        (Entry::Goal(_), _) | (_, None) => {
            let fault = "expected a goal in the second line, and none about another board";
            return Err(fault.to_owned());
        }
        (Entry::Split(split), _) => split.bare.position()?,
        (Entry::Proved(proved), _) if proved.answer.is_some() => proved.bare.position()?,
        (Entry::Proved(_), _) => return Ok(()),
    };
    if !ledger.tree.is_reached(&asked) {
        return Err("expected a question of the tree, got another position".to_owned());
    }
    let Entry::Proved(proved @ Proved { answer: Some(answer), .. }) = entry else {
        return Ok(());
    };
    let (at_least, gain) = (Gain(answer.at_least), proved.gain);
    let window = Window::at_least(at_least);
    if gain.answer(window).is_none() {
        return Err(format!("expected an answer to 'at least {at_least}', got {gain}"));
    }
    let known = ledger.tree.gain(&asked);
    match known.answer(window) {
        // A worker that lost its lease may have proved more than the other.
        Some(bound) if gain.and(known) == known => {
            Err(format!("expected an open question, got one with the answer {bound}"))
        }
        _ => Ok(()),
    }
}
