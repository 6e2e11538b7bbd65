//! Labelled positions as boards to fit, of which about a tenth are held out.

use kalah_engine::evaluation::network::inputs::{Inputs, MAX_PITS};
use kalah_record::suite::Problem;
use thiserror::Error;

use crate::{fit::LabelledBoard, positions::labels};

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
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected {0}")]
pub struct TrainingDataError(String);

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
    // With fewer positions, none would be held out.
    if problems.len() < HELD_OUT {
        let got = problems.len();
        return Err(TrainingDataError(format!("at least {HELD_OUT} positions, got {got}")));
    }
    let widths = problems.iter().map(|problem| problem.position.pits());
    let (least, most) =
        widths.fold((usize::MAX, 0), |(least, most), pits| (least.min(pits), most.max(pits)));
    if least < most || most > MAX_PITS {
        return Err(TrainingDataError(format!(
            "positions of one width, 1 to {MAX_PITS} pits, got {least} to {most} pits"
        )));
    }
    if let Some(wide) = problems.iter().find(|problem| !problem.position.fits::<u64>()) {
        let got = wide.position.total();
        let most = u32::from(u8::MAX);
        return Err(TrainingDataError(format!("boards with at most {most} seeds, got {got}")));
    }
    Ok(most)
}
