//! A look at a proof in pieces that changes nothing: how far it is, and whether
//! its ledger is right. Needs no lock; workers may go on meanwhile.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::ledger::{Entry, Goal, Ledger, Proved};
use super::pieces::{Pieces, PiecesError, in_file, ledger_file};
use super::tree::Question;
use super::{OnProgress, SolveError, Solver, without_stores};
use crate::game::score::{Gain, Interval, Turn, Window};
use crate::game::{Pit, Position};
use crate::sys::random::SplitMix64;

/// Draws for an estimate of what remains.
const DRAWS: usize = 200;

/// How far a proof is.
#[derive(Debug)]
pub struct Status {
    /// The position that the proof is about.
    pub root: Position,
    /// What is proved of its margin.
    pub margin: Interval<Gain>,
    /// The margin that is asked for now; none if the goal is reached.
    pub asked: Option<Gain>,
    /// What is proved of the margin after each of its moves, as its mover sees it;
    /// none before it is split.
    pub moves: Vec<(Pit, Interval<Gain>)>,
    /// Questions answered, and questions split.
    pub finished: [u64; 2],
    /// Nodes and seconds of both, summed over workers.
    pub spent: (u64, f64),
    /// Nodes to come: a tenth of all draws is below the first figure, half below
    /// the second, a tenth above the last.
    pub remaining: [f64; 3],
    /// The open questions, those being answered first, then in the order of work.
    pub open: Vec<Open>,
    /// The number of open questions.
    pub leaves: usize,
    /// The number of those that some worker answers.
    pub at_work: usize,
    /// Whether the margin that the goal asks for is reached, where that is proved.
    pub reached: Option<bool>,
    /// That margin; none if the exact one is asked.
    pub at_least: Option<i32>,
}

/// A question without an answer yet, and who works on it.
#[derive(Debug)]
pub struct Open {
    /// The position and the bound that is asked.
    pub question: Question,
    /// The worker that holds its lease, if one does.
    pub worker: Option<String>,
    /// The nodes that it may take.
    pub expected: f64,
}

impl Status {
    /// Reads a folder; lists at most `most` open questions that no worker has.
    ///
    /// # Errors
    /// [`PiecesError::File`]
    pub fn read(folder: &Path, most: usize) -> Result<Self, PiecesError> {
        let mut pieces = Pieces::read(folder)?;
        pieces.catch_up(&mut |_, _| ());
        let root = *pieces.root();
        let tree = &pieces.ledger.tree;
        let lead = root.lead(root.side());
        let of_child = |after: &Position| {
            let turn = if after.side() == root.side() { Turn::Keeps } else { Turn::Passes };
            tree.gain(&without_stores(after)).from_child(after.lead(root.side()), turn)
        };
        let is_split = tree.is_split(&without_stores(&root));
        let moves = root.children().map(|(played, after)| (played.pit, of_child(&after)));
        let mut status = Self {
            root,
            margin: pieces.margin(),
            asked: None,
            moves: moves.filter(|_| is_split).collect(),
            finished: [0; 2],
            spent: (0, 0.0),
            remaining: [0.0; 3],
            open: Vec::new(),
            leaves: 0,
            at_work: 0,
            reached: pieces.reached(),
            at_least: pieces.goal().at_least,
        };
        for entry in &pieces.ledger.entries {
            status.count(entry);
        }
        if let Some(question) = pieces.question() {
            status.asked = Some(question.at_least + lead);
            status.look_ahead(&pieces, &question, most);
        }
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

    fn look_ahead(&mut self, pieces: &Pieces, root: &Question, most: usize) {
        let (tree, sizes) = (&pieces.ledger.tree, pieces.sizes());
        let leaves = tree.open(root);
        self.leaves = leaves.len();
        let leases = pieces.leases().into_iter();
        let leases = leases.filter_map(|lease| Some((lease.key()?, lease.worker)));
        let leases: HashMap<_, _> = leases.filter(|(key, _)| leaves.contains(key)).collect();
        self.at_work = leases.len();
        let mut listed = HashSet::new();
        let (mut at_work, mut others) = (0, 0);
        while (others < most || at_work < leases.len())
            && let Some(question) = tree.next(root, &sizes, &listed)
        {
            let key = (question.position, question.at_least);
            listed.insert(key);
            match leases.contains_key(&key) {
                true => at_work += 1,
                false if others == most => continue,
                false => others += 1,
            }
            let expected = sizes.mean(tree.usual_nodes_of(&question.position, question.at_least));
            self.open.push(Open { question, worker: leases.get(&key).cloned(), expected });
        }
        self.open.sort_by_key(|open| open.worker.is_none());
        let mut random = SplitMix64::new(1);
        let exact = pieces.goal().at_least.is_none();
        let mut draws: Vec<f64> =
            (0..DRAWS).map(|_| tree.draw_remaining(root, exact, &sizes, &mut random)).collect();
        draws.sort_by(f64::total_cmp);
        self.remaining = [DRAWS / 10, DRAWS / 2, DRAWS - DRAWS / 10].map(|at| draws[at]);
    }
}

/// What a check has found.
#[derive(Debug, Default)]
pub struct Review {
    /// Lines that prove bounds, and lines that split a question.
    pub lines: [usize; 2],
    /// What is wrong, with the line.
    pub faults: Vec<String>,
}

impl Review {
    /// Replays the ledger of a folder: every line is as it was written, every answer
    /// fits its question, and no bound contradicts another. Workers may go on.
    ///
    /// # Errors
    /// If the ledger cannot be read or a line is damaged; what is wrong in whole
    /// lines is in [`Review::faults`].
    pub fn replay(folder: &Path) -> Result<(Self, Vec<Claim>), PiecesError> {
        let path = ledger_file(folder);
        let lines = Ledger::lines(&path).map_err(in_file(&path))?;
        let (mut review, mut claims) = (Self::default(), Vec::new());
        let mut ledger = Ledger::default();
        // The header is the first line.
        for (line, text) in (2..).zip(&lines) {
            let mut replay = || {
                let entry = Entry::parse(text)?;
                is_of_variant(&ledger, &entry)?;
                if let Entry::Proved(proved) = &entry {
                    let (bare, gain) = proved.checked()?;
                    claims.push(Claim { line, bare, gain });
                }
                fits(&ledger, &entry)?;
                match entry {
                    Entry::Goal(_) => {}
                    Entry::Proved(_) => review.lines[0] += 1,
                    Entry::Split(_) => review.lines[1] += 1,
                }
                ledger.take_in(entry)
            };
            if let Err(fault) = replay() {
                review.faults.push(format!("line {line}: {fault}"));
            }
        }
        Ok((review, claims))
    }

    /// Proves a line again by a solver that has not learnt from the ledger.
    ///
    /// # Errors
    /// [`SolveError::Stopped`] if `watch` returned `false`, and others of
    /// [`Solver::ask`].
    pub fn prove_again(
        &mut self,
        claim: &Claim,
        solver: &mut Solver,
        watch: &mut OnProgress<'_>,
    ) -> Result<(), SolveError> {
        let Claim { line, bare, gain } = claim;
        let all = Interval::within(Gain(bare.in_play() as i32));
        let asked =
            [(gain.lower, gain.lower > all.lower), (gain.upper + Gain(2), gain.upper < all.upper)];
        for (at_least, _) in asked.into_iter().filter(|(_, says_more)| *says_more) {
            let found = solver.ask(bare, at_least, u64::MAX, watch)?.ok_or(SolveError::NoThread)?;
            let both = found.and(*gain);
            if both.lower > both.upper {
                self.faults.push(format!("line {line}: says {gain}, proved again as {found}"));
                break;
            }
        }
        Ok(())
    }
}

/// What a line says is proved.
#[derive(Debug)]
pub struct Claim {
    /// Its number in the file, from 1.
    pub line: usize,
    /// A position without stores.
    pub bare: Position,
    /// The bounds of its gain.
    pub gain: Interval<Gain>,
}

/// Whether the position of an entry is one of the root's boards.
fn is_of_variant(ledger: &Ledger, entry: &Entry) -> Result<(), String> {
    let bare = match entry {
        Entry::Goal(_) => return Ok(()),
        Entry::Split(split) => &split.bare,
        Entry::Proved(proved) => &proved.bare,
    };
    let got = bare.position()?.variant();
    let expected = ledger.goal.as_ref().map_or(Ok(got), |goal| Ok(goal.position()?.variant()));
    match expected {
        Ok(expected) if expected != got => {
            Err(format!("expected a position of {expected}, got one of {got}"))
        }
        expected => expected.map(drop),
    }
}

/// Whether an entry has its place where it stands.
fn fits(ledger: &Ledger, entry: &Entry) -> Result<(), String> {
    let asked = match (entry, &ledger.goal) {
        (Entry::Goal(_), None) => return Ok(()),
        (Entry::Goal(goal), Some(known)) if goal.is_about_same(known) => return Ok(()),
        (Entry::Goal(_), _) | (_, None) => {
            return Err(
                "expected a goal in the second line, and none about another root".to_owned()
            );
        }
        (Entry::Split(split), _) => split.bare.position()?,
        (Entry::Proved(proved), _) if proved.answer.is_some() => proved.bare.position()?,
        (Entry::Proved(_), _) => return Ok(()),
    };
    let root = ledger.goal.as_ref().map_or(Ok(asked), Goal::position)?;
    if !ledger.tree.is_reached(&asked, &without_stores(&root)) {
        return Err("expected a question of the tree, got another position".to_owned());
    }
    let Entry::Proved(proved @ Proved { answer: Some(answer), .. }) = entry else {
        return Ok(());
    };
    let (at_least, gain) = (Gain(answer.at_least), proved.gain());
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
