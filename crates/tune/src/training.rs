//! Labelled positions as boards to fit, of which about a tenth are held out.

use kalah_engine::bench::Problem;
use kalah_engine::evaluation::network::{Inputs, MAX_PITS};
use thiserror::Error;

use crate::fit::LabelledBoard;
use crate::positions::labels;

/// Maximum number of consecutive positions that are fitted or held out together. They come mostly
/// from the same few games: if boards like the fitted ones were held out, the error measured on
/// them would be too low.
const MAX_IN_BLOCK: usize = 100;
/// One block in this many is held out.
const HELD_OUT: usize = 10;

/// Boards of one width with their gains.
#[derive(Clone, Debug)]
pub struct TrainingData {
    /// Pits per row.
    pub pits: usize,
    /// The boards to fit a network to.
    pub fitted: Vec<LabelledBoard>,
    /// The boards on which to measure its error.
    pub held: Vec<LabelledBoard>,
}

/// Error for positions to which no network can be fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TrainingDataError {
    /// With so few positions, none would be held out.
    #[error("expected at least {HELD_OUT} positions, got {0}")]
    TooFew(usize),
    /// The numbers of pits per row range from `least` to `most`.
    #[error("expected positions of one width, 1 to {MAX_PITS} pits, got {least} to {most} pits")]
    #[expect(missing_docs, reason = "the variant describes its fields")]
    Widths { least: usize, most: usize },
}

impl TrainingData {
    /// The boards of `problems`, and those after their moves.
    pub fn new(problems: &[Problem]) -> Result<Self, TrainingDataError> {
        let pits = width(problems)?;
        let inputs = Inputs::new(pits);
        let mut data = Self { pits, fitted: Vec::new(), held: Vec::new() };
        let block = (problems.len() / HELD_OUT).clamp(1, MAX_IN_BLOCK);
        for (index, problem) in problems.iter().enumerate() {
            let is_held = index / block % HELD_OUT == HELD_OUT - 1;
            let boards = if is_held { &mut data.held } else { &mut data.fitted };
            for (board, gain) in labels(problem) {
                boards.push(LabelledBoard::new(inputs, board, gain.0));
            }
        }
        Ok(data)
    }
}

/// The number of pits per row, which must be the same for all positions.
fn width(problems: &[Problem]) -> Result<usize, TrainingDataError> {
    if problems.len() < HELD_OUT {
        return Err(TrainingDataError::TooFew(problems.len()));
    }
    let widths = problems.iter().map(|problem| problem.position.pits());
    let (least, most) =
        widths.fold((usize::MAX, 0), |(least, most), pits| (least.min(pits), most.max(pits)));
    if least < most || most > MAX_PITS {
        return Err(TrainingDataError::Widths { least, most });
    }
    Ok(most)
}
