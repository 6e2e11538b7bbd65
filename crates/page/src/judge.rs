//! The full engine's judgement of moves: a hint, and what a move gave away.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use kalah_coach::advice;
use kalah_coach::explain::{Judgement, comparison, turning_point};
use kalah_coach::judge::{Judge, LOSS_TIME};
use kalah_engine::search::Stopper;
use kalah_game::{Pit, Position, Side};
use kalah_play::seat::Seat;
use kalah_record::mark::Mark;

use crate::board::AskedPosition;
use crate::error::ApiError;
use crate::page_host::PageHost;

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
    /// The initial of the side of the only person, who is addressed as "you".
    reader: Option<char>,
    /// The maximum time of each of the two searches, in milliseconds.
    time: Option<u64>,
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
    /// How the move gave away a win or a draw, if it did.
    turning_point: Option<String>,
}

impl ShownJudgement {
    /// Judges a legal move by two searches, each of at most `time`, for its `reader`.
    pub(crate) fn of_move(
        position: Position,
        pit: Pit,
        time: Duration,
        reader: Option<Side>,
        host: &mut dyn PageHost,
    ) -> Result<Self, ApiError> {
        let judgement = judge(host, Seat::Person)?.judgement(position, pit, time);
        Ok(Self::new(&position, &judgement, reader))
    }

    fn new(position: &Position, judgement: &Judgement, reader: Option<Side>) -> Self {
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
            sentence: mark.map(|_| comparison(position, judgement, reader) + "."),
            encouragement: advice::encouragement(position, judgement),
            turning_point: turning_point(position, judgement, reader),
        }
    }
}

/// The best move in a position that is not over.
pub(crate) fn hint(asked: &AskedPosition, host: &mut dyn PageHost) -> Result<ShownHint, ApiError> {
    let position = asked.unfinished()?;
    Ok(ShownHint::new(&position, &judge(host, Seat::Person)?.hint(position)))
}

/// A legal move, compared with the best one.
pub(crate) fn judgement(
    asked: &AskedMove,
    host: &mut dyn PageHost,
) -> Result<ShownJudgement, ApiError> {
    let position = asked.position.unfinished()?;
    let pit = position.parse_move(&asked.pit).map_err(ApiError::invalid)?;
    let reader = Side::BOTH.into_iter().find(|side| asked.reader == Some(side.initial()));
    let time = asked.time.map_or(LOSS_TIME, Duration::from_millis).min(LOSS_TIME);
    ShownJudgement::of_move(position, pit, time, reader, host)
}

/// The host's engine for a player, whose searches end when the host no longer wants the answer.
pub(crate) fn judge(host: &mut dyn PageHost, seat: Seat) -> Result<&mut Judge, ApiError> {
    let stopper = Stopper::with_flag(host.stop().clone());
    let judge = host.judge(seat)?;
    // Requests share engines, but each is stopped by its own flag.
    judge.stopper = stopper;
    Ok(judge)
}
