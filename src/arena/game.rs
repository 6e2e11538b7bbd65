//! One game: asks the players in turn, charges their clocks, ends by the rules
//! or by what is certain.

use std::time::Duration;

use super::opening::Opening;
use super::player::{Answer, Budget, ClockState, Failure, Player};
use super::schedule::{Adjudication, Timing};
use super::spec::Allowance;
use crate::depth::Depth;
use crate::game::{Position, Side};
use crate::record::{self, Ending, Game, Move, Outcome, Reason};
use crate::score::Gain;

/// A silent player has hung when its clock, the margin and this are over.
const AFTER_THE_CLOCK: Duration = Duration::from_secs(1);

/// Tells the margin of South at the end of a game, where it is known for
/// certain.
pub type Oracle<'a> = &'a (dyn Fn(&Position) -> Option<Gain> + Sync);

/// What a game is played by.
pub struct Conditions<'a> {
    /// Where it begins.
    pub opening: &'a Opening,
    /// What South and North may use.
    pub allowances: [Allowance; 2],
    /// Margins and patience.
    pub timing: Timing,
    /// When it is ended early.
    pub adjudication: &'a Adjudication,
    /// Knows the end of games, if it is asked.
    pub oracle: Oracle<'a>,
    /// Feeds players that are random.
    pub seed: u64,
}

/// The players of a game, South first.
pub type Players<'a> = [&'a mut dyn Player; 2];

/// The match was interrupted in the middle of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

/// Plays a game to its end, whatever the players do.
///
/// # Errors
/// [`Interrupted`] if the match was; the game then never was.
pub fn play(conditions: &Conditions<'_>, mut players: Players<'_>) -> Result<Game, Interrupted> {
    let mut game = Game::new(conditions.opening.start, Default::default());
    game.opening = Some(conditions.opening.name.clone());
    for &pit in &conditions.opening.moves {
        let played = game.play(Move::book(pit));
        debug_assert!(played.is_ok(), "an opening's moves are legal");
    }
    let ending = match play_on(&mut game, conditions, &mut players) {
        Ok(ending) => ending,
        Err((_, Failure::Interrupted)) => return Err(Interrupted),
        Err((side, Failure::Lost { reason, detail })) => {
            Ending::lost_by(side, reason, Some(detail).filter(|detail| !detail.is_empty()))
        }
    };
    let finished = game.finish(ending);
    debug_assert!(finished.is_ok(), "the ending is reckoned from the game: {finished:?}");
    compare_views(&mut game, &mut players);
    for side in Side::BOTH {
        let player = &mut players[side.index()];
        game.players[side.index()].version = player.version();
        let warnings = player.take_warnings();
        game.warnings.extend(warnings.into_iter().map(|warning| format!("{side}: {warning}")));
    }
    Ok(game)
}

/// Plays from the opening on. An error names the side that failed.
fn play_on(
    game: &mut Game,
    conditions: &Conditions<'_>,
    players: &mut Players<'_>,
) -> Result<Ending, (Side, Failure)> {
    for side in Side::BOTH {
        let begun = players[side.index()].begin(game.start(), conditions.seed);
        begun.map_err(|failure| (side, failure))?;
    }
    let mut clocks = conditions.allowances.map(|allowance| allowance.clock.map(ClockState::start));
    loop {
        if let Some(ending) = certain_ending(game, conditions) {
            return Ok(ending);
        }
        let side = game.position().side();
        let by_side = |failure| (side, failure);
        let budget = budget(conditions, side, clocks);
        let answer = players[side.index()].choose(game, &budget).map_err(by_side)?;
        charge(conditions, side, &mut clocks, &answer).map_err(by_side)?;
        game.play(recorded(&answer))
            .map_err(|error| by_side(Failure::lost(Reason::IllegalMove, error.to_string())))?;
    }
}

/// The end of a game that is over, or whose result nothing can change.
fn certain_ending(game: &Game, conditions: &Conditions<'_>) -> Option<Ending> {
    let position = game.position();
    let adjudication = conditions.adjudication;
    if let Some(ending) = Ending::of(position) {
        return Some(ending);
    }
    let by_table = adjudication.table_seeds.filter(|&seeds| position.in_play() <= seeds);
    if let Some(margin) = by_table.and_then(|_| (conditions.oracle)(position)) {
        return Some(Ending::by_margin(margin, Reason::Table));
    }
    let leader = Side::BOTH.into_iter().find(|&side| 2 * position.store(side) > position.total());
    if let Some(leader) = leader.filter(|_| adjudication.majority) {
        return Some(Ending::lost_by(leader.other(), Reason::Majority, None));
    }
    let limit = adjudication.move_limit?;
    (game.moves().len() >= limit as usize).then_some(Ending {
        outcome: Outcome::Draw,
        reason: Reason::MoveLimit,
        margin: None,
        detail: None,
    })
}

fn budget(conditions: &Conditions<'_>, side: Side, clocks: [Option<ClockState>; 2]) -> Budget {
    let allowance = &conditions.allowances[side.index()];
    let timing = conditions.timing;
    let movetime = allowance.movetime.map(Duration::from_millis);
    let clock = clocks[side.index()];
    let least = movetime.into_iter().chain(clock.map(|clock| clock.remaining)).min();
    let margin = Duration::from_millis(timing.margin);
    Budget {
        nodes: allowance.nodes,
        depth: allowance.depth.map(Depth),
        movetime,
        clocks,
        moves_to_go: clock.and_then(|clock| clock.moves_to_go),
        patience: least
            .map_or(Duration::from_millis(timing.patience), |time| time + margin + AFTER_THE_CLOCK),
    }
}

/// Takes the time of an answer off the clock.
fn charge(
    conditions: &Conditions<'_>,
    side: Side,
    clocks: &mut [Option<ClockState>; 2],
    answer: &Answer,
) -> Result<(), Failure> {
    let allowance = &conditions.allowances[side.index()];
    let margin = Duration::from_millis(conditions.timing.margin);
    let late = |limit: Duration| {
        let [used, limit] = [answer.time, limit].map(|time| time.as_secs_f64() * 1000.0);
        Failure::lost(Reason::Time, format!("used {used:.1} ms of {limit:.1} ms"))
    };
    if let Some(limit) = allowance.movetime.map(Duration::from_millis)
        && answer.time > limit + margin
    {
        return Err(late(limit));
    }
    if let (Some(clock), Some(allowance)) = (&mut clocks[side.index()], allowance.clock) {
        let remaining = clock.remaining;
        if !clock.charge(answer.time, margin, allowance) {
            return Err(late(remaining));
        }
    }
    Ok(())
}

fn recorded(answer: &Answer) -> Move {
    Move {
        evaluation: answer.evaluation,
        depth: answer.depth,
        nodes: answer.nodes,
        time: Some(Duration::from_micros(answer.time.as_micros() as u64)),
        ..Move::new(answer.pit)
    }
}

/// Asks both players for the result of a game that the rules ended.
fn compare_views(game: &mut Game, players: &mut Players<'_>) {
    let Some(ending) = game.ending().filter(|ending| ending.reason == Reason::Normal) else {
        return;
    };
    let outcome = ending.outcome;
    for side in Side::BOTH {
        let view = players[side.index()].result(game);
        let warning = match view {
            Ok(Some(view)) if view != outcome => {
                format!("{side}: takes the result for {view}, it is {outcome}")
            }
            Err(Failure::Lost { reason, detail }) => {
                format!("{side}: did not tell the result: {reason}, {detail}")
            }
            _ => continue,
        };
        game.warnings.push(warning);
    }
}

/// The player of a record.
pub fn recorded_player(spec: &super::spec::Spec, version: Option<String>) -> record::Player {
    let limit = spec.allowance.to_string();
    record::Player {
        name: spec.name.clone(),
        version,
        limit: Some(limit).filter(|limit| !limit.is_empty()),
        options: spec.options.clone(),
    }
}
