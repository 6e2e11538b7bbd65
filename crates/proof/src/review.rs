//! The check of a ledger. Nothing here changes the folder or needs its lock, so workers may
//! continue in the meantime.

use std::cmp::Reverse;
use std::path::Path;

use crate::pieces::{Pieces, PiecesError, in_file, ledger_file};
use kalah_engine::solve::ledger::{Ledger, LedgerEntry, Proved, bare_position};
use kalah_engine::solve::{GainQuestion, OnProgress, SolveError, Solver};
use kalah_game::{Gain, Interval, Position};
use kalah_sys::random::SplitMix64;

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

    /// Re-proves a line with a solver that has imported nothing from the ledger; returns whether it
    /// was right.
    ///
    /// # Errors
    /// [`SolveError::Stopped`] if `watch` returned `false`; others if the position does not fit
    /// the solver or no thread can be started.
    pub fn reprove(
        &mut self,
        claim: &ClaimedBounds,
        solver: &mut Solver,
        watch: &mut OnProgress<'_>,
    ) -> Result<bool, SolveError> {
        let ClaimedBounds { line, bare, gain } = claim;
        let all = bare.gains();
        // A bound that holds for every gain needs no search. An upper bound is proved by refuting
        // the next larger gain.
        let mut questions = Vec::new();
        if gain.lower > all.lower {
            questions.push(GainQuestion::new(gain.lower, true));
        }
        if gain.upper < all.upper {
            questions.push(GainQuestion::new(gain.upper + bare.variant().gain_step(), false));
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
                return Ok(false);
            }
        }
        Ok(true)
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
    let got = bare_position(bare)?.variant();
    let Some(goal) = ledger.goal() else { return Ok(()) };
    let expected = goal.position()?.variant();
    if expected != got {
        return Err(format!("expected a position of {expected}, got one of {got}"));
    }
    Ok(())
}

/// Checks that an entry fits those before it.
fn fits(ledger: &Ledger, entry: &LedgerEntry) -> Result<(), String> {
    let asked = match (entry, ledger.goal()) {
        (LedgerEntry::Goal(_), None) => return Ok(()),
        (LedgerEntry::Goal(goal), Some(known)) if goal.shares_board(known) => return Ok(()),
        (LedgerEntry::Goal(_), _) | (_, None) => {
            let fault = "expected a goal on the second line, and no goal for a different board";
            return Err(fault.to_owned());
        }
        (LedgerEntry::Split(split), _) => bare_position(&split.bare)?,
        (LedgerEntry::Proved(proved), _) if proved.answer.is_some() => bare_position(&proved.bare)?,
        (LedgerEntry::Proved(_), _) => return Ok(()),
    };
    if !ledger.tree().is_reached(&asked) {
        return Err("expected a position in the tree, got one outside it".to_owned());
    }
    let LedgerEntry::Proved(proved @ Proved { answer: Some(answer), .. }) = entry else {
        return Ok(());
    };
    let at_least = Gain(answer.at_least);
    let gain = proved.gain;
    let window = asked.variant().at_least(at_least);
    if gain.answer(window).is_none() {
        return Err(format!("expected an answer to 'at least {at_least}', got {gain}"));
    }
    let known = ledger.tree().gain(&asked);
    match known.answer(window) {
        // A worker that lost its lease may have proved more than the other.
        Some(bound) if gain.and(known) == known => {
            Err(format!("expected an open question, got one that is answered by {bound}"))
        }
        _ => Ok(()),
    }
}
