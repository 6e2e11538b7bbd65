//! The full engine's judgement of moves: a hint, and what a move gave away.

use serde::{Deserialize, Serialize};

use kalah_coach::advice;
use kalah_coach::explain::{Judgement, comparison};
use kalah_coach::judge::{Judge, LOSS_TIME};
use kalah_engine::search::Stopper;
use kalah_game::Position;
use kalah_record::mark::Mark;

use crate::board::AskedPosition;
use crate::error::ApiError;
use crate::host::PageHost;

/// The best move and the reason for it.
#[derive(Debug, Serialize)]
pub(crate) struct ShownHint {
    pit: char,
    margin: f64,
    proved: bool,
    pv: Vec<char>,
    sentence: String,
}

impl ShownHint {
    fn new(position: &Position, judgement: &Judgement) -> Self {
        let best = &judgement.best;
        Self {
            pit: best.pit().letter(position.side()),
            margin: best.margin.seeds(),
            proved: best.proved,
            pv: position.letters(&best.pv).collect(),
            sentence: advice::hint(position, judgement).join(" "),
        }
    }
}

/// A move to judge.
#[derive(Debug, Deserialize)]
pub(crate) struct AskedMove {
    #[serde(flatten)]
    position: AskedPosition,
    pit: String,
}

/// A move compared with the best one.
#[derive(Debug, Serialize)]
pub(crate) struct ShownJudgement {
    pit: char,
    margin: f64,
    best: char,
    best_margin: f64,
    lost: f64,
    mark: Option<String>,
    proved: bool,
    /// Why it was a mistake, if it has a mark.
    sentence: Option<String>,
    /// The sentence that a newcomer sees instead.
    encouragement: String,
}

impl ShownJudgement {
    fn new(position: &Position, judgement: &Judgement) -> Self {
        let side = position.side();
        let Judgement { played, best } = judgement;
        let mark = Mark::for_loss(judgement.loss());
        Self {
            pit: played.pit().letter(side),
            margin: played.margin.seeds(),
            best: best.pit().letter(side),
            best_margin: best.margin.seeds(),
            lost: judgement.loss().seeds(),
            mark: mark.map(|mark| mark.to_string()),
            proved: judgement.is_proved(),
            sentence: mark.map(|_| comparison(position, judgement) + "."),
            encouragement: advice::encouragement(position, judgement),
        }
    }
}

/// The best move in a position that is not over.
pub(crate) fn hint(asked: &AskedPosition, host: &mut dyn PageHost) -> Result<ShownHint, ApiError> {
    let position = asked.unfinished()?;
    Ok(ShownHint::new(&position, &judge(host)?.hint(position)))
}

/// A legal move, compared with the best one.
pub(crate) fn judgement(
    AskedMove { position, pit }: &AskedMove,
    host: &mut dyn PageHost,
) -> Result<ShownJudgement, ApiError> {
    let position = position.unfinished()?;
    let pit = position.parse_move(pit).map_err(ApiError::invalid)?;
    Ok(ShownJudgement::new(&position, &judge(host)?.judgement(position, pit, LOSS_TIME)))
}

/// The host's judge, whose searches end when the host no longer wants the answer.
fn judge(host: &mut dyn PageHost) -> Result<&mut Judge, ApiError> {
    let stopper = Stopper::with_flag(host.stop().clone());
    let judge = host.judge()?;
    // All requests share the judge, but each is stopped by its own flag.
    judge.stopper = stopper;
    Ok(judge)
}
