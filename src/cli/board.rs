//! The arguments that choose a board, shared by most commands.

use clap::Args;

use super::Failure;
use crate::game::{Capture, Position, Rules};

/// A start position by its size, or any position by its text.
#[derive(Clone, Debug, Args)]
pub struct BoardArgs {
    /// Pits a row, 1 to 16
    #[arg(long, default_value_t = 6)]
    pub pits: u32,
    /// Seeds a pit at the start
    #[arg(long, default_value_t = 4)]
    pub seeds: u32,
    /// Capture rule: standard, or empty-capture (a last seed in an empty pit is
    /// banked even if the opposite pit is empty)
    #[arg(long, default_value_t)]
    pub capture: Capture,
    /// Another position, as `<pits,S store,N store,S row…,N row…> S`; then
    /// --pits and --seeds play no part
    #[arg(long, value_name = "TEXT")]
    pub position: Option<String>,
}

impl BoardArgs {
    /// The rules that --pits, --seeds and --capture ask for.
    ///
    /// # Errors
    /// [`Failure::Usage`] if no such board exists.
    pub fn rules(&self) -> Result<Rules, Failure> {
        Rules::new(self.pits, self.seeds, self.capture).map_err(Failure::usage)
    }

    /// The position asked for.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the text is no position or no such board exists.
    pub fn position(&self) -> Result<Position, Failure> {
        match &self.position {
            Some(text) => Position::parse(text, self.capture)
                .map_err(|error| Failure::Usage(format!("--position: {error}"))),
            None => Ok(Position::start(self.rules()?)),
        }
    }
}
