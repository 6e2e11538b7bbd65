//! One game: asks the players for moves, charges their clocks, and ends it by the
//! rules or by adjudication. [`play`] is the way in.
//!
//! Every game ends with a result, whatever the players do: a player that fails
//! loses. Only an interrupted match leaves a game without one.

use std::time::Duration;

use super::MatchError;
use super::config::{GameLimits, MatchConfig, ScoreRule};
use super::player::{MoveLimits, Player, PlayerError};
use super::schedule::{Fixture, Schedule};
use crate::game::score::{Gain, Value};
use crate::game::{Position, Side};
use crate::record::{self, Ending, Game, Move, Outcome, Reason};
use crate::search::{Clock, Limits};
use crate::sys::clock::now;

/// Hang guard: a player still silent this long after its time and the margin has hung,
/// and is stopped. A late answer before that loses on time instead, which tells the
/// author of an engine more.
const HANG_GRACE: Duration = Duration::from_secs(1);

/// South's margin at the end of a game, where an endgame table has it.
pub(crate) type TableMargin<'a> = &'a (dyn Fn(&Position) -> Option<Gain> + Sync);

/// The players of a game, South first.
pub(crate) type Players<'a> = [&'a mut dyn Player; 2];

/// The shortest delay of the system that is recorded.
const LATE: Duration = Duration::from_millis(1);

/// Plays a game to its end; none if the match was interrupted. `longest_delay` is that of
/// the system since the game began.
///
/// # Errors
/// [`MatchError::Failed`] if the system refuses what a player in this process needs.
pub(crate) fn play(
    schedule: &Schedule,
    fixture: &Fixture,
    table: TableMargin<'_>,
    longest_delay: impl FnOnce() -> Duration,
    mut players: Players<'_>,
) -> Result<Option<Game>, MatchError> {
    let opening = schedule.opening(fixture);
    let configs = schedule.players(fixture);
    let recorded = configs.map(|config| record::Player {
        limit: Some(config.limits.to_string()).filter(|limit| !limit.is_empty()),
        options: config.options.clone(),
        ..record::Player::named(&config.name)
    });
    let mut game = Game::new(opening.start, recorded);
    game.id = Some(fixture.id.clone());
    game.event = Some(schedule.config.event.clone()).filter(|event| !event.is_empty());
    game.date = Some(now());
    game.round = u32::try_from(fixture.index + 1).ok();
    game.opening = Some(opening.name.clone());
    for &pit in &opening.moves {
        let played = game.play(Move::book(pit));
        debug_assert!(played.is_ok(), "an opening's moves are legal");
    }
    let limits = configs.map(|config| config.limits);
    let clocks = limits.map(|limits| limits.control.map(Clock::start));
    let mut in_play = InPlay { config: &schedule.config, table, limits, clocks, game };
    let ending = match in_play.play_to_the_end(fixture.seed, &mut players) {
        Ok(ending) => ending,
        Err((_, PlayerError::Interrupted)) => return Ok(None),
        Err((_, PlayerError::Refused(error))) => {
            return Err(MatchError::Failed(format!("cannot start a search: {error}")));
        }
        Err((side, PlayerError::Lost { reason, detail })) => {
            Ending::lost_by(side, reason, Some(detail).filter(|detail| !detail.is_empty()))
        }
    };
    let mut game = in_play.game;
    let late = longest_delay();
    if late >= LATE {
        let milliseconds = format!("{:.1}", late.as_secs_f64() * 1000.0);
        game.tags.insert(record::DELAY.to_owned(), milliseconds);
    }
    let finished = game.finish(ending);
    debug_assert!(finished.is_ok(), "the ending follows from the game: {finished:?}");
    compare_results(&mut game, &mut players);
    for side in Side::BOTH {
        let player = &mut players[side.index()];
        game.players[side.index()].version = player.version();
        let warnings = player.take_warnings();
        game.warnings.extend(warnings.into_iter().map(|warning| format!("{side}: {warning}")));
    }
    Ok(Some(game))
}

struct InPlay<'a> {
    config: &'a MatchConfig,
    table: TableMargin<'a>,
    limits: [GameLimits; 2],
    clocks: [Option<Clock>; 2],
    game: Game,
}

impl InPlay<'_> {
    /// Plays from the opening to the end. An error names the side that failed.
    fn play_to_the_end(
        &mut self,
        seed: u64,
        players: &mut Players<'_>,
    ) -> Result<Ending, (Side, PlayerError)> {
        for side in Side::BOTH {
            let begun = players[side.index()].begin(self.game.start(), seed);
            begun.map_err(|failure| (side, failure))?;
        }
        loop {
            if let Some(ending) = self.ending() {
                return Ok(ending);
            }
            let side = self.game.position().side();
            self.play_move(side, players[side.index()]).map_err(|failure| (side, failure))?;
        }
    }

    fn play_move(&mut self, side: Side, player: &mut dyn Player) -> Result<(), PlayerError> {
        let mut chosen = player.choose(&self.game, &self.move_limits(side))?;
        let time = chosen.time.unwrap_or_default();
        // The clock first: a move that came too late does not count, legal or not.
        self.charge(side, time)?;
        // Records have whole microseconds.
        chosen.time = Some(Duration::from_micros(time.as_micros() as u64));
        let played = self.game.play(chosen);
        played.map_err(|error| PlayerError::lost(Reason::IllegalMove, error.to_string()))?;
        Ok(())
    }

    /// The ending of a game that is over or is to be adjudicated.
    fn ending(&self) -> Option<Ending> {
        let position = self.game.position();
        let adjudication = &self.config.adjudication;
        if let Some(ending) = Ending::of(position) {
            return Some(ending);
        }
        let by_table = adjudication.table_seeds.filter(|&seeds| position.in_play() <= seeds);
        if let Some(margin) = by_table.and_then(|_| (self.table)(position)) {
            return Some(Ending::by_margin(margin, Reason::Table));
        }
        let leader =
            Side::BOTH.into_iter().find(|&side| 2 * position.store(side) > position.total());
        if let Some(leader) = leader.filter(|_| adjudication.majority) {
            return Some(Ending::lost_by(leader.other(), Reason::Majority, None));
        }
        if let Some(ending) = self.ending_by_score() {
            return Some(ending);
        }
        let limit = adjudication.move_limit?;
        (self.game.steps().len() >= limit as usize).then(|| drawn(Reason::MoveLimit))
    }

    /// The ending of a game whose players report values that leave no doubt. The values are
    /// claims: nothing here checks them.
    fn ending_by_score(&self) -> Option<Ending> {
        let adjudication = &self.config.adjudication;
        let moves = self.game.steps().len();
        if let Some(rule) = adjudication.resign.filter(|rule| moves >= rule.after as usize) {
            let score = Value(rule.score);
            let loser = Side::BOTH.into_iter().find(|&side| {
                self.agrees(side, rule, |value| value <= -score)
                    && (!rule.twosided || self.agrees(side.other(), rule, |value| value >= score))
            });
            if let Some(loser) = loser {
                return Some(Ending::lost_by(loser, Reason::Score, None));
            }
        }
        let rule = adjudication.draw.filter(|rule| moves >= rule.after as usize)?;
        let mut sides = Side::BOTH.into_iter();
        sides
            .all(|side| self.agrees(side, rule, |value| value.0.abs() <= rule.score))
            .then(|| drawn(Reason::Score))
    }

    /// Whether `holds` of the values of as many last moves of `side` as `rule` asks for. A
    /// move without a value, one of the opening among them, agrees with nothing.
    fn agrees(&self, side: Side, rule: ScoreRule, holds: impl Fn(Value) -> bool) -> bool {
        let last = self.game.steps().iter().rev().filter(|step| step.played.side == side);
        let values = last.map(|step| step.r#move.evaluation.map(|evaluation| evaluation.margin));
        let agreeing = values.take_while(|value| value.is_some_and(&holds));
        agreeing.take(rule.moves as usize).count() == rule.moves as usize
    }

    fn move_limits(&self, side: Side) -> MoveLimits {
        let each_move = self.limits[side.index()].each_move;
        let [clock, opponent_clock] = [side, side.other()].map(|side| self.clocks[side.index()]);
        let time = each_move.movetime.into_iter().chain(clock.map(|clock| clock.remaining)).min();
        let timing = self.config.timing;
        MoveLimits {
            search: Limits { clock, ..each_move },
            opponent_clock,
            timeout: time.map_or(timing.patience, |time| time + timing.margin + HANG_GRACE),
        }
    }

    /// Charges a move to the side's clock; an error if it took too long.
    fn charge(&mut self, side: Side, used: Duration) -> Result<(), PlayerError> {
        let limits = self.limits[side.index()];
        let margin = self.config.timing.margin;
        if let Some(limit) = limits.each_move.movetime.filter(|&limit| used > limit + margin) {
            return Err(late(used, limit));
        }
        if let (Some(clock), Some(control)) = (&mut self.clocks[side.index()], limits.control) {
            let remaining = clock.remaining;
            if !clock.charge(used, margin, control) {
                return Err(late(used, remaining));
            }
        }
        Ok(())
    }
}

fn drawn(reason: Reason) -> Ending {
    Ending { outcome: Outcome::Draw, reason, margin: None, detail: None }
}

fn late(used: Duration, limit: Duration) -> PlayerError {
    let [used, limit] = [used, limit].map(|time| time.as_secs_f64() * 1000.0);
    PlayerError::lost(Reason::Time, format!("used {used:.1} ms of {limit:.1} ms"))
}

/// Asks both players for the result of a game that ended by the rules, and records
/// where they disagree.
fn compare_results(game: &mut Game, players: &mut Players<'_>) {
    let Some(ending) = game.ending().filter(|ending| ending.reason == Reason::Normal) else {
        return;
    };
    let outcome = ending.outcome;
    for side in Side::BOTH {
        let warning = match players[side.index()].result(game) {
            Ok(Some(view)) if view != outcome => {
                format!("{side}: claims the result {view}, expected {outcome}")
            }
            Err(PlayerError::Lost { reason, detail }) => {
                format!("{side}: reports no result: {reason}, {detail}")
            }
            _ => continue,
        };
        game.warnings.push(warning);
    }
}
