//! The status of a proof in pieces, and the check of its ledger. Nothing here changes the
//! folder or needs its lock, so workers may continue in the meantime.

use std::{cmp::Reverse, collections::HashMap, path::Path};

use super::ledger::{Ledger, LedgerEntry, PieceCost, Proved};
use super::pieces::{Pieces, PiecesError, in_file, ledger_file};
use super::search::GainQuestion;
use super::solver::{OnProgress, SolveError, Solver};
use super::tree::Question;
use kalah_game::{Gain, Interval, Pit, Position, Window};
use kalah_sys::random::SplitMix64;

/// The progress of a proof.
#[derive(Debug)]
pub struct ProofStatus {
    /// The position that the proof is about.
    pub root: Position,
    /// The proved bounds of its margin.
    pub margin: Interval<Gain>,
    /// The margin that the open questions are about; none if the goal is reached.
    pub asked: Option<Gain>,
    /// The proved bounds of the margin of each of its moves; empty before the root is split.
    pub moves: Vec<(Pit, Interval<Gain>)>,
    /// The number of questions answered.
    pub answered: u64,
    /// The number of questions that took too long and were split.
    pub split: u64,
    /// The cost of both, summed over workers.
    pub spent: PieceCost,
    /// Open questions: first those that workers hold, then in the order of work.
    pub open: Vec<OpenQuestion>,
    /// The number of open questions being answered by a worker.
    pub at_work: usize,
    /// The median number of nodes that the open questions are expected to take; 0 if there are
    /// none.
    pub median_nodes: f64,
    /// Whether the margin that the goal asks for is reached, if that is decided.
    pub reached: Option<bool>,
    /// The margin that the goal asks for; none if it is the exact margin.
    pub at_least: Option<i32>,
}

/// An unanswered question, and the worker that holds it.
#[derive(Debug)]
pub struct OpenQuestion {
    /// The position and the bound asked about.
    pub question: Question,
    /// The worker that holds its lease, if one does.
    pub worker: Option<String>,
    /// The median number of nodes that it is expected to take.
    pub expected: f64,
}

impl ProofStatus {
    /// Reads the status of the proof in a folder.
    ///
    /// # Errors
    /// [`PiecesError::File`] if there is no ledger, or if it cannot be read or has no goal.
    pub fn read(folder: &Path) -> Result<Self, PiecesError> {
        let mut pieces = Pieces::read(folder)?;
        pieces.catch_up(&mut |_, _| ());
        let root = *pieces.root();
        let lead = root.lead(root.side());
        let mut moves = Vec::new();
        if pieces.ledger.tree.is_split(&root.without_stores()) {
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
            answered: 0,
            split: 0,
            spent: PieceCost { nodes: 0, seconds: 0.0 },
            open: Vec::new(),
            at_work: 0,
            median_nodes: 0.0,
            reached: pieces.reached(),
            at_least: pieces.goal().at_least,
        };
        pieces.ledger.entries.iter().for_each(|entry| status.count(entry));
        let mut workers = HashMap::new();
        for lease in pieces.leases() {
            if let Some(key) = lease.key() {
                workers.insert(key, lease.worker);
            }
        }
        let sizes = pieces.sizes();
        for question in pieces.open_questions() {
            let expected = pieces.expected_nodes(&question, &sizes);
            let worker = workers.remove(&question.key());
            status.open.push(OpenQuestion { question, worker, expected });
        }
        status.at_work = status.open.iter().filter(|open| open.worker.is_some()).count();
        let mut nodes: Vec<f64> = status.open.iter().map(|open| open.expected).collect();
        nodes.sort_by(f64::total_cmp);
        status.median_nodes = nodes.get(nodes.len() / 2).copied().unwrap_or(0.0);
        status.open.sort_by_key(|open| open.worker.is_none());
        Ok(status)
    }

    fn count(&mut self, entry: &LedgerEntry) {
        let (finished, cost) = match entry {
            LedgerEntry::Proved(Proved { answer: Some(answer), .. }) => {
                (&mut self.answered, answer.cost)
            }
            LedgerEntry::Split(split) => (&mut self.split, split.cost),
            _ => return,
        };
        *finished += 1;
        self.spent.nodes += cost.nodes;
        self.spent.seconds += cost.seconds;
    }
}

/// The result of checking a ledger.
#[derive(Debug, Default)]
pub struct Review {
    /// The number of lines that prove bounds.
    pub proved: usize,
    /// The number of lines that split a question.
    pub split: usize,
    /// The faults, each with its line.
    pub faults: Vec<String>,
    /// The lines without faults.
    ledger: Ledger,
}

impl Review {
    /// Replays the ledger of a folder: checks that every answer fits its question and that no two
    /// bounds contradict each other.
    ///
    /// # Errors
    /// If the ledger cannot be read or a line is damaged; whole lines that are wrong
    /// are reported in [`Review::faults`].
    pub fn replay(folder: &Path) -> Result<(Self, Vec<ClaimedBounds>), PiecesError> {
        let lines = Ledger::lines(&ledger_file(folder)).map_err(|error| in_file(folder, error))?;
        let mut review = Self::default();
        let mut claims = Vec::new();
        // The header is the first line.
        for (line, text) in (2..).zip(&lines) {
            if let Err(fault) = review.replay_line(line, text, &mut claims) {
                review.faults.push(format!("line {line}: {fault}"));
            }
        }
        Ok((review, claims))
    }

    fn replay_line(
        &mut self,
        line: usize,
        text: &str,
        claims: &mut Vec<ClaimedBounds>,
    ) -> Result<(), String> {
        let entry = LedgerEntry::parse(text)?;
        is_of_variant(&self.ledger, &entry)?;
        if let LedgerEntry::Proved(proved) = &entry {
            let (bare, gain) = proved.checked()?;
            claims.push(ClaimedBounds { line, bare, gain });
        }
        fits(&self.ledger, &entry)?;
        match entry {
            LedgerEntry::Goal(_) => {}
            LedgerEntry::Proved(_) => self.proved += 1,
            LedgerEntry::Split(_) => self.split += 1,
        }
        self.ledger.push(entry)
    }

    /// The proof in `folder` as it was when it was replayed.
    ///
    /// # Errors
    /// [`PiecesError::File`] if the ledger has no goal.
    pub fn into_pieces(self, folder: &Path) -> Result<Pieces, PiecesError> {
        Pieces::with_ledger(folder, Ok(self.ledger))
    }

    /// Re-proves a line with a solver that has imported nothing from the ledger.
    ///
    /// # Errors
    /// [`SolveError::Stopped`] if `watch` returned `false`; others if the position does not fit
    /// the solver or no thread can be started.
    pub fn reprove(
        &mut self,
        claim: &ClaimedBounds,
        solver: &mut Solver,
        watch: &mut OnProgress<'_>,
    ) -> Result<(), SolveError> {
        let ClaimedBounds { line, bare, gain } = claim;
        let all = Interval::within(Gain(bare.in_play() as i32));
        // A bound that holds for every gain needs no search. Gains have the parity of the seeds
        // in play, so an upper bound is proved by refuting the gain that is 2 larger.
        let mut questions = Vec::new();
        if gain.lower > all.lower {
            questions.push(GainQuestion::new(gain.lower, true));
        }
        if gain.upper < all.upper {
            questions.push(GainQuestion::new(gain.upper + Gain(2), false));
        }
        for question in questions {
            let answer = solver.prove_at_least(bare, question, watch)?;
            let found = answer.expect("no node limit");
            // The new bounds need not be the same: they are a contradiction only if no gain
            // satisfies both.
            let both = found.and(*gain);
            if both.lower > both.upper {
                let fault = format!("claims {gain}, but a new search proved {found}");
                self.faults.push(format!("line {line}: {fault}"));
                break;
            }
        }
        Ok(())
    }
}

/// The bounds that a line claims to be proved.
#[derive(Debug)]
pub struct ClaimedBounds {
    /// Its number in the file, from 1.
    pub line: usize,
    /// A position without stores.
    pub bare: Position,
    /// The bounds of its gain.
    pub gain: Interval<Gain>,
}

/// A random sample of `claims`, each with this probability, in the order in which to re-prove them.
/// Positions with few seeds in play come first, because the bounds of others follow from theirs. Of
/// several lines about one position, the last comes first, because its bounds are the narrowest.
pub fn sample(claims: &[ClaimedBounds], probability: f64, seed: u64) -> Vec<&ClaimedBounds> {
    let mut random = SplitMix64::new(seed);
    let mut sampled: Vec<_> = claims.iter().filter(|_| random.unit() < probability).collect();
    sampled.sort_by_key(|claim| (claim.bare.in_play(), Reverse(claim.line)));
    sampled
}

/// Checks that the position of an entry has the root's variant.
fn is_of_variant(ledger: &Ledger, entry: &LedgerEntry) -> Result<(), String> {
    let bare = match entry {
        LedgerEntry::Goal(_) => return Ok(()),
        LedgerEntry::Split(split) => &split.bare,
        LedgerEntry::Proved(proved) => &proved.bare,
    };
    let got = bare.position()?.variant();
    let Some(goal) = &ledger.goal else { return Ok(()) };
    let expected = goal.position()?.variant();
    if expected != got {
        return Err(format!("expected a position of {expected}, got one of {got}"));
    }
    Ok(())
}

/// Checks that an entry fits those before it.
fn fits(ledger: &Ledger, entry: &LedgerEntry) -> Result<(), String> {
    let asked = match (entry, &ledger.goal) {
        (LedgerEntry::Goal(_), None) => return Ok(()),
        (LedgerEntry::Goal(goal), Some(known)) if goal.shares_board(known) => return Ok(()),
        (LedgerEntry::Goal(_), _) | (_, None) => {
            let fault = "expected a goal on the second line, and no goal for a different board";
            return Err(fault.to_owned());
        }
        (LedgerEntry::Split(split), _) => split.bare.position()?,
        (LedgerEntry::Proved(proved), _) if proved.answer.is_some() => proved.bare.position()?,
        (LedgerEntry::Proved(_), _) => return Ok(()),
    };
    if !ledger.tree.is_reached(&asked) {
        return Err("expected a position in the tree, got one outside it".to_owned());
    }
    let LedgerEntry::Proved(proved @ Proved { answer: Some(answer), .. }) = entry else {
        return Ok(());
    };
    let at_least = Gain(answer.at_least);
    let gain = proved.gain;
    let window = Window::at_least(at_least);
    if gain.answer(window).is_none() {
        return Err(format!("expected an answer to 'at least {at_least}', got {gain}"));
    }
    let known = ledger.tree.gain(&asked);
    match known.answer(window) {
        // A worker that lost its lease may have proved more than the other.
        Some(bound) if gain.and(known) == known => {
            Err(format!("expected an open question, got one that is answered by {bound}"))
        }
        _ => Ok(()),
    }
}
