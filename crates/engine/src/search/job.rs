//! The job of a search: the position, the limits, and everything else that its threads
//! share but do not change while they search.

use std::{sync::OnceLock, time::Duration};

use crate::endgame::Tables;
use crate::evaluation::{Evaluation, FeatureWeights};
use kalah_game::{Gain, Pit, PitSet, Position};
use kalah_sys::stop::Flag;

use super::{
    limits::Limits, parameters::Parameters, skill::Skill, stack::Stack,
    transposition::TranspositionTable,
};

/// A search to perform.
#[derive(Clone, Copy, Debug)]
pub struct SearchJob<'a> {
    /// The position at the root; its game is not over.
    pub position: &'a Position,
    /// The search ends at the first of these.
    pub limits: Limits,
    /// Shared with earlier and later searches.
    pub table: &'a TranspositionTable,
    /// Threads to use, at least 1.
    pub threads: usize,
    /// The stack of the calling thread.
    pub stack: Stack,
    /// Root moves to find a pv for, at least 1.
    pub multipv: usize,
    /// Time lost between the engine and the clock on each sowing.
    pub overhead: Duration,
    /// Below [`Skill::FULL`] the result is not the best move found.
    pub skill: Skill,
    /// The static evaluation of leaves that are not exact.
    pub evaluation: Evaluation<'a>,
    /// Endgame tables of the position's variant.
    pub tables: Option<&'a Tables>,
    /// The heuristics added to plain NegaScout.
    pub options: SearchOptions,
    /// The numbers of those heuristics and of time management.
    pub parameters: Parameters,
    /// Seeds the random errors of a weaker skill.
    pub seed: u64,
    /// Where a solver that runs alongside the search delivers its proof.
    pub proof: Option<&'a ExternalProof>,
}

/// A proof of the position's margin that comes from outside the search and ends it. It
/// serves a single search, which must be for one pv, over all moves and at full strength.
#[derive(Debug, Default)]
pub struct ExternalProof {
    /// The proof that was given first.
    pub(super) found: OnceLock<(Gain, Vec<Pit>)>,
    pub(super) ended: Flag,
}

impl ExternalProof {
    /// Ends the search with the mover's exact margin and a pv of best play, which is not empty.
    pub fn give(&self, margin: Gain, pv: Vec<Pit>) {
        // Stored before the flag is raised: a search that ends because of the flag reads it.
        if self.found.set((margin, pv)).is_ok() {
            self.ended.raise();
        }
    }
}

impl<'a> SearchJob<'a> {
    /// A search by one thread at full strength, without limits, overhead or
    /// endgame tables.
    pub fn new(position: &'a Position, table: &'a TranspositionTable) -> Self {
        Self {
            position,
            limits: Limits::default(),
            table,
            threads: 1,
            stack: Stack::Usual,
            multipv: 1,
            overhead: Duration::ZERO,
            skill: Skill::FULL,
            evaluation: Evaluation::Linear(&FeatureWeights::DEFAULT),
            tables: None,
            options: SearchOptions::ALL,
            parameters: Parameters::IN_USE,
            seed: 0,
            proof: None,
        }
    }

    /// The legal moves to choose from.
    pub(super) fn root_moves(&self) -> PitSet {
        self.limits.allowed(self.position.moves())
    }
}

/// The heuristics that the engine adds to plain NegaScout. Each can be switched off, for
/// experiments and for the test that compares the search with the lab's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// Probe and store entries of the transposition table, and cut off by the
    /// entries of the children (ETC).
    pub transposition_table: bool,
    /// Cut off by proved bounds of a child that need no search: those that follow from its
    /// seeds in play, and those in the endgame tables.
    pub bound_cutoffs: bool,
    /// Order moves; otherwise the pit farthest from the store comes first.
    pub move_ordering: bool,
    /// Search late quiet moves to a smaller depth first (LMR).
    pub late_move_reductions: bool,
    /// Near the horizon, do not search boards whose static evaluation is far outside a null
    /// window.
    pub static_pruning: bool,
    /// An extra turn costs no depth, down to a horizon of twice the depth.
    pub extra_turn_extensions: bool,
}

impl SearchOptions {
    /// The engine as it plays.
    pub const ALL: Self = Self::every(true);
    /// Plain NegaScout.
    pub const NONE: Self = Self::every(false);

    const fn every(on: bool) -> Self {
        Self {
            transposition_table: on,
            bound_cutoffs: on,
            move_ordering: on,
            late_move_reductions: on,
            static_pruning: on,
            extra_turn_extensions: on,
        }
    }
}
