//! The parameters of a search: [`Settings`] has one field for each option that is only
//! read when a search starts. Tables, network and book are in
//! [`Resources`](super::resources::Resources).

use std::time::Duration;

use crate::search::Skill;
use crate::search::parameters::Parameters;
use kalah_text::named_enum;

/// The parameters of the engine's searches.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// Search threads, at most 512; 0 counts as 1, and no more are started than there are processors.
    pub threads: usize,
    /// Principal variations to find, at most 16; 0 counts as 1.
    pub multipv: usize,
    /// Time lost between the engine and the clock on each sowing.
    pub overhead: Duration,
    /// Playing strength, unless `limit_strength`.
    pub skill: Skill,
    /// Whether `elo` sets the strength.
    pub limit_strength: bool,
    /// A strength on the scale of [`Skill::from_elo`].
    pub elo: u32,
    /// The static evaluation of leaves. The transposition table keeps evaluations: after changing
    /// this directly, call [`Engine::new_game`](super::Engine::new_game). The option clears the
    /// table itself.
    pub evaluation: EvaluationKind,
    /// Whether time-limited searches may play from the opening book.
    pub own_book: bool,
    /// Threads of a solver that runs alongside the engine's own searches, 0 to 512; its proof
    /// ends the search. It runs only if all moves are searched without a depth or node limit.
    pub solver_threads: usize,
    /// The parameters of the search.
    pub parameters: Parameters,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            threads: 1,
            multipv: 1,
            overhead: Duration::from_millis(10),
            skill: Skill::FULL,
            limit_strength: false,
            elo: Skill::ELO[1],
            evaluation: EvaluationKind::Full,
            own_book: true,
            // A second search thread is worth as much as a solver (`doc/lab/strength.md`).
            solver_threads: 0,
            parameters: Parameters::IN_USE,
        }
    }
}

impl Settings {
    /// The strength of the next search.
    pub fn strength(&self) -> Skill {
        if self.limit_strength { Skill::from_elo(self.elo) } else { self.skill }
    }

    /// Whether the next search looks for the best move alone, at full strength.
    pub(super) fn wants_best_move(&self) -> bool {
        self.multipv <= 1 && self.strength().is_full()
    }
}

named_enum! {
    /// The ingredients of the static evaluation.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum EvaluationKind: "evaluation" {
        /// A network on boards for which one was trained, named features on others.
        Full = "full",
        /// Named features, on any board.
        Linear = "linear",
        /// The seeds in the stores alone.
        Stores = "stores",
    }
}
