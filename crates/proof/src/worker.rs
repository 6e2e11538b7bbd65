//! A worker's loop ([`Pieces::work`]): lease a question, search it, and record the answer, or split
//! the question if it takes too long.

use std::collections::HashSet;

use crate::pieces::{
    Lease, MarginEstimator, OnEvent, POLL, PieceOutcome, Pieces, PiecesError, ROOT_NODES, WorkEvent,
};
use crate::questions::Question;
use kalah_engine::solve::ledger::{LedgerEntry, PieceAnswer, PieceCost, Proved, Split};
use kalah_engine::solve::{GainQuestion, Provenance, SolveError, Solver};
use kalah_game::{Gain, Interval, Position, PositionText};
use kalah_sys::clock::Instant;

/// The number of nodes per second that is assumed until the first piece is finished.
const USUAL_RATE: f64 = 4e6;
/// A question expected to take more pieces than this is split without being searched.
const SPLIT_UNSEARCHED_ABOVE: f64 = 8.0;

/// The next action of a worker.
#[derive(Debug, PartialEq)]
enum NextStep {
    Answer(Question),
    /// Other workers hold all open questions.
    Wait,
    /// The goal is reached.
    Stop,
}

/// The reason why the search of a question ended without an answer.
enum Cut {
    TooLong,
    Superseded,
    Failed(PiecesError),
}

/// A finished question, and the entries to append for it.
struct FinishedPiece {
    outcome: PieceOutcome,
    entries: Vec<LedgerEntry>,
    cost: PieceCost,
}

impl Pieces {
    /// Answers questions until the goal is reached; returns the proved bounds of the root's
    /// margin.
    ///
    /// # Errors
    /// [`PiecesError::File`] if the ledger is damaged, [`PiecesError::Solve`] if a search fails,
    /// with [`SolveError::Stopped`] if `watch` returned `false`.
    pub fn work(
        &mut self,
        solver: &mut Solver,
        estimate: &mut MarginEstimator<'_>,
        watch: &mut OnEvent<'_>,
    ) -> Result<Interval<Gain>, PiecesError> {
        let provenance = solver.provenance();
        loop {
            let next = self.locked(|pieces| {
                let fresh = pieces.goal.fresh;
                pieces.catch_up(&mut |position, gain| {
                    if !fresh {
                        solver.import_bounds(position, gain);
                    }
                });
                Ok(pieces.next())
            });
            let question = match next? {
                NextStep::Answer(question) => question,
                NextStep::Stop => return Ok(self.margin()),
                NextStep::Wait => {
                    std::thread::sleep(POLL);
                    if !watch(WorkEvent::Waiting) {
                        return Err(SolveError::Stopped.into());
                    }
                    continue;
                }
            };
            let finished = self.answer(&question, solver, &provenance, estimate, watch);
            let recorded = finished.and_then(|piece| self.record(&question, piece, watch));
            if recorded.is_err() {
                // The reason for stopping matters more than the lease, which will expire.
                let _ = self.locked(|pieces| {
                    pieces.lease(None);
                    Ok(())
                });
            }
            recorded?;
        }
    }

    /// Leases the best open question. The ledger must be locked.
    fn next(&mut self) -> NextStep {
        if self.question().is_none() {
            return NextStep::Stop;
        }
        let taken: HashSet<_> = self.leases().iter().filter_map(Lease::key).collect();
        // In the order of proof numbers: each further worker takes the next best question.
        let mut open = self.open_questions().into_iter();
        match open.find(|question| !taken.contains(&question.key())) {
            Some(question) => {
                self.lease(Some(&question));
                NextStep::Answer(question)
            }
            None => NextStep::Wait,
        }
    }

    /// Searches a question until it is answered or must be split.
    fn answer(
        &mut self,
        question: &Question,
        solver: &mut Solver,
        provenance: &Provenance,
        estimate: &mut MarginEstimator<'_>,
        watch: &mut OnEvent<'_>,
    ) -> Result<FinishedPiece, PiecesError> {
        let started = Instant::now();
        let nodes = solver.nodes();
        let mut renewed = started;
        let mut cut = None;
        let answered = if self.is_too_large(question) {
            // A search would be cut off in any case: its time is better spent on the moves.
            Ok(None)
        } else {
            if self.goal.fresh {
                solver.forget();
            }
            let limit = self.goal.piece_nodes.unwrap_or(u64::MAX);
            let Question { position, at_least, .. } = question;
            let node = self.ledger.tree().node(position);
            let expected = node.is_some_and(|node| node.estimate() >= *at_least);
            let asked = GainQuestion { at_least: *at_least, expected, limit };
            solver.prove_at_least(position, asked, &mut |progress| {
                cut = self.cut(question, started, &mut renewed);
                watch(WorkEvent::Searching(question, progress)) && cut.is_none()
            })
        };
        let mut cost =
            PieceCost { nodes: solver.nodes() - nodes, seconds: started.elapsed().as_secs_f64() };
        let (outcome, entries) = match (answered, cut) {
            (_, Some(Cut::Failed(error))) => return Err(error),
            (Ok(Some(gain)), _) => {
                let answer = PieceAnswer {
                    at_least: question.at_least.0,
                    cost,
                    provenance: Some(provenance.clone()),
                };
                let proved = Proved::new(&question.position, gain, Some(answer));
                (PieceOutcome::Proved(gain), vec![LedgerEntry::Proved(proved)])
            }
            (Err(SolveError::Stopped), Some(Cut::Superseded)) => {
                (PieceOutcome::Superseded, Vec::new())
            }
            (Ok(None), _) | (Err(SolveError::Stopped), Some(Cut::TooLong)) => {
                let position = &question.position;
                let mut split = split(position, cost, provenance.clone(), estimate);
                // With the estimates.
                cost.seconds = started.elapsed().as_secs_f64();
                split.cost = cost;
                let mut entries = vec![LedgerEntry::Split(split)];
                // A fresh proof records only answers, each of which can be reproduced on its own.
                if !self.goal.fresh {
                    entries.extend(bounds_of_moves(position, solver));
                }
                (PieceOutcome::Split, entries)
            }
            (Err(error), _) => return Err(error.into()),
        };
        Ok(FinishedPiece { outcome, entries, cost })
    }

    /// Whether the search of a question must end. Renews the lease before it expires.
    fn cut(&mut self, question: &Question, started: Instant, renewed: &mut Instant) -> Option<Cut> {
        // Long before the lease expires, because waiting for the lock may take time.
        if renewed.elapsed().as_secs_f64() > self.goal.lease_seconds / 4.0 {
            *renewed = Instant::now();
            match self.renew(question) {
                Ok(true) => {}
                Ok(false) => return Some(Cut::Superseded),
                Err(error) => return Some(Cut::Failed(error)),
            }
        }
        if started.elapsed().as_secs_f64() < self.goal.piece_seconds {
            return None;
        }
        Some(Cut::TooLong)
    }

    /// Renews the lease; returns whether the question is still open.
    ///
    /// # Errors
    /// If the ledger is damaged. If it merely cannot be read at present, the search continues.
    fn renew(&mut self, question: &Question) -> Result<bool, PiecesError> {
        let renewed = self.locked(|pieces| {
            pieces.lease(Some(question));
            Ok(pieces.open_questions().iter().any(|open| open.key() == question.key()))
        });
        match renewed {
            Err(error) if !error.is_damage() => {
                log::warn!("cannot renew the lease: {error}");
                Ok(true)
            }
            renewed => renewed,
        }
    }

    /// The number of nodes in a piece that uses all of its time, at the rate of finished pieces.
    fn piece_nodes(&self) -> f64 {
        let nodes: f64 = self.finished.iter().map(|(_, cost)| cost.nodes as f64).sum();
        let seconds: f64 = self.finished.iter().map(|(_, cost)| cost.seconds).sum();
        let rate = if nodes > 0.0 { nodes / seconds } else { USUAL_RATE };
        let by_time = self.goal.piece_seconds * rate;
        match self.goal.piece_nodes {
            Some(nodes) => by_time.min(nodes as f64),
            None => by_time,
        }
    }

    /// The node limit for the estimate of a move: a hundredth of a piece, from 200 to a million.
    pub fn estimate_nodes(&self) -> u64 {
        (self.piece_nodes() as u64 / 100).clamp(200, ROOT_NODES)
    }

    fn is_too_large(&self, question: &Question) -> bool {
        // A finished position has no moves to split it into.
        !question.position.is_over()
            && self.expected_nodes(question, &self.sizes())
                > SPLIT_UNSEARCHED_ABOVE * self.piece_nodes()
    }

    /// Appends the new entries of a piece, retrying until that succeeds.
    fn record(
        &mut self,
        question: &Question,
        piece: FinishedPiece,
        watch: &mut OnEvent<'_>,
    ) -> Result<(), PiecesError> {
        self.saved(watch, |pieces| {
            // Another worker may have answered the question after the lease expired.
            let new = piece.entries.iter().filter(|entry| pieces.ledger.is_new(entry));
            pieces.ledger.append(new.cloned().collect())?;
            pieces.lease(None);
            Ok(())
        })?;
        if watch(WorkEvent::Finished(question, piece.outcome, piece.cost)) {
            Ok(())
        } else {
            Err(SolveError::Stopped.into())
        }
    }
}

/// Splits a question that took too long into its moves, with estimates of their gains.
fn split(
    bare: &Position,
    cost: PieceCost,
    provenance: Provenance,
    estimate: &mut MarginEstimator<'_>,
) -> Split {
    let after = bare.children().map(|(_, after)| after.without_stores());
    let estimates = after.map(|after| estimate(&after).0).collect();
    Split { bare: PositionText::new(bare), estimates, cost, provenance: Some(provenance) }
}

/// The bounds that the table holds for the positions after each move. They are recorded because
/// other workers have different tables.
fn bounds_of_moves(bare: &Position, solver: &Solver) -> impl Iterator<Item = LedgerEntry> {
    let after = bare.children().map(|(_, after)| after.without_stores());
    after.map(|after| LedgerEntry::Proved(Proved::new(&after, solver.bounds(&after), None)))
}
